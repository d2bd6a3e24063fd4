//! Word lists as plain text: `label: word word two_words`, a line or more per label, `#` for remarks.

use std::collections::HashMap;

/// A set of classes, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Classes(u128);

impl Classes {
    /// Whether the class of that number is in.
    pub fn has(self, class: usize) -> bool {
        self.0 & (1 << class) != 0
    }

    /// Both together.
    pub fn and(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }
}

/// Words and the classes they belong to: one look-up tells all about a word.
pub(super) struct Lexicon {
    words: HashMap<String, Classes>,
}

impl Lexicon {
    /// Reads lists whose labels are `labels`; the class of a label is its place there.
    ///
    /// # Panics
    /// On a label that is not in `labels`, or a label without a word: the lists are part of the program, and a typing
    /// mistake in them must not pass a test.
    pub fn parse(text: &str, labels: &[&str]) -> Self {
        assert!(labels.len() <= 128, "a lexicon holds 128 classes");
        let mut words: HashMap<String, Classes> = HashMap::new();
        let mut seen = Classes::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (label, list) = line.split_once(':').unwrap_or_else(|| panic!("lexicon line without a label: {line}"));
            let class = labels
                .iter()
                .position(|known| *known == label.trim())
                .unwrap_or_else(|| panic!("lexicon label `{label}` is not a class"));
            seen = seen.and(Classes(1 << class));
            for word in list.split_whitespace() {
                let entry = words.entry(word.replace('_', " ")).or_default();
                *entry = entry.and(Classes(1 << class));
            }
        }
        for (class, label) in labels.iter().enumerate() {
            assert!(seen.has(class), "lexicon class `{label}` has no words");
        }
        Self { words }
    }

    /// The classes of a word or, with spaces, a phrase. None for an unknown one.
    pub fn classes(&self, word: &str) -> Classes {
        self.words.get(word).copied().unwrap_or_default()
    }
}

/// An enum of word classes with the labels of its lexicon.
macro_rules! classes {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $label:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($variant,)* }

        impl $name {
            /// The labels, in the order of the classes.
            pub const LABELS: &'static [&'static str] = &[$($label,)*];
        }
    };
}
pub(super) use classes;
