//! What the measurements share.

pub mod dialogues;
pub mod recall_sets;
