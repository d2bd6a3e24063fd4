//! What goes wrong on purpose: models and reads that fail for a while, commits that fail before or after they took
//! effect, answers that get lost, and stages cut off between two steps.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use saidso_core::ids::{TenantId, TurnId};
use saidso_core::{
    calibration::Calibration,
    fault::{Code, Fault},
    item::Extraction,
    marks::Mark,
    ports::{
        Commits, Effects, Embedder, Entry, Extractor, HeadLog, Keys, Lease, Published, Purpose, ReadBackRow, SpaceRows,
        SpaceTurns, Store, TurnRow,
    },
    position::Position,
    scope::Scope,
    seal::{Generation, Key, KeyId, NamedKey},
    turn::TurnBody,
    vector::Vector,
};
use saidso_pipeline::{Ports, Rules};
use serde::Serialize;

use super::phrases::POISON;
use crate::stand;

/// What can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Mishap {
    /// The extractor does not answer.
    ExtractorAway,
    /// The embedder does not answer.
    EmbedderAway,
    /// A read of the store or of the keys fails for the stages.
    ReadFails,
    /// A commit fails and did nothing.
    CommitFails,
    /// A commit took effect, but its answer is lost.
    CommitUnanswered,
    /// A lease dies before the commit.
    LeaseLost,
    /// The stages end before a commit, as in a crash.
    CutBefore,
    /// The stages end after a commit, before they learn of it.
    CutAfter,
    /// Turns were published, but the answer is lost.
    PublishUnanswered,
}

impl Mishap {
    /// Every one.
    pub const ALL: [Self; 9] = [
        Self::ExtractorAway,
        Self::EmbedderAway,
        Self::ReadFails,
        Self::CommitFails,
        Self::CommitUnanswered,
        Self::LeaseLost,
        Self::CutBefore,
        Self::CutAfter,
        Self::PublishUnanswered,
    ];
}

/// What the stages said when they were cut off.
const CUT: &str = "cut off by the model test";

/// Whether a fault is one of [`Mishap::CutBefore`] and [`Mishap::CutAfter`].
pub fn is_cut(fault: &Fault) -> bool {
    fault.message == CUT
}

/// What is to go wrong, how often. Shared by all that can fail.
#[derive(Default)]
pub struct Mishaps(Mutex<BTreeMap<Mishap, u32>>);

impl Mishaps {
    /// Next time, or the next few times, it goes wrong.
    pub fn arm(&self, mishap: Mishap, times: u32) {
        self.armed().insert(mishap, times);
    }

    /// Nothing goes wrong any more.
    pub fn calm(&self) {
        self.armed().clear();
    }

    /// Whether it goes wrong now; once less from then on.
    fn strikes(&self, mishap: Mishap) -> bool {
        match self.armed().get_mut(&mishap) {
            Some(left @ 1..) => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    fn armed(&self) -> std::sync::MutexGuard<'_, BTreeMap<Mishap, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ports, as the stages and intake get them.
    pub fn ports(self: &Arc<Self>, ports: &Ports) -> Ports {
        let shaky = Arc::new(Shaky { ports: ports.clone(), mishaps: self.clone() });
        Ports { keys: shaky.clone(), store: shaky.clone(), head: shaky.clone(), commits: shaky, ..ports.clone() }
    }

    /// The rules, with models that fail.
    pub fn rules(self: &Arc<Self>) -> Rules {
        let Rules { extractor, embedder, .. } = stand::rules();
        let extractor = Arc::new(ShakyExtractor { inner: extractor, mishaps: self.clone() });
        stand::rules_with(extractor, Arc::new(ShakyEmbedder { inner: embedder, mishaps: self.clone() }))
    }
}

struct Shaky {
    ports: Ports,
    mishaps: Arc<Mishaps>,
}

impl Shaky {
    fn read(&self) -> Result<(), Fault> {
        match self.mishaps.strikes(Mishap::ReadFails) {
            true => Err(Fault::retry(Code::StoreUnavailable, "read: the model test failed it")),
            false => Ok(()),
        }
    }
}

impl Keys for Shaky {
    fn key(&self, scope: &Scope, id: KeyId) -> Result<Option<Key>, Fault> {
        self.read()?;
        self.ports.keys.key(scope, id)
    }

    fn space_key(&self, scope: &Scope) -> Result<NamedKey, Fault> {
        self.read()?;
        self.ports.keys.space_key(scope)
    }

    fn warm(&self, scope: &Scope, ids: &[KeyId]) {
        self.ports.keys.warm(scope, ids);
    }
}

impl Store for Shaky {
    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Fault> {
        self.read()?;
        self.ports.store.turn(scope, turn)
    }

    fn turns(&self, scope: &Scope) -> Result<Vec<TurnRow>, Fault> {
        self.read()?;
        self.ports.store.turns(scope)
    }

    fn each_space(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(SpaceTurns) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.read()?;
        self.ports.store.each_space(wanted, visit)
    }

    fn rows(&self, scope: &Scope, generation: Generation) -> Result<SpaceRows, Fault> {
        self.read()?;
        self.ports.store.rows(scope, generation)
    }

    fn applied(&self, scope: &Scope, generation: Generation) -> Result<Option<Position>, Fault> {
        self.read()?;
        self.ports.store.applied(scope, generation)
    }

    fn marks(&self, scope: &Scope) -> Result<Vec<Mark>, Fault> {
        self.read()?;
        self.ports.store.marks(scope)
    }

    fn read_backs(&self, scope: &Scope) -> Result<Vec<ReadBackRow>, Fault> {
        self.read()?;
        self.ports.store.read_backs(scope)
    }
}

impl HeadLog for Shaky {
    fn publish(&self, entries: Vec<Entry>) -> Result<Vec<Published>, Fault> {
        // A command is told apart from its repetition by no one, so its answer is not lost.
        let turns = entries.iter().all(|entry| entry.turn.is_some());
        let published = self.ports.head.publish(entries)?;
        match turns && self.mishaps.strikes(Mishap::PublishUnanswered) {
            true => Err(Fault::retry(Code::StoreUnavailable, "published: the model test lost the answer")),
            false => Ok(published),
        }
    }
}

impl Commits for Shaky {
    fn commit(&self, lease: &Lease, effects: Effects) -> Result<(), Fault> {
        let mishaps = &self.mishaps;
        if mishaps.strikes(Mishap::CommitFails) {
            return Err(Fault::retry(Code::StoreUnavailable, "committed: the model test failed it"));
        }
        if mishaps.strikes(Mishap::LeaseLost) {
            return Err(Fault::lease_lost());
        }
        if mishaps.strikes(Mishap::CutBefore) {
            return Err(Fault::stop(Code::StoreUnavailable, CUT));
        }
        self.ports.commits.commit(lease, effects)?;
        if mishaps.strikes(Mishap::CommitUnanswered) {
            return Err(Fault::retry(Code::StoreUnavailable, "committed: the model test lost the answer"));
        }
        if mishaps.strikes(Mishap::CutAfter) {
            return Err(Fault::stop(Code::StoreUnavailable, CUT));
        }
        Ok(())
    }
}

struct ShakyExtractor {
    inner: Arc<dyn Extractor>,
    mishaps: Arc<Mishaps>,
}

impl Extractor for ShakyExtractor {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault> {
        if turn.messages.iter().any(|message| message.text.contains(POISON.words)) {
            return Err(Fault::dead_letter(Code::ModelOutput, "extracted: the model test poisoned the turn"));
        }
        if self.mishaps.strikes(Mishap::ExtractorAway) {
            return Err(Fault::retry(Code::ModelUnavailable, "extracted: the model test sent the model away"));
        }
        self.inner.extract(turn)
    }
}

struct ShakyEmbedder {
    inner: Arc<dyn Embedder>,
    mishaps: Arc<Mishaps>,
}

impl Embedder for ShakyEmbedder {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn dimension(&self) -> usize {
        self.inner.dimension()
    }

    fn calibration(&self) -> Calibration {
        self.inner.calibration()
    }

    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        match self.mishaps.strikes(Mishap::EmbedderAway) {
            true => Err(Fault::retry(Code::ModelUnavailable, "embedded: the model test sent the model away")),
            false => self.inner.embed(purpose, texts),
        }
    }
}
