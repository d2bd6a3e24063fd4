//! A memory: what the fold of one thing's observations shows.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;

use super::draft::Draft;
use crate::{
    ids::{MemoryId, MessageId, ObservationId, SessionId, TurnId},
    item::{Candidate, Kind, Span, TopicKey, Unit},
    limits,
    observation::Observation,
    position::Position,
    text::Language,
    time::Moment,
    vector::Vector,
    when::Time,
};

/// Whether a memory stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is current.
    Active,
    /// Nobody spoke of it for so long that it should be asked about before it is relied on. Comes of time: see
    /// [`crate::decay`].
    ToConfirm,
    /// It contradicts another that was said not long before or after; which holds is to be asked.
    PendingConfirm,
    /// A later statement took its place; it is history.
    Superseded,
    /// A much later statement took its place without saying so, or nobody asked for it for very long.
    Archived,
    /// Too old to be true still. Comes of time: see [`crate::decay`].
    Invalid,
}

/// One time the customer said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mention {
    /// The turn.
    pub turn: TurnId,
    /// The gateway's name for the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_name: Option<String>,
    /// The message.
    pub message: MessageId,
    /// Where in the message.
    pub span: Span,
    /// The customer's words there.
    pub quote: String,
    /// The agent's question that those words confirm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// When.
    pub at: String,
}

/// One thing the customer said, once or often. Serialises to its part of the logical export (requirements A11):
/// without positions, key ids and vectors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Memory {
    /// Its first observation's id.
    pub id: MemoryId,
    /// What sort.
    pub kind: Kind,
    /// The newest wording.
    pub text: String,
    /// What it is about.
    pub topic_key: TopicKey,
    /// The value.
    pub value: String,
    /// The value is denied.
    pub negated: bool,
    /// What lets it stand beside other values.
    pub qualifier: Option<String>,
    /// The tenant's slot.
    pub slot: Option<String>,
    /// Whether it stands.
    pub status: Status,
    /// The highest of its mentions'.
    pub importance: Unit,
    /// The highest of its mentions'.
    pub confidence: Unit,
    /// First said, RFC 3339.
    pub valid_from: String,
    /// When a later statement took its place, RFC 3339.
    pub valid_to: Option<String>,
    /// What took its place, if anything did: "neither" ends two values and names no other.
    pub superseded_by: Option<MemoryId>,
    /// How often it was said.
    pub mentions: u32,
    /// When and how it was said, oldest first. Of many, the first time and the newest, different words before repeated ones:
    /// of a topic, the dated trail of what was wanted with it.
    pub evidence: Vec<Mention>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// Questions it answers.
    pub questions: Vec<String>,
    /// The times its newest wording names, made absolute.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Time>,
    /// The others it is in conflict with while its status is [`Status::PendingConfirm`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contested_by: Vec<MemoryId>,
    /// When the customer last confirmed it without saying it again, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<String>,
    /// The language of the newest wording.
    pub language: Language,
    /// A task whose session is over.
    pub ended: bool,
    /// The newest session it was said in.
    pub session: SessionId,
    /// When it was first said.
    #[serde(skip)]
    pub first: Moment,
    /// When it was last said, or confirmed.
    #[serde(skip)]
    pub last: Moment,
    /// The newest wording's vector; tasks have none.
    #[serde(skip)]
    pub vector: Option<Vector>,
    /// The position of its newest mention.
    #[serde(skip)]
    pub position: Position,
}

/// What a space's observations come to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Folded {
    /// Current memories and history, by when they were first said.
    pub memories: Vec<Memory>,
    /// For every observation, echoes too, the memory it belongs to.
    pub aliases: HashMap<ObservationId, MemoryId>,
    /// Observations that only said a recalled memory back.
    pub echoes: Vec<ObservationId>,
}

impl Folded {
    /// A memory by its id or any of its observations'.
    pub fn get(&self, id: ObservationId) -> Option<&Memory> {
        let id = self.aliases.get(&id)?;
        self.memories.iter().find(|memory| memory.id == *id)
    }
}

/// The memory a draft comes to. `ids`: those of all drafts.
pub(super) fn finish(draft: &Draft<'_>, ids: &[MemoryId], ended: &[(SessionId, i64)], contested: Unit) -> Memory {
    let (first, newest) = (draft.mentions[0], draft.newest.observation);
    let item: &Candidate = &newest.body.item;
    let highest = |of: fn(&Candidate) -> Unit| {
        draft.mentions.iter().map(|observation| of(&observation.body.item)).max().unwrap_or(of(item))
    };
    let session = newest.body.session;
    let status = draft.status();
    let confidence = highest(|item| item.confidence);
    Memory {
        id: first.id,
        kind: item.kind,
        text: item.text.clone(),
        topic_key: item.topic_key.clone(),
        value: item.value.clone(),
        negated: item.negated,
        qualifier: item.qualifier.clone(),
        slot: item.slot.clone(),
        status,
        importance: highest(|item| item.importance),
        confidence: if status == Status::PendingConfirm { confidence.min(contested) } else { confidence },
        valid_from: first.body.at.to_string(),
        valid_to: draft.ended.as_ref().map(|ended| ended.at.to_string()),
        superseded_by: draft.ended.as_ref().and_then(|ended| ended.by).map(|by| ids[by]),
        mentions: draft.mentions.len() as u32,
        evidence: listed(&draft.mentions).map(mention).collect(),
        keywords: item.keywords.clone(),
        questions: item.questions.clone(),
        times: newest.body.times.clone(),
        contested_by: draft.rivals.iter().map(|rival| ids[*rival]).collect(),
        verified: draft.verified.map(Moment::to_string),
        language: item.language,
        ended: item.kind == Kind::Task && ended.iter().any(|(id, at)| *id == session && *at >= newest.body.at.ms()),
        session,
        first: first.body.at.clone(),
        last: draft.last().clone(),
        vector: newest.vector.clone(),
        position: newest.position,
    }
}

/// The mentions that evidence lists, oldest first: the first; then of different words the newest, and of the same words,
/// as far as there is room, the newest again. So a topic's trail keeps each thing that was wanted of it.
fn listed<'a>(mentions: &[&'a Observation]) -> impl Iterator<Item = &'a Observation> {
    let mut places: BTreeSet<usize> = (0..mentions.len()).collect();
    if mentions.len() > limits::MEMORY_EVIDENCE {
        let mut words = HashSet::new();
        let (new, again): (Vec<usize>, Vec<usize>) =
            (1..mentions.len()).rev().partition(|place| words.insert(&mentions[*place].body.item.evidence.quote));
        places = [0].into_iter().chain(new).chain(again).take(limits::MEMORY_EVIDENCE).collect();
    }
    places.into_iter().map(|place| mentions[place])
}

fn mention(observation: &Observation) -> Mention {
    let body = &observation.body;
    Mention {
        turn: body.turn,
        turn_name: body.turn_name.clone(),
        message: body.message,
        span: body.item.evidence.span,
        quote: body.item.evidence.quote.clone(),
        question: body.item.question.as_ref().map(|question| question.quote.clone()),
        at: body.at.to_string(),
    }
}
