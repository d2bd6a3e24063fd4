//! From a turn to observations: intake, the stages, and the one loop that runs them.
//!
//! **What it is.** [`intake::Intake`] seals turns and commands onto the head log. Four stages follow, each a consumer
//! of its own topic: extract → ground → embed → write. **What it is not.** It knows no backend and no model: both come
//! through [`saidso_core::ports`].
//!
//! Follow a record: [`intake`] → [`transform`] (with [`extract`], [`ground`], [`embed`]) → [`mod@write`] (with [`forget`]).
//!
//! Invariants:
//! - Only intake writes the head log. Every stage forwards commands, and a progress record for every turn that ends
//!   early, so a forget never overtakes the turn it means.
//! - A stage's outcome has no scope: the loop seals it for the scope that opening the record proved.
//! - Everything that comes from a turn is sealed under its turn key.

mod apart;
mod counts;
mod embed;
mod extract;
mod fan;
mod forget;
mod forgetting;
mod gateway;
mod ground;
pub mod intake;
mod keeping;
mod retract;
mod reviews;
mod running;
mod told;
mod transform;
mod work;
mod write;

use std::{collections::HashMap, sync::Arc};

pub use apart::Apart;
pub use counts::{Counts, StageCounts};
pub use forgetting::{Forgetting, Pending};
pub use gateway::Gateway;
pub use intake::{Intake, Receipt, Refused};
pub use keeping::Keep;
pub use running::{Running, Stage, start};
use saidso_core::{
    fault::{Code, Fault},
    fold, ground as grounding,
    ids::{Names, TenantId},
    ports::{
        Changes, Clock, Commits, DeadLetters, Embedder, Entropy, Extractor, Generations, HeadLog, Hits, Keys, Ledger,
        Log, Pinned, Reviews, Store, Topics,
    },
    record::{self, Opened, Record},
    seal::{KeyId, Payload},
};

/// The backend, as the pipeline sees it.
#[derive(Clone)]
pub struct Ports {
    /// Key material.
    pub keys: Arc<dyn Keys>,
    /// Reads.
    pub store: Arc<dyn Store>,
    /// How often memories were surfaced.
    pub hits: Arc<dyn Hits>,
    /// What waits for review, and the verdicts.
    pub reviews: Arc<dyn Reviews>,
    /// The head log.
    pub head: Arc<dyn HeadLog>,
    /// The topics.
    pub topics: Arc<dyn Topics>,
    /// The commit point.
    pub commits: Arc<dyn Commits>,
    /// What changed.
    pub changes: Arc<dyn Changes>,
    /// What was set aside.
    pub dead: Arc<dyn DeadLetters>,
    /// What generations pin.
    pub generations: Arc<dyn Generations>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Names to ids.
    pub names: Arc<Names>,
}

impl Ports {
    /// Of a backend in one piece.
    pub fn whole<B>(backend: Arc<B>, names: Names, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self
    where
        B: Keys + Store + Hits + Reviews + HeadLog + Topics + Commits + Changes + DeadLetters + Generations + 'static,
    {
        Self {
            keys: backend.clone(),
            store: backend.clone(),
            hits: backend.clone(),
            reviews: backend.clone(),
            head: backend.clone(),
            topics: backend.clone(),
            commits: backend.clone(),
            changes: backend.clone(),
            dead: backend.clone(),
            generations: backend,
            clock,
            entropy,
            names: Arc::new(names),
        }
    }

    /// Of a log and a store that are apart; see [`Apart::join`].
    pub fn apart<L: Log + 'static, S: Ledger + 'static>(
        log: Arc<L>,
        store: Arc<S>,
        names: Names,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, Fault> {
        let both = Arc::new(Apart::join(log.clone(), store.clone())?);
        Ok(Self {
            keys: store.clone(),
            store: store.clone(),
            hits: store.clone(),
            reviews: store.clone(),
            head: both.clone(),
            topics: log.clone(),
            commits: both,
            changes: log.clone(),
            dead: log,
            generations: store,
            clock,
            entropy,
            names: Arc::new(names),
        })
    }

    /// Opens a record. One whose key is gone has to be of a turn that the space has: any other was moved there from
    /// elsewhere, and its position would carry the space past turns that are still to come.
    pub(crate) fn open<T: Payload>(&self, record: &Record) -> Result<Opened<T>, Fault> {
        let opened = record::open(record, self.keys.as_ref())?;
        if let (Opened::KeyGone(scope), KeyId::Turn { turn, .. }) = (&opened, record.parts().sealed.key)
            && self.store.turn(scope, turn)?.is_none()
        {
            return Err(Fault::dead_letter(Code::Undecodable, "opened a record: its space never had that turn"));
        }
        Ok(opened)
    }
}

/// What decides which memories come out: pinned by a generation.
#[derive(Clone)]
pub struct Rules {
    /// For tenants without one of their own.
    pub extractor: Arc<dyn Extractor>,
    /// For tenants that name slots.
    pub by_tenant: HashMap<TenantId, Arc<dyn Extractor>>,
    /// Turns wordings into vectors.
    pub embedder: Arc<dyn Embedder>,
    /// The same, for turns that were said too long ago to be in a hurry ([`saidso_core::turn::TurnMeta::is_live`]).
    pub backlog: Arc<dyn Embedder>,
    /// What the fold decides by.
    pub fold: fold::Rules,
    /// A digest of the configuration that extractors read (slots).
    pub configuration: String,
}

impl Rules {
    /// What a generation pins of these rules.
    pub fn pinned(&self) -> Pinned {
        Pinned {
            extractor: self.extractor.id().to_owned(),
            embedder: self.embedder.id().to_owned(),
            dimension: self.embedder.dimension() as u32,
            rules: format!(
                "ground/{} fold/{} conflict/{}d/{} {}",
                grounding::VERSION,
                fold::VERSION,
                self.fold.conflict_days,
                self.fold.contested.as_f32(),
                self.configuration
            ),
        }
    }

    fn extractor(&self, tenant: TenantId) -> &dyn Extractor {
        self.by_tenant.get(&tenant).unwrap_or(&self.extractor).as_ref()
    }
}
