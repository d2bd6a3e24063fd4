//! A bare transactional copy loop: consume, produce the same bytes elsewhere, offsets, commit.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use rdkafka::{
    ClientConfig, Offset, TopicPartitionList,
    admin::{AdminClient, AdminOptions, NewTopic, TopicReplication},
    client::DefaultClientContext,
    consumer::{BaseConsumer, Consumer as _},
    message::Message as _,
    producer::{BaseProducer, BaseRecord, Producer as _},
};

/// For whatever the broker may take.
const WAIT: Duration = Duration::from_secs(30);
const STEP: Duration = Duration::from_millis(1);

/// Copies the first `records` of a topic into a scratch topic of as many partitions, `batch` in a transaction. Returns
/// records per second from the end of the first transaction on: connecting is not part of it.
pub fn copy(broker: &str, topic: &str, partitions: u32, records: usize, batch: usize) -> Result<f64, Box<dyn Error>> {
    let mut random = [0; 8];
    getrandom::fill(&mut random)?;
    let name = format!("{topic}.copy-{:016x}", u64::from_be_bytes(random));
    let partitions = i32::try_from(partitions)?;
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", broker);
    let admin: AdminClient<DefaultClientContext> = config.create()?;
    let scratch = NewTopic::new(&name, partitions, TopicReplication::Fixed(1));
    for made in futures::executor::block_on(admin.create_topics([&scratch], &AdminOptions::new()))? {
        made.map_err(|(topic, code)| format!("made {topic}: {code}"))?;
    }

    let mut reading = config.clone();
    reading.set("group.id", &name).set("isolation.level", "read_committed").set("enable.auto.commit", "false");
    let consumer: BaseConsumer = reading.create()?;
    let mut start = TopicPartitionList::new();
    for partition in 0..partitions {
        start.add_partition_offset(topic, partition, Offset::Beginning)?;
    }
    consumer.assign(&start)?;
    let group = consumer.group_metadata().ok_or("the consumer has no group")?;
    let mut writing = config.clone();
    writing.set("transactional.id", &name).set("retry.backoff.ms", "5").set("linger.ms", "1");
    let producer: BaseProducer = writing.create()?;
    producer.init_transactions(WAIT)?;

    let (mut copied, mut first) = (0, None);
    while copied < records {
        let mut next = vec![None; partitions as usize];
        producer.begin_transaction()?;
        let mut held = 0;
        while held < batch.min(records - copied) {
            let Some(message) = consumer.poll(if held == 0 { WAIT } else { Duration::ZERO }) else {
                if held == 0 {
                    return Err(format!("{topic} ended after {copied} records").into());
                }
                break;
            };
            let message = message?;
            next[message.partition() as usize] = Some(message.offset() + 1);
            let bytes = message.payload().ok_or("a record without a value")?;
            let mut record = BaseRecord::<[u8], [u8]>::to(&name).partition(message.partition()).payload(bytes);
            while let Err((_, back)) = producer.send(record) {
                producer.poll(STEP);
                record = back;
            }
            held += 1;
        }
        while producer.in_flight_count() > 0 {
            producer.poll(STEP);
        }
        let mut offsets = TopicPartitionList::new();
        for (partition, next) in next.iter().enumerate() {
            if let Some(next) = next {
                offsets.add_partition_offset(topic, i32::try_from(partition)?, Offset::Offset(*next))?;
            }
        }
        producer.send_offsets_to_transaction(&offsets, &group, WAIT)?;
        producer.commit_transaction(WAIT)?;
        copied += held;
        first.get_or_insert((copied, Instant::now()));
    }
    let (before, since) = first.ok_or("nothing to copy")?;
    Ok((copied - before) as f64 / since.elapsed().as_secs_f64())
}
