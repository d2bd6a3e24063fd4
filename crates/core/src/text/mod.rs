//! Language-aware text: detection, sentences, words, stems, numbers, names, negation.
//!
//! Pure rules for English, Chinese and Russian, and for any other language what needs no rules of its own. Every text is
//! taken as it comes: positions are byte ranges ([`crate::item::Span`]) of the original, always on character boundaries.

mod flat;
mod language;
mod manner;
mod names;
mod normal;
mod numbers;
mod polarity;
mod segment;
mod stops;
mod words;

pub use language::Language;
pub use manner::{is_hedged, is_question, is_transient, is_yes};
pub use names::names;
pub use normal::{Normalised, find_quote};
pub use numbers::numbers;
pub use polarity::negations;
pub use segment::{clauses, sentences};
pub use words::{Word, content, terms, words};
