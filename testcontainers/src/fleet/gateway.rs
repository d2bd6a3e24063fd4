//! A gateway: puts turns on the public topic, in partitions of its own choice.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use rdkafka::{
    ClientConfig, ClientContext,
    message::DeliveryResult,
    producer::{BaseProducer, BaseRecord, Producer as _, ProducerContext},
};
use saidso_core::{record::COMPLETED, turn::SubmittedTurn};
use saidso_kafka::wire::Codec;

use super::settings::{Settings, TENANT};

/// How long the broker may take for all that was sent.
const PATIENCE: Duration = Duration::from_secs(60);

/// A producer of the public topic.
pub struct Gateway {
    producer: BaseProducer<Deliveries>,
    codec: Codec,
    topic: String,
    sent: usize,
}

#[derive(Default)]
struct Deliveries(AtomicUsize);

impl ClientContext for Deliveries {}

impl ProducerContext for Deliveries {
    type DeliveryOpaque = ();

    fn delivery(&self, result: &DeliveryResult<'_>, (): ()) {
        self.0.fetch_add(usize::from(result.is_ok()), Ordering::Relaxed);
    }
}

impl Gateway {
    /// On the topics of a fleet.
    pub fn new(settings: &Settings) -> Self {
        let mut config = ClientConfig::new();
        config.set("bootstrap.servers", settings.brokers()).set("linger.ms", "5").set("enable.idempotence", "true");
        let producer = config.create_with_context(Deliveries::default()).expect("a producer");
        let codec = Codec::without_registry().expect("the schemas are sound");
        Self { producer, codec, topic: settings.topic(COMPLETED), sent: 0 }
    }

    /// Puts turns there; on return the broker has them. Turns of a space go to partitions as they come.
    pub fn publish(&mut self, turns: &[SubmittedTurn]) {
        for turn in turns {
            let named = SubmittedTurn { tenant: Some(TENANT.to_owned()), ..turn.clone() };
            let bytes = self.codec.turn(&self.topic, &named).expect("a turn has its Avro form");
            let key = self.sent.to_string();
            let mut record = BaseRecord::to(&self.topic).key(&key).payload(&bytes);
            while let Err((error, again)) = self.producer.send(record) {
                assert_eq!(error.rdkafka_error_code(), Some(rdkafka::types::RDKafkaErrorCode::QueueFull), "{error}");
                self.producer.poll(Duration::from_millis(10));
                record = again;
            }
            self.sent += 1;
        }
        self.producer.flush(PATIENCE).expect("the broker takes what was sent");
        assert_eq!(self.producer.context().0.load(Ordering::Relaxed), self.sent, "the broker took every turn");
    }
}
