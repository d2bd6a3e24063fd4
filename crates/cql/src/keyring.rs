//! The keys: made, wrapped, unwrapped, destroyed.
//!
//! A turn's key is wrapped by its space's key, that one by a day key. What this process unwrapped it remembers for a
//! minute at most, so that a key that another process destroyed is gone here within that time; what it destroys itself is
//! gone at once.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{
    fault::{Code, Fault},
    ids::{TenantId, TurnId},
    ports::Entropy,
    seal::{Key, KeyId, NamedKey, Replaced, Sealed},
};

use crate::{
    LISTED, STEPS_AT_ONCE,
    batches::{ROW_BYTES, step},
    cell::{self, DESTROYED, ONCE, Packed, Space, pack},
    remembered::{Name, Remembered},
    settled::Secrets,
    tables::Tables,
    trouble::{damaged, misuse},
};

/// Version, attempt, and the number of the day key with what it wrapped.
type StoredSpaceKey = (i64, i64, Packed<(i64, Vec<u8>)>);
/// Turn, version, attempt, and what the space's key of that name wrapped.
type StoredTurnKey = (Packed<TurnId>, i64, i64, Packed<Sealed>);

pub(crate) struct KeyRing {
    tables: Arc<Tables>,
    secrets: Secrets,
    entropy: Arc<dyn Entropy>,
    remembered: Arc<Remembered>,
}

impl KeyRing {
    pub(crate) fn new(tables: Arc<Tables>, secrets: Secrets, entropy: Arc<dyn Entropy>) -> Self {
        Self { tables, secrets, entropy, remembered: Arc::default() }
    }

    /// The secret of names.
    pub(crate) fn names(&self) -> Key {
        self.secrets.names.clone()
    }

    /// What ids and keys are made of.
    pub(crate) fn entropy(&self) -> &dyn Entropy {
        &*self.entropy
    }

    /// A key by its id; `None` if it was destroyed or never was. A space of another tenant is a dead letter.
    pub(crate) async fn key(&self, space: Space, id: KeyId) -> Result<Option<Key>, Fault> {
        if let Some(known) = self.remembered.get((space, Some(id))).await {
            return Ok(Some(known.key));
        }
        let found = match id {
            KeyId::Turn { .. } => self.fetch(space, &[id]).await?.remove(&id),
            KeyId::Space { .. } => self.fetch_space(space).await?.remove(&id),
        };
        if found.is_none() {
            self.check_owner(space).await?;
        }
        Ok(found)
    }

    /// The space's current own key, made if there is none.
    pub(crate) async fn space_key(&self, space: Space) -> Result<NamedKey, Fault> {
        Ok(self.own(space).await?.0)
    }

    /// The same, and whether this made it: then nothing stood in the space before.
    pub(crate) async fn own(&self, space: Space) -> Result<(NamedKey, bool), Fault> {
        if let Some(known) = self.remembered.get((space, None)).await {
            return Ok((known, false));
        }
        if let Some(current) = current(&self.fetch_space(space).await?) {
            return Ok((current, false));
        }
        Ok((self.make_space_key(space).await?, true))
    }

    /// Begins to fetch the space's own keys and these; whoever asks for them meanwhile waits for that.
    pub(crate) fn warm(self: &Arc<Self>, space: Space, ids: &[KeyId]) -> Option<impl Future<Output = ()> + use<>> {
        let names: HashSet<_> = ids.iter().copied().map(Some).chain([None]).map(|id| (space, id)).collect();
        let flight = self.remembered.depart(names)?;
        let ring = Arc::clone(self);
        Some(async move {
            let own = |name: &Name| !matches!(name.1, Some(KeyId::Turn { .. }));
            let turns: Vec<KeyId> = flight.names.iter().filter(|name| !own(name)).filter_map(|(_, id)| *id).collect();
            // A hint that fails costs nothing: whoever asks meets the same fault.
            if !flight.names.iter().any(own) || ring.fetch_space(space).await.is_ok() {
                let _ = ring.fetch(space, &turns).await;
            }
        })
    }

    /// Stores turns' new keys, wrapped by the space's own.
    pub(crate) async fn store(&self, space: Space, new: Vec<&NamedKey>) -> Result<(), Fault> {
        if new.is_empty() {
            return Ok(());
        }
        let (tenant, own) = (Packed(space.0), Packed(space.1));
        let with = self.space_key(space).await?;
        let put = |new: &NamedKey| {
            let KeyId::Turn { turn, version, attempt } = new.id else {
                return Err(misuse("stored a key", "it is a space's own, which is stored when it is made"));
            };
            let version = i64::try_from(version).map_err(|_| misuse("stored a key", "its version is no stamp"))?;
            let bytes = with.key.encrypt(&bound(space, new.id, with.id), new.key.bytes(), &*self.entropy);
            let wrapped = Packed(Sealed { key: with.id, bytes });
            let values = (tenant, own, Packed(turn), version, i64::from(attempt), wrapped, ONCE);
            Ok((ROW_BYTES, step(&self.tables.put_key, values)))
        };
        self.tables.link.batches(new.into_iter().map(put).collect::<Result<_, Fault>>()?).await
    }

    /// Destroys keys, for every process; a repeat finds nothing left to do.
    pub(crate) async fn destroy(&self, space: Space, replaced: &[Replaced]) -> Result<(), Fault> {
        if replaced.is_empty() {
            return Ok(());
        }
        let destroy = |Replaced { turn, below }: &Replaced| {
            let (turn, below) = (*turn, i64::try_from(*below));
            async move {
                let below = below.map_err(|_| misuse("destroyed keys", "their version is no stamp"))?;
                let values = (DESTROYED, Packed(space.0), Packed(space.1), Packed(turn), below);
                self.tables.link.run(&self.tables.destroy_keys, values).await
            }
        };
        let destroyed =
            stream::iter(replaced.iter().map(destroy)).buffer_unordered(STEPS_AT_ONCE).try_collect::<()>().await;
        // Some may be gone, whatever became of the others.
        self.remembered.remove(space, replaced);
        destroyed
    }

    /// Reads keys of turns, past what is remembered.
    async fn fetch(&self, space: Space, ids: &[KeyId]) -> Result<HashMap<KeyId, Key>, Fault> {
        let what = "read the keys of turns";
        let before = self.remembered.before();
        let turns: HashSet<TurnId> = ids.iter().filter_map(turn_of).collect();
        let turns: Vec<Packed<TurnId>> = turns.into_iter().map(Packed).collect();
        let (mut keys, mut own) = (HashMap::new(), None);
        for turns in turns.chunks(LISTED) {
            let rows: Vec<StoredTurnKey> =
                self.tables.link.all(&self.tables.keys, (Packed(space.0), Packed(space.1), turns)).await?;
            for (Packed(turn), version, attempt, Packed(Sealed { key: with, bytes })) in rows {
                let (Ok(version), Ok(attempt)) = (version.try_into(), attempt.try_into()) else {
                    return Err(damaged(what, "an id is out of range"));
                };
                let known = self.remembered.peek((space, Some(with)));
                if known.is_none() && own.is_none() {
                    own = Some(self.fetch_space(space).await?);
                }
                let wrapping = known.as_ref().map(|known| &known.key).or_else(|| own.as_ref()?.get(&with));
                // Where the wrapping key was destroyed, so was what it wrapped.
                if let Some(wrapping) = wrapping {
                    let id = KeyId::Turn { turn, version, attempt };
                    let key = cell::unwrap(wrapping, &bound(space, id, with), &bytes);
                    keys.insert(id, key.ok_or_else(|| damaged(what, "a wrapping does not open"))?);
                }
            }
        }
        self.remembered.insert(before, keys.iter().map(|(id, key)| named(space, *id, key)));
        Ok(keys)
    }

    /// Reads every key of the space's own, past what is remembered.
    async fn fetch_space(&self, space: Space) -> Result<HashMap<KeyId, Key>, Fault> {
        let what = "read a space's keys";
        let before = self.remembered.before();
        let rows: Vec<StoredSpaceKey> =
            self.tables.link.all(&self.tables.space_keys, (Packed(space.0), Packed(space.1))).await?;
        let mut keys = HashMap::with_capacity(rows.len());
        for (version, attempt, Packed((day, wrapped))) in rows {
            let (Ok(version), Ok(attempt)) = (version.try_into(), attempt.try_into()) else {
                return Err(damaged(what, "an id is out of range"));
            };
            let id = KeyId::Space { version, attempt };
            let with = self.secrets.day(day).ok_or_else(|| damaged(what, format!("day key {day} is missing")))?;
            let key = cell::unwrap(with, &bound(space, id, day), &wrapped);
            keys.insert(id, key.ok_or_else(|| damaged(what, "a wrapping does not open"))?);
        }
        let current = current(&keys).map(|key| ((space, None), key));
        self.remembered.insert(before, keys.iter().map(|(id, key)| named(space, *id, key)).chain(current));
        Ok(keys)
    }

    /// Makes the space's first key. Another process may do so at the same time: both stand, and once both have been read
    /// again all use one of them.
    async fn make_space_key(&self, space: Space) -> Result<NamedKey, Fault> {
        let before = self.remembered.before();
        self.check_owner(space).await?;
        let (tenant, own) = (Packed(space.0), Packed(space.1));
        self.tables.link.run(&self.tables.put_owner, (own, tenant, ONCE)).await?;
        let mut attempt = [0; 4];
        self.entropy.fill(&mut attempt);
        let (version, attempt) = (0, u32::from_be_bytes(attempt));
        let (day, with) = self.secrets.today();
        let new = NamedKey { id: KeyId::Space { version, attempt }, key: Key::random(&*self.entropy) };
        let wrapped = with.encrypt(&bound(space, new.id, day), new.key.bytes(), &*self.entropy);
        let values = (tenant, own, i64::from(version), i64::from(attempt), Packed((day, wrapped)), ONCE);
        self.tables.link.run(&self.tables.put_space_key, values).await?;
        self.remembered.insert(before, [((space, Some(new.id)), new.clone()), ((space, None), new.clone())]);
        Ok(new)
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
}

fn named(space: Space, id: KeyId, key: &Key) -> (Name, NamedKey) {
    ((space, Some(id)), NamedKey { id, key: key.clone() })
}

fn turn_of(id: &KeyId) -> Option<TurnId> {
    match id {
        KeyId::Turn { turn, .. } => Some(*turn),
        KeyId::Space { .. } => None,
    }
}

/// The newest version; of the attempts at it, the lowest, so that all processes come to use the same.
fn current(keys: &HashMap<KeyId, Key>) -> Option<NamedKey> {
    let rank = |(id, _): &(&KeyId, &Key)| match id {
        KeyId::Space { version, attempt } => Some((*version, Reverse(*attempt))),
        KeyId::Turn { .. } => None,
    };
    keys.iter().max_by_key(rank).map(|(id, key)| NamedKey { id: *id, key: key.clone() })
}

/// What a wrapping is bound to: where it stands, and what wrapped it.
fn bound(space: Space, id: KeyId, with: impl serde::Serialize) -> Vec<u8> {
    pack(&("saidso cql key", space, id, with))
}
