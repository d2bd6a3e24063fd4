//! A process of its own that reads the head log, for a test that freezes it in the middle.
//!
//! `kafka_child BROKERS PREFIX PARTITIONS` says `polled` once it has ten records, waits for a line, commits, and says what
//! became of it.

use std::{env, process::ExitCode};

use saidso_core::{
    fault::Fault,
    ports::{Log as _, Outgoing, Topics as _},
    record::Topic,
};
use saidso_kafka::{Kafka, Options, wire::Codec};
use saidso_testcontainers::conformance::{after, take};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (brokers, prefix, partitions) = match words[..] {
        [brokers, prefix, partitions] => (brokers, prefix, partitions.parse().unwrap_or(0)),
        _ => {
            eprintln!("usage: kafka_child BROKERS PREFIX PARTITIONS");
            return ExitCode::from(2);
        }
    };
    let codec = Codec::without_registry().expect("the schemas");
    let options = Options { prefix: prefix.into(), ..Options::new(brokers, partitions, "frozen", codec) };
    let kafka = Kafka::open(options).expect("it opens");
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (lease, delivered) = take(consumer.as_mut(), 10);
    println!("polled");
    std::io::stdin().lines().next();
    let forwarded = delivered.iter().map(|one| (Topic::Candidates, one.record.forward(one.position)));
    let outgoing = Outgoing { outputs: forwarded.collect(), offsets: after(&delivered), ..Outgoing::default() };
    let ended = kafka.hold(&lease).and_then(|held| held.commit(outgoing));
    println!("{}", if ended == Err(Fault::lease_lost()) { "lost" } else { "not lost" });
    ExitCode::SUCCESS
}
