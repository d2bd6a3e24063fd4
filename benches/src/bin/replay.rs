//! Publishes a whole set of dialogues through all stages, thrice: once; twice over, shuffled within each customer; and
//! compares the logical exports. Prints turns per second and where the time goes.
//!
//! `replay [--data DIR] [--set NAME] [--dialogues N] [--embedder constant|e5] [--model FILE]`

use std::{
    collections::BTreeMap,
    error::Error,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use saidso_benches::dialogues;
use saidso_core::{ports::Embedder, turn::SubmittedTurn};
use saidso_models::{Builtin, ConstantEmbedder, e5::E5};
use saidso_pipeline::{Counts, Rules};
use saidso_testcontainers::{
    conversations::Dice,
    stand::{Stand, rules_with},
};

struct Options {
    data: PathBuf,
    set: String,
    dialogues: usize,
    embedder: String,
    model: Option<PathBuf>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        data: "../shared/data".into(),
        set: "replay_taskmaster4_en".into(),
        dialogues: usize::MAX,
        embedder: "constant".into(),
        model: std::env::var_os("SAIDSO_MODEL").map(PathBuf::from),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match word.as_str() {
            "--data" => options.data = value.into(),
            "--set" => options.set = value,
            "--dialogues" => options.dialogues = value.parse()?,
            "--embedder" => options.embedder = value,
            "--model" => options.model = Some(value.into()),
            other => return Err(format!("{other} is no option of this program").into()),
        }
    }
    Ok(options)
}

struct Run {
    exports: BTreeMap<String, Vec<String>>,
    published: Duration,
    whole: Duration,
    counts: Counts,
    bytes: u64,
}

fn run(turns: &[SubmittedTurn], times: usize, rules: Rules) -> Result<Run, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let stand = Stand::embedded(folder.path())?;
    let running = stand.start(rules)?;
    let started = Instant::now();
    for _ in 0..times {
        for chunk in turns.chunks(1024) {
            stand.publish(chunk.to_vec());
        }
    }
    let published = started.elapsed();
    if !running.idle(Duration::from_secs(24 * 3600)) {
        return Err(format!("the stages ended: {:?}", running.fault()).into());
    }
    let (whole, counts) = (started.elapsed(), running.counts());
    running.stop();
    let mut exports = BTreeMap::new();
    for turn in turns {
        if !exports.contains_key(&turn.space) {
            exports.insert(turn.space.clone(), stand.export(&turn.space));
        }
    }
    Ok(Run { exports, published, whole, counts, bytes: size(folder.path())? })
}

fn size(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.path().is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

fn rules(options: &Options) -> Result<Rules, Box<dyn Error>> {
    let embedder: Arc<dyn Embedder> = match (options.embedder.as_str(), &options.model) {
        ("constant", _) => Arc::new(ConstantEmbedder::new(384)),
        ("e5", Some(model)) => Arc::new(E5::load(model)?),
        ("e5", None) => return Err("e5 wants its weights: --model FILE, or SAIDSO_MODEL".into()),
        (other, _) => return Err(format!("{other} is no embedder of this program").into()),
    };
    Ok(rules_with(Arc::new(Builtin::new(None, None)?), embedder))
}

fn report(name: &str, turns: usize, run: &Run) {
    let seconds = run.whole.as_secs_f64();
    println!(
        "\n{name}: {turns} turns in {seconds:.2} s, {:.0} turns/s (published after {:.2} s), {} observations, {} MB on disk",
        turns as f64 / seconds,
        run.published.as_secs_f64(),
        run.counts.observations,
        run.bytes / 1_000_000
    );
    println!("{:20} {:>9} {:>8} {:>9} {:>9}", "stage reading", "records", "batches", "busy s", "commit s");
    for (topic, stage) in &run.counts.stages {
        println!(
            "{:20} {:>9} {:>8} {:>9.2} {:>9.2}",
            topic.name(),
            stage.records,
            stage.batches,
            stage.busy.as_secs_f64(),
            stage.committing.as_secs_f64()
        );
    }
    println!("drops: {:?}", run.counts.drops);
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let mut dialogues = dialogues::turns(&options.data, &options.set, options.dialogues)?;
    let in_order = dialogues.concat();
    println!("{}: {} dialogues, {} turns", options.set, dialogues.len(), in_order.len());

    let once = run(&in_order, 1, rules(&options)?)?;
    report("once", in_order.len(), &once);
    let twice = run(&in_order, 2, rules(&options)?)?;
    report("twice", 2 * in_order.len(), &twice);
    let mut dice = Dice::new(20_261_130);
    dialogues.iter_mut().for_each(|dialogue| dice.shuffle(dialogue));
    dice.shuffle(&mut dialogues);
    let shuffled = dialogues.concat();
    let shuffled = run(&shuffled, 1, rules(&options)?)?;
    report("shuffled", in_order.len(), &shuffled);

    let memories: usize = once.exports.values().map(Vec::len).sum();
    println!("\n{memories} memories in {} spaces", once.exports.len());
    println!("twice equals once: {}", twice.exports == once.exports);
    println!("shuffled equals once: {}", shuffled.exports == once.exports);
    if twice.exports != once.exports || shuffled.exports != once.exports {
        return Err("the logical exports differ".into());
    }
    Ok(())
}
