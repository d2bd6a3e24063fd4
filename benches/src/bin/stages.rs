//! Each step of the way on its own, on a real Kafka and CQL store, beside what the same servers do with the same bytes
//! and no guarantees, in the same run: intake and write beside bare prepared statements, extract, ground and embed
//! beside a bare transactional copy loop over the topic they read.
//!
//! `stages [--turns N] [--partitions N] [--keys cold|warm]`; without these 20,000 turns, 1, 2 and 4 partitions, both
//! ways. *Cold*: the process has just started and knows no key; *warm*: it knows the keys of the turns, as one does that
//! runs all stages. In both it has to take every space over.

use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
    hint::black_box,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use saidso_benches::{
    bare::{self, Bare, Row, Section, TurnBytes},
    bed::{Bed, each},
};
use saidso_core::{
    fault::Fault,
    limits,
    ports::Extractor as _,
    record::{Origin, Topic},
    scope::Scope,
    turn::{self, SubmittedTurn},
};
use saidso_models::{Builtin, ConstantEmbedder};
use saidso_pipeline::{Rules, Stage, StageCounts};
use saidso_testcontainers::{
    conversations,
    stand::{GENERATION, Stand, rules_with},
};

/// Turns of a customer: enough that a space is not always new, few enough that there are thousands of spaces.
const TURNS_EACH: usize = 5;
/// Rounds in which intake and bare statements take turns, so that whatever else the machine does meets both.
const ROUNDS: usize = 8;
/// Turns of the run before the first, which is not counted: the servers compile themselves first.
const WARM_UP: usize = 4_000;
/// For all of one stage.
const PATIENCE: Duration = Duration::from_secs(1_200);

fn main() -> Result<(), Box<dyn Error>> {
    let (mut turns, mut partitions, mut keys) = (20_000_usize, vec![1, 2, 4], vec![false, true]);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match (word.as_str(), value.as_str()) {
            ("--turns", value) => turns = value.parse()?,
            ("--partitions", value) => partitions = vec![value.parse()?],
            ("--keys", "cold") => keys = vec![false],
            ("--keys", "warm") => keys = vec![true],
            _ => return Err(format!("{word} {value} is no option of this program").into()),
        }
    }
    let said = conversations::turns(7, turns.div_ceil(TURNS_EACH), TURNS_EACH);
    extractor(&said)?;
    Run::new(1, &said[..WARM_UP.min(said.len())], true)?.all()?;
    println!(
        "\n| partitions | step | keys | bare/s | Saidso/s | of it | busy, µs | committing, µs | records in a commit |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for partitions in partitions {
        for warm in &keys {
            for line in Run::new(partitions, &said, *warm)?.all()? {
                println!("{line}");
            }
        }
    }
    Ok(())
}

fn rules() -> Result<Rules, Fault> {
    Ok(rules_with(Arc::new(Builtin::new(None, None)?), Arc::new(ConstantEmbedder::new(384))))
}

/// What extract cannot be faster than: the extractor alone, on one thread.
fn extractor(said: &[SubmittedTurn]) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let stand = Stand::embedded(folder.path())?;
    let accept = |turn: &SubmittedTurn| turn::accept(turn.clone(), &stand.ports.names.ids(&stand.scope(&turn.space)));
    let turns = said.iter().map(accept).collect::<Result<Vec<_>, _>>()?;
    let extractor = Builtin::new(None, None)?;
    let started = Instant::now();
    for turn in &turns {
        black_box(extractor.extract(&turn.body)?);
    }
    let took = started.elapsed();
    println!(
        "{} turns; the extractor alone, one thread: {:.1} µs a turn, {:.0} turns/s",
        turns.len(),
        took.as_secs_f64() * 1e6 / turns.len() as f64,
        turns.len() as f64 / took.as_secs_f64()
    );
    Ok(())
}

/// One way through all steps.
struct Run<'a> {
    bed: Bed,
    bare: Bare,
    said: &'a [SubmittedTurn],
    warm: bool,
    lines: Vec<String>,
}

impl<'a> Run<'a> {
    fn new(partitions: u32, said: &'a [SubmittedTurn], warm: bool) -> Result<Self, Box<dyn Error>> {
        let bed = Bed::new(partitions);
        // The keyspace is there once a process has opened it.
        drop(bed.open()?);
        let bare = Bare::open(&bed.data.cql, &bed.data.name)?;
        Ok(Self { bed, bare, said, warm, lines: Vec::new() })
    }

    fn all(mut self) -> Result<Vec<String>, Box<dyn Error>> {
        let spaces = self.intake()?;
        self.transform(Stage::Extract, Topic::Turns, &spaces)?;
        self.transform(Stage::Ground, Topic::Candidates, &spaces)?;
        self.transform(Stage::Embed, Topic::Grounded, &spaces)?;
        self.write(&spaces)?;
        Ok(self.lines)
    }

    fn line(&mut self, step: &str, keys: &str, bare: f64, ours: f64, counts: Option<&StageCounts>) {
        let counts = counts.map_or_else(
            || "| | ".to_owned(),
            |StageCounts { records, batches, busy, committing, .. }| {
                let each = |time: &Duration| time.as_secs_f64() * 1e6 / *records as f64;
                format!("{:.1} | {:.1} | {:.0}", each(busy), each(committing), *records as f64 / *batches as f64)
            },
        );
        let (partitions, part) = (self.bed.partitions, 100.0 * ours / bare);
        self.lines.push(format!("| {partitions} | {step} | {keys} | {bare:.0} | {ours:.0} | {part:.0} % | {counts} |"));
    }

    fn keys(&self) -> &'static str {
        if self.warm { "warm" } else { "cold" }
    }

    /// Publishes everything, in rounds beside bare statements of the same bytes.
    fn intake(&mut self) -> Result<Vec<Scope>, Box<dyn Error>> {
        let stand = self.bed.open()?;
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut spaces = Vec::new();
        for turn in self.said {
            numbers.entry(&turn.space).or_insert_with(|| {
                spaces.push(stand.scope(&turn.space));
                spaces.len() - 1
            });
        }
        let (mut ours, mut bare) = (Duration::ZERO, Duration::ZERO);
        for round in self.said.chunks(self.said.len().div_ceil(ROUNDS)) {
            let submitted = round.to_vec();
            let started = Instant::now();
            let receipts = stand.publish(submitted);
            ours += started.elapsed();
            let bytes = round.iter().zip(&receipts).map(|(turn, receipt)| {
                let space = numbers[turn.space.as_str()];
                let row = stand.ports.store.turn(&spaces[space], receipt.turn)?;
                Ok(TurnBytes { space, sealed: row.map_or(0, |row| row.sealed.bytes.len()) })
            });
            let bytes = bytes.collect::<Result<Vec<_>, Fault>>()?;
            bare += self.bare.take_in(&bytes)?;
        }
        let rate = |took: Duration| self.said.len() as f64 / took.as_secs_f64();
        let (bare, ours) = (rate(bare), rate(ours));
        self.line("intake", "own", bare, ours, None);
        Ok(spaces)
    }

    /// Runs a stage over all that the one before left, between two bare copies of the same.
    fn transform(&mut self, stage: Stage, reads: Topic, spaces: &[Scope]) -> Result<(), Box<dyn Error>> {
        let topic = self.bed.topic(reads.name());
        let copy =
            || bare::copy(&self.bed.data.kafka, &topic, self.bed.partitions, self.said.len(), limits::BATCH_RECORDS);
        let before = copy()?;
        let (rate, counts) = self.stage(stage, reads, spaces)?;
        let bare = (before + copy()?) / 2.0;
        self.line(&format!("{stage:?}").to_lowercase(), self.keys(), bare, rate, Some(&counts));
        Ok(())
    }

    /// Turns a second, from the end of the first commit on, and what was counted.
    fn stage(&self, stage: Stage, reads: Topic, spaces: &[Scope]) -> Result<(f64, StageCounts), Box<dyn Error>> {
        let stand = self.bed.open()?;
        if self.warm {
            each(spaces, |scope| know(&stand, scope))?;
        }
        let running = saidso_pipeline::start(&stand.ports, rules()?, GENERATION, &[stage])?;
        let (deadline, all) = (Instant::now() + PATIENCE, self.said.len() as u64);
        let mut first = None;
        loop {
            let counts = running.counts().stages.remove(&Origin::Topic(reads)).unwrap_or_default();
            if counts.records > 0 {
                let (before, since) = *first.get_or_insert((counts.records, Instant::now()));
                if counts.records >= all {
                    let took = since.elapsed().as_secs_f64();
                    running.stop();
                    return Ok(((all - before) as f64 / took, counts));
                }
            }
            if running.fault().is_some() || Instant::now() > deadline {
                return Err(format!("{stage:?} stopped after {} records: {:?}", counts.records, running.fault()).into());
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Writes everything, and then the same as bare batches.
    fn write(&mut self, spaces: &[Scope]) -> Result<(), Box<dyn Error>> {
        let (ours, counts) = self.stage(Stage::Write, Topic::Embedded, spaces)?;
        let stand = self.bed.open()?;
        let sections: Vec<Vec<Section>> = {
            let numbers: HashMap<&Scope, usize> =
                spaces.iter().enumerate().map(|(number, scope)| (scope, number)).collect();
            each(spaces, |scope| sections(&stand, scope, numbers[scope]))?
        };
        // As they came: a turn of each space, and then the next.
        let longest = sections.iter().map(Vec::len).max().unwrap_or_default();
        let in_order: Vec<Section> =
            (0..longest).flat_map(|at| sections.iter().filter_map(move |of| of.get(at).cloned())).collect();
        let bare = in_order.len() as f64 / self.bare.write(&in_order)?.as_secs_f64();
        self.line("write", self.keys(), bare, ours, Some(&counts));
        Ok(())
    }
}

/// Has a process know the keys of a space's turns.
fn know(stand: &Stand, scope: &Scope) -> Result<(), Fault> {
    let ids: Vec<_> = stand.ports.store.turns(scope)?.into_iter().map(|row| row.sealed.key).collect();
    stand.ports.keys.warm(scope, &ids);
    ids.iter().try_for_each(|id| stand.ports.keys.key(scope, *id).map(drop))
}

/// What was written of a space, turn by turn.
fn sections(stand: &Stand, scope: &Scope, space: usize) -> Result<Vec<Section>, Fault> {
    let mut turns: BTreeMap<_, Section> = BTreeMap::new();
    for row in stand.ports.store.turns(scope)? {
        let drops = row.drops.map(|drops| drops.bytes.len());
        turns.insert(row.turn, Section { space, drops, rows: Vec::new() });
    }
    for observation in stand.ports.store.rows(scope, GENERATION)?.observations {
        let row = Row { sealed: observation.bytes() + 70 };
        turns.entry(observation.row().turn).or_default().rows.push(row);
    }
    Ok(turns.into_values().collect())
}
