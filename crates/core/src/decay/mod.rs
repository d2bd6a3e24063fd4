//! How memories fade (requirements D4): worked out at each read from what a memory says of itself, so nothing has to be
//! written for time to pass. Pure; reads no clock.

mod nature;

use serde::{Deserialize, Serialize};

use nature::Life;
pub use nature::Nature;

use crate::{
    fold::{Memory, Status},
    ids::MemoryId,
    slots::SlotSchema,
};

/// Milliseconds of a day.
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// What is left of the weight of a memory that nobody mentioned or asked for in [`Rules::unhit_days`].
pub const UNHIT_WEIGHT: f32 = 0.5;

/// What is left of the weight of a memory after each time it was rejected.
pub const REJECTED_WEIGHT: f32 = 0.5;
/// Rejections after which a memory is history.
pub const REJECTED_OUT: u32 = 2;

/// The numbers that fading goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Days after which an attribute without a slot is to be confirmed.
    pub to_confirm_days: u16,
    /// Days after which an attribute without a slot counts as invalid.
    pub invalid_days: u16,
    /// Days without a hit or a mention after which a memory weighs less; after as many again it is archived.
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
    /// When its status changes next if nothing is said and nobody asks, in milliseconds since 1970; `None`: never.
    pub until_ms: Option<i64>,
}

impl Standing {
    /// The same of a memory that reviewers rejected so often (requirements B4): each time it weighs less, and in the end
    /// it is history for good.
    pub fn rejected(self, times: u32) -> Self {
        let weight = self.weight * REJECTED_WEIGHT.powf(times as f32);
        match self.status {
            Status::Active | Status::ToConfirm | Status::PendingConfirm if times >= REJECTED_OUT => {
                Self { status: Status::Archived, weight, until_ms: None }
            }
            _ => Self { weight, ..self },
        }
    }
}

/// How a memory stands at `now_ms`. `hit`: how often it was surfaced, if ever.
pub fn standing(
    memory: &Memory,
    slots: Option<&SlotSchema>,
    hit: Option<&Hit>,
    now_ms: i64,
    rules: &Rules,
) -> Standing {
    Nature::of(memory, slots).standing(memory, hit, now_ms, rules)
}

impl Nature {
    /// [`standing`] of a memory whose nature is known: reading it off the words costs more than all the rest.
    pub fn standing(self, memory: &Memory, hit: Option<&Hit>, now_ms: i64, rules: &Rules) -> Standing {
        let course = Course::of(memory, &self.life(rules), hit, rules);
        let status = course.status(now_ms);
        // Of two changes the earlier may be none: what awaits an answer already does not begin to.
        let change = |at: &i64| *at > now_ms && course.status(*at) != status;
        Standing {
            status,
            weight: course.weight(now_ms),
            until_ms: course.changes().into_iter().flatten().filter(change).min(),
        }
    }
}

/// A memory's way through time, as instants in milliseconds since 1970.
struct Course {
    /// As the fold left it.
    folded: Status,
    /// From when its weight falls, and by e to which power a day.
    fades: Option<(i64, f64)>,
    to_confirm: Option<i64>,
    ends: Option<(i64, Status)>,
    unhit: i64,
    archived: Option<i64>,
}

impl Course {
    fn of(memory: &Memory, life: &Life, hit: Option<&Hit>, rules: &Rules) -> Self {
        let last = memory.last.ms();
        let after = |ms: i64| last.saturating_add(ms);
        let days = |days: u16| i64::from(days) * DAY_MS;
        let used = hit.map_or(last, |hit| hit.last_ms.max(last));
        Self {
            folded: memory.status,
            fades: life.fades.then(|| (last, f64::from(rules.fading_hundredths) / 100.0)),
            to_confirm: life.to_confirm_ms.map(after),
            ends: life.ends.map(|(ms, status)| (after(ms), status)),
            unhit: used.saturating_add(days(rules.unhit_days)),
            archived: life.archived_unhit.then(|| used.saturating_add(2 * days(rules.unhit_days))),
        }
    }

    fn status(&self, now_ms: i64) -> Status {
        let over = |at: Option<i64>| at.is_some_and(|at| now_ms >= at);
        match (self.folded, self.ends) {
            // History stays what it is.
            (Status::Superseded | Status::Archived | Status::Invalid, _) => self.folded,
            (_, Some((at, status))) if now_ms >= at => status,
            _ if over(self.archived) => Status::Archived,
            (Status::Active, _) if over(self.to_confirm) => Status::ToConfirm,
            _ => self.folded,
        }
    }

    fn weight(&self, now_ms: i64) -> f32 {
        let left = |(since, power): (i64, f64)| {
            let days = now_ms.saturating_sub(since).max(0) as f64 / DAY_MS as f64;
            (-power * days).exp() as f32
        };
        self.fades.map_or(1.0, left) * if now_ms >= self.unhit { UNHIT_WEIGHT } else { 1.0 }
    }

    /// When its status may change.
    fn changes(&self) -> [Option<i64>; 3] {
        [self.to_confirm, self.ends.map(|(at, _)| at), self.archived]
    }
}
