//! Reading outside of groups: changes, and what was set aside.

use std::time::Duration;

use saidso_core::{
    fault::{Code, Remedy},
    ids::{SpaceId, TenantId},
    ports::{Change, Changes as _, DeadLetters as _, Log as _, Outgoing, Topics as _},
    position::Position,
    record::{DeadLetter, Origin, Topic},
    seal::Generation,
};
use saidso_testcontainers::servers::{Service, shared};

use super::{SHORT, commit, forward, numbers, open, options, put, record, records, take, until};

fn change(space: u8, offset: u64) -> Change {
    Change {
        tenant: TenantId::from_bytes([1; 16]),
        space: SpaceId::from_bytes([space; 16]),
        generation: Generation(1),
        applied: Position { epoch: 1, partition: 0, offset },
        accepted_ms: 0,
    }
}

#[test]
fn a_follower_hears_what_is_committed_after_it_was_made() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    kafka.append(records(0, 3)).expect("an append");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, _) = take(consumer.as_mut(), 3);
    let say = |changes| commit(&kafka, &lease, Outgoing { changes, ..Outgoing::default() }).expect("a commit");
    say(vec![change(1, 1)]);
    let (mut first, mut second) = (kafka.follow().expect("a follower"), open(&options).follow().expect("a follower"));
    assert!(first.next(Duration::ZERO).expect("a look").is_empty());
    say(vec![change(1, 2), change(2, 2), change(1, 3)]);
    say(vec![change(3, 4)]);
    for follower in [&mut first, &mut second] {
        let mut heard = Vec::new();
        until("every space's newest change", || {
            heard.extend(follower.next(SHORT).expect("a look"));
            [change(1, 3), change(2, 2), change(3, 4)].iter().all(|change| heard.contains(change))
        });
        assert!(!heard.contains(&change(1, 1)), "it was before");
    }
}

#[test]
fn bytes_that_nobody_reads_are_set_aside_and_passed() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    let turns = format!("{}turns", options.prefix);
    put(&options, &turns, 0, b"no record");
    kafka.append(records(0, 20)).expect("an append");
    put(&options, &turns, 1, b"");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 20);
    assert_eq!(numbers(&delivered), (0..20).collect::<Vec<_>>());
    commit(&kafka, &lease, forward(&delivered, Topic::Candidates)).expect("a commit");
    until("nothing left", || {
        consumer.poll(10, SHORT).expect("a poll");
        kafka.lag(Topic::Turns).expect("a lag") == 0
    });
    assert_eq!(kafka.undecodable(), 2);
    let mut letters = kafka.list(10).expect("a list");
    letters.sort_by_key(|letter| letter.partition);
    let last = delivered.iter().filter(|delivered| delivered.partition == 1).count() as u64;
    let expected = [(0, 0), (1, last)].map(|(partition, offset)| DeadLetter {
        origin: Origin::Topic(Topic::Turns),
        partition,
        offset,
        about: None,
        code: Code::Undecodable.label().to_owned(),
    });
    assert_eq!(letters, expected);
}

#[test]
fn dead_letters_are_found_between_the_marks_of_many_transactions() {
    const COUNT: u64 = 60;
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    assert!(kafka.list(10).expect("a list").is_empty());
    kafka.append(records(0, 1)).expect("an append");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 1);
    let position = delivered[0].position;
    let letter =
        |offset| DeadLetter::new(&record(1, 1, Some(position)), Topic::Turns, 0, offset, position, Code::Limit);
    for offset in 0..COUNT {
        // Most transactions set nothing aside, and end on a mark all the same once they wrote to the topic.
        let dead = vec![letter(offset)];
        commit(&kafka, &lease, Outgoing { dead, ..Outgoing::default() }).expect("a commit");
    }
    for max in [1, 7, 50, 100] {
        let found: Vec<u64> = kafka.list(max).expect("a list").iter().map(|letter| letter.offset).collect();
        assert_eq!(found, (0..COUNT).rev().take(max).collect::<Vec<_>>());
    }
}

#[test]
fn a_change_that_nobody_reads_ends_the_feed() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    let mut follower = kafka.follow().expect("a follower");
    put(&options, &format!("{}memory.changes", options.prefix), 1, b"no change");
    let mut fault = None;
    until("a fault", || {
        fault = follower.next(SHORT).err();
        fault.is_some()
    });
    assert_eq!(fault.map(|fault| fault.remedy), Some(Remedy::Retry), "whoever follows starts again");
}
