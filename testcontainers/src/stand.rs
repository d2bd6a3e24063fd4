//! A backend with intake and stages on it, in this process: what the end-to-end tests drive. And a [`Site`]: data that
//! such a stand can be opened on again, and perhaps more than once at a time.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};

use saidso_core::{
    access::{Request, Token, Tokens, admit},
    fault::Fault,
    fold::{self, Folded},
    observation::Observation,
    ports::{Clock, Embedder, Entropy, Extractor},
    scope::Scope,
    seal::Generation,
    turn::SubmittedTurn,
};
use saidso_embedded::{Embedded, Options};
use saidso_models::{Builtin, ConstantEmbedder};
use saidso_pipeline::{Intake, Ports, Receipt, Refused, Rules, Running, Stage};
use tempfile::TempDir;

use crate::crash;

/// The clock of stands: 2027-01-01T00:00Z.
pub(crate) const NOW_MS: i64 = 1_798_761_600_000;
/// The generation the tests run.
pub const GENERATION: Generation = Generation(1);
/// Far more than any test takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// One byte over and over while a store is made, whatever it draws in whatever order: so the secret that ids are made
/// with is the same in every store, and logical exports can be compared. The operating system's randomness after that.
#[derive(Default)]
pub(crate) struct OneSecret {
    made: AtomicBool,
}

impl OneSecret {
    /// The store is made.
    pub fn made(&self) {
        self.made.store(true, Ordering::Relaxed);
    }
}

impl Entropy for OneSecret {
    fn fill(&self, buffer: &mut [u8]) {
        match self.made.load(Ordering::Relaxed) {
            true => getrandom::fill(buffer).expect("the operating system gives randomness"),
            false => buffer.fill(5),
        }
    }
}

/// A clock that a test sets.
pub struct SetClock(AtomicI64);

impl SetClock {
    /// A clock that stands still, at a time in milliseconds since 1970.
    pub fn at(now_ms: i64) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(now_ms)))
    }

    /// Moves it, in milliseconds since 1970.
    pub fn set(&self, now_ms: i64) {
        self.0.store(now_ms, Ordering::Relaxed);
    }
}

impl Clock for SetClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One backend, with the ports the pipeline takes.
pub struct Stand {
    /// The ports.
    pub ports: Ports,
    /// Their clock.
    pub clock: Arc<SetClock>,
    fold: fold::Rules,
    tokens: Tokens,
}

/// Data of its own on some backend.
pub trait Site {
    /// What to call the backend.
    fn name(&self) -> &'static str;

    /// Opens it on the same data as before.
    fn open(&self) -> Result<Stand, Fault>;

    /// Whether several stands may be open at once, as in several processes.
    fn shared(&self) -> bool;
}

/// A data folder of the embedded backend, removed with this value.
pub struct Folder(TempDir);

impl Folder {
    /// A new one, in memory where there is a place for it.
    pub fn make() -> Self {
        Self(crash::folder())
    }
}

impl Site for Folder {
    fn name(&self) -> &'static str {
        "embedded"
    }

    fn open(&self) -> Result<Stand, Fault> {
        Stand::embedded(self.0.path())
    }

    fn shared(&self) -> bool {
        false
    }
}

/// The extractor and embedder that decide by rules alone.
pub fn rules() -> Rules {
    let extractor = Builtin::new(None, None).expect("without slots nothing is asked of a model");
    rules_with(Arc::new(extractor), Arc::new(ConstantEmbedder::new(8)))
}

/// Rules with models of a test's own.
pub fn rules_with(extractor: Arc<dyn Extractor>, embedder: Arc<dyn Embedder>) -> Rules {
    let fold = fold::Rules::new(embedder.calibration());
    let backlog = embedder.clone();
    Rules { extractor, by_tenant: Default::default(), embedder, backlog, fold, configuration: "slots/none".into() }
}

impl Stand {
    /// On any backend. `clock` is the one that its ports have.
    pub fn over(ports: Ports, clock: Arc<SetClock>) -> Self {
        let mut tokens = Tokens::default();
        tokens.add("secret", "default");
        Self { ports, clock, fold: fold::Rules::new(ConstantEmbedder::new(8).calibration()), tokens }
    }

    /// Opens the embedded backend in a folder. Its clock is at 2027-01-01T00:00Z.
    pub fn embedded(folder: &Path) -> Result<Self, Fault> {
        let entropy = Arc::new(OneSecret::default());
        let backend = Arc::new(Embedded::open(folder, entropy.clone(), Options::default())?);
        entropy.made();
        let clock = SetClock::at(NOW_MS);
        let names = backend.names();
        let ports = Ports::whole(backend, names, clock.clone(), entropy);
        Ok(Self::over(ports, clock))
    }

    /// Starts the stages.
    pub fn start(&self, rules: Rules) -> Result<Running, Fault> {
        saidso_pipeline::start(&self.ports, rules, GENERATION, &Stage::ALL)
    }

    /// The way in.
    pub fn intake(&self) -> Intake {
        Intake::new(self.ports.clone(), self.fold, GENERATION)
    }

    /// The test tenant's token.
    pub fn token(&self) -> Token {
        self.tokens.verify("secret").expect("it was added")
    }

    /// The right to a space of the test tenant.
    pub fn scope(&self, space: &str) -> Scope {
        admit(&self.ports.names, &self.token(), Request { tenant: None, space }).expect("the name is in bounds")
    }

    /// Publishes turns; all must be taken.
    pub fn publish(&self, turns: Vec<SubmittedTurn>) -> Vec<Receipt> {
        let results: Result<Vec<Receipt>, Refused> = self.intake().submit(&self.token(), turns).into_iter().collect();
        results.expect("every turn is well formed")
    }

    /// Runs the stages until everything published is through.
    pub fn settle(&self, rules: Rules) {
        let running = self.start(rules).expect("the stages start");
        assert!(running.idle(PATIENCE), "the stages did not come to rest: {:?}", running.fault());
        running.stop();
    }

    /// A space's observations in the clear.
    pub fn observations(&self, space: &str) -> Vec<Observation> {
        let scope = self.scope(space);
        let rows = self.ports.store.rows(&scope, GENERATION).expect("the space reads");
        let open = rows
            .observations
            .iter()
            .map(|sealed| sealed.open(&scope, GENERATION, self.ports.keys.as_ref()).expect("it was sealed for here"));
        open.flatten().collect()
    }

    /// What a space remembers.
    pub fn folded(&self, space: &str) -> Folded {
        let rows = self.ports.store.rows(&self.scope(space), GENERATION).expect("the space reads");
        fold::fold(&self.observations(space), &rows.ended, &self.fold)
    }

    /// A space's logical export, one line a memory.
    pub fn export(&self, space: &str) -> Vec<String> {
        let memories = self.folded(space).memories;
        memories.iter().map(|memory| serde_json::to_string(memory).expect("memories serialise")).collect()
    }
}
