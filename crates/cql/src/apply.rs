//! Sections, on their way into spaces: the order of writes that makes a crash at any point harmless.
//!
//! For each section: marks and new keys; turns and sessions; the space's own partition in one batch, which sets
//! `applied`; then the old keys are destroyed. Each step may be repeated. A batch carries the timestamp of its position,
//! so that a writer that lost its lease, and does not know it yet, loses against the one that came after.

use std::collections::BTreeMap;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{
    fault::Fault,
    ports::{Change, Lease, Section, TurnRow},
    seal::{KeyId, Replaced},
};

use crate::{
    AT_ONCE, STEPS_AT_ONCE,
    cell::Space,
    keyring::KeyRing,
    link::Step,
    reads::Partition,
    steps::Steps,
    tables::Tables,
    taken::{Known, Taken},
};

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
        self.keys.store(space, section.new_keys.iter().collect()).await?;
        self.run(steps.once).await?;
        self.run(steps.beside).await?;
        for batch in steps.batches {
            if !(self.alive)() {
                return Err(Fault::lease_lost());
            }
            self.tables.link.batch(batch).await?;
        }
        self.keys.destroy(space, &section.destroy).await?;
        self.run(steps.after).await?;
        Ok(Known { applied: Some(section.position), destroy: section.destroy.clone() })
    }

    async fn run<'s>(&self, steps: Vec<Step<'s>>) -> Result<(), Fault> {
        let run = |step: Step<'s>| self.tables.link.run(step.statement, step.values);
        stream::iter(steps).map(run).buffer_unordered(STEPS_AT_ONCE).try_collect::<()>().await
    }
}

fn version(row: &TurnRow) -> Option<u64> {
    match row.sealed.key {
        KeyId::Turn { version, .. } => Some(version),
        KeyId::Space { .. } => None,
    }
}
