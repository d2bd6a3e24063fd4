//! A text as one line of words, for the rules that look for phrases, and the lists of phrases they look for.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::{Language, Normalised, words};

/// Phrases that are looked for all at once, in one pass over a text however many they are: for lists that are asked of every
/// sentence. Built when first asked.
pub(crate) struct Phrases {
    /// The phrases, `|` between them.
    list: &'static str,
    /// Only as whole words and marks of a spaced text.
    whole: bool,
    finder: OnceLock<AhoCorasick>,
}

impl Phrases {
    /// Phrases of whole words and marks, for [`Flat::finds`].
    pub(crate) const fn whole(list: &'static str) -> Self {
        Self { list, whole: true, finder: OnceLock::new() }
    }

    /// Phrases that count inside a word too.
    pub(crate) const fn parts(list: &'static str) -> Self {
        Self { list, whole: false, finder: OnceLock::new() }
    }

    /// Them, one by one.
    pub(super) fn list(&self) -> impl Iterator<Item = &'static str> {
        self.list.split('|')
    }

    /// Whether one of the phrases occurs in a text; of whole words, in a spaced one ([`Flat::spaced`]).
    pub(crate) fn occur(&self, text: &str) -> bool {
        let finder = self.finder.get_or_init(|| {
            let phrases = self.list();
            let finder = match self.whole {
                true => AhoCorasick::new(phrases.map(|phrase| format!(" {phrase} "))),
                false => AhoCorasick::new(phrases),
            };
            finder.unwrap_or_else(|error| panic!("phrases `{}`: {error}", self.list))
        });
        finder.is_match(text)
    }
}

/// A list of words, of which a word is one or not: for lists longer than a dozen that are asked of every word.
pub(super) struct Words {
    /// The words, `|` between them.
    list: &'static str,
    sorted: OnceLock<Vec<&'static str>>,
}

impl Words {
    /// With `|` between the words.
    pub(super) const fn new(list: &'static str) -> Self {
        Self { list, sorted: OnceLock::new() }
    }

    /// Whether a word is one of them.
    pub(super) fn has(&self, word: &str) -> bool {
        let sorted = self.sorted.get_or_init(|| {
            let mut words: Vec<&str> = self.list.split('|').collect();
            words.sort_unstable();
            words
        });
        sorted.binary_search(&word).is_ok()
    }
}

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

    /// Whether one of the phrases occurs: as whole words and marks, or anywhere in the plain text.
    pub(super) fn finds(&self, phrases: &Phrases) -> bool {
        phrases.occur(if phrases.whole { &self.spaced } else { &self.plain })
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static LISTED: Phrases = Phrases::whole("a|b a|a b a|,|no longer|не");
    static PARTS: Phrases = Phrases::parts("ab|不|ь n");
    static WORDS: Words = Words::new("no|a|я|b");

    proptest! {
        #[test]
        fn phrases_together_are_found_as_one_by_one(text in "[ab ,я不]{0,12}|(no|longer|не|a|b| |,|ь n){0,8}") {
            let flat = Flat::new(&text);
            prop_assert_eq!(flat.finds(&LISTED), LISTED.list.split('|').any(|p| flat.spaced.contains(&format!(" {p} "))));
            prop_assert_eq!(flat.finds(&PARTS), flat.holds(PARTS.list));
            prop_assert_eq!(WORDS.has(&text), one_of(WORDS.list, &text));
        }
    }
}
