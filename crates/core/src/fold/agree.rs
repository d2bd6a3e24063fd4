//! When two statements say the same, when one says the other back, and when they cannot both hold.

use std::{cell::OnceCell, collections::BTreeSet};

use crate::{
    calibration::Calibration,
    decay::DAY_MS,
    item::{Candidate, Kind},
    observation::Observation,
    text::{self, Word},
    vector::Fixed,
    when::Time,
};

/// Share of content words, in hundredths of the union, from which two wordings may say the same.
pub(super) const SAME_WORDS: usize = 60;
/// The same, for a wording that was just read out to the customer: a paraphrase of it is still an echo.
const ECHO_WORDS: usize = 34;
/// Nearness of statements that agree in topic key and value; above every cosine.
const EXACT: i32 = 20_000;

/// How a statement and one that stands exclude each other (requirements A10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clash {
    /// One denies what the other says.
    Opposite,
    /// Two values of a thing that has one at a time.
    Values,
}

/// How one of two different values stands to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    /// All its words are the other's: "Flask" after "Flask 2.3".
    Vaguer,
    /// It has all the other's words, and more.
    Finer,
    /// It is another one.
    Apart,
}

/// An observation with what comparing it needs.
pub(super) struct Statement<'a> {
    pub observation: &'a Observation,
    /// Its content words; of an event without its time, which is compared as a time.
    pub content: BTreeSet<String>,
    /// What its attribute, value and qualifier are compared by ([`text::same_key`]).
    pub attribute: String,
    pub value: String,
    qualifier: Option<String>,
    numbers: BTreeSet<String>,
    vector: Option<Fixed>,
    details: OnceCell<Details>,
}

/// What only statements that are alike already are compared by.
struct Details {
    /// Words of the names in it.
    names: BTreeSet<String>,
    denies: bool,
    /// The content words of its value, in their order.
    value: Vec<String>,
}

impl<'a> Statement<'a> {
    pub fn of(observation: &'a Observation) -> Self {
        let item = &observation.body.item;
        let (text, value) = match item.kind {
            Kind::Event => (undated(&item.text, times(observation)), stems(&undated(&item.value, times(observation)))),
            _ => (item.text.clone(), Vec::new()),
        };
        Self {
            observation,
            content: text::content(&text),
            attribute: text::same_key(&item.topic_key.attribute),
            value: if value.is_empty() { text::same_key(&item.value) } else { value.join(" ") },
            qualifier: item.qualifier.as_deref().map(text::same_key),
            numbers: text::numbers(&text),
            vector: observation.vector.as_ref().map(|vector| vector.fixed()),
            details: OnceCell::new(),
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
        match a.kind {
            Kind::Topic => self.same_value(other).then_some(EXACT),
            Kind::Confirmation => None,
            Kind::Task => (self.content == other.content && self.numbers == other.numbers).then_some(EXACT),
            Kind::Fact | Kind::Instruction | Kind::Event => {
                if self.repeats(other) {
                    (self.one_at_a_time() || !self.another_one(other)).then_some(EXACT)
                } else if self.one_day(other) {
                    Some(EXACT - 1)
                } else if self.qualifier != other.qualifier
                    || self.another_value(other)
                    || self.numbers != other.numbers
                    || !shared(&self.content, &other.content, SAME_WORDS)
                {
                    None
                } else {
                    let near = self.vector.as_ref()?.cosine(other.vector.as_ref()?)?;
                    (near >= calibration.duplicate.get(a.language) && self.same_details(other)).then_some(near)
                }
            }
        }
    }

    /// Whether this says back what `recalled` holds and adds nothing to it: no value, number, name, qualifier or time of
    /// its own (requirements B9).
    pub fn says_back(&self, recalled: &Self) -> bool {
        let (a, b) = (self.item(), recalled.item());
        if a.kind != b.kind
            || a.negated != b.negated
            || (self.qualifier.is_some() && self.qualifier != recalled.qualifier)
            || !self.numbers.is_subset(&recalled.numbers)
            || !times(self.observation).iter().all(|time| times(recalled.observation).iter().any(|t| overlap(time, t)))
        {
            return false;
        }
        let subject = a.topic_key.subject == b.topic_key.subject;
        // The same topic may be spoken of with another intent: there the words decide.
        if subject && self.same_value(recalled) && a.kind != Kind::Topic {
            return true;
        }
        if self.attribute == recalled.attribute && self.another_value(recalled) {
            return false;
        }
        // A paraphrase may use a word in another part of speech.
        let said = |word: &&String| recalled.content.iter().any(|other| *word == other || text::kin(word, other));
        let (old, new): (BTreeSet<&String>, BTreeSet<&String>) = self.content.iter().partition(said);
        let known = |words: &mut dyn Iterator<Item = &String>| {
            let mut left = words.filter(|word| new.contains(word)).peekable();
            left.peek().is_none() || {
                let about = recalled.about();
                left.all(|word| about.contains(word))
            }
        };
        let details = self.details();
        known(&mut self.content.iter())
            || subject
                && !self.another_value(recalled)
                && old.len() * 100 >= (recalled.content.len() + new.len()) * ECHO_WORDS
                && known(&mut details.value.iter())
                && known(&mut details.names.iter())
    }

    /// How this and `standing` exclude each other, if they do. A qualifier lets values stand side by side; a change or
    /// denial without one speaks of all of them.
    pub fn clash(&self, standing: &Self) -> Option<Clash> {
        let (a, b) = (self.item(), standing.item());
        let of_all = self.qualifier.is_none() && (a.changed || a.negated);
        if !matches!(a.kind, Kind::Fact | Kind::Instruction)
            || a.kind != b.kind
            || a.topic_key.subject != b.topic_key.subject
            || self.attribute != standing.attribute
            || (self.qualifier != standing.qualifier && !of_all)
        {
            None
        } else if self.value == standing.value {
            (a.negated != b.negated).then_some(Clash::Opposite)
        } else {
            (self.one_at_a_time() && !a.negated && !b.negated).then_some(Clash::Values)
        }
    }

    /// Whether both say this value of this thing, for the same qualifier.
    pub fn repeats(&self, other: &Self) -> bool {
        let (a, b) = (self.item(), other.item());
        a.kind == b.kind
            && a.topic_key.subject == b.topic_key.subject
            && a.negated == b.negated
            && self.qualifier == other.qualifier
            && self.same_value(other)
    }

    /// Whether the two rest on the same words of a message.
    pub fn shares_words(&self, other: &Self) -> bool {
        let (a, b) = (&self.observation.body, &other.observation.body);
        a.message == b.message && a.item.evidence.span.overlaps(b.item.evidence.span)
    }

    /// How its value stands to another's.
    pub fn precision(&self, other: &Self) -> Precision {
        let words = |of: &Self| of.details().value.iter().cloned().collect::<BTreeSet<_>>();
        let denies = |of: &Self| text::negations(&of.item().value) > 0;
        let (own, others) = (words(self), words(other));
        if own.is_empty() || others.is_empty() || denies(self) != denies(other) {
            Precision::Apart
        } else if own.is_subset(&others) {
            Precision::Vaguer
        } else if others.is_subset(&own) {
            Precision::Finer
        } else {
            Precision::Apart
        }
    }

    /// Whether what it is about has one value at a time: it is no list, or a slot's list of different things, each named
    /// by its qualifier (requirements A4: `multi`, acting per qualifier).
    pub fn one_at_a_time(&self) -> bool {
        let item = self.item();
        !item.topic_key.many || (item.slot.is_some() && item.qualifier.is_some())
    }

    /// The same value of the same thing.
    pub fn same_value(&self, other: &Self) -> bool {
        self.attribute == other.attribute && self.value == other.value
    }

    /// Whether the words of its value all stand in a text.
    pub fn is_named_in(&self, text: &BTreeSet<String>) -> bool {
        let value = text::content(&self.item().value);
        !value.is_empty() && value.is_subset(text)
    }

    /// Whether some word of its value stands in a text.
    pub fn is_touched_by(&self, text: &BTreeSet<String>) -> bool {
        !text::content(&self.item().value).is_disjoint(text)
    }

    /// Where a text first names what this says and another does not, by the value or else by the wording.
    pub fn told_apart(&self, other: &Self, words: &[Word]) -> Option<usize> {
        let at = |term: &String| {
            let alone = words.iter().position(|word| word.stem == *term);
            alone.or_else(|| words.windows(2).position(|two| format!("{}{}", two[0].text, two[1].text) == *term))
        };
        let values = (text::content(&self.item().value), text::content(&other.item().value));
        let first = |own: &BTreeSet<String>, others: &BTreeSet<String>| own.difference(others).filter_map(at).min();
        first(&values.0, &values.1).or_else(|| first(&self.content, &other.content))
    }

    /// Both are values of one thing that has one value at a time, and they differ.
    fn another_value(&self, other: &Self) -> bool {
        // Of two different things, at least one single-valued, nothing can be merged either.
        (self.one_at_a_time() || other.one_at_a_time()) && !self.same_value(other)
    }

    /// Content words of its topic key and value.
    fn about(&self) -> BTreeSet<String> {
        let item = self.item();
        let parts = [&item.topic_key.subject, &item.topic_key.attribute, &item.value, &item.evidence.quote];
        parts.iter().flat_map(|part| text::content(part)).collect()
    }

    /// Of a list, or of events, another one under the same name: each has a number or a name that the other has not ("I walk
    /// 2 miles a day", "I have a dog called Rex").
    fn another_one(&self, other: &Self) -> bool {
        let beyond = |one: &BTreeSet<String>, other: &BTreeSet<String>| !one.is_subset(other);
        let names = |one: &Self, other: &Self| beyond(&one.details().names, &other.content);
        (beyond(&self.numbers, &other.numbers) && beyond(&other.numbers, &self.numbers))
            || (names(self, other) && names(other, self))
    }

    /// Whether both are events of one day that they name ("yesterday I signed the lease", a day later "I signed it two days
    /// ago"), and one says no more than the other does: in the same words, but for some.
    fn one_day(&self, other: &Self) -> bool {
        let dated = |one: &Self, two: &Self| {
            let day = |time: &Time| time.to_ms - time.from_ms <= DAY_MS;
            let both = |time: &Time| times(two.observation).iter().any(|then| day(then) && overlap(time, then));
            let own = times(one.observation);
            !own.is_empty() && own.iter().all(|time| day(time) && both(time))
        };
        let (few, more) = if self.content.len() <= other.content.len() { (self, other) } else { (other, self) };
        let (a, b) = (few.details(), more.details());
        dated(self, other)
            && dated(other, self)
            && few.content.len() >= 2
            && few.content.is_subset(&more.content)
            && self.qualifier == other.qualifier
            && few.numbers.is_subset(&more.numbers)
            && a.denies == b.denies
            && a.names.is_subset(&more.content)
    }

    /// What nearness in words and vectors misses: who is named, what is denied, and who does it to whom.
    fn same_details(&self, other: &Self) -> bool {
        let (a, b) = (self.details(), other.details());
        let set = |value: &[String]| value.iter().cloned().collect::<BTreeSet<_>>();
        let (left, right) = (set(&a.value), set(&b.value));
        a.denies == b.denies
            && a.names.is_subset(&other.content)
            && b.names.is_subset(&self.content)
            && (left == right || shared(&left, &right, SAME_WORDS))
            && a.value
                .iter()
                .filter(|word| right.contains(*word))
                .eq(b.value.iter().filter(|word| left.contains(*word)))
    }

    fn details(&self) -> &Details {
        self.details.get_or_init(|| {
            let item = self.item();
            let times = times(self.observation);
            let names = text::names(&undated(&item.text, times));
            Details {
                names: names.iter().flat_map(|name| text::content(name)).collect(),
                denies: text::negations(&item.text) > 0,
                value: stems(&undated(&item.value, times)),
            }
        })
    }
}

/// Whether two events may have been at the same time: their dates if both have one; else one was told within `slack_ms` of
/// the other, or of the other's date (requirements A8).
pub(super) fn same_time(a: &Observation, b: &Observation, slack_ms: i64) -> bool {
    let (left, right) = (times(a), times(b));
    let told = |one: &Observation| one.body.at.ms();
    let within = |one: &Time, at: i64| one.from_ms - slack_ms <= at && at <= one.to_ms + slack_ms;
    if !left.is_empty() && !right.is_empty() {
        let (fewer, more) = if left.len() <= right.len() { (left, right) } else { (right, left) };
        return fewer.iter().all(|time| more.iter().any(|other| overlap(time, other)));
    }
    told(a).abs_diff(told(b)) <= slack_ms.unsigned_abs()
        || left.iter().any(|time| within(time, told(b)))
        || right.iter().any(|time| within(time, told(a)))
}

/// The times an event's words name; what other kinds name is part of what they say.
fn times(observation: &Observation) -> &[Time] {
    match observation.body.item.kind {
        Kind::Event => &observation.body.times,
        _ => &[],
    }
}

fn overlap(a: &Time, b: &Time) -> bool {
    a.from_ms < b.to_ms && b.from_ms < a.to_ms
}

/// A text without the words that name times.
fn undated(text: &str, times: &[Time]) -> String {
    let mut left = text.to_owned();
    for time in times {
        if let Some(span) = text::find_quote(&left, &time.words) {
            left.replace_range(span.start as usize..span.end as usize, " ");
        }
    }
    left
}

/// Content stems in their order.
fn stems(text: &str) -> Vec<String> {
    text::words(text).into_iter().filter(|word| !word.stop).map(|word| word.stem).collect()
}

fn shared(a: &BTreeSet<String>, b: &BTreeSet<String>, hundredths: usize) -> bool {
    let both = a.intersection(b).count();
    let either = a.len() + b.len() - both;
    either > 0 && both * 100 >= either * hundredths
}
