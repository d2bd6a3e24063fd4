//! The broker goes and comes back.

use std::{thread, time::Duration};

use saidso_core::{
    fault::{Fault, Remedy},
    ports::{Consumer, Delivered, Lease, Log as _, Topics as _},
    record::Topic,
};
use saidso_kafka::Kafka;
use saidso_testcontainers::servers::{Server, Service};

use super::{SHORT, commit, forward, numbers, open, options, records, take, until};

/// Polls and commits until so many are through, whatever happens meanwhile.
fn through(kafka: &Kafka, consumer: &mut dyn Consumer, count: usize) {
    let mut done = 0;
    until("all commits", || {
        let step = |(lease, records): (Lease, Vec<Delivered>)| -> Result<usize, Fault> {
            if !records.is_empty() {
                commit(kafka, &lease, forward(&records, Topic::Candidates))?;
            }
            Ok(records.len())
        };
        match consumer.poll(100, SHORT).and_then(step) {
            Ok(more) => done += more,
            Err(fault) => {
                assert_ne!(fault.remedy, Remedy::Stop, "{fault}");
                consumer.rewind().expect("a rewind");
            }
        }
        done >= count
    });
}

#[test]
fn a_broker_that_restarts_or_freezes_costs_nothing_but_time() {
    let server = Server::own(Service::Kafka).expect("a server");
    let options = options(&server);
    let kafka = open(&options);
    kafka.append(records(0, 10)).expect("an append");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 10);

    server.kill().expect("it is killed");
    let fault = kafka.append(records(10, 10)).expect_err("nobody is there");
    assert_eq!(fault.remedy, Remedy::Retry, "{fault}");
    server.start().expect("it starts");
    until("an append", || kafka.append(records(20, 10)).is_ok());
    // Whether the old lease outlived the broker is the group's to say: either it commits, or all of it comes again.
    let left = match commit(&kafka, &lease, forward(&delivered, Topic::Candidates)) {
        Ok(()) => 10,
        Err(fault) => {
            assert_ne!(fault.remedy, Remedy::Stop, "{fault}");
            20
        }
    };
    through(&kafka, consumer.as_mut(), left);

    kafka.append(records(30, 10)).expect("an append");
    let (lease, delivered) = take(consumer.as_mut(), 10);
    server.freeze().expect("it freezes");
    let late = thread::scope(|threads| {
        let committing = threads.spawn(|| commit(&kafka, &lease, forward(&delivered, Topic::Candidates)));
        let late = committing.join().expect("it comes back");
        server.thaw().expect("it thaws");
        late
    });
    assert_eq!(late.expect_err("nobody answered").remedy, Remedy::Yield);
    // The broker may have done what it was asked before it woke up; then there is nothing to do again.
    let mut outputs = kafka.consume(Topic::Candidates).expect("a consumer");
    let mut seen = Vec::new();
    until("every output", || {
        if let Ok((lease, records)) = consumer.poll(100, Duration::ZERO)
            && !records.is_empty()
        {
            // A failed commit is tried again by the next turn.
            let _ = commit(&kafka, &lease, forward(&records, Topic::Candidates));
        }
        if let Ok((_, records)) = outputs.poll(100, SHORT) {
            seen.extend(records);
        }
        seen.len() >= 30 + numbers(&seen).iter().filter(|number| (10..20).contains(*number)).count()
    });
    let mut found = numbers(&seen);
    found.retain(|number| !(10..20).contains(number));
    let expected: Vec<u32> = (0..10).chain(20..40).collect();
    assert_eq!(found, expected, "each once, but for those of the append that had no answer");
}
