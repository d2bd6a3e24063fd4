//! What is asked, and its analysis.

use std::{borrow::Cow, collections::BTreeSet};

use saidso_core::{
    limits,
    position::Position,
    text::{self, Language},
};

use crate::{Filter, RecallError, Rule, people::People, term::Term, words::Asked};

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
    /// Which memories may come back.
    pub filter: Filter,
    /// What the words of every result must contain.
    pub rules: Vec<Rule>,
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
    /// Whom it names besides the customer.
    pub people: People,
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

/// A question without the words that name the customer: whose space it is goes without saying, and in Chinese they would
/// make pairs with their neighbours.
fn without_customer(query: &str) -> Cow<'_, str> {
    const NAMED: [&str; 4] = ["the customer", "The customer", "客户", "顾客"];
    // The customer's own customers are somebody else.
    const OWN: [&str; 5] = ["的客户", "们客户", "的顾客", "们顾客", "客户们"];
    match NAMED.iter().find(|name| query.contains(*name)) {
        Some(name) if !OWN.iter().any(|own| query.contains(own)) => Cow::Owned(query.replace(name, " ")),
        _ => Cow::Borrowed(query),
    }
}

/// Characters that ask, in Chinese and Japanese: a pair with one of them is part of the frame of the question, as "what"
/// and "where" are, which count as function words already.
const ASKING: [char; 9] = ['什', '么', '哪', '谁', '吗', '呢', '几', '怎', '何'];

impl Analysis {
    /// Of a question's text.
    pub fn of(query: &str) -> Self {
        let query = without_customer(query);
        let query = query.as_ref();
        let content = text::content(query);
        let content: BTreeSet<Term> =
            content.iter().filter(|stem| !stem.contains(ASKING)).map(|stem| Term::of(stem)).collect();
        let terms: BTreeSet<Term> = text::terms(query).iter().map(|term| Term::of(term)).collect();
        let people = People::of(terms.iter().copied());
        let asked = terms.union(&content).map(|term| Asked { term: *term, content: content.contains(term) }).collect();
        Self { language: Language::of(query), asked, content: content.into_iter().collect(), people }
    }
}
