//! What a backend remembers of a space, to be compared with what another does.

use std::sync::Arc;

use saidso_core::ports::Embedder as _;
use saidso_models::{Builtin, ConstantEmbedder};
use saidso_pipeline::Rules;
use saidso_recall::{Provenance, Recall, Settings, Sources};

use crate::stand::{GENERATION, Stand, rules_with};

/// Components of a vector of the program's constant embedder.
const DIMENSION: usize = 384;

/// What the program decides with when it runs with the constant embedder.
pub fn rules() -> Rules {
    let extractor = Builtin::new(None, None).expect("without slots nothing is asked of a model");
    rules_with(Arc::new(extractor), Arc::new(ConstantEmbedder::new(DIMENSION)))
}

/// Everything that a backend remembers of a space, as the customer or an operator sees it.
#[derive(Debug, PartialEq, Eq)]
pub struct Export {
    /// The logical export: one line of JSON a memory.
    pub memories: Vec<String>,
    /// Per turn what was let go, as JSON.
    pub drops: Vec<String>,
    /// How many turns are stored.
    pub turns: usize,
    /// Of them, those of which nobody knows that they are on the log.
    pub lost: usize,
}

/// Reads what a backend remembers.
pub struct Exporter<'a> {
    stand: &'a Stand,
    recall: Recall,
}

impl<'a> Exporter<'a> {
    /// Of a backend that is at rest.
    pub fn of(stand: &'a Stand) -> Self {
        let ports = &stand.ports;
        let embedder = Arc::new(ConstantEmbedder::new(DIMENSION));
        let provenance = Provenance { extractor: "builtin".into(), embedder: embedder.id().into() };
        let fold = saidso_core::fold::Rules::new(embedder.calibration());
        let sources = Sources {
            store: ports.store.clone(),
            keys: ports.keys.clone(),
            hits: ports.hits.clone(),
            reviews: ports.reviews.clone(),
            changes: ports.changes.clone(),
            embedder,
            names: ports.names.clone(),
            clock: ports.clock.clone(),
            entropy: ports.entropy.clone(),
        };
        let recall =
            Recall::start(sources, Settings::new(GENERATION, provenance, fold)).expect("changes can be followed");
        Self { stand, recall }
    }

    /// What it remembers of a space.
    pub fn space(&self, name: &str) -> Export {
        let scope = self.stand.scope(name);
        let memories = self.recall.export(&scope).expect("the space loads");
        let drops = self.recall.drops(&scope).expect("the turns read");
        let drops = drops.iter().map(|drops| serde_json::to_string(drops).expect("drops have a JSON form")).collect();
        let turns = self.stand.ports.store.turns(&scope).expect("the turns read");
        let lost = turns.iter().filter(|turn| turn.position.is_none()).count();
        Export { memories, drops, turns: turns.len(), lost }
    }

    /// The last position folded into a space.
    pub fn applied(&self, name: &str) -> String {
        let applied = self.stand.ports.store.applied(&self.stand.scope(name), GENERATION).expect("the space reads");
        applied.map(|position| position.to_string()).unwrap_or_default()
    }

    /// Ids and wordings of a space's memories, in the order in which they are listed.
    pub fn listed(&self, name: &str) -> Vec<(String, String)> {
        let memories = self.recall.memories(&self.stand.scope(name), true).expect("the space loads");
        memories.into_iter().map(|memory| (memory.id.to_string(), memory.text)).collect()
    }
}
