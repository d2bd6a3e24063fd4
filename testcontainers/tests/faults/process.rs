//! One process of the distributed backend: intake and stages. All of it goes when it is dropped, as in a crash.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use saidso_core::{fault::Fault, ports::Entropy};
use saidso_cql::Cql;
use saidso_kafka::Kafka;
use saidso_pipeline::{Ports, Rules, Running};
use saidso_testcontainers::{
    distributed::Distributed,
    stand::{SetClock, Stand},
};

use super::brittle::{Brittle, Fuse};

/// Far more than anything takes; what takes longer has failed.
pub const PATIENCE: Duration = Duration::from_secs(90);
/// How long one wait takes before something else is looked at too.
const A_WHILE: Duration = Duration::from_millis(50);

/// Says the same until the store is open, so that every keyspace has the same secret of names, and a space the same ids
/// in each.
#[derive(Default)]
struct Settling(AtomicBool);

impl Entropy for Settling {
    fn fill(&self, buffer: &mut [u8]) {
        match self.0.load(Ordering::SeqCst) {
            true => getrandom::fill(buffer).expect("the operating system gives randomness"),
            false => buffer.fill(0x5a),
        }
    }
}

/// An open process. The fields go from the first to the last.
pub struct Process {
    pub running: Option<Running>,
    pub stand: Stand,
    pub fuse: Arc<Fuse>,
}

/// How a process is opened, where it matters.
#[derive(Clone)]
pub struct Manner {
    pub instance: &'static str,
    /// How long the store may take to answer.
    pub timeout: Duration,
}

impl Default for Manner {
    fn default() -> Self {
        Self { instance: "one", timeout: Duration::from_secs(10) }
    }
}

impl Process {
    /// Opens the store alone.
    pub fn store(data: &Distributed) -> Result<Arc<Cql>, Fault> {
        Ok(Arc::new(Cql::open(&data.cql(), Arc::new(Settling::default()))?))
    }

    /// Opens both halves, and starts no stages yet.
    pub fn open(data: &Distributed, manner: &Manner) -> Result<Self, Fault> {
        let store = saidso_cql::Options { timeout: manner.timeout, ..data.cql() };
        Self::over(&store, data.kafka(manner.instance))
    }

    /// With options of a test's own.
    pub fn over(store: &saidso_cql::Options, log: saidso_kafka::Options) -> Result<Self, Fault> {
        let entropy = Arc::new(Settling::default());
        let store = Arc::new(Cql::open(store, entropy.clone())?);
        entropy.0.store(true, Ordering::SeqCst);
        let fuse = Arc::new(Fuse::default());
        let log = Arc::new(Brittle { log: Arc::new(Kafka::open(log)?), fuse: fuse.clone() });
        // 2027-01-01T00:00Z, after all that is said.
        let clock = SetClock::at(1_798_761_600_000);
        let names = store.names();
        let ports = Ports::apart(log, store, names, clock.clone(), entropy)?;
        Ok(Self { running: None, stand: Stand::over(ports, clock), fuse })
    }

    /// With all stages running.
    pub fn start(mut self, rules: Rules) -> Result<Self, Fault> {
        self.running = Some(self.stand.start(rules)?);
        Ok(self)
    }

    /// The stages.
    pub fn running(&self) -> &Running {
        self.running.as_ref().expect("the stages were started")
    }

    /// Waits until everything published is through, unless something says that it will not be.
    pub fn rest(&self, hopeless: impl Fn() -> bool) -> bool {
        let deadline = Instant::now() + PATIENCE;
        while !self.running().idle(A_WHILE) {
            if hopeless() {
                return false;
            }
            let fault = self.running().fault();
            assert!(fault.is_none() || self.fuse.blown(), "the stages ended: {fault:?}");
            assert!(Instant::now() < deadline, "the stages do not come to rest: {:?}", self.running().counts());
        }
        true
    }
}

/// Asks until it is so.
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < deadline, "{what} was due");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}
