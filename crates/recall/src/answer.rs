//! What a recall answers: results that explain themselves, or, first class, nothing.

use saidso_core::{
    fold::{Memory, Mention, Status},
    ids::{MessageId, TurnId},
    item::{Kind, TopicKey},
    when::Time,
};
use serde::Serialize;

use crate::{
    Probe, Provenance, fitted,
    search::{Found, Item},
    space::Space,
    standing::At,
};

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Nothing in the space is close enough.
    pub empty: bool,
    /// The results, best first.
    pub memories: Vec<Recalled>,
    /// No result is sure enough: somebody should look at it before it is relied on.
    pub review: bool,
    /// When memory of this customer begins, RFC 3339; absent if it has not begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_since: Option<String>,
    /// Only in an answer as of an instant that lies further back than history is kept: so many days it is. Such an answer
    /// is empty, for what held then may be gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_days: Option<u16>,
    /// A question for the customer, where a result is contested: once a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
    /// What requests to forget took and nobody has read, by the turns of the requests: to be read to the customer, once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_backs: Vec<TurnId>,
}

/// Where a result comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A memory: extracted and grounded.
    Memory,
    /// A message of the customer, raw.
    Message,
}

/// A result: data about the customer, never an instruction to anybody.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recalled {
    /// The memory's id, or the message's.
    pub id: String,
    /// Which of the two.
    pub source: Source,
    /// What sort of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The statement, or the raw words.
    pub text: String,
    /// The customer's own words, as last said.
    pub quote: String,
    /// The agent's question that those words confirm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// When they were last said, RFC 3339.
    pub said_at: String,
    /// The same as a day of the customer's: `2026-03-03`.
    pub said_on: String,
    /// The turn they were last said in: the gateway's name for it, else its id.
    pub turn: String,
    /// The message they stand in.
    pub message: MessageId,
    /// Retrieval score, 0…1: comparable within an answer.
    pub score: f32,
    /// How likely it belongs to the question, 0…1; absent where nothing was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retrieval_confidence: Option<f32>,
    /// What only a memory has.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Facts>,
    /// What picked the words out; absent for raw messages, which nothing picked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extractor: Option<String>,
    /// What turned the question into a vector.
    pub embedder: String,
}

/// What a memory's result says besides its words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Facts {
    /// Whether it is current.
    pub status: Status,
    /// 0…1.
    pub importance: f32,
    /// 0…1.
    pub confidence: f32,
    /// How often it was said.
    pub mentions: u32,
    /// What it is about.
    pub topic_key: TopicKey,
    /// The value.
    pub value: String,
    /// The value is denied.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub negated: bool,
    /// What lets it stand beside other values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<String>,
    /// The tenant's slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// First said, RFC 3339.
    pub valid_from: String,
    /// When a later statement took its place, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<String>,
    /// Every listed time it was said, oldest first.
    pub evidence: Vec<Mention>,
    /// The times that its words name, made absolute.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Time>,
    /// When the customer last confirmed it without saying it again, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<String>,
    /// How familiar an agent may sound about it.
    pub warmth: Warmth,
}

/// How familiar an agent may sound, by how often the memory was surfaced before (requirements B7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warmth {
    /// The first two times: as if reading it from a file.
    Neutral,
    /// The third and fourth time: as one who remembers.
    Warm,
    /// From the fifth time on: as one who knows them.
    Personal,
}

impl Warmth {
    /// Of a memory that was surfaced so often before.
    pub fn of(hits: u32) -> Self {
        match hits {
            0 | 1 => Self::Neutral,
            2 | 3 => Self::Warm,
            _ => Self::Personal,
        }
    }
}

/// What a log odds is as a probability.
pub(crate) fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

impl Answer {
    pub(crate) fn of(space: &Space, at: &At<'_>, found: &[Found], provenance: &Provenance) -> Self {
        let of = |found: &Found| {
            let sure = probability(found.evidence);
            recalled(space, at, found, provenance)
                .map(|recalled| Recalled { retrieval_confidence: Some(sure), ..recalled })
        };
        let memories: Vec<Recalled> = found.iter().filter_map(of).collect();
        let sure = |recalled: &Recalled| recalled.retrieval_confidence.is_some_and(|sure| sure >= fitted::SURE);
        let review = !memories.is_empty() && !memories.iter().any(sure);
        let memory_since = space.since().map(str::to_owned);
        let read_backs = space.read_backs.clone();
        Self { empty: memories.is_empty(), memories, review, memory_since, history_days: None, probe: None, read_backs }
    }
}

/// `None` only for a memory without evidence, which the fold does not make.
pub(crate) fn recalled(space: &Space, at: &At<'_>, found: &Found, provenance: &Provenance) -> Option<Recalled> {
    let embedder = provenance.embedder.clone();
    match found.item {
        Item::Memory(index) => {
            let memory = &space.memories[index as usize];
            let last = memory.evidence.last()?;
            Some(Recalled {
                id: memory.id.to_string(),
                source: Source::Memory,
                kind: Some(memory.kind),
                text: memory.text.clone(),
                quote: last.quote.clone(),
                question: last.question.clone(),
                said_at: last.at.clone(),
                said_on: day(&last.at),
                turn: last.turn_name.clone().unwrap_or_else(|| last.turn.to_string()),
                message: last.message,
                score: found.score,
                retrieval_confidence: None,
                memory: Some(Facts::of(memory, at.standing(space, index).status, at.hits_of(memory))),
                extractor: Some(provenance.extractor.clone()),
                embedder,
            })
        }
        Item::Passage(index) => {
            let passage = &space.passages[index as usize];
            let turn = space.turn_of(index);
            Some(Recalled {
                id: passage.message.to_string(),
                source: Source::Message,
                kind: None,
                text: passage.text.clone(),
                quote: passage.text.clone(),
                question: None,
                said_at: turn.at.clone(),
                said_on: day(&turn.at),
                turn: turn.name.clone(),
                message: passage.message,
                score: found.score,
                retrieval_confidence: None,
                memory: None,
                extractor: None,
                embedder,
            })
        }
    }
}

/// The day of an RFC 3339 time, on the clock it is written in.
fn day(at: &str) -> String {
    at.split('T').next().unwrap_or_default().to_owned()
}

impl Facts {
    fn of(memory: &Memory, status: Status, hits: u32) -> Self {
        Self {
            status,
            importance: memory.importance.as_f32(),
            confidence: memory.confidence.as_f32(),
            mentions: memory.mentions,
            topic_key: memory.topic_key.clone(),
            value: memory.value.clone(),
            negated: memory.negated,
            qualifier: memory.qualifier.clone(),
            slot: memory.slot.clone(),
            valid_from: memory.valid_from.clone(),
            valid_to: memory.valid_to.clone(),
            evidence: memory.evidence.clone(),
            times: memory.times.clone(),
            verified: memory.verified.clone(),
            warmth: Warmth::of(hits),
        }
    }
}
