//! A process that stops in the middle of its work and wakes up later.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use saidso_core::{
    ports::{Log as _, Topics as _},
    record::Topic,
};
use saidso_kafka::Options;
use saidso_testcontainers::servers::{Service, shared};

use super::{PARTITIONS, SHORT, commit, forward, numbers, open, options, other, records, take, until};

struct Frozen {
    child: Child,
    says: BufReader<ChildStdout>,
    told: ChildStdin,
}

impl Frozen {
    fn start(options: &Options) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kafka_child"))
            .args([&options.brokers, &options.prefix, &PARTITIONS.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let says = BufReader::new(child.stdout.take().expect("it is piped"));
        let told = child.stdin.take().expect("it is piped");
        Self { child, says, told }
    }

    fn wait_for(&mut self, words: &[&str]) -> String {
        let said = (&mut self.says).lines().map_while(Result::ok);
        said.map(|line| line.trim().to_owned()).find(|line| words.contains(&line.as_str())).expect("it says so")
    }

    fn signal(&self, signal: &str) {
        let status =
            Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status().expect("kill runs");
        assert!(status.success(), "it is signalled");
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_process_that_was_frozen_past_its_lease_commits_nothing() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&other(&options, "awake"));
    kafka.append(records(0, 10)).expect("an append");
    let mut frozen = Frozen::start(&options);
    frozen.wait_for(&["polled"]);
    frozen.signal("STOP");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    // The group waits for the frozen one until its session is over.
    let (lease, delivered) = take(consumer.as_mut(), 10);
    commit(&kafka, &lease, forward(&delivered, Topic::Candidates)).expect("a commit");
    frozen.told.write_all(b"\n").expect("it is told");
    frozen.signal("CONT");
    assert_eq!(frozen.wait_for(&["lost", "not lost"]), "lost");
    let mut outputs = kafka.consume(Topic::Candidates).expect("a consumer");
    assert_eq!(numbers(&take(outputs.as_mut(), 10).1), (0..10).collect::<Vec<_>>());
    until("the end", || outputs.poll(1, SHORT).expect("a poll").1.is_empty());
}
