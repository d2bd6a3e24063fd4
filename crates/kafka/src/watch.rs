//! Whether the topics are still the ones that were opened.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use rdkafka::consumer::{BaseConsumer, Consumer as _};
use saidso_core::fault::{Code, Fault};

use crate::{
    native::{Described, describe},
    trouble::fault,
};

/// How often somebody looks.
const EVERY: Duration = Duration::from_secs(2);
/// How long a look may take.
const WAIT: Duration = Duration::from_secs(1);
/// A topic that is missing this often in a row was deleted; once may be a broker that is just starting.
const MISSING: u32 = 2;

/// What has to stay as it is. Once it is not, every operation answers the same.
pub(crate) struct Identity {
    client: BaseConsumer,
    topics: Vec<Described>,
    missing: AtomicU32,
    broken: OnceLock<Fault>,
}

impl Identity {
    pub fn new(client: BaseConsumer, topics: Vec<Described>) -> Self {
        Self { client, topics, missing: AtomicU32::new(0), broken: OnceLock::new() }
    }

    pub fn topics(&self) -> &[Described] {
        &self.topics
    }

    /// A client that belongs to no group.
    pub fn client(&self) -> &BaseConsumer {
        &self.client
    }

    /// The fault that ended everything, if one did.
    pub fn check(&self) -> Result<(), Fault> {
        self.broken.get().map_or(Ok(()), |fault| Err(fault.clone()))
    }

    /// Ends everything.
    pub fn stop(&self, fault: Fault) -> Fault {
        self.broken.get_or_init(|| fault).clone()
    }

    /// Asks the broker. A retry means that it could not be told.
    pub fn look(&self) -> Result<(), Fault> {
        self.check()?;
        // What the client has to say of itself is said in its log.
        while self.client.poll(Duration::ZERO).is_some() {}
        let names: Vec<String> = self.topics.iter().map(|topic| topic.name.clone()).collect();
        let tried = "looked whether the topics are the same";
        let there = describe(self.client.client(), &names, WAIT).map_err(|error| fault(tried, &error))?;
        for topic in &there {
            let was = self.topics.iter().find(|was| was.name == topic.name);
            if let Some(was) = was.filter(|was| *was != topic) {
                return Err(self.stop(made_again(was, topic)));
            }
        }
        let Some(gone) = self.topics.iter().find(|was| there.iter().all(|topic| topic.name != was.name)) else {
            self.missing.store(0, Ordering::Relaxed);
            return Ok(());
        };
        let message = format!("{tried}: {} is gone", gone.name);
        if self.missing.fetch_add(1, Ordering::Relaxed) + 1 < MISSING {
            return Err(Fault::retry(Code::StoreUnavailable, message));
        }
        Err(self.stop(Fault::stop(Code::Damaged, format!("{message}. {TO_DO}"))))
    }
}

const TO_DO: &str = "Its records are lost, and positions in the store count in the old one. Stop every process; to go \
                     on, replay into a new log epoch";

fn made_again(was: &Described, is: &Described) -> Fault {
    let message = format!(
        "looked at {}: it was the topic {} with {} partitions, and now it is {} with {}: it was deleted and made again, or \
         changed. {TO_DO}",
        was.name, was.id, was.partitions, is.id, is.partitions
    );
    Fault::stop(Code::Damaged, message)
}

/// An acknowledged offset that was given before.
pub(crate) fn counted_again(topic: &str, partition: i32, offset: i64, seen: i64) -> Fault {
    let message = format!(
        "appended to {topic}: partition {partition} answered offset {offset} after {seen}: the topic was made again under \
         its old name. {TO_DO}"
    );
    Fault::stop(Code::Damaged, message)
}

/// Looks every so often, until it is dropped.
pub(crate) struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub fn start(identity: Arc<Identity>) -> Result<Self, Fault> {
        let (end, ended) = mpsc::channel();
        let watch = move || {
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                // What is wrong is kept; what cannot be told is asked again.
                let _ = identity.look();
            }
        };
        let thread = thread::Builder::new().name("kafka topics".to_owned()).spawn(watch);
        let thread = thread.map_err(|error| Fault::stop(Code::Limit, format!("started a thread: {error}")))?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has said what it had to say.
            let _ = thread.join();
        }
    }
}
