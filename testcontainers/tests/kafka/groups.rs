//! Several processes share a topic.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use saidso_core::{
    fault::{Fault, Remedy},
    ports::{Log as _, Topics as _},
    record::Topic,
};
use saidso_kafka::Kafka;
use saidso_testcontainers::servers::{Service, shared};

use super::{PATIENCE, SHORT, commit, forward, numbers, open, options, other, records, take, until};

/// A stage that forwards what it reads, and counts it.
fn work(kafka: &Kafka, stop: &AtomicBool, done: &AtomicUsize) {
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    while !stop.load(Ordering::Relaxed) {
        let moved = consumer.poll(20, SHORT).and_then(|(lease, records)| {
            if !records.is_empty() {
                commit(kafka, &lease, forward(&records, Topic::Candidates))?;
            }
            Ok(records.len())
        });
        match moved {
            Ok(count) => {
                done.fetch_add(count, Ordering::Relaxed);
            }
            Err(fault) => {
                assert_ne!(fault.remedy, Remedy::Stop, "{fault}");
                consumer.rewind().expect("a rewind");
            }
        }
    }
}

/// Ends a worker, also when its test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn partitions_move_without_loss_and_without_doubles() {
    const CHUNK: u32 = 500;
    let options = options(shared(Service::Kafka));
    let (first, second) = (open(&options), open(&other(&options, "two")));
    let stop = [AtomicBool::new(false), AtomicBool::new(false)];
    let done = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let mut count = 0;
    thread::scope(|threads| {
        let mut append = || {
            first.append(records(count, CHUNK)).expect("an append");
            count += CHUNK;
        };
        append();
        let _end = Stop(&stop[0]);
        threads.spawn(|| work(&first, &stop[0], &done[0]));
        until("work of the first", || done[0].load(Ordering::Relaxed) > 100);
        let end = Stop(&stop[1]);
        threads.spawn(|| work(&second, &stop[1], &done[1]));
        // However quick the first is, something is left for the second.
        until("work of the second", || {
            if first.lag(Topic::Turns).is_ok_and(|lag| lag < u64::from(CHUNK)) {
                append();
            }
            done[1].load(Ordering::Relaxed) > 100
        });
        // The second goes, and its partitions come back to the first.
        drop(end);
        until("an end without lag", || first.lag(Topic::Turns) == Ok(0));
    });
    let mut consumer = first.consume(Topic::Candidates).expect("a consumer");
    let (_, outputs) = take(consumer.as_mut(), count as usize);
    assert_eq!(numbers(&outputs), (0..count).collect::<Vec<_>>());
    let (_, more) = consumer.poll(1, SHORT).expect("a poll");
    assert!(more.is_empty());
}

/// The client keeps a pause over a revoke: a partition that was held back and comes again has to be let go on.
#[test]
fn who_held_back_when_partitions_moved_reads_on() {
    // Many more than a process lets wait.
    const COUNT: u32 = 24_000;
    let options = options(shared(Service::Kafka));
    let (first, second) = (open(&options), open(&other(&options, "two")));
    for chunk in 0..COUNT / 2_000 {
        first.append(records(chunk * 2_000, 2_000)).expect("an append");
    }
    let mut one = first.consume(Topic::Turns).expect("a consumer");
    take(one.as_mut(), 1);
    // The first holds back by the time the second has a partition of its.
    let mut two = second.consume(Topic::Turns).expect("a consumer");
    take(two.as_mut(), 1);
    until("an end without lag", || {
        for (kafka, consumer) in [(&first, &mut one), (&second, &mut two)] {
            let polled = consumer.poll(2_000, SHORT);
            let done = polled.and_then(|(lease, records)| match records.is_empty() {
                true => Ok(()),
                false => commit(kafka, &lease, forward(&records, Topic::Candidates)),
            });
            if let Err(fault) = done {
                assert_ne!(fault.remedy, Remedy::Stop, "{fault}");
                consumer.rewind().expect("a rewind");
            }
        }
        first.lag(Topic::Turns) == Ok(0)
    });
}

#[test]
fn a_revoke_between_handling_and_commit_lets_nothing_through() {
    let options = options(shared(Service::Kafka));
    let (first, second) = (open(&options), open(&other(&options, "two")));
    first.append(records(0, 20)).expect("an append");
    let mut consumer = first.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 20);
    let mut rival = second.consume(Topic::Turns).expect("a consumer");
    until("a partition of the second", || !rival.poll(1, SHORT).expect("a poll").1.is_empty());
    assert_eq!(commit(&first, &lease, forward(&delivered, Topic::Candidates)), Err(Fault::lease_lost()));
    let mut third = first.consume(Topic::Candidates).expect("a consumer");
    assert!(third.poll(1, SHORT).expect("a poll").1.is_empty(), "nothing of it is there");
}

#[test]
fn a_revoke_waits_for_a_commit_under_way() {
    let options = options(shared(Service::Kafka));
    let (first, second) = (open(&options), open(&other(&options, "two")));
    first.append(records(0, 20)).expect("an append");
    let mut consumer = first.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 20);
    let held = first.hold(&lease).expect("it is alive");
    let mut rival = second.consume(Topic::Turns).expect("a consumer");
    // The rival joins, and the group asks the first to let go: from then on nobody else can hold its lease.
    let deadline = Instant::now() + PATIENCE;
    while consumer.poll(1, SHORT).expect("a poll").0 == lease {
        assert!(rival.poll(1, SHORT).expect("a poll").1.is_empty(), "the partitions are still held");
        assert!(Instant::now() < deadline, "a revoke was due");
    }
    assert!(held.alive());
    held.commit(forward(&delivered, Topic::Candidates)).expect("it was under way");
    first.append(records(20, 20)).expect("an append");
    // Both go on after what was committed.
    let mut seen = Vec::new();
    until("the rest", || {
        seen.extend(consumer.poll(50, SHORT).expect("a poll").1);
        seen.extend(rival.poll(50, SHORT).expect("a poll").1);
        seen.len() == 20
    });
    assert_eq!(numbers(&seen), (20..40).collect::<Vec<_>>());
}
