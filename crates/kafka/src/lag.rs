//! How much waits before a group.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rdkafka::{
    Offset,
    consumer::{BaseConsumer, Consumer as _},
};
use saidso_core::fault::Fault;

use crate::{
    onlooker::{ask, bounds},
    reader::{Reader, list},
    shared::Shared,
    trouble::fault,
};

/// Asks about groups without joining them.
#[derive(Default)]
pub(crate) struct Lags {
    groups: Mutex<HashMap<String, Arc<BaseConsumer>>>,
}

impl Lags {
    /// Records of a topic that its group has not committed, and the marks between them. Of partitions that this process
    /// reads it knows itself what is committed.
    pub fn of(
        &self,
        shared: &Shared,
        topic: &str,
        group: &str,
        partitions: u32,
        reader: Option<&Reader>,
    ) -> Result<u64, Fault> {
        shared.identity.check()?;
        let mut committed: HashMap<u32, u64> =
            reader.map(|reader| reader.slot.known()).unwrap_or_default().into_iter().collect();
        let others: Vec<u32> = (0..partitions).filter(|partition| !committed.contains_key(partition)).collect();
        if !others.is_empty() {
            committed.extend(self.committed(shared, topic, group, &others)?);
        }
        let mut lag = 0;
        for (partition, committed) in committed {
            let (first, end) = bounds(shared.identity.client(), topic, partition)?;
            lag += end.saturating_sub(committed.max(first));
        }
        Ok(lag)
    }

    fn committed(
        &self,
        shared: &Shared,
        topic: &str,
        group: &str,
        partitions: &[u32],
    ) -> Result<Vec<(u32, u64)>, Fault> {
        let tried = format!("asked what {group} has committed of {topic}");
        let consumer = self.consumer(shared, group)?;
        // What the client has to say of itself is said in its log.
        while consumer.poll(Duration::ZERO).is_some() {}
        ask(&tried, |wait| {
            let asked = list(topic, partitions.iter().map(|partition| (*partition, Offset::Invalid)))?;
            let answer = consumer.committed_offsets(asked, wait)?;
            let mut offsets = Vec::with_capacity(partitions.len());
            for element in answer.elements() {
                element.error()?;
                let offset = element.offset().to_raw().and_then(|raw| u64::try_from(raw).ok()).unwrap_or_default();
                offsets.push((u32::try_from(element.partition()).unwrap_or_default(), offset));
            }
            Ok(offsets)
        })
    }

    fn consumer(&self, shared: &Shared, group: &str) -> Result<Arc<BaseConsumer>, Fault> {
        let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(consumer) = groups.get(group) {
            return Ok(consumer.clone());
        }
        let consumer: BaseConsumer =
            shared.options.consumer(group, "error").create().map_err(|error| fault("opened a consumer", &error))?;
        let consumer = Arc::new(consumer);
        groups.insert(group.to_owned(), consumer.clone());
        Ok(consumer)
    }
}
