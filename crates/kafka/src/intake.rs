//! The public topic that gateways write, as intake reads it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use saidso_core::{
    fault::{Fault, Remedy},
    ports::{Submission, SubmissionConsumer},
    record::DeadLetter,
};

use crate::{
    head::Head,
    reader::Reader,
    shared::Shared,
    transactor::Outgoing,
    trouble::{fault, lost},
};

/// A consumer of the public topic. Its offsets are committed alone, after what it read is durable elsewhere: what comes
/// twice is known by its ids.
pub(crate) struct Intake {
    pub shared: Arc<Shared>,
    pub head: Arc<Head>,
    pub reader: Arc<Reader>,
    /// The lease of what was polled since the last commit, and the offsets after it.
    pub polled: Option<(u64, Vec<(u32, u64)>)>,
}

impl Drop for Intake {
    fn drop(&mut self) {
        self.reader.close();
    }
}

impl SubmissionConsumer for Intake {
    fn poll(&mut self, max: usize, wait: Duration) -> Result<Vec<Submission>, Fault> {
        self.shared.identity.check()?;
        // Gateways find the schema there before they write; the registry may be away at the start.
        self.shared.codec.announce()?;
        let taken = self.reader.slot.take(max, Instant::now() + wait)?;
        let mut submissions = Vec::with_capacity(taken.records.len());
        for raw in taken.records {
            let turn = match self.shared.codec.read_turn(&raw.bytes) {
                Err(fault) if fault.remedy != Remedy::DeadLetter => {
                    self.reader.slot.fail(taken.lease);
                    return Err(fault);
                }
                turn => turn,
            };
            self.reader.slot.given(taken.lease, raw.partition, raw.offset, true);
            submissions.push(Submission { partition: raw.partition, offset: raw.offset, turn });
        }
        if submissions.is_empty() {
            self.settle(taken.lease)?;
        }
        let next = submissions.iter().map(|submission| (submission.partition, submission.offset + 1));
        self.note(taken.lease, next);
        Ok(submissions)
    }

    fn commit(&mut self, dead: Vec<DeadLetter>) -> Result<(), Fault> {
        let topic = self.shared.names.dead();
        let letter = |dead: &DeadLetter| {
            let bytes = self.shared.codec.dead_letter(&topic, dead)?;
            Ok(Outgoing { topic: topic.clone(), partition: 0, bytes })
        };
        let letters = dead.iter().map(letter).collect::<Result<Vec<_>, Fault>>()?;
        if !letters.is_empty() {
            self.head.append(&letters)?;
        }
        match self.polled.take() {
            Some((lease, offsets)) => self.move_to(lease, &offsets),
            None => Ok(()),
        }
    }

    fn rewind(&mut self) -> Result<(), Fault> {
        self.polled = None;
        self.reader.slot.rewind();
        self.shared.identity.check()
    }
}

impl Intake {
    fn note(&mut self, lease: u64, next: impl Iterator<Item = (u32, u64)>) {
        let mut next = next.peekable();
        if next.peek().is_none() {
            return;
        }
        // What was polled under an older lease comes again under this one.
        let known = self.polled.take().filter(|(known, _)| *known == lease).map(|(_, offsets)| offsets);
        let mut offsets = known.unwrap_or_default();
        for (partition, offset) in next {
            match offsets.iter_mut().find(|(known, _)| *known == partition) {
                Some((_, known)) => *known = offset,
                None => offsets.push((partition, offset)),
            }
        }
        self.polled = Some((lease, offsets));
    }

    /// Moves offsets over the marks that transactions of gateways leave.
    fn settle(&self, lease: u64) -> Result<(), Fault> {
        match self.reader.slot.idle(lease) {
            offsets if offsets.is_empty() => Ok(()),
            offsets => self.move_to(lease, &offsets),
        }
    }

    fn move_to(&self, lease: u64, offsets: &[(u32, u64)]) -> Result<(), Fault> {
        let slot = &self.reader.slot;
        if slot.hold(lease).is_none() {
            return Err(Fault::lease_lost());
        }
        let offsets = slot.cover(offsets).offsets;
        let done = self.reader.commit(&offsets);
        match &done {
            Ok(()) => slot.committed(lease, &offsets),
            Err(_) => slot.fail(lease),
        }
        slot.release();
        done.map_err(|error| match error.rdkafka_error_code() {
            Some(code) if lost(code) => Fault::lease_lost(),
            _ => fault("committed what intake read", &error),
        })
    }
}
