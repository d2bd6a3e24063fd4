//! The writer of values that no transaction carries: the head log, and what intake sets aside.

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use rdkafka::{
    ClientConfig, ClientContext,
    config::FromClientConfigAndContext as _,
    error::KafkaError,
    message::{DeliveryResult, Message as _},
    producer::{BaseRecord, Producer as _, ProducerContext, ThreadedProducer},
    types::RDKafkaErrorCode,
};
use saidso_core::fault::Fault;

use crate::{
    options::TRANSACTION,
    reader::number,
    transactor::Outgoing,
    trouble::fault,
    watch::{Identity, counted_again},
};

/// Writes in order, each value once, and answers when it is durable.
pub(crate) struct Head {
    config: ClientConfig,
    identity: Arc<Identity>,
    producer: Mutex<Option<Arc<ThreadedProducer<Reports>>>>,
}

impl Head {
    pub fn new(config: ClientConfig, identity: Arc<Identity>) -> Self {
        Self { config, identity, producer: Mutex::new(None) }
    }

    /// Writes all of them and answers their offsets, in order. An error leaves some of them in.
    pub fn append(&self, values: &[Outgoing]) -> Result<Vec<u64>, Fault> {
        const TRIED: &str = "appended to the log";
        self.identity.check()?;
        let producer = self.producer()?;
        let answers = Arc::new(Answers::new(values.len()));
        let deadline = Instant::now() + TRANSACTION + Duration::from_secs(1);
        for (index, Outgoing { topic, partition, bytes }) in values.iter().enumerate() {
            let opaque = Box::new((answers.clone(), index));
            let mut record = BaseRecord::<[u8], [u8], _>::with_opaque_to(topic, opaque);
            record = record.partition(number(*partition)).payload(bytes);
            while let Err((error, back)) = producer.send(record) {
                let full = error.rdkafka_error_code() == Some(RDKafkaErrorCode::QueueFull);
                if !full || Instant::now() > deadline {
                    return Err(fault(TRIED, &error));
                }
                std::thread::park_timeout(Duration::from_millis(1));
                record = back;
            }
        }
        let offsets = answers.wait(deadline).map_err(|error| fault(TRIED, &error))?;
        self.identity.check()?;
        Ok(offsets)
    }

    fn producer(&self) -> Result<Arc<ThreadedProducer<Reports>>, Fault> {
        let mut producer = self.producer.lock().unwrap_or_else(PoisonError::into_inner);
        // One that lost count of what it sent is of no use any more.
        if let Some(producer) = producer.as_ref().filter(|producer| producer.client().fatal_error().is_none()) {
            return Ok(producer.clone());
        }
        let reports = Reports { identity: self.identity.clone(), seen: Mutex::default() };
        let new = ThreadedProducer::from_config_and_context(&self.config, reports);
        let new = Arc::new(new.map_err(|error| fault("opened a producer", &error))?);
        *producer = Some(new.clone());
        Ok(new)
    }
}

/// What became of the values of one call.
struct Answers {
    state: Mutex<Waiting>,
    bell: Condvar,
}

struct Waiting {
    offsets: Vec<u64>,
    open: usize,
    error: Option<KafkaError>,
}

impl Answers {
    fn new(count: usize) -> Self {
        let state = Waiting { offsets: vec![0; count], open: count, error: None };
        Self { state: Mutex::new(state), bell: Condvar::new() }
    }

    fn answer(&self, index: usize, offset: Result<u64, KafkaError>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open -= 1;
        match offset {
            Ok(offset) => state.offsets[index] = offset,
            Err(error) => state.error = Some(error),
        }
        if state.open == 0 {
            self.bell.notify_all();
        }
    }

    fn wait(&self, deadline: Instant) -> Result<Vec<u64>, KafkaError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.open > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(KafkaError::MessageProduction(RDKafkaErrorCode::MessageTimedOut));
            }
            state = self.bell.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        match state.error.take() {
            None => Ok(std::mem::take(&mut state.offsets)),
            Some(error) => Err(error),
        }
    }
}

/// Hears from the broker what became of each value.
struct Reports {
    identity: Arc<Identity>,
    /// The highest offset of each partition.
    seen: Mutex<HashMap<(String, i32), i64>>,
}

impl ClientContext for Reports {}

impl ProducerContext for Reports {
    type DeliveryOpaque = Box<(Arc<Answers>, usize)>;

    fn delivery(&self, report: &DeliveryResult<'_>, opaque: Self::DeliveryOpaque) {
        let (answers, index) = *opaque;
        answers.answer(index, self.offset(report));
    }
}

impl Reports {
    fn offset(&self, report: &DeliveryResult<'_>) -> Result<u64, KafkaError> {
        let message = report.as_ref().map_err(|(error, _)| error.clone())?;
        let (topic, partition, offset) = (message.topic(), message.partition(), message.offset());
        // An answer to a second try may not say where the first one landed.
        let unknown = || KafkaError::MessageProduction(RDKafkaErrorCode::MessageTimedOut);
        let place = u64::try_from(offset).map_err(|_| unknown())?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let last = seen.entry((topic.to_owned(), partition)).or_insert(-1);
        if offset <= *last {
            self.identity.stop(counted_again(topic, partition, offset, *last));
        }
        *last = offset.max(*last);
        Ok(place)
    }
}
