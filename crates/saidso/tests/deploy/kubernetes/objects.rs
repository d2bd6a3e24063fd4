//! The kinds of objects that the manifests have, with the fields that they set.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

pub type Labels = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(tag = "kind")]
pub enum Object {
    StatefulSet(Workload),
    Deployment(Workload),
    Service(Service),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Workload {
    pub api_version: String,
    pub metadata: Named,
    pub spec: WorkloadSpec,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Named {
    pub name: String,
    pub labels: Labels,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkloadSpec {
    pub replicas: u32,
    pub service_name: Option<String>,
    pub pod_management_policy: Option<String>,
    pub selector: Selector,
    pub template: Template,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Selector {
    pub match_labels: Labels,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    pub metadata: Labelled,
    pub spec: Pod,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labelled {
    pub labels: Labels,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pod {
    pub automount_service_account_token: bool,
    pub termination_grace_period_seconds: u32,
    pub security_context: PodSecurity,
    pub containers: [Container; 1],
    pub volumes: Vec<Volume>,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PodSecurity {
    pub run_as_non_root: bool,
    pub run_as_user: u32,
    pub run_as_group: u32,
    pub fs_group: u32,
    pub seccomp_profile: Seccomp,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Seccomp {
    pub r#type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Container {
    pub name: String,
    pub image: String,
    pub args: Vec<String>,
    pub env: Vec<Variable>,
    pub ports: [ContainerPort; 1],
    pub startup_probe: Probe,
    pub liveness_probe: Probe,
    pub readiness_probe: Probe,
    pub resources: Resources,
    pub security_context: Security,
    pub volume_mounts: Vec<Mount>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContainerPort {
    pub name: String,
    pub container_port: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Probe {
    pub http_get: Get,
    pub period_seconds: u32,
    pub failure_threshold: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Get {
    pub path: String,
    pub port: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    pub requests: Requests,
    pub limits: Limits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requests {
    pub cpu: String,
    pub memory: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub memory: String,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Security {
    pub allow_privilege_escalation: bool,
    pub read_only_root_filesystem: bool,
    pub capabilities: Capabilities,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    pub drop: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mount {
    pub name: String,
    pub mount_path: PathBuf,
    pub read_only: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Volume {
    pub name: String,
    pub secret: Secret,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Secret {
    pub secret_name: String,
    pub default_mode: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Service {
    pub api_version: String,
    pub metadata: Named,
    pub spec: ServiceSpec,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServiceSpec {
    #[serde(rename = "clusterIP")]
    pub cluster_ip: Option<String>,
    pub selector: Labels,
    pub ports: [ServicePort; 1],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServicePort {
    pub name: String,
    pub port: u16,
    pub target_port: String,
}
