//! A memory or a result as expectations are compared with it.

use std::{collections::HashMap, fmt};

use saidso_core::{
    fold::{Memory, Status},
    ids::MemoryId,
    item::Kind,
    text::Language,
    when::Time,
};
use saidso_recall::{Recalled, Source, Warmth};

use super::format::{Expected, Words};

/// What is known of it. `None`: results do not say.
#[derive(Debug, Clone)]
pub struct View {
    /// Its id: a memory's, or a raw message's.
    pub id: String,
    text: String,
    quotes: Vec<String>,
    questions: Vec<String>,
    raw: bool,
    status: Option<Status>,
    kind: Option<Kind>,
    slot: Option<String>,
    subject: String,
    about: String,
    value: String,
    negated: bool,
    qualifier: Option<String>,
    mentions: u32,
    times: Vec<String>,
    confidence: f32,
    since: String,
    until: Option<String>,
    replaced_by: Option<Option<String>>,
    contested_by: Option<Vec<String>>,
    verified: Option<Option<String>>,
    language: Option<Language>,
    warmth: Option<Warmth>,
    said_on: Option<String>,
}

impl View {
    /// Of memories; `all` are those that they name each other by.
    pub fn of_memories(memories: &[Memory], all: &[Memory]) -> Vec<Self> {
        let texts: HashMap<MemoryId, &str> = all.iter().map(|memory| (memory.id, memory.text.as_str())).collect();
        let text = |id: &MemoryId| texts.get(id).map_or_else(|| id.to_string(), |text| (*text).to_owned());
        let view = |memory: &Memory| View {
            id: memory.id.to_string(),
            text: memory.text.clone(),
            quotes: memory.evidence.iter().map(|mention| mention.quote.clone()).collect(),
            questions: memory.evidence.iter().filter_map(|mention| mention.question.clone()).collect(),
            raw: false,
            status: Some(memory.status),
            kind: Some(memory.kind),
            slot: memory.slot.clone(),
            subject: memory.topic_key.subject.clone(),
            about: memory.topic_key.attribute.clone(),
            value: memory.value.clone(),
            negated: memory.negated,
            qualifier: memory.qualifier.clone(),
            mentions: memory.mentions,
            times: times(&memory.times),
            confidence: memory.confidence.as_f32(),
            since: memory.valid_from.clone(),
            until: memory.valid_to.clone(),
            replaced_by: Some(memory.superseded_by.as_ref().map(text)),
            contested_by: Some(memory.contested_by.iter().map(text).collect()),
            verified: Some(memory.verified.clone()),
            language: Some(memory.language),
            warmth: None,
            said_on: None,
        };
        memories.iter().map(view).collect()
    }

    /// Of a result.
    pub fn of_result(result: &Recalled) -> Self {
        let facts = result.memory.as_ref();
        View {
            id: result.id.clone(),
            text: result.text.clone(),
            quotes: facts.map_or_else(
                || vec![result.quote.clone()],
                |facts| facts.evidence.iter().map(|mention| mention.quote.clone()).collect(),
            ),
            questions: result.question.iter().cloned().collect(),
            raw: result.source == Source::Message,
            status: facts.map(|facts| facts.status),
            kind: result.kind,
            slot: facts.and_then(|facts| facts.slot.clone()),
            subject: facts.map(|facts| facts.topic_key.subject.clone()).unwrap_or_default(),
            about: facts.map(|facts| facts.topic_key.attribute.clone()).unwrap_or_default(),
            value: facts.map(|facts| facts.value.clone()).unwrap_or_default(),
            negated: facts.is_some_and(|facts| facts.negated),
            qualifier: facts.and_then(|facts| facts.qualifier.clone()),
            mentions: facts.map_or(0, |facts| facts.mentions),
            times: facts.map(|facts| times(&facts.times)).unwrap_or_default(),
            confidence: facts.map_or(0.0, |facts| facts.confidence),
            since: facts.map(|facts| facts.valid_from.clone()).unwrap_or_default(),
            until: facts.and_then(|facts| facts.valid_to.clone()),
            replaced_by: None,
            contested_by: None,
            verified: facts.map(|facts| facts.verified.clone()),
            language: None,
            warmth: facts.map(|facts| facts.warmth),
            said_on: Some(result.said_on.clone()),
        }
    }

    /// Whether some words stand in it: in its wording or in any quote.
    pub fn says(&self, words: &str) -> bool {
        holds(&self.text, words) || self.quotes.iter().any(|quote| holds(quote, words))
    }

    /// In which ways it is not as expected; `status` is expected of one that says nothing of it.
    pub fn differs(&self, expected: &Expected, status: Option<Status>) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut check = |right: bool, what: String| {
            if !right {
                wrong.push(what);
            }
        };
        for words in expected.text.iter().flat_map(Words::all) {
            check(holds(&self.text, words), format!("its wording has no {words:?}"));
        }
        for words in expected.lacks.iter().flat_map(Words::all) {
            check(!self.says(words), format!("it says {words:?}"));
        }
        // A raw message has no status.
        if let Some(status) = expected.status.or(status.filter(|_| !self.raw)) {
            check(self.status == Some(status), format!("its status is {:?} and not {status:?}", self.status));
        }
        if let Some(quotes) = &expected.quotes {
            let same = quotes.len() == self.quotes.len() && quotes.iter().zip(&self.quotes).all(|(a, b)| holds(b, a));
            check(same, format!("its quotes are {:?}", self.quotes));
        }
        if let Some(question) = &expected.question {
            check(
                self.questions.iter().any(|own| holds(own, question)),
                format!("its questions are {:?}", self.questions),
            );
        }
        if let Some(confidence) = expected.confidence {
            check((self.confidence - confidence).abs() < 0.005, format!("its confidence is {}", self.confidence));
        }
        let mut equal = |name: &str, expected: Option<String>, own: Option<String>| {
            if let Some(expected) = expected {
                check(own.as_ref() == Some(&expected), format!("its {name} is {own:?} and not {expected:?}"));
            }
        };
        equal("kind", expected.kind.map(debug), self.kind.map(debug));
        equal("slot", expected.slot.clone(), self.slot.clone());
        equal("subject", expected.subject.clone(), Some(self.subject.clone()));
        equal("attribute", expected.about.clone(), Some(self.about.clone()));
        equal("value", expected.value.clone(), Some(self.value.clone()));
        equal("denial", expected.negated.map(debug), Some(debug(self.negated)));
        equal("number of mentions", expected.mentions.map(debug), Some(debug(self.mentions)));
        equal("times", expected.times.clone().map(debug), Some(debug(&self.times)));
        equal("language", expected.language.map(debug), self.language.map(debug));
        equal("warmth", expected.warmth.map(debug), self.warmth.map(debug));
        equal("day", expected.said_on.clone(), self.said_on.clone());
        equal("being raw", expected.raw.map(debug), Some(debug(self.raw)));
        let mut has = |name: &str, expected: &Option<String>, own: Option<&str>, holds: fn(&str, &str) -> bool| {
            if let Some(expected) = expected {
                // An empty text: there is none.
                let right = match expected.as_str() {
                    "" => own.is_none_or(str::is_empty),
                    expected => own.is_some_and(|own| holds(own, expected)),
                };
                check(right, format!("its {name} is {own:?}, without {expected:?}"));
            }
        };
        let day = |own: &str, expected: &str| own.starts_with(expected);
        has("qualifier", &expected.qualifier, self.qualifier.as_deref(), holds);
        has("first day", &expected.since, Some(&self.since), day);
        has("last day", &expected.until, self.until.as_deref(), day);
        has("day of confirmation", &expected.verified, self.verified.iter().flatten().next().map(String::as_str), day);
        has("successor", &expected.replaced_by, self.replaced_by.iter().flatten().next().map(String::as_str), holds);
        let contested = self.contested_by.iter().flatten().cloned().collect::<Vec<_>>().join(" | ");
        has("opponents are", &expected.contested_by, Some(&contested), holds);
        wrong
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.raw {
            return write!(f, "raw {:?}", self.text);
        }
        let status = self.status.map(debug).unwrap_or_default();
        let kind = self.kind.map(debug).unwrap_or_default();
        let not = if self.negated { "not " } else { "" };
        write!(f, "{status} {kind} {:?} ({} · {}: {not}{:?}", self.text, self.subject, self.about, self.value)?;
        for (name, value) in [("slot", &self.slot), ("beside", &self.qualifier), ("until", &self.until)] {
            if let Some(value) = value {
                write!(f, ", {name} {value:?}")?;
            }
        }
        write!(f, ", said {}×, believed {:.2}, since {})", self.mentions, self.confidence, self.since)
    }
}

fn times(times: &[Time]) -> Vec<String> {
    times.iter().map(|time| time.text.clone()).collect()
}

fn debug(value: impl fmt::Debug) -> String {
    format!("{value:?}")
}

/// Whether a text holds some words, in whatever case.
pub fn holds(text: &str, words: &str) -> bool {
    text.to_lowercase().contains(&words.to_lowercase())
}

/// Gives every expected one a view of its own. `None` where it cannot be done.
pub fn assign(expected: &[Expected], views: &[View], status: Option<Status>) -> Option<Vec<usize>> {
    fn place(index: usize, fits: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        fits[index].iter().any(|&view| {
            if std::mem::replace(&mut seen[view], true) {
                return false;
            }
            let free = match owner[view] {
                Some(other) => place(other, fits, owner, seen),
                None => true,
            };
            if free {
                owner[view] = Some(index);
            }
            free
        })
    }
    let fits: Vec<Vec<usize>> = expected
        .iter()
        .map(|expected| (0..views.len()).filter(|&view| views[view].differs(expected, status).is_empty()).collect())
        .collect();
    let mut owner = vec![None; views.len()];
    for index in 0..expected.len() {
        if !place(index, &fits, &mut owner, &mut vec![false; views.len()]) {
            return None;
        }
    }
    let mut of = vec![0; expected.len()];
    for (view, index) in owner.iter().enumerate().filter_map(|(view, index)| index.map(|index| (view, index))) {
        of[index] = view;
    }
    Some(of)
}
