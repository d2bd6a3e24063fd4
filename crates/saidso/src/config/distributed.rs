//! `[kafka]` and `[cql]`: the two halves of the distributed backend. One without the other is refused.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use serde::Deserialize;

use super::{ConfigError, within};

/// Partitions of every topic, unless the file says otherwise.
const PARTITIONS: usize = 4;
const PARTITIONS_MAX: usize = 1024;
const KEYSPACE: &str = "saidso";
/// Hours a record of ours is kept: longer than any outage of a stage.
const RETENTION_HOURS: usize = 7 * 24;
/// Minutes a gateway's turn is kept in the clear on the public topic.
const COMPLETED_MINUTES: usize = 60;
const TIMEOUT_MS: usize = 5_000;

/// Kafka and a CQL store.
#[derive(Debug, Clone)]
pub struct Distributed {
    /// The log.
    pub kafka: Kafka,
    /// The store.
    pub cql: Cql,
}

/// Where the log is.
#[derive(Debug, Clone)]
pub struct Kafka {
    /// The brokers to begin with, `host:port` with commas.
    pub brokers: String,
    /// Put before every topic's and group's name.
    pub prefix: String,
    /// Partitions of every topic, pinned.
    pub partitions: u32,
    /// Copies of every topic.
    pub replication: u32,
    /// The topic set that positions count in.
    pub log_epoch: u32,
    /// What this process is called among its like.
    pub instance: String,
    /// How long our own topics keep a record.
    pub retention: Duration,
    /// How long the public topic keeps a turn.
    pub completed_retention: Duration,
    /// The schema registry, if there is one.
    pub registry: Option<Registry>,
    /// Properties of librdkafka: TLS, SASL and whatever else.
    pub client: BTreeMap<String, String>,
}

/// Where the schemas are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registry {
    /// The root of its Confluent-compatible interface.
    pub url: String,
    /// Name and password, if it asks for them.
    pub login: Option<(String, String)>,
}

/// Where the store is.
#[derive(Debug, Clone)]
pub struct Cql {
    /// The nodes to begin with, `host:port`.
    pub hosts: Vec<String>,
    /// The keyspace; made if it is not there.
    pub keyspace: String,
    /// Copies of every row.
    pub replication: Replication,
    /// The data centre whose nodes are asked, where there are several.
    pub data_centre: Option<String>,
    /// Name and password, if it asks for them.
    pub login: Option<(String, String)>,
    /// The file with the key-encryption key.
    pub kek_file: PathBuf,
    /// How long a request may take.
    pub timeout: Duration,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawKafka {
    brokers: String,
    topic_prefix: Option<String>,
    partitions: Option<usize>,
    replication: Option<usize>,
    log_epoch: Option<usize>,
    instance: Option<String>,
    retention_hours: Option<usize>,
    completed_retention_minutes: Option<usize>,
    registry: Option<RawRegistry>,
    #[serde(default)]
    client: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRegistry {
    url: String,
    user: Option<String>,
    password: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCql {
    hosts: Vec<String>,
    keyspace: Option<String>,
    replication: Option<Replication>,
    data_centre: Option<String>,
    user: Option<String>,
    password: Option<String>,
    kek_file: PathBuf,
    timeout_ms: Option<usize>,
}

/// Copies of every row of the store.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Replication {
    /// So many in every data centre.
    Everywhere(u8),
    /// So many in each of these.
    In(BTreeMap<String, u8>),
}

pub(super) fn check(
    kafka: Option<RawKafka>,
    cql: Option<RawCql>,
    instance: Option<&str>,
) -> Result<Option<Distributed>, ConfigError> {
    match (kafka, cql) {
        (None, None) => Ok(None),
        (Some(kafka), Some(cql)) => {
            Ok(Some(Distributed { kafka: check_kafka(kafka, instance)?, cql: check_cql(cql)? }))
        }
        (Some(_), None) => wrong("cql", "is missing: with [kafka] the memories are kept in a CQL store"),
        (None, Some(_)) => wrong("kafka", "is missing: with [cql] the log is on Kafka"),
    }
}

fn check_kafka(raw: RawKafka, instance: Option<&str>) -> Result<Kafka, ConfigError> {
    if raw.brokers.trim().is_empty() {
        return wrong("kafka.brokers", "is empty; give host:port, several with commas");
    }
    let prefix = raw.topic_prefix.unwrap_or_default();
    if prefix.len() > 100 || !prefix.chars().all(of_a_name) {
        return wrong(
            "kafka.topic_prefix",
            "has more than letters, digits, `.`, `_` and `-`, or more than 100 of them",
        );
    }
    let instance = match instance.map(str::to_owned).or(raw.instance) {
        Some(instance) => instance,
        None => rustix::system::uname().nodename().to_string_lossy().into_owned(),
    };
    if instance.is_empty() || instance.len() > 100 || !instance.chars().all(of_a_name) {
        return wrong("kafka.instance", "is not 1 to 100 letters, digits, `.`, `_` and `-`; give one, or --instance");
    }
    let registry = match raw.registry {
        None => None,
        Some(RawRegistry { url, .. }) if !url.starts_with("http://") && !url.starts_with("https://") => {
            return wrong("kafka.registry.url", "is no http:// or https:// address");
        }
        Some(RawRegistry { url, user, password }) => {
            Some(Registry { url, login: login("kafka.registry", user, password)? })
        }
    };
    let hours = within("kafka.retention_hours", raw.retention_hours, RETENTION_HOURS, 10 * 365 * 24)?;
    let minutes = within(
        "kafka.completed_retention_minutes",
        raw.completed_retention_minutes,
        COMPLETED_MINUTES,
        10 * 365 * 24 * 60,
    )?;
    Ok(Kafka {
        brokers: raw.brokers,
        prefix,
        partitions: small("kafka.partitions", raw.partitions, PARTITIONS, PARTITIONS_MAX)?,
        replication: small("kafka.replication", raw.replication, 1, 100)?,
        // Stamps are timestamps in the store, which may refuse those of a time to come: below 2^50 it is 2005.
        log_epoch: small("kafka.log_epoch", raw.log_epoch, 1, (1 << 10) - 1)?,
        instance,
        retention: Duration::from_secs(hours as u64 * 3600),
        completed_retention: Duration::from_secs(minutes as u64 * 60),
        registry,
        client: raw.client,
    })
}

fn check_cql(raw: RawCql) -> Result<Cql, ConfigError> {
    if raw.hosts.is_empty() {
        return wrong("cql.hosts", "is empty; list at least one host:port");
    }
    let keyspace = raw.keyspace.unwrap_or_else(|| KEYSPACE.to_owned());
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !keyspace.starts_with(|c: char| c.is_ascii_lowercase()) || keyspace.len() > 48 || !keyspace.chars().all(plain) {
        return wrong("cql.keyspace", "is not 1 to 48 small letters, digits and `_` with a letter first");
    }
    let replication = raw.replication.unwrap_or(Replication::Everywhere(1));
    let none = match &replication {
        Replication::Everywhere(copies) => *copies == 0,
        Replication::In(centres) => centres.is_empty() || centres.values().any(|copies| *copies == 0),
    };
    if none {
        return wrong("cql.replication", "makes no copy; give a number of copies, or one for each data centre");
    }
    if matches!(&replication, Replication::In(centres) if centres.len() > 1) && raw.data_centre.is_none() {
        return wrong("cql.data_centre", "is missing, though there are several; name the one whose nodes to ask");
    }
    let timeout = within("cql.timeout_ms", raw.timeout_ms, TIMEOUT_MS, 60_000)?;
    Ok(Cql {
        hosts: raw.hosts,
        keyspace,
        replication,
        data_centre: raw.data_centre,
        login: login("cql", raw.user, raw.password)?,
        kek_file: raw.kek_file,
        timeout: Duration::from_millis(timeout as u64),
    })
}

fn of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-".contains(c)
}

fn login(key: &str, user: Option<String>, password: Option<String>) -> Result<Option<(String, String)>, ConfigError> {
    match (user, password) {
        (None, None) => Ok(None),
        (Some(user), Some(password)) => Ok(Some((user, password))),
        (Some(_), None) => wrong(&format!("{key}.password"), "is missing, though there is a user"),
        (None, Some(_)) => wrong(&format!("{key}.user"), "is missing, though there is a password"),
    }
}

fn small(key: &str, value: Option<usize>, default: usize, max: usize) -> Result<u32, ConfigError> {
    // Every bound given here fits.
    within(key, value, default, max).map(|value| value as u32)
}

fn wrong<T>(key: &str, found: &str) -> Result<T, ConfigError> {
    Err(ConfigError::Value { key: key.into(), found: found.into() })
}
