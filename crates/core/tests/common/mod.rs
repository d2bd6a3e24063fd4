//! What the tests of this crate build observations from.
#![allow(dead_code)]

use std::sync::atomic::{AtomicU64, Ordering};

use saidso_core::{
    access::{Request, Tokens, admit},
    ids::{Ids, Names},
    item::{Candidate, Evidence, Kind, Span, TopicKey, Unit},
    observation::{Observation, ObservationBody},
    ports::Entropy,
    position::Position,
    scope::Scope,
    seal::Key,
    text::Language,
    time::Moment,
    vector::Vector,
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
    pub recalled: Vec<saidso_core::ids::MemoryId>,
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
        }
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
        let session = ids.session(&at.local_day());
        let message = ids.message(session, at.ms(), "customer", self.message, &self.text);
        let span = Span { start: 0, end: self.text.len() as u32 };
        // Equal wordings get equal vectors, others nearly orthogonal ones: words decide.
        let mut components = vec![0.1; 16];
        for (index, byte) in self.text.bytes().enumerate() {
            components[(index + usize::from(byte)) % 16] += 1.0;
        }
        Observation {
            id: ids.observation(ids.turn(&[message]), message, span, self.kind),
            position: Position { epoch: 1, partition: 0, offset: self.day.unsigned_abs() },
            body: ObservationBody {
                times: Vec::new(),
                turn: ids.turn(&[message]),
                turn_name: None,
                session,
                message,
                at,
                item: Candidate {
                    kind: self.kind,
                    text: self.text.clone(),
                    evidence: Evidence { message: self.message, span, quote: self.text.clone() },
                    question: None,
                    topic_key: TopicKey {
                        subject: "customer".into(),
                        attribute: self.attribute.clone(),
                        many: self.many,
                    },
                    value: self.value.clone(),
                    negated: self.negated,
                    qualifier: self.qualifier.clone(),
                    slot: None,
                    changed: self.changed,
                    importance: Unit::hundredths(self.importance),
                    confidence: Unit::hundredths(90),
                    keywords: Vec::new(),
                    questions: Vec::new(),
                    language: Language::of(&self.text),
                },
                recalled: self.recalled.clone(),
            },
            vector: (self.kind != Kind::Task).then(|| Vector::new(&components).unwrap()),
        }
    }
}

/// Noon of a day counted from 2026-01-01.
pub fn day(day: i64) -> Moment {
    let text = format!("2026-{:02}-{:02}T12:00:00+02:00", 1 + day / 28, 1 + day % 28);
    Moment::parse(&text, None).unwrap()
}
