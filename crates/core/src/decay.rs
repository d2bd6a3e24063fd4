//! How memories fade (requirements D4): worked out at each read from what a memory says of itself, so nothing has to be
//! written for time to pass. Pure; reads no clock.

use serde::{Deserialize, Serialize};

use crate::{
    fold::{Memory, Status},
    ids::MemoryId,
    slots::SlotSchema,
};

/// The numbers that fading goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Days after which an attribute without a slot is to be confirmed.
    pub to_confirm_days: u16,
    /// Days after which an attribute without a slot counts as invalid.
    pub invalid_days: u16,
    /// Days without a hit or a mention after which a memory weighs less.
    pub unhit_days: u16,
    /// What is left of a transactional memory falls by e to this power a day, in hundredths.
    pub fading_hundredths: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Self { to_confirm_days: 30, invalid_days: 60, unhit_days: 180, fading_hundredths: 10 }
    }
}

/// How often a memory was surfaced. A lossy aggregate: it may miss some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// The memory.
    pub memory: MemoryId,
    /// How often.
    pub count: u32,
    /// When last, in milliseconds since 1970.
    pub last_ms: i64,
}

/// How a memory stands at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Its status then.
    pub status: Status,
    /// What is left of its weight: 0 to 1.
    pub weight: f32,
    /// When its status changes next if nothing is said, in milliseconds since 1970; `None`: never.
    pub until_ms: Option<i64>,
}

/// How a memory stands at `now_ms`. `hit`: how often it was surfaced, if ever.
pub fn standing(
    memory: &Memory,
    _slots: Option<&SlotSchema>,
    _hit: Option<&Hit>,
    _now_ms: i64,
    _rules: &Rules,
) -> Standing {
    Standing { status: memory.status, weight: 1.0, until_ms: None }
}
