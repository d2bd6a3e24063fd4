//! The backend that the configuration names, as ports. Past this file nobody knows which it is.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ports::Submissions,
    seal::Key,
};
use saidso_cql::Cql;
use saidso_embedded::{Embedded, Options};
use saidso_kafka::{
    Kafka,
    wire::{self, Codec},
};
use saidso_pipeline::Ports;

use super::disk::Disk;
use crate::{
    clock::SystemClock,
    config::{self, Config, Distributed},
    entropy::SystemEntropy,
    failure::Failure,
    telemetry,
};

/// How long a start waits for a server that is away.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two tries.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the registry may take to answer.
const REGISTRY: Duration = Duration::from_secs(5);

/// An open backend.
pub(super) struct Backend {
    /// The ports.
    pub ports: Ports,
    /// The public topic, where there is one.
    pub submissions: Option<Arc<dyn Submissions>>,
    /// What the last writes met.
    pub disk: Arc<Disk>,
}

impl Backend {
    /// Opens it.
    pub fn open(config: &Config) -> Result<Self, Failure> {
        match &config.distributed {
            None => embedded(&config.data),
            Some(distributed) => apart(distributed),
        }
    }
}

fn embedded(data: &Path) -> Result<Backend, Failure> {
    let entropy = Arc::new(SystemEntropy);
    let embedded = Embedded::open(data, entropy.clone(), Options::default());
    let embedded = Arc::new(embedded.map_err(|fault| match fault.code {
        Code::Held => Failure::Held { path: data.to_owned() },
        _ => Failure::Fault(fault),
    })?);
    let names = embedded.names();
    Ok(watched(Ports::whole(embedded, names, Arc::new(SystemClock), entropy), None))
}

fn apart(Distributed { kafka, cql }: &Distributed) -> Result<Backend, Failure> {
    let entropy = Arc::new(SystemEntropy);
    let cql = cql_options(cql)?;
    let store =
        Arc::new(patiently(&format!("the store at {}", cql.hosts.join(", ")), || Cql::open(&cql, entropy.clone()))?);
    let kafka = kafka_options(kafka)?;
    let log = Arc::new(patiently(&format!("the log at {}", kafka.brokers), || Kafka::open(kafka.clone()))?);
    for warning in log.warnings() {
        telemetry::warn("kafka topics", &[("message", warning)]);
    }
    let names = store.names();
    let ports = Ports::apart(log.clone(), store, names, Arc::new(SystemClock), entropy)?;
    Ok(watched(ports, Some(log)))
}

/// With an eye on what the writes meet.
fn watched(ports: Ports, submissions: Option<Arc<dyn Submissions>>) -> Backend {
    let disk = Arc::new(Disk::new(ports.head.clone(), ports.commits.clone()));
    let ports = Ports { head: disk.clone(), commits: disk.clone(), ..ports };
    Backend { ports, submissions, disk }
}

/// Opens a server's half again and again while it is away: processes and servers start in any order.
pub(super) fn patiently<T>(what: &str, open: impl Fn() -> Result<T, Fault>) -> Result<T, Fault> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match open() {
            Err(fault) if fault.remedy == Remedy::Retry && Instant::now() < deadline => {
                telemetry::warn("waiting", &[("for", &what), ("message", &fault.message)]);
                thread::sleep(PAUSE);
            }
            opened => return opened,
        }
    }
}

fn cql_options(cql: &config::Cql) -> Result<saidso_cql::Options, Failure> {
    Ok(saidso_cql::Options {
        hosts: cql.hosts.clone(),
        keyspace: cql.keyspace.clone(),
        replication: match &cql.replication {
            config::Replication::Everywhere(copies) => saidso_cql::Replication::Everywhere(*copies),
            config::Replication::In(centres) => saidso_cql::Replication::In(centres.clone()),
        },
        data_centre: cql.data_centre.clone(),
        user: cql.login.clone().map(|(name, password)| saidso_cql::User { name, password }),
        kek: kek(&cql.kek_file)?,
        timeout: cql.timeout,
    })
}

fn kafka_options(kafka: &config::Kafka) -> Result<saidso_kafka::Options, Fault> {
    let codec = match &kafka.registry {
        None => Codec::without_registry()?,
        Some(config::Registry { url, login }) => {
            let basic = |(user, password)| wire::Credentials::Basic { user, password };
            let credentials = login.clone().map(basic);
            let registry = wire::Registry { url: url.clone(), credentials, timeout: REGISTRY };
            Codec::with_registry(&registry, &kafka.prefix)?
        }
    };
    Ok(saidso_kafka::Options {
        brokers: kafka.brokers.clone(),
        prefix: kafka.prefix.clone(),
        partitions: kafka.partitions,
        replication: kafka.replication,
        epoch: kafka.log_epoch,
        instance: kafka.instance.clone(),
        kept: kafka.retention,
        completed_kept: kafka.completed_retention,
        client: kafka.client.clone(),
        codec,
    })
}

/// The key-encryption key, the same for every process of a store.
fn kek(path: &Path) -> Result<Key, Failure> {
    let file = |found| Failure::File { tried: "read the key-encryption key", path: path.to_owned(), found };
    let refused = |found: &str| {
        let make = "make one, once, with: (umask 077; od -An -vtx1 -N32 /dev/urandom | tr -d ' \\n' > FILE), and give \
                    every process the same";
        let message = format!("read the key-encryption key {}: {found}; {make}", path.display());
        Failure::Fault(Fault::stop(Code::WrongKey, message))
    };
    if !path.exists() {
        return Err(refused("it is missing"));
    }
    let mode = fs::metadata(path).map_err(file)?.permissions().mode();
    if mode & 0o007 != 0 {
        let found = format!("anybody may read it (mode {:o}); run chmod o-rwx on it", mode & 0o777);
        let message = format!("read the key-encryption key {}: {found}", path.display());
        return Err(Failure::Fault(Fault::stop(Code::WrongKey, message)));
    }
    let text = fs::read_to_string(path).map_err(file)?;
    Key::from_hex(text.trim()).ok_or_else(|| refused("it is not 64 hexadecimal digits"))
}
