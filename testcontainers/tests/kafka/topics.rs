//! The topics: made, checked, and never taken for others.

use std::{thread, time::Duration};

use saidso_core::{
    fault::{Code, Remedy},
    ports::{Log as _, Topics as _},
    record::Topic,
};
use saidso_kafka::{Kafka, Options};
use saidso_testcontainers::servers::{Service, shared};

use super::{PARTITIONS, commit, ends_with, forward, make_again, open, options, other, records, take, until};

#[test]
fn several_may_open_at_once_and_find_the_same_topics() {
    let options = options(shared(Service::Kafka));
    let found = thread::scope(|threads| {
        let opening = ["one", "two", "three"].map(|name| {
            let options = other(&options, name);
            threads.spawn(move || open(&options).identity())
        });
        opening.map(|opening| opening.join().expect("it opens"))
    });
    assert!(found[0] == found[1] && found[1] == found[2], "{found:?}");
    let names: Vec<&str> = found[0].topics.iter().map(|(name, ..)| name.trim_start_matches(&options.prefix)).collect();
    assert_eq!(names, ["memory.candidates", "memory.embedded", "memory.grounded", "turns"]);
    assert!(found[0].topics.iter().all(|(_, id, partitions)| id.len() == 22 && *partitions == PARTITIONS), "{found:?}");
}

#[test]
fn another_count_of_partitions_is_refused() {
    let options = options(shared(Service::Kafka));
    drop(open(&options));
    let fault = Kafka::open(Options { partitions: 3, ..options }).err().expect("it is refused");
    assert_eq!((fault.remedy, fault.code), (Remedy::Stop, Code::Generation));
    assert!(fault.message.contains("2 partitions") && fault.message.contains("set to 3"), "{fault}");
}

#[test]
fn a_new_log_epoch_is_a_new_set_of_topics() {
    let options = options(shared(Service::Kafka));
    let first = open(&options);
    let old = first.append(records(0, 1)).expect("an append")[0];
    let next = open(&Options { epoch: 2, partitions: 3, ..options });
    let new = next.append(records(0, 1)).expect("an append")[0];
    assert_eq!((old.epoch, new.epoch, new.offset), (1, 2, 0));
    assert!(new > old);
    let (_, delivered) = take(next.consume(Topic::Turns).expect("a consumer").as_mut(), 1);
    assert_eq!(delivered[0].position, new);
    let (a, b) = (first.identity(), next.identity());
    assert!(a.topics.iter().all(|(_, id, _)| b.topics.iter().all(|(_, other, _)| id != other)));
}

#[test]
fn a_public_topic_that_keeps_turns_for_longer_is_said_so() {
    let options = options(shared(Service::Kafka));
    assert!(open(&options).warnings().is_empty());
    let shorter = Options { completed_kept: Duration::from_secs(60), ..options };
    let kafka = open(&shorter);
    let [warning] = kafka.warnings() else { panic!("one warning: {:?}", kafka.warnings()) };
    assert!(warning.contains("turn.completed") && warning.contains("retention.ms=3600000"), "{warning}");
}

#[test]
fn a_topic_made_again_stops_everything() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    let before = kafka.identity();
    kafka.append(records(0, 10)).expect("an append");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 10);
    commit(&kafka, &lease, forward(&delivered, Topic::Candidates)).expect("a commit");
    make_again(&options, &format!("{}turns", options.prefix));
    let fault = ends_with(consumer.as_mut());
    assert_eq!(fault.code, Code::Damaged, "{fault}");
    for refused in [
        kafka.append(records(10, 1)).err(),
        kafka.consume(Topic::Grounded).err(),
        kafka.hold(&lease).err(),
        kafka.lag(Topic::Turns).err(),
        consumer.rewind().err(),
    ] {
        assert_eq!(refused, Some(fault.clone()), "every operation answers the same");
    }
    drop((consumer, kafka));
    assert_ne!(open(&options).identity(), before, "whoever pinned the topics sees that these are others");
}

#[test]
fn an_append_notices_by_itself_that_offsets_count_again() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    kafka.append(records(0, 10)).expect("an append");
    make_again(&options, &format!("{}turns", options.prefix));
    let mut last = None;
    until("a stop", || {
        last = kafka.append(records(10, 5)).err().filter(|fault| fault.remedy == Remedy::Stop);
        last.is_some()
    });
    assert_eq!(last.map(|fault| fault.code), Some(Code::Damaged));
}
