//! The halves of a backend whose log and store are apart; `pipeline::apart` joins them.

use std::{fmt, num::ParseIntError, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Change, Changes, DeadLetters, Entry, Generations, Hits, Keys, Lease, Reviews, Section, Store, Topics};
use crate::{
    fault::Fault,
    ids::TurnId,
    position::Position,
    record::{DeadLetter, Record, Topic},
    scope::Scope,
};

/// Tells a store from every other: random, made once for as long as its data lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreId(pub [u8; 16]);

impl fmt::Display for StoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for StoreId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        u128::from_str_radix(text, 16).map(|id| Self(id.to_be_bytes()))
    }
}

/// A log whose store is elsewhere: half of a backend. The other half is a [`Ledger`].
pub trait Log: Topics + Changes + DeadLetters {
    /// Which topics its positions count in, as found when it was opened.
    fn identity(&self) -> LogIdentity;

    /// Binds the log to a store, or compares with the one it is bound to: returns what stands, which the caller compares.
    /// Of several that bind at once the same stands for all.
    fn bind(&self, store: StoreId) -> Result<StoreId, Fault>;

    /// Appends to the head log, each to the partition of its space; durable on return. An error leaves some of them in.
    fn append(&self, records: Vec<Record>) -> Result<Vec<Position>, Fault>;

    /// Holds a lease: until the value is dropped, a revoke waits. [`Fault::lease_lost`] if it is dead.
    fn hold<'a>(&'a self, lease: &Lease) -> Result<Box<dyn Held + 'a>, Fault>;
}

/// A lease that is held.
pub trait Held: Sync {
    /// Whether it lives still: it may have outlived its deadline, in a process that was frozen.
    fn alive(&self) -> bool;

    /// Makes everything durable, or nothing.
    fn commit(self: Box<Self>, outgoing: Outgoing) -> Result<(), Fault>;
}

/// What goes onto a log, with the offsets it makes up for.
#[derive(Debug, Default)]
pub struct Outgoing {
    /// Records for the next topic, each for the partition of its position.
    pub outputs: Vec<(Topic, Record)>,
    /// Changes of spaces.
    pub changes: Vec<Change>,
    /// Records set aside.
    pub dead: Vec<DeadLetter>,
    /// For each partition read, the offset to go on from.
    pub offsets: Vec<(u32, u64)>,
}

/// Which topics a log's positions count in. Another topic under the same name would count from 0 again, and every
/// position in the store would lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogIdentity {
    /// Counts topic sets.
    pub epoch: u32,
    /// For each topic its name, its id and its partitions; by name.
    pub topics: Vec<(String, String, u32)>,
}

/// A store whose log is elsewhere: the other half of a backend.
pub trait Ledger: Keys + Store + Hits + Reviews + Generations {
    /// Which store this is.
    fn identity(&self) -> Result<StoreId, Fault>;

    /// Pins a log epoch's topics, or compares with what was pinned: returns what stands, which the caller compares. A
    /// lower epoch than the highest pinned is refused.
    fn pin_log(&self, identity: &LogIdentity) -> Result<LogIdentity, Fault>;

    /// Before entries go to the log: looks up which turns are published already, and makes the key and row of each
    /// other, and the marks of all, durable. Answers the position of those that are.
    fn admit(&self, entries: &[Entry]) -> Result<Vec<Option<Position>>, Fault>;

    /// After: notes where turns stand. Of several positions of a turn, the first stays.
    fn note(&self, turns: &[(Scope, TurnId, Position)]) -> Result<(), Fault>;

    /// Writes sections, those of a space in order; `alive` is asked just before each space's write. A section whose
    /// position is applied already writes nothing, but destroys again what the last one did. What a space's rows were
    /// found to be is remembered for as long as the lease is the same.
    fn apply(
        &self,
        lease: &Lease,
        sections: &[Section],
        alive: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Change>, Fault>;
}
