//! What the measurements share.

pub mod recall_sets;
