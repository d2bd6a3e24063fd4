//! The wiring: the only place that names concrete backends and models. What the house does is in `operations.rs`.

mod backend;
mod disk;
mod embedder;
mod forgetting;
mod health;
mod operations;
mod reviews;
mod sessions;
mod synthesis;

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use saidso_core::{
    access::Gateways,
    fault::{Fault, Remedy},
    fold,
    ids::Names,
    ports::{Extractor, Submissions, Synthesizer},
    record::Origin,
    seal::Generation,
};
use saidso_embedded::Embedded;
use saidso_models::{
    Builtin, Extractive,
    lanes::{Lane, Lanes},
};
use saidso_pipeline::{Forgetting, Gateway, Intake, Keep, Ports, Rules, Running, Stage};
use saidso_recall::{Provenance, Recall, Settings, Sources};
use sha2::{Digest, Sha256};

use self::{
    backend::{Backend, patiently},
    disk::Disk,
};
use crate::{
    config::{Config, Tenant},
    failure::Failure,
    metrics::{Recalling, Stages},
    problem::Problem,
    tokens,
};

/// The one generation there is until replay makes others.
const GENERATION: Generation = Generation(1);

/// What a process does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles {
    /// The stages it runs.
    pub stages: Vec<Stage>,
    /// It takes turns from the public topic, where there is one.
    pub gateway: bool,
    /// It answers recalls and takes turns and commands over HTTP.
    pub answers: bool,
}

impl Roles {
    /// Everything.
    pub fn all() -> Self {
        Self { stages: Stage::ALL.to_vec(), gateway: true, answers: true }
    }

    /// Recall, without stages.
    pub fn recall() -> Self {
        Self { stages: Vec::new(), gateway: false, answers: true }
    }

    /// One stage.
    pub fn stage(stage: Stage) -> Self {
        Self { stages: vec![stage], gateway: false, answers: false }
    }

    /// Intake, without the stages that follow.
    pub fn intake() -> Self {
        Self { stages: Vec::new(), gateway: true, answers: true }
    }
}

/// What one process does, on one backend.
pub struct House {
    intake: Intake,
    recall: Option<Recall>,
    forgetting: Option<Forgetting>,
    running: Running,
    lanes: Arc<Lanes>,
    synthesizer: Arc<dyn Synthesizer>,
    ports: Ports,
    submissions: Option<Arc<dyn Submissions>>,
    disk: Arc<Disk>,
    /// The names of the tenants that tokens speak for.
    tenants: BTreeSet<String>,
    /// The first fault that a request met and that nothing may go on after.
    met: OnceLock<Fault>,
}

impl House {
    /// Whether there is a data folder at the path, rather than one to be made.
    pub fn stands(data: &Path) -> bool {
        Embedded::stands(data)
    }

    /// Opens the backend and takes on the roles. Refuses if a data folder is held or damaged, or its memories were made
    /// with another embedder, extractor or rules.
    pub fn open(config: &Config, roles: &Roles) -> Result<Self, Failure> {
        let lanes = embedder::load(config)?;
        let Backend { ports, submissions, disk } = Backend::open(config)?;
        let rules = rules(config, &ports.names, &lanes)?;
        let provenance =
            Provenance { extractor: rules.extractor.id().to_owned(), embedder: rules.embedder.id().to_owned() };
        let keep = keep(config, &ports.names);
        let lets_go = roles.answers && !keep.is_for_good();
        let intake = Intake::new(ports.clone(), rules.fold, GENERATION).keeping(keep);
        let start = || saidso_pipeline::start(&ports, rules.clone(), GENERATION, &roles.stages);
        let mut running = patiently("the stages", start)?;
        if let (true, Some(submissions)) = (roles.gateway, &submissions) {
            let gateways = Gateways::new(tokens::tenants(config));
            running.take_in(Gateway::new(intake.clone(), gateways), submissions.as_ref())?;
        }
        if lets_go {
            running.let_go(intake.clone())?;
        }
        // Whoever asks to forget waits for the answer.
        let asked = Rules { embedder: lanes.lane(Lane::Query), ..rules.clone() };
        let door = || Forgetting::new(ports.clone(), asked, GENERATION, intake.clone());
        let forgetting = roles.answers.then(door);
        let recall = match roles.answers {
            true => {
                let sources = Sources {
                    store: ports.store.clone(),
                    keys: ports.keys.clone(),
                    hits: ports.hits.clone(),
                    reviews: ports.reviews.clone(),
                    changes: ports.changes.clone(),
                    embedder: lanes.lane(Lane::Query),
                    names: ports.names.clone(),
                    clock: ports.clock.clone(),
                    entropy: ports.entropy.clone(),
                };
                let own = |(name, tenant): (&String, &Tenant)| Some((ports.names.tenant(name), tenant.slots.clone()?));
                let settings = Settings {
                    decay: config.memory.decay,
                    slots: config.tenants.iter().filter_map(own).collect(),
                    history_days: config.memory.history_days,
                    memory_bytes: config.recall_memory_bytes,
                    sessions: config.memory.sessions,
                    ..Settings::new(GENERATION, provenance, rules.fold)
                };
                Some(patiently("the changes", || Recall::start(sources.clone(), settings.clone()))?)
            }
            false => None,
        };
        let tenants = tokens::tenants(config);
        let synthesizer = Arc::new(Extractive);
        Ok(Self {
            intake,
            recall,
            forgetting,
            running,
            lanes,
            synthesizer,
            ports,
            submissions,
            disk,
            tenants,
            met: OnceLock::new(),
        })
    }

    /// Recall; only a process that answers has it.
    fn recall_here(&self) -> Result<&Recall, Problem> {
        self.recall.as_ref().ok_or(Problem::NoSuchRoute)
    }

    /// It answers requests, rather than only running stages.
    pub fn answers(&self) -> bool {
        self.recall.is_some()
    }

    /// Why the house must close, if it must: a stage ended by itself, or a request met what no stage may go on after.
    pub fn fault(&self) -> Option<Fault> {
        self.running.fault().or_else(|| self.met.get().cloned())
    }

    /// The disk refused the last write not long ago. Reads go on.
    pub fn disk_refuses(&self) -> bool {
        self.disk.refuses()
    }

    /// Changes of spaces that recall had not heard of when it last looked; `None`: nobody could say, or it answers nothing.
    pub fn behind(&self) -> Option<u64> {
        self.recall.as_ref().and_then(Recall::behind)
    }

    /// Looks at a result on its way out.
    fn noting<T, E: Into<Problem>>(&self, result: Result<T, E>) -> Result<T, Problem> {
        let result = result.map_err(Into::into);
        if let Err(Problem::Fault(fault)) = &result
            && fault.remedy == Remedy::Stop
        {
            // Only the first counts; the others follow from it.
            let _ = self.met.set(fault.clone());
        }
        result
    }

    /// What the stages did, and what waits for them.
    pub fn stages(&self) -> Result<Stages, Problem> {
        // Left out while the log does not answer: the other counts are wanted then most of all.
        let mut lag: Vec<(Origin, u64)> = Vec::new();
        if let Ok(topics) = self.running.lag() {
            lag.extend(topics.into_iter().map(|(topic, records)| (topic.into(), records)));
            let waiting = self.submissions.as_ref().and_then(|submissions| submissions.waiting().ok());
            lag.extend(waiting.map(|records| (Origin::Completed, records)));
        }
        Ok(Stages {
            counts: self.running.counts(),
            lag,
            recall: self.recall.as_ref().map(Recalling::of),
            standings: self.standings(),
            lanes: Lane::ALL.map(|lane| (lane, self.lanes.counts(lane))),
            ready: self.fault().is_none() && !self.disk_refuses(),
        })
    }

    /// Waits until everything published is through the stages.
    pub fn settle(&self, patience: Duration) -> Result<(), Failure> {
        if self.running.idle(patience) {
            return Ok(());
        }
        match self.fault() {
            Some(fault) => Err(fault.into()),
            None => Err(Failure::NotIdle { seconds: patience.as_secs() }),
        }
    }

    /// Ends the stages after the batch in hand, and gives the folder back.
    pub fn stop(self) {
        drop(self.recall);
        self.running.stop();
    }
}

/// How long each tenant's messages are kept.
fn keep(config: &Config, names: &Names) -> Keep {
    let own = |(name, tenant): (&String, &Tenant)| Some((names.tenant(name), tenant.keep_messages_days?));
    Keep { days: config.memory.keep_messages_days, by_tenant: config.tenants.iter().filter_map(own).collect() }
}

/// The built-in extractor for every tenant, and one of its own for each that names slots.
fn rules(config: &Config, names: &Names, lanes: &Arc<Lanes>) -> Result<Rules, Fault> {
    let (embedder, backlog) = (lanes.lane(Lane::Live), lanes.lane(Lane::Replay));
    let mut by_tenant: HashMap<_, Arc<dyn Extractor>> = HashMap::new();
    let mut digest = Sha256::new();
    for (name, tenant) in &config.tenants {
        let Some(slots) = &tenant.slots else { continue };
        // Length before content, so that no two configurations read alike.
        let text = serde_json::to_vec(&(name, slots)).unwrap_or_default();
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(&text);
        let extractor = Builtin::new(Some(slots.clone()), Some(embedder.clone()))?;
        by_tenant.insert(names.tenant(name), Arc::new(extractor));
    }
    let configuration = match by_tenant.is_empty() {
        true => "slots/none".to_owned(),
        false => {
            let hex: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            format!("slots/{hex}")
        }
    };
    let extractor = Arc::new(Builtin::new(None, Some(embedder.clone()))?);
    let fold = fold::Rules {
        conflict_days: config.memory.conflict_days,
        contested: config.memory.contested,
        ..fold::Rules::new(embedder.calibration())
    };
    Ok(Rules { extractor, by_tenant, embedder, backlog, fold, configuration })
}
