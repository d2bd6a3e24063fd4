//! Frames: which schema wrote a value, then its bytes.

use std::sync::Arc;

use saidso_core::{
    fault::{Code, Fault},
    ports::Change,
    record::{COMPLETED, DeadLetter, RecordParts},
    turn::SubmittedTurn,
};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    avro::Format,
    messages,
    registry::{Client, Registry},
    schemas::Schemas,
};

/// The first byte of Confluent's frame.
const CONFLUENT: u8 = 0;

/// Values of topics to bytes and back. A clone shares what was learnt from the registry.
///
/// `topic` is a topic's full name. Reading takes all of the bytes, or none. [`Fault`]s:
/// - `Retry`: the registry is away, and has to be asked. What was asked before goes on working.
/// - `DeadLetter`: the bytes are not one whole record. On the public topic also: whoever wrote it used a schema that
///   nobody knows.
/// - `Stop`: the registry refuses our schema, or a record cannot be read before an operator does something: it needs a
///   registry and none is configured, or an internal topic carries one of a version newer than this.
#[derive(Clone)]
pub struct Codec {
    schemas: &'static Schemas,
    registry: Option<Arc<Client>>,
    completed: Arc<str>,
}

impl Codec {
    /// One that writes single-object encoding, and reads it, of this version and every released one.
    pub fn without_registry() -> Result<Self, Fault> {
        Self::new("", None)
    }

    /// One that writes Confluent's frames, and reads both. Asks nothing yet: each schema is registered when it is first
    /// used on a topic, so the registry may be away at the start. `prefix` stands before the name of every topic.
    pub fn with_registry(registry: &Registry, prefix: &str) -> Result<Self, Fault> {
        Self::new(prefix, Some(Client::new(registry)?))
    }

    fn new(prefix: &str, registry: Option<Client>) -> Result<Self, Fault> {
        let completed = format!("{prefix}{COMPLETED}").into();
        Ok(Self { schemas: Schemas::compiled()?, registry: registry.map(Arc::new), completed })
    }

    /// Registers the schema of the public topic, so that gateways find it there before they write. Costs nothing once it
    /// is done: whoever reads the topic does this first, each time.
    pub fn announce(&self) -> Result<(), Fault> {
        match &self.registry {
            Some(registry) => registry.number(&self.completed, &self.schemas.turn).map(drop),
            None => Ok(()),
        }
    }

    /// A turn, as a gateway writes it.
    pub fn turn(&self, topic: &str, turn: &SubmittedTurn) -> Result<Vec<u8>, Fault> {
        self.encode(&self.schemas.turn, topic, &messages::TurnCompleted::from(turn.clone()))
    }

    /// What [`Codec::turn`] or any other Avro client wrote.
    pub fn read_turn(&self, bytes: &[u8]) -> Result<SubmittedTurn, Fault> {
        let turn: messages::TurnCompleted = self.decode(&self.schemas.turn, bytes, Fault::dead_letter)?;
        Ok(turn.into())
    }

    /// A record of an internal topic.
    pub fn record(&self, topic: &str, record: &RecordParts) -> Result<Vec<u8>, Fault> {
        self.encode(&self.schemas.record, topic, &messages::Record::try_from(record)?)
    }

    /// What [`Codec::record`] wrote.
    pub fn read_record(&self, bytes: &[u8]) -> Result<RecordParts, Fault> {
        self.decode::<messages::Record>(&self.schemas.record, bytes, Fault::stop)?.try_into()
    }

    /// A change.
    pub fn change(&self, topic: &str, change: &Change) -> Result<Vec<u8>, Fault> {
        self.encode(&self.schemas.change, topic, &messages::Change::try_from(change)?)
    }

    /// What [`Codec::change`] wrote.
    pub fn read_change(&self, bytes: &[u8]) -> Result<Change, Fault> {
        self.decode::<messages::Change>(&self.schemas.change, bytes, Fault::stop)?.try_into()
    }

    /// A dead letter.
    pub fn dead_letter(&self, topic: &str, dead: &DeadLetter) -> Result<Vec<u8>, Fault> {
        self.encode(&self.schemas.dead_letter, topic, &messages::DeadLetter::try_from(dead)?)
    }

    /// What [`Codec::dead_letter`] wrote.
    pub fn read_dead_letter(&self, bytes: &[u8]) -> Result<DeadLetter, Fault> {
        self.decode::<messages::DeadLetter>(&self.schemas.dead_letter, bytes, Fault::stop)?.try_into()
    }

    fn encode<T: Serialize>(&self, format: &Format, topic: &str, value: &T) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        match &self.registry {
            None => bytes.extend_from_slice(format.header()),
            Some(registry) => {
                bytes.push(CONFLUENT);
                bytes.extend_from_slice(&registry.number(topic, format)?.to_be_bytes());
            }
        }
        format.write(&mut bytes, value)?;
        Ok(bytes)
    }

    /// `unknown` makes the fault where nobody knows the schema that wrote the bytes.
    fn decode<T: DeserializeOwned>(
        &self,
        format: &Format,
        bytes: &[u8],
        unknown: fn(Code, String) -> Fault,
    ) -> Result<T, Fault> {
        if let Some((header @ [0xC3, 0x01, ..], body)) = bytes.split_first_chunk::<10>() {
            let writer = format.released(header).ok_or_else(|| {
                let name = format.name();
                let message =
                    format!("a {name} was written by a schema that this version does not know: upgrade it first");
                unknown(Code::NewerFormat, message)
            })?;
            return format.read(writer, body);
        }
        if let Some(([CONFLUENT, number @ ..], body)) = bytes.split_first_chunk::<5>() {
            let registry = self.registry.as_ref().ok_or_else(|| {
                let name = format.name();
                let message = format!("a {name} names its schema by a registry's number: configure that registry");
                // On the public topic it is one writer's mistake, and must not keep the others' turns waiting.
                unknown(Code::Undecodable, message)
            })?;
            let writer = registry.writer(u32::from_be_bytes(*number), format, unknown)?;
            return format.read(&writer, body);
        }
        let message = format!("{} bytes are in no frame of Avro: a {} has one", bytes.len(), format.name());
        Err(Fault::dead_letter(Code::Undecodable, message))
    }
}
