//! How the memories of a space stand at an instant.

use std::collections::HashMap;

use saidso_core::{
    decay::{Hit, Rules, Standing},
    fold::{Memory, Status},
    ids::MemoryId,
};

use crate::space::Space;

/// The hits of a space, by memory.
pub type Hits = HashMap<MemoryId, Hit>;

/// An instant to look at a space from.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// When, in milliseconds since 1970.
    pub now_ms: i64,
    /// The numbers that fading goes by.
    pub rules: &'a Rules,
    /// What is known of hits; `None`: they are left apart, as if every memory had just been asked for. They are known as
    /// of today alone.
    pub hits: Option<&'a Hits>,
    /// What was superseded before this instant is no longer shown, in milliseconds since 1970.
    pub history_ms: Option<i64>,
}

impl At<'_> {
    /// How a memory, by index, stands.
    pub fn standing(&self, space: &Space, index: u32) -> Standing {
        let memory = &space.memories[index as usize];
        let apart = Hit { memory: memory.id, count: 0, last_ms: self.now_ms };
        let hit = match self.hits {
            Some(hits) => hits.get(&memory.id),
            None => Some(&apart),
        };
        // As of an instant they are left apart too: nobody knows what was thought of it then.
        let rejections = self.hits.map_or(0, |_| space.verdicts.rejections(memory.id.into()));
        space.natures[index as usize].standing(memory, hit, self.now_ms, self.rules).rejected(rejections)
    }

    /// How often a memory was surfaced.
    pub fn hits_of(&self, memory: &Memory) -> u32 {
        self.hits.and_then(|hits| hits.get(&memory.id)).map_or(0, |hit| hit.count)
    }

    /// Whether a memory comes back at all (requirements B12): what does not hold only as history, and history only as
    /// far as it is shown.
    pub fn comes_back(&self, space: &Space, index: u32, status: Status, history: bool) -> bool {
        match status {
            Status::Active | Status::ToConfirm | Status::PendingConfirm => true,
            Status::Superseded | Status::Archived | Status::Invalid => {
                let shown = self.history_ms.zip(space.superseded_ms[index as usize]);
                history && shown.is_none_or(|(from, superseded)| superseded >= from)
            }
        }
    }

    /// The memories that come back, each with its status as of now.
    pub fn memories<'a>(&'a self, space: &'a Space, history: bool) -> impl Iterator<Item = Memory> + 'a {
        (0..).zip(&space.memories).filter_map(move |(index, memory)| {
            let status = self.standing(space, index).status;
            self.comes_back(space, index, status, history).then(|| Memory { status, ..memory.clone() })
        })
    }
}
