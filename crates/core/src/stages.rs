//! What the stages hand on: `Candidate → Grounded → Embedded`. Only [`crate::ground`] makes a [`Grounded`].

use serde::{Deserialize, Serialize};

use crate::{
    fault::{Code, Fault},
    ids::{ObservationId, ResultId, ReviewId, SessionId, TurnId},
    item::{Candidate, Drop, Kind, Retraction},
    passages::{Passage, PassageVector},
    review::Verdict,
    seal::{Payload, private::Within},
    turn::{TurnBody, TurnMeta},
    vector::Vector,
};

/// A turn with what the extractor proposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateTurn {
    /// Who, when, which.
    pub meta: TurnMeta,
    /// The words, for grounding.
    pub body: TurnBody,
    /// The proposals.
    pub candidates: Vec<Candidate>,
    /// What was let go so far.
    pub drops: Vec<Drop>,
    /// What the customer may want forgotten.
    pub retractions: Vec<Retraction>,
}

/// An item that stands in the customer's words.
///
/// ```compile_fail
/// fn forge(item: saidso_core::item::Candidate) -> saidso_core::stages::Grounded {
///     saidso_core::stages::Grounded { item }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Grounded {
    item: Candidate,
}

impl Grounded {
    pub(crate) fn new(item: Candidate) -> Self {
        Self { item }
    }

    /// The item.
    pub fn item(&self) -> &Candidate {
        &self.item
    }

    /// Whether the item is embedded: all but tasks and confirmations are.
    pub fn wants_vector(&self) -> bool {
        !matches!(self.item.kind, Kind::Task | Kind::Confirmation)
    }

    /// Joins the item with its vector: `None` exactly if it wants none.
    pub fn embedded(self, vector: Option<Vector>) -> Result<Embedded, Fault> {
        if vector.is_some() != self.wants_vector() {
            return Err(Fault::retry(Code::ModelOutput, "embedded a turn's items: the number of vectors differs"));
        }
        Ok(Embedded { item: self.item, vector })
    }
}

/// A retraction that stands in the customer's words: only [`crate::ground`] makes one, since it deletes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundedRetraction(Retraction);

impl GroundedRetraction {
    pub(crate) fn new(retraction: Retraction) -> Self {
        Self(retraction)
    }

    /// The retraction.
    pub fn get(&self) -> &Retraction {
        &self.0
    }
}

/// An item with its vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    item: Candidate,
    vector: Option<Vector>,
}

impl Embedded {
    /// The item.
    pub fn item(&self) -> &Candidate {
        &self.item
    }

    /// Its vector; tasks have none.
    pub fn vector(&self) -> Option<&Vector> {
        self.vector.as_ref()
    }
}

/// A turn's grounded items.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedTurn {
    /// Who, when, which.
    pub meta: TurnMeta,
    /// The items.
    pub items: Vec<Grounded>,
    /// What was let go so far.
    pub drops: Vec<Drop>,
    /// What the customer may want forgotten, in their own words.
    pub retractions: Vec<GroundedRetraction>,
    /// What the customer said, to be found by its meaning.
    pub passages: Vec<Passage>,
}

/// A turn's embedded items.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedTurn {
    /// Who, when, which.
    pub meta: TurnMeta,
    /// The items.
    pub items: Vec<Embedded>,
    /// What was let go.
    pub drops: Vec<Drop>,
    /// What the customer may want forgotten, each with the vector of what it is about.
    pub retractions: Vec<(GroundedRetraction, Vector)>,
    /// Where its passages stand, each with its vector.
    pub passages: Vec<PassageVector>,
}

/// Asked for by a customer or an agent, in order with the turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Forget, for good, the memories that these observations belong to.
    Forget {
        /// Ids of memories or of any of their observations.
        memories: Vec<ObservationId>,
        /// When it was asked, in milliseconds since 1970: what is said later counts anew.
        at_ms: i64,
    },
    /// The session is over.
    EndSession {
        /// The session.
        session: SessionId,
        /// When, in milliseconds since 1970.
        at_ms: i64,
    },
    /// The words of these turns are kept no longer; what was made of them stays (requirements A15).
    LetGo {
        /// The turns, at most [`crate::limits::LET_GO_TURNS`].
        turns: Vec<TurnId>,
    },
    /// What a request to forget took was read: its key goes.
    ReadBack {
        /// The turn of the request.
        turn: TurnId,
    },
    /// A person has looked at an answer: the question leaves the queue.
    Judge {
        /// The question.
        review: ReviewId,
        /// Asked when, in milliseconds since 1970.
        asked_ms: i64,
        /// The results that the verdict is on.
        results: Vec<ResultId>,
        /// The verdict.
        verdict: Verdict,
    },
}

impl Payload for Command {
    type Wire = Self;
    fn to_wire(&self, _: Within) -> Self {
        self.clone()
    }
    fn from_wire(wire: Self, _: Within) -> Self {
        wire
    }
}

impl Payload for CandidateTurn {
    type Wire = Self;
    fn to_wire(&self, _: Within) -> Self {
        self.clone()
    }
    fn from_wire(wire: Self, _: Within) -> Self {
        wire
    }
}

impl Payload for GroundedTurn {
    type Wire = (TurnMeta, Vec<Candidate>, Vec<Drop>, Vec<Retraction>, Vec<Passage>);
    fn to_wire(&self, _: Within) -> Self::Wire {
        let items = self.items.iter().map(|grounded| grounded.item.clone()).collect();
        let retractions = self.retractions.iter().map(|retraction| retraction.0.clone()).collect();
        (self.meta.clone(), items, self.drops.clone(), retractions, self.passages.clone())
    }
    fn from_wire((meta, items, drops, retractions, passages): Self::Wire, _: Within) -> Self {
        let items = items.into_iter().map(Grounded::new).collect();
        Self { meta, items, drops, retractions: retractions.into_iter().map(GroundedRetraction).collect(), passages }
    }
}

impl Payload for EmbeddedTurn {
    type Wire = (TurnMeta, Vec<(Candidate, Option<Vector>)>, Vec<Drop>, Vec<(Retraction, Vector)>, Vec<PassageVector>);
    fn to_wire(&self, _: Within) -> Self::Wire {
        let items = self.items.iter().map(|embedded| (embedded.item.clone(), embedded.vector.clone())).collect();
        let retractions = self.retractions.iter().map(|(retraction, vector)| (retraction.0.clone(), vector.clone()));
        (self.meta.clone(), items, self.drops.clone(), retractions.collect(), self.passages.clone())
    }
    fn from_wire((meta, items, drops, retractions, passages): Self::Wire, _: Within) -> Self {
        let items = items.into_iter().map(|(item, vector)| Embedded { item, vector }).collect();
        let retractions = retractions.into_iter().map(|(retraction, vector)| (GroundedRetraction(retraction), vector));
        Self { meta, items, drops, retractions: retractions.collect(), passages }
    }
}

impl Payload for Vec<Drop> {
    type Wire = Self;
    fn to_wire(&self, _: Within) -> Self {
        self.clone()
    }
    fn from_wire(wire: Self, _: Within) -> Self {
        wire
    }
}
