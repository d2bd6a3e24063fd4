//! The wiring: the only place that names concrete backends and models. What the house does is in `operations.rs`.

mod disk;
mod embedder;
mod operations;

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ids::Names,
    ports::{Embedder, Extractor},
    seal::Generation,
};
use saidso_embedded::{Embedded, Options};
use saidso_models::Builtin;
use saidso_pipeline::{Intake, Ports, Rules, Running};
use saidso_recall::{Provenance, Recall, Settings, Sources};
use sha2::{Digest, Sha256};

use self::disk::Disk;
use crate::{
    clock::SystemClock, config::Config, entropy::SystemEntropy, failure::Failure, metrics::Stages, problem::Problem,
};

/// The one generation there is until replay makes others.
const GENERATION: Generation = Generation(1);

/// Everything of one process: intake, the stages, recall, on one data folder.
pub struct House {
    intake: Intake,
    recall: Recall,
    running: Running,
    ports: Ports,
    disk: Arc<Disk<Embedded>>,
    /// The first fault that a request met and that nothing may go on after.
    met: OnceLock<Fault>,
}

impl House {
    /// Whether there is a data folder at the path, rather than one to be made.
    pub fn stands(data: &Path) -> bool {
        Embedded::stands(data)
    }

    /// Opens the data folder and starts the stages. Refuses if the folder is held, damaged, or its memories were made
    /// with another embedder, extractor or rules.
    pub fn open(config: &Config) -> Result<Self, Failure> {
        let embedder = embedder::load(config)?;
        let entropy = Arc::new(SystemEntropy);
        let embedded = Embedded::open(&config.data, entropy.clone(), Options::default());
        let embedded = Arc::new(embedded.map_err(|fault| match fault.code {
            Code::Held => Failure::Held { path: config.data.clone() },
            _ => Failure::Fault(fault),
        })?);
        let disk = Arc::new(Disk::new(embedded.clone()));
        let ports = Ports {
            keys: embedded.clone(),
            store: embedded.clone(),
            head: disk.clone(),
            topics: embedded.clone(),
            commits: disk.clone(),
            changes: embedded.clone(),
            dead: embedded.clone(),
            generations: embedded.clone(),
            clock: Arc::new(SystemClock),
            entropy,
            names: Arc::new(embedded.names()),
        };
        let rules = rules(config, &ports.names, embedder.clone())?;
        let provenance = Provenance { extractor: rules.extractor.id().to_owned(), embedder: embedder.id().to_owned() };
        let intake = Intake::new(ports.clone(), embedder.calibration(), GENERATION);
        let running = saidso_pipeline::start(&ports, rules, GENERATION)?;
        let sources = Sources {
            store: ports.store.clone(),
            keys: ports.keys.clone(),
            changes: ports.changes.clone(),
            embedder,
            names: ports.names.clone(),
            clock: ports.clock.clone(),
        };
        let settings = Settings { generation: GENERATION, provenance, memory_bytes: config.recall_memory_bytes };
        let recall = Recall::start(sources, settings)?;
        Ok(Self { intake, recall, running, ports, disk, met: OnceLock::new() })
    }

    /// Why the house must close, if it must: a stage ended by itself, or a request met what no stage may go on after.
    pub fn fault(&self) -> Option<Fault> {
        self.running.fault().or_else(|| self.met.get().cloned())
    }

    /// The disk refused the last write not long ago. Reads go on.
    pub fn disk_refuses(&self) -> bool {
        self.disk.refuses()
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
        Ok(Stages {
            counts: self.running.counts(),
            lag: self.running.lag()?,
            recall_bytes: self.recall.bytes(),
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
        self.recall.stop();
        self.running.stop();
    }
}

/// The built-in extractor for every tenant, and one of its own for each that names slots.
fn rules(config: &Config, names: &Names, embedder: Arc<dyn Embedder>) -> Result<Rules, Fault> {
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
    Ok(Rules { extractor, by_tenant, embedder, configuration })
}
