//! Marks: what is forgotten, for good. They only grow, hold no text, and bind every generation, replay and import.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{
    ids::{Ids, MarkId, MessageId},
    item::{Span, Stated, TopicKey},
    observation::Observation,
    retract::Late,
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
        /// Hash of subject, attribute, value, polarity and qualifier; or of what is forgotten whatever is said of it ([`Late`]).
        about: MarkId,
        /// Milliseconds since 1970; a statement after it is a new one.
        said_ms: i64,
    },
}

/// How much of an observation is forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// Nothing.
    None,
    /// Some of the words it rests on; what is left of them may still support it ([`crate::retract::cut`]).
    Part,
    /// Its statement, or all of its words.
    Whole,
}

/// The marks of a space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    words: HashMap<MarkId, Vec<Span>>,
    statements: HashMap<MarkId, i64>,
    /// Nothing said after it is forgotten as a statement.
    until_ms: Option<i64>,
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        let mut all = Self::default();
        all.extend(marks);
        all
    }
}

impl Extend<Mark> for Marks {
    fn extend<I: IntoIterator<Item = Mark>>(&mut self, marks: I) {
        for mark in marks {
            match mark {
                Mark::Words { message, span } => self.words.entry(message).or_default().push(span),
                Mark::Statement { about, said_ms } => {
                    self.until_ms = self.until_ms.max(Some(said_ms));
                    let latest = self.statements.entry(about).or_insert(said_ms);
                    *latest = said_ms.max(*latest);
                }
            }
        }
    }
}

impl Marks {
    /// The two marks that forget an observation: its words, and its statement up to `said_ms`.
    pub fn of(observation: &Observation, said_ms: i64, ids: &Ids) -> [Mark; 2] {
        [Self::words_of(observation, ids), Mark::Statement { about: statement(observation, ids), said_ms }]
    }

    /// The mark that forgets a statement up to `said_ms`, before anybody is known to have made it.
    pub fn of_stated(stated: &Stated, said_ms: i64, ids: &Ids) -> Mark {
        let Stated { topic_key, value, negated, qualifier } = stated;
        Mark::Statement { about: about(topic_key, value, *negated, qualifier.as_deref(), ids), said_ms }
    }

    /// The mark that forgets what is still to arrive and was said up to `said_ms`.
    pub fn of_late(late: &Late, said_ms: i64, ids: &Ids) -> Mark {
        Mark::Statement { about: name(late, ids), said_ms }
    }

    /// When it was said that what an observation states was never so.
    pub fn denied(&self, observation: &Observation, ids: &Ids) -> Option<i64> {
        let item = &observation.body.item;
        let denied = (!item.negated && self.reaches(observation)).then(|| Late::Denied(Stated::of(item)))?;
        self.until(name(&denied, ids), observation)
    }

    /// The mark that forgets an observation's words.
    pub fn words_of(observation: &Observation, ids: &Ids) -> Mark {
        let message = ids.mark_message(observation.body.message);
        Mark::Words { message, span: observation.body.item.evidence.span }
    }

    /// What of a message is forgotten, in no order.
    pub fn words(&self, message: MessageId, ids: &Ids) -> &[Span] {
        // Most spaces have no marks: no hash is computed for them.
        match self.words.is_empty() {
            true => &[],
            false => self.words.get(&ids.mark_message(message)).map_or(&[], Vec::as_slice),
        }
    }

    /// How much of an observation is forgotten.
    pub fn covering(&self, observation: &Observation, ids: &Ids) -> Cover {
        let evidence = &observation.body.item.evidence;
        let words = self.words(observation.body.message, ids);
        if self.covers_statement(observation, ids) {
            Cover::Whole
        } else if !words.iter().any(|marked| marked.overlaps(evidence.span)) {
            Cover::None
        } else if evidence.without(words).is_none() {
            Cover::Whole
        } else {
            Cover::Part
        }
    }

    /// Whether an observation is not to be shown as it is: some of it is forgotten, or all.
    pub fn cover(&self, observation: &Observation, ids: &Ids) -> bool {
        self.covering(observation, ids) != Cover::None
    }

    fn covers_statement(&self, observation: &Observation, ids: &Ids) -> bool {
        let late = || {
            Late::of(&observation.body.item).into_iter().any(|late| self.until(name(&late, ids), observation).is_some())
        };
        self.reaches(observation) && (self.until(statement(observation, ids), observation).is_some() || late())
    }

    /// Whether a statement may be forgotten: most were said after all that is, and no hash is computed for them.
    fn reaches(&self, observation: &Observation) -> bool {
        self.until_ms.is_some_and(|until_ms| observation.body.at.ms() <= until_ms)
    }

    /// Up to when something is forgotten, if an observation was said by then.
    fn until(&self, about: MarkId, observation: &Observation) -> Option<i64> {
        self.statements.get(&about).copied().filter(|until_ms| observation.body.at.ms() <= *until_ms)
    }
}

fn name(late: &Late, ids: &Ids) -> MarkId {
    let parts = late.parts();
    // Six parts: no statement has as many.
    let [kind, a, b, c, d] = parts.each_ref().map(String::as_str);
    ids.mark_statement(&["late", kind, a, b, c, d])
}

fn statement(observation: &Observation, ids: &Ids) -> MarkId {
    let item = &observation.body.item;
    about(&item.topic_key, &item.value, item.negated, item.qualifier.as_deref(), ids)
}

fn about(key: &TopicKey, value: &str, negated: bool, qualifier: Option<&str>, ids: &Ids) -> MarkId {
    let polarity = if negated { "not" } else { "" };
    let [attribute, value, qualifier] = [&key.attribute, value, qualifier.unwrap_or_default()].map(text::same_key);
    ids.mark_statement(&[&key.subject, &attribute, &value, polarity, &qualifier])
}
