//! A section as statements.

use std::collections::BTreeMap;

use saidso_core::{
    fault::Fault,
    ids::{ObservationId, SessionId, TurnId},
    marks::Mark,
    observation::ObservationRow,
    ports::{ReadBackRow, Section, Write},
    seal::Sealed,
};

use crate::{
    LISTED,
    batches::{BATCH_BYTES, Batches, ROW_BYTES, step},
    cell::{ONCE, Packed, pack, stamp},
    link::Step,
    reads::number,
    tables::Tables,
};

/// Bytes that a removed row's id takes.
const ID_BYTES: usize = 20;

/// What a section writes, by when it is due.
pub(crate) struct Steps<'a> {
    /// What is written once and for all.
    pub(crate) once: Vec<Step<'a>>,
    /// Turns, sessions and what requests took.
    pub(crate) beside: Vec<Step<'a>>,
    /// The space's partition, one batch after the other; the last sets `applied`.
    ///
    /// Nearly always it is one. A forget too large for that must not lose its thread in a crash between two: first come
    /// the rows that stay, sealed anew, so that the next try finds all that is to go; then the keys that go are noted,
    /// unless they fit in with the removals and `applied`, so that whoever takes the space over destroys them even where
    /// the rows that would name their turns are gone by then.
    pub(crate) batches: Vec<Vec<Step<'a>>>,
    /// What names keys that are gone by then: a try after a crash has to find them.
    pub(crate) after: Vec<Step<'a>>,
}

impl<'a> Steps<'a> {
    /// Of several writes of one cell the last is left: at one timestamp the store would not tell them apart by order.
    pub(crate) fn of(tables: &'a Tables, section: &Section) -> Result<Self, Fault> {
        let mut marks: Vec<Mark> = Vec::new();
        let mut turns: BTreeMap<TurnId, &Sealed> = BTreeMap::new();
        let mut drops: BTreeMap<TurnId, Option<&Sealed>> = BTreeMap::new();
        let mut read_backs: BTreeMap<TurnId, Option<&ReadBackRow>> = BTreeMap::new();
        let mut ends: Vec<(SessionId, i64)> = Vec::new();
        let mut rows: BTreeMap<ObservationId, Option<&ObservationRow>> = BTreeMap::new();
        let mut passages: BTreeMap<TurnId, Option<&Sealed>> = BTreeMap::new();
        for write in &section.writes {
            match write {
                Write::Observation(observation) => drop(rows.insert(observation.row().id, Some(observation.row()))),
                Write::Remove(id) => drop(rows.insert(*id, None)),
                Write::Mark(mark) => marks.push(*mark),
                Write::Turn { turn, sealed } => drop(turns.insert(*turn, sealed)),
                Write::Drops { turn, sealed } => drop(drops.insert(*turn, sealed.as_ref())),
                Write::Passages { turn, sealed } => drop(passages.insert(*turn, sealed.as_ref())),
                Write::ReadBack(row) => drop(read_backs.insert(row.turn, Some(row))),
                Write::NoReadBack(turn) => drop(read_backs.insert(*turn, None)),
                Write::SessionEnded { session, at_ms } => ends.push((*session, *at_ms)),
                Write::Verdict(_) | Write::NoVerdicts(_) | Write::NoReview { .. } => {}
            }
        }
        let (tenant, space) = section.scope.key();
        let (tenant, space) = (Packed(tenant), Packed(space));
        let (number, stamp) = (number(section.generation)?, stamp(section.position)?);

        let mark = |mark| step(&tables.put_mark, (tenant, space, Packed(mark), ONCE));
        let turn = |(turn, sealed)| step(&tables.put_turn, (tenant, space, Packed(turn), pack(sealed), stamp));
        let dropped = |(turn, sealed): (TurnId, Option<&Sealed>)| {
            step(&tables.put_drops, (tenant, space, Packed(turn), sealed.map(pack), stamp))
        };
        let end = |(session, at_ms)| step(&tables.end_session, (tenant, space, number, Packed(session), at_ms, stamp));
        let read_back =
            |row: &ReadBackRow| step(&tables.put_read_back, (tenant, space, Packed(row.turn), pack(row), stamp));
        let beside = turns.into_iter().map(turn).chain(drops.into_iter().map(dropped));
        let beside = beside.chain(read_backs.values().flatten().copied().map(read_back));
        let let_go = |turn| step(&tables.remove_read_back, (stamp, tenant, space, Packed(turn)));
        let read = read_backs.iter().filter(|(_, row)| row.is_none()).map(|(turn, _)| let_go(*turn));

        // No section both keeps a verdict and lets go of those on its result.
        let reviewed = section.writes.iter().filter_map(|write| match write {
            Write::Verdict(row) => Some(tables.judge(section.scope.key(), row, stamp)),
            Write::NoVerdicts(result) => Some(tables.unjudge(section.scope.key(), *result, stamp)),
            Write::NoReview { review, asked_ms } => Some(tables.let_go(section.scope.key(), *review, *asked_ms)),
            _ => None,
        });
        let beside = beside.chain(reviewed);

        let mut batches = Batches::default();
        let mut gone = Vec::new();
        for (id, row) in rows {
            let Some(ObservationRow { turn, position, at_ms, kind, body, vector, .. }) = row else {
                gone.push(Packed(*id.as_bytes()));
                continue;
            };
            let sealed = pack(&(body, vector));
            let bytes = ROW_BYTES + sealed.len();
            let (kind, turn, position) = (Packed(*kind), Packed(*turn), Packed(*position));
            let values = (tenant, space, number, Packed(id), kind, turn, position, *at_ms, sealed, stamp);
            batches.push(bytes, [step(&tables.put_observation, values)]);
        }
        for (turn, sealed) in passages {
            // They stand among the observations, under the turn's id.
            let Some(sealed) = sealed.map(|sealed| pack(&(sealed, None::<&Sealed>))) else {
                gone.push(Packed(*turn.as_bytes()));
                continue;
            };
            let bytes = ROW_BYTES + sealed.len();
            batches.push(bytes, [step(&tables.put_passages, (tenant, space, number, Packed(turn), sealed, stamp))]);
        }
        let removed =
            |ids: &[Packed<[u8; 16]>]| step(&tables.remove_observations, (stamp, tenant, space, number, ids.to_vec()));
        let destroy = pack(&section.destroy);
        let bytes = (2 + gone.len() / LISTED) * ROW_BYTES + ID_BYTES * gone.len() + destroy.len();
        let moved_on = step(&tables.move_on, (tenant, space, number, Packed(section.position), destroy.clone(), stamp));
        let removals = gone.chunks(LISTED).map(removed);
        if bytes <= BATCH_BYTES {
            batches.push(bytes, removals.chain([moved_on]));
        } else {
            batches.push(BATCH_BYTES, [step(&tables.doom, (tenant, space, number, destroy, stamp))]);
            removals.for_each(|removal| batches.push(ROW_BYTES + LISTED * ID_BYTES, [removal]));
            batches.push(BATCH_BYTES, [moved_on]);
        }
        Ok(Self {
            once: marks.into_iter().map(mark).collect(),
            beside: beside.chain(ends.into_iter().map(end)).collect(),
            batches: batches.into_iter().collect(),
            after: read.collect(),
        })
    }
}
