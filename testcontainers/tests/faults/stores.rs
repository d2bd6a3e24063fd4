//! A process whose store is not the one that the topics belong to.

use std::{sync::Barrier, thread};

use saidso_core::fault::{Code, Fault, Remedy};
use saidso_testcontainers::{distributed::Distributed, stand::rules};

use super::{
    process::{Manner, Process},
    story::{Reader, Story, assert_as_undisturbed},
};

/// A process on the topics of `data`, with a keyspace of some name.
fn open(data: &Distributed, instance: &str, keyspace: &str) -> Result<Process, Fault> {
    let keyspace = format!("{}_{keyspace}", data.name);
    Process::over(&saidso_cql::Options { keyspace, ..data.cql() }, data.kafka(instance))
}

fn assert_refused(refused: &Fault) {
    assert_eq!((refused.remedy, refused.code), (Remedy::Stop, Code::Generation), "{refused}");
    assert!(refused.message.contains("belong to store"), "{refused}");
}

#[test]
fn a_process_of_another_store_is_stopped_at_the_start() {
    let data = Distributed::new();
    let process = Process::open(&data, &Manner::default()).and_then(|process| process.start(rules()));
    let process = process.expect("it opens");
    let mut story = Story::of(["bound"]);
    story.tell_parts(1, &process, || false).expect("nothing is in the way");

    for _ in 0..2 {
        assert_refused(&open(&data, "two", "other").err().expect("it is refused"));
    }

    story.tell(&process);
    drop(process);
    let reader = Reader::of(&data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &[story]);
}

#[test]
fn of_stores_that_come_at_once_one_stands_for_all() {
    const PROCESSES: [(&str, &str); 4] = [("one", "a"), ("two", "b"), ("three", "a"), ("four", "b")];
    let data = Distributed::new();
    let start = Barrier::new(PROCESSES.len());
    let opened = thread::scope(|threads| {
        let opening = PROCESSES.map(|(instance, keyspace)| {
            let (data, start) = (&data, &start);
            threads.spawn(move || {
                start.wait();
                (keyspace, open(data, instance, keyspace).map(drop))
            })
        });
        opening.map(|opening| opening.join().expect("a start does not panic"))
    });
    let stands = opened.iter().find(|(_, opened)| opened.is_ok()).map(|(keyspace, _)| *keyspace).expect("one opens");
    for (keyspace, opened) in &opened {
        match opened {
            Ok(()) => assert_eq!(*keyspace, stands),
            Err(fault) => {
                assert_ne!(*keyspace, stands, "{fault}");
                assert_refused(fault);
            }
        }
    }
    assert!(open(&data, "five", stands).is_ok());
}
