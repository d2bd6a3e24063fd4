//! How much of what is remembered can be relied on (requirements D5).

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use saidso_core::{fold::Status, ids::TenantId};

use crate::{space::Space, standing::At};

/// The memories of a space, or of several, by how they stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
    /// How many, by status; forgotten ones are no memories.
    pub memories: BTreeMap<Status, u64>,
}

impl Health {
    /// Of a space at an instant.
    pub fn of(space: &Space, at: &At<'_>) -> Self {
        let mut health = Self::default();
        (0..space.memories.len() as u32).for_each(|index| health.add(at.standing(space, index).status, 1));
        health
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.memories.values().sum()
    }

    /// The share that is active and not expired; `None` of nothing.
    pub fn effective(&self) -> Option<f64> {
        let active = self.memories.get(&Status::Active).copied().unwrap_or_default();
        let total = self.total();
        (total > 0).then(|| active as f64 / total as f64)
    }

    fn add(&mut self, status: Status, memories: u64) {
        *self.memories.entry(status).or_default() += memories;
    }
}

/// What a look at all loaded spaces came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// The memories, by tenant.
    pub tenants: HashMap<TenantId, Health>,
    /// How many changed their status since the start because time passed, by what it became.
    pub transitions: BTreeMap<Status, u64>,
}

/// Looks at what is loaded, again and again.
#[derive(Default)]
pub(crate) struct Sweeper(Mutex<Swept>);

#[derive(Default)]
struct Swept {
    last_ms: Option<i64>,
    census: Census,
}

impl Sweeper {
    /// Looks at one space after the other; each comes with what is to be known of it at an instant.
    pub fn sweep<'s>(&self, now_ms: i64, spaces: impl Iterator<Item = (TenantId, &'s Space, At<'s>)>) {
        let last_ms = self.lock().last_ms.filter(|last_ms| *last_ms <= now_ms);
        let (mut tenants, mut became) = (HashMap::<TenantId, Health>::new(), BTreeMap::<Status, u64>::new());
        for (tenant, space, at) in spaces {
            let health = tenants.entry(tenant).or_default();
            let then = At { now_ms: last_ms.unwrap_or(now_ms), ..at };
            for index in 0..space.memories.len() as u32 {
                let stood = then.standing(space, index);
                match stood.until_ms {
                    Some(until_ms) if until_ms <= now_ms => {
                        let status = At { now_ms, ..at }.standing(space, index).status;
                        *became.entry(status).or_default() += 1;
                        health.add(status, 1);
                    }
                    _ => health.add(stood.status, 1),
                }
            }
        }
        let mut swept = self.lock();
        swept.last_ms = Some(now_ms);
        swept.census.tenants = tenants;
        for (status, count) in became {
            *swept.census.transitions.entry(status).or_default() += count;
        }
    }

    /// What the last look came to.
    pub fn census(&self) -> Census {
        self.lock().census.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Swept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
