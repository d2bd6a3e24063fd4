//! When two statements say the same, and when one replaces the other.

use std::collections::{BTreeSet, HashMap};

use crate::{
    calibration::Calibration,
    item::{Candidate, Kind},
    observation::Observation,
    text,
};

/// Share of content words, in hundredths of the union, from which two wordings may say the same.
const SAME_WORDS: usize = 60;
/// The same, for a wording that was just read out to the customer: a paraphrase of it is still an echo.
const ECHO_WORDS: usize = 34;
/// Nearness of statements that agree in topic key and value; above every cosine.
const EXACT: i32 = 20_000;

/// An observation with what comparing it needs.
pub(super) struct Statement<'a> {
    pub observation: &'a Observation,
    content: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl<'a> Statement<'a> {
    pub fn of(observation: &'a Observation) -> Self {
        let wording = &observation.body.item.text;
        Self { observation, content: text::content(wording), numbers: text::numbers(wording) }
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
                } else if self.another_value(other) || self.numbers != other.numbers {
                    None
                } else {
                    let near = self.near(other)?;
                    (near >= calibration.duplicate.get(a.language) && self.shared(other, SAME_WORDS)).then_some(near)
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
            && (a.topic_key.attribute == b.topic_key.attribute && a.value == b.value || self.shared(recalled, ECHO_WORDS))
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

    fn near(&self, other: &Self) -> Option<i32> {
        self.observation.vector.as_ref()?.cosine(other.observation.vector.as_ref()?)
    }

    fn shared(&self, other: &Self, hundredths: usize) -> bool {
        let both = self.content.intersection(&other.content).count();
        let either = self.content.len() + other.content.len() - both;
        either > 0 && both * 100 >= either * hundredths
    }
}

/// Finds the memories worth comparing, so that folding stays near linear.
#[derive(Default)]
pub(super) struct Index {
    by_word: HashMap<(Kind, String), Vec<usize>>,
    by_key: HashMap<(Kind, String, String), Vec<usize>>,
}

impl Index {
    pub fn add(&mut self, statement: &Statement<'_>, index: usize) {
        let kind = statement.item().kind;
        for word in &statement.content {
            push(self.by_word.entry((kind, word.clone())).or_default(), index);
        }
        push(self.by_key.entry(key(statement)).or_default(), index);
    }

    /// Memories about the same thing.
    pub fn about(&self, statement: &Statement<'_>) -> Vec<usize> {
        self.by_key.get(&key(statement)).cloned().unwrap_or_default()
    }

    /// Memories that can say the same, oldest first. Whoever shares 60 of 100 words of the union shares one of any
    /// `n − ⌈0.6·n⌉ + 1` of a statement's n words, so the rarest of them are enough to look up (prefix filtering,
    /// Chaudhuri et al. 2006).
    pub fn candidates(&self, statement: &Statement<'_>) -> BTreeSet<usize> {
        let kind = statement.item().kind;
        let mut found: BTreeSet<usize> = self.about(statement).into_iter().collect();
        let mut lists: Vec<&[usize]> = statement
            .content
            .iter()
            .map(|word| self.by_word.get(&(kind, word.clone())).map(Vec::as_slice).unwrap_or_default())
            .collect();
        lists.sort_by_key(|list| list.len());
        let needed = lists.len() - (lists.len() * SAME_WORDS).div_ceil(100) + 1;
        found.extend(lists.into_iter().take(needed).flatten());
        found
    }
}

fn push(list: &mut Vec<usize>, index: usize) {
    // Merges add an older index again after newer ones, so the whole list would have to be searched; doubles are
    // harmless to the readers, who collect into sets, and rare.
    if list.last() != Some(&index) {
        list.push(index);
    }
}

fn key(statement: &Statement<'_>) -> (Kind, String, String) {
    let item = statement.item();
    (item.kind, item.topic_key.subject.clone(), item.topic_key.attribute.clone())
}
