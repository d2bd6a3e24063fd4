//! The key file: a header of one page, then fixed slots that are overwritten in place and synced, so that a destroyed
//! key is gone from the file and not only from an index.
//!
//! | bytes | what |
//! |---|---|
//! | 0–8 | `saidsoks` |
//! | 8–24 | id of the store, the same as in the database |
//! | 504–512 | XXH3 of bytes 0–504 |
//! | 512–528, 1024–1040 | number of an acknowledged commit and its XXH3; commits alternate, the higher one counts |
//! | 4096… | slots of 128 bytes, see [`crate::slot`] |

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use saidso_core::{fault::Fault, ports::Entropy, seal::Key};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    folder::{starting, write_new},
    slot::{Holder, Read, SLOT_BYTES, Slot},
    trouble::{damaged, disk},
};

const MAGIC: &[u8; 8] = b"saidsoks";
const HEADER_BYTES: usize = 4096;
const IDENTITY_BYTES: usize = 512;
/// Slots by which the file grows, as written zeros: overwriting them later needs no room and no new metadata.
const GROWTH: u32 = 512;

/// The file, by slots.
pub(crate) struct KeyFile {
    path: PathBuf,
    file: File,
}

/// What stands in a key file.
pub(crate) struct Contents {
    /// Pairs it with its database.
    pub(crate) store: [u8; 16],
    /// The last commit that is known to have been acknowledged.
    pub(crate) acknowledged: u64,
    /// Slots in the file.
    pub(crate) slots: u32,
    pub(crate) free: Vec<u32>,
    pub(crate) damaged: Vec<u32>,
}

impl KeyFile {
    /// Makes a key file with the secret of names and the first day key.
    pub(crate) fn create(path: &Path, store: [u8; 16], kek: &Key, entropy: &dyn Entropy) -> Result<(), Fault> {
        let mut bytes = vec![0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..24].copy_from_slice(&store);
        let sum = xxh3_64(&bytes[..IDENTITY_BYTES - 8]);
        bytes[IDENTITY_BYTES - 8..IDENTITY_BYTES].copy_from_slice(&sum.to_be_bytes());
        bytes[mark_at(0)..mark_at(0) + 16].copy_from_slice(&mark(0));
        for holder in [Holder::Names, Holder::Day { version: 0 }] {
            let slot = Slot::wrap(holder, (0, kek), 0, &Key::random(entropy), entropy);
            bytes.extend_from_slice(&slot.bytes());
        }
        write_new(path, &bytes)
    }

    /// Opens it and hands every used slot to `each`.
    pub(crate) fn open(path: &Path, mut each: impl FnMut(u32, Slot)) -> Result<(Self, Contents), Fault> {
        let what = format!("read the key file {}", path.display());
        let failed = |error: io::Error| starting(disk(&what, &error));
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        let mut header = [0; HEADER_BYTES];
        file.read_exact_at(&mut header, 0).map_err(failed)?;
        let (identity, sum) = header[..IDENTITY_BYTES].split_at(IDENTITY_BYTES - 8);
        if !identity.starts_with(MAGIC) || xxh3_64(identity).to_be_bytes() != *sum {
            return Err(damaged(&what, "its header is not that of a key file"));
        }
        let mut store = [0; 16];
        store.copy_from_slice(&identity[8..24]);
        let acknowledged = [0, 1].into_iter().filter_map(|turn| read_mark(&header[mark_at(turn)..][..16])).max();
        let acknowledged = acknowledged.ok_or_else(|| damaged(&what, "both its acknowledgement marks are damaged"))?;

        let this = Self { path: path.to_owned(), file };
        let bytes = this.file.metadata().map_err(failed)?.len().saturating_sub(HEADER_BYTES as u64);
        let too_long = |_| damaged(&what, "it is longer than a key file can be");
        let slots = u32::try_from(bytes.div_ceil(SLOT_BYTES as u64)).map_err(too_long)?;
        let mut contents = Contents { store, acknowledged, slots, free: Vec::new(), damaged: Vec::new() };
        let mut chunk = vec![0; GROWTH as usize * SLOT_BYTES];
        for first in (0..slots).step_by(GROWTH as usize) {
            let length = (bytes - u64::from(first) * SLOT_BYTES as u64).min(chunk.len() as u64) as usize;
            this.file.read_exact_at(&mut chunk[..length], at(first)).map_err(failed)?;
            chunk[length..].fill(0);
            for (slot, bytes) in (first..slots).zip(chunk.as_chunks::<SLOT_BYTES>().0) {
                match Read::from(bytes) {
                    Read::Free => contents.free.push(slot),
                    Read::Used(found) => each(slot, found),
                    Read::Damaged => contents.damaged.push(slot),
                }
            }
        }
        Ok((this, contents))
    }

    /// One slot; `None` if it is free or damaged.
    pub(crate) fn read(&self, slot: u32) -> Result<Option<Slot>, Fault> {
        let mut bytes = [0; SLOT_BYTES];
        self.file.read_exact_at(&mut bytes, at(slot)).map_err(|error| self.failed("read", error))?;
        Ok(match Read::from(&bytes) {
            Read::Used(found) => Some(found),
            Read::Free | Read::Damaged => None,
        })
    }

    pub(crate) fn write(&self, slot: u32, content: &Slot) -> Result<(), Fault> {
        self.file.write_all_at(&content.bytes(), at(slot)).map_err(|error| self.failed("wrote", error))
    }

    /// Overwrites a slot with zeros, which makes it free.
    pub(crate) fn clear(&self, slot: u32) -> Result<(), Fault> {
        self.file.write_all_at(&[0; SLOT_BYTES], at(slot)).map_err(|error| self.failed("wrote", error))
    }

    /// Adds free slots after the last one.
    pub(crate) fn grow(&self, slots: u32) -> Result<std::ops::Range<u32>, Fault> {
        let zeros = vec![0; GROWTH as usize * SLOT_BYTES];
        self.file.write_all_at(&zeros, at(slots)).map_err(|error| self.failed("extended", error))?;
        Ok(slots..slots + GROWTH)
    }

    /// Notes that a commit is durable and about to be acknowledged.
    pub(crate) fn acknowledge(&self, commit: u64) -> Result<(), Fault> {
        let at = mark_at(commit) as u64;
        self.file.write_all_at(&mark(commit), at).map_err(|error| self.failed("wrote", error))
    }

    /// Makes everything written so far durable.
    pub(crate) fn sync(&self) -> Result<(), Fault> {
        self.file.sync_data().map_err(|error| self.failed("synced", error))
    }

    /// A slot that does not hold what the index says.
    pub(crate) fn mismatch(&self) -> Fault {
        damaged(&format!("read the key file {}", self.path.display()), "a key in use is no longer what was written")
    }

    fn failed(&self, did: &str, error: io::Error) -> Fault {
        disk(&format!("{did} the key file {}", self.path.display()), &error)
    }
}

fn at(slot: u32) -> u64 {
    HEADER_BYTES as u64 + u64::from(slot) * SLOT_BYTES as u64
}

fn mark_at(commit: u64) -> usize {
    if commit.is_multiple_of(2) { 512 } else { 1024 }
}

fn mark(commit: u64) -> [u8; 16] {
    let mut out = [0; 16];
    out[..8].copy_from_slice(&commit.to_be_bytes());
    let sum = xxh3_64(&out[..8]);
    out[8..].copy_from_slice(&sum.to_be_bytes());
    out
}

fn read_mark(bytes: &[u8]) -> Option<u64> {
    let commit = u64::from_be_bytes(bytes.first_chunk().copied()?);
    (bytes == mark(commit)).then_some(commit)
}
