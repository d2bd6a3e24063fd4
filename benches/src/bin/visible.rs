//! From publish to visible: publishes one turn at a time and waits until a recall of its space sees it. Says when each
//! step ended, counted from the start of the publish.
//!
//! `visible [--backend embedded|distributed] [--turns N] [--embedder constant|e5] [--model FILE]`; distributed takes
//! real servers, see `testcontainers/servers.sh`.

use std::{
    error::Error,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use saidso_benches::bed::Bed;
use saidso_core::{
    fault::Fault,
    ports::{Commits, Effects, Embedder, Lease},
    record::Topic,
};
use saidso_models::{Builtin, ConstantEmbedder, e5::E5};
use saidso_recall::{Provenance, Recall, Settings, Sources};
use saidso_testcontainers::{
    conversations,
    stand::{GENERATION, Stand, rules_with},
};

/// Partitions on the distributed backend, as the shipped configuration has it.
const PARTITIONS: u32 = 4;
/// Turns that are not counted: processes connect, and servers compile themselves.
const WARM_UP: usize = 60;

/// A commit point that says when it was used.
struct Timed {
    inner: Arc<dyn Commits>,
    times: Mutex<Vec<(Topic, Instant, Instant)>>,
}

impl Timed {
    fn times(&self) -> MutexGuard<'_, Vec<(Topic, Instant, Instant)>> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Commits for Timed {
    fn commit(&self, lease: &Lease, effects: Effects) -> Result<(), Fault> {
        let began = Instant::now();
        self.inner.commit(lease, effects)?;
        self.times().push((lease.topic, began, Instant::now()));
        Ok(())
    }
}

/// What happens to a turn, in order, and how long after the start of its publish.
#[derive(Default)]
struct Steps(Vec<(String, Vec<Duration>)>);

impl Steps {
    fn note(&mut self, step: &str, after: Duration) {
        match self.0.iter_mut().find(|(name, _)| name == step) {
            Some((_, times)) => times.push(after),
            None => self.0.push((step.to_owned(), vec![after])),
        }
    }
}

fn percentile(sorted: &[Duration], hundredths: usize) -> f64 {
    sorted[(sorted.len() * hundredths / 100).min(sorted.len() - 1)].as_secs_f64() * 1e3
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut turns, mut embedder, mut distributed) = (400_usize, "constant".to_owned(), false);
    let mut model = std::env::var_os("SAIDSO_MODEL").map(PathBuf::from);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match (word.as_str(), value.as_str()) {
            ("--turns", value) => turns = value.parse()?,
            ("--embedder", _) => embedder = value,
            ("--model", _) => model = Some(value.into()),
            ("--backend", "embedded") => distributed = false,
            ("--backend", "distributed") => distributed = true,
            _ => return Err(format!("{word} {value} is no option of this program").into()),
        }
    }
    let embedder: Arc<dyn Embedder> = match (embedder.as_str(), model) {
        ("constant", _) => Arc::new(ConstantEmbedder::new(384)),
        ("e5", Some(model)) => Arc::new(E5::load(&model)?),
        (other, _) => return Err(format!("{other}: constant, or e5 with --model FILE").into()),
    };

    let folder = tempfile::tempdir()?;
    let mut stand = if distributed { Bed::new(PARTITIONS).open()? } else { Stand::embedded(folder.path())? };
    let timed = Arc::new(Timed { inner: stand.ports.commits.clone(), times: Mutex::default() });
    stand.ports.commits = timed.clone();
    let running = stand.start(rules_with(Arc::new(Builtin::new(None, None)?), embedder.clone()))?;
    let ports = &stand.ports;
    let sources = Sources {
        store: ports.store.clone(),
        keys: ports.keys.clone(),
        hits: ports.hits.clone(),
        reviews: ports.reviews.clone(),
        changes: ports.changes.clone(),
        embedder: embedder.clone(),
        names: ports.names.clone(),
        clock: ports.clock.clone(),
        entropy: ports.entropy.clone(),
    };
    let provenance = Provenance { extractor: "builtin".into(), embedder: embedder.id().into() };
    let recall = Recall::start(
        sources,
        Settings::new(GENERATION, provenance, saidso_core::fold::Rules::new(embedder.calibration())),
    )?;

    let mut steps = Steps::default();
    let said = conversations::turns(5, 6, (turns + WARM_UP).div_ceil(6));
    for (at, turn) in said.into_iter().enumerate() {
        let scope = stand.scope(&turn.space);
        timed.times().clear();
        let started = Instant::now();
        let receipt = stand.publish(vec![turn]).remove(0);
        let published = started.elapsed();
        if !recall.wait(&scope, receipt.position, Duration::from_secs(30))? {
            return Err(format!("a turn did not become visible in 30 s: {:?}", running.fault()).into());
        }
        let visible = started.elapsed();
        // A commit may be seen, and acted on, before the thread that waits for its answer runs again.
        while timed.times().len() < Topic::ALL.len() {
            thread::sleep(Duration::from_millis(1));
        }
        if at < WARM_UP {
            continue;
        }
        steps.note("publish answered (durable)", published);
        let mut times = timed.times().clone();
        times.sort_unstable();
        for (topic, began, ended) in times {
            let stage = match topic {
                Topic::Turns => "extract",
                Topic::Candidates => "ground",
                Topic::Grounded => "embed",
                Topic::Embedded => "write",
            };
            steps.note(&format!("{stage}: commit begins"), began.saturating_duration_since(started));
            steps.note(&format!("{stage}: committed"), ended.saturating_duration_since(started));
        }
        steps.note("visible to recall", visible);
    }
    let counts = running.counts();
    running.stop();
    println!(
        "{} turns, one at a time, {}, {}",
        turns,
        embedder.id(),
        if distributed { "distributed" } else { "embedded" }
    );
    println!("{:28} {:>8} {:>8} {:>8}", "ms after the start", "p50", "p95", "p99");
    for (name, mut times) in steps.0 {
        times.sort();
        let [p50, p95, p99] = [50, 95, 99].map(|hundredths| percentile(&times, hundredths));
        println!("{name:28} {p50:>8.2} {p95:>8.2} {p99:>8.2}");
    }
    println!("{:28} {:>8} {:>8}", "ms a record, mean", "busy", "commit");
    for (topic, stage) in &counts.stages {
        let each = |time: Duration| time.as_secs_f64() * 1e3 / stage.records as f64;
        println!("{:28} {:>8.2} {:>8.2}", topic.name(), each(stage.busy), each(stage.committing));
    }
    Ok(())
}
