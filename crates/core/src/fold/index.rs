//! Finds the standing memories worth comparing, so that folding stays near linear however much one customer says.

use std::collections::{BTreeSet, HashMap};

use super::agree::{SAME_WORDS, Statement};
use crate::{item::Kind, limits};

/// Kind, subject and attribute.
type Key = (Kind, String, String);

/// Where the standing memories are, by what is said of them. Memories are numbers: places in the fold's list, so a
/// higher one began later.
#[derive(Default)]
pub(super) struct Index {
    by_word: HashMap<(Kind, String), BTreeSet<usize>>,
    by_key: HashMap<Key, BTreeSet<usize>>,
    by_value: HashMap<(Key, String), BTreeSet<usize>>,
    /// What each memory stands under, to take it out again.
    entries: HashMap<usize, Vec<Entry>>,
    /// Per memory, of its newest statement.
    signatures: Vec<Signature>,
}

/// Which words a statement holds, a bit a word: tells without a look at the words that two statements share too few.
#[derive(Clone, Copy, Default)]
struct Signature {
    bits: u64,
    words: u32,
}

enum Entry {
    Word((Kind, String)),
    Key(Key),
    Value((Key, String)),
}

impl Index {
    /// Puts a statement's memory under all that the statement says.
    pub fn add(&mut self, statement: &Statement<'_>, memory: usize) {
        let kind = statement.item().kind;
        if self.signatures.len() <= memory {
            self.signatures.resize(memory + 1, Signature::default());
        }
        self.signatures[memory] = Signature::of(&statement.content);
        let entries = self.entries.entry(memory).or_default();
        for word in &statement.content {
            let word = (kind, word.clone());
            if self.by_word.entry(word.clone()).or_default().insert(memory) {
                entries.push(Entry::Word(word));
            }
        }
        let key = key(statement);
        if self.by_key.entry(key.clone()).or_default().insert(memory) {
            entries.push(Entry::Key(key.clone()));
        }
        let value = (key, statement.value.clone());
        if self.by_value.entry(value.clone()).or_default().insert(memory) {
            entries.push(Entry::Value(value));
        }
    }

    /// Takes out a memory that stands no longer.
    pub fn remove(&mut self, memory: usize) {
        for entry in self.entries.remove(&memory).unwrap_or_default() {
            let found = match &entry {
                Entry::Word(word) => self.by_word.get_mut(word),
                Entry::Key(key) => self.by_key.get_mut(key),
                Entry::Value(value) => self.by_value.get_mut(value),
            };
            if let Some(found) = found {
                found.remove(&memory);
            }
        }
    }

    /// Memories that the statement may clash with, oldest first: of a thing with one value all, else those of its value.
    pub fn competing(&self, statement: &Statement<'_>) -> Vec<usize> {
        let key = key(statement);
        let found = if statement.one_at_a_time() {
            self.by_key.get(&key)
        } else {
            self.by_value.get(&(key, statement.value.clone()))
        };
        found.into_iter().flatten().copied().collect()
    }

    /// Memories that may say the same, oldest first: those of the same value, and of those that share words the
    /// newest, at most [`limits::FOLD_CANDIDATES`] a word, without those whose newest statement shares too few.
    ///
    /// Whoever shares 60 of 100 words of the union shares one of any `n − ⌈0.6·n⌉ + 1` of a statement's n words, so the
    /// rarest of them are enough to look up (prefix filtering, Chaudhuri et al. 2006).
    pub fn candidates(&self, statement: &Statement<'_>) -> BTreeSet<usize> {
        let kind = statement.item().kind;
        let same = self.by_value.get(&(key(statement), statement.value.clone()));
        let mut found: BTreeSet<usize> = same.into_iter().flatten().copied().collect();
        let words = statement.content.iter().map(|word| self.by_word.get(&(kind, word.clone())));
        let mut lists: Vec<Option<&BTreeSet<usize>>> = words.collect();
        lists.sort_by_key(|list| list.map_or(0, BTreeSet::len));
        // An event of a named day may say more than it did before.
        let told_again = kind == Kind::Event;
        let needed = match told_again {
            true => lists.len(),
            false => lists.len() - (lists.len() * SAME_WORDS).div_ceil(100) + 1,
        };
        let own = Signature::of(&statement.content);
        for list in lists.into_iter().take(needed).flatten() {
            let newest = list.iter().rev().take(limits::FOLD_CANDIDATES);
            let may = |memory: &&usize| told_again || own.may_share(self.signatures[**memory], SAME_WORDS);
            found.extend(newest.filter(may));
        }
        found
    }
}

impl Signature {
    fn of(words: &BTreeSet<String>) -> Self {
        // FNV-1a; the upper bits are the better mixed ones.
        let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let bit = |word: &String| 1 << (word.bytes().fold(0xcbf2_9ce4_8422_2325, mix) >> 58);
        Self { bits: words.iter().map(bit).fold(0, |all, bit: u64| all | bit), words: words.len() as u32 }
    }

    /// Whether two sets of words may share so many hundredths of their union: each bit that one lacks is at least one word
    /// that it lacks.
    fn may_share(self, other: Self, hundredths: usize) -> bool {
        let most = |one: Self, other: Self| one.words - (one.bits & !other.bits).count_ones();
        let both = most(self, other).min(most(other, self)) as usize;
        both * 100 >= ((self.words + other.words) as usize - both) * hundredths
    }
}

fn key(statement: &Statement<'_>) -> Key {
    let item = statement.item();
    (item.kind, item.topic_key.subject.clone(), statement.attribute.clone())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn signatures_reject_only_what_shares_too_few_words(
            a in proptest::collection::btree_set("[a-f]{1,3}", 1..9),
            b in proptest::collection::btree_set("[a-f]{1,3}", 1..9),
            common in proptest::collection::btree_set("[a-f]{1,3}", 0..9),
        ) {
            let (a, b): (BTreeSet<String>, BTreeSet<String>) = (&a | &common, &b | &common);
            let shares = (&a & &b).len() * 100 >= (&a | &b).len() * SAME_WORDS;
            let may = Signature::of(&a).may_share(Signature::of(&b), SAME_WORDS);
            prop_assert!(may || !shares);
        }
    }

    #[test]
    fn signatures_of_different_words_differ() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<String>>();
        let (a, b) = (words("warehouse gate lyon porto"), words("insulin dose morning evening"));
        assert!(!Signature::of(&a).may_share(Signature::of(&b), SAME_WORDS));
    }
}
