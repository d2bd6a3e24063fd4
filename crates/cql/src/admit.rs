//! What intake stores around an append to the head log.

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{
    fault::Fault,
    ids::TurnId,
    ports::{Entry, TurnRow},
    position::Position,
    scope::Scope,
};

use crate::{
    AT_ONCE,
    cell::{ONCE, Packed, Space, first_wins},
    keyring::KeyRing,
    tables::Tables,
    trouble::misuse,
};

/// [`saidso_core::ports::Ledger::admit`].
pub(crate) async fn admit(tables: &Tables, keys: &KeyRing, entries: &[Entry]) -> Result<Vec<Option<Position>>, Fault> {
    let same = |entry: &Entry| {
        let parts = entry.record.parts();
        (parts.tenant, parts.space) == entry.scope.key()
    };
    if !entries.iter().all(same) {
        return Err(misuse("admitted an entry", "its record is of another space"));
    }
    stream::iter(entries).map(|entry| admit_one(tables, keys, entry)).buffered(AT_ONCE).try_collect().await
}

async fn admit_one(tables: &Tables, keys: &KeyRing, entry: &Entry) -> Result<Option<Position>, Fault> {
    let Entry { scope, key, turn, marks, .. } = entry;
    let space = scope.key();
    for mark in marks {
        let values = (Packed(space.0), Packed(space.1), Packed(mark), ONCE);
        tables.link.run(&tables.put_mark, values).await?;
    }
    if let Some(turn) = turn
        && let Some(TurnRow { position: Some(first), .. }) = tables.read_turn(space, turn.turn).await?
    {
        return Ok(Some(first));
    }
    if let Some(key) = key {
        keys.store(space, key).await?;
    }
    if let Some(TurnRow { turn, sealed, .. }) = turn {
        // Under the timestamp of what is written once: words blanked since, by a turn's earlier copy, stay blanked.
        let values = (Packed(space.0), Packed(space.1), Packed(*turn), Packed(sealed), ONCE);
        tables.link.run(&tables.put_turn, values).await?;
    }
    Ok(None)
}

/// [`saidso_core::ports::Ledger::note`].
pub(crate) async fn note(tables: &Tables, turns: &[(Scope, TurnId, Position)]) -> Result<(), Fault> {
    let note = |(scope, turn, position): &(Scope, TurnId, Position)| note_one(tables, scope.key(), *turn, *position);
    stream::iter(turns).map(note).buffer_unordered(AT_ONCE).try_collect().await
}

async fn note_one(tables: &Tables, space: Space, turn: TurnId, position: Position) -> Result<(), Fault> {
    let values = (Packed(space.0), Packed(space.1), Packed(turn), Packed(position), first_wins(position)?);
    tables.link.run(&tables.note, values).await
}
