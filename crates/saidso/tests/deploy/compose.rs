//! The compose file.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use serde::Deserialize;
use yaml_serde::Value;

use crate::{Mounted, Process, STOP_SECONDS, answers, assert_pinned, image, servers, text, whole};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Compose {
    name: String,
    #[serde(rename = "x-saidso")]
    _ours: Value,
    services: BTreeMap<String, Service>,
    configs: BTreeMap<String, Inline>,
    secrets: BTreeMap<String, Variable>,
    volumes: BTreeMap<String, Option<Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Service {
    image: String,
    pull_policy: Option<String>,
    hostname: Option<String>,
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    configs: Vec<Source>,
    #[serde(default)]
    secrets: Vec<Source>,
    #[serde(default)]
    expose: Vec<String>,
    #[serde(default)]
    ports: Vec<String>,
    #[serde(default)]
    volumes: Vec<String>,
    #[serde(default)]
    cap_drop: Vec<String>,
    #[serde(default)]
    security_opt: Vec<String>,
    stop_grace_period: Option<String>,
    restart: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    source: String,
    target: PathBuf,
    uid: String,
    mode: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inline {
    content: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variable {
    environment: String,
}

fn compose() -> Compose {
    let mut file: Value = yaml_serde::from_str(&text("compose.yaml")).unwrap();
    file.apply_merge().unwrap();
    yaml_serde::from_value(file).unwrap()
}

/// With a secret for each variable that must be there; also their names.
fn interpolated(text: &str) -> (String, BTreeSet<String>) {
    let (mut whole, mut names) = (String::new(), BTreeSet::new());
    let mut pieces = text.split('$');
    whole.push_str(pieces.next().unwrap());
    for piece in pieces {
        let (variable, rest) = piece.strip_prefix('{').unwrap().split_once('}').unwrap();
        let (name, _) = variable.split_once(":?").expect("a variable that must be set");
        names.insert(name.to_owned());
        whole.push_str(&"5".repeat(64));
        whole.push_str(rest);
    }
    (whole, names)
}

impl Compose {
    fn ours(&self) -> impl Iterator<Item = (&String, &Service)> {
        self.services.iter().filter(|(_, service)| service.image.starts_with("saidso:"))
    }

    fn process(&self, name: &str, service: &Service) -> Process {
        let mut files = BTreeMap::new();
        for Source { source, target, .. } in &service.configs {
            files.insert(target.clone(), Mounted::Text(interpolated(&self.configs[source].content).0));
        }
        for Source { source, target, .. } in &service.secrets {
            assert!(self.secrets.contains_key(source), "there is no secret {source}");
            files.insert(target.clone(), Mounted::Secret);
        }
        Process {
            name: name.to_owned(),
            image: service.image.clone(),
            arguments: service.command.clone(),
            environment: service.environment.clone(),
            files,
        }
    }

    fn processes(&self) -> Vec<Process> {
        self.ours().map(|(name, service)| self.process(name, service)).collect()
    }
}

#[test]
fn every_process_starts_on_the_same_configuration() {
    let compose = compose();
    let config = whole(&compose.processes());
    for (host, port) in servers(&config) {
        let service = compose.services.get(host).unwrap_or_else(|| panic!("no service is {host}"));
        assert!(service.expose.contains(&port.to_string()), "{host} does not listen on {port}");
        let elsewhere = service.environment.get("KAFKA_ADVERTISED_LISTENERS");
        let advertised = elsewhere.is_none_or(|listeners| listeners.contains(&format!("://{host}:{port}")));
        assert!(advertised, "{host} says it is elsewhere than {host}:{port}");
    }
    assert_eq!(config.listen.port(), image::port());
    let reached = compose.ours().flat_map(|(_, service)| service.ports.iter().chain(&service.expose));
    let reached: Vec<&str> = reached.map(|port| port.rsplit(':').next().unwrap()).collect();
    assert!(!reached.is_empty());
    reached.iter().for_each(|port| assert_eq!(port.parse(), Ok(config.listen.port())));
}

#[test]
fn what_is_reached_from_this_machine_answers_and_from_others_nothing() {
    let compose = compose();
    for (name, service) in &compose.services {
        service.ports.iter().for_each(|port| assert!(port.starts_with("127.0.0.1:"), "{name}: {port}"));
    }
    for (name, service) in compose.ours().filter(|(_, service)| !service.ports.is_empty()) {
        assert!(answers(&compose.process(name, service).read().0), "{name} answers nothing");
    }
}

#[test]
fn no_two_processes_go_by_one_name() {
    let compose = compose();
    let names: Vec<_> = compose.ours().map(|(name, service)| (name, service.hostname.as_ref())).collect();
    let apart: BTreeSet<_> =
        names.iter().map(|(name, host)| host.unwrap_or_else(|| panic!("{name} has none"))).collect();
    assert_eq!(apart.len(), names.len(), "{names:?}");
}

#[test]
fn the_secrets_are_those_that_the_guide_makes_and_only_the_user_reads_them() {
    let compose = compose();
    let guide = text("README.md");
    let asked = compose.configs.values().flat_map(|config| interpolated(&config.content).1);
    let asked: BTreeSet<String> =
        asked.chain(compose.secrets.values().map(|secret| secret.environment.clone())).collect();
    let made = guide.split("printf '").nth(1).unwrap().split('\'').next().unwrap();
    let made: BTreeSet<String> = made.split("=%s\\n").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    assert_eq!(asked, made);
    for (name, service) in compose.ours() {
        for Source { source, uid, mode, .. } in service.configs.iter().chain(&service.secrets) {
            assert_eq!((uid.parse(), *mode), (Ok(image::user()), 0o440), "{name}: {source}");
        }
    }
}

#[test]
fn every_container_is_pinned_restarted_and_kept() {
    let compose = compose();
    assert_eq!(compose.name, "saidso");
    let mut used = BTreeSet::new();
    for (name, service) in &compose.services {
        assert_pinned(&service.image);
        assert_eq!(service.restart, "unless-stopped", "{name}");
        used.extend(service.volumes.iter().map(|volume| volume.split(':').next().unwrap()));
    }
    assert!(used.iter().eq(compose.volumes.keys()), "{used:?}");
    for (name, service) in compose.ours() {
        assert_eq!(service.pull_policy.as_deref(), Some("never"), "{name}");
        assert_eq!(service.cap_drop, ["ALL"], "{name}");
        assert_eq!(service.security_opt, ["no-new-privileges:true"], "{name}");
        let grace = service.stop_grace_period.as_deref().and_then(|grace| grace.strip_suffix('s')).unwrap();
        assert!(grace.parse::<u32>().unwrap() > STOP_SECONDS, "{name}");
    }
}
