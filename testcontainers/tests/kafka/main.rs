//! The log on a real Kafka: what the conformance suite cannot see of it.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use rdkafka::{
    ClientConfig,
    admin::{AdminClient, AdminOptions, NewTopic, TopicReplication},
    client::DefaultClientContext,
    producer::{BaseRecord, Producer as _, ThreadedProducer},
};
use saidso_core::{
    fault::{Fault, Remedy},
    ids::{SpaceId, TenantId, TurnId},
    ports::{Consumer, Delivered, Lease, Log as _, Outgoing},
    position::Position,
    record::{Record, RecordParts, Topic},
    seal::{Field, Generation, KeyId, Sealed},
};
use saidso_kafka::{Kafka, Options, wire::Codec};
use saidso_testcontainers::servers::Server;

mod fenced;
mod frozen;
mod groups;
mod intake;
mod onlookers;
mod passing;
mod topics;
mod trouble;

const PATIENCE: Duration = Duration::from_secs(60);
const PARTITIONS: u32 = 2;
/// How long a poll waits that is repeated anyway.
const SHORT: Duration = Duration::from_millis(50);

/// Settings with topics of its own for each test.
fn options(server: &Server) -> Options {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let codec = Codec::without_registry().expect("the schemas");
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let prefix = format!("test-{}-{count}.", std::process::id());
    Options { prefix, ..Options::new(server.address(), PARTITIONS, "one", codec) }
}

/// The same log, seen by another process.
fn other(options: &Options, instance: &str) -> Options {
    Options { instance: instance.to_owned(), ..options.clone() }
}

fn open(options: &Options) -> Kafka {
    Kafka::open(options.clone()).expect("it opens")
}

/// A record of a space, told apart by a number.
fn record(space: u8, number: u32, position: Option<Position>) -> Record {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    let key = KeyId::Turn { turn: TurnId::from_bytes(id), version: 0, attempt: 0 };
    Record::from_parts(RecordParts {
        tenant: TenantId::from_bytes([1; 16]),
        space: SpaceId::from_bytes([space; 16]),
        id,
        generation: Generation::ALL,
        position,
        accepted_ms: 0,
        field: Field::Turn,
        sealed: Sealed { key, bytes: vec![7; 100] },
    })
}

fn number(record: &Record) -> u32 {
    let id = record.parts().id;
    u32::from_be_bytes([id[0], id[1], id[2], id[3]])
}

fn numbers(records: &[Delivered]) -> Vec<u32> {
    let mut numbers: Vec<u32> = records.iter().map(|delivered| number(&delivered.record)).collect();
    numbers.sort_unstable();
    numbers
}

/// Polls until so many are there.
fn take(consumer: &mut dyn Consumer, count: usize) -> (Lease, Vec<Delivered>) {
    let deadline = Instant::now() + PATIENCE;
    let mut all = Vec::new();
    loop {
        let (lease, records) = consumer.poll(count - all.len(), Duration::from_millis(200)).expect("a poll");
        all.extend(records);
        if all.len() >= count {
            return (lease, all);
        }
        assert!(Instant::now() < deadline, "{count} records were due, {} came", all.len());
    }
}

/// Forwards records to the next topic, with their offsets.
fn forward(records: &[Delivered], to: Topic) -> Outgoing {
    let mut offsets = BTreeMap::new();
    let mut outputs = Vec::new();
    for delivered in records {
        offsets.insert(delivered.partition, delivered.offset + 1);
        outputs.push((to, delivered.record.forward(delivered.position)));
    }
    Outgoing { outputs, offsets: offsets.into_iter().collect(), ..Outgoing::default() }
}

fn commit(kafka: &Kafka, lease: &Lease, outgoing: Outgoing) -> Result<(), Fault> {
    kafka.hold(lease)?.commit(outgoing)
}

/// Asks until it is so.
fn until(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "{what} was due");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// Records of many spaces, numbered from `first`.
fn records(first: u32, count: u32) -> Vec<Record> {
    (first..first + count).map(|number| record((number % 61) as u8, number, None)).collect()
}

/// The fault that a consumer answers in the end, whatever it answers before.
fn ends_with(consumer: &mut dyn Consumer) -> Fault {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match consumer.poll(100, SHORT) {
            Err(fault) if fault.remedy == Remedy::Stop => return fault,
            _ => assert!(Instant::now() < deadline, "a stop was due"),
        }
    }
}

fn admin(options: &Options) -> AdminClient<DefaultClientContext> {
    ClientConfig::new().set("bootstrap.servers", &options.brokers).create().expect("a client")
}

/// Deletes a topic and makes it again under its old name.
fn make_again(options: &Options, topic: &str) {
    let (admin, order) = (admin(options), AdminOptions::new());
    pollster::block_on(admin.delete_topics(&[topic], &order)).expect("an answer")[0].as_ref().expect("it is deleted");
    until("the same name", || {
        let new = NewTopic::new(topic, PARTITIONS as i32, TopicReplication::Fixed(1));
        pollster::block_on(admin.create_topics(&[new], &order)).expect("an answer")[0].is_ok()
    });
}

/// Puts bytes of somebody else's on a topic.
fn put(options: &Options, topic: &str, partition: i32, bytes: &[u8]) {
    let producer: ThreadedProducer<_> =
        ClientConfig::new().set("bootstrap.servers", &options.brokers).create().expect("a producer");
    let record = BaseRecord::<[u8], [u8]>::to(topic).partition(partition).payload(bytes);
    producer.send(record).map_err(|(error, _)| error).expect("it is sent");
    producer.flush(PATIENCE).expect("it is there");
}
