//! Keys that were unwrapped a moment ago, and those on their way.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use saidso_core::{
    ids::TurnId,
    seal::{KeyId, NamedKey, Replaced},
};
use tokio::sync::watch;

use crate::{cell::Space, recent::Recent};

/// The longest that a key which another process destroyed may still be used here.
const KEPT: Duration = Duration::from_secs(60);
/// Keys remembered.
const KEYS: usize = 65_536;

/// A key of a space by its id; `None` is the space's current own one.
pub(crate) type Name = (Space, Option<KeyId>);

/// What this process knows of keys. That one is missing is never remembered.
pub(crate) struct Remembered(Mutex<Inner>);

struct Inner {
    known: Recent<Name, NamedKey>,
    /// Keys on their way; the sender is dropped when they are there, or will not come.
    flights: HashMap<Name, watch::Receiver<()>>,
    /// Counts destructions.
    destructions: u64,
}

/// When something was read: what was read before a destruction may be gone after it, and is not remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Before(u64);

impl Default for Remembered {
    fn default() -> Self {
        let known = Recent::new(KEYS, Some(KEPT));
        Self(Mutex::new(Inner { known, flights: HashMap::new(), destructions: 0 }))
    }
}

impl Remembered {
    /// A key, if it is known; one on its way is waited for.
    pub(crate) async fn get(&self, name: Name) -> Option<NamedKey> {
        let mut landed = {
            let mut inner = self.lock();
            match inner.known.get(&name) {
                Some(key) => return Some(key.clone()),
                None => inner.flights.get(&name)?.clone(),
            }
        };
        // Nothing is ever sent: it ends when the sender is gone.
        let _ = landed.changed().await;
        self.peek(name)
    }

    /// A key, if it is known at once.
    pub(crate) fn peek(&self, name: Name) -> Option<NamedKey> {
        self.lock().known.get(&name).cloned()
    }

    /// To be asked before a read that is to be remembered.
    pub(crate) fn before(&self) -> Before {
        Before(self.lock().destructions)
    }

    /// Remembers what was read.
    pub(crate) fn insert(&self, before: Before, keys: impl IntoIterator<Item = (Name, NamedKey)>) {
        let mut inner = self.lock();
        if Before(inner.destructions) == before {
            keys.into_iter().for_each(|(name, key)| inner.known.insert(name, key));
        }
    }

    /// Forgets keys that were destroyed.
    pub(crate) fn remove(&self, space: Space, replaced: &[Replaced]) {
        let below: HashMap<TurnId, u64> = replaced.iter().map(|replaced| (replaced.turn, replaced.below)).collect();
        let mut inner = self.lock();
        inner.destructions += 1;
        inner.known.retain(|(of, id)| match id {
            Some(KeyId::Turn { turn, version, .. }) if *of == space => {
                below.get(turn).is_none_or(|below| version >= below)
            }
            _ => true,
        });
    }

    /// Takes those of the names that are neither known nor on their way, to be fetched; `None` if there are none.
    pub(crate) fn depart(self: &Arc<Self>, names: HashSet<Name>) -> Option<Flight> {
        let (landed, coming) = watch::channel(());
        let mut inner = self.lock();
        let unknown = |name: &Name| inner.known.get(name).is_none() && !inner.flights.contains_key(name);
        let names: Vec<Name> = names.into_iter().filter(unknown).collect();
        inner.flights.extend(names.iter().map(|name| (*name, coming.clone())));
        drop(inner);
        (!names.is_empty()).then(|| Flight { of: Arc::clone(self), names, _landed: landed })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keys being fetched. However that ends, nobody waits for it any more.
pub(crate) struct Flight {
    of: Arc<Remembered>,
    pub(crate) names: Vec<Name>,
    _landed: watch::Sender<()>,
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut inner = self.of.lock();
        self.names.iter().for_each(|name| drop(inner.flights.remove(name)));
    }
}
