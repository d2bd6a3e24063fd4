//! Servers that crash, restart and freeze under a running process.
//!
//! The store ends in good order: the only copy of a row, in a store that syncs its log every now and then, may be gone
//! after a crash although it was acknowledged, and no client makes up for that.

use std::time::Duration;

use saidso_core::fault::Remedy;
use saidso_testcontainers::{
    distributed::Distributed,
    servers::{Error, Server, Service, shared},
    stand::rules,
};

use super::{
    process::{Manner, Process},
    story::{Reader, Story, assert_as_undisturbed},
};

#[test]
fn a_store_that_restarts_and_freezes_costs_nothing() {
    let store = Server::own(Service::Cql).expect("a server");
    goes_away(&store, Server::stop, &Distributed::on(shared(Service::Kafka), &store));
}

#[test]
fn a_broker_that_crashes_and_freezes_costs_nothing() {
    let broker = Server::own(Service::Kafka).expect("a server");
    goes_away(&broker, Server::kill, &Distributed::on(&broker, shared(Service::Cql)));
}

fn goes_away(server: &Server, end: impl Fn(&Server) -> Result<(), Error>, data: &Distributed) {
    drop(Process::open(data, &Manner::default()).expect("it opens"));
    let hasty = Manner { timeout: Duration::from_secs(2), ..Manner::default() };
    let process = Process::open(data, &hasty).and_then(|process| process.start(rules())).expect("it opens");
    let mut story = Story::of(["away"]);

    // The stages have the first turns in hand.
    story.tell_parts(1, &process, || false).expect("the server is there");
    end(server).expect("it ends");
    server.start().expect("it starts");
    story.tell_parts(2, &process, || false).expect("the server is there");

    // The forget.
    story.tell_parts(3, &process, || false).expect("the server is there");
    server.freeze().expect("it freezes");
    let fault = story.try_part(&process).expect_err("nobody answers");
    assert_eq!(fault.remedy, Remedy::Retry, "{fault}");
    server.thaw().expect("it thaws");
    story.tell(&process);
    drop(process);

    let reader = Reader::of(data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &[story]);
}
