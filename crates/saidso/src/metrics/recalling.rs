//! Where recall is.

use saidso_recall::{
    Recall,
    delays::{BOUNDS, Delays},
};

use super::{catalogue as names, text::Page};

/// Where recall is.
pub struct Recalling {
    /// Bytes of the spaces it has loaded.
    pub bytes: usize,
    /// Spaces it let go of since the start, for others to fit in.
    pub evictions: u64,
    /// Changes it had not heard of when it last looked; `None`: nobody could say.
    pub behind: Option<u64>,
    /// How long turns took to become visible.
    pub delays: Delays,
}

impl Recalling {
    /// Of a running one.
    pub fn of(recall: &Recall) -> Self {
        Self { bytes: recall.bytes(), evictions: recall.evictions(), behind: recall.behind(), delays: recall.delays() }
    }
}

/// Shows it, if there is one.
pub(super) fn show(page: &mut Page, recall: Option<&Recalling>) {
    page.head(names::RECALL_BYTES);
    if let Some(recall) = recall {
        page.sample(names::RECALL_BYTES.name, &[], recall.bytes);
    }
    page.head(names::RECALL_EVICTIONS);
    if let Some(recall) = recall {
        page.sample(names::RECALL_EVICTIONS.name, &[], recall.evictions);
    }
    page.head(names::RECALL_BEHIND);
    if let Some(behind) = recall.and_then(|recall| recall.behind) {
        page.sample(names::RECALL_BEHIND.name, &[], behind);
    }
    page.head(names::VISIBLE_SECONDS);
    if let Some(Recalling { delays, .. }) = recall {
        page.histogram(names::VISIBLE_SECONDS.name, &[], &BOUNDS, &delays.classes, delays.sum);
    }
}
