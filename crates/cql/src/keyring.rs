//! The keys: made, wrapped, unwrapped, remembered for a moment, destroyed.
//!
//! A turn's key is wrapped by its space's key, that one by a day key. What this process unwrapped it remembers for at
//! most [`REMEMBERED`], so that a key that another process destroyed is gone here within that time; what it destroys
//! itself is gone at once. That a key is missing is never remembered.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use saidso_core::{
    fault::{Code, Fault},
    ids::{TenantId, TurnId},
    ports::Entropy,
    seal::{Key, KeyId, NamedKey, Replaced, Sealed},
};
use tokio::sync::watch;

use crate::{
    LISTED,
    cell::{self, DESTROYED, ONCE, Packed, Space, pack},
    recent::Recent,
    settled::Secrets,
    tables::Tables,
    trouble::{damaged, misuse},
};

/// The longest that a key which another process destroyed may still be used here.
const REMEMBERED: Duration = Duration::from_secs(60);
/// Keys remembered.
const KEYS: usize = 65_536;

/// A key of a space by its id; `None` is the space's current own one.
type Name = (Space, Option<KeyId>);

/// Version, attempt, and the number of the day key with what it wrapped.
type StoredSpaceKey = (i64, i64, Packed<(i64, Vec<u8>)>);

pub(crate) struct KeyRing {
    tables: Arc<Tables>,
    secrets: Secrets,
    entropy: Arc<dyn Entropy>,
    inner: Mutex<Inner>,
}

struct Inner {
    known: Recent<Name, NamedKey>,
    /// Keys on their way; the sender is dropped when they are there, or will not come.
    flights: HashMap<Name, watch::Receiver<()>>,
    /// Counts destructions: what was read before one may be gone after it, and is not remembered.
    destructions: u64,
}

/// What is known of a key.
enum Seen {
    Here(NamedKey),
    Coming(watch::Receiver<()>),
    Unknown,
}

impl KeyRing {
    pub(crate) fn new(tables: Arc<Tables>, secrets: Secrets, entropy: Arc<dyn Entropy>) -> Self {
        let known = Recent::new(KEYS, Some(REMEMBERED));
        let inner = Mutex::new(Inner { known, flights: HashMap::new(), destructions: 0 });
        Self { tables, secrets, entropy, inner }
    }

    /// The secret of names.
    pub(crate) fn names(&self) -> Key {
        self.secrets.names.clone()
    }

    /// A key by its id; `None` if it was destroyed or never was. A space of another tenant is a dead letter.
    pub(crate) async fn key(&self, space: Space, id: KeyId) -> Result<Option<Key>, Fault> {
        if let Some(known) = self.known((space, Some(id))).await {
            return Ok(Some(known.key));
        }
        let found = self.fetch(space, &[id]).await?.remove(&id);
        if found.is_none() {
            self.check_owner(space).await?;
        }
        Ok(found)
    }

    /// The space's current own key, made if there is none.
    pub(crate) async fn space_key(&self, space: Space) -> Result<NamedKey, Fault> {
        if let Some(known) = self.known((space, None)).await {
            return Ok(known);
        }
        if let Some(current) = current(&self.fetch_space(space).await?) {
            return Ok(current);
        }
        self.make_space_key(space).await?;
        let current = current(&self.fetch_space(space).await?);
        current.ok_or_else(|| damaged("made a space's key", "it is not there after it was written"))
    }

    /// Begins to fetch the space's own key and these; they are waited for by whoever asks meanwhile.
    pub(crate) fn warm(self: &Arc<Self>, space: Space, ids: &[KeyId]) -> Option<impl Future<Output = ()> + use<>> {
        let (landed, coming) = watch::channel(());
        let mut inner = self.lock();
        let wanted: HashSet<Option<KeyId>> = ids.iter().copied().map(Some).chain([None]).collect();
        let unknown = |name: &Name| inner.known.get(name).is_none() && !inner.flights.contains_key(name);
        let names: Vec<Name> = wanted.into_iter().map(|id| (space, id)).filter(unknown).collect();
        inner.flights.extend(names.iter().map(|name| (*name, coming.clone())));
        drop(inner);
        if names.is_empty() {
            return None;
        }
        let flight = Flight { ring: Arc::clone(self), names, _landed: landed };
        Some(async move {
            let ids: Vec<KeyId> = flight.names.iter().filter_map(|(_, id)| *id).collect();
            // A hint that fails costs nothing: whoever asks meets the same fault.
            if ids.len() == flight.names.len() || flight.ring.fetch_space(space).await.is_ok() {
                let _ = flight.ring.fetch(space, &ids).await;
            }
        })
    }

    /// Stores a turn's new key, wrapped by the space's own.
    pub(crate) async fn store(&self, space: Space, new: &NamedKey) -> Result<(), Fault> {
        let KeyId::Turn { turn, version, attempt } = new.id else {
            return Err(misuse("stored a key", "it is a space's own, which is stored when it is made"));
        };
        let version = i64::try_from(version).map_err(|_| misuse("stored a key", "its version is no stamp"))?;
        let with = self.space_key(space).await?;
        let bytes = with.key.encrypt(&bound(space, new.id, with.id), new.key.bytes(), &*self.entropy);
        let wrapped = Packed(Sealed { key: with.id, bytes });
        let (tenant, own) = (Packed(space.0), Packed(space.1));
        let values = (tenant, own, Packed(turn), version, i64::from(attempt), wrapped, ONCE);
        self.tables.link.run(&self.tables.put_key, values).await
    }

    /// Destroys keys, for every process; a repeat finds nothing left to do.
    pub(crate) async fn destroy(&self, space: Space, replaced: &[Replaced]) -> Result<(), Fault> {
        for Replaced { turn, below } in replaced {
            let below = i64::try_from(*below).map_err(|_| misuse("destroyed keys", "their version is no stamp"))?;
            let values = (DESTROYED, Packed(space.0), Packed(space.1), Packed(*turn), below);
            self.tables.link.run(&self.tables.destroy_keys, values).await?;
        }
        let below: HashMap<TurnId, u64> = replaced.iter().map(|replaced| (replaced.turn, replaced.below)).collect();
        let mut inner = self.lock();
        inner.destructions += 1;
        inner.known.retain(|(of, id)| match id {
            Some(KeyId::Turn { turn, version, .. }) if *of == space => {
                below.get(turn).is_none_or(|below| version >= below)
            }
            _ => true,
        });
        Ok(())
    }

    async fn known(&self, name: Name) -> Option<NamedKey> {
        match self.look(&name) {
            Seen::Here(key) => Some(key),
            Seen::Unknown => None,
            Seen::Coming(mut landed) => {
                // Nothing is ever sent: it ends when the sender is gone.
                let _ = landed.changed().await;
                match self.look(&name) {
                    Seen::Here(key) => Some(key),
                    Seen::Coming(_) | Seen::Unknown => None,
                }
            }
        }
    }

    fn look(&self, name: &Name) -> Seen {
        let mut inner = self.lock();
        match inner.known.get(name) {
            Some(key) => Seen::Here(key.clone()),
            None => inner.flights.get(name).map_or(Seen::Unknown, |landed| Seen::Coming(landed.clone())),
        }
    }

    fn remember(&self, space: Space, destructions: u64, keys: impl IntoIterator<Item = (Option<KeyId>, NamedKey)>) {
        let mut inner = self.lock();
        if inner.destructions == destructions {
            keys.into_iter().for_each(|(id, key)| inner.known.insert((space, id), key));
        }
    }

    /// Reads keys, past what is remembered.
    async fn fetch(&self, space: Space, ids: &[KeyId]) -> Result<HashMap<KeyId, Key>, Fault> {
        let destructions = self.lock().destructions;
        let turns: HashSet<TurnId> = ids.iter().filter_map(turn_of).collect();
        let mut wrapped = BTreeMap::new();
        let turns: Vec<Packed<TurnId>> = turns.into_iter().map(Packed).collect();
        for turns in turns.chunks(LISTED) {
            wrapped.extend(self.wrapped(space, turns).await?);
        }
        let mut keys = HashMap::new();
        if ids.iter().any(|id| turn_of(id).is_none()) {
            keys.extend(self.fetch_space(space).await?.into_iter().map(|own| (own.id, own.key)));
        }
        for id in ids {
            if let Some(Sealed { key: with, bytes }) = wrapped.get(id)
                && let Some(with) = self.wrapping(space, *with).await?
            {
                let key = cell::unwrap(&with.key, &bound(space, *id, with.id), bytes);
                keys.insert(*id, key.ok_or_else(|| damaged("read a turn's key", "its wrapping does not open"))?);
            }
        }
        let named = |(id, key): (&KeyId, &Key)| (Some(*id), NamedKey { id: *id, key: key.clone() });
        self.remember(space, destructions, keys.iter().map(named));
        Ok(keys)
    }

    async fn wrapped(&self, space: Space, turns: &[Packed<TurnId>]) -> Result<Vec<(KeyId, Sealed)>, Fault> {
        let (tenant, own) = (Packed(space.0), Packed(space.1));
        type Row = (Packed<TurnId>, i64, i64, Packed<Sealed>);
        let rows: Vec<Row> = self.tables.link.all(&self.tables.keys, (tenant, own, turns)).await?;
        let named = |(Packed(turn), version, attempt, Packed(wrapped)): Row| {
            let id = KeyId::Turn { turn, version: version.try_into().ok()?, attempt: attempt.try_into().ok()? };
            Some((id, wrapped))
        };
        let named: Option<Vec<_>> = rows.into_iter().map(named).collect();
        named.ok_or_else(|| damaged("read the keys of turns", "an id is out of range"))
    }

    /// The key that wrapped another; `None` if it was destroyed, and the other with it.
    async fn wrapping(&self, space: Space, id: KeyId) -> Result<Option<NamedKey>, Fault> {
        if let Seen::Here(known) = self.look(&(space, Some(id))) {
            return Ok(Some(known));
        }
        Ok(self.fetch_space(space).await?.into_iter().find(|own| own.id == id))
    }

    /// Reads every key of the space's own, past what is remembered.
    async fn fetch_space(&self, space: Space) -> Result<Vec<NamedKey>, Fault> {
        let what = "read a space's keys";
        let destructions = self.lock().destructions;
        let rows: Vec<StoredSpaceKey> =
            self.tables.link.all(&self.tables.space_keys, (Packed(space.0), Packed(space.1))).await?;
        let mut keys = Vec::with_capacity(rows.len());
        for (version, attempt, Packed((day, wrapped))) in rows {
            let (Ok(version), Ok(attempt)) = (version.try_into(), attempt.try_into()) else {
                return Err(damaged(what, "an id is out of range"));
            };
            let id = KeyId::Space { version, attempt };
            let with = self.secrets.day(day).ok_or_else(|| damaged(what, format!("day key {day} is missing")))?;
            let key = cell::unwrap(with, &bound(space, id, day), &wrapped);
            keys.push(NamedKey { id, key: key.ok_or_else(|| damaged(what, "a wrapping does not open"))? });
        }
        let current = current(&keys).map(|key| (None, key));
        self.remember(space, destructions, keys.iter().map(|key| (Some(key.id), key.clone())).chain(current));
        Ok(keys)
    }

    /// Makes the space's first key. Another process may do so at the same time: both stand, and all use one of them.
    async fn make_space_key(&self, space: Space) -> Result<(), Fault> {
        self.check_owner(space).await?;
        let (tenant, own) = (Packed(space.0), Packed(space.1));
        self.tables.link.run(&self.tables.put_owner, (own, tenant, ONCE)).await?;
        let mut attempt = [0; 4];
        self.entropy.fill(&mut attempt);
        let (version, attempt) = (0, u32::from_be_bytes(attempt));
        let (day, with) = self.secrets.today();
        let bound = bound(space, KeyId::Space { version, attempt }, day);
        let wrapped = with.encrypt(&bound, Key::random(&*self.entropy).bytes(), &*self.entropy);
        let values = (tenant, own, i64::from(version), i64::from(attempt), Packed((day, wrapped)), ONCE);
        self.tables.link.run(&self.tables.put_space_key, values).await
    }

    /// A space belongs to one tenant: who names it with another has a record that was moved.
    async fn check_owner(&self, (tenant, space): Space) -> Result<(), Fault> {
        let found: Option<(Packed<TenantId>,)> = self.tables.link.one(&self.tables.owner, (Packed(space),)).await?;
        match found {
            Some((Packed(owner),)) if owner != tenant => {
                Err(Fault::dead_letter(Code::Undecodable, "looked for a key: its space is another tenant's"))
            }
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keys being fetched. However that ends, nobody waits for it any more.
struct Flight {
    ring: Arc<KeyRing>,
    names: Vec<Name>,
    _landed: watch::Sender<()>,
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut inner = self.ring.lock();
        self.names.iter().for_each(|name| drop(inner.flights.remove(name)));
    }
}

fn turn_of(id: &KeyId) -> Option<TurnId> {
    match id {
        KeyId::Turn { turn, .. } => Some(*turn),
        KeyId::Space { .. } => None,
    }
}

/// The newest version; of the attempts at it, the lowest, so that all processes come to use the same.
fn current(keys: &[NamedKey]) -> Option<NamedKey> {
    let rank = |key: &&NamedKey| match key.id {
        KeyId::Space { version, attempt } => Some((version, std::cmp::Reverse(attempt))),
        KeyId::Turn { .. } => None,
    };
    keys.iter().max_by_key(rank).cloned()
}

/// What a wrapping is bound to: where it stands, and what wrapped it.
fn bound(space: Space, id: KeyId, with: impl serde::Serialize) -> Vec<u8> {
    pack(&("saidso cql key", space, id, with))
}
