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
    numbers: BTreeSet<String>,
    vector: Option<Fixed>,
}

impl<'a> Statement<'a> {
    pub fn of(observation: &'a Observation) -> Self {
        let wording = &observation.body.item.text;
        let vector = observation.vector.as_ref().map(|vector| vector.fixed());
        Self { observation, content: text::content(wording), numbers: text::numbers(wording), vector }
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
        let about = a.topic_key.attribute == b.topic_key.attribute;
        match a.kind {
            Kind::Topic => (about && a.value == b.value).then_some(EXACT),
            Kind::Task => (self.content == other.content && self.numbers == other.numbers).then_some(EXACT),
            Kind::Fact | Kind::Instruction | Kind::Event => {
                if a.qualifier != b.qualifier {
                    None
                } else if about && a.value == b.value {
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
            && (a.topic_key.attribute == b.topic_key.attribute && a.value == b.value
                || self.shared(recalled, ECHO_WORDS))
    }

    /// Whether this ends `standing` (requirements A9): the opposite of it, or another value where one stands at a time.
    pub fn replaces(&self, standing: &Self) -> bool {
        let (a, b) = (self.item(), standing.item());
        if !matches!(a.kind, Kind::Fact | Kind::Instruction)
            || a.kind != b.kind
            || a.topic_key.subject != b.topic_key.subject
            || a.topic_key.attribute != b.topic_key.attribute
            || a.qualifier != b.qualifier
        {
            return false;
        }
        if a.value == b.value { a.negated != b.negated } else { !a.topic_key.many && !a.negated && !b.negated }
    }

    /// Both are values of one thing that has one value at a time, and they differ.
    fn another_value(&self, other: &Self) -> bool {
        let (a, b) = (self.item(), other.item());
        let single = !a.topic_key.many || !b.topic_key.many;
        // Of two different things, at least one single-valued, nothing can be merged either.
        single && (a.topic_key.attribute != b.topic_key.attribute || a.value != b.value)
    }

    fn shared(&self, other: &Self, hundredths: usize) -> bool {
        let both = self.content.intersection(&other.content).count();
        let either = self.content.len() + other.content.len() - both;
        either > 0 && both * 100 >= either * hundredths
    }
}
