//! Following the changes: what is loaded and moved on counts as stale.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    thread,
    time::Duration,
};

use saidso_core::{
    fault::Fault,
    ports::{Behind, ChangeFeed},
};

use super::Inner;

/// How long the follower waits for a change before it looks whether it is to stop.
const FOLLOW_WAIT: Duration = Duration::from_millis(100);

/// How far the follower is.
pub(super) struct Progress(Mutex<Known>);

struct Known {
    feed: Arc<dyn Behind>,
    /// Changes it was behind when last looked at; `None`: nobody could say.
    changes: Option<u64>,
}

impl Progress {
    pub fn of(feed: &dyn ChangeFeed) -> Self {
        Self(Mutex::new(Known { feed: feed.behind(), changes: None }))
    }

    /// Another feed is followed from now on.
    pub fn follows(&self, feed: &dyn ChangeFeed) {
        *self.lock() = Known { feed: feed.behind(), changes: None };
    }

    /// Changes the follower was behind when last looked at; `None`: nobody could say.
    pub fn changes(&self) -> Option<u64> {
        self.lock().changes
    }

    /// Looks how far behind the follower is.
    pub fn look(&self) {
        // Not under the lock: it may ask a broker.
        let feed = self.lock().feed.clone();
        let changes = feed.changes().ok();
        let mut known = self.lock();
        if Arc::ptr_eq(&known.feed, &feed) {
            known.changes = changes;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    pub(super) fn follow(&self, mut feed: Box<dyn ChangeFeed>) {
        while !self.stop.load(Ordering::Relaxed) {
            match feed.next(FOLLOW_WAIT) {
                Ok(changes) => {
                    let own = changes.iter().filter(|change| change.generation == self.settings.generation);
                    for change in own {
                        self.shards.changed(change);
                        self.delays.note(self.sources.clock.now_ms() - change.accepted_ms);
                    }
                }
                Err(fault) => {
                    self.set_fault(Some(fault));
                    // Changes may have been missed: nothing that is loaded counts as fresh.
                    self.shards.all_changed();
                    thread::park_timeout(FOLLOW_WAIT);
                    if let Ok(again) = self.sources.changes.follow() {
                        self.progress.follows(again.as_ref());
                        feed = again;
                        self.shards.all_changed();
                        self.set_fault(None);
                    }
                }
            }
        }
    }

    fn set_fault(&self, fault: Option<Fault>) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }
}
