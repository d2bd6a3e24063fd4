//! An observation: one grounded item, as said once. What the store keeps, sealed.

use serde::{Deserialize, Serialize};

use crate::{
    fault::{Code, Fault},
    ids::{Ids, MemoryId, MessageId, ObservationId, SessionId, TurnId},
    item::{Candidate, Kind},
    ports::{Entropy, Keys},
    position::Position,
    scope::Scope,
    seal::{self, Field, Generation, KeyId, NamedKey, Payload, Place, Sealed, private::Within},
    stages::Embedded,
    time::Moment,
    turn::TurnMeta,
    vector::Vector,
    when::{self, Time},
};

/// One grounded item, as said once, in the clear.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Keyed hash of turn, message, span and kind.
    pub id: ObservationId,
    /// Where the turn stands on the head log.
    pub position: Position,
    /// The rest, as it is sealed.
    pub body: ObservationBody,
    /// The vector; tasks have none.
    pub vector: Option<Vector>,
}

/// What is sealed of an observation, the vector apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ObservationBody {
    /// The turn.
    pub turn: TurnId,
    /// The gateway's name for the turn.
    pub turn_name: Option<String>,
    /// The session.
    pub session: SessionId,
    /// The message that the evidence points into.
    pub message: MessageId,
    /// When it was said.
    pub at: Moment,
    /// The item.
    pub item: Candidate,
    /// Memories that were recalled for the turn.
    pub recalled: Vec<MemoryId>,
    /// The times its words name, made absolute (requirements A12).
    pub times: Vec<Time>,
}

struct BodyPayload(ObservationBody);

impl Payload for BodyPayload {
    type Wire = ObservationBody;
    fn to_wire(&self, _: Within) -> ObservationBody {
        self.0.clone()
    }
    fn from_wire(wire: ObservationBody, _: Within) -> Self {
        Self(wire)
    }
}

struct VectorPayload(Vector);

impl Payload for VectorPayload {
    type Wire = Vector;
    fn to_wire(&self, _: Within) -> Vector {
        self.0.clone()
    }
    fn from_wire(wire: Vector, _: Within) -> Self {
        Self(wire)
    }
}

impl Observation {
    /// From an embedded item of a turn. `None` if its evidence names no message of the turn, which grounding rules out.
    pub fn new(embedded: &Embedded, meta: &TurnMeta, position: Position, ids: &Ids) -> Option<Self> {
        let item = embedded.item();
        let message = *meta.messages.get(item.evidence.message as usize)?;
        Some(Self {
            id: ids.observation(meta.id, message, item.evidence.span, item.kind),
            position,
            body: ObservationBody {
                turn: meta.id,
                turn_name: meta.name.clone(),
                session: meta.session,
                message,
                at: meta.at.clone(),
                item: item.clone(),
                recalled: meta.recalled.clone(),
                times: when::times(&item.evidence.quote, item.language, &meta.at),
            },
            vector: embedded.vector().cloned(),
        })
    }
}

/// An observation as a backend stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservationRow {
    /// The row's id.
    pub id: ObservationId,
    /// The turn.
    pub turn: TurnId,
    /// The turn's position.
    pub position: Position,
    /// When it was said, in milliseconds since 1970.
    pub at_ms: i64,
    /// What sort of memory.
    pub kind: Kind,
    /// Everything readable.
    pub body: Sealed,
    /// The vector.
    pub vector: Option<Sealed>,
}

/// A sealed observation: the only form the store takes.
///
/// ```compile_fail
/// fn forge(row: saidso_core::observation::ObservationRow) -> saidso_core::observation::SealedObservation {
///     saidso_core::observation::SealedObservation(row)
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedObservation(ObservationRow);

impl SealedObservation {
    /// Seals under the turn's key.
    pub fn seal(
        observation: &Observation,
        scope: &Scope,
        generation: Generation,
        key: &NamedKey,
        entropy: &dyn Entropy,
    ) -> Self {
        let id = *observation.id.as_bytes();
        let place = |field| Place { scope, id, generation, field };
        let body = BodyPayload(observation.body.clone());
        let vector = observation.vector.clone().map(VectorPayload);
        Self(ObservationRow {
            id: observation.id,
            turn: observation.body.turn,
            position: observation.position,
            at_ms: observation.body.at.ms(),
            kind: observation.body.item.kind,
            body: seal::seal(key, place(Field::Observation), &body, entropy),
            vector: vector.map(|vector| seal::seal(key, place(Field::Vector), &vector, entropy)),
        })
    }

    /// From a row that a store read back. A row that was not sealed for its place will not open.
    pub fn stored(row: ObservationRow) -> Self {
        Self(row)
    }

    /// The row, to store.
    pub fn row(&self) -> &ObservationRow {
        &self.0
    }

    /// Sealed bytes.
    pub fn bytes(&self) -> usize {
        self.0.body.bytes.len() + self.0.vector.as_ref().map_or(0, |vector| vector.bytes.len())
    }

    /// Which key it needs.
    pub fn key(&self) -> KeyId {
        self.0.body.key
    }

    /// Opens it; `None` if its key was destroyed.
    pub fn open(&self, scope: &Scope, generation: Generation, keys: &dyn Keys) -> Result<Option<Observation>, Fault> {
        let row = &self.0;
        let Some(key) = keys.key(scope, row.body.key)? else {
            return Ok(None);
        };
        let place = |field| Place { scope, id: *row.id.as_bytes(), generation, field };
        let BodyPayload(body) = seal::open(&key, place(Field::Observation), &row.body)?;
        if body.turn != row.turn || body.at.ms() != row.at_ms || body.item.kind != row.kind {
            return Err(Fault::dead_letter(Code::Damaged, "opened an observation: its columns and its seal disagree"));
        }
        let vector = match &row.vector {
            Some(sealed) => {
                let VectorPayload(vector) = seal::open(&key, place(Field::Vector), sealed)?;
                Some(vector)
            }
            None => None,
        };
        Ok(Some(Observation { id: row.id, position: row.position, body, vector }))
    }
}
