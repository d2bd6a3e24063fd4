//! A store, keys, changes and embedders in memory, named by how they behave.
#![allow(dead_code, clippy::unwrap_used)]

use std::{
    collections::HashMap,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use saidso_core::{
    access::{Request, Tokens, admit},
    decay::Hit,
    fault::{Code, Fault},
    ids::{Ids, Names, ObservationId, SpaceId, TenantId, TurnId},
    item::{Candidate, Drop, DropReason, Evidence, Kind, Span, TopicKey, Unit},
    marks::{Mark, Marks},
    observation::{Observation, ObservationBody, SealedObservation},
    ports::{Behind, Change, ChangeFeed, Changes, Clock, Embedder, Entropy, Hits, Keys, SpaceRows, TurnRow},
    position::Position,
    scope::Scope,
    seal::{self, Field, Generation, Key, KeyId, NamedKey, Place},
    text::Language,
    time::Moment,
    turn::{Message, Turn, TurnBody, TurnMeta},
};
use saidso_recall::{Provenance, Recall, Settings, Sources};

use self::reviews::Reviewing;

pub mod embedders;
mod passages;
mod reviews;
mod store;

pub const GENERATION: Generation = Generation(1);

/// Every space's own key.
const SPACE_KEY: KeyId = KeyId::Space { version: 0, attempt: 0 };

type SpaceKey = (TenantId, SpaceId);

/// Entropy that counts: never the same twice.
struct Counting(AtomicU64);

impl Entropy for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let next = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            chunk.copy_from_slice(&next.to_be_bytes()[..chunk.len()]);
        }
    }
}

/// A clock that stands where it is put.
#[derive(Default)]
pub struct Standing(pub AtomicI64);

impl Clock for Standing {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Default)]
struct Partition {
    rows: SpaceRows,
    turns: Vec<TurnRow>,
    marks: Vec<Mark>,
    keys: HashMap<KeyId, Key>,
}

#[derive(Default)]
struct Feeds {
    waiting: Vec<Change>,
    /// The follower came back for more after taking the last changes, so it is through with them.
    through: bool,
    failing: bool,
}

/// Everything the ports read, and the hands that write it.
pub struct World {
    names: Arc<Names>,
    entropy: Counting,
    spaces: Mutex<HashMap<SpaceKey, Partition>>,
    feeds: Mutex<Feeds>,
    fed: Condvar,
    offsets: AtomicU64,
    /// How often a space's rows were read.
    pub loads: AtomicUsize,
    /// While closed, reads of rows wait.
    gate: Mutex<bool>,
    opened: Condvar,
    pub clock: Arc<Standing>,
    /// What is stored of hits.
    pub hits: Mutex<HashMap<Scope, HashMap<ObservationId, Hit>>>,
    /// From now on hits are not taken.
    pub refusing_hits: AtomicBool,
    /// What waits for review, and the verdicts.
    pub reviews: Mutex<HashMap<Scope, Reviewing>>,
}

impl World {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            names: Arc::new(Names::new(Key::new([7; 32]))),
            entropy: Counting(AtomicU64::new(1)),
            spaces: Mutex::default(),
            feeds: Mutex::default(),
            fed: Condvar::new(),
            offsets: AtomicU64::new(0),
            loads: AtomicUsize::new(0),
            gate: Mutex::new(false),
            opened: Condvar::new(),
            clock: Arc::new(Standing(AtomicI64::new(day(25).ms()))),
            hits: Mutex::default(),
            refusing_hits: AtomicBool::new(false),
            reviews: Mutex::default(),
        })
    }

    pub fn scope(&self, space: &str) -> Scope {
        let mut tokens = Tokens::default();
        tokens.add("secret", "acme");
        let token = tokens.verify("secret").unwrap();
        admit(&self.names, &token, Request { tenant: None, space }).unwrap()
    }

    pub fn ids(&self, scope: &Scope) -> Ids {
        self.names.ids(scope)
    }

    pub fn recall(self: &Arc<Self>, embedder: impl Embedder + 'static) -> Recall {
        self.recall_within(embedder, Settings::MEMORY_BYTES)
    }

    pub fn recall_within(self: &Arc<Self>, embedder: impl Embedder + 'static, memory_bytes: usize) -> Recall {
        self.recall_with(embedder, |settings| settings.memory_bytes = memory_bytes)
    }

    pub fn recall_with(
        self: &Arc<Self>,
        embedder: impl Embedder + 'static,
        change: impl FnOnce(&mut Settings),
    ) -> Recall {
        let provenance = Provenance { extractor: "extractor/1".into(), embedder: embedder.id().into() };
        let fold = saidso_core::fold::Rules::new(embedder.calibration());
        let sources = Sources {
            store: self.clone(),
            keys: self.clone(),
            hits: self.clone(),
            reviews: self.clone(),
            changes: Arc::new(Feed(self.clone())),
            embedder: Arc::new(embedder),
            names: self.names.clone(),
            clock: self.clock.clone(),
            entropy: Arc::new(Counting(AtomicU64::new(1 << 32))),
        };
        let mut settings = Settings::new(GENERATION, provenance, fold);
        change(&mut settings);
        Recall::start(sources, settings).unwrap()
    }

    /// The position of what was stored last.
    pub fn newest(&self) -> Position {
        Position { epoch: 1, partition: 0, offset: self.offsets.load(Ordering::Relaxed) - 1 }
    }

    fn next(&self) -> Position {
        Position { epoch: 1, partition: 0, offset: self.offsets.fetch_add(1, Ordering::Relaxed) }
    }

    /// Stores one turn of one message with what was extracted from it, and publishes the change.
    pub fn say(&self, scope: &Scope, said: &Said) -> Stored {
        let stored = self.store(scope, said, self.next());
        self.publish(scope, stored.position);
        stored
    }

    /// The same at a position of choice, without a change.
    pub fn store(&self, scope: &Scope, said: &Said, position: Position) -> Stored {
        let ids = self.ids(scope);
        let turn = said.turn(&ids);
        let key_id = KeyId::Turn { turn: turn.meta.id, version: 1, attempt: 0 };
        let key = NamedKey { id: key_id, key: Key::random(&self.entropy) };
        let observations: Vec<Observation> = said.items.iter().map(|item| item.of(&turn, position, &ids)).collect();
        let place = |field| Place { scope, id: *turn.meta.id.as_bytes(), generation: Generation::ALL, field };
        let drops: Vec<Drop> =
            said.drops.iter().map(|quote| Drop { reason: DropReason::Hedged, quote: (*quote).into() }).collect();
        let row = TurnRow {
            turn: turn.meta.id,
            position: Some(position),
            sealed: seal::seal(&key, place(Field::Turn), &turn, &self.entropy),
            drops: (!drops.is_empty()).then(|| seal::seal(&key, place(Field::Drops), &drops, &self.entropy)),
        };
        let sealed = observations.iter().map(|o| SealedObservation::seal(o, scope, GENERATION, &key, &self.entropy));
        let sealed: Vec<SealedObservation> = sealed.collect();
        let mut spaces = self.spaces.lock().unwrap();
        let partition = spaces.entry(scope.key()).or_default();
        // A turn published again replaces itself.
        partition.turns.retain(|row| row.turn != turn.meta.id);
        partition.rows.observations.retain(|o| o.row().turn != turn.meta.id);
        partition.keys.insert(key.id, key.key);
        partition.turns.push(row);
        partition.rows.observations.extend(sealed);
        partition.rows.applied = partition.rows.applied.max(Some(position));
        drop(spaces);
        Stored { turn: turn.meta.id, position, ids: observations.iter().map(|o| o.id).collect(), observations }
    }

    /// The space moves on, and nothing it holds changes but what the test changed itself.
    pub fn touch(&self, scope: &Scope) -> Position {
        let position = self.next();
        self.spaces.lock().unwrap().get_mut(&scope.key()).unwrap().rows.applied = Some(position);
        self.publish(scope, position);
        position
    }

    /// Tells followers that the space moved on.
    pub fn publish(&self, scope: &Scope, applied: Position) {
        let (tenant, space) = scope.key();
        let mut feeds = self.feeds.lock().unwrap();
        feeds.waiting.push(Change { tenant, space, generation: GENERATION, applied, accepted_ms: 0 });
        feeds.through = false;
        self.fed.notify_all();
    }

    pub fn destroy_key(&self, scope: &Scope, turn: TurnId) -> Position {
        let position = self.next();
        let mut spaces = self.spaces.lock().unwrap();
        let partition = spaces.get_mut(&scope.key()).unwrap();
        partition.keys.retain(|id, _| !matches!(id, KeyId::Turn { turn: of, .. } if *of == turn));
        partition.rows.applied = Some(position);
        drop(spaces);
        self.publish(scope, position);
        position
    }

    /// Marks an observation forgotten, and leaves the clean-up for later.
    pub fn mark(&self, scope: &Scope, observation: &Observation) -> Position {
        let position = self.next();
        self.mark_silently(scope, observation);
        self.spaces.lock().unwrap().get_mut(&scope.key()).unwrap().rows.applied = Some(position);
        self.publish(scope, position);
        position
    }

    /// The marks alone: the space has not moved on, and nobody is told.
    pub fn mark_silently(&self, scope: &Scope, observation: &Observation) {
        let marks = Marks::of(observation, day(400).ms(), &self.ids(scope));
        self.spaces.lock().unwrap().get_mut(&scope.key()).unwrap().marks.extend(marks);
    }

    pub fn end_session(&self, scope: &Scope, session: &str, at_ms: i64) {
        let session = self.ids(scope).session(session);
        let position = self.next();
        let mut spaces = self.spaces.lock().unwrap();
        let rows = &mut spaces.get_mut(&scope.key()).unwrap().rows;
        rows.ended.push((session, at_ms));
        rows.applied = Some(position);
        drop(spaces);
        self.publish(scope, position);
    }

    /// Whether the follower is through with every change so far.
    pub fn followed(&self) -> bool {
        self.feeds.lock().unwrap().through
    }

    pub fn close_gate(&self) {
        *self.gate.lock().unwrap() = true;
    }

    pub fn open_gate(&self) {
        *self.gate.lock().unwrap() = false;
        self.opened.notify_all();
    }

    /// From now on reading changes fails, or works again.
    pub fn fail_feed(&self, failing: bool) {
        self.feeds.lock().unwrap().failing = failing;
        self.fed.notify_all();
    }
}

impl Hits for World {
    fn hits(&self, scope: &Scope) -> Result<Vec<Hit>, Fault> {
        Ok(self.hits.lock().unwrap().get(scope).map(|hits| hits.values().copied().collect()).unwrap_or_default())
    }

    fn put_hits(&self, spaces: &[(Scope, Vec<Hit>)]) -> Result<(), Fault> {
        if self.refusing_hits.load(Ordering::Relaxed) {
            return Err(Fault::retry(Code::StoreUnavailable, "writing hits: the fake was told to fail"));
        }
        let mut all = self.hits.lock().unwrap();
        for (scope, hits) in spaces {
            all.entry(scope.clone()).or_default().extend(hits.iter().map(|hit| (hit.memory, *hit)));
        }
        Ok(())
    }
}

impl Keys for World {
    fn key(&self, scope: &Scope, id: KeyId) -> Result<Option<Key>, Fault> {
        if id == SPACE_KEY {
            return Ok(Some(Key::new([3; 32])));
        }
        Ok(self.spaces.lock().unwrap().get(&scope.key()).and_then(|p| p.keys.get(&id).cloned()))
    }

    fn space_key(&self, _: &Scope) -> Result<NamedKey, Fault> {
        Ok(NamedKey { id: SPACE_KEY, key: Key::new([3; 32]) })
    }
}

struct Feed(Arc<World>);

impl Changes for Feed {
    fn follow(&self) -> Result<Box<dyn ChangeFeed>, Fault> {
        if self.0.feeds.lock().unwrap().failing {
            return Err(Fault::retry(Code::StoreUnavailable, "following changes: the fake was told to fail"));
        }
        Ok(Box::new(Feed(self.0.clone())))
    }
}

impl ChangeFeed for Feed {
    fn next(&mut self, wait: Duration) -> Result<Vec<Change>, Fault> {
        let mut feeds = self.0.feeds.lock().unwrap();
        feeds.through = feeds.waiting.is_empty();
        if feeds.waiting.is_empty() && !feeds.failing {
            feeds = self.0.fed.wait_timeout(feeds, wait).unwrap().0;
        }
        if feeds.failing {
            // What was published meanwhile is lost on this follower.
            feeds.waiting.clear();
            return Err(Fault::retry(Code::StoreUnavailable, "reading changes: the fake was told to fail"));
        }
        Ok(std::mem::take(&mut feeds.waiting))
    }

    fn behind(&self) -> Arc<dyn Behind> {
        self.0.clone()
    }
}

impl Behind for World {
    fn changes(&self) -> Result<u64, Fault> {
        let feeds = self.feeds.lock().unwrap();
        match feeds.failing {
            true => Err(Fault::retry(Code::StoreUnavailable, "asking how far it is: the fake was told to fail")),
            false => Ok(feeds.waiting.len() as u64),
        }
    }
}

/// What storing a turn came to.
pub struct Stored {
    pub turn: TurnId,
    pub position: Position,
    pub ids: Vec<ObservationId>,
    pub observations: Vec<Observation>,
}

/// A turn of one message, and what is extracted from it.
#[derive(Clone)]
pub struct Said {
    pub day: i64,
    pub session: String,
    pub name: Option<String>,
    pub text: String,
    pub items: Vec<Item>,
    pub drops: Vec<&'static str>,
    pub recalled: Vec<ObservationId>,
}

impl Said {
    /// A message from which nothing is extracted.
    pub fn only(day: i64, text: &str) -> Self {
        Self {
            day,
            session: "s".into(),
            name: None,
            text: text.into(),
            items: Vec::new(),
            drops: Vec::new(),
            recalled: Vec::new(),
        }
    }

    /// A message that is one fact.
    pub fn fact(day: i64, text: &str, attribute: &str, value: &str) -> Self {
        Self { items: vec![Item::new(text, attribute, value)], ..Self::only(day, text) }
    }

    pub fn named(self, name: &str) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    pub fn turn(&self, ids: &Ids) -> Turn {
        let at = day(self.day);
        let session = ids.session(&self.session);
        let message = ids.message(session, at.ms(), "customer", 0, &self.text);
        Turn {
            meta: TurnMeta {
                id: ids.turn(&[message]),
                name: self.name.clone(),
                session,
                session_name: self.session.clone(),
                at,
                messages: vec![message],
                recalled: self.recalled.clone(),
                kept: true,
            },
            body: TurnBody { messages: vec![Message { text: self.text.clone() }], question: None, request: false },
            references: Vec::new(),
        }
    }
}

/// An item whose wording stands in its message.
#[derive(Clone)]
pub struct Item {
    pub kind: Kind,
    pub text: String,
    pub subject: String,
    pub attribute: String,
    pub value: String,
    pub many: bool,
    pub changed: bool,
    pub slot: Option<String>,
    pub questions: Vec<String>,
}

impl Item {
    pub fn new(text: &str, attribute: &str, value: &str) -> Self {
        Self {
            kind: Kind::Fact,
            text: text.into(),
            subject: "customer".into(),
            attribute: attribute.into(),
            value: value.into(),
            many: false,
            // As an extractor reads it.
            changed: text.contains(" now"),
            slot: None,
            questions: Vec::new(),
        }
    }

    fn of(&self, turn: &Turn, position: Position, ids: &Ids) -> Observation {
        let message = &turn.body.messages[0].text;
        let start = message.find(&self.text).expect("the wording stands in the message") as u32;
        let span = Span { start, end: start + self.text.len() as u32 };
        Observation {
            id: ids.observation(turn.meta.id, turn.meta.messages[0], span, self.kind),
            position,
            body: ObservationBody {
                times: Vec::new(),
                turn: turn.meta.id,
                turn_name: turn.meta.name.clone(),
                session: turn.meta.session,
                message: turn.meta.messages[0],
                at: turn.meta.at.clone(),
                item: Candidate {
                    kind: self.kind,
                    text: self.text.clone(),
                    evidence: Evidence { message: 0, span, quote: self.text.clone() },
                    question: None,
                    topic_key: TopicKey {
                        subject: self.subject.clone(),
                        attribute: self.attribute.clone(),
                        many: self.many,
                    },
                    value: self.value.clone(),
                    negated: false,
                    qualifier: None,
                    slot: self.slot.clone(),
                    changed: self.changed,
                    importance: Unit::hundredths(60),
                    confidence: Unit::hundredths(90),
                    keywords: Vec::new(),
                    questions: self.questions.clone(),
                    language: Language::of(&self.text),
                },
                recalled: turn.meta.recalled.clone(),
            },
            vector: (self.kind != Kind::Task).then(|| embedders::concepts(&self.text)),
        }
    }
}

/// Noon of a day counted from 2026-01-01, in months of 28 days.
pub fn day(day: i64) -> Moment {
    let (year, rest) = (2026 + day / 336, day % 336);
    Moment::parse(&format!("{year}-{:02}-{:02}T12:00:00+02:00", 1 + rest / 28, 1 + rest % 28), None).unwrap()
}
