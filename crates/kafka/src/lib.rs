//! The log half of the distributed backend, on Kafka.
//!
//! **What it is.** The ports [`Log`](saidso_core::ports::Log) and [`Submissions`](saidso_core::ports::Submissions): the
//! head log, a consumer group for each stage, transactions that carry what records lead to together with their offsets,
//! the change topic, dead letters, and the public topic that gateways write.
//! **What it is not.** It stores nothing else, and knows no store and no stage.
//!
//! The way in is [`Kafka::open`]. One thread per consumer polls (`reader`) and fills a bounded buffer (`slot`); whoever
//! handles the records commits on its own thread (`stage`, `transactor`), because transaction calls block.
//!
//! Invariants:
//! - A lease is one assignment, or one start from the last commit. It ends at a revoke, a rewind, a takeover, a failed
//!   commit, and when the process was not awake for long; a commit under an older one is refused, here or by the broker.
//! - A revoke waits for a commit under way.
//! - What a commit's outcome is unknown of is asked of the broker before anything is handed out again.
//! - Nothing is skipped: a record that nobody can read is set aside by reference, and an offset that is gone is a `Stop`.
//! - A topic that was made again under its old name is a `Stop` for everything.
//!
//! The client logs through the `log` crate, never a record's bytes.

mod head;
mod intake;
mod kafka;
mod lag;
mod names;
mod native;
mod onlooker;
mod options;
mod reader;
mod shared;
mod slot;
mod stage;
mod topics;
mod transactor;
mod trouble;
mod watch;
pub mod wire;

pub use kafka::Kafka;
pub use options::Options;
