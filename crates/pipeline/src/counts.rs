//! What the stages did so far: where the time goes, and what was let go.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use saidso_core::{
    fault::Code,
    item::{Drop, DropReason},
    record::Origin,
};

/// One stage, since the process started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StageCounts {
    /// Records handled and committed.
    pub records: u64,
    /// Commits.
    pub batches: u64,
    /// Batches that came again after a transient fault, by code.
    pub retries: BTreeMap<&'static str, u64>,
    /// Records set aside, by code.
    pub dead: BTreeMap<String, u64>,
    /// Time spent on the records themselves.
    pub busy: Duration,
    /// Time spent waiting for commits.
    pub committing: Duration,
}

/// All stages, since the process started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// By what a stage reads.
    pub stages: BTreeMap<Origin, StageCounts>,
    /// Observations written.
    pub observations: u64,
    /// Items let go, by reason; counted as they are written.
    pub drops: BTreeMap<DropReason, u64>,
}

/// The counts that stages share.
#[derive(Default)]
pub(crate) struct Counters(Mutex<Counts>);

impl Counters {
    pub fn read(&self) -> Counts {
        self.lock().clone()
    }

    pub fn stage(&self, reads: impl Into<Origin>, change: impl FnOnce(&mut StageCounts)) {
        change(self.lock().stages.entry(reads.into()).or_default());
    }

    pub fn retried(&self, reads: impl Into<Origin>, code: Code) {
        self.stage(reads, |stage| *stage.retries.entry(code.label()).or_default() += 1);
    }

    pub fn written(&self, observations: usize, drops: &[Drop]) {
        let mut counts = self.lock();
        counts.observations += observations as u64;
        for drop in drops {
            *counts.drops.entry(drop.reason).or_default() += 1;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
