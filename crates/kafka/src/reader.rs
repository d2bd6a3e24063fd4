//! The thread that polls one topic: it takes partitions up, fills the buffer and lets partitions go.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rdkafka::{
    Offset, TopicPartitionList,
    consumer::{BaseConsumer, CommitMode, Consumer as _},
    error::{KafkaError, KafkaResult},
    types::RDKafkaErrorCode as Rd,
};
use saidso_core::fault::{Code, Fault, Remedy};

use crate::{
    native::{Event, Events},
    slot::{Orders, Room, Slot},
    transactor::Transactor,
    trouble::{fault, fenced, out_of_range, passing},
    watch::Identity,
};

/// How long the thread waits for an event before it looks for orders.
const QUANTUM: Duration = Duration::from_millis(20);
/// How long a question to the broker may take: well below a lease, which lives only while this thread is seen awake.
const WAIT: Duration = Duration::from_millis(800);

/// Fenced twice within this, a process has a rival.
const RIVAL: Duration = Duration::from_secs(60);

/// Who reads what.
pub(crate) struct Reading {
    pub topic: String,
    pub group: String,
    pub instance: String,
    /// Commits what the records lead to; `None` where offsets are committed alone.
    pub transactor: Option<Arc<Transactor>>,
    pub identity: Arc<Identity>,
}

/// A topic being read in a group.
pub(crate) struct Reader {
    pub slot: Arc<Slot>,
    pub reading: Arc<Reading>,
    /// Both until it is closed.
    thread: Mutex<Option<JoinHandle<()>>>,
    consumer: Current,
}

/// The consumer there is now.
type Current = Arc<Mutex<Option<Arc<BaseConsumer>>>>;

/// Makes a consumer.
type Make = Box<dyn Fn() -> Result<BaseConsumer, Fault> + Send>;

impl Reader {
    /// Joins the group, as the consumers that are made are set to.
    pub fn start(make: Make, reading: Reading) -> Result<Self, Fault> {
        let (reading, slot, consumer) = (Arc::new(reading), Arc::new(Slot::new()), Current::default());
        let mut poller = Poller {
            slot: slot.clone(),
            reading: reading.clone(),
            events: begin(&make, &consumer)?,
            make,
            current: consumer.clone(),
            fenced: false,
            fenced_at: None,
            joined: false,
            assigned: Vec::new(),
            arriving: None,
            paused: false,
        };
        let name = format!("kafka {}", reading.topic);
        let thread = thread::Builder::new().name(name).spawn(move || poller.run());
        let thread = thread.map_err(|error| Fault::stop(Code::Limit, format!("started a thread: {error}")))?;
        Ok(Self { slot, reading, thread: Mutex::new(Some(thread)), consumer })
    }

    /// Commits offsets alone, under a lease that is held.
    pub fn commit(&self, offsets: &[(u32, u64)]) -> KafkaResult<()> {
        let list = list(&self.reading.topic, offsets.iter().map(|(partition, offset)| (*partition, place(*offset))))?;
        let consumer = now(&self.consumer).clone();
        match consumer {
            Some(consumer) => consumer.commit(&list, CommitMode::Sync),
            None => Err(KafkaError::ConsumerCommit(Rd::AssignmentLost)),
        }
    }

    /// Lets everything go. A commit under way ends first; the group keeps the partitions for this process's name.
    pub fn close(&self) {
        self.slot.close();
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // A panic there has said what it had to say.
            let _ = thread.join();
        }
        // The consumer closes with the last that has it: here, once the thread is gone.
        drop(now(&self.consumer).take());
    }
}

fn now(current: &Current) -> MutexGuard<'_, Option<Arc<BaseConsumer>>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

fn begin(make: &Make, current: &Current) -> Result<Events, Fault> {
    let consumer = Arc::new(make()?);
    let groupless = || Fault::stop(Code::StoreUnavailable, "read a topic: the consumer has no group");
    let events = Events::of(consumer.clone()).ok_or_else(groupless)?;
    *now(current) = Some(consumer);
    Ok(events)
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.close();
    }
}

/// Offsets come from a broker, which counts in 63 bits.
pub(crate) fn place(offset: u64) -> Offset {
    Offset::Offset(i64::try_from(offset).unwrap_or(i64::MAX))
}

/// Partitions have numbers of 31 bits.
pub(crate) fn number(partition: u32) -> i32 {
    i32::try_from(partition).unwrap_or(i32::MAX)
}

pub(crate) fn list(topic: &str, places: impl Iterator<Item = (u32, Offset)>) -> KafkaResult<TopicPartitionList> {
    let mut list = TopicPartitionList::new();
    for (partition, offset) in places {
        list.add_partition_offset(topic, number(partition), offset)?;
    }
    Ok(list)
}

struct Poller {
    slot: Arc<Slot>,
    reading: Arc<Reading>,
    events: Events,
    make: Make,
    current: Current,
    /// The group has another member of this name.
    fenced: bool,
    /// When that was last so.
    fenced_at: Option<Instant>,
    joined: bool,
    assigned: Vec<u32>,
    /// Ours, and not taken up yet.
    arriving: Option<Vec<u32>>,
    paused: bool,
}

impl Poller {
    fn run(&mut self) {
        loop {
            let orders = self.slot.turn();
            if orders.stop {
                // Closing waits for an answer to every assignment, and nobody else saw this one.
                if self.arriving.is_some()
                    && let Err(error) = self.consumer().unassign()
                {
                    log::warn!("let partitions of {} go: {error}", self.reading.topic);
                }
                return;
            }
            let stopped = self.reading.identity.check().is_err();
            let done = match self.joined {
                _ if stopped => Ok(()),
                true => self.obey(orders),
                false => self.join(),
            };
            match done {
                Ok(()) => {}
                // It is tried again, a turn later.
                Err(fault) if fault.remedy == Remedy::Retry => log::debug!("{fault}"),
                Err(fault) => self.slot.trouble(self.reading.identity.stop(fault)),
            }
            if orders.room == Room::Full {
                self.slot.wait_for_room(QUANTUM);
            } else if let Some(event) = self.events.next(QUANTUM) {
                self.happened(event);
            }
            if std::mem::take(&mut self.fenced)
                && let Err(fault) = self.join_anew()
            {
                self.slot.trouble(self.reading.identity.stop(fault));
            }
        }
    }

    /// What the last process of this name left open is ended first: until then its offsets are not settled.
    fn join(&mut self) -> Result<(), Fault> {
        if !self.settled()? {
            return Ok(());
        }
        let topic = &self.reading.topic;
        self.consumer().subscribe(&[topic]).map_err(|error| fault(&format!("read {topic}"), &error))?;
        self.joined = true;
        Ok(())
    }

    /// The other member may be this process itself: a broker that went away may have taken a join and lost its answer, and
    /// the second try then has the name of a stranger. So it joins once more, with a new consumer; of two processes that
    /// do have one name, the one that is fenced twice ends.
    fn join_anew(&mut self) -> Result<(), Fault> {
        let Reading { group, instance, .. } = &*self.reading;
        if self.fenced_at.is_some_and(|at| at.elapsed() < RIVAL) {
            return Err(fenced(instance, group));
        }
        log::warn!("another member of the group {group} is called {instance:?}: joining it once more");
        self.fenced_at = Some(Instant::now());
        self.slot.revoke(true);
        self.arriving = None;
        self.assigned.clear();
        self.paused = false;
        self.joined = false;
        self.events = begin(&self.make, &self.current)?;
        Ok(())
    }

    fn settled(&self) -> Result<bool, Fault> {
        self.reading.transactor.as_ref().map_or(Ok(true), |transactor| transactor.settle(WAIT))
    }

    fn obey(&mut self, orders: Orders) -> Result<(), Fault> {
        if orders.free
            && let Some(partitions) = self.arriving.clone()
        {
            self.arrive(&partitions)?;
            self.arriving = None;
            self.assigned = partitions;
        } else if orders.free && orders.again {
            self.again()?;
        }
        let stuck = orders.room == Room::Stuck;
        if stuck != self.paused && !self.assigned.is_empty() {
            self.hold_back(stuck)?;
        }
        Ok(())
    }

    fn arrive(&mut self, partitions: &[u32]) -> Result<(), Fault> {
        let offsets = self.committed(partitions)?;
        self.reading.identity.look()?;
        self.slot.turn();
        if self.reading.transactor.is_none() {
            self.tell_of_gaps(&offsets);
        }
        let tried = format!("took up partitions of {}", self.reading.topic);
        let places = offsets.iter().map(|(partition, offset)| (*partition, offset.unwrap_or(Offset::Beginning)));
        let assignment = list(&self.reading.topic, places).map_err(|error| fault(&tried, &error))?;
        // The client keeps a pause over a revoke: without this a partition that was held back then would stand still.
        self.consumer().resume(&assignment).map_err(|error| fault(&tried, &error))?;
        self.consumer().assign(&assignment).map_err(|error| fault(&tried, &error))?;
        self.paused = false;
        self.begin(&offsets);
        Ok(())
    }

    /// Says which records were gone before anybody read them: on a topic that is read from its first record on, nobody
    /// else would.
    fn tell_of_gaps(&self, offsets: &[(u32, Option<Offset>)]) {
        let topic = &self.reading.topic;
        for (partition, offset) in offsets {
            if let Some(Offset::Offset(next)) = offset
                && let Ok((first, _)) = self.consumer().fetch_watermarks(topic, number(*partition), WAIT)
                && first > *next
            {
                log::error!(
                    "records {next} to {} of partition {partition} of {topic} were deleted before they were read: its \
                     retention is too short, or its reader was away for too long",
                    first - 1
                );
            }
            self.slot.turn();
        }
    }

    /// Starts again from what is committed.
    fn again(&mut self) -> Result<(), Fault> {
        let offsets = self.committed(&self.assigned)?;
        self.slot.turn();
        let tried = format!("went back to the last commit of {}", self.reading.topic);
        let places = offsets.iter().map(|(partition, offset)| (*partition, offset.unwrap_or(Offset::Beginning)));
        let places = list(&self.reading.topic, places).map_err(|error| fault(&tried, &error))?;
        let sought = self.consumer().seek_partitions(places, WAIT).map_err(|error| fault(&tried, &error))?;
        for element in sought.elements() {
            element.error().map_err(|error| fault(&tried, &error))?;
        }
        self.begin(&offsets);
        Ok(())
    }

    fn begin(&self, offsets: &[(u32, Option<Offset>)]) {
        let at = |offset: Option<Offset>| offset.and_then(Offset::to_raw).and_then(|raw| u64::try_from(raw).ok());
        let offsets: Vec<(u32, u64)> =
            offsets.iter().map(|(partition, offset)| (*partition, at(*offset).unwrap_or_default())).collect();
        self.slot.begin(&offsets, self.consumer().group_metadata());
    }

    /// What the group has committed. A partition that it never committed starts at its first record; an internal one at
    /// 0, so that it shows when that is gone.
    fn committed(&self, partitions: &[u32]) -> Result<Vec<(u32, Option<Offset>)>, Fault> {
        let tried = format!("asked what is committed of {}", self.reading.topic);
        if !self.settled()? {
            return Err(Fault::retry(Code::StoreUnavailable, format!("{tried}: the last transaction is not over yet")));
        }
        if partitions.is_empty() {
            return Ok(Vec::new());
        }
        let asked = list(&self.reading.topic, partitions.iter().map(|partition| (*partition, Offset::Invalid)));
        let asked = asked.map_err(|error| fault(&tried, &error))?;
        let answer = self.consumer().committed_offsets(asked, WAIT).map_err(|error| fault(&tried, &error))?;
        let never = self.reading.transactor.as_ref().map(|_| Offset::Offset(0));
        let mut offsets = Vec::with_capacity(partitions.len());
        for element in answer.elements() {
            element.error().map_err(|error| fault(&tried, &error))?;
            let offset = match element.offset() {
                Offset::Offset(offset) => Some(Offset::Offset(offset)),
                _ => never,
            };
            offsets.push((u32::try_from(element.partition()).unwrap_or_default(), offset));
        }
        Ok(offsets)
    }

    fn hold_back(&mut self, stuck: bool) -> Result<(), Fault> {
        let partitions = self.assigned.iter().map(|partition| (*partition, Offset::Invalid));
        let tried = format!("held back {}", self.reading.topic);
        let partitions = list(&self.reading.topic, partitions).map_err(|error| fault(&tried, &error))?;
        let done = if stuck { self.consumer().pause(&partitions) } else { self.consumer().resume(&partitions) };
        done.map_err(|error| fault(&tried, &error))?;
        self.paused = stuck;
        Ok(())
    }

    fn happened(&mut self, event: Event) {
        match event {
            Event::Record(raw) => self.slot.push(raw),
            Event::End { partition, offset } => self.slot.end(partition, offset),
            Event::Assigned(partitions) => self.arriving = Some(partitions),
            Event::Revoked => {
                self.slot.revoke(self.consumer().assignment_lost());
                self.arriving = None;
                self.assigned.clear();
                if let Err(error) = self.consumer().unassign() {
                    self.slot.trouble(fault(&format!("let partitions of {} go", self.reading.topic), &error));
                }
            }
            Event::Error { code, fatal, reason } => self.failed(code, fatal, &reason),
        }
    }

    fn failed(&mut self, code: Rd, fatal: bool, reason: &str) {
        let Reading { topic, identity, .. } = &*self.reading;
        let cause = self.consumer().client().fatal_error().map_or(code, |(cause, _)| cause);
        let stop = match cause {
            Rd::FencedInstanceId => {
                self.fenced = true;
                return;
            }
            Rd::AutoOffsetReset => out_of_range(topic, reason),
            _ if fatal => Fault::stop(Code::StoreUnavailable, format!("read {topic}: {reason}")),
            _ if passing(code) => return,
            _ => {
                let fault = fault(&format!("read {topic}"), &KafkaError::MessageConsumption(code));
                if fault.remedy == Remedy::Retry {
                    return self.slot.trouble(fault);
                }
                fault
            }
        };
        self.slot.trouble(identity.stop(stop));
    }

    fn consumer(&self) -> &BaseConsumer {
        self.events.consumer()
    }
}
