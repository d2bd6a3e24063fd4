//! Language-aware text: detection, sentences, words, stems, numbers, names, negation.
//!
//! Pure rules for English, Chinese and Russian, and for any other language what needs no rules of its own. Every text is
//! taken as it comes: positions are byte ranges ([`crate::item::Span`]) of the original, always on character boundaries.

mod answer;
mod dates;
mod flat;
mod hedge;
mod language;
mod modality;
mod moment;
mod names;
mod normal;
mod numbers;
mod others;
mod polarity;
mod question;
mod sayings;
mod segment;
mod settles;
mod shield;
mod stops;
mod subject;
mod words;

pub use answer::{affirms, claims_rank, is_plain_yes, is_yes};
pub use dates::dates;
pub use hedge::is_hedged;
pub use language::Language;
pub use modality::{Modality, modalities};
pub use moment::is_transient;
pub use names::names;
pub use normal::{Normalised, find_quote};
pub(crate) use normal::{ideograph, inside_word};
pub(crate) use numbers::digit as chinese_digit;
pub use numbers::numbers;
pub use others::others_say;
pub use polarity::negations;
pub use question::{is_question, offers_alternatives};
pub use segment::{clauses, sentences};
pub use settles::{asks_whether_it_holds, confirms, named, reaffirms};
pub use shield::Shield;
pub use subject::{Whose, whose};
pub use words::{Word, content, kin, same_key, terms, words};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A rule says yes to these and no to those.
    pub(super) fn check(rule: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        for text in yes {
            assert!(rule(text), "{text}");
        }
        for text in no {
            assert!(!rule(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "\\PC*|[a-z'?, бы ли我不现在呢\u{363}\u{2028}🉐]{0,40}") {
            let _ = (is_question(&text), is_hedged(&text), is_transient(&text), is_yes(&text), negations(&text));
        }
    }
}
