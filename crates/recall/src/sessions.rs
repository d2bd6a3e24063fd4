//! The sessions of a space, and what is over with them.

use saidso_core::{fold::Memory, ids::SessionId, item::Kind, session::Session};

use crate::space::Space;

impl Space {
    /// The newest sessions at an instant, at most so many.
    pub fn sessions(&self, limit: usize, now_ms: i64) -> Vec<Session> {
        let memory_of = |id| self.memory(id);
        let newest = self.dialogues.iter().take(limit);
        newest.map(|dialogue| dialogue.session(now_ms, &self.memories, memory_of)).collect()
    }

    /// The newest sessions but one that has just begun, or goes on, at an instant.
    pub fn sessions_before(&self, session: SessionId, limit: usize, now_ms: i64) -> Vec<Session> {
        let memory_of = |id| self.memory(id);
        let others = self.dialogues.iter().filter(|dialogue| dialogue.id != session).take(limit);
        others.map(|dialogue| dialogue.session(now_ms, &self.memories, memory_of)).collect()
    }

    /// Whether a task is over at an instant: its session was ended, or timed out after the task was last said.
    pub fn over(&self, memory: &Memory, now_ms: i64) -> bool {
        let said_ms = memory.last.ms();
        let timed_out = || match self.dialogues.iter().find(|dialogue| dialogue.id == memory.session) {
            Some(dialogue) => dialogue.timeline.over(said_ms, now_ms),
            // So many sessions came after it that the longer time-out is through, or as good as.
            None => said_ms.saturating_add(self.time_outs.identity_ms) < now_ms,
        };
        memory.kind == Kind::Task && (memory.ended || timed_out())
    }

    /// Whether a task is out of place in a session: its own is over, or another one.
    pub fn out_of_place(&self, memory: &Memory, session: Option<SessionId>, now_ms: i64) -> bool {
        let another = session.is_some_and(|session| session != memory.session);
        memory.kind == Kind::Task && (another || self.over(memory, now_ms))
    }
}
