//! Marks: what is forgotten, for good. They only grow, hold no text, and bind every generation, replay and import.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    ids::{Ids, MarkId},
    item::Span,
    observation::Observation,
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
pub struct Marks(BTreeSet<Mark>);

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        Self(marks.into_iter().collect())
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
        if self.0.is_empty() {
            return false;
        }
        let words = ids.mark_message(observation.body.message);
        let about = statement(observation, ids);
        let span = observation.body.item.evidence.span;
        self.0.iter().any(|mark| match *mark {
            Mark::Words { message, span: marked } => message == words && marked.overlaps(span),
            Mark::Statement { about: marked, said_ms } => marked == about && observation.body.at.ms() <= said_ms,
        })
    }

    /// The marks.
    pub fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.0.iter()
    }
}

fn statement(observation: &Observation, ids: &Ids) -> MarkId {
    let item = &observation.body.item;
    let polarity = if item.negated { "not" } else { "" };
    let qualifier = item.qualifier.as_deref().unwrap_or_default();
    ids.mark_statement(&[&item.topic_key.subject, &item.topic_key.attribute, &item.value, polarity, qualifier])
}
