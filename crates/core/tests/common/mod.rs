//! What the tests of this crate build observations from.
#![allow(dead_code)]

use std::sync::atomic::{AtomicU64, Ordering};

use saidso_core::{
    access::{Request, Tokens, admit},
    ids::{Ids, MemoryId, Names},
    item::{Answer, Candidate, Evidence, Kind, Span, TopicKey, Unit},
    observation::{Observation, ObservationBody},
    ports::Entropy,
    position::Position,
    scope::Scope,
    seal::Key,
    text::Language,
    time::Moment,
    vector::Vector,
    when::Time,
};

/// Entropy that counts: never the same twice.
#[derive(Default)]
pub struct Counting(AtomicU64);

impl Entropy for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let next = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            chunk.copy_from_slice(&next.to_be_bytes()[..chunk.len()]);
        }
    }
}

pub fn names() -> Names {
    Names::new(Key::new([7; 32]))
}

pub fn scope(space: &str) -> Scope {
    let mut tokens = Tokens::default();
    tokens.add("secret", "acme");
    let token = tokens.verify("secret").unwrap();
    admit(&names(), &token, Request { tenant: None, space }).unwrap()
}

pub fn ids() -> Ids {
    names().ids(&scope("ann"))
}

/// What a test says of a statement; the rest is filled in.
#[derive(Debug, Clone)]
pub struct Said {
    pub day: i64,
    pub message: u32,
    pub kind: Kind,
    pub text: String,
    pub attribute: String,
    pub value: String,
    pub many: bool,
    pub negated: bool,
    pub changed: bool,
    pub qualifier: Option<String>,
    pub importance: u8,
    pub recalled: Vec<MemoryId>,
    /// The whole message, if it says more than this.
    pub whole: Option<String>,
    /// The agent's question that it confirms.
    pub question: Option<String>,
    pub slot: Option<String>,
    pub times: Vec<Time>,
    pub session: Option<String>,
}

impl Said {
    pub fn fact(day: i64, text: &str, attribute: &str, value: &str) -> Self {
        Self {
            day,
            message: 0,
            kind: Kind::Fact,
            text: text.into(),
            attribute: attribute.into(),
            value: value.into(),
            many: false,
            negated: false,
            changed: false,
            qualifier: None,
            importance: 50,
            recalled: Vec::new(),
            whole: None,
            question: None,
            slot: None,
            times: Vec::new(),
            session: None,
        }
    }

    /// A confirmation in these words.
    pub fn confirms(day: i64, text: &str, answer: Answer) -> Self {
        Self::fact(day, text, "confirmation", answer.value()).kind(Kind::Confirmation)
    }

    /// Part of a longer message.
    pub fn of(self, message: &str) -> Self {
        Self { whole: Some(message.into()), ..self }
    }

    pub fn changed(self) -> Self {
        Self { changed: true, ..self }
    }

    pub fn within(self, qualifier: &str) -> Self {
        Self { qualifier: Some(qualifier.into()), ..self }
    }

    /// After these were recalled for its turn.
    pub fn after(self, recalled: &[&Said]) -> Self {
        Self { recalled: recalled.iter().map(|said| said.id()).collect(), ..self }
    }

    pub fn id(&self) -> MemoryId {
        self.observation().id
    }

    pub fn many(self) -> Self {
        Self { many: true, ..self }
    }

    pub fn negated(self) -> Self {
        Self { negated: true, ..self }
    }

    pub fn kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub fn observation(&self) -> Observation {
        let ids = ids();
        let at = day(self.day);
        let session = ids.session(self.session.as_ref().unwrap_or(&at.local_day()));
        let whole = self.whole.as_ref().unwrap_or(&self.text);
        let message = ids.message(session, at.ms(), "customer", self.message, whole);
        let start = whole.find(&self.text).unwrap() as u32;
        let span = Span { start, end: start + self.text.len() as u32 };
        let quoted = |quote: &String| Evidence {
            message: 0,
            span: Span { start: 0, end: quote.len() as u32 },
            quote: quote.clone(),
        };
        // Equal wordings get equal vectors, others nearly orthogonal ones: words decide.
        let mut components = vec![0.1; 16];
        for (index, byte) in self.text.bytes().enumerate() {
            components[(index + usize::from(byte)) % 16] += 1.0;
        }
        Observation {
            id: ids.observation(ids.turn(&[message]), message, span, self.kind),
            position: Position { epoch: 1, partition: 0, offset: self.day.unsigned_abs() },
            body: ObservationBody {
                times: self.times.clone(),
                turn: ids.turn(&[message]),
                turn_name: None,
                session,
                message,
                at,
                item: Candidate {
                    kind: self.kind,
                    text: self.text.clone(),
                    evidence: Evidence { message: self.message, span, quote: self.text.clone() },
                    question: self.question.as_ref().map(quoted),
                    topic_key: TopicKey {
                        subject: "customer".into(),
                        attribute: self.attribute.clone(),
                        many: self.many,
                    },
                    value: self.value.clone(),
                    negated: self.negated,
                    qualifier: self.qualifier.clone(),
                    slot: self.slot.clone(),
                    changed: self.changed,
                    importance: Unit::hundredths(self.importance),
                    confidence: Unit::hundredths(90),
                    keywords: Vec::new(),
                    questions: Vec::new(),
                    language: Language::of(&self.text),
                },
                recalled: self.recalled.clone(),
            },
            vector: (!matches!(self.kind, Kind::Task | Kind::Confirmation)).then(|| Vector::new(&components).unwrap()),
        }
    }
}

/// Noon of a day counted from 2026-01-01.
pub fn day(day: i64) -> Moment {
    let date = jiff::civil::date(2026, 1, 1) + jiff::ToSpan::days(day);
    Moment::parse(&format!("{date}T12:00:00+02:00"), None).unwrap()
}

/// A whole day counted from 2026-01-01, as words of a statement name it.
pub fn on(words: &str, of: i64) -> Time {
    let from_ms = day(of).ms() - 12 * 60 * 60 * 1000;
    let text = day(of).local_day();
    Time { words: words.into(), from_ms, to_ms: from_ms + 24 * 60 * 60 * 1000, text }
}
