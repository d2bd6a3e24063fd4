//! What all parts of an open log share.

use std::sync::{Arc, atomic::AtomicU64};

use crate::{names::Names, options::Options, watch::Identity, wire::Codec};

pub(crate) struct Shared {
    pub options: Options,
    pub names: Names,
    pub codec: Codec,
    pub partitions: u32,
    /// Partitions of the public topic.
    pub completed: u32,
    pub identity: Arc<Identity>,
    /// Records of internal topics that nobody could read.
    pub undecodable: AtomicU64,
}
