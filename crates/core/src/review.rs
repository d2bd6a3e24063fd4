//! Review: questions whose answers nobody was sure of wait for a person's verdict (requirements B4).
//!
//! The queue is transport: lossy, bounded, and what waits in it goes with what it shows. A verdict is kept for as long as
//! what it is about, and lies outside the fold: what was said stays what was said, whoever doubts an answer.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use crate::{
    decay::DAY_MS,
    fault::Fault,
    ids::{NotAnId, ResultId, ReviewId, SpaceId, TenantId},
    limits,
    ports::{Entropy, Keys},
    scope::Scope,
    seal::{self, Field, Generation, NamedKey, Payload, Place, Sealed, private::Within},
};

/// A result that nobody was sure of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Doubtful {
    /// The memory, or the customer's message.
    pub result: ResultId,
    /// How likely it belongs to the question, 0…1.
    pub confidence: f32,
}

/// A question that waits for a verdict on its answer. Of a question that is asked again, the last answer waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewRow {
    /// The question, by its words.
    pub id: ReviewId,
    /// When it was asked, in milliseconds since 1970.
    pub asked_ms: i64,
    /// What it was answered with, best first.
    pub results: Vec<Doubtful>,
    /// Its words ([`Question`]), under the space's own key.
    pub sealed: Sealed,
}

/// The words of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question(pub String);

/// What waits, with its words.
pub type Asked = (ReviewRow, Question);

impl Payload for Question {
    type Wire = String;
    fn to_wire(&self, _: Within) -> String {
        self.0.clone()
    }
    fn from_wire(wire: String, _: Within) -> Self {
        Self(wire)
    }
}

impl ReviewRow {
    /// Seals a question.
    pub fn seal(
        scope: &Scope,
        id: ReviewId,
        asked_ms: i64,
        results: Vec<Doubtful>,
        question: &Question,
        key: &NamedKey,
        entropy: &dyn Entropy,
    ) -> Self {
        Self { id, asked_ms, results, sealed: seal::seal(key, place(scope, id), question, entropy) }
    }

    /// The question's words; `None` if their key is gone.
    pub fn open(&self, scope: &Scope, keys: &dyn Keys) -> Result<Option<Question>, Fault> {
        let key = keys.key(scope, self.sealed.key)?;
        key.map(|key| seal::open(&key, place(scope, self.id), &self.sealed)).transpose()
    }

    /// Whether nobody gave a verdict for so long that it waits no more.
    pub fn is_over(&self, now_ms: i64) -> bool {
        now_ms.saturating_sub(self.asked_ms) >= limits::REVIEW_DAYS * DAY_MS
    }
}

fn place(scope: &Scope, id: ReviewId) -> Place<'_> {
    Place { scope, id: *id.as_bytes(), generation: Generation::ALL, field: Field::Review }
}

/// Of what waits in a space, what may not: what is over, and the oldest beyond [`limits::REVIEWS`].
pub fn surplus(mut rows: Vec<ReviewRow>, now_ms: i64) -> Vec<ReviewRow> {
    rows.sort_by_key(|row| (std::cmp::Reverse(row.asked_ms), row.id));
    let mut kept = 0;
    rows.retain(|row| {
        kept += usize::from(!row.is_over(now_ms));
        row.is_over(now_ms) || kept > limits::REVIEWS
    });
    rows
}

/// What waits in a space, whoever's it is. What names the space grants nothing: opening what waits does ([`open`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// Whose space.
    pub tenant: TenantId,
    /// Which space.
    pub space: SpaceId,
    /// What waits.
    pub rows: Vec<ReviewRow>,
}

/// Opens what a store came upon in a space: as with [`crate::record::open_turns`], a seal that recall made under the
/// space's key proves whose it is. `None`: nothing in it has its key.
pub fn open(queue: &Queue, keys: &dyn Keys) -> Result<Option<(Scope, Vec<Asked>)>, Fault> {
    let scope = Scope::new(queue.tenant, queue.space);
    let mut open = Vec::with_capacity(queue.rows.len());
    for row in &queue.rows {
        open.extend(row.open(&scope, keys)?.map(|question| (row.clone(), question)));
    }
    Ok((!open.is_empty()).then_some((scope, open)))
}

/// What a person says of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// It belongs to the question: with it the answer is not flagged again.
    Accepted,
    /// It does not: it weighs less from now on, whatever is asked.
    Rejected,
}

/// A verdict on one result. Unique by all but the verdict: of two on the same answer the later stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VerdictRow {
    /// On what.
    pub result: ResultId,
    /// As the answer to which question.
    pub review: ReviewId,
    /// Asked when, in milliseconds since 1970.
    pub asked_ms: i64,
    /// What was said.
    pub verdict: Verdict,
}

/// What the verdicts in a space come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdicts {
    rejections: HashMap<ResultId, u32>,
    accepted: HashSet<(ReviewId, ResultId)>,
}

impl Verdicts {
    /// Of rows; `named` tells what a result is called now: a memory may have got an earlier observation since.
    pub fn of(rows: &[VerdictRow], named: impl Fn(ResultId) -> ResultId) -> Self {
        let mut verdicts = Self::default();
        let mut last: HashMap<(ReviewId, ResultId), (i64, Verdict)> = HashMap::new();
        let mut counted: HashSet<(ResultId, ReviewId, i64)> = HashSet::new();
        for VerdictRow { result, review, asked_ms, verdict } in rows {
            let result = named(*result);
            // Two names of a memory in one answer are one rejection.
            if *verdict == Verdict::Rejected && counted.insert((result, *review, *asked_ms)) {
                *verdicts.rejections.entry(result).or_default() += 1;
            }
            let newest = last.entry((*review, result)).or_insert((*asked_ms, *verdict));
            // Two of one instant are of two names of a memory: the stricter counts.
            let stricter = *asked_ms == newest.0 && *verdict == Verdict::Rejected;
            if *asked_ms > newest.0 || stricter {
                *newest = (*asked_ms, *verdict);
            }
        }
        let accepted = last.into_iter().filter(|(_, (_, verdict))| *verdict == Verdict::Accepted);
        verdicts.accepted = accepted.map(|(pair, _)| pair).collect();
        verdicts
    }

    /// How often a result was rejected.
    pub fn rejections(&self, result: ResultId) -> u32 {
        self.rejections.get(&result).copied().unwrap_or_default()
    }

    /// Whether any answer was accepted: if not, nothing has to be looked up.
    pub fn accept_any(&self) -> bool {
        !self.accepted.is_empty()
    }

    /// Whether a result was accepted as the answer to a question, and not rejected since.
    pub fn accept(&self, review: ReviewId, result: ResultId) -> bool {
        self.accepted.contains(&(review, result))
    }
}

/// What a reviewer calls a question that waits: its space and its id. It grants nothing: [`crate::access::admit_by`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The space.
    pub space: SpaceId,
    /// The question.
    pub review: ReviewId,
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.space, self.review)
    }
}

impl FromStr for Ticket {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let (space, review) = text.split_at_checked(32).ok_or(NotAnId)?;
        Ok(Self { space: space.parse()?, review: review.parse()? })
    }
}
