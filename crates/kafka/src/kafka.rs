//! The open log.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rdkafka::consumer::BaseConsumer;
use saidso_core::{
    fault::{Code, Fault},
    ports::{
        ChangeFeed, Changes, Consumer, DeadLetters, Held, Lease, Log, LogIdentity, StoreId, SubmissionConsumer,
        Submissions, Topics,
    },
    position::{Position, partition_of},
    record::{DeadLetter, Record, Topic},
};

use crate::{
    head::Head,
    intake::Intake,
    lag::Lags,
    onlooker::{Follower, bound_to, dead_letters},
    options::Options,
    reader::{Reader, Reading},
    shared::Shared,
    stage::{Grip, Stage},
    topics::prepare,
    transactor::{Outgoing, Transactor},
    trouble::fault,
    watch::{Identity, Watch},
};

/// The log on Kafka, open. Dropping it ends what it runs, except consumers and followers that are still in somebody's
/// hands.
pub struct Kafka {
    shared: Arc<Shared>,
    head: Arc<Head>,
    lags: Lags,
    /// The consumer that is alive of each topic.
    readers: Mutex<HashMap<String, Arc<Reader>>>,
    transactors: Mutex<HashMap<Topic, Arc<Transactor>>>,
    warnings: Vec<String>,
    _watch: Watch,
}

impl Kafka {
    /// Opens the log: makes the topics that are missing, and refuses those that are not as pinned.
    ///
    /// A [`Fault`] of `Retry`: the broker is away. Of `Stop`: settings, permissions or topics have to be put right first.
    pub fn open(options: Options) -> Result<Self, Fault> {
        let found = prepare(&options)?;
        let mut config = options.admin();
        // Records of open transactions wait too.
        config.set("isolation.level", "read_uncommitted");
        let client: BaseConsumer = config.create().map_err(|error| fault("opened a client", &error))?;
        let identity = Arc::new(Identity::new(client, found.counted));
        let head = Arc::new(Head::new(options.idempotent(), identity.clone()));
        let watch = Watch::start(identity.clone())?;
        let shared = Shared {
            names: options.names(),
            codec: options.codec.clone(),
            partitions: options.partitions,
            completed: found.completed,
            identity,
            undecodable: AtomicU64::new(0),
            options,
        };
        Ok(Self {
            shared: Arc::new(shared),
            head,
            lags: Lags::default(),
            readers: Mutex::default(),
            transactors: Mutex::default(),
            warnings: found.warnings,
            _watch: watch,
        })
    }

    /// What an operator should know about the topics as they were found.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Records of internal topics that nobody could read, set aside by this process since it opened the log.
    pub fn undecodable(&self) -> u64 {
        self.shared.undecodable.load(Ordering::Relaxed)
    }

    fn readers(&self) -> MutexGuard<'_, HashMap<String, Arc<Reader>>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader(&self, topic: &str) -> Option<Arc<Reader>> {
        self.readers().get(topic).cloned()
    }

    /// Reads a topic as a member of a group. Whoever read it before through this value reads no more.
    fn read(
        &self,
        topic: String,
        group: String,
        reset: &str,
        transactor: Option<Arc<Transactor>>,
    ) -> Result<Arc<Reader>, Fault> {
        self.shared.identity.check()?;
        let mut readers = self.readers();
        if let Some(before) = readers.remove(&topic) {
            before.close();
        }
        let options = &self.shared.options;
        let config = options.member(&group, reset);
        let make = move || config.create().map_err(|error| fault("opened a consumer", &error));
        let (instance, identity) = (options.instance.clone(), self.shared.identity.clone());
        let reading = Reading { topic: topic.clone(), group, instance, transactor, identity };
        let reader = Arc::new(Reader::start(Box::new(make), reading)?);
        readers.insert(topic, reader.clone());
        Ok(reader)
    }

    fn transactor(&self, topic: Topic) -> Arc<Transactor> {
        let mut transactors = self.transactors.lock().unwrap_or_else(PoisonError::into_inner);
        let name = self.shared.names.topic(topic);
        let new = || Arc::new(Transactor::new(self.shared.options.transactional(&name)));
        transactors.entry(topic).or_insert_with(new).clone()
    }
}

impl Topics for Kafka {
    fn consume(&self, topic: Topic) -> Result<Box<dyn Consumer>, Fault> {
        let name = self.shared.names.topic(topic);
        // An offset that is out of range is a loss, and not to be passed over.
        let reader = self.read(name.clone(), name, "error", Some(self.transactor(topic)))?;
        Ok(Box::new(Stage { shared: self.shared.clone(), topic, reader }))
    }

    fn lag(&self, topic: Topic) -> Result<u64, Fault> {
        let name = self.shared.names.topic(topic);
        self.lags.of(&self.shared, &name, &name, self.shared.partitions, self.reader(&name).as_deref())
    }
}

impl Changes for Kafka {
    fn follow(&self) -> Result<Box<dyn ChangeFeed>, Fault> {
        Ok(Box::new(Follower::new(self.shared.clone())?))
    }
}

impl DeadLetters for Kafka {
    fn list(&self, max: usize) -> Result<Vec<DeadLetter>, Fault> {
        dead_letters(&self.shared, max)
    }
}

impl Submissions for Kafka {
    fn submissions(&self) -> Result<Box<dyn SubmissionConsumer>, Fault> {
        // Turns that retention ate are gone; those that are left are not to wait for them.
        let names = &self.shared.names;
        let reader = self.read(names.completed(), names.intake(), "earliest", None)?;
        Ok(Box::new(Intake { shared: self.shared.clone(), head: self.head.clone(), reader, polled: None }))
    }

    fn waiting(&self) -> Result<u64, Fault> {
        let (topic, group) = (self.shared.names.completed(), self.shared.names.intake());
        self.lags.of(&self.shared, &topic, &group, self.shared.completed, self.reader(&topic).as_deref())
    }
}

impl Log for Kafka {
    fn identity(&self) -> LogIdentity {
        let topics = self.shared.identity.topics().iter();
        let topics = topics.map(|topic| (topic.name.clone(), topic.id.clone(), topic.partitions)).collect();
        LogIdentity { epoch: self.shared.names.epoch, topics }
    }

    fn bind(&self, store: StoreId) -> Result<StoreId, Fault> {
        if let Some(bound) = bound_to(&self.shared)? {
            return Ok(bound);
        }
        let bytes = store.to_string().into_bytes();
        self.head.append(&[Outgoing { topic: self.shared.names.store(), partition: 0, bytes }])?;
        // Who comes second reads what the first wrote.
        let unread =
            || Fault::retry(Code::StoreUnavailable, "bound the log to its store: what was written is not there");
        bound_to(&self.shared)?.ok_or_else(unread)
    }

    fn append(&self, records: Vec<Record>) -> Result<Vec<Position>, Fault> {
        let Shared { codec, names, partitions, .. } = &*self.shared;
        let topic = names.topic(Topic::Turns);
        let value = |record: &Record| {
            let partition = partition_of(record.parts().space, *partitions);
            Ok(Outgoing { topic: topic.clone(), partition, bytes: codec.record(&topic, record.parts())? })
        };
        let values = records.iter().map(value).collect::<Result<Vec<_>, Fault>>()?;
        let offsets = self.head.append(&values)?;
        let position =
            |(value, offset): (&Outgoing, u64)| Position { epoch: names.epoch, partition: value.partition, offset };
        Ok(values.iter().zip(offsets).map(position).collect())
    }

    fn hold<'a>(&'a self, lease: &Lease) -> Result<Box<dyn Held + 'a>, Fault> {
        self.shared.identity.check()?;
        let reader = self.reader(&self.shared.names.topic(lease.topic)).ok_or_else(Fault::lease_lost)?;
        let grip = Grip::on(&self.shared, &reader, lease).ok_or_else(Fault::lease_lost)?;
        Ok(Box::new(grip))
    }
}
