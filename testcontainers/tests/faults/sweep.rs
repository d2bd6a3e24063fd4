//! Crashes: at every write to the store and at every step of the log, before it and after it.

use std::env;

use saidso_testcontainers::{distributed::Distributed, stand::rules};

use super::{
    process::{Manner, Process},
    story::{Reader, Story, assert_as_undisturbed},
    wire::{Plan, Wire},
};

/// Crashes of a short run. `SAIDSO_FAULTS=all` asks for every one, another value for those with it in their names:
/// `SAIDSO_FAULTS='BeforeWrite(7)'`.
const SHORT: usize = 16;

/// Where a process ends.
#[derive(Debug, Clone, Copy)]
enum Crash {
    /// Before a write reaches the store.
    BeforeWrite(usize),
    /// After it did, before its answer comes.
    AfterWrite(usize),
    /// Before a step of the log, which is after the one before it.
    BeforeStep(usize),
}

impl Crash {
    /// A name for the spaces whose story it cuts short.
    fn name(self) -> String {
        format!("{self:?}")
    }
}

fn open(data: &Distributed) -> Process {
    Process::open(data, &Manner::default()).and_then(|process| process.start(rules())).expect("it opens")
}

#[test]
fn a_crash_at_any_step_ends_where_no_crash_does() {
    let data = Distributed::new();
    let wire = Wire::to(&data.cql);
    let through = Distributed { cql: wire.address().to_owned(), ..data.clone() };

    let mut process = open(&through);
    wire.plan(Plan::Pass);
    let before = process.fuse.passed();
    let mut first = Story::of(["undisturbed"]);
    first.tell(&process);
    let (writes, steps) = (wire.writes(), process.fuse.passed() - before);

    let crashes = chosen(writes, steps);
    let (mut stories, mut struck) = (vec![first], 0);
    for crash in &crashes {
        let mut story = Story::of([crash.name()]);
        match *crash {
            Crash::BeforeWrite(number) => wire.plan(Plan::CutBefore(number)),
            Crash::AfterWrite(number) => wire.plan(Plan::CutAfter(number)),
            Crash::BeforeStep(number) => process.fuse.blow_after(number),
        }
        if story.tell_until(&process, || process.fuse.blown() || wire.is_cut()).is_err() {
            struck += 1;
            drop(process);
            wire.plan(Plan::Pass);
            process = open(&through);
            story.tell(&process);
        }
        wire.plan(Plan::Pass);
        stories.push(story);
    }
    drop(process);
    println!("{writes} writes, {steps} steps of the log: {struck} of {} crashes struck", crashes.len());
    // Batches fall together differently each time, so that there may be fewer steps than there were at first.
    assert!(struck * 2 >= crashes.len(), "most crashes strike");

    let reader = Reader::of(&data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &stories);
}

fn chosen(writes: usize, steps: usize) -> Vec<Crash> {
    let store = (0..writes).flat_map(|number| [Crash::BeforeWrite(number), Crash::AfterWrite(number)]);
    let all: Vec<Crash> = store.chain((0..steps).map(Crash::BeforeStep)).collect();
    match env::var("SAIDSO_FAULTS") {
        Ok(asked) if asked == "all" => return all,
        Ok(asked) => return all.into_iter().filter(|crash| crash.name().contains(&asked)).collect(),
        Err(_) => {}
    }
    // Spread evenly, from a place that nobody chose: over many runs all have their turn.
    let stride = all.len().div_ceil(SHORT);
    let mut random = [0];
    getrandom::fill(&mut random).expect("the operating system gives randomness");
    let first = usize::from(random[0]) % stride;
    all.into_iter().skip(first).step_by(stride).collect()
}
