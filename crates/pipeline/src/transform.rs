//! A stage that turns one turn's body into another's and hands it to the next topic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use saidso_core::{
    fault::{Code, Fault},
    ids::TenantId,
    ports::{Delivered, Effects},
    record::{self, DeadLetter, Opened, Progress, Record, RecordHead, RecordParts, Topic},
    scope::Scope,
    seal::{Field, Generation, NamedKey, Payload},
};

use crate::{
    Ports,
    work::{Handled, Work},
};

/// What a stage does to turns. No scope goes in or comes out.
pub(crate) trait Stage: Send {
    /// What it takes.
    type In: Payload;
    /// What it gives.
    type Out: Payload;
    /// Where it reads, and what a turn's body is there.
    const READS: (Topic, Field);
    /// Where it writes, and what a turn's body is there.
    const WRITES: (Topic, Field);

    /// One result per turn, in order; after a fault there need be none.
    fn process(&self, turns: Vec<(TenantId, Self::In)>) -> Vec<Result<Self::Out, Fault>>;

    /// Whether an input that always succeeds does so now.
    fn canary(&self) -> bool;
}

/// Runs a [`Stage`] on records.
pub(crate) struct Transform<S> {
    pub stage: S,
    pub ports: Ports,
    pub generation: Generation,
}

impl<S: Stage> Work for Transform<S> {
    fn topic(&self) -> Topic {
        S::READS.0
    }

    fn handle(&mut self, batch: &[Delivered]) -> Handled {
        let mut handled = Handled { effects: Effects::default(), done: 0, fault: None };
        record::warm(batch.iter().map(|delivered| &delivered.record), self.ports.keys.as_ref());
        // Open what opens; a fault ends the run of records before it.
        let mut turns = Vec::new();
        let mut plans = Vec::new();
        for delivered in batch {
            match self.open(delivered) {
                Ok(Plan::Turn(scope, key, body)) => {
                    turns.push((scope.key().0, body));
                    plans.push(Plan::Turn(scope, key, ()));
                }
                Ok(Plan::Record(record)) => plans.push(Plan::Record(record)),
                Err(fault) => {
                    handled.fault = Some(fault);
                    break;
                }
            }
        }
        // A panic is the fault of the one record that panics alone: the others come again, one by one.
        let Ok(results) = catch_unwind(AssertUnwindSafe(|| self.stage.process(turns))) else {
            if batch.len() > 1 {
                return self.handle(&batch[..1]);
            }
            handled.fault = Some(Fault::retry(Code::Poison, "a stage panicked on a record"));
            return handled;
        };
        let mut results = results.into_iter();
        for (delivered, plan) in batch.iter().zip(plans) {
            let record = match plan {
                Plan::Record(record) => record,
                Plan::Turn(scope, key, ()) => match results.next() {
                    Some(Ok(out)) => {
                        let head = self.head(delivered);
                        Record::seal(&scope, head, S::WRITES.1, &key, &out, self.ports.entropy.as_ref())
                    }
                    Some(Err(fault)) => {
                        handled.fault = Some(fault);
                        break;
                    }
                    None => unreachable!("process gives one result per turn"),
                },
            };
            handled.effects.outputs.push((S::WRITES.0, record));
            handled.done += 1;
        }
        handled
    }

    fn ahead(&self) -> bool {
        true
    }

    fn set_aside(&mut self, delivered: &Delivered, code: Code) -> Effects {
        let Delivered { partition, offset, position, record } = delivered;
        let mut effects = Effects::default();
        effects.dead.push(DeadLetter::new(record, S::READS.0, *partition, *offset, *position, code));
        // What does not open was not written by intake and moves no space.
        if let Ok(Opened::Body(scope, _, _)) = self.ports.open::<S::In>(record)
            && let Ok(progress) = self.progress(&scope, delivered)
        {
            effects.outputs.push((S::WRITES.0, progress));
        }
        effects
    }

    fn canary(&mut self) -> bool {
        catch_unwind(AssertUnwindSafe(|| self.stage.canary())).unwrap_or(false)
    }
}

/// What a record is to become.
enum Plan<B> {
    /// A turn to process.
    Turn(Scope, NamedKey, B),
    /// Passed on as it is.
    Record(Record),
}

impl<S: Stage> Transform<S> {
    fn open(&self, delivered: &Delivered) -> Result<Plan<S::In>, Fault> {
        let record = &delivered.record;
        if record.parts().field != S::READS.1 {
            return Ok(Plan::Record(record.forward(delivered.position)));
        }
        match self.ports.open::<S::In>(record)? {
            Opened::Body(scope, key, body) => Ok(Plan::Turn(scope, key, body)),
            Opened::KeyGone(scope) => Ok(Plan::Record(self.progress(&scope, delivered)?)),
        }
    }

    /// The record that only moves the position on.
    fn progress(&self, scope: &Scope, delivered: &Delivered) -> Result<Record, Fault> {
        let key = self.ports.keys.space_key(scope)?;
        let head = self.head(delivered);
        Ok(Record::seal(scope, head, Field::Progress, &key, &Progress, self.ports.entropy.as_ref()))
    }

    fn head(&self, delivered: &Delivered) -> RecordHead {
        let RecordParts { id, accepted_ms, .. } = *delivered.record.parts();
        RecordHead { id, generation: self.generation, position: Some(delivered.position), accepted_ms }
    }
}
