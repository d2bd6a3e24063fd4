//! Questions whose answers nobody was sure of, and what a person says of them.

use saidso_core::{review, time::Moment};
use saidso_recall as recall;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{memories::name, recalled::NOTICE};

/// What waits for review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Reviews {
    /// Marks the words as data; always the same.
    pub notice: String,
    /// The newest question first.
    pub reviews: Vec<Review>,
}

/// A question whose answer nobody was sure of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// Its id: what a verdict names.
    pub id: String,
    /// The id of its space, the same for every question about one customer.
    pub space: String,
    /// What was asked.
    pub query: String,
    /// When it was last asked, RFC 3339.
    pub asked_at: String,
    /// What it was answered with, best first.
    pub results: Vec<Reviewed>,
}

/// One result of such an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Reviewed {
    /// The memory's id, or the message's.
    pub id: String,
    /// `memory`: extracted and grounded; `message`: raw words of the customer.
    pub source: String,
    /// The statement, or the raw words.
    pub text: String,
    /// The customer's own words, as last said.
    pub quote: String,
    /// When they were last said, RFC 3339.
    pub said_at: String,
    /// How likely it belongs to the question, 0 to 1.
    pub retrieval_confidence: f32,
}

/// What a person says of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// On which results; on all of them unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<String>>,
}

/// A verdict on results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum Verdict {
    /// They belong to the question: an answer to it that has one of them is not flagged again.
    Accept,
    /// They do not: they weigh less from now on, and after a second time come back as history alone.
    Reject,
}

impl From<Verdict> for review::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accept => Self::Accepted,
            Verdict::Reject => Self::Rejected,
        }
    }
}

impl Reviews {
    /// Of these.
    pub fn of(reviews: Vec<Review>) -> Self {
        Self { notice: NOTICE.to_owned(), reviews }
    }
}

impl Review {
    /// Of what waits, opened.
    pub fn of(
        ticket: review::Ticket,
        asked_ms: i64,
        question: review::Question,
        results: Vec<recall::Reviewed>,
    ) -> Self {
        Self {
            id: ticket.to_string(),
            space: ticket.space.to_string(),
            query: question.0,
            asked_at: Moment::at(asked_ms, None).map(|at| at.to_string()).unwrap_or_default(),
            results: results.into_iter().map(Reviewed::from).collect(),
        }
    }
}

impl From<recall::Reviewed> for Reviewed {
    fn from(reviewed: recall::Reviewed) -> Self {
        Self {
            id: reviewed.id.to_string(),
            source: name(&reviewed.source),
            text: reviewed.text,
            quote: reviewed.quote,
            said_at: reviewed.said_at,
            retrieval_confidence: reviewed.confidence,
        }
    }
}
