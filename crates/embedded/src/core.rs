//! What the handles, the consumers and the commit thread share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{changes::Followers, database::Database, folder::Folder, keyring::KeyRing, rows::State, topics::Board};

pub(crate) struct Core {
    pub(crate) folder: Folder,
    pub(crate) database: Database,
    pub(crate) keys: KeyRing,
    pub(crate) board: Board,
    pub(crate) followers: Followers,
    pub(crate) epoch: u32,
    gate: Mutex<()>,
}

impl Core {
    pub(crate) fn new(folder: Folder, database: Database, keys: KeyRing, state: &State) -> Self {
        Self {
            folder,
            database,
            keys,
            board: Board::new(state),
            followers: Followers::default(),
            epoch: state.epoch,
            gate: Mutex::new(()),
        }
    }

    /// Held through every commit, and by whoever ends a lease: a lease never ends in the middle of a commit.
    pub(crate) fn gate(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the files and the folder back, though consumers may still hold this.
    pub(crate) fn close(&self) {
        self.board.close();
        self.database.close();
        self.folder.release();
    }
}
