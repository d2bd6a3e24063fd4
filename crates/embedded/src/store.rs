//! Reads of what is stored.

use saidso_core::{
    fault::Fault,
    ids::{SessionId, TurnId},
    marks::Mark,
    observation::{ObservationRow, SealedObservation},
    ports::{DeadLetters, ReadBackRow, SpaceRows, Store, TurnRow},
    position::Position,
    record::DeadLetter,
    scope::Scope,
    seal::Generation,
};
use serde::de::DeserializeOwned;

use crate::{
    database::Database,
    rows::{self, APPLIED, DEAD, Def, MARKS, OBSERVATIONS, READ_BACKS, SESSIONS, TURNS, under},
    trouble::damaged,
};

impl Database {
    fn one<T: DeserializeOwned>(&self, def: Def, key: &[u8]) -> Result<Option<T>, Fault> {
        self.read("read the store", |txn| rows::get(def, &txn.open_table(def)?, key))
    }

    fn all<T: DeserializeOwned>(&self, def: Def, prefix: &[u8]) -> Result<Vec<T>, Fault> {
        let rows =
            self.read("read the store", |txn| rows::scan(def, &txn.open_table(def)?, prefix, prefix, usize::MAX))?;
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }
}

impl Store for Database {
    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Fault> {
        self.one(TURNS, &under(rows::space(scope), turn.as_bytes()))
    }

    fn turns(&self, scope: &Scope) -> Result<Vec<TurnRow>, Fault> {
        self.all(TURNS, &rows::space(scope))
    }

    fn rows(&self, scope: &Scope, generation: Generation) -> Result<SpaceRows, Fault> {
        let prefix = rows::generation(scope, generation);
        let what = "read a space";
        let (applied, observations, sessions) = self.read(what, |txn| {
            let applied: Option<Position> = rows::get(APPLIED, &txn.open_table(APPLIED)?, &prefix)?;
            let scan = |def| -> Result<_, _> { rows::scan(def, &txn.open_table(def)?, &prefix, &prefix, usize::MAX) };
            let observations: Vec<(Vec<u8>, ObservationRow)> = scan(OBSERVATIONS)?;
            let table = txn.open_table(SESSIONS)?;
            let sessions: Vec<(Vec<u8>, i64)> = rows::scan(SESSIONS, &table, &prefix, &prefix, usize::MAX)?;
            Ok((applied, observations, sessions))
        })?;
        let ended = |(key, at_ms): (Vec<u8>, i64)| {
            let id = key.last_chunk().ok_or_else(|| damaged(what, "a session's key is cut short"))?;
            Ok((SessionId::from_bytes(*id), at_ms))
        };
        Ok(SpaceRows {
            applied,
            observations: observations.into_iter().map(|(_, row)| SealedObservation::stored(row)).collect(),
            ended: sessions.into_iter().map(ended).collect::<Result<_, Fault>>()?,
        })
    }

    fn applied(&self, scope: &Scope, generation: Generation) -> Result<Option<Position>, Fault> {
        self.one(APPLIED, &rows::generation(scope, generation))
    }

    fn marks(&self, scope: &Scope) -> Result<Vec<Mark>, Fault> {
        self.all(MARKS, &rows::space(scope))
    }

    fn read_backs(&self, scope: &Scope) -> Result<Vec<ReadBackRow>, Fault> {
        self.all(READ_BACKS, &rows::space(scope))
    }
}

impl DeadLetters for Database {
    fn list(&self, max: usize) -> Result<Vec<DeadLetter>, Fault> {
        use redb::ReadableTable as _;
        self.read("read the dead letters", |txn| {
            let table = txn.open_table(DEAD)?;
            let keys = table.iter()?.rev().take(max).map(|row| Ok(row?.0.value().to_vec()));
            let keys = keys.collect::<Result<Vec<_>, redb::StorageError>>()?;
            let letters = keys.iter().map(|key| rows::get(DEAD, &table, key));
            Ok(letters.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        })
    }
}
