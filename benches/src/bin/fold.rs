//! How long folding one space takes as it grows, when every statement is about the same thing in nearly the same words:
//! the hardest case there is for finding duplicates.

use std::time::Instant;

use saidso_core::{
    access::{Request, Tokens, admit},
    calibration::{ByLanguage, Calibration},
    fold::{Rules, fold},
    ids::Names,
    item::{Candidate, Evidence, Kind, Span, TopicKey, Unit},
    observation::{Observation, ObservationBody},
    position::Position,
    seal::Key,
    text::Language,
    time::Moment,
    vector::Vector,
};

fn observations(count: usize) -> Option<Vec<Observation>> {
    let names = Names::new(Key::new([1; 32]));
    let mut tokens = Tokens::default();
    tokens.add("secret", "bench");
    let token = tokens.verify("secret").ok()?;
    let scope = admit(&names, &token, Request { tenant: None, space: "one" }).ok()?;
    let ids = names.ids(&scope);
    let one = |index: usize| {
        let text = format!("I own a boat called Freya{}", letters(index));
        let at = format!(
            "2026-01-{:02}T{:02}:{:02}:{:02}Z",
            1 + index / 86_400,
            index / 3600 % 24,
            index / 60 % 60,
            index % 60
        );
        let at = Moment::parse(&at, None).ok()?;
        let session = ids.session("s");
        let message = ids.message(session, at.ms(), "customer", 0, &text);
        let span = Span { start: 0, end: text.len() as u32 };
        let components: Vec<f32> = (0..384).map(|at| 1.0 + ((index * 31 + at * 17) % 97) as f32 / 97.0).collect();
        Some(Observation {
            id: ids.observation(ids.turn(&[message]), message, span, Kind::Fact),
            position: Position { epoch: 1, partition: 0, offset: index as u64 },
            body: ObservationBody {
                times: Vec::new(),
                turn: ids.turn(&[message]),
                turn_name: None,
                session,
                message,
                at,
                item: Candidate {
                    kind: Kind::Fact,
                    evidence: Evidence { message: 0, span, quote: text.clone() },
                    question: None,
                    topic_key: TopicKey { subject: "customer".into(), attribute: "boat".into(), many: true },
                    value: text.clone(),
                    text,
                    negated: false,
                    qualifier: None,
                    slot: None,
                    changed: false,
                    importance: Unit::hundredths(50),
                    confidence: Unit::hundredths(90),
                    keywords: Vec::new(),
                    questions: Vec::new(),
                    language: Language::En,
                },
                recalled: Vec::new(),
            },
            vector: Vector::new(&components),
        })
    };
    (0..count).map(one).collect()
}

/// A number as letters: digits would keep statements apart before any comparison.
fn letters(mut number: usize) -> String {
    let mut letters = String::new();
    while number > 0 {
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters
}

fn main() {
    let calibration = Calibration { duplicate: ByLanguage::all(10_001), related: ByLanguage::all(10_001) };
    println!("{:>12} {:>9} {:>9} {:>14}", "observations", "memories", "ms", "µs each");
    for count in [500, 1_000, 2_000, 4_000] {
        let Some(observations) = observations(count) else { return };
        let started = Instant::now();
        let folded = fold(&observations, &[], &Rules::new(calibration));
        let ms = started.elapsed().as_secs_f64() * 1e3;
        println!("{count:>12} {:>9} {ms:>9.1} {:>14.1}", folded.memories.len(), ms * 1e3 / count as f64);
    }
}
