//! The keys: which stand where, made, wrapped, unwrapped and destroyed.
//!
//! Only the commit thread changes slots. A key is in its slot and synced before the database commits what it seals
//! ([`KeyRing::stage`]), and overwritten and synced after the database has committed that it goes
//! ([`KeyRing::doom`], [`KeyRing::flush`]).

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
    path::Path,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use saidso_core::{
    fault::{Code, Fault},
    ids::{Names, SpaceId, TenantId},
    ports::{Entropy, Keys},
    scope::Scope,
    seal::{Key, KeyId, NamedKey, Replaced},
};

use crate::{
    keyfile::{Contents, KeyFile},
    slot::{Holder, Slot},
    trouble::damaged,
};

/// A space's key by the id that blobs carry.
pub(crate) type Name = (SpaceId, KeyId);

/// A key to store.
#[derive(Debug, Clone)]
pub(crate) struct New {
    pub(crate) tenant: TenantId,
    pub(crate) space: SpaceId,
    pub(crate) key: NamedKey,
}

/// A key file as a boot finds it.
pub(crate) struct Found {
    pub(crate) ring: KeyRing,
    pub(crate) contents: Contents,
    /// Keys of commits that were not known to be acknowledged, with the number of the commit.
    pub(crate) unacknowledged: Vec<(u64, Name)>,
}

/// Keys in their slots, synced, but not yet backed by a commit.
pub(crate) struct Staged(Vec<(Name, u32)>);

impl Staged {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

pub(crate) struct KeyRing {
    file: KeyFile,
    entropy: Arc<dyn Entropy>,
    names: Key,
    days: BTreeMap<u32, Key>,
    inner: RwLock<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Where each key stands.
    slots: BTreeMap<Name, u32>,
    /// Space keys made since the last commit: they are stored with the next one, before anything sealed under them.
    pending: BTreeMap<Name, (TenantId, Key)>,
    /// Slots whose content must be overwritten before they are free.
    dirty: Vec<u32>,
    free: Vec<u32>,
    /// Slots in the file.
    len: u32,
    /// Nothing was noted since [`KeyRing::rest`].
    rested: bool,
}

impl KeyRing {
    /// Opens the key file and reads where every key stands. Writes nothing.
    pub(crate) fn open(path: &Path, kek: &Key, entropy: Arc<dyn Entropy>) -> Result<Found, Fault> {
        let what = format!("read the key file {}", path.display());
        let (mut above, mut unacknowledged, mut twice) = (Vec::new(), Vec::new(), false);
        let mut slots = BTreeMap::new();
        let (file, contents) = KeyFile::open(path, |at, slot| match slot.holder.name() {
            None => above.push(slot),
            Some(name) => {
                twice |= slots.insert(name, at).is_some();
                unacknowledged.push((slot.commit, name));
            }
        })?;
        if twice {
            return Err(damaged(&what, "it holds one key twice"));
        }
        let wrong = || {
            let found = "the key-encryption key beside it does not open it; put the right one back";
            Fault::stop(Code::WrongKey, format!("{what}: {found}"))
        };
        let (mut names, mut days) = (None, BTreeMap::new());
        for slot in above {
            let key = slot.unwrap(kek).ok_or_else(wrong)?;
            match slot.holder {
                Holder::Day { version } => drop(days.insert(version, key)),
                _ => names = Some(key),
            }
        }
        let (Some(names), false) = (names, days.is_empty()) else {
            return Err(damaged(&what, "the secret of names or the day key in it is damaged"));
        };
        unacknowledged.retain(|(commit, _)| *commit > contents.acknowledged);
        let inner = Inner { slots, free: contents.free.clone(), len: contents.slots, ..Inner::default() };
        let ring = Self { file, entropy, names, days, inner: RwLock::new(inner) };
        Ok(Found { ring, contents, unacknowledged })
    }

    /// The maker of ids.
    pub(crate) fn names(&self) -> Names {
        Names::new(self.names.clone())
    }

    /// Keys that stand.
    pub(crate) fn len(&self) -> u64 {
        self.read().slots.len() as u64
    }

    /// The keys of a turn that newer ones replaced.
    pub(crate) fn replaced(&self, space: SpaceId, replaced: Replaced) -> Vec<Name> {
        self.read().slots.range(below(space, replaced)).map(|(name, _)| *name).collect()
    }

    pub(crate) fn contains(&self, name: Name) -> bool {
        self.read().slots.contains_key(&name)
    }

    /// Writes new keys, and the pending ones they may rest on, and syncs. They can be read from then on: a row is never
    /// visible before its key.
    pub(crate) fn stage(&self, commit: u64, new: &BTreeMap<Name, New>) -> Result<Staged, Fault> {
        for New { tenant, space, .. } in new.values().filter(|new| matches!(new.key.id, KeyId::Turn { .. })) {
            self.ensure_space_key(&mut self.write(), *tenant, *space)?;
        }
        let mut all = self.pending();
        // A space's new key, handed back by the one who got it from `space_key`, is pending already.
        let fresh = new.iter().filter(|(name, _)| !self.read().pending.contains_key(name));
        all.extend(fresh.map(|(_, new)| new.clone()));
        if all.is_empty() {
            return Ok(Staged(Vec::new()));
        }
        let mut staged = Staged(Vec::new());
        match self.write_slots(commit, &all, &mut staged) {
            Ok(()) => Ok(staged),
            Err(fault) => {
                self.unstage(staged);
                Err(fault)
            }
        }
    }

    fn pending(&self) -> Vec<New> {
        let new = |((space, id), (tenant, key)): (&Name, &(TenantId, Key))| New {
            tenant: *tenant,
            space: *space,
            key: NamedKey { id: *id, key: key.clone() },
        };
        self.read().pending.iter().map(new).collect()
    }

    fn write_slots(&self, commit: u64, all: &[New], staged: &mut Staged) -> Result<(), Fault> {
        self.clear_dirty()?;
        for New { tenant, space, key } in all {
            let content = {
                let inner = self.read();
                let (parent, wrapping) = match key.id {
                    KeyId::Space { .. } => self.day(),
                    KeyId::Turn { .. } => self.current(&inner, *tenant, *space)?.ok_or_else(|| self.file.mismatch())?,
                };
                let holder = Holder::of(*tenant, *space, key.id);
                Slot::wrap(holder, (parent, &wrapping), commit, &key.key, &*self.entropy)
            };
            let slot = self.take_slot()?;
            staged.0.push(((*space, key.id), slot));
            self.file.write(slot, &content)?;
        }
        self.file.sync()?;
        self.write().slots.extend(staged.0.iter().copied());
        Ok(())
    }

    fn take_slot(&self) -> Result<u32, Fault> {
        let mut inner = self.write();
        if inner.free.is_empty() {
            let grown = self.file.grow(inner.len)?;
            inner.len = grown.end;
            inner.free.extend(grown.rev());
        }
        inner.free.pop().ok_or_else(|| self.file.mismatch())
    }

    /// The commit that staged keys belong to did not happen: they go, and pending ones wait for the next.
    pub(crate) fn unstage(&self, staged: Staged) {
        let mut inner = self.write();
        for (name, slot) in staged.0 {
            inner.slots.remove(&name);
            inner.dirty.push(slot);
        }
    }

    /// The commit that staged keys belong to happened.
    pub(crate) fn keep(&self, staged: &Staged) {
        let mut inner = self.write();
        for (name, _) in &staged.0 {
            inner.pending.remove(name);
        }
    }

    /// Takes keys out of use; [`KeyRing::flush`] overwrites them. Unknown ones are gone already.
    pub(crate) fn doom<'a>(&self, names: impl IntoIterator<Item = &'a Name>) {
        let mut inner = self.write();
        for name in names {
            if let Some(slot) = inner.slots.remove(name) {
                inner.dirty.push(slot);
            }
        }
    }

    /// Gives up slots that no key can be read from.
    pub(crate) fn discard(&self, slots: &[u32]) {
        self.write().dirty.extend_from_slice(slots);
    }

    /// Notes the commit as acknowledged, and destroys what is out of use: overwritten and synced.
    pub(crate) fn flush(&self, commit: u64) -> Result<(), Fault> {
        self.file.acknowledge(commit)?;
        let dirty = self.clear_dirty()?;
        if dirty.is_empty() {
            self.write().rested = false;
            return Ok(());
        }
        self.file.sync()?;
        let mut inner = self.write();
        inner.dirty.retain(|slot| !dirty.contains(slot));
        inner.free.extend(dirty);
        Ok(())
    }

    /// Syncs what was noted since the last sync.
    pub(crate) fn rest(&self) -> Result<(), Fault> {
        if !std::mem::replace(&mut self.write().rested, true) {
            self.file.sync()?;
        }
        Ok(())
    }

    /// Overwritten, though not free before the next sync that [`KeyRing::flush`] sees through: a slot that is written
    /// again before then could come back from the disk with its old key.
    fn clear_dirty(&self) -> Result<HashSet<u32>, Fault> {
        let dirty: HashSet<u32> = self.read().dirty.iter().copied().collect();
        dirty.iter().try_for_each(|slot| self.file.clear(*slot))?;
        Ok(dirty)
    }

    fn day(&self) -> (u32, Key) {
        let (version, key) = self.days.last_key_value().expect("a key file without a day key does not open");
        (*version, key.clone())
    }

    /// The newest key of a space.
    fn current(&self, inner: &Inner, tenant: TenantId, space: SpaceId) -> Result<Option<(u32, Key)>, Fault> {
        let all =
            (space, KeyId::Space { version: 0, attempt: 0 })..=(space, KeyId::Space { version: u32::MAX, attempt: 0 });
        let stored = inner.slots.range(all.clone()).next_back().map(|(name, _)| *name);
        let pending = inner.pending.range(all).next_back().map(|(name, _)| *name);
        let Some(name @ (_, KeyId::Space { version, .. })) = stored.max(pending) else {
            return Ok(None);
        };
        match self.find(inner, tenant, name)? {
            Some(key) => Ok(Some((version, key))),
            None => {
                Err(Fault::dead_letter(Code::Undecodable, "looked for a space's key: the space is another tenant's"))
            }
        }
    }

    fn ensure_space_key(&self, inner: &mut Inner, tenant: TenantId, space: SpaceId) -> Result<(u32, Key), Fault> {
        if let Some(current) = self.current(inner, tenant, space)? {
            return Ok(current);
        }
        let key = Key::random(&*self.entropy);
        inner.pending.insert((space, KeyId::Space { version: 0, attempt: 0 }), (tenant, key.clone()));
        Ok((0, key))
    }

    fn find(&self, inner: &Inner, tenant: TenantId, name: Name) -> Result<Option<Key>, Fault> {
        let own = |owner: TenantId| match owner == tenant {
            true => Ok(()),
            false => Err(Fault::dead_letter(Code::Undecodable, "looked for a key: its space is another tenant's")),
        };
        if let Some((owner, key)) = inner.pending.get(&name) {
            return own(*owner).map(|()| Some(key.clone()));
        }
        let Some(slot) = inner.slots.get(&name) else {
            return Ok(None);
        };
        let found = self.file.read(*slot)?.ok_or_else(|| self.file.mismatch())?;
        if found.holder.name() != Some(name) {
            return Err(self.file.mismatch());
        }
        let wrapping = match found.holder {
            Holder::Turn { space, .. } => {
                self.find(inner, tenant, (space, KeyId::Space { version: found.parent, attempt: 0 }))?
            }
            Holder::Space { tenant, .. } => own(tenant).map(|()| self.days.get(&found.parent).cloned())?,
            Holder::Names | Holder::Day { .. } => None,
        };
        let wrapping = wrapping.ok_or_else(|| self.file.mismatch())?;
        found.unwrap(&wrapping).map(Some).ok_or_else(|| self.file.mismatch())
    }

    fn read(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Inner> {
        self.inner.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The names of a turn's keys with lower versions.
pub(crate) fn below(space: SpaceId, Replaced { turn, below }: Replaced) -> Range<Name> {
    let name = |version| (space, KeyId::Turn { turn, version, attempt: 0 });
    name(0)..name(below)
}

impl Keys for KeyRing {
    fn key(&self, scope: &Scope, id: KeyId) -> Result<Option<Key>, Fault> {
        let (tenant, space) = scope.key();
        self.find(&self.read(), tenant, (space, id))
    }

    fn space_key(&self, scope: &Scope) -> Result<NamedKey, Fault> {
        let (tenant, space) = scope.key();
        let current = self.current(&self.read(), tenant, space)?;
        let (version, key) = match current {
            Some(found) => found,
            None => self.ensure_space_key(&mut self.write(), tenant, space)?,
        };
        Ok(NamedKey { id: KeyId::Space { version, attempt: 0 }, key })
    }
}
