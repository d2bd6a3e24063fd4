//! The commit thread: takes every job that waits, makes one transaction of them, and answers all.
//!
//! The order is the guarantee. New keys are written and synced; the database commits rows, offsets and the list of keys
//! to destroy at once; those keys are overwritten and synced; then the answers go out. Cut off anywhere, the next boot
//! finds either no trace of the commit but keys that nobody names, or all of it but keys that it destroys again.
//!
//! Before the answers go out the commit's number is also noted in the key file, so that a boot sees when the database
//! has lost its tail. That note outlives the process at once, and the machine with the next sync of the key file, in the
//! first quiet moment at the latest: it guards against damage found later, while the commit itself rests on the
//! database's own syncs, and a sync of its own would cost every commit a third more.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, SyncSender},
    },
    time::Duration,
};

use saidso_core::{
    decay::Hit,
    fault::{Fault, Remedy},
    ports::{Change, Effects, Entry, Lease, Pinned, Published},
    review::ReviewRow,
    scope::Scope,
    seal::Generation,
};

use crate::{
    batch::Batch,
    core::Core,
    keyring::{Name, Staged},
    rows::{Rows, STATE, State},
    trouble::Trouble,
};

/// Nothing was asked for so long: there is time for what need not be at once.
const QUIET: Duration = Duration::from_millis(20);

/// Where the answer goes.
pub(crate) type Reply<T> = SyncSender<Result<T, Fault>>;

/// What can be asked of the commit thread.
pub(crate) enum Job {
    Publish(Vec<Entry>, Reply<Vec<Published>>),
    Commit(Lease, Effects, Reply<()>),
    Pin(Generation, Pinned, Reply<Pinned>),
    Hits(Vec<(Scope, Vec<Hit>)>, Reply<()>),
    Reviews(Vec<(Scope, Vec<ReviewRow>)>, Reply<()>),
    NoReviews(Scope, Vec<ReviewRow>, Reply<()>),
}

impl Job {
    /// Applies it; the answer goes out once the commit is durable.
    fn apply(&self, batch: &mut Batch<'_>) -> Result<Ack, Trouble> {
        fn ack<T: Send + 'static>(reply: &Reply<T>, answer: T) -> Ack {
            let reply = reply.clone();
            // Whoever asked may be gone.
            Box::new(move || drop(reply.send(Ok(answer))))
        }
        Ok(match self {
            Self::Publish(entries, reply) => ack(reply, batch.publish(entries)?),
            Self::Commit(lease, effects, reply) => ack(reply, batch.effects(lease.topic, effects)?),
            Self::Pin(generation, pinned, reply) => ack(reply, batch.pin(*generation, pinned)?),
            Self::Hits(spaces, reply) => ack(reply, batch.put_hits(spaces)?),
            Self::Reviews(spaces, reply) => ack(reply, batch.put_reviews(spaces)?),
            Self::NoReviews(scope, rows, reply) => ack(reply, batch.remove_reviews(scope, rows)?),
        })
    }

    fn refuse(self, fault: Fault) {
        match self {
            Self::Publish(_, reply) => drop(reply.send(Err(fault))),
            Self::Commit(_, _, reply) => drop(reply.send(Err(fault))),
            Self::Pin(_, _, reply) => drop(reply.send(Err(fault))),
            Self::Hits(_, reply) | Self::Reviews(_, reply) | Self::NoReviews(_, _, reply) => {
                drop(reply.send(Err(fault)));
            }
        }
    }
}

type Ack = Box<dyn FnOnce() + Send>;

pub(crate) struct Writer {
    core: Arc<Core>,
    /// As the last commit wrote it.
    state: State,
    /// Keys that the last commit doomed: gone once it is flushed, and struck off the list by the next commit.
    doomed: BTreeSet<Name>,
    /// What has to be made good before the next commit.
    debt: Debt,
    /// After this nothing is written any more.
    broken: Option<Fault>,
}

/// What a failure left open.
enum Debt {
    None,
    /// The last commit is durable, but its doomed keys may not be gone.
    Flush,
    /// The database failed, in a commit if there is one here.
    Reopen(Option<Box<Landed>>),
}

/// A commit, on its way or in.
struct Landed {
    state: State,
    staged: Staged,
    doomed: BTreeSet<Name>,
}

/// How a transaction ended.
enum Attempt {
    /// All were done; nothing landed if they changed nothing.
    Done { landed: Option<Box<Landed>>, acks: Vec<Ack>, changes: Vec<Change> },
    /// This job cannot be done; the others were not either.
    Refused(usize, Fault),
}

impl Writer {
    /// Starts from what the boot found, flushed.
    pub(crate) fn new(core: Arc<Core>, state: State, doomed: BTreeSet<Name>) -> Self {
        Self { core, state, doomed, debt: Debt::None, broken: None }
    }

    /// Runs until nobody can ask any more.
    pub(crate) fn run(mut self, jobs: Receiver<Job>) {
        loop {
            let first = match jobs.recv_timeout(QUIET) {
                Err(RecvTimeoutError::Timeout) => {
                    // If this fails the next commit meets the same disk, and says so.
                    let _ = self.core.keys.rest();
                    jobs.recv().ok()
                }
                asked => asked.ok(),
            };
            let Some(first) = first else { return };
            self.group(std::iter::once(first).chain(jobs.try_iter()).collect());
        }
    }

    fn group(&mut self, jobs: Vec<Job>) {
        let core = Arc::clone(&self.core);
        let _gate = core.gate();
        if let Err(fault) = self.pay_debt() {
            return refuse_all(jobs, &fault);
        }
        let alive = |job: &Job| !matches!(job, Job::Commit(lease, ..) if !core.board.alive(lease));
        let (mut jobs, dead): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(alive);
        refuse_all(dead, &Fault::lease_lost());
        while !jobs.is_empty() {
            match self.attempt(&jobs) {
                Ok(Attempt::Refused(index, fault)) => jobs.remove(index).refuse(fault),
                Ok(Attempt::Done { landed, acks, changes }) => {
                    landed.into_iter().for_each(|landed| self.adopt(*landed));
                    return match self.flush() {
                        Ok(()) => self.answer(acks, &changes),
                        Err(fault) => self.fail(jobs, &fault),
                    };
                }
                Err(fault) => return self.fail(jobs, &fault),
            }
        }
    }

    fn answer(&self, acks: Vec<Ack>, changes: &[Change]) {
        self.core.followers.tell(changes);
        acks.into_iter().for_each(|ack| ack());
    }

    /// Nobody knows what of the group is in: its leases end, so that whoever reads starts from what is committed.
    fn fail(&mut self, jobs: Vec<Job>, fault: &Fault) {
        self.core.board.end_leases();
        if fault.remedy == Remedy::Stop {
            self.broken = Some(fault.clone());
        }
        refuse_all(jobs, fault);
        // Reads go on as soon as the database is open again; a failure here is met by the next job.
        let _ = self.pay_debt();
    }

    fn attempt(&mut self, jobs: &[Job]) -> Result<Attempt, Fault> {
        let Self { core, state, doomed, .. } = &*self;
        let mut under_way = None;
        let result = core.database.write("committed", |txn| {
            let mut batch = Batch::open(&txn, &core.keys, state.clone(), doomed)?;
            let mut acks = Vec::with_capacity(jobs.len());
            for (index, job) in jobs.iter().enumerate() {
                match job.apply(&mut batch) {
                    Ok(ack) => acks.push(ack),
                    Err(Trouble::Fault(fault)) => return Ok(Attempt::Refused(index, fault)),
                    Err(trouble) => return Err(trouble),
                }
            }
            let (mut next, outcome) = batch.close();
            let changes = outcome.changes;
            if !outcome.touched {
                return Ok(Attempt::Done { landed: None, acks, changes });
            }
            next.commit += 1;
            let staged = core.keys.stage(next.commit, &outcome.new)?;
            next.keys = next.keys + staged.len() as u64 - outcome.doomed.len() as u64;
            if staged.len() > 0 || !doomed.is_empty() {
                // To store these keys, or to destroy the last commit's, the key file was synced since that commit.
                next.noted = state.commit;
            }
            let landed = under_way.insert(Box::new(Landed { state: next, staged, doomed: outcome.doomed }));
            Rows::open(&txn, STATE)?.put(&[], &landed.state)?;
            txn.commit()?;
            Ok(Attempt::Done { landed: None, acks, changes })
        });
        match result {
            Ok(Attempt::Done { acks, changes, .. }) => Ok(Attempt::Done { landed: under_way, acks, changes }),
            Ok(refused) => Ok(refused),
            Err(fault) => {
                self.debt = Debt::Reopen(under_way);
                Err(fault)
            }
        }
    }

    /// Takes a durable commit over.
    fn adopt(&mut self, landed: Landed) {
        let Landed { state, staged, doomed } = landed;
        self.core.keys.keep(&staged);
        self.core.keys.doom(&doomed);
        self.core.board.advance(&state);
        self.state = state;
        self.doomed = doomed;
        self.debt = Debt::Flush;
    }

    /// What was committed and is not yet beyond doubt becomes so.
    fn flush(&mut self) -> Result<(), Fault> {
        if !matches!(self.debt, Debt::Flush) {
            return Ok(());
        }
        self.core.keys.flush(self.state.commit)?;
        self.debt = Debt::None;
        Ok(())
    }

    fn pay_debt(&mut self) -> Result<(), Fault> {
        if let Some(fault) = &self.broken {
            return Err(fault.clone());
        }
        if let Debt::Reopen(under_way) = &mut self.debt {
            self.core.database.reopen()?;
            let commit = self.core.database.state()?.commit;
            match under_way.take() {
                Some(landed) if landed.state.commit == commit => self.adopt(*landed),
                under_way => {
                    under_way.into_iter().for_each(|landed| self.core.keys.unstage(landed.staged));
                    self.debt = Debt::None;
                }
            }
        }
        self.flush()
    }
}

fn refuse_all(jobs: Vec<Job>, fault: &Fault) {
    jobs.into_iter().for_each(|job| job.refuse(fault.clone()));
}
