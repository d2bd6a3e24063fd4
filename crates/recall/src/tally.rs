//! Hits, counted in memory and written now and then: a recall waits for neither, and what a crash loses is a few counts.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use saidso_core::{decay::Hit, fault::Fault, ids::MemoryId, ports, scope::Scope};

use crate::{space::Space, standing::Hits};

/// Spaces that one write takes: it should not hold up the turns that are written meanwhile.
pub(crate) const SPACES_AT_ONCE: usize = 64;

/// The hits of one space.
#[derive(Default)]
pub(crate) struct Tally(Mutex<Option<Arc<Hits>>>);

impl Tally {
    /// Brings the hits to a space that was loaded: read by the first who comes, then kept. A memory that began earlier
    /// than was known keeps what its later name counted; of one that is forgotten they go.
    pub fn follow(&self, space: &Space, read: impl FnOnce() -> Result<Vec<Hit>, Fault>) -> Result<(), Fault> {
        // Nobody counts in a space that is not loaded, so the lock is held over the first read without harm.
        let mut hits = self.lock();
        let known = match hits.take() {
            Some(known) => known.values().copied().collect(),
            None => read()?,
        };
        let mut followed = Hits::new();
        for hit in known {
            if let Some(memory) = space.memory(hit.memory).map(|memory| memory.id) {
                let hit = Hit { memory, ..hit };
                followed.entry(memory).and_modify(|other| *other = later(*other, hit)).or_insert(hit);
            }
        }
        *hits = Some(Arc::new(followed));
        Ok(())
    }

    /// As they are.
    pub fn read(&self) -> Arc<Hits> {
        self.lock().clone().unwrap_or_default()
    }

    /// Counts one for each memory, and says what they come to.
    pub fn count(&self, memories: &[MemoryId], now_ms: i64) -> Vec<Hit> {
        let mut hits = self.lock();
        let hits = Arc::make_mut(hits.get_or_insert_default());
        let one_more = |memory: &MemoryId| {
            let hit = hits.entry(*memory).or_insert(Hit { memory: *memory, count: 0, last_ms: now_ms });
            hit.count = hit.count.saturating_add(1);
            hit.last_ms = hit.last_ms.max(now_ms);
            *hit
        };
        memories.iter().map(one_more).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Hits>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hits that are counted and not yet written.
#[derive(Default)]
pub(crate) struct Unwritten(Mutex<HashMap<Scope, Hits>>);

impl Unwritten {
    /// To be written with the next.
    pub fn add(&self, scope: &Scope, hits: impl IntoIterator<Item = Hit>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unwritten = all.entry(scope.clone()).or_default();
        for hit in hits {
            unwritten.entry(hit.memory).and_modify(|other| *other = later(*other, hit)).or_insert(hit);
        }
    }

    /// Those of a space: what is stored does not know of them yet.
    pub fn of(&self, scope: &Scope) -> Vec<Hit> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(scope).map(|hits| hits.values().copied().collect()).unwrap_or_default()
    }

    /// Writes all of them. What the store does not take stays for the next time.
    pub fn write(&self, store: &dyn ports::Hits) {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let spaces: Vec<(Scope, Vec<Hit>)> =
            all.into_iter().map(|(scope, hits)| (scope, hits.into_values().collect())).collect();
        for spaces in spaces.chunks(SPACES_AT_ONCE) {
            if store.put_hits(spaces).is_err() {
                spaces.iter().for_each(|(scope, hits)| self.add(scope, hits.iter().copied()));
            }
        }
    }
}

/// Of two counts of one memory, what is known for sure.
fn later(a: Hit, b: Hit) -> Hit {
    Hit { memory: a.memory, count: a.count.max(b.count), last_ms: a.last_ms.max(b.last_ms) }
}
