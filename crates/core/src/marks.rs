//! Marks: what is forgotten, for good. They only grow, hold no text, and bind every generation, replay and import.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{
    ids::{Ids, MarkId},
    item::Span,
    observation::Observation,
    text,
};

/// One mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// These bytes of a message, behind the keyed hash of its id.
    Words {
        /// Hash of the message's id.
        message: MarkId,
        /// Which bytes.
        span: Span,
    },
    /// A statement, if it was said no later than this.
    Statement {
        /// Hash of subject, attribute, value, polarity and qualifier.
        about: MarkId,
        /// Milliseconds since 1970; a statement after it is a new one.
        said_ms: i64,
    },
}

/// The marks of a space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    words: HashMap<MarkId, Vec<Span>>,
    statements: HashMap<MarkId, i64>,
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        let mut all = Self::default();
        for mark in marks {
            match mark {
                Mark::Words { message, span } => all.words.entry(message).or_default().push(span),
                Mark::Statement { about, said_ms } => {
                    let latest = all.statements.entry(about).or_insert(said_ms);
                    *latest = said_ms.max(*latest);
                }
            }
        }
        all
    }
}

impl Marks {
    /// The two marks that forget an observation: its words, and its statement up to `said_ms`.
    pub fn of(observation: &Observation, said_ms: i64, ids: &Ids) -> [Mark; 2] {
        let words = Mark::Words {
            message: ids.mark_message(observation.body.message),
            span: observation.body.item.evidence.span,
        };
        [words, Mark::Statement { about: statement(observation, ids), said_ms }]
    }

    /// Whether an observation is forgotten.
    pub fn cover(&self, observation: &Observation, ids: &Ids) -> bool {
        let span = observation.body.item.evidence.span;
        let in_words = || {
            let marked = self.words.get(&ids.mark_message(observation.body.message));
            marked.is_some_and(|spans| spans.iter().any(|marked| marked.overlaps(span)))
        };
        let in_statement = || {
            let said_ms = self.statements.get(&statement(observation, ids));
            said_ms.is_some_and(|said_ms| observation.body.at.ms() <= *said_ms)
        };
        // Most spaces have no marks: no hash is computed for them.
        (!self.words.is_empty() && in_words()) || (!self.statements.is_empty() && in_statement())
    }
}

fn statement(observation: &Observation, ids: &Ids) -> MarkId {
    let item = &observation.body.item;
    let polarity = if item.negated { "not" } else { "" };
    let [attribute, value, qualifier] =
        [&item.topic_key.attribute, &item.value, item.qualifier.as_deref().unwrap_or_default()].map(text::same_key);
    ids.mark_statement(&[&item.topic_key.subject, &attribute, &value, polarity, &qualifier])
}
