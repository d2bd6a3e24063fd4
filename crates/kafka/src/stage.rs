//! A stage's end of a topic: records out, and a held lease to commit what they lead to.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use rdkafka::consumer::ConsumerGroupMetadata;
use saidso_core::{
    fault::{Code, Fault, Remedy},
    ports::{Consumer, Delivered, Held, Lease, Outgoing},
    position::{Position, partition_of},
    record::{DeadLetter, Origin, Record, Topic},
};

use crate::{
    native::Raw,
    reader::{Reader, list, place},
    shared::Shared,
    slot::Covered,
    transactor,
    trouble::fault,
};

/// A consumer of one topic.
pub(crate) struct Stage {
    pub shared: Arc<Shared>,
    pub topic: Topic,
    pub reader: Arc<Reader>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.reader.close();
    }
}

impl Consumer for Stage {
    fn poll(&mut self, max: usize, wait: Duration) -> Result<(Lease, Vec<Delivered>), Fault> {
        let deadline = Instant::now() + wait;
        loop {
            self.shared.identity.check()?;
            let taken = self.reader.slot.take(max, deadline)?;
            let lease = Lease { topic: self.topic, token: taken.lease };
            let idle = taken.records.is_empty();
            let records = self.read(taken.lease, taken.records).inspect_err(|_| self.reader.slot.fail(taken.lease))?;
            if !records.is_empty() {
                return Ok((lease, records));
            }
            // Nothing to hand out: a moment to commit what needs no handling.
            self.settle(&lease)?;
            if idle {
                return Ok((lease, records));
            }
        }
    }

    fn rewind(&mut self) -> Result<(), Fault> {
        self.reader.slot.rewind();
        self.shared.identity.check()
    }
}

impl Stage {
    /// Reads what can be read. What cannot is set aside with the next commit that passes it.
    fn read(&self, lease: u64, records: Vec<Raw>) -> Result<Vec<Delivered>, Fault> {
        let mut out = Vec::with_capacity(records.len());
        for Raw { partition, offset, bytes, .. } in records {
            let parts = match self.shared.codec.read_record(&bytes) {
                Ok(parts) => Some(parts),
                Err(fault) if fault.remedy == Remedy::DeadLetter => None,
                Err(fault) => return Err(fault),
            };
            let here = Position { epoch: self.shared.names.epoch, partition, offset };
            let position = match (&parts, self.topic) {
                (Some(_), Topic::Turns) => Some(here),
                (Some(parts), _) => parts.position,
                (None, _) => None,
            };
            self.reader.slot.given(lease, partition, offset, position.is_some());
            if let (Some(parts), Some(position)) = (parts, position) {
                out.push(Delivered { partition, offset, position, record: Record::from_parts(parts) });
            }
        }
        Ok(out)
    }

    /// Moves offsets over what nobody can read, and over the marks that transactions leave.
    fn settle(&self, lease: &Lease) -> Result<(), Fault> {
        let offsets = self.reader.slot.idle(lease.token);
        if offsets.is_empty() {
            return Ok(());
        }
        let grip = Grip::on(&self.shared, &self.reader, lease).ok_or_else(Fault::lease_lost)?;
        Box::new(grip).commit(Outgoing { offsets, ..Outgoing::default() })
    }
}

/// A lease that is held: whoever wants its partitions waits.
pub(crate) struct Grip<'a> {
    shared: &'a Shared,
    reader: Arc<Reader>,
    lease: Lease,
    group: Arc<ConsumerGroupMetadata>,
}

impl<'a> Grip<'a> {
    /// `None` if the lease is dead.
    pub fn on(shared: &'a Shared, reader: &Arc<Reader>, lease: &Lease) -> Option<Self> {
        let group = reader.slot.hold(lease.token)?;
        Some(Self { shared, reader: reader.clone(), lease: lease.clone(), group })
    }

    fn encode(&self, outgoing: Outgoing, covered: &Covered) -> Result<Vec<transactor::Outgoing>, Fault> {
        let Shared { codec, names, partitions, .. } = self.shared;
        let mut out = Vec::with_capacity(outgoing.outputs.len() + outgoing.changes.len() + outgoing.dead.len());
        for (topic, record) in &outgoing.outputs {
            let parts = record.parts();
            let open = || Fault::stop(Code::Undecodable, "committed: a record without a position");
            let partition = parts.position.ok_or_else(open)?.partition;
            let topic = names.topic(*topic);
            out.push(transactor::Outgoing { partition, bytes: codec.record(&topic, parts)?, topic });
        }
        for change in &outgoing.changes {
            let topic = names.changes();
            let bytes = codec.change(&topic, change)?;
            out.push(transactor::Outgoing { partition: partition_of(change.space, *partitions), bytes, topic });
        }
        let unread = covered.unread.iter().map(|unread| DeadLetter {
            origin: Origin::Topic(self.lease.topic),
            partition: unread.partition,
            offset: unread.offset,
            about: None,
            code: Code::Undecodable.label().to_owned(),
        });
        for dead in outgoing.dead.into_iter().chain(unread) {
            let topic = names.dead();
            out.push(transactor::Outgoing { partition: 0, bytes: codec.dead_letter(&topic, &dead)?, topic });
        }
        Ok(out)
    }
}

impl Held for Grip<'_> {
    fn alive(&self) -> bool {
        self.shared.identity.check().is_ok() && self.reader.slot.alive(self.lease.token)
    }

    fn commit(self: Box<Self>, outgoing: Outgoing) -> Result<(), Fault> {
        self.shared.identity.check()?;
        if !self.alive() {
            return Err(Fault::lease_lost());
        }
        let covered = self.reader.slot.cover(&outgoing.offsets);
        let values = self.encode(outgoing, &covered)?;
        let offsets = covered.offsets.iter().map(|(partition, offset)| (*partition, place(*offset)));
        let offsets = list(&self.reader.reading.topic, offsets).map_err(|error| fault("committed", &error))?;
        let Some(transactor) = &self.reader.reading.transactor else { return Err(Fault::lease_lost()) };
        match transactor.commit(values, offsets, self.group.clone()) {
            Ok(()) => {
                self.reader.slot.committed(self.lease.token, &covered.offsets);
                self.shared.undecodable.fetch_add(covered.unread.len() as u64, Ordering::Relaxed);
                Ok(())
            }
            Err(fault) => {
                // What is committed is asked anew before anything is handed out again.
                self.reader.slot.fail(self.lease.token);
                Err(fault)
            }
        }
    }
}

impl Drop for Grip<'_> {
    fn drop(&mut self) {
        self.reader.slot.release();
    }
}
