//! What things are called on the broker.

use saidso_core::record::{COMPLETED, Topic};

/// The names of one topic set.
#[derive(Clone)]
pub(crate) struct Names {
    pub prefix: String,
    pub epoch: u32,
}

impl Names {
    /// A topic that positions count in, or one that follows its partitions. A new topic set is a new set of names.
    fn of_epoch(&self, name: &str) -> String {
        match self.epoch {
            1 => format!("{}{name}", self.prefix),
            epoch => format!("{}{name}.e{epoch}", self.prefix),
        }
    }

    pub fn topic(&self, topic: Topic) -> String {
        self.of_epoch(topic.name())
    }

    /// Changes of spaces, each in its space's partition.
    pub fn changes(&self) -> String {
        self.of_epoch("memory.changes")
    }

    /// What was set aside, in one partition, so that its order is total.
    pub fn dead(&self) -> String {
        format!("{}dead.letters", self.prefix)
    }

    /// Which store the topics belong to, of every epoch.
    pub fn store(&self) -> String {
        format!("{}store", self.prefix)
    }

    /// The public topic.
    pub fn completed(&self) -> String {
        format!("{}{COMPLETED}", self.prefix)
    }

    /// The group that reads the public topic.
    pub fn intake(&self) -> String {
        format!("{}intake", self.prefix)
    }

    /// A group that nobody joins: whoever follows changes or lists dead letters keeps no offsets.
    pub fn onlookers(&self) -> String {
        format!("{}onlookers", self.prefix)
    }
}
