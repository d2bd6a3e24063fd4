//! What is asked, and its analysis.

use std::collections::BTreeSet;

use saidso_core::{
    limits,
    position::Position,
    text::{self, Language},
};

use crate::{RecallError, term::Term, words::Asked};

/// A question put to one space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// In the customer's or the agent's words.
    pub query: String,
    /// The session it is asked in; tasks of others rank lower.
    pub session: Option<String>,
    /// Results at most; [`limits::RECALL_RESULTS`] unless said.
    pub limit: Option<usize>,
    /// Wait, bounded, until this position is visible.
    pub min_position: Option<Position>,
    /// Superseded memories may come back too, marked.
    pub history: bool,
    /// Answer with what was believed then.
    pub as_of: Option<AsOf>,
}

/// A point in the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsOf {
    /// Only what was said until then, in milliseconds since 1970.
    Time(i64),
    /// Only what stood on the log until then.
    Position(Position),
}

/// A question's words.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The language it is asked in.
    pub language: Language,
    /// Its distinct terms.
    pub asked: Vec<Asked>,
    /// Its distinct content terms, sorted.
    pub content: Vec<Term>,
}

impl Question {
    /// The number of results to give, if every part of the question is within its limit.
    pub fn check(&self) -> Result<usize, RecallError> {
        if self.query.trim().is_empty() {
            return Err(RecallError::QueryEmpty);
        }
        if self.query.len() > limits::QUERY_BYTES {
            return Err(RecallError::QueryTooLong { bytes: self.query.len() });
        }
        let limit = self.limit.unwrap_or(limits::RECALL_RESULTS);
        if limit == 0 || limit > limits::RECALL_RESULTS_MAX {
            return Err(RecallError::Limit { limit });
        }
        Ok(limit)
    }
}

impl Analysis {
    /// Of a question's text.
    pub fn of(query: &str) -> Self {
        let content: BTreeSet<Term> = text::content(query).iter().map(|stem| Term::of(stem)).collect();
        let terms: BTreeSet<Term> = text::terms(query).iter().map(|term| Term::of(term)).collect();
        let asked = terms.union(&content).map(|term| Asked { term: *term, content: content.contains(term) }).collect();
        Self { language: Language::of(query), asked, content: content.into_iter().collect() }
    }
}
