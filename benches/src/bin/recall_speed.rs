//! What a recall costs inside the service, the embedder's call apart, and what loading a space costs.
//!
//! `recall_speed [SIZES…]`: memories per space (default 50 1000 20000). Sentences are made up; vectors are random with
//! the crowding of a real model's. Every figure is microseconds of one thread, for each question the best of five, so
//! that other work on the machine does not count. Bytes are what the allocator was asked for.
//!
//! `recall_speed fleet [SPACES [MEMORIES]]`: as many spaces of as many memories (default 10000 of 50), asked at random by
//! two threads.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    error::Error,
    hint::black_box,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Instant,
};

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
    meaning::Meaning,
    query::Analysis,
    search::{Ask, search},
    space::{Contents, Space},
    standing::At,
};

/// The system's allocator; while it is told to, it counts what is held.
struct Counting;

static COUNTED: AtomicBool = AtomicBool::new(false);
static HELD: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTED.load(Ordering::Relaxed) {
            HELD.fetch_add(layout.size(), Ordering::Relaxed);
        }
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if COUNTED.load(Ordering::Relaxed) {
            HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a piece of work leaves behind in memory, and the bytes of it.
fn counted<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.load(Ordering::Relaxed);
    COUNTED.store(true, Ordering::Relaxed);
    let left = work();
    COUNTED.store(false, Ordering::Relaxed);
    (left, HELD.load(Ordering::Relaxed).wrapping_sub(before))
}

const DIMENSION: usize = 384;
const QUESTIONS: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let of_fleet = arguments.next_if(|first| first == "fleet").is_some();
    let mut sizes: Vec<usize> = arguments.map(|size| size.parse()).collect::<Result<_, _>>()?;
    if of_fleet {
        let of = |at: usize, default| sizes.get(at).copied().unwrap_or(default);
        return fleet(of(0, 10_000), of(1, 50));
    }
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
    // Word lists that the whole process shares are made with the first space.
    build(0, 1, &ids).0?;
    println!(
        "| memories | build ms | bytes a memory, counted / said | analyse p50/p99 | scan f16 or 8-bit | words | search p50/p99 | all but the embedder p50/p99 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for size in sizes {
        measure(size, &ids, &cohorts)?;
    }
    Ok(())
}

fn measure(size: usize, ids: &Ids, cohorts: &Cohorts) -> Result<(), Box<dyn Error>> {
    let ((space, build_ms), held) = counted(|| build(0, size, ids));
    let (space, texts) = (space?, (0..size as u64).map(sentence).collect::<Vec<String>>());
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
        "| {size} | {build_ms:.1} | {} / {} | {} | {} | {} | {} | {} |",
        held / size,
        space.bytes() / size,
        both(analyse),
        both(scan),
        both(words),
        both(found),
        both(whole)
    );
    Ok(())
}

/// A space of so many memories from a sentence on, and how long folding and indexing took, in milliseconds.
fn build(first: usize, size: usize, ids: &Ids) -> (Result<Space, Box<dyn Error>>, f64) {
    let mut contents = Contents::default();
    for at in 0..size {
        let text = sentence((first + at) as u64);
        match turn(at, &text, ids) {
            Ok(turn) => {
                contents.observations.push(observation(&turn, &text, ids));
                contents.turns.push(turn);
            }
            Err(error) => return (Err(error), 0.0),
        }
    }
    let fold = saidso_core::fold::Rules::new(Made.calibration());
    let started = Instant::now();
    let space = Space::build(contents, ids, &fold, None, saidso_core::session::Rules::default());
    (Ok(space), started.elapsed().as_secs_f64() * 1e3)
}

/// Many spaces, asked at random by two threads.
fn fleet(spaces: usize, memories: usize) -> Result<(), Box<dyn Error>> {
    const ASKED: usize = 20_000;
    let names = Names::new(Key::new([7; 32]));
    let mut tokens = Tokens::default();
    tokens.add("secret", "bench");
    let token = tokens.verify("secret").map_err(|denied| denied.to_string())?;
    let cohorts = Cohorts::default();
    cohorts.warm(&Made)?;
    let one = |at: usize| {
        let space = format!("customer {at}");
        let scope = admit(&names, &token, Request { tenant: None, space: &space }).map_err(|d| d.to_string())?;
        build(at * memories, memories, &names.ids(&scope)).0
    };
    let (all, held) = counted(|| (0..spaces).map(one).collect::<Result<Vec<Space>, Box<dyn Error>>>());
    let all = all?;
    let asked: Vec<(&Space, String, Vec<f32>)> = (0..ASKED)
        .map(|n| {
            let at = n.wrapping_mul(7_919) % spaces;
            let text = format!("What do we know of {}?", sentence((at * memories + n % memories) as u64));
            let vector = vector(&text).to_f32();
            (&all[at], text, vector)
        })
        .collect();
    let ask = |(space, text, vector): &(&Space, String, Vec<f32>)| answer(space, &Analysis::of(text), vector, &cohorts);
    asked.iter().for_each(ask);
    let started = Instant::now();
    thread::scope(|threads| {
        for half in asked.chunks(ASKED / 2) {
            threads.spawn(move || half.iter().for_each(ask));
        }
    });
    let rate = ASKED as f64 / started.elapsed().as_secs_f64();
    println!("| spaces | memories | bytes a memory, counted | said | recall p50 / p99 | recalls/s on two threads |");
    println!("|---|---|---|---|---|---|");
    let said = all.iter().map(Space::bytes).sum::<usize>();
    let count = spaces * memories;
    let times = both(times(&asked, ask));
    println!("| {spaces} | {count} | {} | {} | {times} | {rate:.0} |", held / count, said / count);
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
    let (month, day) = (1 + day / 28, 1 + day % 28);
    let written = format!("2026-{month:02}-{day:02}T{:02}:{:02}:00Z", minute / 60, minute % 60);
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
                value: text.split_once(" has ").map_or(text, |(_, value)| value).to_owned(),
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
