//! Shards: per tenant, the spaces in use. One index per space, so there is no filter to forget.
//!
//! A space is loaded by the first who needs it while others wait; a change only counts up, and whoever asks after the
//! change loads again. No lock is held over a read of the store or a call of a model.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use saidso_core::{
    fault::Fault,
    ids::{SpaceId, TenantId},
    ports::Change,
    scope::Scope,
};

use crate::{probe::Offered, space::Space, tally::Tally};

/// Vectors of the newest distinct questions kept per space.
const QUERY_VECTORS: usize = 16;

/// The shards of all tenants.
pub(crate) struct Shards {
    tenants: RwLock<HashMap<TenantId, Arc<Shard>>>,
    /// Bytes of all loaded spaces together.
    bytes: AtomicUsize,
    /// Bytes they may take.
    budget: usize,
    /// Counts uses, to tell which space was used least recently.
    uses: AtomicU64,
    /// Spaces that had to go since the start, for others to fit in.
    evictions: AtomicU64,
    evicting: Mutex<()>,
}

#[derive(Default)]
struct Shard(Mutex<HashMap<SpaceId, Arc<Slot>>>);

/// The place of one space.
#[derive(Default)]
pub(crate) struct Slot {
    state: Mutex<State>,
    moved: Condvar,
    /// How often its memories were surfaced.
    pub hits: Tally,
    /// What was offered to be asked.
    pub offered: Offered,
}

#[derive(Default)]
struct State {
    /// How many changes were heard of.
    changes: u64,
    loaded: Option<Loaded>,
    loading: bool,
    used: u64,
    vectors: VecDeque<(String, Arc<[f32]>)>,
}

struct Loaded {
    /// Changes heard of before it was read: all of them are in it.
    changes: u64,
    space: Arc<Space>,
}

impl Shards {
    pub fn new(budget: usize) -> Self {
        Self {
            tenants: RwLock::default(),
            bytes: AtomicUsize::new(0),
            budget,
            uses: AtomicU64::new(0),
            evictions: AtomicU64::new(0),
            evicting: Mutex::new(()),
        }
    }

    /// The place of a space.
    pub fn slot(&self, scope: &Scope) -> Arc<Slot> {
        let (tenant, space) = scope.key();
        let slot = self.shard(tenant).spaces().entry(space).or_default().clone();
        slot.state().used = self.uses.fetch_add(1, Ordering::Relaxed);
        slot
    }

    /// The space, no older than this call: loaded with `load` if what is here is stale.
    pub fn current(&self, slot: &Slot, load: impl FnOnce() -> Result<Space, Fault>) -> Result<Arc<Space>, Fault> {
        let mut state = slot.state();
        let needed = state.changes;
        loop {
            if let Some(loaded) = state.loaded.as_ref().filter(|loaded| loaded.changes >= needed) {
                return Ok(loaded.space.clone());
            }
            if !state.loading {
                break;
            }
            state = slot.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.loading = true;
        let changes = state.changes;
        drop(state);
        let loading = Loading(slot);
        let space = Arc::new(load()?);
        let mut state = slot.state();
        let new = space.bytes();
        let old = state.loaded.replace(Loaded { changes, space: space.clone() }).map_or(0, |old| old.space.bytes());
        drop(state);
        drop(loading);
        self.bytes.fetch_add(new, Ordering::Relaxed);
        self.bytes.fetch_sub(old, Ordering::Relaxed);
        self.evict();
        Ok(space)
    }

    /// A space moved on.
    pub fn changed(&self, change: &Change) {
        let shard = self.tenants.read().unwrap_or_else(PoisonError::into_inner).get(&change.tenant).cloned();
        if let Some(slot) = shard.and_then(|shard| shard.spaces().get(&change.space).cloned()) {
            slot.change();
        }
    }

    /// Any space may have moved on.
    pub fn all_changed(&self) {
        let shards: Vec<Arc<Shard>> = self.shards();
        for shard in shards {
            shard.spaces().values().for_each(|slot| slot.change());
        }
    }

    /// Every space that is loaded, fresh or stale, with its place.
    pub fn loaded(&self) -> Vec<(TenantId, Arc<Slot>, Arc<Space>)> {
        let tenants = self.tenants.read().unwrap_or_else(PoisonError::into_inner);
        let shards: Vec<(TenantId, Arc<Shard>)> = tenants.iter().map(|(id, shard)| (*id, shard.clone())).collect();
        drop(tenants);
        let of_shard = |(tenant, shard): &(TenantId, Arc<Shard>)| {
            let slots: Vec<Arc<Slot>> = shard.spaces().values().cloned().collect();
            let loaded = |slot: Arc<Slot>| {
                let space = slot.state().loaded.as_ref()?.space.clone();
                Some((*tenant, slot, space))
            };
            slots.into_iter().filter_map(loaded).collect::<Vec<_>>()
        };
        shards.iter().flat_map(of_shard).collect()
    }

    /// Bytes of the loaded spaces.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Spaces that had to go since the start, for others to fit in.
    pub fn evictions(&self) -> u64 {
        self.evictions.load(Ordering::Relaxed)
    }

    fn shard(&self, tenant: TenantId) -> Arc<Shard> {
        if let Some(shard) = self.tenants.read().unwrap_or_else(PoisonError::into_inner).get(&tenant) {
            return shard.clone();
        }
        self.tenants.write().unwrap_or_else(PoisonError::into_inner).entry(tenant).or_default().clone()
    }

    fn shards(&self) -> Vec<Arc<Shard>> {
        self.tenants.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Drops the spaces used least recently, down to seven eighths of the budget so that this is rare. Spaces that
    /// somebody is busy with stay: whoever holds a slot must keep hearing of changes.
    fn evict(&self) {
        if self.bytes() <= self.budget {
            return;
        }
        let Ok(_one) = self.evicting.try_lock() else { return };
        let mut idle: Vec<(u64, Arc<Shard>, SpaceId)> = Vec::new();
        for shard in self.shards() {
            let spaces = shard.spaces();
            let used = spaces.iter().map(|(id, slot)| (slot.state().used, shard.clone(), *id));
            idle.extend(used);
        }
        idle.sort_unstable_by_key(|(used, ..)| *used);
        for (_, shard, id) in idle {
            if self.bytes() <= self.budget / 8 * 7 {
                break;
            }
            let mut spaces = shard.spaces();
            if spaces.get(&id).is_some_and(|slot| Arc::strong_count(slot) == 1)
                && let Some(slot) = spaces.remove(&id)
            {
                // Of one that was never loaded there is nothing to count.
                if let Some(loaded) = slot.state().loaded.take() {
                    self.bytes.fetch_sub(loaded.space.bytes(), Ordering::Relaxed);
                    self.evictions.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
}

impl Shard {
    fn spaces(&self) -> MutexGuard<'_, HashMap<SpaceId, Arc<Slot>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The space moved on.
    pub fn change(&self) {
        self.state().changes += 1;
        self.moved.notify_all();
    }

    /// How many changes were heard of.
    pub fn changes(&self) -> u64 {
        self.state().changes
    }

    /// Waits until more than `changes` were heard of; `false` if the deadline came first.
    pub fn wait(&self, changes: u64, deadline: Instant) -> bool {
        let mut state = self.state();
        while state.changes <= changes {
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return false;
            }
            state = self.moved.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// The vector of a question asked before.
    pub fn vector(&self, query: &str) -> Option<Arc<[f32]>> {
        self.state().vectors.iter().find(|(known, _)| known == query).map(|(_, vector)| vector.clone())
    }

    /// Keeps the vector of a question.
    pub fn keep(&self, query: &str, vector: Arc<[f32]>) {
        let mut state = self.state();
        if state.vectors.len() == QUERY_VECTORS {
            state.vectors.pop_front();
        }
        state.vectors.push_back((query.to_owned(), vector));
    }
}

/// Ends a load, come what may: a loader that fails or panics leaves the next one free to try.
struct Loading<'a>(&'a Slot);

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        self.0.state().loading = false;
        self.0.moved.notify_all();
    }
}
