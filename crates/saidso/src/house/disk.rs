//! Whether the disk takes writes: what the last publish or commit met.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use saidso_core::{
    fault::{Code, Fault},
    ports::{Commits, Effects, Entry, HeadLog, Lease, Published},
};

/// A refusal counts so long. A server that is not ready is sent nothing, so no write would tell that there is room
/// again: after this it is offered work, and the next refusal counts anew.
const COUNTS: Duration = Duration::from_secs(30);

/// The writing ports of a backend, watched.
pub struct Disk {
    head: Arc<dyn HeadLog>,
    commits: Arc<dyn Commits>,
    refused: Mutex<Option<Instant>>,
}

impl Disk {
    /// Nothing was refused yet.
    pub fn new(head: Arc<dyn HeadLog>, commits: Arc<dyn Commits>) -> Self {
        Self { head, commits, refused: Mutex::new(None) }
    }

    /// The last write was refused not long ago, and none succeeded since.
    pub fn refuses(&self) -> bool {
        let refused = *self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.is_some_and(|at| at.elapsed() < COUNTS)
    }

    fn noting<T>(&self, result: Result<T, Fault>) -> Result<T, Fault> {
        let refused = match &result {
            Ok(_) => None,
            Err(Fault { code: Code::Disk, .. }) => Some(Instant::now()),
            // Says nothing about the disk.
            Err(_) => return result,
        };
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
        result
    }
}

impl HeadLog for Disk {
    fn publish(&self, entries: Vec<Entry>) -> Result<Vec<Published>, Fault> {
        self.noting(self.head.publish(entries))
    }
}

impl Commits for Disk {
    fn commit(&self, lease: &Lease, effects: Effects) -> Result<(), Fault> {
        self.noting(self.commits.commit(lease, effects))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Refuses with the code that it is told.
    struct Told(Mutex<Option<Code>>);

    impl Told {
        fn answer(&self) -> Result<(), Fault> {
            self.0.lock().unwrap().map_or(Ok(()), |code| Err(Fault::retry(code, "told so")))
        }
    }

    impl HeadLog for Told {
        fn publish(&self, _: Vec<Entry>) -> Result<Vec<Published>, Fault> {
            self.answer().map(|()| Vec::new())
        }
    }

    impl Commits for Told {
        fn commit(&self, _: &Lease, _: Effects) -> Result<(), Fault> {
            self.answer()
        }
    }

    #[test]
    fn a_refusal_counts_until_a_write_succeeds() {
        let told = Arc::new(Told(Mutex::new(None)));
        let disk = Disk::new(told.clone(), told.clone());
        for (code, refuses) in [
            (None, false),
            (Some(Code::StoreUnavailable), false),
            (Some(Code::Disk), true),
            (Some(Code::StoreUnavailable), true),
            (None, false),
        ] {
            *told.0.lock().unwrap() = code;
            let _ = disk.publish(Vec::new());
            assert_eq!(disk.refuses(), refuses, "{code:?}");
        }
    }
}
