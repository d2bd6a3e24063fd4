//! Records: what travels on the topics. A sealed body, the position it stems from, and nothing readable.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{
    fault::{Code, Fault},
    ids::{SpaceId, TenantId},
    ports::{Entropy, Keys, SpaceTurns, TurnRow},
    position::Position,
    scope::Scope,
    seal::{self, Field, Generation, KeyId, NamedKey, Payload, Place, Sealed, private::Within},
    turn::Turn,
};

/// The topics, in the order a turn passes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Topic {
    /// The head log: turns and commands.
    Turns,
    /// Turns with their candidates.
    Candidates,
    /// Grounded items.
    Grounded,
    /// Embedded items.
    Embedded,
}

impl Topic {
    /// All of them.
    pub const ALL: [Topic; 4] = [Topic::Turns, Topic::Candidates, Topic::Grounded, Topic::Embedded];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Turns => "turns",
            Topic::Candidates => "memory.candidates",
            Topic::Grounded => "memory.grounded",
            Topic::Embedded => "memory.embedded",
        }
    }
}

/// A record as a backend stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordParts {
    /// Whose it is.
    pub tenant: TenantId,
    /// Which space.
    pub space: SpaceId,
    /// The turn's or command's id.
    pub id: [u8; 16],
    /// The generation; [`Generation::ALL`] on the head log.
    pub generation: Generation,
    /// Its position; absent only on the head log, where the record's own place is it.
    pub position: Option<Position>,
    /// When intake took it, in milliseconds since 1970 by its clock; carried unchanged, to tell how long a turn takes.
    pub accepted_ms: i64,
    /// What the body is.
    pub field: Field,
    /// The body.
    pub sealed: Sealed,
}

/// A record. Its scope comes out only when it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record(RecordParts);

/// A body that is empty: the record only moves the position on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress;

impl Payload for Progress {
    type Wire = ();
    fn to_wire(&self, _: Within) {}
    fn from_wire((): (), _: Within) -> Self {
        Self
    }
}

impl Record {
    /// From what a backend stored.
    pub fn from_parts(parts: RecordParts) -> Self {
        Self(parts)
    }

    /// To what a backend stores.
    pub fn parts(&self) -> &RecordParts {
        &self.0
    }

    /// The same record, on its way to the next topic.
    pub fn forward(&self, position: Position) -> Self {
        Self(RecordParts { position: Some(position), ..self.0.clone() })
    }

    /// Seals a body.
    pub fn seal<T: Payload>(
        scope: &Scope,
        head: RecordHead,
        field: Field,
        key: &NamedKey,
        body: &T,
        entropy: &dyn Entropy,
    ) -> Self {
        let (tenant, space) = scope.key();
        let RecordHead { id, generation, position, accepted_ms } = head;
        let sealed = seal::seal(key, Place { scope, id, generation, field }, body, entropy);
        Self(RecordParts { tenant, space, id, generation, position, accepted_ms, field, sealed })
    }
}

/// The readable part of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHead {
    /// The turn's or command's id.
    pub id: [u8; 16],
    /// The generation.
    pub generation: Generation,
    /// Its position, once it has one.
    pub position: Option<Position>,
    /// When intake took it, in milliseconds since 1970.
    pub accepted_ms: i64,
}

/// What opening a record came to.
#[derive(Debug)]
pub enum Opened<T> {
    /// The body, the right to the space it belongs to, and the key it was sealed with.
    Body(Scope, NamedKey, T),
    /// The key was destroyed. What it held is forgotten; only the position still moves.
    KeyGone(Scope),
}

/// Opens a record: the second and last way to a [`Scope`]. Only a record that intake sealed opens.
pub fn open<T: Payload>(record: &Record, keys: &dyn Keys) -> Result<Opened<T>, Fault> {
    let RecordParts { tenant, space, id, generation, field, sealed, .. } = &record.0;
    let scope = Scope::new(*tenant, *space);
    let Some(key) = keys.key(&scope, sealed.key)? else {
        return Ok(Opened::KeyGone(scope));
    };
    let place = Place { scope: &scope, id: *id, generation: *generation, field: *field };
    let body = seal::open(&key, place, sealed)?;
    Ok(Opened::Body(scope, NamedKey { id: sealed.key, key }, body))
}

/// Opens the turns of a space that a store came upon: as with [`open`], a seal that intake made proves whose they are.
/// `None`: none of them has its key.
pub fn open_turns(stored: &SpaceTurns, keys: &dyn Keys) -> Result<Option<(Scope, Vec<Turn>)>, Fault> {
    let scope = Scope::new(stored.tenant, stored.space);
    let turns: Vec<Turn> = turns(&scope, &stored.turns, keys)?.into_iter().map(|(_, turn)| turn).collect();
    Ok((!turns.is_empty()).then_some((scope, turns)))
}

/// The stored turns of a space whose keys live, each with the key it stands under.
pub fn turns(scope: &Scope, rows: &[TurnRow], keys: &dyn Keys) -> Result<Vec<(KeyId, Turn)>, Fault> {
    keys.warm(scope, &rows.iter().map(|row| row.sealed.key).collect::<Vec<_>>());
    let mut turns = Vec::with_capacity(rows.len());
    for TurnRow { turn, sealed, .. } in rows {
        if let Some(key) = keys.key(scope, sealed.key)? {
            let place = Place { scope, id: *turn.as_bytes(), generation: Generation::ALL, field: Field::Turn };
            turns.push((sealed.key, seal::open::<Turn>(&key, place, sealed)?));
        }
    }
    Ok(turns)
}

/// Lets the keys of records be fetched together: a hint before they are opened one by one.
pub fn warm<'a>(records: impl IntoIterator<Item = &'a Record>, keys: &dyn Keys) {
    let mut spaces: HashMap<(TenantId, SpaceId), Vec<KeyId>> = HashMap::new();
    for Record(RecordParts { tenant, space, sealed, .. }) in records {
        spaces.entry((*tenant, *space)).or_default().push(sealed.key);
    }
    for ((tenant, space), ids) in spaces {
        keys.warm(&Scope::new(tenant, space), &ids);
    }
}

/// Where something that was set aside had been read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// The public topic that gateways write.
    Completed,
    /// A topic of our own.
    Topic(Topic),
}

impl From<Topic> for Origin {
    fn from(topic: Topic) -> Self {
        Origin::Topic(topic)
    }
}

impl Origin {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Completed => COMPLETED,
            Origin::Topic(topic) => topic.name(),
        }
    }
}

/// The name of the public topic that gateways write.
pub const COMPLETED: &str = "turn.completed";

/// What went wrong with a record, by reference: no text, no copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetter {
    /// Where it was read.
    pub origin: Origin,
    /// Its partition there.
    pub partition: u32,
    /// Its offset there.
    pub offset: u64,
    /// Whose it is, and which; `None` for bytes that nobody could read.
    pub about: Option<About>,
    /// The cause: a [`Code::label`], or what a sender got wrong ([`crate::turn::Refusal::code`],
    /// [`crate::access::Denied::code`]).
    pub code: String,
}

/// What a dead letter is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Whose it is.
    pub tenant: TenantId,
    /// Which space.
    pub space: SpaceId,
    /// The turn's or command's id.
    pub id: [u8; 16],
    /// Its position.
    pub position: Position,
}

impl DeadLetter {
    /// For a record met at a place.
    pub fn new(record: &Record, topic: Topic, partition: u32, offset: u64, position: Position, code: Code) -> Self {
        let RecordParts { tenant, space, id, .. } = *record.parts();
        let about = Some(About { tenant, space, id, position });
        Self { origin: Origin::Topic(topic), partition, offset, about, code: code.label().to_owned() }
    }
}
