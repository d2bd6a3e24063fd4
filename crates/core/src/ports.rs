//! The ports: what the pure rules and the stages ask of the outside. Backends and models implement them.

mod halves;
mod reviews;
mod synthesis;

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

pub use self::{
    halves::{Held, Ledger, Log, LogIdentity, Outgoing, StoreId},
    reviews::Reviews,
    synthesis::Synthesizer,
};
use crate::{
    calibration::Calibration,
    decay::Hit,
    fault::Fault,
    ids::{ResultId, ReviewId, SessionId, SpaceId, TenantId, TurnId},
    item::Extraction,
    marks::Mark,
    observation::SealedObservation,
    position::Position,
    record::{DeadLetter, Record, Topic},
    review::VerdictRow,
    scope::Scope,
    seal::{Generation, Key, KeyId, NamedKey, Replaced, Sealed},
    turn::{SubmittedTurn, TurnBody},
    vector::Vector,
};

/// Which side of a comparison a text stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A stored item.
    Passage,
    /// A question put to the store.
    Query,
}

/// Turns texts into unit vectors.
pub trait Embedder: Send + Sync {
    /// Name and version, pinned by the generation and stored with every vector.
    fn id(&self) -> &str;

    /// Components of a vector.
    fn dimension(&self) -> usize;

    /// What its cosines mean.
    fn calibration(&self) -> Calibration;

    /// One unit vector per text, in order. A text longer than the model's window is averaged over windows, never
    /// refused. All or nothing: an error means no vector is usable.
    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault>;
}

/// Proposes typed items from what the customer said in one turn. Sees that turn only.
pub trait Extractor: Send + Sync {
    /// Name and version, pinned by the generation.
    fn id(&self) -> &str;

    /// Items with the words they rest on. Pure: the same turn gives the same answer.
    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault>;
}

/// The wall clock.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970-01-01T00:00Z.
    fn now_ms(&self) -> i64;
}

/// Randomness fit for keys.
pub trait Entropy: Send + Sync {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);
}

/// Key material, kept where it can be destroyed.
pub trait Keys: Send + Sync {
    /// A key by its id; `None` if it was destroyed or never was.
    fn key(&self, scope: &Scope, id: KeyId) -> Result<Option<Key>, Fault>;

    /// The space's current own key, made on first use. Durable no later than the first [`HeadLog::publish`] or
    /// [`Commits::commit`] that follows.
    fn space_key(&self, scope: &Scope) -> Result<NamedKey, Fault>;

    /// A hint: the space's own key and these will be asked for soon. Returns at once.
    fn warm(&self, _scope: &Scope, _ids: &[KeyId]) {}
}

/// A turn as intake stored it: the sealed words, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRow {
    /// The turn.
    pub turn: TurnId,
    /// Where it stands on the head log; `None`: stored but not yet known to be published.
    pub position: Option<Position>,
    /// The [`crate::turn::Turn`].
    pub sealed: Sealed,
    /// What its extraction let go (`Vec<Drop>`), once written.
    pub drops: Option<Sealed>,
}

/// What is stored of a space's turns, whoever's it is. What names the space grants nothing: opening a turn does
/// ([`crate::record::open_turns`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpaceTurns {
    /// Whose space.
    pub tenant: TenantId,
    /// Which space.
    pub space: SpaceId,
    /// Every turn of it.
    pub turns: Vec<TurnRow>,
}

/// What a request to forget took, until it is read: a [`crate::retract::ReadBack`] under a key of its own, whose turn is
/// named [`crate::ids::Ids::read_back`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBackRow {
    /// The turn of the request.
    pub turn: TurnId,
    /// Its session: what nobody reads goes when that ends.
    pub session: SessionId,
    /// The content.
    pub sealed: Sealed,
}

/// A space's partition of one generation, as read at one instant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpaceRows {
    /// The last position folded in.
    pub applied: Option<Position>,
    /// Every observation.
    pub observations: Vec<SealedObservation>,
    /// For every turn that has some, the vectors of its passages (`Vec<`[`crate::passages::PassageVector`]`>`).
    pub passages: Vec<(TurnId, Sealed)>,
    /// Sessions that ended, and when (milliseconds since 1970).
    pub ended: Vec<(SessionId, i64)>,
}

/// Reads of what is stored. Every method that takes a scope touches its space alone.
pub trait Store: Send + Sync {
    /// One turn.
    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Fault>;

    /// Every turn of the space.
    fn turns(&self, scope: &Scope) -> Result<Vec<TurnRow>, Fault>;

    /// Every space with a turn, one after the other, of the tenants that are wanted; a visitor's fault ends it.
    fn each_space(
        &self,
        wanted: &dyn Fn(TenantId) -> bool,
        visit: &mut dyn FnMut(SpaceTurns) -> Result<(), Fault>,
    ) -> Result<(), Fault>;

    /// Every observation of the space in a generation, with `applied` from the same instant.
    fn rows(&self, scope: &Scope, generation: Generation) -> Result<SpaceRows, Fault>;

    /// The last position folded into the space.
    fn applied(&self, scope: &Scope, generation: Generation) -> Result<Option<Position>, Fault>;

    /// Every mark of the space.
    fn marks(&self, scope: &Scope) -> Result<Vec<Mark>, Fault>;

    /// What requests to forget took and nobody has read.
    fn read_backs(&self, scope: &Scope) -> Result<Vec<ReadBackRow>, Fault>;
}

/// How often memories were surfaced. Lossy: of two processes that count for one space, the later writer wins.
pub trait Hits: Send + Sync {
    /// What is known of a space's memories.
    fn hits(&self, scope: &Scope) -> Result<Vec<Hit>, Fault>;

    /// Replaces what is known of these memories, each with whatever has the later [`Hit::last_ms`]. Need not be durable
    /// on return: what a crash loses is a few counts.
    fn put_hits(&self, spaces: &[(Scope, Vec<Hit>)]) -> Result<(), Fault>;
}

/// What a generation pins. Stored under its number; another value under the same number is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pinned {
    /// [`Extractor::id`].
    pub extractor: String,
    /// [`Embedder::id`].
    pub embedder: String,
    /// [`Embedder::dimension`].
    pub dimension: u32,
    /// Hash of the rules and of the configuration they read.
    pub rules: String,
}

/// The generations.
pub trait Generations: Send + Sync {
    /// Pins a generation, or compares with what was pinned: returns what stands, which the caller compares.
    fn pin(&self, generation: Generation, pinned: &Pinned) -> Result<Pinned, Fault>;
}

/// What intake puts on the head log.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Whose it is.
    pub scope: Scope,
    /// A turn's new key.
    pub key: Option<NamedKey>,
    /// A turn's row, its position open.
    pub turn: Option<TurnRow>,
    /// Marks that bind at once.
    pub marks: Vec<Mark>,
    /// The record.
    pub record: Record,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// Where it stands on the head log; a known turn's first position.
    pub position: Position,
    /// The turn had been published before, or is in the same call before this. Of any copies, exactly one is not known.
    pub known: bool,
}

/// The one writer of the head log.
pub trait HeadLog: Send + Sync {
    /// Makes each entry durable (key, then row and marks, then the record, then the row's position) and answers each, in
    /// order. On an error some entries may be in: publishing them again is harmless, since ids tell.
    fn publish(&self, entries: Vec<Entry>) -> Result<Vec<Published>, Fault>;
}

/// A record as read from a topic.
#[derive(Debug, Clone)]
pub struct Delivered {
    /// Its partition.
    pub partition: u32,
    /// Its offset.
    pub offset: u64,
    /// Its position: its own place on the head log, carried unchanged on the others.
    pub position: Position,
    /// The record.
    pub record: Record,
}

/// The right to commit what was read from some partitions. Dies at revoke, or when its deadline passes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The topic.
    pub topic: Topic,
    /// Told apart by the backend.
    pub token: u64,
}

/// A consumer of one topic, in the group of the stage that reads it.
pub trait Consumer: Send {
    /// The next records in order per partition, at most `max`; empty if none came within `wait`. Records that were
    /// delivered and not committed come again after a [`Consumer::rewind`] or a restart.
    fn poll(&mut self, max: usize, wait: Duration) -> Result<(Lease, Vec<Delivered>), Fault>;

    /// Starts again from the last commit.
    fn rewind(&mut self) -> Result<(), Fault>;
}

/// Where stages read.
pub trait Topics: Send + Sync {
    /// A consumer of the topic. At most one is alive per partition.
    fn consume(&self, topic: Topic) -> Result<Box<dyn Consumer>, Fault>;

    /// Records on the topic that its consumer has not committed: 0 when nothing waits, for a while perhaps too many where
    /// a log keeps marks of its own between records.
    fn lag(&self, topic: Topic) -> Result<u64, Fault>;
}

/// One write into a space.
#[derive(Debug, Clone)]
pub enum Write {
    /// Puts or replaces an observation.
    Observation(SealedObservation),
    /// Removes an observation.
    Remove(crate::ids::ObservationId),
    /// Adds a mark.
    Mark(Mark),
    /// Replaces a turn's sealed words, after a span was blanked. Its position stays.
    Turn {
        /// The turn.
        turn: TurnId,
        /// The words that are left.
        sealed: Sealed,
    },
    /// Sets what a turn's extraction let go.
    Drops {
        /// The turn.
        turn: TurnId,
        /// `Vec<Drop>`; `None` clears.
        sealed: Option<Sealed>,
    },
    /// Sets the vectors of a turn's passages.
    Passages {
        /// The turn.
        turn: TurnId,
        /// `Vec<`[`crate::passages::PassageVector`]`>`; `None` clears.
        sealed: Option<Sealed>,
    },
    /// Keeps what a request to forget took.
    ReadBack(ReadBackRow),
    /// Lets that go, by the turn of the request.
    NoReadBack(TurnId),
    /// A session is over; the latest end counts.
    SessionEnded {
        /// The session.
        session: SessionId,
        /// When, in milliseconds since 1970.
        at_ms: i64,
    },
    /// Keeps a verdict; of two on one answer the later stands.
    Verdict(VerdictRow),
    /// Lets go of every verdict on a result.
    NoVerdicts(ResultId),
    /// Lets go of a question that waits for review, unless it was asked again since.
    NoReview {
        /// The question.
        review: ReviewId,
        /// Asked when, in milliseconds since 1970.
        asked_ms: i64,
    },
}

/// What one record changes in its space.
#[derive(Debug, Clone)]
pub struct Section {
    /// The space.
    pub scope: Scope,
    /// The generation.
    pub generation: Generation,
    /// Becomes the space's `applied`, and its stamp the timestamp of every write.
    pub position: Position,
    /// When intake took the record, in milliseconds since 1970.
    pub accepted_ms: i64,
    /// Stored before the writes.
    pub new_keys: Vec<NamedKey>,
    /// The writes, in order.
    pub writes: Vec<Write>,
    /// Destroyed after the writes. A section that comes again spares the key that a turn's row names by then.
    pub destroy: Vec<Replaced>,
}

/// What a batch of records comes to.
#[derive(Debug, Default)]
pub struct Effects {
    /// Changes of spaces, in order. Every section also publishes a [`Change`].
    pub sections: Vec<Section>,
    /// Records for the next topic, each for the partition of its position.
    pub outputs: Vec<(Topic, Record)>,
    /// Records set aside.
    pub dead: Vec<DeadLetter>,
    /// For each partition read, the offset to go on from.
    pub offsets: Vec<(u32, u64)>,
}

/// The one commit point of the stages.
pub trait Commits: Send + Sync {
    /// `Ok` means that all of it is durable. Any other end, a crash included, means that the same input again ends in
    /// the same state. A dead lease commits nothing.
    fn commit(&self, lease: &Lease, effects: Effects) -> Result<(), Fault>;
}

/// A space moved on. Carries no text and grants nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Whose space.
    pub tenant: TenantId,
    /// Which space.
    pub space: SpaceId,
    /// In which generation.
    pub generation: Generation,
    /// The last position folded in.
    pub applied: Position,
    /// When intake took the record that this comes from, in milliseconds since 1970.
    pub accepted_ms: i64,
}

/// A follower of the changes, from the moment it was made.
pub trait ChangeFeed: Send {
    /// What changed since the last call; empty if nothing did within `wait`.
    fn next(&mut self, wait: Duration) -> Result<Vec<Change>, Fault>;

    /// How far behind it is, for others to read while it follows.
    fn behind(&self) -> Arc<dyn Behind>;
}

/// How far behind a follower of the changes is.
pub trait Behind: Send + Sync {
    /// Changes that were committed and that it has not handed out: 0 when it is through. For a while perhaps too many where a
    /// log keeps marks of its own between records.
    fn changes(&self) -> Result<u64, Fault>;
}

/// Where changes are published.
pub trait Changes: Send + Sync {
    /// A new follower. Every change committed after this returns reaches it.
    fn follow(&self) -> Result<Box<dyn ChangeFeed>, Fault>;
}

/// What was set aside.
pub trait DeadLetters: Send + Sync {
    /// The newest, at most `max`.
    fn list(&self, max: usize) -> Result<Vec<DeadLetter>, Fault>;
}

/// The public topic that gateways write: whole turns, in the clear, in any order of partitions.
pub trait Submissions: Send + Sync {
    /// A consumer of it, in the group of intake.
    fn submissions(&self) -> Result<Box<dyn SubmissionConsumer>, Fault>;

    /// Records on it that intake has not committed, as [`Topics::lag`].
    fn waiting(&self) -> Result<u64, Fault>;
}

/// What a gateway put on the public topic.
#[derive(Debug, Clone)]
pub struct Submission {
    /// Its partition.
    pub partition: u32,
    /// Its offset.
    pub offset: u64,
    /// The turn; a fault of [`crate::fault::Remedy::DeadLetter`] if the bytes are none.
    pub turn: Result<SubmittedTurn, Fault>,
}

/// A consumer of the public topic.
pub trait SubmissionConsumer: Send {
    /// The next, at most `max`; empty if none came within `wait`.
    fn poll(&mut self, max: usize, wait: Duration) -> Result<Vec<Submission>, Fault>;

    /// Everything polled so far is done with: published, or set aside as said here. What was not comes again.
    fn commit(&mut self, dead: Vec<DeadLetter>) -> Result<(), Fault>;

    /// Starts again from the last commit.
    fn rewind(&mut self) -> Result<(), Fault>;
}
