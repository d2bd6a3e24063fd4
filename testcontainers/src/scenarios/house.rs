//! What scenarios are played in: the stages and recall on a stand, for a tenant without slots and one with the preset.

use std::{env, path::Path, sync::Arc};

use saidso_core::{
    access::{Request, Token, Tokens, admit},
    fault::Fault,
    fold,
    ports::Embedder,
    scope::Scope,
    slots::SlotSchema,
};
use saidso_models::{
    Builtin, WordsEmbedder,
    e5::E5,
    lanes::{self, Lane, Lanes},
};
use saidso_pipeline::{Forgetting, Intake, Rules};
use saidso_recall::{Provenance, Recall, Settings, Sources};

use super::format::{Needs, Scenario};
use crate::stand::{GENERATION, Site, Stand};

const OPEN: &str = "open";
const SLOTS: &str = "slots";

/// What turns wordings into vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Words alone; needs nothing.
    Words,
    /// The built-in model; its weights are where `SAIDSO_MODEL` says.
    E5,
}

impl Model {
    /// Whether a scenario is for it.
    pub fn plays(self, scenario: &Scenario) -> bool {
        self == Model::E5 || scenario.embedder != Some(Needs::E5)
    }

    fn load(self) -> Arc<dyn Embedder> {
        match self {
            Model::Words => Arc::new(WordsEmbedder::new()),
            Model::E5 => {
                let path = env::var_os("SAIDSO_MODEL").expect(
                    "SAIDSO_MODEL names no weights: run this as testcontainers/e5.sh cargo test -p saidso-testcontainers --test scenarios",
                );
                let model =
                    E5::load(Path::new(&path)).expect("SAIDSO_MODEL names the weights of the built-in embedder");
                Lanes::built_in(model, lanes::Settings::in_process(lanes::Settings::SLICE_TOKENS, 2)).lane(Lane::Live)
            }
        }
    }
}

/// An open stand with everything on it but the stages, which run only while something is to go through.
pub struct House {
    /// The backend.
    pub stand: Stand,
    /// What it answers from.
    pub recall: Recall,
    /// Where forgetting is asked for and read back.
    pub door: Forgetting,
    rules: Rules,
    tokens: Tokens,
}

impl House {
    /// Opens a site.
    pub fn open(site: &dyn Site, model: Model) -> Result<Self, Fault> {
        let stand = site.open()?;
        let embedder = model.load();
        let slots = Builtin::new(Some(SlotSchema::customer_service()), Some(embedder.clone()))?;
        let rules = Rules {
            extractor: Arc::new(Builtin::new(None, Some(embedder.clone()))?),
            by_tenant: [(stand.ports.names.tenant(SLOTS), Arc::new(slots) as _)].into(),
            fold: fold::Rules::new(embedder.calibration()),
            embedder: embedder.clone(),
            backlog: embedder.clone(),
            configuration: "slots/preset".into(),
        };
        let ports = &stand.ports;
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
        let provenance = Provenance { extractor: "builtin".into(), embedder: "of the scenarios".into() };
        let slots = [(stand.ports.names.tenant(SLOTS), SlotSchema::customer_service())].into();
        let settings = Settings { slots, ..Settings::new(GENERATION, provenance, rules.fold) };
        let recall = Recall::start(sources, settings)?;
        let mut tokens = Tokens::default();
        tokens.add(OPEN, OPEN);
        tokens.add(SLOTS, SLOTS);
        let intake = Intake::new(stand.ports.clone(), rules.fold, GENERATION);
        let door = Forgetting::new(stand.ports.clone(), rules.clone(), GENERATION, intake);
        Ok(Self { stand, recall, door, rules, tokens })
    }

    /// The token of a scenario's tenant.
    pub fn token(&self, scenario: &Scenario) -> Token {
        self.tokens.verify(if scenario.slots { SLOTS } else { OPEN }).expect("both are known")
    }

    /// The right to a space of a scenario's tenant.
    pub fn scope(&self, scenario: &Scenario, space: &str) -> Scope {
        let request = Request { tenant: None, space };
        admit(&self.stand.ports.names, &self.token(scenario), request).expect("the names of scenarios are short")
    }

    /// The way in.
    pub fn intake(&self) -> Intake {
        Intake::new(self.stand.ports.clone(), self.rules.fold, GENERATION)
    }

    /// Runs the stages until everything is through.
    pub fn settle(&self) {
        self.stand.settle(self.rules.clone());
    }
}
