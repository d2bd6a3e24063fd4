//! A bounded memory of what was used lately.

use std::{
    borrow::Borrow,
    collections::HashMap,
    hash::Hash,
    mem,
    time::{Duration, Instant},
};

/// What was put in lately. Two maps, a young and an old one: when the young one is full or its time is over, it becomes
/// the old one, and what was old is dropped. So nothing stays for longer than two such times, and no entry needs a note
/// of its own.
pub(crate) struct Recent<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    since: Instant,
    half: usize,
    time: Option<Duration>,
}

impl<K: Hash + Eq, V> Recent<K, V> {
    /// For at most so many entries, each for at most so long.
    pub(crate) fn new(entries: usize, keep: Option<Duration>) -> Self {
        let (half, time) = (entries / 2, keep.map(|keep| keep / 2));
        Self { young: HashMap::new(), old: HashMap::new(), since: Instant::now(), half, time }
    }

    /// What stands under a key.
    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.turn_over();
        self.young.get(key).or_else(|| self.old.get(key))
    }

    /// Puts a value under a key, as the newest.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.turn_over();
        self.old.remove(&key);
        self.young.insert(key, value);
    }

    /// Takes out what stands under a key.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        self.young.remove(key).or_else(|| self.old.remove(key))
    }

    /// Drops what does not pass.
    pub(crate) fn retain(&mut self, mut passes: impl FnMut(&K) -> bool) {
        self.young.retain(|key, _| passes(key));
        self.old.retain(|key, _| passes(key));
    }

    fn turn_over(&mut self) {
        let age = self.since.elapsed();
        let times_over = self.time.map_or(0, |time| {
            if age < time {
                0
            } else if age < time * 2 {
                1
            } else {
                2
            }
        });
        if times_over > 0 || self.young.len() >= self.half {
            self.old = mem::take(&mut self.young);
            self.since = Instant::now();
        }
        if times_over > 1 {
            self.old.clear();
        }
    }
}
