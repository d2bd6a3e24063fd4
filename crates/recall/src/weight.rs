//! What a memory's place among the results is weighed by.

use saidso_core::{
    decay::{DAY_MS, Standing},
    fold::{Memory, Status},
    ids::SessionId,
};

use crate::{space::Space, standing::At};

/// What is weighed (requirements B3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// 0…1.
    pub importance: f32,
    /// 0…1.
    pub confidence: f32,
    /// What decay has left of it, 0…1.
    pub left: f32,
    /// Days since it was last said or confirmed.
    pub age_days: f32,
    /// How often it was said.
    pub mentions: u32,
    /// How often it was surfaced.
    pub hits: u32,
    /// How it stands.
    pub status: Status,
    /// It is a task of another session, or of one that is over.
    pub out_of_place: bool,
}

impl Factors {
    /// The weight, 0…1. Each factor is monotone, and all but decay are gentle, so that none outweighs a clear difference
    /// in rank: what has decayed has less to say, however well it fits.
    pub fn weight(&self) -> f32 {
        let between = |low: f32, share: f32| low + (1.0 - low) * share;
        // One more counts less, the more there are.
        let often = |count: u32| 1.0 - 1.0 / (1.0 + count as f32);
        let standing = match self.status {
            Status::Active => 1.0,
            Status::ToConfirm | Status::PendingConfirm => 0.8,
            Status::Superseded | Status::Archived | Status::Invalid => 0.6,
        };
        between(0.9, self.importance)
            * between(0.9, self.confidence)
            * self.left
            * between(0.95, 1.0 / (1.0 + self.age_days / 180.0))
            * between(0.95, often(self.mentions))
            * between(0.95, often(self.hits))
            * standing
            * if self.out_of_place { 0.5 } else { 1.0 }
    }
}

impl Space {
    /// The weight of a memory that stands so, asked for in a session.
    pub(crate) fn weight(&self, memory: &Memory, standing: &Standing, at: &At<'_>, session: Option<SessionId>) -> f32 {
        let factors = Factors {
            importance: memory.importance.as_f32(),
            confidence: memory.confidence.as_f32(),
            left: standing.weight,
            age_days: (at.now_ms - memory.last.ms()).max(0) as f32 / DAY_MS as f32,
            mentions: memory.mentions,
            hits: at.hits_of(memory),
            status: standing.status,
            out_of_place: self.out_of_place(memory, session, at.now_ms),
        };
        factors.weight()
    }
}
