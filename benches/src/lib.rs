//! What the measurements share.

pub mod bare;
pub mod bed;
pub mod dialogues;
pub mod made;
pub mod recall_sets;
