//! The broker's topics as another client sees them.

use std::time::Duration;

use rdkafka::{
    ClientConfig, Message as _, Offset, TopicPartitionList,
    consumer::{BaseConsumer, Consumer as _},
    error::KafkaError,
    producer::{BaseRecord, Producer as _, ThreadedProducer},
};
use saidso_core::record::Topic;
use saidso_testcontainers::distributed::Distributed;

use super::process::PATIENCE;

/// Partitions of each topic.
const PARTITIONS: i32 = 4;

/// A topic's name on the broker.
pub fn name(data: &Distributed, topic: Topic) -> String {
    format!("{}.{}", data.name, topic.name())
}

/// Puts bytes on a topic.
pub fn put(data: &Distributed, topic: &str, partition: u32, bytes: &[u8]) {
    let producer: ThreadedProducer<_> =
        ClientConfig::new().set("bootstrap.servers", &data.kafka).create().expect("a producer");
    let record = BaseRecord::<[u8], [u8]>::to(topic).partition(partition as i32).payload(bytes);
    producer.send(record).map_err(|(error, _)| error).expect("it is sent");
    producer.flush(PATIENCE).expect("it is there");
}

/// Everything that is committed on a topic, with its partition.
pub fn all(data: &Distributed, topic: &str) -> Vec<(u32, Vec<u8>)> {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", &data.kafka)
        .set("group.id", "nobody")
        .set("isolation.level", "read_committed")
        .set("enable.auto.commit", "false")
        .set("enable.partition.eof", "true")
        .create()
        .expect("a consumer");
    let mut list = TopicPartitionList::new();
    for partition in 0..PARTITIONS {
        list.add_partition_offset(topic, partition, Offset::Beginning).expect("an offset");
    }
    consumer.assign(&list).expect("it is assigned");
    let (mut found, mut ended) = (Vec::new(), 0);
    while ended < PARTITIONS {
        match consumer.poll(Duration::from_secs(1)) {
            Some(Ok(message)) => {
                found.push((message.partition() as u32, message.payload().unwrap_or_default().to_vec()));
            }
            Some(Err(KafkaError::PartitionEOF(_))) => ended += 1,
            Some(Err(error)) => panic!("{topic} does not read: {error}"),
            None => {}
        }
    }
    found
}
