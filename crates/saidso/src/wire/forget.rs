//! Requests to forget, and what went.

use saidso_core::retract;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::name;

/// A request to forget: `text` in the customer's own words, or `ids` of memories.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Forget {
    /// What is to go, in words: "my car", "that I live in Oslo", "forget that I take insulin". Up to 3 memories go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Ids of up to 3 memories, or of any of their observations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
    /// Only say what would go.
    #[serde(default)]
    pub dry_run: bool,
    /// The session that reads back what went: what nobody reads goes when it ends. `forget` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The customer's IANA time zone; UTC if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

/// What became of a request to forget.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Forgotten {
    /// Where it stands: a recall with this `min_position` comes back when what it means is gone. Absent on a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The id under which what went can be read once, from that position on. For a request in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_back: Option<String>,
    /// What would go, on a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would: Option<ReadBack>,
}

/// A memory that went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Gone {
    /// Its id.
    pub id: String,
    /// `fact`, `topic`, `event`, `instruction` or `task`.
    pub kind: String,
    /// Its newest wording; of `listed` what went.
    pub text: String,
    /// `asked` for; `earlier`, a version of that which stood before; `beside`, on the same words and no others; or `listed`,
    /// one of several things that a memory lists, which stays with the others.
    pub part: String,
}

/// What a request to forget took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadBack {
    /// What went; empty if nothing of the kind was remembered.
    pub gone: Vec<Gone>,
    /// How many more were meant, and stand: ask again to have them forgotten.
    pub left: u32,
    /// Sentences of the customer's messages that went because they hold all that was named; nothing was remembered of them.
    #[serde(default)]
    pub sentences: u32,
    /// How many more such sentences there are, and stay: ask again to have them forgotten.
    #[serde(default)]
    pub sentences_left: u32,
    /// All there is was asked for: nothing went, since that takes erasing the space.
    pub everything: bool,
}

/// What a request took and nobody has read yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PendingReadBack {
    /// Its id: the request's turn.
    pub id: String,
    /// How many memories went.
    pub gone: usize,
}

/// What requests to forget took and nobody has read yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadBacks {
    /// In no order.
    pub read_backs: Vec<PendingReadBack>,
}

impl From<retract::ReadBack> for ReadBack {
    fn from(read_back: retract::ReadBack) -> Self {
        let retract::ReadBack { gone, left, sentences, sentences_left, everything } = read_back;
        let gone = gone.into_iter().map(|gone| Gone {
            id: gone.id.to_string(),
            kind: name(&gone.kind),
            text: gone.text,
            part: name(&gone.part),
        });
        Self { gone: gone.collect(), left, sentences, sentences_left, everything }
    }
}
