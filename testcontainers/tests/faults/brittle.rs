//! A log that can be cut off between two of its steps, as in a crash of its process.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use saidso_core::{
    fault::{Code, Fault},
    ports::{ChangeFeed, Changes, Consumer, DeadLetters, Held, Lease, Log, LogIdentity, Outgoing, StoreId, Topics},
    position::Position,
    record::{DeadLetter, Record, Topic},
};
use saidso_kafka::Kafka;

/// Counts steps, and ends everything at one of them.
pub struct Fuse {
    passed: AtomicUsize,
    last: AtomicUsize,
    blown: AtomicBool,
}

impl Default for Fuse {
    fn default() -> Self {
        Self { passed: AtomicUsize::new(0), last: AtomicUsize::new(usize::MAX), blown: AtomicBool::new(false) }
    }
}

impl Fuse {
    /// So many more steps pass, and then none.
    pub fn blow_after(&self, steps: usize) {
        self.last.store(self.passed() + steps, Ordering::SeqCst);
    }

    /// Steps that passed.
    pub fn passed(&self) -> usize {
        self.passed.load(Ordering::SeqCst)
    }

    /// Whether no step passes any more.
    pub fn blown(&self) -> bool {
        self.blown.load(Ordering::SeqCst)
    }

    fn step(&self) -> Result<(), Fault> {
        let passed = self.passed.fetch_add(1, Ordering::SeqCst);
        if self.blown() || passed >= self.last.load(Ordering::SeqCst) {
            self.blown.store(true, Ordering::SeqCst);
            return Err(Fault::stop(Code::StoreUnavailable, "cut off by a test"));
        }
        Ok(())
    }
}

/// The log with a fuse: before and after an append, before a lease is held, and before and after a commit.
pub struct Brittle {
    pub log: Arc<Kafka>,
    pub fuse: Arc<Fuse>,
}

impl Topics for Brittle {
    fn consume(&self, topic: Topic) -> Result<Box<dyn Consumer>, Fault> {
        self.log.consume(topic)
    }

    fn lag(&self, topic: Topic) -> Result<u64, Fault> {
        self.log.lag(topic)
    }
}

impl Changes for Brittle {
    fn follow(&self) -> Result<Box<dyn ChangeFeed>, Fault> {
        self.log.follow()
    }
}

impl DeadLetters for Brittle {
    fn list(&self, max: usize) -> Result<Vec<DeadLetter>, Fault> {
        self.log.list(max)
    }
}

impl Log for Brittle {
    fn bind(&self, store: StoreId) -> Result<StoreId, Fault> {
        self.log.bind(store)
    }

    fn identity(&self) -> LogIdentity {
        self.log.identity()
    }

    fn append(&self, records: Vec<Record>) -> Result<Vec<Position>, Fault> {
        self.fuse.step()?;
        let positions = self.log.append(records)?;
        self.fuse.step()?;
        Ok(positions)
    }

    fn hold<'a>(&'a self, lease: &Lease) -> Result<Box<dyn Held + 'a>, Fault> {
        self.fuse.step()?;
        Ok(Box::new(Grip { held: self.log.hold(lease)?, fuse: &self.fuse }))
    }
}

struct Grip<'a> {
    held: Box<dyn Held + 'a>,
    fuse: &'a Fuse,
}

impl Held for Grip<'_> {
    fn alive(&self) -> bool {
        self.held.alive()
    }

    /// What was to be applied in the store is applied by now.
    fn commit(self: Box<Self>, outgoing: Outgoing) -> Result<(), Fault> {
        self.fuse.step()?;
        self.held.commit(outgoing)?;
        self.fuse.step()
    }
}
