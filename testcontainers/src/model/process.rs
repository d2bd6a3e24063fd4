//! One process of the walk: an open stand with intake, recall, and stages that may run.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use saidso_core::{
    fault::{Fault, Remedy},
    ids::MemoryId,
    position::Position,
    turn::SubmittedTurn,
};
use saidso_models::ConstantEmbedder;
use saidso_pipeline::{Receipt, Refused, Running};
use saidso_recall::{Provenance, Recall, Settings, Sources};

use super::mishaps::Mishaps;
use crate::stand::{GENERATION, Site, Stand};

/// Far more than anything takes here; what takes longer has failed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Closes from the first field to the last: stages, recall, then what they stand on.
pub struct Process {
    /// The stages, while they run.
    pub running: Option<Running>,
    /// What it answers from.
    pub recall: Recall,
    /// The backend as it is.
    pub stand: Stand,
    /// The backend as stages and intake meet it.
    shaky: Stand,
    mishaps: Arc<Mishaps>,
}

impl Process {
    /// Opens the site and starts the stages.
    pub fn open(site: &dyn Site, mishaps: &Arc<Mishaps>, now_ms: i64) -> Self {
        let stand = patiently(|| site.open());
        stand.clock.set(now_ms);
        let shaky = Stand::over(mishaps.ports(&stand.ports), stand.clock.clone());
        let ports = &stand.ports;
        let sources = Sources {
            store: ports.store.clone(),
            keys: ports.keys.clone(),
            hits: ports.hits.clone(),
            reviews: ports.reviews.clone(),
            changes: ports.changes.clone(),
            embedder: Arc::new(ConstantEmbedder::new(8)),
            names: ports.names.clone(),
            clock: ports.clock.clone(),
            entropy: ports.entropy.clone(),
        };
        let provenance = Provenance { extractor: "of the stand".into(), embedder: "of the stand".into() };
        let settings = Settings::new(GENERATION, provenance, crate::stand::rules().fold);
        let recall = patiently(|| Recall::start(sources.clone(), settings.clone()));
        let mut process = Self { running: None, recall, stand, shaky, mishaps: mishaps.clone() };
        process.resume();
        process
    }

    /// Starts the stages.
    pub fn resume(&mut self) {
        self.running = Some(patiently(|| self.shaky.start(self.mishaps.rules())));
    }

    /// Why the stages ended, if they did so by themselves.
    pub fn fault(&self) -> Option<Fault> {
        self.running.as_ref().and_then(Running::fault)
    }

    /// Publishes turns until all are answered, as a gateway does that gets no answer; says whether once was enough.
    pub fn publish(&self, turns: &[SubmittedTurn]) -> (Vec<Receipt>, bool) {
        let (intake, token) = (self.shaky.intake(), self.shaky.token());
        let mut tries = 0;
        let receipts = patiently(|| {
            tries += 1;
            intake.submit(&token, turns.to_vec()).into_iter().collect::<Result<Vec<_>, _>>().map_err(|refused| {
                match refused {
                    Refused::Fault(fault) => fault,
                    other => panic!("every turn is well formed: {other}"),
                }
            })
        });
        (receipts, tries == 1)
    }

    /// Has a memory forgotten.
    pub fn forget(&self, space: &str, memory: MemoryId) -> Option<Position> {
        patiently(|| self.shaky.intake().forget(&self.shaky.scope(space), memory))
    }

    /// Ends a session.
    pub fn end_session(&self, space: &str, session: &str) -> Position {
        patiently(|| self.shaky.intake().end_session(&self.shaky.scope(space), session))
    }
}

/// Asks again after a transient fault.
fn patiently<T>(mut ask: impl FnMut() -> Result<T, Fault>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match ask() {
            Ok(answer) => return answer,
            Err(fault) if fault.remedy == Remedy::Retry && Instant::now() < deadline => {}
            Err(fault) => panic!("the backend does not answer: {fault}"),
        }
    }
}
