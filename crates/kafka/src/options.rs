//! What a [`crate::Kafka`] is opened with, and the clients made from it.

use std::{collections::BTreeMap, time::Duration};

use rdkafka::ClientConfig;

use crate::{names::Names, wire::Codec};

/// How long a member of a group may be silent before its partitions go to others.
pub(crate) const SESSION: Duration = Duration::from_secs(6);
/// A lease is alive for so long after its process was last seen awake.
pub(crate) const LEASE: Duration = Duration::from_secs(3);
/// A transaction ends within this, one way or the other; also the bound of a publish.
pub(crate) const TRANSACTION: Duration = Duration::from_secs(10);

/// What a [`crate::Kafka`] is opened with.
#[derive(Clone)]
pub struct Options {
    /// `host:port`, several with commas between.
    pub brokers: String,
    /// Stands before the name of every topic, group and transactional id.
    pub prefix: String,
    /// Partitions of each internal topic. Pinned: an existing topic with another count is refused.
    pub partitions: u32,
    /// Copies of each partition, for topics that are made here.
    pub replication: u32,
    /// Counts topic sets, from 1. Positions of a higher one come later.
    pub epoch: u32,
    /// The name of this process among those of its kind; the same again after a restart, so that it gets its partitions
    /// back at once. Two processes of one name fence each other.
    pub instance: String,
    /// How long internal topics keep their records; longer than any outage. They are transport, not the truth.
    pub kept: Duration,
    /// How long the public topic keeps turns, which are in the clear, if it is made here.
    pub completed_kept: Duration,
    /// Any property of librdkafka: TLS, SASL, timeouts. What exactly-once processing rests on cannot be set.
    pub client: BTreeMap<String, String>,
    /// Values to bytes and back.
    pub codec: Codec,
}

impl Options {
    /// For tests and single brokers: one copy, no prefix, epoch 1, internal topics kept for a week, public turns for an
    /// hour.
    pub fn new(brokers: impl Into<String>, partitions: u32, instance: impl Into<String>, codec: Codec) -> Self {
        Self {
            brokers: brokers.into(),
            prefix: String::new(),
            partitions,
            replication: 1,
            epoch: 1,
            instance: instance.into(),
            kept: Duration::from_secs(7 * 24 * 60 * 60),
            completed_kept: Duration::from_secs(60 * 60),
            client: BTreeMap::new(),
            codec,
        }
    }

    pub(crate) fn names(&self) -> Names {
        Names { prefix: self.prefix.clone(), epoch: self.epoch }
    }

    /// The name of this process in a group, or of its producer for what a topic's records lead to.
    pub(crate) fn slot(&self, name: &str) -> String {
        format!("{name}-{}", self.instance)
    }

    /// What every client has. Ours stand first where they are a matter of taste, last where they are not.
    fn client(&self, taste: &[(&str, &str)], needed: &[(&str, &str)]) -> ClientConfig {
        let mut config = ClientConfig::new();
        config.set("bootstrap.servers", &self.brokers);
        // A broker that comes back is found within a second.
        config.set("reconnect.backoff.max.ms", "1000").set("topic.metadata.refresh.interval.ms", "30000");
        let user = self.client.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        for (key, value) in taste.iter().copied().chain(user).chain(needed.iter().copied()) {
            config.set(key, value);
        }
        config
    }

    /// A client that asks and orders.
    pub(crate) fn admin(&self) -> ClientConfig {
        self.client(&[], &[])
    }

    /// A consumer that knows a group but is no member of it yet.
    pub(crate) fn consumer(&self, group: &str, reset: &str) -> ClientConfig {
        let taste = [
            // Small: what waits here waits a second time in the reader's own buffer, and a pause throws it away.
            ("queued.min.messages", "2000"),
            ("queued.max.messages.kbytes", "16384"),
            ("fetch.queue.backoff.ms", "5"),
            ("fetch.error.backoff.ms", "50"),
        ];
        let needed = [
            ("group.id", group),
            ("isolation.level", "read_committed"),
            ("enable.auto.commit", "false"),
            ("enable.auto.offset.store", "false"),
            ("enable.partition.eof", "true"),
            ("auto.offset.reset", reset),
        ];
        self.client(&taste, &needed)
    }

    /// A consumer that becomes a member of its group under this process's name.
    pub(crate) fn member(&self, group: &str, reset: &str) -> ClientConfig {
        let mut config = self.consumer(group, reset);
        config.set("group.instance.id", self.slot(group));
        // A cooperative protocol would leave partitions with a member whose lease has died.
        config.set("group.protocol", "classic").set("partition.assignment.strategy", "range");
        config.set("session.timeout.ms", SESSION.as_millis().to_string()).set("heartbeat.interval.ms", "1500");
        config
    }

    /// The producer of what a topic's records lead to.
    pub(crate) fn transactional(&self, name: &str) -> ClientConfig {
        let timeout = TRANSACTION.as_millis().to_string();
        // The broker may still be ending the last transaction when the next one begins: with the usual 100 ms between
        // tries, every transaction takes 108 ms instead of 11.
        let taste = [("retry.backoff.ms", "5"), ("linger.ms", "1")];
        let id = self.slot(name);
        self.client(&taste, &[("transactional.id", &id), ("transaction.timeout.ms", &timeout)])
    }

    /// The producer of the head log and of dead letters that no transaction carries.
    pub(crate) fn idempotent(&self) -> ClientConfig {
        let timeout = TRANSACTION.as_millis().to_string();
        // Long enough for what is appended together to go out together.
        let taste = [("retry.backoff.ms", "5"), ("linger.ms", "0.5")];
        self.client(&taste, &[("enable.idempotence", "true"), ("acks", "all"), ("message.timeout.ms", &timeout)])
    }
}
