//! The change feed: what moved on, for whoever follows.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, PoisonError, Weak},
    time::Duration,
};

use saidso_core::{
    fault::Fault,
    ids::{SpaceId, TenantId},
    ports::{Behind, Change, ChangeFeed},
    seal::Generation,
};

/// Who follows.
#[derive(Default)]
pub(crate) struct Followers(Mutex<Vec<Weak<Mailbox>>>);

/// What one follower has not fetched yet. Of a space only the newest counts, so a slow follower costs no more than the
/// spaces there are.
#[derive(Default)]
struct Mailbox {
    waiting: Mutex<BTreeMap<(TenantId, SpaceId, Generation), Change>>,
    bell: Condvar,
}

impl Followers {
    pub(crate) fn follow(&self) -> impl ChangeFeed + use<> {
        let mailbox = Arc::new(Mailbox::default());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&mailbox));
        Feed(mailbox)
    }

    pub(crate) fn tell(&self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|follower| {
            let Some(mailbox) = follower.upgrade() else {
                return false;
            };
            let mut waiting = mailbox.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            for change in changes {
                waiting.insert((change.tenant, change.space, change.generation), *change);
            }
            mailbox.bell.notify_all();
            true
        });
    }
}

struct Feed(Arc<Mailbox>);

impl ChangeFeed for Feed {
    fn next(&mut self, wait: Duration) -> Result<Vec<Change>, Fault> {
        let waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let woken = self.0.bell.wait_timeout_while(waiting, wait, |waiting| waiting.is_empty());
        let (mut waiting, _) = woken.unwrap_or_else(PoisonError::into_inner);
        Ok(std::mem::take(&mut *waiting).into_values().collect())
    }

    fn behind(&self) -> Arc<dyn Behind> {
        self.0.clone()
    }
}

impl Behind for Mailbox {
    fn changes(&self) -> Result<u64, Fault> {
        Ok(self.waiting.lock().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }
}
