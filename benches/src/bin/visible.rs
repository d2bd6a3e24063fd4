//! From publish to visible: publishes one turn at a time and waits until a recall of its space sees it.
//!
//! `visible [--turns N] [--embedder constant|e5] [--model FILE]`

use std::{
    error::Error,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use saidso_core::ports::Embedder;
use saidso_models::{Builtin, ConstantEmbedder, e5::E5};
use saidso_recall::{Provenance, Recall, Settings, Sources};
use saidso_testcontainers::{
    conversations,
    stand::{GENERATION, Stand, rules_with},
};

fn percentile(sorted: &[Duration], hundredths: usize) -> f64 {
    sorted[(sorted.len() * hundredths / 100).min(sorted.len() - 1)].as_secs_f64() * 1e3
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut turns, mut embedder) = (400_usize, "constant".to_owned());
    let mut model = std::env::var_os("SAIDSO_MODEL").map(PathBuf::from);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match word.as_str() {
            "--turns" => turns = value.parse()?,
            "--embedder" => embedder = value,
            "--model" => model = Some(value.into()),
            other => return Err(format!("{other} is no option of this program").into()),
        }
    }
    let embedder: Arc<dyn Embedder> = match (embedder.as_str(), model) {
        ("constant", _) => Arc::new(ConstantEmbedder::new(384)),
        ("e5", Some(model)) => Arc::new(E5::load(&model, 2)?),
        (other, _) => return Err(format!("{other}: constant, or e5 with --model FILE").into()),
    };

    let folder = tempfile::tempdir()?;
    let stand = Stand::embedded(folder.path())?;
    let extractor = Arc::new(Builtin::new(None, None)?);
    let running = stand.start(rules_with(extractor, embedder.clone()))?;
    let ports = &stand.ports;
    let sources = Sources {
        store: ports.store.clone(),
        keys: ports.keys.clone(),
        changes: ports.changes.clone(),
        embedder: embedder.clone(),
        names: ports.names.clone(),
        clock: ports.clock.clone(),
    };
    let provenance = Provenance { extractor: "builtin".into(), embedder: embedder.id().into() };
    let recall = Recall::start(sources, Settings::new(GENERATION, provenance))?;

    let (mut publish, mut visible) = (Vec::new(), Vec::new());
    for turn in conversations::turns(5, 6, turns.div_ceil(6)) {
        let scope = stand.scope(&turn.space);
        let started = Instant::now();
        let receipt = stand.publish(vec![turn]).remove(0);
        publish.push(started.elapsed());
        if !recall.wait(&scope, receipt.position, Duration::from_secs(30))? {
            return Err("a turn did not become visible in 30 s".into());
        }
        visible.push(started.elapsed());
    }
    running.stop();
    publish.sort();
    visible.sort();
    println!("{} turns, one at a time, {}", visible.len(), embedder.id());
    println!("{:28} {:>8} {:>8} {:>8}", "ms", "p50", "p95", "p99");
    for (name, times) in [("publish answered (durable)", &publish), ("visible to recall", &visible)] {
        let [p50, p95, p99] = [50, 95, 99].map(|hundredths| percentile(times, hundredths));
        println!("{name:28} {p50:>8.2} {p95:>8.2} {p99:>8.2}");
    }
    Ok(())
}
