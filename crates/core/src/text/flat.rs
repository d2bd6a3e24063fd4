//! A text as one line of words, for the rules that look for phrases.

use super::{Language, Normalised, words};

/// Words and marks of a text, each with a space on either side, so that a phrase is a substring: " do n't you ? ".
///
/// Chinese is not spaced: its phrases are looked for in `plain`.
pub(super) struct Flat {
    /// Words and marks, spaced.
    pub(super) spaced: String,
    /// The normalised text as it is, without the spaces around it.
    pub(super) plain: String,
    /// Its language.
    pub(super) language: Language,
}

impl Flat {
    pub(super) fn new(text: &str) -> Self {
        let language = Language::of(text);
        let normalised = Normalised::new(text);
        let text = normalised.text();
        let mut spaced = String::from(" ");
        let mut last = 0;
        for (start, end) in words::tokens(text).chain([(text.len(), text.len())]) {
            for mark in text[last..start].chars().filter(|c| ",.!?;:()\"".contains(*c)) {
                spaced.push(mark);
                spaced.push(' ');
            }
            if start < end {
                spaced.push_str(&text[start..end]);
                spaced.push(' ');
            }
            last = end;
        }
        Self { spaced, plain: text.trim().to_owned(), language }
    }

    /// Whether one of the phrases, `|` between them, occurs as whole words and marks.
    pub(super) fn has(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| has_phrase(&self.spaced, phrase))
    }

    /// Whether the text opens with one of the phrases.
    pub(super) fn opens(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| self.spaced[1..].strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' ')))
    }

    /// Whether one of the Chinese phrases, `|` between them, occurs.
    pub(super) fn holds(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| self.plain.contains(phrase))
    }
}

/// Whether a word is one of a list with `|` between its words.
pub(super) fn one_of(list: &str, word: &str) -> bool {
    list.split('|').any(|listed| listed == word)
}

/// Whether a text begins with one of a list with `|` between its entries.
pub(super) fn starts_with_any(text: &str, list: &str) -> bool {
    list.split('|').any(|listed| text.starts_with(listed))
}

/// Whether a phrase stands in a spaced text with a space on either side.
fn has_phrase(spaced: &str, phrase: &str) -> bool {
    let bytes = spaced.as_bytes();
    spaced
        .match_indices(phrase)
        .any(|(at, found)| at > 0 && bytes[at - 1] == b' ' && bytes.get(at + found.len()) == Some(&b' '))
}
