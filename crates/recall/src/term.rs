//! Terms: words as numbers, and how telling a word is.

use std::{
    collections::HashSet,
    hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState},
    sync::LazyLock,
};

use saidso_core::text;

/// A term of an index: the hash of a stem, keyed anew in every process so that nobody can choose collisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u64);

static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

impl Term {
    /// Of a stem or a pair of Han characters, as [`text::terms`] gives them.
    pub fn of(stem: &str) -> Self {
        Self(KEY.hash_one(root(stem)))
    }

    /// Whether the term says what a sentence is about: it is not of the general vocabulary.
    pub fn telling(self) -> bool {
        !GENERAL.contains(&self)
    }

    /// In how many of [`BACKGROUND`] statements of anybody the term would stand.
    pub fn general(self) -> f32 {
        if self.telling() { 1.0 } else { GENERAL_IN }
    }

    /// How telling the term is where it stands in `found` of `documents`: an inverse document frequency over the
    /// space's own documents and a general collection together, so that a space of one memory knows too that "time"
    /// says less than "insulin".
    pub fn weight(self, found: usize, documents: usize) -> f32 {
        ((BACKGROUND + documents as f32) / (self.general() + found as f32)).ln()
    }
}

/// Snowball leaves some endings of Russian verbs ("живу" is "жив", "живет" and "живешь" are not). A question and its
/// answer rarely stand in the same person, so they are cut here, where only finding depends on it.
fn root(stem: &str) -> &str {
    const LEFT_OVER: [&str; 5] = ["ет", "еш", "ешь", "ем", "ут"];
    let cut = LEFT_OVER.iter().find_map(|ending| stem.strip_suffix(ending));
    cut.filter(|root| root.chars().count() >= 3).unwrap_or(stem)
}

/// Size of the general collection that every space is thought to stand in.
const BACKGROUND: f32 = 1_000.0;
/// How many statements of the general collection hold a word of the general vocabulary.
const GENERAL_IN: f32 = 150.0;

/// Words of the general vocabulary: content words that say little about what a sentence is about.
static GENERAL: LazyLock<HashSet<Term, Hashed>> = LazyLock::new(|| {
    let spaced = [include_str!("general/en.txt"), include_str!("general/ru.txt")];
    let stems = spaced.iter().flat_map(|list| text::words(list)).map(|word| Term::of(&word.stem));
    // Chinese ones are listed as the pairs of characters that terms are made of.
    stems.chain(include_str!("general/zh.txt").split_whitespace().map(Term::of)).collect()
});

/// For maps keyed by terms, which are hashes already.
pub type Hashed = BuildHasherDefault<AsIs>;

/// Takes a term as its own hash.
#[derive(Debug, Default)]
pub struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        // Only terms are hashed with this, and they write one u64; anything else still hashes, if poorly.
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn general_words_tell_less_even_in_a_space_of_one() {
        let weight = |stem: &str| Term::of(stem).weight(1, 1);
        for (general, telling) in [("time", "insulin"), ("喜欢", "胰岛"), ("врем", "инсулин")] {
            assert!(weight(general) * 3.0 < weight(telling), "{general}");
        }
    }

    #[test]
    fn persons_of_a_russian_verb_are_one_term() {
        let term = |word: &str| Term::of(&text::words(word)[0].stem);
        for word in ["живёт", "живешь", "живём", "живут"] {
            assert_eq!(term("живу"), term(word), "{word}");
        }
        assert_ne!(term("лет"), term("л"));
        assert_eq!(term("билеты"), term("билет"));
    }

    #[test]
    fn a_word_that_is_everywhere_in_a_space_tells_little() {
        let term = Term::of("warehouse");
        assert!(term.weight(400, 400) * 3.0 < term.weight(1, 400));
    }
}
