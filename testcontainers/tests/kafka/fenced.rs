//! Two processes of one name.

use saidso_core::{
    fault::{Code, Fault},
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
    take(second.as_mut(), 10);
    second.rewind().expect("a rewind");
    commit(&older, &lease, forward(&delivered, Topic::Candidates)).expect_err("another has its name");
    let fault = ends_with(first.as_mut());
    assert_eq!(fault.code, Code::Held);
    assert!(fault.message.contains("\"one\"") && fault.message.contains("`instance`"), "{fault}");
    // The newer was fenced once as well, by the older's second try, and has joined once more.
    loop {
        let (new, again) = take(second.as_mut(), 10);
        match commit(&newer, &new, forward(&again, Topic::Candidates)) {
            Ok(()) => break,
            Err(fault) => assert_eq!(fault, Fault::lease_lost()),
        }
        second.rewind().expect("a rewind");
    }
    let (_, outputs) = take(newer.consume(Topic::Candidates).expect("a consumer").as_mut(), 10);
    assert_eq!(numbers(&outputs), (0..10).collect::<Vec<_>>());
}
