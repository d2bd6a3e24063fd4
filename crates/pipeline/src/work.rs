//! The one loop that runs a stage: poll, handle, commit, and one `match` on what a fault says to do.

use std::{
    panic::resume_unwind,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    limits,
    ports::{Commits, Consumer, Delivered, Effects, Lease},
    record::Topic,
};

use crate::counts::Counters;

/// How long a poll waits before it looks whether to stop.
pub(crate) const POLL: Duration = Duration::from_millis(200);
/// How often it is looked whether what was waited for has come about elsewhere.
const LOOK: Duration = Duration::from_millis(100);
/// First and longest pause after a transient fault.
const BACKOFF: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(5)];

/// What a stage makes of a batch.
pub(crate) struct Handled {
    /// Effects of the records handled, offsets aside.
    pub effects: Effects,
    /// How many records of the batch, from its start, the effects cover.
    pub done: usize,
    /// Why it ended before the batch did, if a fault is the reason.
    pub fault: Option<Fault>,
}

/// A stage, as the loop sees it.
pub(crate) trait Work: Send {
    /// What it reads.
    fn topic(&self) -> Topic;

    /// Records to take at once, at most.
    fn most(&self) -> usize {
        limits::BATCH_RECORDS
    }

    /// Called with the lease of each batch before it is handled: what was remembered under another counts no more.
    fn leased(&mut self, _lease: &Lease) {}

    /// Handles records from the start of a batch, as many as go together in one commit; at least one unless it faults.
    fn handle(&mut self, batch: &[Delivered]) -> Handled;

    /// Whether a batch may be handled before the one before it is committed: what it comes to depends on its records
    /// alone, not on what commits leave in a space.
    fn ahead(&self) -> bool {
        false
    }

    /// What a record comes to that is set aside.
    fn set_aside(&mut self, delivered: &Delivered, code: Code) -> Effects;

    /// Whether an input that always succeeds does so now: tells a poisoned record from an outage.
    fn canary(&mut self) -> bool;
}

/// Tells the loops to end, and others that something was committed.
#[derive(Default)]
pub(crate) struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    stop: bool,
    fault: Option<Fault>,
}

impl Signal {
    pub fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }

    pub fn stopped(&self) -> bool {
        self.lock().stop
    }

    /// A stage cannot go on: all end.
    pub fn fail(&self, fault: Fault) {
        let mut state = self.lock();
        state.stop = true;
        state.fault.get_or_insert(fault);
        self.changed.notify_all();
    }

    pub fn fault(&self) -> Option<Fault> {
        self.lock().fault.clone()
    }

    pub fn committed(&self) {
        // The lock orders this after a waiter's last look.
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Waits until `done` says so, a stop, or the deadline; looks again after every commit, and now and then: other
    /// processes commit too. Returns what `done` said last.
    pub fn wait_until(&self, deadline: Instant, mut done: impl FnMut() -> bool) -> bool {
        let mut state = self.lock();
        loop {
            if done() {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if state.stop || left.is_zero() {
                return false;
            }
            state = self.changed.wait_timeout(state, left.min(LOOK)).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a stage until it is told to stop or a fault says so.
pub(crate) fn run(
    mut work: impl Work,
    mut consumer: Box<dyn Consumer>,
    commits: Arc<dyn Commits>,
    counters: Arc<Counters>,
    signal: &Signal,
) {
    let mut trouble = Trouble::default();
    while !signal.stopped() {
        let fault = match step(&mut work, consumer.as_mut(), commits.as_ref(), &counters, signal, &mut trouble) {
            Ok(()) => continue,
            Err(fault) => fault,
        };
        match fault.remedy {
            Remedy::Stop => return signal.fail(fault),
            Remedy::Retry | Remedy::DeadLetter => {
                counters.retried(work.topic(), fault.code);
                signal.wait_until(Instant::now() + trouble.pauses.next(), || false);
            }
            Remedy::Yield => counters.retried(work.topic(), fault.code),
        }
        if let Err(fault) = consumer.rewind()
            && fault.remedy == Remedy::Stop
        {
            return signal.fail(fault);
        }
    }
}

/// One batch.
fn step(
    work: &mut impl Work,
    consumer: &mut dyn Consumer,
    commits: &dyn Commits,
    counters: &Counters,
    signal: &Signal,
    trouble: &mut Trouble,
) -> Result<(), Fault> {
    let (topic, most) = (work.topic(), work.most());
    let (mut lease, mut batch) = consumer.poll(most, POLL)?;
    work.leased(&lease);
    while !batch.is_empty() {
        let (mut handled, mut busy) = timed(|| work.handle(&batch));
        // A whole batch: more waits, and is handled meanwhile.
        while work.ahead() && handled.done == most && !signal.stopped() {
            let (next_lease, next) = consumer.poll(most, Duration::ZERO)?;
            if next.is_empty() {
                break;
            }
            let (committed, ahead) = thread::scope(|threads| {
                let commit = || commit(topic, &lease, &batch, handled.effects, busy, commits, counters);
                let commit = threads.spawn(commit);
                let ahead = timed(|| work.handle(&next));
                (commit.join().unwrap_or_else(|panic| resume_unwind(panic)), ahead)
            });
            committed?;
            signal.committed();
            trouble.clear();
            (lease, batch, (handled, busy)) = (next_lease, next, ahead);
        }
        if handled.done > 0 {
            let rest = batch.split_off(handled.done);
            commit(topic, &lease, &batch, handled.effects, busy, commits, counters)?;
            signal.committed();
            trouble.clear();
            batch = rest;
        }
        let (Some(fault), Some(first)) = (handled.fault, batch.first()) else { continue };
        // The fault is the first open record's.
        let poison =
            of_a_record(fault.code) && trouble.count(first) > limits::POISON_TRIES && trouble.alone(work.canary());
        let again = fault.remedy == Remedy::Retry && !poison;
        if again || matches!(fault.remedy, Remedy::Stop | Remedy::Yield) {
            return Err(fault);
        }
        let effects = work.set_aside(first, fault.code);
        let rest = batch.split_off(1);
        commit(topic, &lease, &batch, effects, Duration::ZERO, commits, counters)?;
        counters.stage(topic, |stage| *stage.dead.entry(fault.code.label().to_owned()).or_default() += 1);
        signal.committed();
        trouble.clear();
        batch = rest;
    }
    Ok(())
}

/// Whether a fault may be of one record alone. A store that does not answer is everybody's trouble, however long it lasts,
/// and its records wait.
fn of_a_record(code: Code) -> bool {
    !matches!(code, Code::StoreUnavailable | Code::Disk)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed())
}

fn commit(
    topic: Topic,
    lease: &Lease,
    done: &[Delivered],
    mut effects: Effects,
    busy: Duration,
    commits: &dyn Commits,
    counters: &Counters,
) -> Result<(), Fault> {
    for delivered in done {
        match effects.offsets.iter_mut().find(|(partition, _)| *partition == delivered.partition) {
            Some((_, next)) => *next = delivered.offset + 1,
            None => effects.offsets.push((delivered.partition, delivered.offset + 1)),
        }
    }
    let started = Instant::now();
    commits.commit(lease, effects)?;
    counters.stage(topic, |stage| {
        stage.records += done.len() as u64;
        stage.batches += 1;
        stage.busy += busy;
        stage.committing += started.elapsed();
    });
    Ok(())
}

/// Pauses after transient faults: each is twice the one before.
#[derive(Default)]
pub(crate) struct Pauses(u32);

impl Pauses {
    pub fn next(&mut self) -> Duration {
        let [first, longest] = BACKOFF;
        let pause = first.saturating_mul(1 << self.0.min(16)).min(longest);
        self.0 += 1;
        pause
    }
}

/// The record that keeps failing, and how often it did in a row.
#[derive(Default)]
struct Trouble {
    at: Option<(u32, u64)>,
    tries: u32,
    /// The canary sang after its last try.
    canary: bool,
    pauses: Pauses,
}

impl Trouble {
    fn clear(&mut self) {
        *self = Self::default();
    }

    fn count(&mut self, delivered: &Delivered) -> u32 {
        let at = Some((delivered.partition, delivered.offset));
        if self.at != at {
            self.at = at;
            self.tries = 0;
            self.canary = false;
        }
        self.tries += 1;
        self.tries
    }

    /// Whether it fails while the canary sings, by what the canary does now. A model may come back between the two, so it
    /// has to fail once more after it sang.
    fn alone(&mut self, sings: bool) -> bool {
        std::mem::replace(&mut self.canary, sings) && sings
    }
}
