//! What intake stores around an append to the head log.
//!
//! Each order below is for a crash in between, and for replicas that heard of one step and not of the next: a row that
//! any of them has names a key that a quorum has. So key and row never go out together.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{
    fault::Fault,
    ids::TurnId,
    marks::Mark,
    ports::{Entry, TurnRow},
    position::Position,
    scope::Scope,
    seal::NamedKey,
};

use crate::{
    AT_ONCE,
    batches::{ROW_BYTES, step},
    cell::{ONCE, Packed, Space, first_wins, pack},
    keyring::KeyRing,
    tables::Tables,
    trouble::misuse,
};

/// What is stored of an entry, and its place among those that are admitted.
pub(crate) struct Admission {
    at: usize,
    marks: Vec<Mark>,
    key: Option<NamedKey>,
    turn: Option<TurnRow>,
}

impl Admission {
    fn turn(&self) -> Option<TurnId> {
        self.turn.as_ref().map(|row| row.turn)
    }
}

/// Entries by space.
pub(crate) type Admissions = BTreeMap<Space, Vec<Admission>>;

/// What of entries is stored, by space.
pub(crate) fn admissions(entries: &[Entry]) -> Result<Admissions, Fault> {
    let mut spaces = Admissions::new();
    for (at, Entry { scope, key, turn, marks, record }) in entries.iter().enumerate() {
        let parts = record.parts();
        if (parts.tenant, parts.space) != scope.key() {
            return Err(misuse("admitted an entry", "its record is of another space"));
        }
        let admission = Admission { at, marks: marks.clone(), key: key.clone(), turn: turn.clone() };
        spaces.entry(scope.key()).or_default().push(admission);
    }
    Ok(spaces)
}

/// [`saidso_core::ports::Ledger::admit`]: spaces beside each other, all of a space together. Answers those that are known.
pub(crate) async fn admit(
    tables: Arc<Tables>,
    keys: Arc<KeyRing>,
    spaces: Admissions,
) -> Result<Vec<(usize, Position)>, Fault> {
    let admit = |(space, admissions)| admit_to(&tables, &keys, space, admissions);
    let known: Vec<Vec<_>> = stream::iter(spaces).map(admit).buffer_unordered(AT_ONCE).try_collect().await?;
    Ok(known.into_iter().flatten().collect())
}

async fn admit_to(
    tables: &Tables,
    keys: &KeyRing,
    space: Space,
    admissions: Vec<Admission>,
) -> Result<Vec<(usize, Position)>, Fault> {
    let (tenant, own) = (Packed(space.0), Packed(space.1));
    let mark = |mark: &Mark| (ROW_BYTES, step(&tables.put_mark, (tenant, own, Packed(*mark), ONCE)));
    let marks = admissions.iter().flat_map(|admission| &admission.marks).map(mark).collect();
    tables.link.batches(marks).await?;

    let turns: Vec<TurnId> = admissions.iter().filter_map(Admission::turn).collect();
    let any = admissions.iter().any(|admission| admission.key.is_some());
    // A new space has no turns to look for: none is stored before its space's key. Of a copy that another process
    // publishes at the same time neither learns by looking.
    let new_space = any && keys.own(space).await?.1;
    let positions = match new_space {
        true => HashMap::new(),
        false => tables.read_positions(space, &turns).await?,
    };
    let stands = |admission: &Admission| admission.turn().and_then(|turn| positions.get(&turn).copied());
    let (new, known): (Vec<&Admission>, Vec<&Admission>) =
        admissions.iter().partition(|admission| stands(admission).is_none());

    keys.store(space, new.iter().filter_map(|admission| admission.key.as_ref()).collect()).await?;
    let row = |TurnRow { turn, sealed, .. }: &TurnRow| {
        let sealed = pack(sealed);
        // Under the timestamp of what is written once: words blanked since, by a turn's earlier copy, stay blanked.
        (ROW_BYTES + sealed.len(), step(&tables.put_turn, (tenant, own, Packed(*turn), sealed, ONCE)))
    };
    let rows = new.iter().filter_map(|admission| admission.turn.as_ref()).map(row).collect();
    tables.link.batches(rows).await?;
    Ok(known.into_iter().filter_map(|admission| Some((admission.at, stands(admission)?))).collect())
}

/// Positions by space.
pub(crate) type Notes = BTreeMap<Space, Vec<(TurnId, Position, i64)>>;

/// Where turns stand, by space.
pub(crate) fn notes(turns: &[(Scope, TurnId, Position)]) -> Result<Notes, Fault> {
    let mut spaces = Notes::new();
    for (scope, turn, position) in turns {
        spaces.entry(scope.key()).or_default().push((*turn, *position, first_wins(*position)?));
    }
    Ok(spaces)
}

/// [`saidso_core::ports::Ledger::note`].
pub(crate) async fn note(tables: Arc<Tables>, spaces: Notes) -> Result<(), Fault> {
    let note = |((tenant, space), turns): (Space, Vec<(TurnId, Position, i64)>)| {
        let note = |(turn, position, stamp)| {
            (ROW_BYTES, step(&tables.note, (Packed(tenant), Packed(space), Packed(turn), Packed(position), stamp)))
        };
        tables.link.batches(turns.into_iter().map(note).collect())
    };
    stream::iter(spaces).map(note).buffer_unordered(AT_ONCE).try_collect().await
}
