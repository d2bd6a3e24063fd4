//! A store that is slow, overloaded or away for a while.

use std::time::Duration;

use saidso_core::{
    fault::{Code, Remedy},
    limits::POISON_TRIES,
    record::Origin,
};
use saidso_testcontainers::{distributed::Distributed, stand::rules};

use super::{
    process::{Manner, Process, until},
    story::{Reader, Story, assert_as_undisturbed},
    wire::{Error, Kind, Plan, Wire},
};

/// A process that gives up on the store quickly.
fn hasty() -> Manner {
    Manner { timeout: Duration::from_secs(1), ..Manner::default() }
}

#[test]
fn a_batch_that_lands_long_after_its_client_gave_up_changes_nothing() {
    let data = Distributed::new();
    drop(Process::store(&data).expect("it opens"));
    let wire = Wire::to(&data.cql);
    let through = Distributed { cql: wire.address().to_owned(), ..data.clone() };
    let process = Process::open(&through, &hasty()).and_then(|process| process.start(rules())).expect("it opens");

    // Those of the first turns: by the time they land, words of theirs are forgotten.
    wire.plan(Plan::Hold(2));
    let mut story = Story::of(["late"]);
    story.tell(&process);
    assert_eq!(wire.struck(), 2);
    wire.let_go();
    drop(process);

    let reader = Reader::of(&data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &[story]);
}

#[test]
fn what_the_store_refuses_for_a_while_is_held_and_tried_again() {
    let data = Distributed::new();
    let wire = Wire::to(&data.cql);
    let through = Distributed { cql: wire.address().to_owned(), ..data.clone() };
    let process =
        Process::open(&through, &Manner::default()).and_then(|process| process.start(rules())).expect("it opens");
    let client = Process::open(&data, &Manner { instance: "two", ..Manner::default() }).expect("it opens");

    // A record that fails alone this often would pass for poison.
    let long = 2 + u64::from(POISON_TRIES);
    let refusals = [
        (Kind::Write, Error::Overloaded, long),
        (Kind::Write, Error::WriteTimeout, 1),
        (Kind::Write, Error::Unavailable, 1),
        (Kind::Read, Error::ReadTimeout, long),
        (Kind::Read, Error::Unavailable, 1),
    ];
    let mut stories = Vec::new();
    for (kind, error, times) in refusals {
        let mut story = Story::of([format!("{kind:?} {error:?}")]);
        wire.plan(Plan::Refuse(kind, error, usize::MAX));
        let fault = story.try_part(&process).expect_err("the store refuses");
        assert_eq!((fault.remedy, fault.code), (Remedy::Retry, Code::StoreUnavailable), "{fault}");
        // Its stages meet the same.
        let before = retries(&process);
        story.tell_parts(1, &client, || false).expect("another way is open");
        until("stages that try again", || retries(&process) >= before + times);
        wire.plan(Plan::Pass);
        stories.push(story);
    }
    let mut story = Story::together(stories);
    story.tell(&process);
    drop((process, client));

    let reader = Reader::of(&data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &[story]);
}

/// How often the stages tried again because of the store.
fn retries(process: &Process) -> u64 {
    let counts = process.running().counts();
    let stages = counts.stages.iter().filter(|(reads, _)| matches!(reads, Origin::Topic(_)));
    stages.filter_map(|(_, stage)| stage.retries.get(Code::StoreUnavailable.label())).sum()
}
