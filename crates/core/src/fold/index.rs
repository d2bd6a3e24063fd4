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
    /// newest, at most [`limits::FOLD_CANDIDATES`].
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
        let needed = match kind {
            // An event of a named day may say more than it did before.
            Kind::Event => lists.len(),
            _ => lists.len() - (lists.len() * SAME_WORDS).div_ceil(100) + 1,
        };
        for list in lists.into_iter().take(needed).flatten() {
            found.extend(list.iter().rev().take(limits::FOLD_CANDIDATES));
        }
        found
    }
}

fn key(statement: &Statement<'_>) -> Key {
    let item = statement.item();
    (item.kind, item.topic_key.subject.clone(), statement.attribute.clone())
}
