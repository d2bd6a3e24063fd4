//! What a request took, to be read once.

use serde::{Deserialize, Serialize};

use crate::{
    ids::MemoryId,
    item::Kind,
    seal::{Payload, private::Within},
};

/// Why a memory went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// It was asked for.
    Asked,
    /// An earlier version of what was asked for.
    Earlier,
    /// It rested on the same words, and on no others.
    Beside,
    /// It is one of the things that a memory lists, which stays with the others.
    Listed,
}

/// A memory that went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// Its id.
    pub id: MemoryId,
    /// What sort it was.
    pub kind: Kind,
    /// Its newest wording; of what a memory lists, what went.
    pub text: String,
    /// Why it went.
    pub part: Part,
}

/// What a request took, in the customer's words. Stored under a key of its own that goes when it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBack {
    /// What went.
    pub gone: Vec<Gone>,
    /// How many more were meant, and stand: one request takes no more than [`crate::limits::FORGET_MOST`].
    pub left: u32,
    /// Sentences of the customer's messages that went because they hold all that was named; nothing was remembered of them.
    pub sentences: u32,
    /// How many more such sentences there are, and stay: one request takes no more than
    /// [`crate::limits::FORGET_SENTENCES`].
    pub sentences_left: u32,
    /// All there is was asked for. That takes the operation that erases the space.
    pub everything: bool,
}

impl ReadBack {
    /// The memories that were asked for, with their history.
    pub fn targets(&self) -> impl Iterator<Item = MemoryId> + '_ {
        self.gone.iter().filter(|gone| matches!(gone.part, Part::Asked | Part::Earlier)).map(|gone| gone.id)
    }
}

impl Payload for ReadBack {
    type Wire = Self;
    fn to_wire(&self, _: Within) -> Self {
        self.clone()
    }
    fn from_wire(wire: Self, _: Within) -> Self {
        wire
    }
}
