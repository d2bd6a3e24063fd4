//! What a stage that only copies costs, beside the same loop in bare client calls. By hand:
//!
//!     _JAVA_OPTIONS=-XX:TieredStopAtLevel=4 testcontainers/servers.sh kafka -- \
//!         cargo test --release -p saidso-testcontainers --test kafka -- --ignored --nocapture measure::

use std::time::{Duration, Instant};

use rdkafka::{
    ClientConfig, Message as _, Offset, TopicPartitionList,
    consumer::{BaseConsumer, Consumer as _},
    producer::{BaseProducer, BaseRecord, Producer as _},
};
use saidso_core::{
    ports::{Log as _, Topics as _},
    record::{Record, RecordParts, Topic},
};
use saidso_kafka::{Kafka, Options};
use saidso_testcontainers::servers::{Service, shared};

use super::{PATIENCE, SHORT, commit, forward, open, options, records, take};

const COUNT: usize = 20_000;

/// Records of about 1 KiB on the wire, in a log of their own.
fn filled() -> (Options, Kafka) {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    let larger = |record: Record| {
        let mut parts: RecordParts = record.parts().clone();
        parts.sealed.bytes = vec![7; 900];
        Record::from_parts(parts)
    };
    for chunk in 0..COUNT / 1000 {
        kafka.append(records(chunk as u32 * 1000, 1000).into_iter().map(larger).collect()).expect("an append");
    }
    (options, kafka)
}

fn ours(per: usize) -> Duration {
    let (_, kafka) = filled();
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    let (mut lease, mut batch) = take(consumer.as_mut(), per);
    let started = Instant::now();
    let mut done = 0;
    loop {
        done += batch.len();
        commit(&kafka, &lease, forward(&batch, Topic::Candidates)).expect("a commit");
        if done == COUNT {
            return started.elapsed();
        }
        (lease, batch) = take(consumer.as_mut(), per.min(COUNT - done));
    }
}

fn bare(per: usize) -> Duration {
    let (options, kafka) = filled();
    drop(kafka);
    let (from, to) = (format!("{}turns", options.prefix), format!("{}memory.candidates", options.prefix));
    let client = || {
        let mut config = ClientConfig::new();
        config.set("bootstrap.servers", &options.brokers).set("retry.backoff.ms", "5").set("linger.ms", "1");
        config
    };
    let consumer: BaseConsumer =
        client().set("group.id", "bare").set("enable.auto.commit", "false").create().expect("a consumer");
    let producer: BaseProducer =
        client().set("transactional.id", format!("{}bare", options.prefix)).create().expect("a producer");
    producer.init_transactions(PATIENCE).expect("a producer");
    let mut places = TopicPartitionList::new();
    for partition in 0..2 {
        places.add_partition_offset(&from, partition, Offset::Beginning).expect("a place");
    }
    consumer.assign(&places).expect("an assignment");
    let next = || consumer.poll(PATIENCE).expect("a record").expect("a record").detach();
    let mut batch: Vec<_> = (0..per).map(|_| next()).collect();
    let started = Instant::now();
    let mut done = 0;
    loop {
        producer.begin_transaction().expect("a transaction");
        let mut offsets = TopicPartitionList::new();
        for record in &batch {
            let copy = BaseRecord::<[u8], [u8]>::to(&to).partition(record.partition());
            producer.send(copy.payload(record.payload().expect("bytes"))).map_err(|(error, _)| error).expect("a send");
        }
        for partition in 0..2 {
            if let Some(last) = batch.iter().rfind(|record| record.partition() == partition) {
                let next = Offset::Offset(last.offset() + 1);
                offsets.add_partition_offset(&from, partition, next).expect("a place");
            }
        }
        while producer.in_flight_count() > 0 {
            producer.poll(Duration::from_millis(1));
        }
        let group = consumer.group_metadata().expect("a group");
        producer.send_offsets_to_transaction(&offsets, &group, PATIENCE).expect("offsets");
        producer.commit_transaction(PATIENCE).expect("a commit");
        done += batch.len();
        if done == COUNT {
            return started.elapsed();
        }
        batch = (0..per.min(COUNT - done)).map(|_| next()).collect();
    }
}

#[test]
#[ignore = "a measurement"]
fn a_copying_stage_beside_the_bare_loop() {
    for per in [100, 256, 1000] {
        for (name, run) in [("bare", bare as fn(usize) -> Duration), ("ours", ours)] {
            let time = run(per).as_secs_f64();
            let transactions = COUNT.div_ceil(per) as f64;
            println!(
                "{per:5} a transaction, {name}: {:6.1} ms a transaction, {:7.0} records/s",
                time * 1000.0 / transactions,
                COUNT as f64 / time
            );
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn opening_joining_and_appending() {
    let options = options(shared(Service::Kafka));
    let started = Instant::now();
    let kafka = open(&options);
    println!("open, making the topics: {:?}", started.elapsed());
    drop(kafka);
    let started = Instant::now();
    let kafka = open(&options);
    println!("open: {:?}", started.elapsed());
    let mut times: Vec<Duration> = (0..300)
        .map(|number| {
            let started = Instant::now();
            kafka.append(records(number, 1)).expect("an append");
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("append of one record: p50 {:?}, p99 {:?}", times[150], times[297]);
    for name in ["join", "join again"] {
        let started = Instant::now();
        let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
        take(consumer.as_mut(), 1);
        println!("{name}, to the first record: {:?}", started.elapsed());
        let started = Instant::now();
        drop(consumer);
        println!("close: {:?}", started.elapsed());
    }
    let mut consumer = kafka.consume(Topic::Turns).expect("a consumer");
    take(consumer.as_mut(), 300);
    let mut times: Vec<Duration> = (0..200)
        .map(|number| {
            let started = Instant::now();
            kafka.append(records(number, 1)).expect("an append");
            while consumer.poll(1, SHORT).expect("a poll").1.is_empty() {}
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("append to poll: p50 {:?}, p99 {:?}", times[100], times[197]);
}
