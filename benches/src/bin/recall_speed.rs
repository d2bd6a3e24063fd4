//! What a recall costs inside the service, the embedder's call apart, and what loading a space costs.
//!
//! `recall_speed [SIZES…]`: memories per space (default 50 1000 20000). Sentences are made up; vectors are random with
//! the crowding of a real model's. Every figure is microseconds of one thread, for each question the best of five, so
//! that other work on the machine does not count.

use std::{error::Error, hint::black_box, time::Instant};

use saidso_core::{
    access::{Request, Tokens, admit},
    calibration::{ByLanguage, Calibration},
    decay,
    fault::Fault,
    ids::{Ids, Names},
    item::{Candidate, Evidence, Kind, Span, TopicKey, Unit},
    observation::{Observation, ObservationBody},
    ports::{Embedder, Purpose},
    position::Position,
    seal::Key,
    text::Language,
    time::Moment,
    turn::{Message, Turn, TurnBody, TurnMeta},
    vector::Vector,
};
use saidso_recall::{
    Filter,
    cohort::Cohorts,
    kernel::Kernel,
    matrix::Matrix,
    query::Analysis,
    search::{Ask, Meaning, search},
    space::{Contents, Space},
    standing::At,
};

const DIMENSION: usize = 384;
const QUESTIONS: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let mut sizes: Vec<usize> = std::env::args().skip(1).map(|size| size.parse()).collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes = vec![50, 1_000, 20_000];
    }
    let names = Names::new(Key::new([7; 32]));
    let mut tokens = Tokens::default();
    tokens.add("secret", "bench");
    let token = tokens.verify("secret").map_err(|denied| denied.to_string())?;
    let scope = admit(&names, &token, Request { tenant: None, space: "customer" }).map_err(|d| d.to_string())?;
    let ids = names.ids(&scope);
    let cohorts = Cohorts::default();
    cohorts.warm(&Made)?;
    println!(
        "| memories | build ms | MB | analyse p50/p99 | scan f16 or 8-bit | words | search p50/p99 | all but the embedder p50/p99 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for size in sizes {
        measure(size, &ids, &cohorts)?;
    }
    Ok(())
}

fn measure(size: usize, ids: &Ids, cohorts: &Cohorts) -> Result<(), Box<dyn Error>> {
    let texts: Vec<String> = (0..size as u64).map(sentence).collect();
    let mut contents = Contents::default();
    for (at, text) in texts.iter().enumerate() {
        let turn = turn(at, text, ids)?;
        contents.observations.push(observation(&turn, text, ids));
        contents.turns.push(turn);
    }
    let started = Instant::now();
    let fold = saidso_core::fold::Rules::new(Made.calibration());
    let space = Space::build(contents, ids, &fold, None, saidso_core::session::Rules::default());
    let build_ms = started.elapsed().as_secs_f64() * 1e3;
    let matrix_vectors: Vec<Vector> = texts.iter().map(|text| vector(text)).collect();
    let matrix = Matrix::new((0..).zip(&matrix_vectors));

    let questions: Vec<(String, Vec<f32>)> = (0..QUESTIONS as u64)
        .map(|n| {
            let text = format!("What do we know of {}?", sentence(n * 7 + 3));
            let vector = vector(&text).to_f32();
            (text, vector)
        })
        .collect();
    let analyse = times(&questions, |(text, _)| drop(black_box(Analysis::of(text))));
    let scan = times(&questions, |(_, vector)| drop(black_box(matrix.nearest(Kernel::best(), vector))));
    let analysed: Vec<(Analysis, &Vec<f32>)> = questions.iter().map(|(t, v)| (Analysis::of(t), v)).collect();
    let words = times(&analysed, |(analysis, _)| drop(black_box(space.hits(analysis))));
    let found = times(&analysed, |(analysis, vector)| answer(&space, analysis, vector, cohorts));
    let whole = times(&questions, |(text, vector)| answer(&space, &Analysis::of(text), vector, cohorts));
    println!(
        "| {size} | {build_ms:.1} | {:.1} | {} | {} | {} | {} | {} |",
        space.bytes() as f64 / 1e6,
        both(analyse),
        both(scan),
        both(words),
        both(found),
        both(whole)
    );
    Ok(())
}

fn answer(space: &Space, analysis: &Analysis, vector: &[f32], cohorts: &Cohorts) {
    let meaning = Meaning::of(vector, space, &Made, cohorts).ok();
    let now_ms = space.newest_ms().unwrap_or_default();
    let at = At { now_ms, rules: &decay::Rules::default(), hits: None, history_ms: None };
    let ask =
        Ask { analysis, meaning, history: false, filter: &Filter::default(), rules: &[], session: None, at, limit: 5 };
    black_box(search(space, &ask));
}

fn times<T>(inputs: &[T], mut work: impl FnMut(&T)) -> Vec<f64> {
    inputs.iter().take(50).for_each(&mut work);
    let mut times: Vec<f64> = inputs
        .iter()
        .map(|input| {
            let once = |_| {
                let started = Instant::now();
                work(input);
                started.elapsed().as_secs_f64() * 1e6
            };
            (0..5).map(once).fold(f64::INFINITY, f64::min)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn both(times: Vec<f64>) -> String {
    format!("{:.1} / {:.1}", times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Six words out of a skewed vocabulary: some in every tenth sentence, most in a few.
fn sentence(n: u64) -> String {
    let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let share = (state >> 11) as f64 / (1u64 << 53) as f64;
        format!("w{}x", (3_000.0 * share.powi(3)) as u32)
    };
    format!("Our {} {} has {} {} near {} {}.", word(), word(), word(), word(), word(), word())
}

fn vector(text: &str) -> Vector {
    let mut state = text.bytes().fold(7u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte))) | 1;
    let components: Vec<f32> = (0..DIMENSION)
        .map(|at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let noise = (state >> 40) as f32 / (1 << 24) as f32 - 0.5;
            noise + if at < DIMENSION / 2 { 0.5 } else { 0.0 }
        })
        .collect();
    Vector::new(&components).expect("not all components are zero")
}

/// Answers with made-up vectors at once.
struct Made;

impl Embedder for Made {
    fn id(&self) -> &str {
        "made/1"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn calibration(&self) -> Calibration {
        Calibration { duplicate: ByLanguage::all(9_900), related: ByLanguage::all(5_000) }
    }

    fn embed(&self, _: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn turn(at: usize, text: &str, ids: &Ids) -> Result<Turn, Box<dyn Error>> {
    let (day, minute) = (at / 1_440, at % 1_440);
    let written = format!("2026-01-{:02}T{:02}:{:02}:00Z", 1 + day, minute / 60, minute % 60);
    let moment = Moment::parse(&written, None)?;
    let session = ids.session("one");
    let message = ids.message(session, moment.ms(), "customer", 0, text);
    let meta = TurnMeta {
        id: ids.turn(&[message]),
        name: None,
        session,
        session_name: "one".into(),
        at: moment,
        messages: vec![message],
        recalled: Vec::new(),
        kept: true,
    };
    let body = TurnBody { messages: vec![Message { text: text.to_owned() }], question: None, request: false };
    Ok(Turn { meta, body, references: Vec::new() })
}

fn observation(turn: &Turn, text: &str, ids: &Ids) -> Observation {
    let message = turn.meta.messages[0];
    let span = Span { start: 0, end: text.len() as u32 };
    Observation {
        id: ids.observation(turn.meta.id, message, span, Kind::Fact),
        position: Position { epoch: 1, partition: 0, offset: 0 },
        body: ObservationBody {
            times: Vec::new(),
            turn: turn.meta.id,
            turn_name: None,
            session: turn.meta.session,
            message,
            at: turn.meta.at.clone(),
            item: Candidate {
                kind: Kind::Fact,
                text: text.to_owned(),
                evidence: Evidence { message: 0, span, quote: text.to_owned() },
                question: None,
                topic_key: TopicKey { subject: "customer".into(), attribute: text[4..10].to_owned(), many: true },
                value: text.to_owned(),
                negated: false,
                qualifier: None,
                slot: None,
                changed: false,
                importance: Unit::hundredths(50),
                confidence: Unit::hundredths(80),
                keywords: Vec::new(),
                questions: Vec::new(),
                language: Language::En,
            },
            recalled: Vec::new(),
        },
        vector: Some(vector(text)),
    }
}
