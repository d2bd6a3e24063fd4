//! The database file: opened, read, written and opened again after a failed write.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::OpenOptionsExt as _,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock},
};

use redb::{Builder, Durability, ReadTransaction, ReadableDatabase, WriteTransaction, backends::FileBackend};
use saidso_core::fault::Fault;

use crate::{
    folder::sync_folder,
    rows::{self, Rows, STATE, State},
    trouble::{Trouble, damaged, disk},
};

/// Pages of the file kept in memory, in bytes.
const CACHE_BYTES: usize = 64 * 1024 * 1024;

pub(crate) struct Database {
    path: PathBuf,
    /// `None` after a failed write, until it opens again, and after the end.
    open: RwLock<Option<redb::Database>>,
}

impl Database {
    /// Makes the file, whole or not at all.
    pub(crate) fn create(path: &Path, state: &State) -> Result<(), Fault> {
        let what = format!("made {}", path.display());
        let unfinished = path.with_extension("new");
        match fs::remove_file(&unfinished) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(disk(&what, &error)),
            _ => {}
        }
        let make = || -> Result<(), Trouble> {
            let mut file = OpenOptions::new();
            let file = file.read(true).write(true).create_new(true).mode(0o600).open(&unfinished);
            let database =
                Builder::new().create_with_backend(FileBackend::new(file.map_err(|error| disk(&what, &error))?)?)?;
            let txn = write(&database)?;
            for def in rows::ALL {
                txn.open_table(def)?;
            }
            Rows::open(&txn, STATE)?.put(&[], state)?;
            txn.commit()?;
            database.close()?;
            Ok(())
        };
        make().map_err(|trouble| trouble.fault(&what))?;
        fs::rename(&unfinished, path).and_then(|()| sync_folder(path)).map_err(|error| disk(&what, &error))
    }

    /// Opens the file. If it has at most `check_up_to` bytes, every page is compared with its checksum.
    pub(crate) fn open(path: &Path, check_up_to: u64) -> Result<Self, Fault> {
        let what = || format!("opened {}", path.display());
        let bytes = fs::metadata(path).map_err(|error| disk(&what(), &error))?.len();
        let open = open(path, bytes <= check_up_to)?;
        Ok(Self { path: path.to_owned(), open: RwLock::new(Some(open)) })
    }

    /// Reads, all from one instant.
    pub(crate) fn read<T>(
        &self,
        what: &str,
        read: impl FnOnce(&ReadTransaction) -> Result<T, Trouble>,
    ) -> Result<T, Fault> {
        self.with(what, |database| read(&database.begin_read()?))
    }

    /// Starts a transaction whose commit is durable, and after which the file opens at once.
    pub(crate) fn write<T>(
        &self,
        what: &str,
        apply: impl FnOnce(WriteTransaction) -> Result<T, Trouble>,
    ) -> Result<T, Fault> {
        self.with(what, |database| apply(write(database)?))
    }

    /// The database does not promise to meet damage without a panic; whoever reads or writes must never see one.
    fn with<T>(&self, what: &str, run: impl FnOnce(&redb::Database) -> Result<T, Trouble>) -> Result<T, Fault> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let Some(database) = open.as_ref() else {
            return Err(Trouble::Database(redb::Error::DatabaseClosed).fault(what));
        };
        match catch_unwind(AssertUnwindSafe(|| run(database))) {
            Ok(result) => result.map_err(|trouble| trouble.fault(what)),
            Err(_) => Err(damaged(what, "the database file is damaged inside")),
        }
    }

    /// What the last commit wrote.
    pub(crate) fn state(&self) -> Result<State, Fault> {
        let what = format!("read the state of {}", self.path.display());
        let state = self.read(&what, |txn| rows::get(STATE, &txn.open_table(STATE)?, &[]))?;
        state.ok_or_else(|| damaged(&what, "it is missing"))
    }

    /// Closes and opens again: after a failed write the database takes nothing more until then.
    pub(crate) fn reopen(&self) -> Result<(), Fault> {
        let mut slot = self.open.write().unwrap_or_else(PoisonError::into_inner);
        drop(slot.take());
        *slot = Some(open(&self.path, false)?);
        Ok(())
    }

    /// Closes for good.
    pub(crate) fn close(&self) {
        drop(self.open.write().unwrap_or_else(PoisonError::into_inner).take());
    }
}

fn open(path: &Path, check: bool) -> Result<redb::Database, Fault> {
    let what = format!("opened {}", path.display());
    let open = || Builder::new().set_cache_size(CACHE_BYTES).set_check_integrity_on_open(check).open(path);
    match catch_unwind(AssertUnwindSafe(open)) {
        Ok(Ok(database)) => Ok(database),
        Ok(Err(error)) => Err(Trouble::from(error).fault(&what)),
        Err(_) => Err(damaged(&what, "the database file is damaged inside")),
    }
}

fn write(database: &redb::Database) -> Result<WriteTransaction, Trouble> {
    let mut txn = database.begin_write()?;
    txn.set_durability(Durability::Immediate).expect("no savepoint is ever made, and only those forbid it");
    txn.set_two_phase_commit(true);
    txn.set_quick_repair(true);
    Ok(txn)
}
