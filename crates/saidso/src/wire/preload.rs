//! What a conversation starts with.

use saidso_recall::Preloaded;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    recalled::{NOTICE, Recalled},
    sessions::Session,
};

/// What a conversation starts with, before anything is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Preload {
    /// Marks the texts as data; always the same.
    pub notice: String,
    /// The memories that weigh most, best first; `score` is their weight.
    pub memories: Vec<Recalled>,
    /// The last sessions before this one, the newest first.
    pub sessions: Vec<Session>,
    /// When memory of this customer begins, RFC 3339; null if nothing is remembered.
    #[schema(required)]
    pub memory_since: Option<String>,
}

impl From<Preloaded> for Preload {
    fn from(preloaded: Preloaded) -> Self {
        Self {
            notice: NOTICE.to_owned(),
            memories: preloaded.memories.into_iter().map(Recalled::from).collect(),
            sessions: preloaded.sessions.iter().map(Session::from).collect(),
            memory_since: preloaded.memory_since,
        }
    }
}
