//! The embedded backend: log, offsets and store in one local database with one atomic commit, and the key file.
//!
//! **What it is.** Every port of [`saidso_core::ports`] that keeps something, in one process, with nothing installed.
//! **What it is not.** It shares no folder between processes, serves no network, and knows no model and no stage.
//!
//! The way in is [`Embedded::open`]. One thread commits (`writer`): it merges everything that waits into one
//! transaction, so that many callers share one sync.
//!
//! Invariants:
//! - `Ok` from a commit or a publish means synced, keys included. Any other end leaves the same input to be given again.
//! - A key is in its file before the row it opens is visible, and overwritten after the row that named it is gone.
//! - What was acknowledged is there at the next boot, or the boot refuses and says what is missing.
//! - A damaged byte is a fault, never another value and never a panic.

use std::{
    path::Path,
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use saidso_core::{
    fault::{Code, Fault},
    ids::{Names, TenantId, TurnId},
    marks::Mark,
    ports::{
        ChangeFeed, Changes, Commits, Consumer, DeadLetters, Effects, Entropy, Entry, Generations, HeadLog, Keys,
        Lease, Pinned, Published, ReadBackRow, SpaceRows, SpaceTurns, Store, Topics, TurnRow,
    },
    position::Position,
    record::{DeadLetter, Topic},
    scope::Scope,
    seal::{Generation, Key, KeyId, NamedKey},
};

use crate::{core::Core, topics::Board, writer::Job};

mod batch;
mod boot;
mod changes;
mod core;
mod database;
mod folder;
mod hits;
mod keyfile;
mod keyring;
mod reviews;
mod rows;
mod slot;
mod store;
mod topics;
mod trouble;
mod writer;

/// How to open a data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Partitions of every topic, 1 to 1,024. Pinned by the first start; another number is refused later.
    pub partitions: u32,
    /// A database of up to so many bytes is compared, page by page, with its checksums before it is used: damage is
    /// found at once. In a larger one it is found when the damaged row is read. The default of 64 MiB takes a fifth of a
    /// second.
    pub check_up_to: u64,
    /// Go on without keys that can no longer be read. What was sealed under them is dark, as if it had been forgotten.
    pub accept_lost_keys: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { partitions: 4, check_up_to: 64 * 1024 * 1024, accept_lost_keys: false }
    }
}

/// A data folder, open. Clones share it; it closes with the last of them.
#[derive(Clone)]
pub struct Embedded(Arc<Handle>);

struct Handle {
    core: Arc<Core>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Embedded {
    /// Whether there is a data folder at the path, rather than one to be made.
    pub fn stands(folder: &Path) -> bool {
        folder::stands(folder)
    }

    /// Opens a data folder, or makes it. Only one process may hold it.
    ///
    /// Every fault is [`saidso_core::fault::Remedy::Stop`]: [`Code::Held`], [`Code::WrongKey`], [`Code::NewerFormat`],
    /// [`Code::Damaged`], [`Code::Disk`], or for options that do not fit [`Code::Limit`] and [`Code::Generation`].
    pub fn open(folder: &Path, entropy: Arc<dyn Entropy>, options: Options) -> Result<Self, Fault> {
        let (core, writer) = boot::boot(folder, entropy, options)?;
        let (jobs, received) = mpsc::channel();
        let thread = thread::Builder::new().name("saidso-commit".into()).spawn(|| writer.run(received));
        let thread = thread
            .map_err(|error| Fault::stop(Code::StoreUnavailable, format!("started the commit thread: {error}")))?;
        Ok(Self(Arc::new(Handle { core, jobs: Some(jobs), thread: Some(thread) })))
    }

    /// The maker of ids. Its secret is in the key file and stays the same for the life of the folder.
    pub fn names(&self) -> Names {
        self.0.core.keys.names()
    }

    fn ask<T>(&self, job: impl FnOnce(writer::Reply<T>) -> Job) -> Result<T, Fault> {
        let gone = || Fault::stop(Code::StoreUnavailable, "asked for a commit: the commit thread has ended");
        let (reply, answer) = mpsc::sync_channel(1);
        self.0.jobs.as_ref().ok_or_else(gone)?.send(job(reply)).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        drop(self.jobs.take());
        // If the thread panicked there is nothing left to wait for, and the next boot makes good what it left.
        let _ = self.thread.take().map(JoinHandle::join);
        self.core.close();
    }
}

impl Keys for Embedded {
    fn key(&self, scope: &Scope, id: KeyId) -> Result<Option<Key>, Fault> {
        self.0.core.keys.key(scope, id)
    }

    fn space_key(&self, scope: &Scope) -> Result<NamedKey, Fault> {
        self.0.core.keys.space_key(scope)
    }
}

impl Store for Embedded {
    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Fault> {
        self.0.core.database.turn(scope, turn)
    }

    fn turns(&self, scope: &Scope) -> Result<Vec<TurnRow>, Fault> {
        self.0.core.database.turns(scope)
    }

    fn each_space(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(SpaceTurns) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.0.core.database.each_space(wanted, visit)
    }

    fn rows(&self, scope: &Scope, generation: Generation) -> Result<SpaceRows, Fault> {
        self.0.core.database.rows(scope, generation)
    }

    fn applied(&self, scope: &Scope, generation: Generation) -> Result<Option<Position>, Fault> {
        self.0.core.database.applied(scope, generation)
    }

    fn marks(&self, scope: &Scope) -> Result<Vec<Mark>, Fault> {
        self.0.core.database.marks(scope)
    }

    fn read_backs(&self, scope: &Scope) -> Result<Vec<ReadBackRow>, Fault> {
        self.0.core.database.read_backs(scope)
    }
}

impl Generations for Embedded {
    fn pin(&self, generation: Generation, pinned: &Pinned) -> Result<Pinned, Fault> {
        self.ask(|reply| Job::Pin(generation, pinned.clone(), reply))
    }
}

impl HeadLog for Embedded {
    fn publish(&self, entries: Vec<Entry>) -> Result<Vec<Published>, Fault> {
        self.ask(|reply| Job::Publish(entries, reply))
    }
}

impl Topics for Embedded {
    fn consume(&self, topic: Topic) -> Result<Box<dyn Consumer>, Fault> {
        Ok(Box::new(Board::take(&self.0.core, topic)))
    }

    fn lag(&self, topic: Topic) -> Result<u64, Fault> {
        Ok(self.0.core.board.lag(topic))
    }
}

impl Commits for Embedded {
    fn commit(&self, lease: &Lease, effects: Effects) -> Result<(), Fault> {
        self.ask(|reply| Job::Commit(lease.clone(), effects, reply))
    }
}

impl Changes for Embedded {
    fn follow(&self) -> Result<Box<dyn ChangeFeed>, Fault> {
        Ok(Box::new(self.0.core.followers.follow()))
    }
}

impl DeadLetters for Embedded {
    fn list(&self, max: usize) -> Result<Vec<DeadLetter>, Fault> {
        self.0.core.database.list(max)
    }
}
