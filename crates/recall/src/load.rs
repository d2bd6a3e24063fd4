//! Reads a space from the store and opens what still has a key.

use std::collections::HashSet;

use saidso_core::{
    fault::Fault,
    item::{Drop, DropReason},
    observation::SealedObservation,
    ports::{Keys, Store, TurnRow},
    position::Position,
    scope::Scope,
    seal::{self, Field, Generation, KeyId, Place, Sealed},
    text,
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
            withhold(&mut turn, &drops(&row, scope, keys)?);
            turns.push(turn);
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
    Ok(Contents { applied: rows.applied, observations, ended, turns, marks: store.marks(scope)?, read_backs })
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

/// Blanks what was let go because it is no statement of the customer's: a guess, a supposition, somebody else's words.
/// Shown raw it would answer as if it were one.
fn withhold(turn: &mut Turn, drops: &[Drop]) {
    let no_statement = |drop: &&Drop| matches!(drop.reason, DropReason::Hedged | DropReason::NotCustomer);
    for quote in drops.iter().filter(no_statement).map(|drop| drop.quote.as_str()) {
        for message in &mut turn.body.messages {
            if let Some(span) = text::find_quote(&message.text, quote)
                && let Some(words) = span.of(&message.text)
            {
                let blank = " ".repeat(words.len());
                message.text.replace_range(span.start as usize..span.end as usize, &blank);
            }
        }
    }
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
