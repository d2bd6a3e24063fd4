//! Sections, on their way into spaces: the order of writes that makes a crash at any point harmless.
//!
//! For each section: marks and new keys; turns and sessions; the space's own partition in one batch, which sets
//! `applied`; then the old keys are destroyed. Each step may be repeated. A batch carries the timestamp of its position,
//! so that a writer that lost its lease, and does not know it yet, loses against the one that came after.

use std::collections::BTreeMap;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{
    fault::Fault,
    ids::{ObservationId, SessionId, TurnId},
    marks::Mark,
    observation::ObservationRow,
    ports::{Change, Lease, Section, TurnRow, Write},
    seal::{KeyId, Replaced, Sealed},
};

use crate::{
    AT_ONCE,
    cell::{ONCE, Packed, Space, pack, stamp},
    keyring::KeyRing,
    link::{Prepared, Values},
    reads::{Partition, number},
    tables::Tables,
    taken::{Known, Taken},
};

/// Bytes of a batch: what Cassandra warns of is larger, what it refuses larger still.
const BATCH_BYTES: usize = 40 * 1024;
/// Bytes that a row takes besides its sealed cell, and the statics besides what they list.
const ROW_BYTES: usize = 160;
/// Steps of one section that are under way at once.
const STEPS_AT_ONCE: usize = 8;

/// Whoever applies sections, with what it needs for it.
pub(crate) struct Applying<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) keys: &'a KeyRing,
    pub(crate) taken: &'a Taken,
    pub(crate) lease: &'a Lease,
    pub(crate) alive: &'a (dyn Fn() -> bool + Sync),
}

impl Applying<'_> {
    /// [`saidso_core::ports::Ledger::apply`]: spaces beside each other, sections of a space in order.
    pub(crate) async fn all(&self, sections: &[Section]) -> Result<Vec<Change>, Fault> {
        let mut spaces: BTreeMap<Space, Vec<(usize, &Section)>> = BTreeMap::new();
        for (at, section) in sections.iter().enumerate() {
            spaces.entry(section.scope.key()).or_default().push((at, section));
        }
        let spaces = spaces.into_values().map(|sections| self.space(sections));
        let changes: Vec<Vec<(usize, Change)>> = stream::iter(spaces).buffer_unordered(AT_ONCE).try_collect().await?;
        let mut changes: Vec<(usize, Change)> = changes.into_iter().flatten().collect();
        changes.sort_unstable_by_key(|(at, _)| *at);
        Ok(changes.into_iter().map(|(_, change)| change).collect())
    }

    async fn space(&self, sections: Vec<(usize, &Section)>) -> Result<Vec<(usize, Change)>, Fault> {
        let mut changes = Vec::with_capacity(sections.len());
        for (at, section) in sections {
            changes.push((at, self.section(section).await?));
        }
        Ok(changes)
    }

    /// What is known of the partition is taken out, and put back only once all went well: after any other end, also
    /// that of a caller who stopped waiting, it is read again.
    async fn section(&self, section: &Section) -> Result<Change, Fault> {
        let ((tenant, space), generation) = (section.scope.key(), section.generation);
        let name = ((tenant, space), generation);
        let known = match self.taken.take_out(self.lease, name) {
            Some(known) => known,
            None => self.take_over(name.0, section).await?,
        };
        let known = match known.applied {
            Some(applied) if section.position <= applied => self.repeat(section, known).await?,
            _ => self.write(section).await?,
        };
        let applied = known.applied.unwrap_or(section.position);
        self.taken.put_back(self.lease, name, known);
        Ok(Change { tenant, space, generation, applied, accepted_ms: section.accepted_ms })
    }

    /// Reads the whole partition, so that what a quorum answers is with a quorum from then on, and makes good what the
    /// one before may have left.
    async fn take_over(&self, space: Space, section: &Section) -> Result<Known, Fault> {
        let Partition { applied, destroy, .. } = self.tables.read_partition(space, section.generation).await?;
        self.keys.destroy(space, &destroy).await?;
        Ok(Known { applied, destroy })
    }

    /// A section that is applied already.
    async fn repeat(&self, section: &Section, known: Known) -> Result<Known, Fault> {
        let space = section.scope.key();
        if known.applied == Some(section.position) {
            self.keys.destroy(space, &known.destroy).await?;
        }
        // It may have been worked out from rows that had moved on: what a turn stands under now is not what it meant.
        for replaced in &section.destroy {
            let row = self.tables.read_turn(space, replaced.turn).await?;
            let below = row.as_ref().and_then(version).map_or(replaced.below, |stands| stands.min(replaced.below));
            self.keys.destroy(space, &[Replaced { below, ..*replaced }]).await?;
        }
        Ok(known)
    }

    async fn write(&self, section: &Section) -> Result<Known, Fault> {
        let space = section.scope.key();
        let steps = Steps::of(self.tables, section)?;
        let store = |key| self.keys.store(space, key);
        stream::iter(&section.new_keys).map(store).buffer_unordered(STEPS_AT_ONCE).try_for_each(done).await?;
        self.run(steps.once).await?;
        self.run(steps.beside).await?;
        for chunk in chunks(steps.rows) {
            if !(self.alive)() {
                return Err(Fault::lease_lost());
            }
            self.tables.link.batch(chunk).await?;
        }
        self.keys.destroy(space, &section.destroy).await?;
        Ok(Known { applied: Some(section.position), destroy: section.destroy.clone() })
    }

    async fn run<'s>(&self, steps: Vec<Step<'s>>) -> Result<(), Fault> {
        let run = |step: Step<'s>| self.tables.link.run(step.statement, step.values);
        stream::iter(steps).map(run).buffer_unordered(STEPS_AT_ONCE).try_for_each(done).await
    }
}

async fn done((): ()) -> Result<(), Fault> {
    Ok(())
}

fn version(row: &TurnRow) -> Option<u64> {
    match row.sealed.key {
        KeyId::Turn { version, .. } => Some(version),
        KeyId::Space { .. } => None,
    }
}

/// One statement to be executed.
struct Step<'a> {
    statement: &'a Prepared,
    values: Values,
    bytes: usize,
}

/// A section as statements, by when they are due. Of several writes of one cell the last is left: in one batch the
/// store would not tell them apart by order.
struct Steps<'a> {
    /// What is written once and for all.
    once: Vec<Step<'a>>,
    /// Turns and sessions.
    beside: Vec<Step<'a>>,
    /// The space's partition, the statics last.
    rows: Vec<Step<'a>>,
}

impl<'a> Steps<'a> {
    fn of(tables: &'a Tables, section: &Section) -> Result<Self, Fault> {
        let mut marks: Vec<Mark> = Vec::new();
        let mut turns: BTreeMap<TurnId, &Sealed> = BTreeMap::new();
        let mut drops: BTreeMap<TurnId, &Option<Sealed>> = BTreeMap::new();
        let mut ends: Vec<(SessionId, i64)> = Vec::new();
        let mut rows: BTreeMap<ObservationId, Option<&ObservationRow>> = BTreeMap::new();
        for write in &section.writes {
            match write {
                Write::Observation(observation) => drop(rows.insert(observation.row().id, Some(observation.row()))),
                Write::Remove(id) => drop(rows.insert(*id, None)),
                Write::Mark(mark) => marks.push(*mark),
                Write::Turn { turn, sealed } => drop(turns.insert(*turn, sealed)),
                Write::Drops { turn, sealed } => drop(drops.insert(*turn, sealed)),
                Write::SessionEnded { session, at_ms } => ends.push((*session, *at_ms)),
            }
        }
        let ((tenant, space), number, stamp) =
            (section.scope.key(), number(section.generation)?, stamp(section.position)?);
        let (tenant, space) = (Packed(tenant), Packed(space));
        fn step(
            statement: &Prepared,
            values: impl scylla::serialize::row::SerializeRow + Send + Sync + 'static,
            bytes: usize,
        ) -> Step<'_> {
            Step { statement, values: Box::new(values), bytes: bytes + ROW_BYTES }
        }
        let mark = |mark| step(&tables.put_mark, (tenant, space, Packed(mark), ONCE), 0);
        let turn = |(turn, sealed)| step(&tables.put_turn, (tenant, space, Packed(turn), pack(sealed), stamp), 0);
        let dropped = |(turn, sealed): (TurnId, &Option<Sealed>)| {
            let sealed = sealed.as_ref().map(pack);
            step(&tables.put_drops, (tenant, space, Packed(turn), sealed, stamp), 0)
        };
        let end =
            |(session, at_ms)| step(&tables.end_session, (tenant, space, number, Packed(session), at_ms, stamp), 0);
        let row = |(id, row): (ObservationId, Option<&ObservationRow>)| match row {
            None => step(&tables.remove_observation, (stamp, tenant, space, number, Packed(id)), 0),
            Some(ObservationRow { id, turn, position, at_ms, kind, body, vector }) => {
                let sealed = pack(&(body, vector));
                let bytes = sealed.len();
                let (id, kind, turn, position) = (Packed(*id), Packed(*kind), Packed(*turn), Packed(*position));
                let values = (tenant, space, number, id, kind, turn, position, *at_ms, sealed, stamp);
                step(&tables.put_observation, values, bytes)
            }
        };
        let destroy = pack(&section.destroy);
        let bytes = destroy.len();
        let statics = (tenant, space, number, Packed(section.position), destroy, stamp);
        Ok(Self {
            once: marks.into_iter().map(mark).collect(),
            beside: turns
                .into_iter()
                .map(turn)
                .chain(drops.into_iter().map(dropped))
                .chain(ends.into_iter().map(end))
                .collect(),
            rows: rows.into_iter().map(row).chain([step(&tables.move_on, statics, bytes)]).collect(),
        })
    }
}

/// Batches of a size that every store takes, in order: the statics stay the last.
fn chunks(steps: Vec<Step<'_>>) -> Vec<Vec<(&Prepared, Values)>> {
    let (mut chunks, mut size) = (vec![Vec::new()], 0);
    for Step { statement, values, bytes } in steps {
        size += bytes;
        match chunks.last_mut() {
            Some(chunk) if size <= BATCH_BYTES || chunk.is_empty() => chunk.push((statement, values)),
            _ => {
                size = bytes;
                chunks.push(vec![(statement, values)]);
            }
        }
    }
    chunks
}
