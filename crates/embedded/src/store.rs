//! Reads of what is stored.

use redb::TableError;
use saidso_core::{
    fault::Fault,
    ids::{SessionId, SpaceId, TenantId, TurnId},
    marks::Mark,
    observation::{ObservationRow, SealedObservation},
    ports::{DeadLetters, ReadBackRow, SpaceRows, SpaceTurns, Store, TurnRow},
    position::Position,
    record::DeadLetter,
    scope::Scope,
    seal::{Generation, Sealed},
};
use serde::de::DeserializeOwned;

use crate::{
    database::Database,
    rows::{self, APPLIED, DEAD, Def, MARKS, OBSERVATIONS, PASSAGES, READ_BACKS, SESSIONS, TURNS, under},
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

/// Longer than what follows the space in any key of a table with one space after the other: no key follows one that ends so.
const PAST: [u8; size_of::<TurnId>() + 1] = [u8::MAX; size_of::<TurnId>() + 1];

impl Database {
    /// The rows of a table that the first commit makes: a folder of before there was one has none.
    pub(crate) fn made_later<T: DeserializeOwned>(&self, what: &str, def: Def, prefix: &[u8]) -> Result<Vec<T>, Fault> {
        let rows = self.read(what, |txn| match txn.open_table(def) {
            Err(TableError::TableDoesNotExist(_)) => Ok(Vec::new()),
            table => rows::scan(def, &table?, prefix, prefix, usize::MAX),
        })?;
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// Every space that has a row in a table, one after the other, with what the keys of its rows start with. A read for
    /// each: none is held while one is visited.
    pub(crate) fn walk_spaces(
        &self,
        what: &str,
        def: Def,
        mut visit: impl FnMut(TenantId, SpaceId, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let next = |from: &[u8]| {
            self.read(what, |txn| match txn.open_table(def) {
                Err(TableError::TableDoesNotExist(_)) => Ok(None),
                table => rows::next(&table?, from),
            })
        };
        let mut from = Vec::new();
        while let Some(key) = next(&from)? {
            let cut = || damaged(what, "a key is cut short");
            let (tenant, rest) = key.split_first_chunk().ok_or_else(cut)?;
            let space = rest.first_chunk().ok_or_else(cut)?;
            let prefix = &key[..tenant.len() + space.len()];
            visit(TenantId::from_bytes(*tenant), SpaceId::from_bytes(*space), prefix)?;
            from = under(prefix.to_vec(), &PAST);
        }
        Ok(())
    }
}

impl Store for Database {
    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Fault> {
        self.one(TURNS, &under(rows::space(scope), turn.as_bytes()))
    }

    fn turns(&self, scope: &Scope) -> Result<Vec<TurnRow>, Fault> {
        self.all(TURNS, &rows::space(scope))
    }

    fn each_space(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(SpaceTurns) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.walk_spaces("read whose turns are stored", TURNS, |tenant, space, prefix| match wanted(tenant) {
            true => visit(SpaceTurns { tenant, space, turns: self.all(TURNS, prefix)? }),
            false => Ok(()),
        })
    }

    fn rows(&self, scope: &Scope, generation: Generation) -> Result<SpaceRows, Fault> {
        let prefix = rows::generation(scope, generation);
        let what = "read a space";
        let (applied, observations, passages, sessions) = self.read(what, |txn| {
            let applied: Option<Position> = rows::get(APPLIED, &txn.open_table(APPLIED)?, &prefix)?;
            let scan = |def| -> Result<_, _> { rows::scan(def, &txn.open_table(def)?, &prefix, &prefix, usize::MAX) };
            let observations: Vec<(Vec<u8>, ObservationRow)> = scan(OBSERVATIONS)?;
            let table = txn.open_table(PASSAGES)?;
            let passages: Vec<(Vec<u8>, Sealed)> = rows::scan(PASSAGES, &table, &prefix, &prefix, usize::MAX)?;
            let table = txn.open_table(SESSIONS)?;
            let sessions: Vec<(Vec<u8>, i64)> = rows::scan(SESSIONS, &table, &prefix, &prefix, usize::MAX)?;
            Ok((applied, observations, passages, sessions))
        })?;
        let ended = |(key, at_ms): (Vec<u8>, i64)| {
            let id = key.last_chunk().ok_or_else(|| damaged(what, "a session's key is cut short"))?;
            Ok((SessionId::from_bytes(*id), at_ms))
        };
        let of_turn = |(key, sealed): (Vec<u8>, Sealed)| {
            let id = key.last_chunk().ok_or_else(|| damaged(what, "a turn's key is cut short"))?;
            Ok((TurnId::from_bytes(*id), sealed))
        };
        Ok(SpaceRows {
            applied,
            observations: observations.into_iter().map(|(_, row)| SealedObservation::stored(row)).collect(),
            passages: passages.into_iter().map(of_turn).collect::<Result<_, Fault>>()?,
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
