//! When two statements say the same, and when one replaces the other.

use std::collections::BTreeSet;

use crate::{
    calibration::Calibration,
    item::{Candidate, Kind},
    observation::Observation,
    text,
    vector::Fixed,
};

/// Share of content words, in hundredths of the union, from which two wordings may say the same.
pub(super) const SAME_WORDS: usize = 60;
/// The same, for a wording that was just read out to the customer: a paraphrase of it is still an echo.
const ECHO_WORDS: usize = 34;
/// Nearness of statements that agree in topic key and value; above every cosine.
const EXACT: i32 = 20_000;

/// An observation with what comparing it needs.
pub(super) struct Statement<'a> {
    pub observation: &'a Observation,
    pub content: BTreeSet<String>,
    /// What its attribute, value and qualifier are compared by ([`text::same_key`]).
    pub attribute: String,
    pub value: String,
    qualifier: Option<String>,
    numbers: BTreeSet<String>,
    vector: Option<Fixed>,
}

impl<'a> Statement<'a> {
    pub fn of(observation: &'a Observation) -> Self {
        let item = &observation.body.item;
        let vector = observation.vector.as_ref().map(|vector| vector.fixed());
        Self {
            observation,
            content: text::content(&item.text),
            attribute: text::same_key(&item.topic_key.attribute),
            value: text::same_key(&item.value),
            qualifier: item.qualifier.as_deref().map(text::same_key),
            numbers: text::numbers(&item.text),
            vector,
        }
    }

    pub fn item(&self) -> &'a Candidate {
        &self.observation.body.item
    }

    /// How near the two are if they say the same, else `None` (requirements A8).
    pub fn same(&self, other: &Self, calibration: &Calibration) -> Option<i32> {
        let (a, b) = (self.item(), other.item());
        if a.kind != b.kind || a.topic_key.subject != b.topic_key.subject || a.negated != b.negated {
            return None;
        }
        let about = self.attribute == other.attribute;
        match a.kind {
            Kind::Topic => (about && self.value == other.value).then_some(EXACT),
            Kind::Confirmation => None,
            Kind::Task => (self.content == other.content && self.numbers == other.numbers).then_some(EXACT),
            Kind::Fact | Kind::Instruction | Kind::Event => {
                if self.qualifier != other.qualifier {
                    None
                } else if about && self.value == other.value {
                    Some(EXACT)
                } else if self.another_value(other) || self.numbers != other.numbers || !self.shared(other, SAME_WORDS)
                {
                    None
                } else {
                    let near = self.vector.as_ref()?.cosine(other.vector.as_ref()?)?;
                    (near >= calibration.duplicate.get(a.language)).then_some(near)
                }
            }
        }
    }

    /// Whether this says back what `recalled` holds.
    pub fn says_back(&self, recalled: &Self) -> bool {
        let (a, b) = (self.item(), recalled.item());
        a.kind == b.kind
            && a.topic_key.subject == b.topic_key.subject
            && a.negated == b.negated
            && !self.another_value(recalled)
            && self.numbers.is_subset(&recalled.numbers)
            && (self.attribute == recalled.attribute && self.value == recalled.value
                || self.shared(recalled, ECHO_WORDS))
    }

    /// Whether this ends `standing` (requirements A9): the opposite of it, or another value where one stands at a time.
    pub fn replaces(&self, standing: &Self) -> bool {
        let (a, b) = (self.item(), standing.item());
        if !matches!(a.kind, Kind::Fact | Kind::Instruction)
            || a.kind != b.kind
            || a.topic_key.subject != b.topic_key.subject
            || self.attribute != standing.attribute
        {
            return false;
        }
        // A qualifier lets values stand side by side, but a change or denial without one speaks of all of them.
        let of_all = self.qualifier.is_none() && (a.changed || a.negated);
        if self.qualifier != standing.qualifier && !of_all {
            return false;
        }
        if self.value == standing.value {
            a.negated != b.negated
        } else {
            !a.topic_key.many && !a.negated && !b.negated
        }
    }

    /// Both are values of one thing that has one value at a time, and they differ.
    fn another_value(&self, other: &Self) -> bool {
        let (a, b) = (self.item(), other.item());
        let single = !a.topic_key.many || !b.topic_key.many;
        // Of two different things, at least one single-valued, nothing can be merged either.
        single && (self.attribute != other.attribute || self.value != other.value)
    }

    fn shared(&self, other: &Self, hundredths: usize) -> bool {
        let both = self.content.intersection(&other.content).count();
        let either = self.content.len() + other.content.len() - both;
        either > 0 && both * 100 >= either * hundredths
    }
}
