//! Reads a space from the store and opens what still has a key.

use std::collections::HashSet;

use saidso_core::{
    fault::Fault,
    item::Drop,
    observation::SealedObservation,
    passages::{self, PassageVector},
    ports::{Keys, Store, TurnRow},
    position::Position,
    scope::Scope,
    seal::{self, Field, Generation, KeyId, Place, Sealed},
    turn::Turn,
};

use crate::{query::AsOf, space::Contents};

/// Everything of a space in a generation, or everything that stood at a point in the past.
///
/// Marks are read last: a forget that comes in between is then applied to what was read before it.
pub fn contents(
    store: &dyn Store,
    keys: &dyn Keys,
    scope: &Scope,
    generation: Generation,
    as_of: Option<AsOf>,
) -> Result<Contents, Fault> {
    let rows = store.rows(scope, generation)?;
    let stored = store.turns(scope)?;
    let of_observations = rows.observations.iter().map(SealedObservation::key);
    let ids: HashSet<KeyId> = of_observations.chain(stored.iter().map(|row| row.sealed.key)).collect();
    keys.warm(scope, &ids.into_iter().collect::<Vec<_>>());
    let stood = |position: Position, at_ms: i64| match as_of {
        None => true,
        Some(AsOf::Time(until_ms)) => at_ms <= until_ms,
        Some(AsOf::Position(until)) => position <= until,
    };
    let mut observations = Vec::with_capacity(rows.observations.len());
    for sealed in &rows.observations {
        let row = sealed.row();
        if stood(row.position, row.at_ms) {
            observations.extend(sealed.open(scope, generation, keys)?);
        }
    }
    let mut turns = Vec::new();
    for row in stored {
        // A turn is part of the space once it is folded in, like its observations.
        let Some(position) = row.position.filter(|position| rows.applied.is_some_and(|applied| *position <= applied))
        else {
            continue;
        };
        if let Some(mut turn) = turn(&row, scope, keys)?
            && stood(position, turn.meta.at.ms())
        {
            passages::withhold(&mut turn.body, &drops(&row, scope, keys)?);
            turns.push(turn);
        }
    }
    let mut vectors: Vec<PassageVector> = Vec::new();
    for (turn, sealed) in &rows.passages {
        if let Some(key) = keys.key(scope, sealed.key)? {
            let place = Place { scope, id: *turn.as_bytes(), generation, field: Field::Passages };
            vectors.extend(seal::open::<Vec<PassageVector>>(&key, place, sealed)?);
        }
    }
    let mut ended = rows.ended;
    if let Some(AsOf::Time(until_ms)) = as_of {
        ended.retain(|(_, at_ms)| *at_ms <= until_ms);
    }
    let read_backs = match as_of {
        None => store.read_backs(scope)?.iter().map(|row| row.turn).collect(),
        Some(_) => Vec::new(),
    };
    Ok(Contents { applied: rows.applied, observations, ended, turns, vectors, marks: store.marks(scope)?, read_backs })
}

/// A stored turn; `None` if its key was destroyed.
pub fn turn(row: &TurnRow, scope: &Scope, keys: &dyn Keys) -> Result<Option<Turn>, Fault> {
    open(&row.sealed, row, Field::Turn, scope, keys)
}

/// What a turn's extraction let go; nothing if it was not written yet or its key was destroyed.
pub fn drops(row: &TurnRow, scope: &Scope, keys: &dyn Keys) -> Result<Vec<Drop>, Fault> {
    let drops = row.drops.as_ref().map(|sealed| open(sealed, row, Field::Drops, scope, keys)).transpose()?;
    Ok(drops.flatten().unwrap_or_default())
}

fn open<T: seal::Payload>(
    sealed: &Sealed,
    row: &TurnRow,
    field: Field,
    scope: &Scope,
    keys: &dyn Keys,
) -> Result<Option<T>, Fault> {
    let Some(key) = keys.key(scope, sealed.key)? else {
        return Ok(None);
    };
    let place = Place { scope, id: *row.turn.as_bytes(), generation: Generation::ALL, field };
    seal::open(&key, place, sealed).map(Some)
}
