//! The log half of the distributed backend, on Kafka.

pub mod wire;
