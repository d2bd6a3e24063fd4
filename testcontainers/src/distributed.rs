//! The distributed backend on real servers: topics and a keyspace of a test's own.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use saidso_core::{fault::Fault, ids::Names, ports::Entropy, seal::Key};
use saidso_cql::{Cql, Replication};
use saidso_kafka::{Kafka, wire::Codec};
use saidso_pipeline::Apart;

use crate::{
    conformance::{Backend, Ports, Seeded},
    servers::{Server, Service, shared},
};

/// Where a test's data is: a prefix on the broker, a keyspace in the store.
#[derive(Debug, Clone)]
pub struct Distributed {
    /// The broker's address.
    pub kafka: String,
    /// The store's address.
    pub cql: String,
    /// Of topics and groups; the keyspace's name too.
    pub name: String,
}

/// Both halves, open.
#[derive(Clone)]
pub struct Halves {
    /// The log.
    pub log: Arc<Kafka>,
    /// The store.
    pub store: Arc<Cql>,
    /// What they make together.
    pub both: Arc<Apart>,
}

impl Default for Distributed {
    fn default() -> Self {
        Self::new()
    }
}

impl Distributed {
    /// New data on the servers that this process shares.
    pub fn new() -> Self {
        Self::on(shared(Service::Kafka), shared(Service::Cql))
    }

    /// New data on servers of a test's own.
    pub fn on(kafka: &Server, cql: &Server) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        // The servers may outlive the process and serve others.
        let mut random = [0; 4];
        getrandom::fill(&mut random).expect("the operating system gives randomness");
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("t{}_{:08x}_{count}", process::id(), u32::from_be_bytes(random));
        Self { kafka: kafka.address().to_owned(), cql: cql.address().to_owned(), name }
    }

    /// The key-encryption key of every test.
    pub fn kek() -> Key {
        Key::new([7; 32])
    }

    /// How to open the log as a process of some name.
    pub fn kafka(&self, instance: &str) -> saidso_kafka::Options {
        let codec = Codec::without_registry().expect("the schemas are sound");
        let options = saidso_kafka::Options::new(self.kafka.clone(), 4, instance, codec);
        saidso_kafka::Options { prefix: format!("{}.", self.name), ..options }
    }

    /// How to open the store.
    pub fn cql(&self) -> saidso_cql::Options {
        saidso_cql::Options {
            hosts: vec![self.cql.clone()],
            keyspace: self.name.clone(),
            replication: Replication::Everywhere(1),
            data_centre: None,
            user: None,
            kek: Self::kek(),
            timeout: Duration::from_secs(10),
        }
    }

    /// Opens both halves as a process of some name.
    pub fn halves(&self, instance: &str, entropy: Arc<dyn Entropy>) -> Result<Halves, Fault> {
        let store = Arc::new(Cql::open(&self.cql(), entropy)?);
        let log = Arc::new(Kafka::open(self.kafka(instance))?);
        let both = Arc::new(Apart::join(log.clone(), store.clone())?);
        Ok(Halves { log, store, both })
    }
}

impl Halves {
    /// The maker of ids.
    pub fn names(&self) -> Names {
        self.store.names()
    }

    /// As the conformance suite takes them.
    pub fn ports(self) -> Ports {
        let names = self.names();
        let Self { log, store, both } = self;
        Ports {
            names,
            keys: store.clone(),
            store: store.clone(),
            hits: store.clone(),
            reviews: store.clone(),
            generations: store,
            head: both.clone(),
            topics: log.clone(),
            commits: both,
            changes: log.clone(),
            dead: log,
        }
    }
}

impl Backend for Distributed {
    fn open(&self) -> Ports {
        self.halves("one", Arc::new(Seeded)).expect("the servers answer").ports()
    }
}
