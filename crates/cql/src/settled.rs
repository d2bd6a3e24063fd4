//! What is settled once: whoever comes first decides, and everyone reads what was decided.

use std::collections::BTreeMap;

use saidso_core::{
    fault::{Code, Fault},
    ports::{Entropy, LogIdentity, Pinned, StoreId},
    seal::{Generation, Key},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    cell::{self, EPOCHS, pack, unpack},
    link::Prepared,
    tables::Tables,
    trouble::damaged,
};

impl Tables {
    /// What stands under every number of a kind.
    async fn settled(&self, read: &Prepared, kind: &str) -> Result<BTreeMap<i64, Vec<u8>>, Fault> {
        let rows: Vec<(i64, Vec<u8>)> = self.link.all(read, (kind,)).await?;
        Ok(rows.into_iter().collect())
    }

    /// What stands under a number, which is the value given if nothing did.
    async fn settle(
        &self,
        (read, write): (&Prepared, &Prepared),
        (kind, number): (&str, i64),
        value: impl FnOnce() -> Vec<u8>,
    ) -> Result<BTreeMap<i64, Vec<u8>>, Fault> {
        let stands = self.settled(read, kind).await?;
        if stands.contains_key(&number) {
            return Ok(stands);
        }
        // Whoever loses reads what the winner wrote.
        self.link.run(write, (kind, number, value())).await?;
        let stands = self.settled(read, kind).await?;
        match stands.contains_key(&number) {
            true => Ok(stands),
            false => Err(damaged("settled something once", "it does not stand after it was written")),
        }
    }

    async fn pin<T: Serialize + DeserializeOwned>(&self, kind: &str, number: u32, value: &T) -> Result<T, Fault> {
        let number = i64::from(number);
        let stands = self.settle((&self.pins, &self.settle_pin), (kind, number), || pack(value)).await?;
        let value = stands.get(&number).and_then(|bytes| unpack(bytes));
        value.ok_or_else(|| damaged("read what is pinned", "it cannot be decoded"))
    }

    /// [`saidso_core::ports::Generations::pin`].
    pub(crate) async fn pin_generation(&self, generation: Generation, pinned: &Pinned) -> Result<Pinned, Fault> {
        self.pin("generation", generation.0, pinned).await
    }

    /// [`saidso_core::ports::Ledger::identity`].
    pub(crate) async fn identity(&self, entropy: &dyn Entropy) -> Result<StoreId, Fault> {
        let mut id = [0; 16];
        entropy.fill(&mut id);
        self.pin("store", 0, &StoreId(id)).await
    }

    /// [`saidso_core::ports::Ledger::pin_log`].
    pub(crate) async fn pin_log(&self, identity: &LogIdentity) -> Result<LogIdentity, Fault> {
        let epoch = identity.epoch;
        let stop = |code, found: String| Err(Fault::stop(code, format!("pinned the log of epoch {epoch}: {found}")));
        if epoch >= EPOCHS {
            return stop(Code::Limit, format!("epochs go up to {}; move to a new keyspace", EPOCHS - 1));
        }
        let highest = self.settled(&self.pins, "log").await?.into_keys().next_back();
        if let Some(highest) = highest.filter(|highest| *highest > i64::from(epoch)) {
            let found = format!("epoch {highest} is pinned already; set the log epoch to {highest}, with its topics");
            return stop(Code::Generation, found);
        }
        self.pin("log", epoch, identity).await
    }
}

/// What the key-encryption key wraps: the secret of names, and the day keys.
pub(crate) struct Secrets {
    pub(crate) names: Key,
    days: BTreeMap<i64, Key>,
}

const NAMES: &str = "names";
const DAY: &str = "day";

impl Secrets {
    /// Reads them; the first process of all makes them. [`Code::WrongKey`] if another key wrapped them.
    pub(crate) async fn open(tables: &Tables, kek: &Key, entropy: &dyn Entropy) -> Result<Self, Fault> {
        let settle = (&tables.secrets, &tables.settle_secret);
        let new = |kind: &'static str| move || kek.encrypt(&bound(kind, 0), Key::random(entropy).bytes(), entropy);
        let names = unwrap_all(NAMES, tables.settle(settle, (NAMES, 0), new(NAMES)).await?, kek)?.remove(&0);
        let days = unwrap_all(DAY, tables.settle(settle, (DAY, 0), new(DAY)).await?, kek)?;
        let names = names.ok_or_else(|| damaged("read the secrets", "the secret of names is missing"))?;
        Ok(Self { names, days })
    }

    /// The newest day key and its number.
    pub(crate) fn today(&self) -> (i64, &Key) {
        let (number, key) = self.days.last_key_value().expect("secrets do not open without a day key");
        (*number, key)
    }

    /// A day key.
    pub(crate) fn day(&self, number: i64) -> Option<&Key> {
        self.days.get(&number)
    }
}

fn unwrap_all(kind: &str, wrapped: BTreeMap<i64, Vec<u8>>, kek: &Key) -> Result<BTreeMap<i64, Key>, Fault> {
    let unwrap = |(number, wrapped): (i64, Vec<u8>)| {
        let key = cell::unwrap(kek, &bound(kind, number), &wrapped).ok_or_else(|| {
            let found = "the key-encryption key does not open them; give the one that the keyspace was made with";
            Fault::stop(Code::WrongKey, format!("read the secrets: {found}"))
        })?;
        Ok((number, key))
    };
    wrapped.into_iter().map(unwrap).collect()
}

fn bound(kind: &str, number: i64) -> Vec<u8> {
    pack(&("saidso cql secret", kind, number))
}
