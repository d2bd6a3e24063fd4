//! What a fleet works on: topics and a keyspace of its own, as its configuration file says it and as this process
//! opens them.

use std::{fs, io, os::unix::fs::PermissionsExt as _, path::Path, sync::Arc, time::Duration};

use saidso_core::{fault::Fault, seal::Key};
use saidso_cql::{Cql, Replication};
use saidso_kafka::{Kafka, wire::Codec};
use saidso_pipeline::Ports;

use crate::stand::{NOW_MS, OneSecret, SetClock, Stand};

/// Partitions of every topic.
const PARTITIONS: u32 = 4;
/// The key-encryption key, as its file has it in hexadecimal.
const KEK: [u8; 32] = [11; 32];
/// How long the store may take to answer on a machine that is busy with everything else.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The tenant of every turn.
pub const TENANT: &str = "default";
/// Its bearer token.
pub(super) const TOKEN: &str = "the-fleet's-own-token";

/// Topics and a keyspace.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The broker, `host:port`.
    brokers: String,
    /// The CQL store, `host:port`.
    node: String,
    /// The keyspace; with a dot after it, what stands before every topic.
    name: String,
}

impl Settings {
    /// New ones on these servers.
    pub fn new(brokers: &str, node: &str) -> Self {
        let mut dice = [0; 8];
        getrandom::fill(&mut dice).expect("the system has randomness");
        let name = format!("fleet_{:016x}", u64::from_ne_bytes(dice));
        Self { brokers: brokers.to_owned(), node: node.to_owned(), name }
    }

    /// The broker, `host:port`.
    pub(super) fn brokers(&self) -> &str {
        &self.brokers
    }

    /// The full name of a topic.
    pub(super) fn topic(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }

    /// Writes the configuration that every process of the fleet has.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let Self { brokers, node, name } = self;
        let kek = folder.join("kek");
        fs::write(&kek, KEK.map(|byte| format!("{byte:02x}")).concat())?;
        fs::set_permissions(&kek, fs::Permissions::from_mode(0o600))?;
        let timeout_ms = TIMEOUT.as_millis();
        let text = format!(
            "embedder = \"constant\"\n\
             [kafka]\nbrokers = {brokers:?}\ntopic_prefix = \"{name}.\"\npartitions = {PARTITIONS}\n\
             [cql]\nhosts = [{node:?}]\nkeyspace = {name:?}\nkek_file = {kek:?}\ntimeout_ms = {timeout_ms}\n\
             [tenants.{TENANT}]\ntokens = [{TOKEN:?}]\n"
        );
        fs::write(folder.join("saidso.toml"), text)
    }

    /// Opens both halves in this process, which runs no stage of its own on them. Whoever opens them first makes them,
    /// and a store that is made here gives the ids that [`Stand::embedded`] gives.
    pub fn open(&self) -> Result<Stand, Fault> {
        let entropy = Arc::new(OneSecret::default());
        let options = saidso_cql::Options {
            hosts: vec![self.node.clone()],
            keyspace: self.name.clone(),
            replication: Replication::Everywhere(1),
            data_centre: None,
            user: None,
            kek: Key::new(KEK),
            timeout: TIMEOUT,
        };
        let store = Arc::new(Cql::open(&options, entropy.clone())?);
        entropy.made();
        let codec = Codec::without_registry()?;
        let options = saidso_kafka::Options::new(&*self.brokers, PARTITIONS, "onlooker", codec);
        let log = Arc::new(Kafka::open(saidso_kafka::Options { prefix: self.topic(""), ..options })?);
        let clock = SetClock::at(NOW_MS);
        let names = store.names();
        let ports = Ports::apart(log, store, names, clock.clone(), entropy)?;
        Ok(Stand::over(ports, clock))
    }
}
