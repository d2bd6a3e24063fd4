//! Records pass, and come again, and come once.

use std::time::Duration;

use saidso_core::{
    fault::Fault,
    ports::{Log as _, Outgoing, Topics as _},
    record::{Record, Topic},
};
use saidso_testcontainers::servers::{Service, shared};

use super::{SHORT, commit, forward, number, numbers, open, options, record, records, take, until};

#[test]
fn records_pass_from_topic_to_topic_in_one_piece() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    let records: Vec<Record> = (0..20).map(|index| record(index as u8, index, None)).collect();
    let positions = kafka.append(records.clone()).expect("an append");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 20);
    for one in &delivered {
        let index = number(&one.record) as usize;
        assert_eq!(one.record, records[index]);
        assert_eq!(one.position, positions[index]);
        assert_eq!((one.partition, one.offset), (one.position.partition, one.position.offset));
    }
    commit(&kafka, &lease, forward(&delivered, Topic::Candidates)).expect("a commit");
    drop((consumer, kafka));

    let kafka = open(&options);
    assert_eq!(kafka.lag(Topic::Turns).expect("a lag"), 0);
    let (lease, outputs) = take(kafka.consume(Topic::Candidates).expect("a consumer").as_mut(), 20);
    assert_eq!(numbers(&outputs), (0..20).collect::<Vec<_>>());
    for one in &outputs {
        assert_eq!(one.position, positions[number(&one.record) as usize]);
        assert_eq!(one.partition, one.position.partition);
    }
    assert_eq!(commit(&kafka, &lease, forward(&outputs, Topic::Grounded)), Err(Fault::lease_lost()), "it was dropped");
}

#[test]
fn at_rest_nothing_lags() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    kafka.append((0..5).map(|index| record(index as u8, index, None)).collect()).expect("an append");
    let mut turns = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(turns.as_mut(), 5);
    commit(&kafka, &lease, forward(&delivered, Topic::Candidates)).expect("a commit");
    let mut candidates = kafka.consume(Topic::Candidates).expect("a consumer");
    let (lease, delivered) = take(candidates.as_mut(), 5);
    commit(&kafka, &lease, Outgoing { outputs: Vec::new(), ..forward(&delivered, Topic::Grounded) }).expect("a commit");
    until("an end without lag", || {
        candidates.poll(1, Duration::from_millis(10)).expect("a poll");
        kafka.lag(Topic::Candidates).expect("a lag") == 0
    });
}

#[test]
fn what_a_rewind_ended_commits_nothing_and_comes_again() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    kafka.append(records(0, 10)).expect("an append");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, first) = take(consumer.as_mut(), 10);
    let half: Vec<_> = first.iter().filter(|delivered| delivered.offset < 2).cloned().collect();
    commit(&kafka, &lease, forward(&half, Topic::Candidates)).expect("a commit");
    consumer.rewind().expect("a rewind");
    assert_eq!(commit(&kafka, &lease, forward(&first, Topic::Candidates)), Err(Fault::lease_lost()));
    let (lease, again) = take(consumer.as_mut(), first.len() - half.len());
    assert!(again.iter().all(|delivered| delivered.offset >= 2), "what is committed does not come again");
    commit(&kafka, &lease, forward(&again, Topic::Candidates)).expect("a commit");
    let (_, outputs) = take(kafka.consume(Topic::Candidates).expect("a consumer").as_mut(), 10);
    assert_eq!(numbers(&outputs), (0..10).collect::<Vec<_>>());
}

#[test]
fn a_second_consumer_takes_over_and_the_first_reads_no_more() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    kafka.append(records(0, 4)).expect("an append");
    let mut first = kafka.consume(Topic::Turns).expect("a consumer");
    let (old, records) = take(first.as_mut(), 4);
    let mut second = kafka.consume(Topic::Turns).expect("a consumer");
    let (new, again) = take(second.as_mut(), 4);
    assert_eq!(commit(&kafka, &old, forward(&records, Topic::Candidates)), Err(Fault::lease_lost()));
    let (lease, nothing) = first.poll(10, Duration::ZERO).expect("a poll");
    assert!(nothing.is_empty());
    assert_eq!(commit(&kafka, &lease, Outgoing::default()), Err(Fault::lease_lost()));
    commit(&kafka, &new, forward(&again, Topic::Candidates)).expect("a commit");
    // Its end is not the end of the second.
    drop(first);
    kafka.append(super::records(4, 1)).expect("an append");
    assert_eq!(numbers(&take(second.as_mut(), 1).1), [4]);
}

#[test]
fn a_slow_reader_gets_everything_in_order_under_one_lease() {
    const COUNT: u32 = 20_000;
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    for chunk in 0..COUNT / 1000 {
        kafka.append(records(chunk * 1000, 1000)).expect("an append");
    }
    let mut next = std::collections::BTreeMap::new();
    let (lease, mut seen) = take(consumer.as_mut(), 1);
    while seen.len() < COUNT as usize {
        // It handles them one by one, as it were.
        std::thread::park_timeout(Duration::from_millis(1));
        let (still, more) = consumer.poll(100, SHORT).expect("a poll");
        assert_eq!(still, lease, "no other lease began");
        seen.extend(more);
    }
    for delivered in &seen {
        let offset = next.insert(delivered.partition, delivered.offset + 1).unwrap_or(0);
        assert_eq!(delivered.offset, offset, "one after the other");
    }
    commit(&kafka, &lease, forward(&seen[..1], Topic::Candidates)).expect("the lease is alive");
}
