//! A map that is built once and never changed. A sorted slice takes half the bytes of a hash table, and most spaces hold
//! few enough keys for a search to be as fast.

/// Entries by key; a key may have several, which keep their order.
#[derive(Debug, Default)]
pub struct Sorted<K, V>(Box<[(K, V)]>);

impl<K: Ord, V> FromIterator<(K, V)> for Sorted<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut entries: Vec<(K, V)> = entries.into_iter().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Self(entries.into_boxed_slice())
    }
}

impl<K: Ord, V> Sorted<K, V> {
    /// All entries of a key.
    pub fn all(&self, key: &K) -> &[(K, V)] {
        let start = self.0.partition_point(|(other, _)| other < key);
        let count = self.0[start..].iter().take_while(|(other, _)| other == key).count();
        &self.0[start..start + count]
    }

    /// The first of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.all(key).first().map(|(_, value)| value)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_finds_what_a_map_finds(entries in proptest::collection::vec((0u8..20, any::<u16>()), 0..40)) {
            let sorted: Sorted<u8, u16> = entries.iter().copied().collect();
            let mut map: BTreeMap<u8, Vec<(u8, u16)>> = BTreeMap::new();
            entries.iter().for_each(|entry| map.entry(entry.0).or_default().push(*entry));
            for key in 0..22 {
                let expected = map.get(&key).cloned().unwrap_or_default();
                prop_assert_eq!(sorted.all(&key), &*expected);
                prop_assert_eq!(sorted.get(&key), expected.first().map(|(_, value)| value));
            }
        }
    }
}
