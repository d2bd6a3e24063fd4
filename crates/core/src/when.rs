//! Times that words name ("next Wednesday", "上个月", "в прошлый вторник"), made absolute from the moment they were said
//! (requirements A12). Pure; the zone is the speaker's own.

use serde::{Deserialize, Serialize};

use crate::{text::Language, time::Moment};

/// A stretch of time that words name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Time {
    /// The words.
    pub words: String,
    /// Its first instant, in milliseconds since 1970.
    pub from_ms: i64,
    /// The instant after its last, in milliseconds since 1970.
    pub to_ms: i64,
    /// The same as a reader would write it, in the speaker's zone: `2026-11-04`, `2026-11-02/2026-11-08`, `2026-11`,
    /// `2026`, `2026-11-04T15:00+08:00`.
    pub text: String,
}

/// The times that words name, in their order.
pub fn times(_words: &str, _language: Language, _said: &Moment) -> Vec<Time> {
    Vec::new()
}
