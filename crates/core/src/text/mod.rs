//! Language-aware text: detection, sentences, words, stems, numbers, names, negation.

use serde::{Deserialize, Serialize};

/// A language with rules of its own here, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
    /// Russian.
    Ru,
    /// Any other: works by shared rules alone.
    Other,
}
