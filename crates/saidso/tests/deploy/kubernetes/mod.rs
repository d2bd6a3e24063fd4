//! The Kubernetes manifests.

mod objects;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde::Deserialize;
use tempfile::tempdir;

use self::objects::{
    Capabilities, Container, ContainerPort, Object, PodSecurity, Seccomp, Security, Service, Workload,
};
use crate::{Mounted, Process, START_SECONDS, STOP_SECONDS, answers, common::Server, image, root, text, whole};

/// All manifests.
#[derive(Default)]
struct Manifests {
    stateful: Vec<Workload>,
    deployments: Vec<Workload>,
    services: Vec<Service>,
}

impl Manifests {
    fn read() -> Self {
        let mut all = Self::default();
        for entry in fs::read_dir(root().join("deploy/kubernetes")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "yaml") {
                all.take(&path);
            }
        }
        all
    }

    fn take(&mut self, path: &Path) {
        for document in yaml_serde::Deserializer::from_str(&fs::read_to_string(path).unwrap()) {
            let object = Object::deserialize(document).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            match object {
                Object::StatefulSet(workload) => self.stateful.push(workload),
                Object::Deployment(workload) => self.deployments.push(workload),
                Object::Service(service) => self.services.push(service),
            }
        }
    }

    fn workloads(&self) -> impl Iterator<Item = &Workload> {
        self.stateful.iter().chain(&self.deployments)
    }
}

/// The files of each Secret that the guide makes.
fn secrets() -> BTreeMap<String, Vec<String>> {
    let guide = text("README.md").replace("\\\n", " ");
    let commands = guide.lines().filter_map(|line| line.split_once("create secret generic ")?.1.split_once(' '));
    let files = |rest: &str| {
        rest.split("--from-file=").skip(1).map(|file| file.split('=').next().unwrap().to_owned()).collect()
    };
    commands.map(|(name, rest)| (name.to_owned(), files(rest))).collect()
}

impl Workload {
    fn container(&self) -> &Container {
        &self.spec.template.spec.containers[0]
    }

    fn process(&self) -> Process {
        let (container, secrets) = (self.container(), secrets());
        let mut files = BTreeMap::new();
        for mount in &container.volume_mounts {
            let volume = self.spec.template.spec.volumes.iter().find(|volume| volume.name == mount.name);
            let volume = volume.unwrap_or_else(|| panic!("there is no volume {}", mount.name));
            let name = &volume.secret.secret_name;
            let keys = secrets.get(name).unwrap_or_else(|| panic!("the guide makes no secret {name}"));
            files.extend(keys.iter().map(|key| {
                let mounted = match &**key {
                    "saidso.toml" => Mounted::Text(text("kubernetes/saidso.toml")),
                    _ => Mounted::Secret,
                };
                (mount.mount_path.join(key), mounted)
            }));
        }
        Process {
            name: self.metadata.name.clone(),
            image: container.image.clone(),
            arguments: container.args.clone(),
            environment: container.env.iter().map(|set| (set.name.clone(), set.value.clone())).collect(),
            files,
        }
    }
}

/// Bytes of a quantity.
fn bytes(quantity: &str) -> usize {
    let (number, unit) = quantity.split_at(quantity.len() - 2);
    let unit = match unit {
        "Mi" => 1 << 20,
        "Gi" => 1 << 30,
        _ => panic!("{quantity} is in neither Mi nor Gi"),
    };
    number.parse::<usize>().unwrap() * unit
}

#[test]
fn every_process_starts_on_the_same_configuration() {
    let manifests = Manifests::read();
    let config = whole(&manifests.workloads().map(Workload::process).collect::<Vec<_>>());
    assert_eq!(config.listen.port(), image::port());
    assert!(config.tenants.values().all(|tenant| tenant.tokens.is_empty()), "a token is written down");
    let partitions = config.distributed.as_ref().unwrap().kafka.partitions;
    for workload in manifests.workloads() {
        let (name, container) = (&workload.metadata.name, workload.container());
        assert_eq!(container.ports[0].container_port, config.listen.port(), "{name}");
        assert!((2..=partitions).contains(&workload.spec.replicas), "{name}: one may be lost, and each has work");
        // What spaces recall may load, and a quarter more than that for everything else.
        let limit = bytes(&container.resources.limits.memory);
        assert!(!answers(&workload.process().read().0) || limit > config.recall_memory_bytes * 5 / 4, "{name}");
        assert!(bytes(&container.resources.requests.memory) <= limit, "{name}");
        assert!(!container.resources.requests.cpu.is_empty(), "{name}");
    }
}

#[test]
fn a_stage_has_a_lasting_name() {
    let manifests = Manifests::read();
    for workload in &manifests.stateful {
        let named_by = workload.spec.service_name.as_ref().unwrap();
        let service = manifests.services.iter().find(|service| service.metadata.name == *named_by).unwrap();
        assert_eq!(service.spec.cluster_ip.as_deref(), Some("None"), "{named_by} is headless");
        assert_eq!(workload.spec.pod_management_policy.as_deref(), Some("Parallel"));
    }
    for workload in &manifests.deployments {
        assert_eq!(workload.process().arguments[0], "recall-server", "{}", workload.metadata.name);
    }
}

#[test]
fn a_pod_has_no_more_rights_than_it_needs() {
    for workload in Manifests::read().workloads() {
        let (name, pod) = (&workload.metadata.name, &workload.spec.template.spec);
        let user = image::user();
        let seccomp_profile = Seccomp { r#type: "RuntimeDefault".into() };
        let expected = PodSecurity {
            run_as_non_root: true,
            run_as_user: user,
            run_as_group: user,
            fs_group: user,
            seccomp_profile,
        };
        assert_eq!(pod.security_context, expected, "{name}");
        let expected = Security {
            allow_privilege_escalation: false,
            read_only_root_filesystem: true,
            capabilities: Capabilities { drop: vec!["ALL".into()] },
        };
        assert_eq!(workload.container().security_context, expected, "{name}");
        assert!(!pod.automount_service_account_token, "{name}");
        pod.volumes.iter().for_each(|volume| assert_eq!(volume.secret.default_mode, 0o440, "{name}"));
        workload.container().volume_mounts.iter().for_each(|mount| assert!(mount.read_only, "{name}"));
    }
}

#[test]
fn a_pod_is_probed_where_it_answers_and_has_time_to_start_and_to_stop() {
    let manifests = Manifests::read();
    let mut paths = BTreeSet::new();
    for workload in manifests.workloads() {
        let (name, container) = (&workload.metadata.name, workload.container());
        let Container { startup_probe, liveness_probe, readiness_probe, .. } = container;
        for probe in [startup_probe, liveness_probe, readiness_probe] {
            assert_eq!(probe.http_get.port, container.ports[0].name, "{name}");
            paths.insert(&*probe.http_get.path);
        }
        assert_eq!([&*liveness_probe.http_get.path, &readiness_probe.http_get.path], ["/healthz", "/readyz"], "{name}");
        assert!(startup_probe.period_seconds * startup_probe.failure_threshold > START_SECONDS, "{name}");
        // A process says for five seconds that it is about to end.
        assert!(readiness_probe.period_seconds * readiness_probe.failure_threshold <= 5, "{name}");
        assert!(workload.spec.template.spec.termination_grace_period_seconds > STOP_SECONDS, "{name}");
    }
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    for path in paths {
        assert_eq!(server.send("GET", path, &[], None).status, 200, "{path}");
    }
    server.stop();
}

#[test]
fn objects_find_each_other() {
    let manifests = Manifests::read();
    for Workload { api_version, metadata, spec } in manifests.workloads() {
        assert_eq!(
            (&**api_version, &*spec.template.spec.containers[0].name),
            ("apps/v1", "saidso"),
            "{}",
            metadata.name
        );
        assert_eq!(spec.selector.match_labels, spec.template.metadata.labels, "{}", metadata.name);
        assert_eq!(spec.selector.match_labels, metadata.labels, "{}", metadata.name);
        let same = manifests.workloads().filter(|other| other.spec.selector.match_labels == metadata.labels);
        assert_eq!(same.count(), 1, "two have the labels of {}", metadata.name);
    }
    for Service { api_version, metadata, spec } in &manifests.services {
        let name = &metadata.name;
        assert_eq!(api_version, "v1", "{name}");
        assert_eq!(spec.selector, metadata.labels, "{name}");
        let chosen =
            |workload: &&Workload| spec.selector.iter().all(|pair| workload.metadata.labels.iter().any(|l| l == pair));
        let chosen: Vec<_> = manifests.workloads().filter(chosen).collect();
        assert!(!chosen.is_empty(), "{name} chooses nobody");
        for workload in chosen {
            let ContainerPort { name: port, container_port } = &workload.container().ports[0];
            assert_eq!((&spec.ports[0].target_port, spec.ports[0].port), (port, *container_port), "{name}");
            assert_eq!(spec.ports[0].name, *port, "{name}");
            let asked = spec.cluster_ip.is_none();
            assert!(!asked || answers(&workload.process().read().0), "{name} leads to who answers nothing");
        }
    }
    let asked: BTreeSet<_> = manifests
        .services
        .iter()
        .filter(|service| service.spec.cluster_ip.is_none())
        .map(|service| &*service.metadata.name)
        .collect();
    assert_eq!(asked, ["intake", "recall"].into());
}
