//! Transactions: what records lead to, and their offsets, in one piece or not at all.

use std::{
    sync::{Arc, Mutex, PoisonError, TryLockError, mpsc},
    thread,
    time::{Duration, Instant},
};

use rdkafka::{
    ClientConfig,
    consumer::ConsumerGroupMetadata,
    error::{KafkaError, KafkaResult, RDKafkaErrorCode},
    producer::{BaseProducer, BaseRecord, Producer as _},
    topic_partition_list::TopicPartitionList,
};
use saidso_core::fault::{Code, Fault};

use crate::{
    options::TRANSACTION,
    reader::number,
    trouble::{self, fault},
};

/// A value for a place.
pub(crate) struct Outgoing {
    pub topic: String,
    pub partition: u32,
    pub bytes: Vec<u8>,
}

/// The producer for what one topic's records lead to.
pub(crate) struct Transactor {
    config: ClientConfig,
    state: Mutex<State>,
}

enum State {
    /// None, and none to be made before then.
    None(Option<Instant>),
    /// It has not heard yet that what came before it is over.
    New(BaseProducer),
    Ready(Arc<BaseProducer>),
}

/// If another process has this one's name, the consumer hears of it within a heartbeat: a producer made before that
/// would end the other's transactions.
const RIVAL: Duration = Duration::from_secs(3);

/// How much longer than its time a transaction may take before its producer is given up.
const GRACE: Duration = Duration::from_secs(5);

/// What became of a transaction that did not commit.
enum Failed {
    /// Nothing of it is there.
    Aborted(KafkaError),
    /// The producer cannot tell, or is of no use any more: another one has to end it.
    Open(KafkaError),
}

impl Transactor {
    pub fn new(config: ClientConfig) -> Self {
        Self { config, state: Mutex::new(State::None(None)) }
    }

    /// Ends what an earlier producer of this name left open. False if that takes longer than `wait`, or a transaction
    /// is under way.
    pub fn settle(&self, wait: Duration) -> Result<bool, Fault> {
        match self.state.try_lock() {
            Ok(mut state) => self.ready(&mut state, wait),
            Err(TryLockError::Poisoned(state)) => self.ready(&mut state.into_inner(), wait),
            Err(TryLockError::WouldBlock) => Ok(false),
        }
    }

    fn ready(&self, state: &mut State, wait: Duration) -> Result<bool, Fault> {
        let tried = "opened a transactional producer";
        let producer = match std::mem::replace(state, State::None(None)) {
            State::Ready(producer) => {
                *state = State::Ready(producer);
                return Ok(true);
            }
            State::New(producer) => producer,
            State::None(Some(then)) if Instant::now() < then => {
                *state = State::None(Some(then));
                return Ok(false);
            }
            State::None(_) => self.config.create().map_err(|error| fault(tried, &error))?,
        };
        match producer.init_transactions(wait) {
            Ok(()) => {
                *state = State::Ready(Arc::new(producer));
                Ok(true)
            }
            // Asked again, it goes on waiting.
            Err(KafkaError::Transaction(error)) if error.is_retriable() => {
                producer.poll(Duration::ZERO);
                *state = State::New(producer);
                Ok(false)
            }
            Err(error) => Err(fault(tried, &error)),
        }
    }

    /// Commits. The lease is lost where the broker says so, and where nobody knows what became of the transaction: what
    /// is committed then has to be asked anew.
    pub fn commit(
        &self,
        outgoing: Vec<Outgoing>,
        offsets: TopicPartitionList,
        group: Arc<ConsumerGroupMetadata>,
    ) -> Result<(), Fault> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + TRANSACTION;
        self.ready(&mut state, TRANSACTION)?;
        let State::Ready(producer) = &*state else {
            return Err(Fault::retry(Code::StoreUnavailable, "committed: the last transaction is not over yet"));
        };
        let ours = producer.clone();
        let (done, outcome) = mpsc::sync_channel(1);
        // On a thread of its own: after a broker that did not answer for a while, the client was seen to wait without an
        // end, whatever time it was given. The producer that follows ends this one's transaction, and with it the wait.
        let run = move || drop(done.send(transact(&ours, &outgoing, &offsets, &group, deadline)));
        let spawned = thread::Builder::new().name("kafka transaction".into()).spawn(run);
        spawned.map_err(|error| Fault::retry(Code::Limit, format!("started a transaction's thread: {error}")))?;
        let Ok(ended) = outcome.recv_timeout(TRANSACTION + GRACE) else {
            *state = State::None(None);
            log::error!("a transaction did not end in {:?}: another producer ends it", TRANSACTION + GRACE);
            return Err(Fault::lease_lost());
        };
        let Err(failed) = ended else { return Ok(()) };
        let error = match failed {
            Failed::Aborted(error) => error,
            Failed::Open(error) => {
                let fenced = error.rdkafka_error_code().is_some_and(trouble::lost);
                *state = State::None(fenced.then(|| Instant::now() + RIVAL));
                log::warn!("a transaction ended open: {error}");
                return Err(Fault::lease_lost());
            }
        };
        match error.rdkafka_error_code() {
            Some(code) if trouble::lost(code) => Err(Fault::lease_lost()),
            _ => Err(fault("committed", &error)),
        }
    }
}

fn transact(
    producer: &BaseProducer,
    outgoing: &[Outgoing],
    offsets: &TopicPartitionList,
    group: &ConsumerGroupMetadata,
    deadline: Instant,
) -> Result<(), Failed> {
    producer.begin_transaction().map_err(Failed::Open)?;
    let filled = fill(producer, outgoing, deadline)
        .and_then(|()| persist(deadline, || producer.send_offsets_to_transaction(offsets, group, left(deadline))));
    if let Err(error) = filled {
        return Err(abort(producer, error));
    }
    persist(deadline, || producer.commit_transaction(left(deadline))).map_err(|error| match &error {
        KafkaError::Transaction(cause) if cause.txn_requires_abort() => abort(producer, error),
        _ => Failed::Open(error),
    })
}

/// Hands everything to the broker.
fn fill(producer: &BaseProducer, outgoing: &[Outgoing], deadline: Instant) -> KafkaResult<()> {
    const STEP: Duration = Duration::from_millis(1);
    let late = || KafkaError::MessageProduction(RDKafkaErrorCode::MessageTimedOut);
    for Outgoing { topic, partition, bytes } in outgoing {
        let mut record = BaseRecord::<[u8], [u8]>::to(topic).partition(number(*partition)).payload(bytes);
        while let Err((error, back)) = producer.send(record) {
            if error.rdkafka_error_code() != Some(RDKafkaErrorCode::QueueFull) {
                return Err(error);
            }
            if Instant::now() > deadline {
                return Err(late());
            }
            producer.poll(STEP);
            record = back;
        }
    }
    // The commit would wait for this too, but in steps of 100 ms.
    while producer.in_flight_count() > 0 {
        if Instant::now() > deadline {
            return Err(late());
        }
        producer.poll(STEP);
    }
    Ok(())
}

/// Some calls say to call them again.
fn persist(deadline: Instant, mut call: impl FnMut() -> KafkaResult<()>) -> KafkaResult<()> {
    loop {
        match call() {
            Err(KafkaError::Transaction(error)) if error.is_retriable() && Instant::now() < deadline => {}
            done => return done,
        }
    }
}

fn abort(producer: &BaseProducer, error: KafkaError) -> Failed {
    let fatal = matches!(&error, KafkaError::Transaction(cause) if cause.is_fatal());
    if fatal {
        return Failed::Open(error);
    }
    let deadline = Instant::now() + TRANSACTION;
    // It waits until somebody has heard of each record that it throws away.
    let aborted = persist(deadline, || {
        producer.poll(Duration::ZERO);
        producer.abort_transaction(Duration::from_millis(50))
    });
    match aborted {
        Ok(()) => Failed::Aborted(error),
        Err(_) => Failed::Open(error),
    }
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
}
