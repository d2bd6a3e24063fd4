//! Data of its own on a real Kafka and CQL store, and processes on it, one after the other.

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use saidso_core::{fault::Fault, ports::Entropy, scope::Scope};
use saidso_cql::Cql;
use saidso_kafka::{Kafka, Options};
use saidso_pipeline::Ports;
use saidso_testcontainers::{
    distributed::Distributed,
    stand::{SetClock, Stand},
};

/// 2027-01-01T00:00Z, as on the embedded stand.
const NOW_MS: i64 = 1_798_761_600_000;
/// Spaces asked about at once.
const AT_ONCE: usize = 32;

/// Randomness of the operating system.
pub struct Chance;

impl Entropy for Chance {
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the operating system gives randomness");
    }
}

/// Topics and a keyspace.
pub struct Bed {
    /// Where they are.
    pub data: Distributed,
    /// Partitions of each internal topic.
    pub partitions: u32,
}

impl Bed {
    /// New ones on the servers that this process shares.
    pub fn new(partitions: u32) -> Self {
        Self { data: Distributed::new(), partitions }
    }

    /// The full name of a topic.
    pub fn topic(&self, name: &str) -> String {
        format!("{}.{name}", self.data.name)
    }

    /// Opens it as the one process there is, which knows nothing yet. The one before has to be gone.
    pub fn open(&self) -> Result<Stand, Fault> {
        let (entropy, clock) = (Arc::new(Chance), SetClock::at(NOW_MS));
        let store = Arc::new(Cql::open(&self.data.cql(), entropy.clone())?);
        let log = Arc::new(Kafka::open(Options { partitions: self.partitions, ..self.data.kafka("one") })?);
        let names = store.names();
        let ports = Ports::apart(log, store, names, clock.clone(), entropy)?;
        Ok(Stand::over(ports, clock))
    }
}

/// Asks about each space, several at a time; the answers are in the order of the spaces.
pub fn each<T: Send>(
    spaces: &[Scope],
    ask: impl Fn(&Scope) -> Result<T, Fault> + Sync,
) -> Result<Vec<T>, Box<dyn Error>> {
    let next = AtomicUsize::new(0);
    let share = || {
        let mut share = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(scope) = spaces.get(at) else { return Ok(share) };
            share.push((at, ask(scope)?));
        }
    };
    let shares: Vec<Result<Vec<(usize, T)>, Fault>> = thread::scope(|threads| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| threads.spawn(share)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a share panicked")).collect()
    });
    let mut all = Vec::with_capacity(spaces.len());
    for share in shares {
        all.extend(share?);
    }
    all.sort_unstable_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, answer)| answer).collect())
}
