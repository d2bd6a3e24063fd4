//! Memories and recalls.

use saidso_core::{fold, item, when};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::filter::{Filter, Rule};

/// What a memory is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TopicKey {
    /// Whom or what it is said of: `customer`, or a name.
    pub subject: String,
    /// What is said of it.
    pub attribute: String,
}

/// One time the customer said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Mention {
    /// The turn's id.
    pub turn: String,
    /// The gateway's name for the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_name: Option<String>,
    /// The message's id.
    pub message: String,
    /// First byte of the quote in the message.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The customer's words there.
    pub quote: String,
    /// The agent's question that those words confirm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// When, RFC 3339 in the customer's offset.
    pub at: String,
}

/// A stretch of time that words name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Time {
    /// The words.
    pub words: String,
    /// The same, absolute, in the customer's zone: `2026-11-04`, `2026-11-02/2026-11-08`, `2026-11`.
    pub text: String,
    /// Its first instant, in milliseconds since 1970.
    pub from_ms: i64,
    /// The instant after its last.
    pub to_ms: i64,
}

/// One thing the customer said, once or often.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Memory {
    /// Its id: its first observation's.
    pub id: String,
    /// `fact`, `topic`, `event`, `instruction` or `task`.
    pub kind: String,
    /// The newest wording.
    pub text: String,
    /// What it is about.
    pub topic_key: TopicKey,
    /// The value.
    pub value: String,
    /// The customer says that the value does not hold.
    pub negated: bool,
    /// What lets it stand beside other values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<String>,
    /// The tenant's slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// `active`; `to_confirm` if nobody spoke of it for long, `pending_confirm` if it contradicts another: both to be
    /// asked about; as history `superseded`, `archived` or `invalid` (too old to be true).
    pub status: String,
    /// From 0 to 1.
    pub importance: f32,
    /// From 0 to 1.
    pub confidence: f32,
    /// First said.
    pub valid_from: String,
    /// When a later statement took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<String>,
    /// The memory that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// How often it was said.
    pub mentions: u32,
    /// When and how it was said: the first time and the newest ones.
    pub evidence: Vec<Mention>,
    /// The times its wording names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Time>,
    /// The memories it is in conflict with, while it is `pending_confirm`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contested_by: Vec<String>,
    /// When the customer last confirmed it without saying it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<String>,
    /// A task whose session is over.
    pub ended: bool,
}

/// The memories of a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Memories {
    /// By when they were first said.
    pub memories: Vec<Memory>,
}

/// Something that was said and not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Drop {
    /// `no_evidence`, `unsupported`, `transient`, `hedged`, `not_customer`, `no_slot`, `sensitive`, `language_drift`,
    /// `echo`, `suppressed` or `invalid`.
    pub reason: String,
    /// The customer's words; empty for `sensitive`.
    pub quote: String,
}

/// What one turn had to drop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TurnDrops {
    /// The turn's id.
    pub turn: String,
    /// The gateway's name for the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_name: Option<String>,
    /// When it was said.
    pub at: String,
    /// What was dropped.
    pub drops: Vec<Drop>,
}

/// What the turns of a space had to drop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Drops {
    /// Turns that had something to drop, oldest first.
    pub turns: Vec<TurnDrops>,
}

/// A question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Recall {
    /// The tenant's name; must be the token's if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The space's name: one customer.
    pub space: String,
    /// What is asked.
    pub query: String,
    /// What the customer is called, where the question may name them: "Where does Anna live?" is then asked as "Where do
    /// I live?". What the customer said of their name is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<String>,
    /// The session that asks; its own tasks are recalled too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The most results; 5 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Wait (bounded) until this position, as a publish answered it, is visible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_position: Option<String>,
    /// History may come back too, marked: superseded, archived and invalid memories.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub history: bool,
    /// Answer with what had been said until then: RFC 3339 with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// Answer with what was on the log until then: a position. Not together with `as_of`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of_position: Option<String>,
    /// Which memories may come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Filter>,
    /// What the words of every result must contain; applied last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must_contain: Vec<Rule>,
    /// Answer in sentences too, each citing results.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub synthesize: bool,
}

impl From<&fold::Memory> for Memory {
    fn from(memory: &fold::Memory) -> Self {
        Self {
            id: memory.id.to_string(),
            kind: name(&memory.kind),
            text: memory.text.clone(),
            topic_key: (&memory.topic_key).into(),
            value: memory.value.clone(),
            negated: memory.negated,
            qualifier: memory.qualifier.clone(),
            slot: memory.slot.clone(),
            status: name(&memory.status),
            importance: memory.importance.as_f32(),
            confidence: memory.confidence.as_f32(),
            valid_from: memory.valid_from.clone(),
            valid_to: memory.valid_to.clone(),
            superseded_by: memory.superseded_by.map(|id| id.to_string()),
            mentions: memory.mentions,
            evidence: memory.evidence.iter().map(Mention::from).collect(),
            times: memory.times.iter().map(Time::from).collect(),
            contested_by: memory.contested_by.iter().map(ToString::to_string).collect(),
            verified: memory.verified.clone(),
            ended: memory.ended,
        }
    }
}

impl From<&fold::Mention> for Mention {
    fn from(mention: &fold::Mention) -> Self {
        Self {
            turn: mention.turn.to_string(),
            turn_name: mention.turn_name.clone(),
            message: mention.message.to_string(),
            start: mention.span.start,
            end: mention.span.end,
            quote: mention.quote.clone(),
            question: mention.question.clone(),
            at: mention.at.clone(),
        }
    }
}

impl From<&when::Time> for Time {
    fn from(time: &when::Time) -> Self {
        let when::Time { words, from_ms, to_ms, text } = time.clone();
        Self { words, text, from_ms, to_ms }
    }
}

impl From<&item::TopicKey> for TopicKey {
    fn from(key: &item::TopicKey) -> Self {
        Self { subject: key.subject.clone(), attribute: key.attribute.clone() }
    }
}

/// The name of a unit variant on the wire.
pub fn name(variant: &impl Serialize) -> String {
    let value = serde_json::to_value(variant).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

impl From<&saidso_recall::TurnDrops> for TurnDrops {
    fn from(turn: &saidso_recall::TurnDrops) -> Self {
        let drop = |drop: &item::Drop| Drop { reason: name(&drop.reason), quote: drop.quote.clone() };
        Self {
            turn: turn.turn.to_string(),
            turn_name: turn.name.clone(),
            at: turn.at.clone(),
            drops: turn.drops.iter().map(drop).collect(),
        }
    }
}
