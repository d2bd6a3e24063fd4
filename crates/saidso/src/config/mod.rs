//! The configuration: flags over environment over file over defaults, checked once. A bad one never starts, and the
//! error names the key.

mod distributed;
mod embedding;
mod fading;

use std::{
    collections::{BTreeMap, BTreeSet},
    net::{SocketAddr, ToSocketAddrs},
    path::{Path, PathBuf},
};

use saidso_core::{decay, fold, item::Unit, limits, session, slots::SlotSchema};
use saidso_models::lanes;
use saidso_recall::Settings;
use serde::Deserialize;

pub use self::{
    distributed::{Cql, Distributed, Kafka, Registry, Replication},
    embedding::Embedder,
};
use crate::args::{EmbedderName, Model, Up};

/// The tenant of the development token.
pub const DEFAULT_TENANT: &str = "default";

const DATA: &str = "saidso-data";
const LISTEN: &str = "127.0.0.1:7600";
/// Requests worked on at once, unless the file says otherwise: enough to keep two cores and a disk busy.
const REQUESTS: usize = 64;
const REQUESTS_MAX: usize = 4096;
const THREADS_MAX: usize = 256;
const SLICE_TOKENS_MAX: usize = 1_000_000;
/// Characters of a token at least: one that can be guessed is none.
const TOKEN_CHARS: usize = 16;

/// What is wrong with the configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file.
    #[error("read the configuration {}: {found}; name another with --config, or leave it out", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        found: std::io::Error,
    },
    /// Not the TOML that is expected; the parser names key and line.
    #[error("read the configuration {}: {found}", path.display())]
    Toml {
        /// Which.
        path: PathBuf,
        /// What the parser found.
        found: Box<toml::de::Error>,
    },
    /// A value.
    #[error("the configuration's `{key}` {found}")]
    Value {
        /// The key, as in the file.
        key: String,
        /// What it is, and what it should be.
        found: String,
    },
}

/// The file as written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    data: Option<PathBuf>,
    listen: Option<String>,
    embedder: Option<EmbedderName>,
    model: Option<PathBuf>,
    threads: Option<usize>,
    slice_tokens: Option<usize>,
    #[serde(default)]
    http: RawHttp,
    #[serde(default)]
    recall: RawRecall,
    #[serde(default)]
    memory: RawMemory,
    remote: Option<embedding::RawRemote>,
    kafka: Option<distributed::RawKafka>,
    cql: Option<distributed::RawCql>,
    #[serde(default)]
    tenants: BTreeMap<String, RawTenant>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHttp {
    requests: Option<usize>,
    body_bytes: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRecall {
    memory_bytes: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMemory {
    conflict_days: Option<usize>,
    conflict_confidence: Option<usize>,
    to_confirm_days: Option<usize>,
    invalid_days: Option<usize>,
    unhit_days: Option<usize>,
    fading_hundredths: Option<usize>,
    history_days: Option<usize>,
    keep_messages_days: Option<usize>,
    session_minutes: Option<usize>,
    session_identity_minutes: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTenant {
    #[serde(default)]
    tokens: Vec<String>,
    slots: Option<toml::Value>,
    keep_messages_days: Option<usize>,
}

/// A checked configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder for everything that is stored.
    pub data: PathBuf,
    /// Where to listen.
    pub listen: SocketAddr,
    /// The embedder.
    pub embedder: Embedder,
    /// Threads an embedder in this process uses.
    pub threads: usize,
    /// Tokens that are embedded at a time, before the next in the embedder's lanes has its turn.
    pub slice_tokens: usize,
    /// Bounds of the HTTP server.
    pub http: HttpLimits,
    /// Bytes that the spaces which recall has loaded may take together.
    pub recall_memory_bytes: usize,
    /// What memories are made and kept by.
    pub memory: Memory,
    /// Kafka and a CQL store, instead of the data folder.
    pub distributed: Option<Distributed>,
    /// The tenants, by name.
    pub tenants: BTreeMap<String, Tenant>,
}

/// What memories are made and kept by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// See [`fold::Rules::conflict_days`].
    pub conflict_days: u16,
    /// See [`fold::Rules::contested`].
    pub contested: Unit,
    /// What memories fade by.
    pub decay: decay::Rules,
    /// Days for which a superseded memory is still shown as history; `None`: for good.
    pub history_days: Option<u16>,
    /// Days for which the customer's messages are kept; `None`: for good; 0: not at all.
    pub keep_messages_days: Option<u16>,
    /// The time-outs of sessions.
    pub sessions: session::Rules,
}

/// Bounds of the HTTP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpLimits {
    /// Requests worked on at once.
    pub requests: usize,
    /// Bytes of a body.
    pub body_bytes: usize,
}

/// One tenant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tenant {
    /// Its bearer tokens.
    pub tokens: Vec<String>,
    /// Its closed slots; `None`: everything durable is remembered.
    pub slots: Option<SlotSchema>,
    /// [`Memory::keep_messages_days`], if it has its own.
    pub keep_messages_days: Option<u16>,
}

impl Config {
    /// From the flags (clap has merged the environment into them) and the file they name.
    pub fn load(up: &Up) -> Result<Self, ConfigError> {
        let raw = match &up.config {
            Some(path) => read(path)?,
            None => Raw::default(),
        };
        check(raw, up)
    }

    /// For a temporary or named folder, without a file.
    pub fn of_folder(data: &Path, listen: Option<&str>, model: &Model) -> Result<Self, ConfigError> {
        let up = Up {
            data: Some(data.to_owned()),
            listen: listen.map(str::to_owned),
            model: model.clone(),
            ..Up::default()
        };
        check(Raw::default(), &up)
    }
}

fn read(path: &Path) -> Result<Raw, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|found| ConfigError::File { path: path.to_owned(), found })?;
    toml::from_str(&text).map_err(|found| ConfigError::Toml { path: path.to_owned(), found: Box::new(found) })
}

fn check(raw: Raw, up: &Up) -> Result<Config, ConfigError> {
    let listen = up.listen.clone().or(raw.listen).unwrap_or_else(|| LISTEN.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Config {
        data: up.data.clone().or(raw.data).unwrap_or_else(|| PathBuf::from(DATA)),
        listen: address(&listen)?,
        embedder: embedding::embedder(
            up.model.embedder.or(raw.embedder).unwrap_or(EmbedderName::E5),
            up.model.model.clone().or(raw.model),
            raw.remote,
        )?,
        threads: within("threads", raw.threads, cores, THREADS_MAX)?,
        slice_tokens: within("slice_tokens", raw.slice_tokens, lanes::Settings::SLICE_TOKENS, SLICE_TOKENS_MAX)?,
        http: HttpLimits {
            requests: within("http.requests", raw.http.requests, REQUESTS, REQUESTS_MAX)?,
            body_bytes: within("http.body_bytes", raw.http.body_bytes, limits::BODY_BYTES, limits::BODY_BYTES)?,
        },
        recall_memory_bytes: within(
            "recall.memory_bytes",
            raw.recall.memory_bytes,
            Settings::MEMORY_BYTES,
            usize::MAX,
        )?,
        memory: memory(&raw.memory)?,
        distributed: distributed::check(raw.kafka, raw.cql, up.instance.as_deref())?,
        tenants: tenants(raw.tenants)?,
    })
}

fn tenants(raw: BTreeMap<String, RawTenant>) -> Result<BTreeMap<String, Tenant>, ConfigError> {
    let tenants: BTreeMap<String, Tenant> = raw.into_iter().map(tenant).collect::<Result<_, _>>()?;
    let mut seen = BTreeSet::new();
    for (name, tenant) in &tenants {
        if let Some(index) = tenant.tokens.iter().position(|token| !seen.insert(token)) {
            let found = "is listed twice; a token speaks for one tenant".to_owned();
            return Err(ConfigError::Value { key: format!("tenants.{name}.tokens[{index}]"), found });
        }
    }
    Ok(tenants)
}

fn address(listen: &str) -> Result<SocketAddr, ConfigError> {
    let found = |found: String| ConfigError::Value { key: "listen".into(), found };
    let advice = "give an address and a port, like 127.0.0.1:7600";
    let mut addresses = listen.to_socket_addrs().map_err(|e| found(format!("is {listen:?}: {e}; {advice}")))?;
    addresses.next().ok_or_else(|| found(format!("is {listen:?}, which names no address; {advice}")))
}

fn memory(raw: &RawMemory) -> Result<Memory, ConfigError> {
    const DAYS_MAX: usize = 36_500;
    const DAY_MINUTES: usize = 24 * 60;
    let days = |key, value, default: u16| {
        within(key, value, usize::from(default), DAYS_MAX).map(|days| u16::try_from(days).unwrap_or(u16::MAX))
    };
    // Hundredths.
    let contested = within("memory.conflict_confidence", raw.conflict_confidence, 60, 100)?;
    let minutes = |key, value, default: u16| {
        within(key, value, usize::from(default), DAY_MINUTES).map(|minutes| u16::try_from(minutes).unwrap_or(u16::MAX))
    };
    let idle = minutes("memory.session_minutes", raw.session_minutes, session::Rules::IDLE_MINUTES)?;
    let key = "memory.session_identity_minutes";
    let identity = minutes(key, raw.session_identity_minutes, session::Rules::IDENTITY_MINUTES.max(idle))?;
    if identity < idle {
        let found = format!("is {identity}, less than `memory.session_minutes`; give {idle} or more");
        return Err(ConfigError::Value { key: key.into(), found });
    }
    Ok(Memory {
        sessions: session::Rules::minutes(idle, identity),
        conflict_days: days("memory.conflict_days", raw.conflict_days, fold::Rules::CONFLICT_DAYS)?,
        contested: Unit::hundredths(u8::try_from(contested).unwrap_or(u8::MAX)),
        decay: fading::rules(raw)?,
        history_days: fading::history_days(raw)?,
        keep_messages_days: fading::keep_messages_days("memory", raw.keep_messages_days)?,
    })
}

/// A number from 1 to a bound.
fn within(key: &str, value: Option<usize>, default: usize, max: usize) -> Result<usize, ConfigError> {
    match value {
        None => Ok(default.min(max)),
        Some(value) if (1..=max).contains(&value) => Ok(value),
        Some(value) => Err(ConfigError::Value { key: key.into(), found: format!("is {value}; give 1 to {max}") }),
    }
}

fn tenant((name, raw): (String, RawTenant)) -> Result<(String, Tenant), ConfigError> {
    let wrong = |key: &str, found: String| Err(ConfigError::Value { key: format!("tenants.{name}{key}"), found });
    if name.is_empty() || name.len() > limits::NAME_BYTES {
        return wrong("", format!("has a name of {} bytes; give 1 to {}", name.len(), limits::NAME_BYTES));
    }
    if let Some(index) = raw.tokens.iter().position(|token| token.chars().count() < TOKEN_CHARS) {
        let key = format!(".tokens[{index}]");
        return wrong(&key, format!("is shorter than {TOKEN_CHARS} characters; give a long random one"));
    }
    let slots = match raw.slots {
        None => None,
        Some(toml::Value::String(preset)) if preset == "customer-service" => Some(SlotSchema::customer_service()),
        Some(toml::Value::String(preset)) => {
            return wrong(".slots", format!("is {preset:?}; name the preset \"customer-service\" or list slots"));
        }
        Some(own) => match own.try_into() {
            Ok(schema) => Some(schema),
            Err(error) => return wrong(".slots", format!("is no list of slots: {}", error.message())),
        },
    };
    let keep_messages_days = fading::keep_messages_days(&format!("tenants.{name}"), raw.keep_messages_days)?;
    Ok((name, Tenant { tokens: raw.tokens, slots, keep_messages_days }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saidso.toml");
        std::fs::write(&path, text).unwrap();
        Config::load(&Up { config: Some(path), ..Up::default() }).map_err(|error| error.to_string())
    }

    #[test]
    fn every_key_is_taken() {
        let config = checked(
            r#"
            data = "kept"
            listen = "127.0.0.1:9"
            embedder = "e5"
            model = "weights.bin"
            threads = 3
            slice_tokens = 90
            http = { requests = 5, body_bytes = 1000 }
            recall = { memory_bytes = 7 }
            memory = { session_minutes = 5, session_identity_minutes = 60 }
            [tenants.acme]
            tokens = ["0123456789abcdef"]
            slots = "customer-service"
            [[tenants.small.slots]]
            name = "diet"
            meaning = "what the customer eats or does not eat"
            kind = "fact"
            ttl_days = 365
            conflict = "time_win"
            multi = true
            decay = "ttl"
            level = "public"
            "#,
        )
        .unwrap();
        assert_eq!(config.data, Path::new("kept"));
        assert_eq!(config.listen, "127.0.0.1:9".parse().unwrap());
        assert_eq!(config.embedder, Embedder::E5 { weights: Some("weights.bin".into()) });
        assert_eq!((config.threads, config.slice_tokens), (3, 90));
        assert_eq!(config.http, HttpLimits { requests: 5, body_bytes: 1000 });
        assert_eq!(config.recall_memory_bytes, 7);
        assert_eq!(config.memory.sessions, session::Rules::minutes(5, 60));
        assert_eq!(config.tenants["acme"].tokens, ["0123456789abcdef"]);
        assert_eq!(config.tenants["acme"].slots, Some(SlotSchema::customer_service()));
        assert_eq!(config.tenants["small"].slots.as_ref().unwrap().slots()[0].name, "diet");
    }

    #[test]
    fn every_key_of_the_distributed_backend_is_taken() {
        let text = r#"
            [kafka]
            brokers = "a:1,b:2"
            topic_prefix = "test."
            partitions = 8
            replication = 3
            log_epoch = 2
            instance = "intake-7"
            retention_hours = 2
            completed_retention_minutes = 3
            [kafka.registry]
            url = "http://registry"
            user = "u"
            password = "p"
            [kafka.client]
            "security.protocol" = "SSL"
            [cql]
            hosts = ["c:3"]
            keyspace = "memory"
            replication = { dc1 = 3 }
            data_centre = "dc1"
            user = "u"
            password = "p"
            kek_file = "kek"
            timeout_ms = 70
        "#;
        let Distributed { kafka, cql } = checked(text).unwrap().distributed.unwrap();
        assert_eq!((&*kafka.brokers, &*kafka.prefix, &*kafka.instance), ("a:1,b:2", "test.", "intake-7"));
        assert_eq!((kafka.partitions, kafka.replication, kafka.log_epoch), (8, 3, 2));
        assert_eq!((kafka.retention.as_secs(), kafka.completed_retention.as_secs()), (7200, 180));
        let login = Some(("u".to_owned(), "p".to_owned()));
        assert_eq!(kafka.registry, Some(Registry { url: "http://registry".into(), login: login.clone() }));
        assert_eq!(kafka.client["security.protocol"], "SSL");
        assert_eq!((&*cql.hosts, &*cql.keyspace), (&["c:3".to_owned()][..], "memory"));
        let copies = Replication::In([("dc1".to_owned(), 3)].into());
        assert_eq!((cql.replication, cql.login, cql.timeout.as_millis()), (copies, login, 70));
        assert_eq!(cql.data_centre.as_deref(), Some("dc1"));
        assert_eq!(cql.kek_file, Path::new("kek"));
        let flag = Up { instance: Some("by-flag".into()), ..Up::default() };
        let raw: Raw = toml::from_str(text).unwrap();
        assert_eq!(check(raw, &flag).unwrap().distributed.unwrap().kafka.instance, "by-flag");
    }

    #[test]
    fn what_the_shipped_file_says_of_the_distributed_backend_is_so() {
        let shipped = include_str!("../../../../deploy/saidso.toml");
        let section = shipped.split("# [kafka]").nth(1).unwrap().split("\n\n").next().unwrap();
        let lines = section.lines().filter_map(|line| line.strip_prefix("# "));
        let text = format!("[kafka]\n{}", lines.collect::<Vec<_>>().join("\n"));
        let shipped = checked(&text).unwrap().distributed.unwrap();
        let least = "[kafka]\nbrokers = \"kafka-1:9092,kafka-2:9092\"\ninstance = \"intake-1\"\n[cql]\nhosts = \
                     [\"scylla-1:9042\"]\nkek_file = \"/run/secrets/saidso-kek\"\nuser = \"saidso\"\npassword = \"...\"\ndata_centre = \"dc1\"";
        let mut defaults = checked(least).unwrap().distributed.unwrap();
        defaults.kafka.registry = shipped.kafka.registry.clone();
        defaults.kafka.client = shipped.kafka.client.clone();
        assert_eq!(format!("{shipped:?}"), format!("{defaults:?}"));
    }

    #[test]
    fn the_shipped_file_is_the_defaults() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/saidso.toml");
        let shipped = Config::load(&Up { config: Some(path), ..Up::default() }).unwrap();
        let defaults = Config::load(&Up::default()).unwrap();
        assert_eq!(format!("{shipped:?}"), format!("{defaults:?}"));
    }

    #[test]
    fn flags_win_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saidso.toml");
        std::fs::write(&path, "data = \"a\"\nembedder = \"words\"").unwrap();
        let model = Model { embedder: Some(EmbedderName::Constant), model: None };
        let up = Up { config: Some(path), data: Some("b".into()), model, ..Up::default() };
        let config = Config::load(&up).unwrap();
        assert_eq!((config.data, config.embedder), (PathBuf::from("b"), Embedder::Constant));
        assert_eq!(config.listen, LISTEN.parse().unwrap());
    }

    #[test]
    fn an_error_names_the_key() {
        for (text, key) in [
            ("listen = \"nowhere\"", "`listen`"),
            ("threads = 0", "`threads`"),
            ("threads = 257", "`threads`"),
            ("slice_tokens = 0", "`slice_tokens`"),
            ("http = { requests = 0 }", "`http.requests`"),
            ("http = { requests = 4097 }", "`http.requests`"),
            ("http = { body_bytes = 67108865 }", "`http.body_bytes`"),
            ("recall = { memory_bytes = 0 }", "`recall.memory_bytes`"),
            ("memory = { session_minutes = 1441 }", "`memory.session_minutes`"),
            ("memory = { session_minutes = 30, session_identity_minutes = 29 }", "`memory.session_identity_minutes`"),
            ("tenants.acme.tokens = [\"short\"]", "`tenants.acme.tokens[0]`"),
            (
                "tenants.acme.tokens = [\"0123456789abcdef\"]\ntenants.b.tokens = [\"0123456789abcdef\"]",
                "`tenants.b.tokens[0]`",
            ),
            ("tenants.acme.slots = \"other\"", "`tenants.acme.slots`"),
            ("tenants.acme.slots = []", "`tenants.acme.slots`"),
            ("[kafka]\nbrokers = \"a:1\"", "`cql`"),
            ("[cql]\nhosts = [\"c:3\"]\nkek_file = \"kek\"", "`kafka`"),
            ("[kafka]\nbrokers = \"\"\n[cql]\nhosts = [\"c:3\"]\nkek_file = \"kek\"", "`kafka.brokers`"),
            (
                "[kafka]\nbrokers = \"a:1\"\npartitions = 0\n[cql]\nhosts = [\"c\"]\nkek_file = \"k\"",
                "`kafka.partitions`",
            ),
            ("[kafka]\nbrokers = \"a:1\"\n[cql]\nhosts = []\nkek_file = \"kek\"", "`cql.hosts`"),
            (
                "[kafka]\nbrokers = \"a:1\"\n[cql]\nhosts = [\"c\"]\nkeyspace = \"A-b\"\nkek_file = \"k\"",
                "`cql.keyspace`",
            ),
            ("[kafka]\nbrokers = \"a:1\"\n[cql]\nhosts = [\"c\"]\nuser = \"u\"\nkek_file = \"k\"", "`cql.password`"),
            ("listne = \"127.0.0.1:1\"", "`listne`"),
            ("embedder = \"e6\"", "`e6`"),
            ("embedder = \"remote\"", "`remote`"),
        ] {
            let error = checked(text).unwrap_err();
            assert!(error.contains(key), "{text}: {error}");
        }
        assert!(checked("threads = 256\nhttp = { requests = 4096, body_bytes = 67108864 }").is_ok());
    }
}
