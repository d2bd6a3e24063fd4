//! Two processes of one name.

use saidso_core::{
    fault::Code,
    ports::{Log as _, Topics as _},
    record::Topic,
};
use saidso_testcontainers::servers::{Service, shared};

use super::{commit, ends_with, forward, numbers, open, options, records, take};

#[test]
fn the_older_of_two_that_share_a_name_stops_and_says_why() {
    let options = options(shared(Service::Kafka));
    let (older, newer) = (open(&options), open(&options));
    older.append(records(0, 10)).expect("an append");
    let mut first = older.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(first.as_mut(), 10);
    let mut second = newer.consume(Topic::Turns).expect("a consumer");
    let (new, again) = take(second.as_mut(), 10);
    commit(&older, &lease, forward(&delivered, Topic::Candidates)).expect_err("another has its name");
    let fault = ends_with(first.as_mut());
    assert_eq!(fault.code, Code::Held);
    assert!(fault.message.contains("\"one\"") && fault.message.contains("`instance`"), "{fault}");
    commit(&newer, &new, forward(&again, Topic::Candidates)).expect("the newer goes on");
    let (_, outputs) = take(newer.consume(Topic::Candidates).expect("a consumer").as_mut(), 10);
    assert_eq!(numbers(&outputs), (0..10).collect::<Vec<_>>());
}
