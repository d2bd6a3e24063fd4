//! The public topic: what gateways put there becomes turns on the head log.
//!
//! Nothing here needs a transaction. A turn is known by its id, so what comes again after a crash is answered, not
//! published twice; the offsets move on once everything before them is published or set aside.

use std::time::Instant;

use saidso_core::{
    access::{Gateways, Token},
    fault::{Fault, Remedy},
    limits,
    ports::{Submission, SubmissionConsumer},
    record::{DeadLetter, Origin},
    turn::SubmittedTurn,
};

use crate::{
    Intake,
    counts::Counters,
    intake::Refused,
    work::{POLL, Pauses, Signal},
};

/// Takes turns from the public topic.
pub struct Gateway {
    intake: Intake,
    gateways: Gateways,
}

impl Gateway {
    /// For these tenants.
    pub fn new(intake: Intake, gateways: Gateways) -> Self {
        Self { intake, gateways }
    }

    pub(crate) fn run(self, mut consumer: Box<dyn SubmissionConsumer>, counters: &Counters, signal: &Signal) {
        let mut pauses = Pauses::default();
        while !signal.stopped() {
            let fault = match self.step(consumer.as_mut(), counters, signal) {
                Ok(()) => {
                    pauses = Pauses::default();
                    continue;
                }
                Err(fault) => fault,
            };
            if fault.remedy == Remedy::Stop {
                return signal.fail(fault);
            }
            counters.retried(Origin::Completed, fault.code);
            if fault.remedy != Remedy::Yield {
                signal.wait_until(Instant::now() + pauses.next(), || false);
            }
            if let Err(fault) = consumer.rewind()
                && fault.remedy == Remedy::Stop
            {
                return signal.fail(fault);
            }
        }
    }

    /// One batch.
    fn step(&self, consumer: &mut dyn SubmissionConsumer, counters: &Counters, signal: &Signal) -> Result<(), Fault> {
        let batch = consumer.poll(limits::BATCH_RECORDS, POLL)?;
        if batch.is_empty() {
            return Ok(());
        }
        let started = Instant::now();
        let records = batch.len() as u64;
        let dead = self.publish(batch)?;
        let busy = started.elapsed();
        let aside: Vec<String> = dead.iter().map(|letter| letter.code.clone()).collect();
        consumer.commit(dead)?;
        counters.stage(Origin::Completed, |stage| {
            stage.records += records;
            stage.batches += 1;
            stage.busy += busy;
            stage.committing += started.elapsed().saturating_sub(busy);
            for code in aside {
                *stage.dead.entry(code).or_default() += 1;
            }
        });
        signal.committed();
        Ok(())
    }

    /// Publishes what can be, and says what is to be set aside. A transient fault of any turn is the batch's.
    fn publish(&self, batch: Vec<Submission>) -> Result<Vec<DeadLetter>, Fault> {
        let mut dead = Vec::new();
        let mut aside = |(partition, offset): (u32, u64), refused: Refused| {
            let code = refused.into_code()?.to_owned();
            dead.push(DeadLetter { origin: Origin::Completed, partition, offset, about: None, code });
            Ok::<_, Fault>(())
        };
        let mut runs: Vec<Run> = Vec::new();
        for Submission { partition, offset, turn, .. } in batch {
            let place = (partition, offset);
            let admitted = turn.map_err(Refused::from).and_then(|turn| {
                let token = self.gateways.token(turn.tenant.as_deref())?;
                Ok((token, turn))
            });
            match admitted {
                Ok((token, turn)) => match runs.last_mut() {
                    Some(run) if run.token == token => {
                        run.places.push(place);
                        run.turns.push(turn);
                    }
                    _ => runs.push(Run { token, places: vec![place], turns: vec![turn] }),
                },
                Err(refused) => aside(place, refused)?,
            }
        }
        for Run { token, places, turns } in runs {
            for (place, result) in places.into_iter().zip(self.intake.submit(&token, turns)) {
                if let Err(refused) = result {
                    aside(place, refused)?;
                }
            }
        }
        Ok(dead)
    }
}

/// Turns of one tenant, one after the other.
struct Run {
    token: Token,
    places: Vec<(u32, u64)>,
    turns: Vec<SubmittedTurn>,
}
