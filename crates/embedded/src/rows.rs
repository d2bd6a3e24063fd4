//! The tables, and how a row becomes bytes: a version, the value in postcard, and a checksum that binds both to the
//! table and the key. A flipped bit is a `Code::Damaged` fault and never another value.

use redb::{ReadableTable, Table, TableDefinition, TableHandle, WriteTransaction};
use saidso_core::{
    fault::{Code, Fault},
    scope::Scope,
    seal::Generation,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::Xxh3;

use crate::trouble::{Trouble, damaged};

/// A table.
pub(crate) type Def = TableDefinition<'static, &'static [u8], &'static [u8]>;

/// One row, [`State`], under the empty key.
pub(crate) const STATE: Def = TableDefinition::new("state");
/// (tenant, space, turn) → `TurnRow`.
pub(crate) const TURNS: Def = TableDefinition::new("turns");
/// (tenant, space, generation, observation) → `ObservationRow`.
pub(crate) const OBSERVATIONS: Def = TableDefinition::new("observations");
/// (tenant, space, generation, turn) → the vectors of its passages, `Sealed`.
pub(crate) const PASSAGES: Def = TableDefinition::new("passages");
/// (tenant, space, generation) → the `Position` applied last.
pub(crate) const APPLIED: Def = TableDefinition::new("applied");
/// (tenant, space, generation, session) → when it ended, `i64`.
pub(crate) const SESSIONS: Def = TableDefinition::new("sessions");
/// (tenant, space, mark) → the `Mark`.
pub(crate) const MARKS: Def = TableDefinition::new("marks");
/// (tenant, space, turn) → `ReadBackRow`.
pub(crate) const READ_BACKS: Def = TableDefinition::new("read_backs");
/// (tenant, space, memory) → the `Hit`. Made by the first commit: folders of before there were hits have none.
pub(crate) const HITS: Def = TableDefinition::new("hits");
/// (tenant, space, question) → `ReviewRow`. Made by the first commit, like the one that follows and [`HITS`].
pub(crate) const REVIEWS: Def = TableDefinition::new("reviews");
/// (tenant, space, result, question, when it was asked) → `VerdictRow`.
pub(crate) const VERDICTS: Def = TableDefinition::new("verdicts");
/// (topic, partition, offset) → `RecordParts`.
pub(crate) const RECORDS: Def = TableDefinition::new("records");
/// counter → `DeadLetter`.
pub(crate) const DEAD: Def = TableDefinition::new("dead_letters");
/// generation → `Pinned`.
pub(crate) const GENERATIONS: Def = TableDefinition::new("generations");
/// (space, key id) → `()`: keys whose destruction is decided; done again at boot, then cleared.
pub(crate) const DOOMED: Def = TableDefinition::new("doomed_keys");

/// All of them: made at first start, so that a reader never meets a missing one.
pub(crate) const ALL: [Def; 12] =
    [STATE, TURNS, OBSERVATIONS, PASSAGES, APPLIED, SESSIONS, MARKS, READ_BACKS, RECORDS, DEAD, GENERATIONS, DOOMED];

/// What every commit moves on, in one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Pairs the database with its key file.
    pub(crate) store: [u8; 16],
    /// Counts topic sets.
    pub(crate) epoch: u32,
    /// Partitions of every topic.
    pub(crate) partitions: u32,
    /// Number of this commit.
    pub(crate) commit: u64,
    /// Keys that stand, once this commit's are stored and destroyed.
    pub(crate) keys: u64,
    /// What the key file had noted as acknowledged, at least, when it was last synced before this commit. One that notes
    /// less is an older copy.
    pub(crate) noted: u64,
    /// Dead letters so far.
    pub(crate) dead: u64,
    /// Per topic and partition, the offset of the next record.
    pub(crate) ends: [Vec<u64>; 4],
    /// Per topic and partition, the offset to go on from.
    pub(crate) committed: [Vec<u64>; 4],
}

const VERSION: u8 = 1;
const SUM: usize = 8;

fn sum(def: Def, key: &[u8], row: &[u8]) -> [u8; SUM] {
    let mut hash = Xxh3::new();
    hash.update(def.name().as_bytes());
    hash.update(&(key.len() as u64).to_be_bytes());
    hash.update(key);
    hash.update(row);
    hash.digest().to_be_bytes()
}

fn encode(def: Def, key: &[u8], value: &impl Serialize) -> Vec<u8> {
    let out = postcard::to_extend(value, vec![VERSION]);
    let mut out = out.expect("every row is made of types that always serialise");
    let sum = sum(def, key, &out);
    out.extend_from_slice(&sum);
    out
}

fn decode<T: DeserializeOwned>(def: Def, key: &[u8], row: &[u8]) -> Result<T, Fault> {
    let what = || format!("read a row of {}", def.name());
    let (row, found) = row.split_last_chunk::<SUM>().ok_or_else(|| damaged(&what(), "the row is cut short"))?;
    if sum(def, key, row) != *found {
        return Err(damaged(&what(), "its checksum does not match"));
    }
    match row.split_first() {
        Some((&VERSION, body)) => {
            postcard::from_bytes(body).map_err(|_| damaged(&what(), "the bytes are not of its type"))
        }
        Some((version, _)) => Err(Fault::stop(
            Code::NewerFormat,
            format!("{}: its version is {version}, this build knows {VERSION}; use the build that wrote it", what()),
        )),
        None => Err(damaged(&what(), "the row is empty")),
    }
}

/// Reads one row.
pub(crate) fn get<T: DeserializeOwned>(
    def: Def,
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
) -> Result<Option<T>, Trouble> {
    match table.get(key)? {
        Some(row) => Ok(Some(decode(def, key, row.value())?)),
        None => Ok(None),
    }
}

/// Reads the rows whose key starts with `prefix`, from `from` on, in order, until `max` are there.
pub(crate) fn scan<T: DeserializeOwned>(
    def: Def,
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    prefix: &[u8],
    from: &[u8],
    max: usize,
) -> Result<Vec<(Vec<u8>, T)>, Trouble> {
    let mut out = Vec::new();
    for row in table.range::<&[u8]>(from..)?.take(max) {
        let (key, value) = row?;
        if !key.value().starts_with(prefix) {
            break;
        }
        out.push((key.value().to_vec(), decode(def, key.value(), value.value())?));
    }
    Ok(out)
}

/// The first key at `from` or after it.
pub(crate) fn next(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    from: &[u8],
) -> Result<Option<Vec<u8>>, Trouble> {
    let row = table.range::<&[u8]>(from..)?.next().transpose()?;
    Ok(row.map(|(key, _)| key.value().to_vec()))
}

/// A table open for writing.
pub(crate) struct Rows<'t> {
    def: Def,
    table: Table<'t, &'static [u8], &'static [u8]>,
}

impl<'t> Rows<'t> {
    /// Opens it, or makes it.
    pub(crate) fn open(txn: &'t WriteTransaction, def: Def) -> Result<Self, Trouble> {
        Ok(Self { def, table: txn.open_table(def)? })
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, Trouble> {
        get(self.def, &self.table, key)
    }

    pub(crate) fn put(&mut self, key: &[u8], value: &impl Serialize) -> Result<(), Trouble> {
        self.table.insert(key, encode(self.def, key, value).as_slice())?;
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &[u8]) -> Result<(), Trouble> {
        self.table.remove(key)?;
        Ok(())
    }

    /// Removes every row whose key starts with `prefix`.
    pub(crate) fn remove_under(&mut self, prefix: &[u8]) -> Result<(), Trouble> {
        while let Some(key) = next(&self.table, prefix)?.filter(|key| key.starts_with(prefix)) {
            self.table.remove(key.as_slice())?;
        }
        Ok(())
    }
}

/// The start of every key of a space.
pub(crate) fn space(scope: &Scope) -> Vec<u8> {
    let (tenant, space) = scope.key();
    [tenant.as_bytes().as_slice(), space.as_bytes()].concat()
}

/// The start of every key of a space in a generation.
pub(crate) fn generation(scope: &Scope, generation: Generation) -> Vec<u8> {
    let mut out = space(scope);
    out.extend_from_slice(&generation.0.to_be_bytes());
    out
}

/// A key that starts with `prefix`.
pub(crate) fn under(mut prefix: Vec<u8>, rest: &[u8]) -> Vec<u8> {
    prefix.extend_from_slice(rest);
    prefix
}
