//! A position: the one order of a space's turns and commands.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::ids::SpaceId;

/// Where a turn or command stands on the head log; compared in the order of the fields. Written `epoch-partition-offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// Counts topic sets.
    pub epoch: u32,
    /// Partition of the head log. A space keeps to one within an epoch.
    pub partition: u32,
    /// Offset in the partition.
    pub offset: u64,
}

impl Position {
    /// Bits of an offset in a [`Position::stamp`].
    const OFFSET_BITS: u32 = 40;

    /// One number that grows with the positions of a space: the timestamp of everything written at this position, and
    /// the version of the keys made at it. Never 0.
    pub fn stamp(&self) -> u64 {
        (u64::from(self.epoch) << Self::OFFSET_BITS) | self.offset
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.epoch, self.partition, self.offset)
    }
}

/// The partition of a space, on every topic: its id is a keyed hash already, so its first bytes spread evenly.
pub fn partition_of(space: SpaceId, partitions: u32) -> u32 {
    let mut first = [0; 8];
    first.copy_from_slice(&space.as_bytes()[..8]);
    // A remainder of a `u32` fits one.
    (u64::from_be_bytes(first) % u64::from(partitions)) as u32
}

/// A string that is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a position is three numbers, like 1-0-42, as a publish answered it")]
pub struct NotAPosition;

impl FromStr for Position {
    type Err = NotAPosition;

    fn from_str(text: &str) -> Result<Self, NotAPosition> {
        let mut parts = text.split('-');
        let (Some(epoch), Some(partition), Some(offset), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(NotAPosition);
        };
        Ok(Self {
            epoch: epoch.parse().map_err(|_| NotAPosition)?,
            partition: partition.parse().map_err(|_| NotAPosition)?,
            offset: offset.parse().map_err(|_| NotAPosition)?,
        })
    }
}
