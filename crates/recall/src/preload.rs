//! What a conversation starts with (requirements B6): the memories that weigh most, and the last sessions.

use saidso_core::{ids::SessionId, limits, session::Session};

use crate::{
    Provenance, Recalled,
    answer::recalled,
    search::{Found, Item},
    space::Space,
    standing::At,
};

/// What a conversation starts with. The space is loaded from then on: the first question reads nothing from the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Preloaded {
    /// The memories that weigh most whatever is asked, best first; `score` is their weight.
    pub memories: Vec<Recalled>,
    /// The newest sessions before this one, the newest first.
    pub sessions: Vec<Session>,
    /// When memory of this customer begins, RFC 3339; `None` if it has not begun.
    pub memory_since: Option<String>,
}

impl Space {
    /// What a session starts with, at an instant.
    pub(crate) fn preload(&self, session: SessionId, at: &At<'_>, provenance: &Provenance) -> Preloaded {
        let mut hot: Vec<Found> = (0..)
            .zip(&self.memories)
            .filter_map(|(index, memory)| {
                let standing = at.standing(self, index);
                let score = self.weight(memory, &standing, at, Some(session));
                let found = Found { item: Item::Memory(index), score, evidence: 0.0 };
                at.comes_back(self, index, standing.status, false).then_some(found)
            })
            .collect();
        hot.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.item.cmp(&b.item)));
        hot.truncate(limits::HOT_MEMORIES);
        let others = self.sessions_before(session, limits::SESSIONS_SHOWN, at.now_ms);
        Preloaded {
            memories: hot.iter().filter_map(|found| recalled(self, at, found, provenance)).collect(),
            sessions: others,
            memory_since: self.since().map(str::to_owned),
        }
    }
}
