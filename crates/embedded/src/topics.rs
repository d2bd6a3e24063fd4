//! The topics as consumers see them: who holds which, where each ends, and the wait for more.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use saidso_core::{
    fault::{Code, Fault},
    ports::{Consumer, Delivered, Lease},
    position::Position,
    record::{Record, RecordParts, Topic},
};

use crate::{
    core::Core,
    rows::{self, RECORDS, State},
    trouble::damaged,
};

/// Where a record stands in its table.
pub(crate) fn record_key(topic: Topic, partition: u32, offset: u64) -> [u8; 13] {
    let mut out = [0; 13];
    out[0] = topic as u8;
    out[1..5].copy_from_slice(&partition.to_be_bytes());
    out[5..].copy_from_slice(&offset.to_be_bytes());
    out
}

/// What consumers wait on.
pub(crate) struct Board {
    inner: Mutex<Inner>,
    bell: Condvar,
}

struct Inner {
    ends: [Vec<u64>; 4],
    committed: [Vec<u64>; 4],
    /// Per topic, the consumer that holds it and its living lease.
    holders: [Holder; 4],
    /// Consumers and leases are told apart by what this counted.
    count: u64,
    closed: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Holder {
    consumer: u64,
    lease: u64,
}

impl Board {
    pub(crate) fn new(state: &State) -> Self {
        let inner = Inner {
            ends: state.ends.clone(),
            committed: state.committed.clone(),
            holders: [Holder::default(); 4],
            count: 0,
            closed: false,
        };
        Self { inner: Mutex::new(inner), bell: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that are written and not committed.
    pub(crate) fn lag(&self, topic: Topic) -> u64 {
        let inner = self.lock();
        let (ends, committed) = (&inner.ends[topic as usize], &inner.committed[topic as usize]);
        ends.iter().zip(committed).map(|(end, committed)| end - committed).sum()
    }

    /// Whether a lease may commit. Asked by the commit thread, which holds the gate that ends of leases wait at.
    pub(crate) fn alive(&self, lease: &Lease) -> bool {
        self.lock().holders[lease.topic as usize].lease == lease.token
    }

    /// Takes over what a commit wrote, and wakes who waits for it.
    pub(crate) fn advance(&self, state: &State) {
        let mut inner = self.lock();
        inner.ends.clone_from(&state.ends);
        inner.committed.clone_from(&state.committed);
        self.bell.notify_all();
    }

    /// Ends every lease: after a failed commit nobody knows what of it is in.
    pub(crate) fn end_leases(&self) {
        let mut inner = self.lock();
        inner.count += 1;
        let lease = inner.count;
        inner.holders.iter_mut().for_each(|holder| holder.lease = lease);
        self.bell.notify_all();
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.bell.notify_all();
    }

    /// Hands the topic to a new consumer.
    pub(crate) fn take(core: &Arc<Core>, topic: Topic) -> Reader {
        let _gate = core.gate();
        let mut inner = core.board.lock();
        inner.count += 1;
        let consumer = inner.count;
        inner.holders[topic as usize] = Holder { consumer, lease: consumer };
        core.board.bell.notify_all();
        let cursors = inner.committed[topic as usize].clone();
        Reader { core: Arc::clone(core), topic, consumer, lease: consumer, cursors, first: 0 }
    }
}

/// A consumer of one topic, all its partitions.
pub(crate) struct Reader {
    core: Arc<Core>,
    topic: Topic,
    consumer: u64,
    lease: u64,
    /// Per partition, the offset to deliver next.
    cursors: Vec<u64>,
    /// The partition that is looked at first, another each time, so that a full one does not starve the rest.
    first: usize,
}

impl Reader {
    /// `false` if another consumer took the topic over: there is nothing to read here any more.
    fn holds(&self, inner: &Inner) -> Result<bool, Fault> {
        if inner.closed {
            return Err(Fault::stop(Code::StoreUnavailable, "read a topic: the data folder was closed"));
        }
        let holder = inner.holders[self.topic as usize];
        if holder.consumer == self.consumer && holder.lease != self.lease {
            return Err(Fault::lease_lost());
        }
        Ok(holder.consumer == self.consumer)
    }

    /// Waits until there is something to read; `false` if nothing came in time.
    fn wait(&self, wait: Duration) -> Result<bool, Fault> {
        let deadline = Instant::now() + wait;
        let mut inner = self.core.board.lock();
        loop {
            let more = || inner.ends[self.topic as usize].iter().zip(&self.cursors).any(|(end, cursor)| cursor < end);
            if self.holds(&inner)? && more() {
                return Ok(true);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            (inner, _) = self.core.board.bell.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn read(&mut self, max: usize) -> Result<Vec<Delivered>, Fault> {
        let count = self.cursors.len();
        let order: Vec<usize> = (0..count).map(|step| (self.first + step) % count).collect();
        self.first = (self.first + 1) % count;
        let (topic, cursors) = (self.topic, &self.cursors);
        let found = self.core.database.read("read a topic", |txn| {
            let table = txn.open_table(RECORDS)?;
            let mut found: Vec<(Vec<u8>, RecordParts)> = Vec::new();
            for partition in order {
                let from = record_key(topic, partition as u32, cursors[partition]);
                found.extend(rows::scan(RECORDS, &table, &from[..5], &from, max - found.len())?);
            }
            Ok(found)
        })?;
        let mut out = Vec::with_capacity(found.len());
        for (key, parts) in found {
            let partition = u32::from_be_bytes([key[1], key[2], key[3], key[4]]);
            let offset = self.cursors[partition as usize];
            if key != record_key(topic, partition, offset) {
                return self.missing();
            }
            self.cursors[partition as usize] += 1;
            let here = Position { epoch: self.core.epoch, partition, offset };
            let position = parts.position.unwrap_or(here);
            out.push(Delivered { partition, offset, position, record: Record::from_parts(parts) });
        }
        Ok(out)
    }

    /// Records that should be there are not: the next holder committed them meanwhile, or they are lost.
    fn missing(&self) -> Result<Vec<Delivered>, Fault> {
        if self.holds(&self.core.board.lock())? {
            return Err(damaged("read a topic", "records are missing"));
        }
        Ok(Vec::new())
    }
}

impl Consumer for Reader {
    fn poll(&mut self, max: usize, wait: Duration) -> Result<(Lease, Vec<Delivered>), Fault> {
        let lease = Lease { topic: self.topic, token: self.lease };
        if !self.wait(wait)? {
            return Ok((lease, Vec::new()));
        }
        let records = self.read(max)?;
        if records.is_empty() && max > 0 {
            return Ok((lease, self.missing()?));
        }
        Ok((lease, records))
    }

    fn rewind(&mut self) -> Result<(), Fault> {
        // Past the gate no commit under the old lease is under way: what is committed is what there is to go on from.
        let _gate = self.core.gate();
        let mut inner = self.core.board.lock();
        if inner.holders[self.topic as usize].consumer != self.consumer {
            return Ok(());
        }
        inner.count += 1;
        self.lease = inner.count;
        inner.holders[self.topic as usize].lease = self.lease;
        self.cursors.clone_from(&inner.committed[self.topic as usize]);
        Ok(())
    }
}
