//! Reading without being a member of a group: following changes, listing what was set aside.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rdkafka::{
    consumer::{BaseConsumer, Consumer as _},
    error::{KafkaError, KafkaResult},
};
use saidso_core::{
    fault::{Code, Fault, Remedy},
    ids::{SpaceId, TenantId},
    ports::{Behind, Change, ChangeFeed, StoreId},
    record::DeadLetter,
    seal::Generation,
};

use crate::{
    native::{Event, Events, Raw},
    reader::{list, number, place},
    shared::Shared,
    trouble::{fault, passing},
};

/// How long the broker may take to say something, tries included.
const WAIT: Duration = Duration::from_secs(10);
/// How long it may take over one try.
const TRY: Duration = Duration::from_secs(3);
/// How long a transaction under way is waited for.
const OPEN: Duration = Duration::from_secs(2);

/// A topic being read from given places.
struct Onlooker {
    topic: String,
    events: Events,
}

impl Onlooker {
    fn new(shared: &Shared, topic: String) -> Result<Self, Fault> {
        let config = shared.options.consumer(&shared.names.onlookers(), "error");
        let consumer: BaseConsumer = config.create().map_err(|error| fault("opened a consumer", &error))?;
        let groupless = || Fault::stop(Code::StoreUnavailable, "read a topic: the consumer has no group");
        Ok(Self { topic, events: Events::of(Arc::new(consumer)).ok_or_else(groupless)? })
    }

    fn consumer(&self) -> &BaseConsumer {
        self.events.consumer()
    }

    /// The first offset of a partition, and the one after the last record that is not part of an open transaction.
    fn bounds(&self, partition: u32) -> Result<(u64, u64), Fault> {
        bounds(self.consumer(), &self.topic, partition)
    }

    fn start(&self, places: &[(u32, u64)]) -> Result<(), Fault> {
        let places = places.iter().map(|(partition, offset)| (*partition, place(*offset)));
        let assigned = list(&self.topic, places).and_then(|places| self.consumer().assign(&places));
        assigned.map_err(|error| fault(&format!("read {}", self.topic), &error))
    }

    fn next(&self, wait: Duration) -> Result<Option<Event>, Fault> {
        match self.events.next(wait) {
            Some(Event::Error { code, reason, .. }) if !passing(code) => {
                let fault = fault(&format!("read {}", self.topic), &KafkaError::MessageConsumption(code));
                Err(Fault { message: format!("{}: {reason}", fault.message), ..fault })
            }
            event => Ok(event),
        }
    }
}

/// Asks until there is an answer: partitions just made, or moved, have no leader for a moment.
pub(crate) fn ask<T>(tried: &str, mut question: impl FnMut(Duration) -> KafkaResult<T>) -> Result<T, Fault> {
    let deadline = Instant::now() + WAIT;
    loop {
        match question(TRY).map_err(|error| fault(tried, &error)) {
            Err(fault) if fault.remedy == Remedy::Retry && Instant::now() < deadline => {
                thread::park_timeout(Duration::from_millis(10));
            }
            answer => return answer,
        }
    }
}

/// Where a partition begins and ends. For a consumer that reads what is committed, it ends where the first open
/// transaction begins.
pub(crate) fn bounds(consumer: &BaseConsumer, topic: &str, partition: u32) -> Result<(u64, u64), Fault> {
    let question = |wait| consumer.fetch_watermarks(topic, number(partition), wait);
    let (low, high) = ask(&format!("asked where {topic} ends"), question)?;
    Ok((u64::try_from(low).unwrap_or_default(), u64::try_from(high).unwrap_or_default()))
}

/// Follows the changes of all spaces.
pub(crate) struct Follower {
    shared: Arc<Shared>,
    onlooker: Onlooker,
    place: Arc<Place>,
}

/// Where a follower is.
struct Place {
    shared: Arc<Shared>,
    topic: String,
    /// For each partition the offset it goes on from.
    next: Vec<AtomicU64>,
}

impl Place {
    fn go_on_from(&self, partition: u32, offset: u64) {
        if let Some(next) = self.next.get(partition as usize) {
            next.store(offset, Ordering::Relaxed);
        }
    }
}

impl Behind for Place {
    /// Asks the broker, once: whoever wants to know looks again soon.
    fn changes(&self) -> Result<u64, Fault> {
        self.shared.identity.check()?;
        let tried = || format!("asked where {} ends", self.topic);
        let mut behind = 0;
        for (partition, next) in (0..).zip(&self.next) {
            let bounds = self.shared.identity.client().fetch_watermarks(&self.topic, number(partition), TRY);
            let (_, end) = bounds.map_err(|error| fault(&tried(), &error))?;
            behind += u64::try_from(end).unwrap_or_default().saturating_sub(next.load(Ordering::Relaxed));
        }
        Ok(behind)
    }
}

impl Follower {
    pub fn new(shared: Arc<Shared>) -> Result<Self, Fault> {
        let onlooker = Onlooker::new(&shared, shared.names.changes())?;
        let place = |partition| Ok((partition, onlooker.bounds(partition)?.1));
        // A change that is being committed right now lies after this end: it reaches the follower.
        let ends = (0..shared.partitions).map(place).collect::<Result<Vec<_>, Fault>>()?;
        onlooker.start(&ends)?;
        let next = ends.iter().map(|(_, end)| AtomicU64::new(*end)).collect();
        let place = Arc::new(Place { shared: shared.clone(), topic: onlooker.topic.clone(), next });
        Ok(Self { shared, onlooker, place })
    }
}

impl ChangeFeed for Follower {
    fn next(&mut self, wait: Duration) -> Result<Vec<Change>, Fault> {
        let deadline = Instant::now() + wait;
        let mut newest: HashMap<(TenantId, SpaceId, Generation), Change> = HashMap::new();
        loop {
            self.shared.identity.check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            let left = if newest.is_empty() { left } else { Duration::ZERO };
            let event = self.onlooker.next(left)?;
            if let Some(Event::End { partition, offset }) = &event {
                self.place.go_on_from(*partition, *offset);
            }
            if let Some(Event::Record(raw)) = &event {
                self.place.go_on_from(raw.partition, raw.offset + 1);
                match self.shared.codec.read_change(&raw.bytes) {
                    Ok(change) => {
                        newest.insert((change.tenant, change.space, change.generation), change);
                    }
                    // It hides which space moved: whoever follows has to take every space for moved.
                    Err(fault) if fault.remedy == Remedy::DeadLetter => {
                        return Err(Fault { remedy: Remedy::Retry, ..fault });
                    }
                    Err(fault) => return Err(fault),
                }
            }
            if event.is_none() && (!newest.is_empty() || Instant::now() >= deadline) {
                return Ok(newest.into_values().collect());
            }
        }
    }

    fn behind(&self) -> Arc<dyn Behind> {
        self.place.clone()
    }
}

/// The store that the topics belong to: the one that the first record names. `None`: none is named yet.
pub(crate) fn bound_to(shared: &Shared) -> Result<Option<StoreId>, Fault> {
    let topic = shared.names.store();
    let (first, end) = bounds(shared.identity.client(), &topic, 0)?;
    if first == end {
        return Ok(None);
    }
    let onlooker = Onlooker::new(shared, topic)?;
    onlooker.start(&[(0, first)])?;
    let deadline = Instant::now() + WAIT;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let topic = &onlooker.topic;
        match onlooker.next(left)? {
            Some(Event::Record(Raw { bytes, .. })) => {
                let id = str::from_utf8(&bytes).ok().and_then(|text| text.parse().ok());
                let found = "its first record is not what Saidso writes there; no one else may write to it";
                return match id {
                    Some(id) => Ok(Some(id)),
                    None => Err(Fault::stop(Code::Damaged, format!("read {topic}: {found}"))),
                };
            }
            _ if left.is_zero() => {
                let found = format!("its first record did not come within {WAIT:?}");
                return Err(Fault::retry(Code::StoreUnavailable, format!("read {topic}: {found}")));
            }
            _ => {}
        }
    }
}

/// The newest dead letters, newest first. Looks back as far as it takes.
pub(crate) fn dead_letters(shared: &Shared, max: usize) -> Result<Vec<DeadLetter>, Fault> {
    let onlooker = Onlooker::new(shared, shared.names.dead())?;
    // A commit has returned before its mark is in every partition.
    let (first, end) = bounds(shared.identity.client(), &onlooker.topic, 0)?;
    let mut span = (max as u64).saturating_mul(2).max(64);
    loop {
        let from = end.saturating_sub(span).max(first);
        let mut found = between(shared, &onlooker, from, end)?;
        if found.len() >= max || from == first {
            found.reverse();
            found.truncate(max);
            return Ok(found);
        }
        // Many offsets hold no letter: transactions leave marks.
        span = span.saturating_mul(4);
    }
}

fn between(shared: &Shared, onlooker: &Onlooker, from: u64, end: u64) -> Result<Vec<DeadLetter>, Fault> {
    let mut found = Vec::new();
    if from >= end {
        return Ok(found);
    }
    onlooker.start(&[(0, from)])?;
    let deadline = Instant::now() + OPEN;
    loop {
        match onlooker.next(deadline.saturating_duration_since(Instant::now()))? {
            Some(Event::Record(Raw { offset, .. })) if offset >= end => return Ok(found),
            Some(Event::Record(raw)) => match shared.codec.read_dead_letter(&raw.bytes) {
                Ok(letter) => found.push(letter),
                // Somebody else's bytes are no letter.
                Err(fault) if fault.remedy == Remedy::DeadLetter => {}
                Err(fault) => return Err(fault),
            },
            Some(Event::End { offset, .. }) if offset >= end => return Ok(found),
            // What somebody else is still committing is not there yet.
            _ if Instant::now() >= deadline => return Ok(found),
            _ => {}
        }
    }
}
