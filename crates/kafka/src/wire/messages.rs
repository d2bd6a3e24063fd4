//! The records as their schemas have them, field by field, and the way to and from the types of the core.
//!
//! Names of types, fields and symbols are the schemas': `apache_avro` compares them. Where it resolves another writer's
//! schema it forgets the names of records, so no schema may have a choice between two.

use apache_avro::serde::{bytes, fixed, fixed_opt};
use saidso_core::{
    fault::{Code, Fault},
    ids::{SpaceId, TenantId, TurnId},
    ports, position,
    record::{self, Origin, RecordParts, Topic},
    seal::{self, Generation, KeyId, Sealed},
    turn::{Role, SubmittedAttachment, SubmittedMessage, SubmittedTurn},
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(super) struct TurnCompleted {
    tenant: Option<String>,
    space: String,
    session: Option<String>,
    turn: Option<String>,
    occurred_at: String,
    zone: Option<String>,
    messages: Vec<Message>,
    recalled: Vec<String>,
    attachments: Vec<Attachment>,
}

#[derive(Serialize, Deserialize)]
struct Message {
    role: Role,
    text: String,
    id: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Attachment {
    kind: String,
    text: String,
    #[serde(rename = "ref")]
    reference: String,
}

impl From<SubmittedTurn> for TurnCompleted {
    fn from(turn: SubmittedTurn) -> Self {
        let SubmittedTurn { tenant, space, session, turn, occurred_at, zone, messages, recalled, attachments } = turn;
        let messages = messages.into_iter().map(|SubmittedMessage { role, text, id }| Message { role, text, id });
        let attachments = attachments.into_iter().map(|SubmittedAttachment { kind, text, reference }| Attachment {
            kind,
            text,
            reference,
        });
        let (messages, attachments) = (messages.collect(), attachments.collect());
        Self { tenant, space, session, turn, occurred_at, zone, messages, recalled, attachments }
    }
}

impl From<TurnCompleted> for SubmittedTurn {
    fn from(turn: TurnCompleted) -> Self {
        let TurnCompleted { tenant, space, session, turn, occurred_at, zone, messages, recalled, attachments } = turn;
        let messages = messages.into_iter().map(|Message { role, text, id }| SubmittedMessage { role, text, id });
        let attachments = attachments.into_iter().map(|Attachment { kind, text, reference }| SubmittedAttachment {
            kind,
            text,
            reference,
        });
        let (messages, attachments) = (messages.collect(), attachments.collect());
        Self { tenant, space, session, turn, occurred_at, zone, messages, recalled, attachments }
    }
}

#[derive(Serialize, Deserialize)]
struct Position {
    epoch: u32,
    partition: u32,
    offset: i64,
}

impl TryFrom<position::Position> for Position {
    type Error = Fault;

    fn try_from(position: position::Position) -> Result<Self, Fault> {
        let position::Position { epoch, partition, offset } = position;
        Ok(Self { epoch, partition, offset: long(offset)? })
    }
}

impl TryFrom<Position> for position::Position {
    type Error = Fault;

    fn try_from(position: Position) -> Result<Self, Fault> {
        let Position { epoch, partition, offset } = position;
        Ok(Self { epoch, partition, offset: count(offset)? })
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(with = "fixed")]
    tenant: [u8; 16],
    #[serde(with = "fixed")]
    space: [u8; 16],
    #[serde(with = "fixed")]
    id: [u8; 16],
    generation: u32,
    position: Option<Position>,
    accepted_ms: i64,
    field: Field,
    key: Key,
    #[serde(with = "bytes")]
    sealed: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Field {
    Turn,
    Command,
    Progress,
    Candidates,
    Grounded,
    Embedded,
}

#[derive(Serialize, Deserialize)]
struct Key {
    #[serde(with = "fixed_opt")]
    turn: Option<[u8; 16]>,
    version: i64,
    attempt: u32,
}

impl TryFrom<&RecordParts> for Record {
    type Error = Fault;

    fn try_from(parts: &RecordParts) -> Result<Self, Fault> {
        let RecordParts { tenant, space, id, generation, position, accepted_ms, field, sealed } = parts;
        Ok(Self {
            tenant: *tenant.as_bytes(),
            space: *space.as_bytes(),
            id: *id,
            generation: generation.0,
            position: position.map(Position::try_from).transpose()?,
            accepted_ms: *accepted_ms,
            field: Field::try_from(*field)?,
            key: Key::try_from(sealed.key)?,
            sealed: sealed.bytes.clone(),
        })
    }
}

impl TryFrom<Record> for RecordParts {
    type Error = Fault;

    fn try_from(record: Record) -> Result<Self, Fault> {
        let Record { tenant, space, id, generation, position, accepted_ms, field, key, sealed } = record;
        Ok(Self {
            tenant: TenantId::from_bytes(tenant),
            space: SpaceId::from_bytes(space),
            id,
            generation: Generation(generation),
            position: position.map(position::Position::try_from).transpose()?,
            accepted_ms,
            field: field.into(),
            sealed: Sealed { key: KeyId::try_from(key)?, bytes: sealed },
        })
    }
}

impl TryFrom<seal::Field> for Field {
    type Error = Fault;

    fn try_from(field: seal::Field) -> Result<Self, Fault> {
        Ok(match field {
            seal::Field::Turn => Self::Turn,
            seal::Field::Command => Self::Command,
            seal::Field::Progress => Self::Progress,
            seal::Field::Candidates => Self::Candidates,
            seal::Field::Grounded => Self::Grounded,
            seal::Field::Embedded => Self::Embedded,
            seal::Field::Observation
            | seal::Field::Vector
            | seal::Field::Drops
            | seal::Field::ReadBack
            | seal::Field::Passages
            | seal::Field::Review => {
                let message =
                    format!("a sealed {field:?} belongs in the store; it was sent to a topic, which is a bug");
                return Err(Fault::stop(Code::Undecodable, message));
            }
        })
    }
}

impl From<Field> for seal::Field {
    fn from(field: Field) -> Self {
        match field {
            Field::Turn => Self::Turn,
            Field::Command => Self::Command,
            Field::Progress => Self::Progress,
            Field::Candidates => Self::Candidates,
            Field::Grounded => Self::Grounded,
            Field::Embedded => Self::Embedded,
        }
    }
}

impl TryFrom<KeyId> for Key {
    type Error = Fault;

    fn try_from(key: KeyId) -> Result<Self, Fault> {
        Ok(match key {
            KeyId::Space { version, attempt } => Self { turn: None, version: version.into(), attempt },
            KeyId::Turn { turn, version, attempt } => {
                Self { turn: Some(*turn.as_bytes()), version: long(version)?, attempt }
            }
        })
    }
}

impl TryFrom<Key> for KeyId {
    type Error = Fault;

    fn try_from(key: Key) -> Result<Self, Fault> {
        let Key { turn, version, attempt } = key;
        Ok(match turn {
            None => Self::Space { version: count(version)?, attempt },
            Some(turn) => Self::Turn { turn: TurnId::from_bytes(turn), version: count(version)?, attempt },
        })
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Change {
    #[serde(with = "fixed")]
    tenant: [u8; 16],
    #[serde(with = "fixed")]
    space: [u8; 16],
    generation: u32,
    applied: Position,
    accepted_ms: i64,
}

impl TryFrom<&ports::Change> for Change {
    type Error = Fault;

    fn try_from(change: &ports::Change) -> Result<Self, Fault> {
        let ports::Change { tenant, space, generation, applied, accepted_ms } = change;
        Ok(Self {
            tenant: *tenant.as_bytes(),
            space: *space.as_bytes(),
            generation: generation.0,
            applied: Position::try_from(*applied)?,
            accepted_ms: *accepted_ms,
        })
    }
}

impl TryFrom<Change> for ports::Change {
    type Error = Fault;

    fn try_from(change: Change) -> Result<Self, Fault> {
        let Change { tenant, space, generation, applied, accepted_ms } = change;
        Ok(Self {
            tenant: TenantId::from_bytes(tenant),
            space: SpaceId::from_bytes(space),
            generation: Generation(generation),
            applied: applied.try_into()?,
            accepted_ms,
        })
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct DeadLetter {
    origin: String,
    partition: u32,
    offset: i64,
    about: Option<About>,
    code: String,
}

#[derive(Serialize, Deserialize)]
struct About {
    #[serde(with = "fixed")]
    tenant: [u8; 16],
    #[serde(with = "fixed")]
    space: [u8; 16],
    #[serde(with = "fixed")]
    id: [u8; 16],
    position: Position,
}

impl TryFrom<&record::DeadLetter> for DeadLetter {
    type Error = Fault;

    fn try_from(dead: &record::DeadLetter) -> Result<Self, Fault> {
        let record::DeadLetter { origin, partition, offset, about, code } = dead;
        Ok(Self {
            origin: origin.name().to_owned(),
            partition: *partition,
            offset: long(*offset)?,
            about: about.as_ref().map(About::try_from).transpose()?,
            code: code.clone(),
        })
    }
}

impl TryFrom<DeadLetter> for record::DeadLetter {
    type Error = Fault;

    fn try_from(dead: DeadLetter) -> Result<Self, Fault> {
        let DeadLetter { origin, partition, offset, about, code } = dead;
        Ok(Self {
            origin: named(&origin)?,
            partition,
            offset: count(offset)?,
            about: about.map(record::About::try_from).transpose()?,
            code,
        })
    }
}

impl TryFrom<&record::About> for About {
    type Error = Fault;

    fn try_from(about: &record::About) -> Result<Self, Fault> {
        let record::About { tenant, space, id, position } = about;
        let position = Position::try_from(*position)?;
        Ok(Self { tenant: *tenant.as_bytes(), space: *space.as_bytes(), id: *id, position })
    }
}

impl TryFrom<About> for record::About {
    type Error = Fault;

    fn try_from(about: About) -> Result<Self, Fault> {
        let About { tenant, space, id, position } = about;
        let (tenant, space) = (TenantId::from_bytes(tenant), SpaceId::from_bytes(space));
        Ok(Self { tenant, space, id, position: position.try_into()? })
    }
}

/// The topic of a name.
fn named(origin: &str) -> Result<Origin, Fault> {
    let all = Topic::ALL.map(Origin::Topic).into_iter().chain([Origin::Completed]);
    let found = all.into_iter().find(|known| known.name() == origin);
    found.ok_or_else(|| Fault::dead_letter(Code::Undecodable, "a dead letter names a topic that is none of ours"))
}

/// Avro has no unsigned numbers.
fn long(number: u64) -> Result<i64, Fault> {
    i64::try_from(number).map_err(|_| {
        Fault::stop(Code::Limit, format!("a record holds {number} as an offset or a version: Avro ends at 2^63"))
    })
}

fn count<T: TryFrom<i64>>(number: i64) -> Result<T, Fault> {
    T::try_from(number).map_err(|_| {
        Fault::dead_letter(Code::Undecodable, format!("a record holds {number} as an offset or a version"))
    })
}
