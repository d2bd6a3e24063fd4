//! The program as many processes on a real Kafka and CQL store, under a storm: a whole set of dialogues, half over HTTP
//! and half on the public topic, shuffled and every eighth turn both ways, while processes are killed and now and then
//! frozen until it is through. Prints turns per second, and whether the logical exports equal the embedded backend's.
//!
//! `storm [--data DIR] [--set NAME] [--dialogues N] [--seed N] [--every SECONDS] [--program FILE]`; `--every 0` is calm.
//! The program is the `saidso` beside this one, unless said otherwise.

use std::{
    error::Error,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use saidso_benches::dialogues;
use saidso_core::turn::SubmittedTurn;
use saidso_testcontainers::{
    conversations::Dice,
    fleet::{self, Exporter, Fleet, Gateway, Role, Settings, Storm, Toll},
    servers::{Service, shared},
    stand::Stand,
};

/// Turns of a request.
const REQUEST: usize = 250;
/// Spaces read at once when the exports are compared.
const READERS: usize = 8;
/// How often it is said how far it is.
const TELL: Duration = Duration::from_secs(20);
/// How often it is looked whether a calm run is through.
const LOOK: Duration = Duration::from_millis(100);
/// For the whole set on two slow cores.
const PATIENCE: Duration = Duration::from_secs(3_600);

struct Options {
    data: PathBuf,
    set: String,
    dialogues: usize,
    seed: u64,
    every: Duration,
    program: PathBuf,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        data: "../shared/data".into(),
        set: "replay_sgd_train_en".into(),
        dialogues: usize::MAX,
        seed: 20_261_130,
        every: Duration::from_secs(3),
        program: std::env::current_exe()?.with_file_name("saidso"),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match word.as_str() {
            "--data" => options.data = value.into(),
            "--set" => options.set = value,
            "--dialogues" => options.dialogues = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--every" => options.every = Duration::from_secs_f64(value.parse()?),
            "--program" => options.program = value.into(),
            other => return Err(format!("{other} is no option of this program").into()),
        }
    }
    if !options.program.exists() {
        let missing = options.program.display();
        return Err(format!("{missing} is not there: cargo build --release -p saidso makes it").into());
    }
    Ok(options)
}

/// What comes over HTTP, and what over Kafka.
fn halves(turns: &[SubmittedTurn], seed: u64) -> [Vec<SubmittedTurn>; 2] {
    let mut dice = Dice::new(seed);
    [0, 1].map(|over| {
        let ours = |(index, _): &(usize, &SubmittedTurn)| index % 2 == over || index % 8 < 1;
        let mut half: Vec<_> = turns.iter().enumerate().filter(ours).map(|(_, turn)| turn.clone()).collect();
        dice.shuffle(&mut half);
        half
    })
}

/// Publishes everything, and comes back when it is through: how long that took, and whom the storm hit.
fn through(
    fleet: &mut Fleet,
    settings: &Settings,
    options: &Options,
    [first, second]: [Vec<SubmittedTurn>; 2],
) -> (Duration, Toll) {
    let started = Instant::now();
    let mut storm = Storm::new(options.seed);
    let took = thread::scope(|scope| {
        let (intake, mut gateway) = (fleet.client(Role::Intake), Gateway::new(settings));
        let publishers = [
            scope.spawn(move || first.chunks(REQUEST).for_each(|turns| drop(intake.publish(turns)))),
            scope.spawn(move || second.chunks(REQUEST).for_each(|turns| gateway.publish(turns))),
        ];
        let mut told = Instant::now();
        for strike in 0.. {
            let publishing = publishers.iter().any(|publisher| !publisher.is_finished());
            let lag = fleet.lag();
            if !publishing && lag.values().all(|records| *records == 0) {
                break;
            }
            if told.elapsed() > TELL {
                told = Instant::now();
                println!("{:>5.0} s: publishing {publishing}, waiting {lag:?}", started.elapsed().as_secs_f64());
            }
            if options.every.is_zero() {
                thread::sleep(LOOK);
                continue;
            }
            match strike {
                5 => fleet.start(Role::Write),
                15 => fleet.retire(Role::Write),
                strike if strike % 8 == 7 => storm.freeze(fleet),
                _ => {}
            }
            storm.kill(fleet, 2 * options.every);
        }
        started.elapsed()
    });
    (took, storm.end(fleet))
}

/// The embedded backend after the same turns.
fn undisturbed(folder: &Path, turns: &[SubmittedTurn]) -> Result<Stand, Box<dyn Error>> {
    let stand = Stand::embedded(folder)?;
    let running = stand.start(fleet::rules())?;
    for turns in turns.chunks(1024) {
        stand.publish(turns.to_vec());
    }
    if !running.idle(PATIENCE) {
        return Err(format!("the stages ended: {:?}", running.fault()).into());
    }
    running.stop();
    Ok(stand)
}

/// Spaces of which the two differ, and all memories of the first.
fn compare<'a>(expected: &Exporter<'_>, found: &Exporter<'_>, spaces: &[&'a str]) -> (Vec<&'a str>, usize) {
    let part = |spaces: &[&'a str]| {
        let (mut differ, mut memories) = (Vec::new(), 0);
        for space in spaces {
            let export = expected.space(space);
            memories += export.memories.len();
            if found.space(space) != export {
                differ.push(*space);
            }
        }
        (differ, memories)
    };
    thread::scope(|scope| {
        let parts = spaces.chunks(spaces.len().div_ceil(READERS)).map(|spaces| scope.spawn(move || part(spaces)));
        let parts: Vec<_> = parts.collect();
        let (mut differ, mut memories) = (Vec::new(), 0);
        for part in parts {
            let (of_part, its_memories) = part.join().expect("a space that was written can be read");
            differ.extend(of_part);
            memories += its_memories;
        }
        (differ, memories)
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let turns = dialogues::turns(&options.data, &options.set, options.dialogues)?.concat();
    let mut spaces: Vec<&str> = turns.iter().map(|turn| turn.space.as_str()).collect();
    spaces.dedup();
    println!("seed {}; {}: {} dialogues, {} turns", options.seed, options.set, spaces.len(), turns.len());

    let folder = tempfile::tempdir()?;
    let alone = undisturbed(folder.path(), &turns)?;
    let settings = Settings::new(shared(Service::Kafka).address(), shared(Service::Cql).address());
    let together = settings.open()?;
    let mut fleet = Fleet::crew(&options.program, &settings);
    let (took, toll) = through(&mut fleet, &settings, &options, halves(&turns, options.seed));
    // Who was frozen to the end wakes up once more.
    fleet.settle(PATIENCE);

    let seconds = took.as_secs_f64();
    println!("through after {seconds:.1} s, {:.0} turns/s", turns.len() as f64 / seconds);
    println!("killed {} times: {:?}", toll.kills.values().sum::<usize>(), toll.kills);
    println!("frozen {} times: {:?}", toll.freezes.values().sum::<usize>(), toll.freezes);
    let (differ, memories) = compare(&Exporter::of(&alone), &Exporter::of(&together), &spaces);
    let dead = together.ports.dead.list(1)?.len();
    println!("{memories} memories; equal: {}; set aside: {}", differ.is_empty(), dead > 0);
    if !differ.is_empty() || dead > 0 {
        return Err(format!("{} spaces differ, the first of them {:?}", differ.len(), differ.first()).into());
    }
    Ok(())
}
