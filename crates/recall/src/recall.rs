//! The service: answers questions about one space at a time.

mod following;
mod hot;
mod listing;
mod reviews;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use saidso_core::{
    decay::{self, DAY_MS},
    fault::Fault,
    fold::{self, Memory},
    ids::{MemoryId, Names, ObservationId, TenantId},
    limits,
    ports::{self, Changes, Clock, Embedder, Entropy, Keys, Purpose, Store},
    position::Position,
    scope::Scope,
    seal::Generation,
    session::{self, Session},
    slots::SlotSchema,
};

use self::following::Progress;
pub use self::{listing::TurnDrops, reviews::Reviewed};
use crate::{
    Answer, Preloaded, Question, RecallError,
    cohort::Cohorts,
    delays::{Delays, Meter},
    health::{Census, Health, Sweeper},
    load,
    meaning::Meaning,
    probe,
    query::{self, Analysis, AsOf},
    search::{Ask, Found, Item, search, together},
    shard::{Shards, Slot},
    space::Space,
    standing::{At, Hits},
    tally::Unwritten,
    waiting::Waiting,
};

/// What recall reads, and what it calls.
#[derive(Clone)]
pub struct Sources {
    /// Rows.
    pub store: Arc<dyn Store>,
    /// Key material.
    pub keys: Arc<dyn Keys>,
    /// How often memories were surfaced.
    pub hits: Arc<dyn ports::Hits>,
    /// What waits for review, and the verdicts.
    pub reviews: Arc<dyn ports::Reviews>,
    /// What changed.
    pub changes: Arc<dyn Changes>,
    /// Turns questions into vectors.
    pub embedder: Arc<dyn Embedder>,
    /// Names to ids.
    pub names: Arc<Names>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness, to seal what waits for review.
    pub entropy: Arc<dyn Entropy>,
}

/// What made the memories of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Name and version.
    pub extractor: String,
    /// Name and version.
    pub embedder: String,
}

/// What is recalled from, and within which bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The generation that is live.
    pub generation: Generation,
    /// What made it.
    pub provenance: Provenance,
    /// What its fold decides by.
    pub fold: fold::Rules,
    /// The time-outs of sessions.
    pub sessions: session::Rules,
    /// What memories fade by.
    pub decay: decay::Rules,
    /// The slots of the tenants that name some.
    pub slots: HashMap<TenantId, SlotSchema>,
    /// Days for which a superseded memory is still shown as history; `None`: for good.
    pub history_days: Option<u16>,
    /// Bytes that loaded spaces may take together.
    pub memory_bytes: usize,
    /// How often hits are written and the loaded spaces looked at.
    pub tick: Duration,
}

impl Settings {
    /// Bytes of loaded spaces unless said otherwise: about 100,000 memories.
    pub const MEMORY_BYTES: usize = 512 * 1024 * 1024;

    /// [`Settings::tick`] unless said otherwise.
    pub const TICK: Duration = Duration::from_secs(5);

    /// With the defaults, for tenants without slots.
    pub fn new(generation: Generation, provenance: Provenance, fold: fold::Rules) -> Self {
        Self {
            generation,
            provenance,
            fold,
            sessions: session::Rules::default(),
            decay: decay::Rules::default(),
            slots: HashMap::new(),
            history_days: None,
            memory_bytes: Self::MEMORY_BYTES,
            tick: Self::TICK,
        }
    }
}

/// Recall over one generation. Every method touches the one space of its scope.
pub struct Recall {
    inner: Arc<Inner>,
    threads: Vec<JoinHandle<()>>,
}

struct Inner {
    sources: Sources,
    settings: Settings,
    shards: Shards,
    cohorts: Cohorts,
    delays: Meter,
    unwritten: Unwritten,
    waiting: Waiting,
    progress: Progress,
    sweeper: Sweeper,
    stop: AtomicBool,
    fault: Mutex<Option<Fault>>,
}

impl Recall {
    /// Starts to follow changes. Spaces load when they are asked about.
    pub fn start(sources: Sources, settings: Settings) -> Result<Self, Fault> {
        let feed = sources.changes.follow()?;
        let inner = Arc::new(Inner {
            shards: Shards::new(settings.memory_bytes),
            sources,
            settings,
            cohorts: Cohorts::default(),
            delays: Meter::default(),
            unwritten: Unwritten::default(),
            waiting: Waiting::default(),
            progress: Progress::of(feed.as_ref()),
            sweeper: Sweeper::default(),
            stop: AtomicBool::new(false),
            fault: Mutex::default(),
        });
        let (follower, warmer, keeper) = (inner.clone(), inner.clone(), inner.clone());
        let threads = vec![
            thread::spawn(move || follower.follow(feed)),
            // So that no question waits for it. If it fails, the first question that needs it tries again.
            thread::spawn(move || drop(warmer.cohorts.warm(warmer.sources.embedder.as_ref()))),
            thread::spawn(move || keeper.keep()),
        ];
        Ok(Self { inner, threads })
    }

    /// Answers a question, or says that nothing in the space is close enough.
    pub fn answer(&self, scope: &Scope, question: &Question) -> Result<Answer, RecallError> {
        let inner = &*self.inner;
        let limit = question.check()?;
        let slot = inner.shards.slot(scope);
        let space = match question.min_position {
            Some(position) => {
                inner.at_least(scope, &slot, position, Duration::from_millis(limits::POSITION_WAIT_MS))?
            }
            None => inner.space(scope, &slot)?,
        };
        let now_ms = inner.sources.clock.now_ms();
        let (space, asked_ms) = match question.as_of {
            Some(as_of) => inner.past(scope, as_of, now_ms)?,
            None => (space, now_ms),
        };
        let today = question.as_of.is_none();
        let hits = today.then(|| slot.hits.read());
        let at = At { history_ms: inner.history_ms(now_ms), ..inner.at(hits.as_deref(), asked_ms) };
        let provenance = &inner.settings.provenance;
        if !today && at.history_ms.is_some_and(|from| asked_ms < from) {
            let history_days = inner.settings.history_days;
            return Ok(Answer { history_days, ..Answer::of(&space, &at, &[], provenance) });
        }
        if space.is_empty() {
            return Ok(Answer::of(&space, &at, &[], provenance));
        }
        let session = question.session.as_ref().map(|name| inner.sources.names.ids(scope).session(name));
        let asked = query::own(&question.query, question.customer.as_deref().or(space.called()));
        let parts = query::parts(&asked);
        let vectors = inner.vectors(&space, &slot, &parts)?;
        let analyses: Vec<Analysis> = parts.into_iter().map(Analysis::of).collect();
        let mut asks = Vec::with_capacity(analyses.len());
        for (analysis, vector) in analyses.iter().zip(&vectors) {
            asks.push(Ask {
                analysis,
                meaning: vector.as_deref().map(|vector| inner.meaning(vector, &space)).transpose()?,
                history: question.history,
                filter: &question.filter,
                rules: &question.rules,
                session,
                at,
                limit,
            });
        }
        let lists: Vec<Vec<Found>> = asks.iter().map(|ask| search(&space, ask)).collect();
        let found = together(&space, &lists, limit);
        let mut answer = Answer::of(&space, &at, &found, provenance);
        if today {
            if answer.review {
                answer.review = inner.doubts(scope, &space, &question.query, &found, now_ms);
            }
            let mut offers = asks.iter().zip(&lists);
            answer.probe = offers.find_map(|(ask, list)| probe::offer(&space, ask, list, &slot.offered));
            inner.surfaced(scope, &slot, &space, &found, now_ms);
        }
        Ok(answer)
    }

    /// What a session of that name starts with. Loads the space, and all that the first question needs besides its own
    /// vector. Nothing counts as surfaced: an agent that shows one of these names it in the turn.
    pub fn preload(&self, scope: &Scope, session: &str) -> Result<Preloaded, Fault> {
        let Sources { names, embedder, .. } = &self.inner.sources;
        let session = names.ids(scope).session(session);
        self.now(scope, |space, at| {
            for vectors in [&space.vectors, &space.raw_vectors] {
                vectors.backgrounds(embedder.as_ref(), &self.inner.cohorts)?;
            }
            Ok(space.preload(session, at, &self.inner.settings.provenance))
        })?
    }

    /// The memories, by when they were first said, each with its status as of now; with `history` those that no longer
    /// hold too.
    pub fn memories(&self, scope: &Scope, history: bool) -> Result<Vec<Memory>, Fault> {
        self.now(scope, |space, at| at.memories(space, history).collect())
    }

    /// The same as of an instant, in milliseconds since 1970, archiving by hits apart.
    pub fn memories_at(&self, scope: &Scope, history: bool, at_ms: i64) -> Result<Vec<Memory>, Fault> {
        let at = At { history_ms: self.inner.history_ms(at_ms), ..self.inner.at(None, at_ms) };
        let space = self.space(scope)?;
        Ok(at.memories(&space, history).collect())
    }

    /// One memory, current or not, by its id or any of its observations'.
    pub fn memory(&self, scope: &Scope, id: ObservationId) -> Result<Option<Memory>, Fault> {
        self.now(scope, |space, at| {
            let index = space.index(id)?;
            let status = at.standing(space, index).status;
            Some(Memory { status, ..space.memories[index as usize].clone() })
        })
    }

    /// How a space's memories stand.
    pub fn health(&self, scope: &Scope) -> Result<Health, Fault> {
        self.now(scope, Health::of)
    }

    /// How the memories of all loaded spaces stood when they were last looked at.
    pub fn census(&self) -> Census {
        self.inner.sweeper.census()
    }

    /// The newest sessions, the newest first. Reads nothing from the store if the space is loaded.
    pub fn sessions(&self, scope: &Scope, limit: usize) -> Result<Vec<Session>, RecallError> {
        if limit == 0 || limit > limits::SESSIONS {
            return Err(RecallError::Sessions { limit });
        }
        Ok(self.space(scope)?.sessions(limit, self.inner.sources.clock.now_ms()))
    }

    /// Marks were just written in a space. They bind at once, the change that they cause is heard of later: from here on
    /// no method of this process shows what they cover.
    pub fn marked(&self, scope: &Scope) {
        self.inner.shards.slot(scope).change();
    }

    /// Waits until a position is visible to every other method; `false` if it is not within `bound`.
    pub fn wait(&self, scope: &Scope, position: Position, bound: Duration) -> Result<bool, Fault> {
        match self.inner.at_least(scope, &self.inner.shards.slot(scope), position, bound) {
            Ok(_) => Ok(true),
            Err(RecallError::Fault(fault)) => Err(fault),
            Err(_) => Ok(false),
        }
    }

    /// Bytes of the loaded spaces.
    pub fn bytes(&self) -> usize {
        self.inner.shards.bytes()
    }

    /// Spaces that had to go since the start, for others to fit in.
    pub fn evictions(&self) -> u64 {
        self.inner.shards.evictions()
    }

    /// Changes of spaces that this process had not heard of when it last looked, a tick ago at most; `None`: nobody could say.
    pub fn behind(&self) -> Option<u64> {
        self.inner.progress.changes()
    }

    /// How long turns took to become visible.
    pub fn delays(&self) -> Delays {
        self.inner.delays.read()
    }

    /// Why changes cannot be followed just now. Answers stay right and get slow: every space is loaded anew.
    pub fn fault(&self) -> Option<Fault> {
        self.inner.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops following.
    pub fn stop(self) {}

    fn space(&self, scope: &Scope) -> Result<Arc<Space>, Fault> {
        self.inner.space(scope, &self.inner.shards.slot(scope))
    }

    /// Looks at a space as it stands now.
    fn now<T>(&self, scope: &Scope, look: impl FnOnce(&Space, &At<'_>) -> T) -> Result<T, Fault> {
        let slot = self.inner.shards.slot(scope);
        let space = self.inner.space(scope, &slot)?;
        let (now_ms, hits) = (self.inner.sources.clock.now_ms(), slot.hits.read());
        let at = At { history_ms: self.inner.history_ms(now_ms), ..self.inner.at(Some(&hits), now_ms) };
        Ok(look(&space, &at))
    }
}

impl Drop for Recall {
    fn drop(&mut self) {
        self.inner.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            // A panic of a thread was reported where it happened; there is nothing left to do about it here.
            drop(thread.join());
        }
    }
}

impl Inner {
    fn space(&self, scope: &Scope, slot: &Slot) -> Result<Arc<Space>, Fault> {
        self.shards.current(slot, || {
            let space = self.load(scope, None)?;
            slot.hits.follow(&space, || {
                let mut hits = self.sources.hits.hits(scope)?;
                hits.extend(self.unwritten.of(scope));
                Ok(hits)
            })?;
            Ok(space)
        })
    }

    /// The space as it stood, and the instant that was: a position's is when its newest turn was completed.
    fn past(&self, scope: &Scope, as_of: AsOf, now_ms: i64) -> Result<(Arc<Space>, i64), Fault> {
        let space = self.load(scope, Some(as_of))?;
        let at_ms = match as_of {
            AsOf::Time(at_ms) => at_ms,
            AsOf::Position(_) => space.newest_ms().unwrap_or(now_ms),
        };
        Ok((Arc::new(space), at_ms))
    }

    /// An instant to look from, at all of history.
    fn at<'a>(&'a self, hits: Option<&'a Hits>, now_ms: i64) -> At<'a> {
        At { now_ms, rules: &self.settings.decay, hits, history_ms: None }
    }

    /// How far back history is shown, as of an instant.
    fn history_ms(&self, now_ms: i64) -> Option<i64> {
        self.settings.history_days.map(|days| now_ms.saturating_sub(i64::from(days) * DAY_MS))
    }

    /// Counts what an answer shows.
    fn surfaced(&self, scope: &Scope, slot: &Slot, space: &Space, found: &[Found], now_ms: i64) {
        let memory = |found: &Found| match found.item {
            Item::Memory(index) => Some(space.memories[index as usize].id),
            Item::Passage(_) => None,
        };
        let memories: Vec<MemoryId> = found.iter().filter_map(memory).collect();
        if !memories.is_empty() {
            self.unwritten.add(scope, slot.hits.count(&memories, now_ms));
        }
    }

    /// Until the end, now and then: writes hits and what waits for review, and counts what time has changed.
    fn keep(&self) {
        let mut swept_ms = None;
        loop {
            let last = self.stop.load(Ordering::Relaxed);
            self.unwritten.write(self.sources.hits.as_ref());
            // What the store does not take is a few questions; the next are tried again.
            drop(self.keep_reviews(&mut swept_ms));
            if last {
                return;
            }
            self.progress.look();
            self.sweep();
            thread::park_timeout(self.settings.tick);
        }
    }

    fn sweep(&self) {
        let now_ms = self.sources.clock.now_ms();
        let loaded = self.shards.loaded();
        let loaded: Vec<_> =
            loaded.into_iter().map(|(tenant, slot, space)| (tenant, space, slot.hits.read())).collect();
        let seen = loaded.iter().map(|(tenant, space, hits)| (*tenant, &**space, self.at(Some(hits), now_ms)));
        self.sweeper.sweep(now_ms, seen);
    }

    fn load(&self, scope: &Scope, as_of: Option<AsOf>) -> Result<Space, Fault> {
        let Sources { store, keys, names, .. } = &self.sources;
        let contents = load::contents(store.as_ref(), keys.as_ref(), scope, self.settings.generation, as_of)?;
        let slots = self.settings.slots.get(&scope.key().0);
        let space = Space::build(contents, &names.ids(scope), &self.settings.fold, slots, self.settings.sessions);
        match as_of {
            None => Ok(space.judged(&self.sources.reviews.verdicts(scope)?)),
            Some(_) => Ok(space),
        }
    }

    fn at_least(
        &self,
        scope: &Scope,
        slot: &Slot,
        position: Position,
        bound: Duration,
    ) -> Result<Arc<Space>, RecallError> {
        let deadline = Instant::now() + bound;
        loop {
            let changes = slot.changes();
            let space = self.space(scope, slot)?;
            if space.applied.is_some_and(|applied| applied >= position) {
                return Ok(space);
            }
            if !slot.wait(changes, deadline) {
                let waited_ms = bound.as_millis() as u64;
                return Err(RecallError::NotYetVisible { waited_ms, applied: space.applied });
            }
        }
    }

    /// The vectors of a query's questions, from the space's newest questions or, in one request, the embedder; none if
    /// nothing in the space has one.
    fn vectors(&self, space: &Space, slot: &Slot, asked: &[&str]) -> Result<Vec<Option<Arc<[f32]>>>, Fault> {
        if space.vectors.matrix.is_empty() && space.raw_vectors.matrix.is_empty() {
            return Ok(vec![None; asked.len()]);
        }
        let mut vectors: Vec<Option<Arc<[f32]>>> = asked.iter().map(|query| slot.vector(query)).collect();
        let new: Vec<usize> = (0..asked.len()).filter(|at| vectors[*at].is_none()).collect();
        if !new.is_empty() {
            let texts: Vec<&str> = new.iter().map(|at| asked[*at]).collect();
            for (at, vector) in new.into_iter().zip(self.sources.embedder.embed(Purpose::Query, &texts)?) {
                let vector: Arc<[f32]> = vector.to_f32().into();
                slot.keep(asked[at], vector.clone());
                vectors[at] = Some(vector);
            }
        }
        Ok(vectors)
    }

    fn meaning<'a>(&self, vector: &'a [f32], space: &'a Space) -> Result<Meaning<'a>, Fault> {
        Meaning::of(vector, space, self.sources.embedder.as_ref(), &self.cohorts)
    }
}
