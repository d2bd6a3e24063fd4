//! What the thread that polls a topic and the one that handles its records share: the buffer between them, and the lease.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rdkafka::consumer::ConsumerGroupMetadata;
use saidso_core::fault::Fault;

use crate::{
    native::Raw,
    options::{LEASE, TRANSACTION},
};

/// Records that wait in this process before it takes no more; it goes on at half.
const WAITING_RECORDS: usize = 4_096;
/// Bytes that do.
const WAITING_BYTES: usize = 16 << 20;
/// How long it takes no more before the broker is asked to hold back. After that is lifted it takes librdkafka up to a
/// second to fetch again (its broker thread sleeps meanwhile); whoever needs longer than that for half of what may wait
/// has the other half to go on with.
const PATIENCE: Duration = Duration::from_secs(1);

/// Leases of all consumers in this process are told apart.
fn new_lease() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

/// One partition under the current lease.
#[derive(Debug, Clone, Copy)]
struct Progress {
    /// Where a new lease goes on from.
    committed: u64,
    /// After the last record that was handed out.
    given: u64,
    /// After the last record that came.
    came: u64,
    /// Everything below came, and nothing since.
    end: Option<u64>,
}

/// A record that nobody could read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unread {
    pub partition: u32,
    pub offset: u64,
    /// After the record before it: what has to be committed first.
    after: u64,
}

/// What the polling thread is to do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Orders {
    pub stop: bool,
    /// Nobody holds a lease: partitions may be taken up, or started again.
    pub free: bool,
    /// Start again from what is committed.
    pub again: bool,
    pub room: Room,
}

/// Whether more records may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Free,
    /// Enough wait, for now.
    Full,
    /// Enough have waited for long: the broker is to hold back.
    Stuck,
}

/// What came of waiting for records.
pub(crate) struct Taken {
    pub lease: u64,
    pub records: Vec<Raw>,
}

/// The offsets that a commit moves to, and what it sets aside on the way.
pub(crate) struct Covered {
    pub offsets: Vec<(u32, u64)>,
    pub unread: Vec<Unread>,
}

pub(crate) struct Slot {
    state: Mutex<State>,
    bell: Condvar,
}

struct State {
    lease: u64,
    /// The group as it was when the lease began: what was read under an old one is refused by the broker. `None` until
    /// partitions are there.
    group: Option<Arc<ConsumerGroupMetadata>>,
    /// A held lease below this is dead.
    alive_from: u64,
    held: bool,
    /// When the polling thread was last seen awake.
    awake: Instant,
    partitions: BTreeMap<u32, Progress>,
    buffer: VecDeque<Raw>,
    bytes: usize,
    /// Since when enough waits.
    full: Option<Instant>,
    unread: Vec<Unread>,
    again: bool,
    stop: bool,
    trouble: Option<Fault>,
}

impl State {
    /// Enough waits, or too little was handled since.
    fn crowded(&self) -> bool {
        let (records, bytes) = match self.full {
            Some(_) => (WAITING_RECORDS / 2, WAITING_BYTES / 2),
            None => (WAITING_RECORDS, WAITING_BYTES),
        };
        self.buffer.len() >= records || self.bytes >= bytes
    }

    /// Whatever was handed out counts no more.
    fn end_lease(&mut self) {
        self.lease = new_lease();
        self.group = None;
        self.clear();
    }

    fn clear(&mut self) {
        self.buffer.clear();
        self.bytes = 0;
        self.full = None;
        self.unread.clear();
    }
}

impl Slot {
    pub fn new() -> Self {
        let state = State {
            lease: new_lease(),
            group: None,
            alive_from: 0,
            held: false,
            awake: Instant::now(),
            partitions: BTreeMap::new(),
            buffer: VecDeque::new(),
            bytes: 0,
            full: None,
            unread: Vec::new(),
            again: false,
            stop: false,
            trouble: None,
        };
        Self { state: Mutex::new(state), bell: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        self.bell.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits until nobody holds a lease, for as long as a transaction may take; `turn` is done each time round.
    fn free<'a>(&self, mut state: MutexGuard<'a, State>, turn: impl Fn(&mut State)) -> MutexGuard<'a, State> {
        let deadline = Instant::now() + TRANSACTION;
        while state.held && Instant::now() < deadline {
            turn(&mut state);
            state = self.wait(state, Duration::from_millis(100));
        }
        state
    }

    // The polling thread.

    /// A turn of the polling thread. If it slept for longer than a lease lives, others may have what was its.
    pub fn turn(&self) -> Orders {
        let mut state = self.lock();
        let now = Instant::now();
        if now.duration_since(state.awake) > LEASE && state.group.is_some() {
            state.end_lease();
            state.alive_from = state.lease;
            state.again = true;
        }
        state.awake = now;
        state.full = state.crowded().then(|| state.full.unwrap_or(now));
        let room = match state.full {
            None => Room::Free,
            Some(since) if now.duration_since(since) < PATIENCE => Room::Full,
            Some(_) => Room::Stuck,
        };
        Orders { stop: state.stop, free: !state.held, again: state.again, room }
    }

    /// Waits until more records may wait, but not for long.
    pub fn wait_for_room(&self, time: Duration) {
        let state = self.lock();
        if state.crowded() {
            drop(self.wait(state, time));
        }
    }

    /// Takes up partitions, each from an offset.
    pub fn begin(&self, partitions: &[(u32, u64)], group: Option<ConsumerGroupMetadata>) {
        let mut state = self.lock();
        state.end_lease();
        let at = |offset: u64| Progress { committed: offset, given: offset, came: offset, end: None };
        state.partitions = partitions.iter().map(|(partition, offset)| (*partition, at(*offset))).collect();
        state.group = group.map(Arc::new);
        state.again = false;
        self.bell.notify_all();
    }

    /// Lets all partitions go, once a commit under way has ended. `lost`: others have them already.
    pub fn revoke(&self, lost: bool) {
        let mut state = self.lock();
        state.end_lease();
        if lost {
            state.alive_from = state.lease;
        } else {
            state = self.free(state, |state| state.awake = Instant::now());
        }
        state.partitions.clear();
        state.again = false;
        self.bell.notify_all();
    }

    /// A record came.
    pub fn push(&self, raw: Raw) {
        let mut state = self.lock();
        // Asked for under an assignment or a place that is no more.
        if state.again || state.group.is_none() {
            return;
        }
        let Some(progress) = state.partitions.get_mut(&raw.partition) else { return };
        progress.came = raw.offset + 1;
        progress.end = None;
        state.bytes += raw.bytes.len();
        state.buffer.push_back(raw);
        self.bell.notify_all();
    }

    /// Everything below `offset` came.
    pub fn end(&self, partition: u32, offset: u64) {
        let mut state = self.lock();
        if !state.again
            && state.group.is_some()
            && let Some(progress) = state.partitions.get_mut(&partition)
        {
            progress.end = Some(offset).filter(|end| *end >= progress.came);
        }
    }

    /// Something to be told to whoever asks next.
    pub fn trouble(&self, fault: Fault) {
        self.lock().trouble.get_or_insert(fault);
        self.bell.notify_all();
    }

    // The handling thread.

    /// Records in the order they came, at least one unless the deadline passed.
    pub fn take(&self, max: usize, deadline: Instant) -> Result<Taken, Fault> {
        let mut state = self.lock();
        loop {
            if let Some(fault) = state.trouble.take() {
                return Err(fault);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if (state.buffer.is_empty() || max == 0) && !left.is_zero() {
                state = self.wait(state, left);
                continue;
            }
            let count = max.min(state.buffer.len());
            let records: Vec<Raw> = state.buffer.drain(..count).collect();
            state.bytes -= records.iter().map(|raw| raw.bytes.len()).sum::<usize>();
            if state.full.is_some() && !state.crowded() {
                self.bell.notify_all();
            }
            return Ok(Taken { lease: state.lease, records });
        }
    }

    /// Notes that a record was handed out, or that nobody can read it.
    pub fn given(&self, lease: u64, partition: u32, offset: u64, readable: bool) {
        let mut state = self.lock();
        if state.lease != lease {
            return;
        }
        let Some(progress) = state.partitions.get_mut(&partition) else { return };
        let after = std::mem::replace(&mut progress.given, offset + 1);
        if !readable {
            state.unread.push(Unread { partition, offset, after });
        }
    }

    /// Starts again from what is committed, once a commit under way has ended.
    pub fn rewind(&self) {
        let mut state = self.free(self.lock(), |_| ());
        state.end_lease();
        state.again = !state.partitions.is_empty();
    }

    /// Ends a lease under which something went wrong: what was handed out comes again.
    pub fn fail(&self, lease: u64) {
        let mut state = self.lock();
        if state.lease == lease {
            state.end_lease();
            state.again = !state.partitions.is_empty();
        }
    }

    /// Ends the lease for good, once a commit under way has ended; the polling thread ends too.
    pub fn close(&self) {
        let mut state = self.lock();
        state.end_lease();
        let mut state = self.free(state, |_| ());
        state.stop = true;
        self.bell.notify_all();
    }

    /// Partitions that could be committed further without a record being handled.
    pub fn idle(&self, lease: u64) -> Vec<(u32, u64)> {
        let state = self.lock();
        if state.lease != lease || !state.buffer.is_empty() {
            return Vec::new();
        }
        let committed = state.partitions.iter().map(|(partition, progress)| (*partition, progress.committed));
        committed.filter(|(partition, offset)| state.reach(*partition, *offset, &mut Vec::new()) > *offset).collect()
    }

    /// How far a commit of these offsets gets.
    pub fn cover(&self, offsets: &[(u32, u64)]) -> Covered {
        let state = self.lock();
        let mut unread = Vec::new();
        let reached = offsets.iter().map(|(partition, next)| (*partition, state.reach(*partition, *next, &mut unread)));
        let offsets = reached.collect();
        Covered { offsets, unread }
    }

    /// Offsets are committed.
    pub fn committed(&self, lease: u64, offsets: &[(u32, u64)]) {
        let mut state = self.lock();
        if state.lease != lease {
            return;
        }
        for (partition, offset) in offsets {
            if let Some(progress) = state.partitions.get_mut(partition) {
                progress.committed = *offset;
            }
            state.unread.retain(|unread| unread.partition != *partition || unread.offset >= *offset);
        }
    }

    /// What this process has committed of its partitions.
    pub fn known(&self) -> Vec<(u32, u64)> {
        let state = self.lock();
        match (state.again, &state.group) {
            (false, Some(_)) => state.partitions.iter().map(|(partition, at)| (*partition, at.committed)).collect(),
            _ => Vec::new(),
        }
    }

    /// Holds a lease until it is released; `None` if it is dead, or not one that can commit.
    pub fn hold(&self, lease: u64) -> Option<Arc<ConsumerGroupMetadata>> {
        let mut state = self.free(self.lock(), |_| ());
        if state.lease != lease || state.held || state.awake.elapsed() > LEASE {
            return None;
        }
        let group = state.group.clone()?;
        state.held = true;
        Some(group)
    }

    /// Whether a held lease lives still.
    pub fn alive(&self, lease: u64) -> bool {
        let state = self.lock();
        state.alive_from <= lease && state.awake.elapsed() <= LEASE
    }

    pub fn release(&self) {
        self.lock().held = false;
        self.bell.notify_all();
    }
}

impl State {
    /// From `next` over what nobody could read, and to the end if nothing else waits before it.
    fn reach(&self, partition: u32, mut next: u64, passed: &mut Vec<Unread>) -> u64 {
        for unread in self.unread.iter().filter(|unread| unread.partition == partition) {
            if unread.after <= next {
                next = next.max(unread.offset + 1);
                passed.push(*unread);
            }
        }
        match self.partitions.get(&partition) {
            Some(Progress { came, end: Some(end), .. }) if *came <= next => next.max(*end),
            _ => next,
        }
    }
}
