//! How long folding one space takes as it grows: for a customer who talks for years, and for one who says nearly the same
//! of the same thing each time, the hardest case there is for finding duplicates. The state is what the fold shows of it.

use std::time::Instant;

use saidso_core::{
    access::{Request, Tokens, admit},
    calibration::{ByLanguage, Calibration},
    fold::{Rules, fold},
    ids::{Ids, MemoryId, Names},
    item::{Answer, Candidate, Evidence, Kind, Span, TopicKey, Unit},
    observation::{Observation, ObservationBody},
    position::Position,
    seal::Key,
    text::Language,
    time::Moment,
    vector::Vector,
};

/// Memories that are named as recalled with each turn.
const RECALLED: usize = 5;
/// Milliseconds between two turns of years: 10,000 turns are about seven years.
const APART_MS: i64 = 6 * 60 * 60 * 1000;
/// 2020-01-01T00:00Z.
const BEGIN_MS: i64 = 1_577_836_800_000;

/// What is said once.
struct Said {
    kind: Kind,
    text: String,
    attribute: String,
    value: String,
    many: bool,
    changed: bool,
}

impl Said {
    fn of(kind: Kind, text: String, attribute: &str, value: &str) -> Self {
        let many = !matches!(kind, Kind::Instruction);
        Self { kind, text, attribute: attribute.into(), value: value.into(), many, changed: false }
    }
}

/// Everybody's years: values that come back, change and contradict each other, events and topics that pile up, tasks, and
/// answers to questions about what was recalled.
fn years(turn: usize) -> Said {
    let word = |kinds: usize| letters(turn * 7919 % kinds + 700);
    match turn % 10 {
        0 | 1 => {
            let (thing, value) = (letters(turn * 31 % 60 + 700), word(9));
            let text = format!("our {thing} server runs {value}");
            Said { many: false, changed: turn.is_multiple_of(3), ..Said::of(Kind::Fact, text, &thing, &value) }
        }
        2..5 => Said::of(Kind::Fact, format!("we have {} in {}", word(997), word(13)), "has", &word(997)),
        5 | 6 => Said::of(Kind::Event, format!("we delivered {} to {}", word(9_973), word(50)), "event", &word(9_973)),
        7 => Said::of(Kind::Topic, format!("how do I insure a {}", word(211)), "interest", &word(211)),
        8 => Said::of(Kind::Task, format!("I must still send {}", word(4_999)), "to do", &word(4_999)),
        _ => Said::of(Kind::Confirmation, "yes, still so".into(), "confirmation", Answer::Still.value()),
    }
}

/// Nearly the same of the same thing, each time.
fn alike(turn: usize) -> Said {
    let text = format!("I own a boat called Freya{}", letters(turn));
    Said::of(Kind::Fact, text.clone(), "boat", &text)
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

fn ids() -> Option<Ids> {
    let names = Names::new(Key::new([1; 32]));
    let mut tokens = Tokens::default();
    tokens.add("secret", "bench");
    let token = tokens.verify("secret").ok()?;
    Some(names.ids(&admit(&names, &token, Request { tenant: None, space: "one" }).ok()?))
}

/// So many turns that say one thing each, oldest first; each after some earlier ones were recalled.
fn observations(ids: &Ids, count: usize, say: fn(usize) -> Said) -> Option<Vec<Observation>> {
    let mut said: Vec<MemoryId> = Vec::new();
    let one = |turn: usize| {
        let recalled =
            (1..=RECALLED).filter_map(|back| said.get(turn.checked_sub(back * back * 7)?).copied()).collect();
        let observation = observation(ids, turn, say(turn), recalled)?;
        said.push(observation.id);
        Some(observation)
    };
    (0..count).map(one).collect()
}

fn observation(ids: &Ids, turn: usize, said: Said, recalled: Vec<MemoryId>) -> Option<Observation> {
    let Said { kind, text, attribute, value, many, changed } = said;
    let at = jiff::Timestamp::from_millisecond(BEGIN_MS + turn as i64 * APART_MS).ok()?.to_string();
    let at = Moment::parse(&at, None).ok()?;
    let session = ids.session(&at.local_day());
    let message = ids.message(session, at.ms(), "customer", 0, &text);
    let span = Span { start: 0, end: text.len() as u32 };
    let components: Vec<f32> = (0..384).map(|at| 1.0 + ((turn * 31 + at * 17) % 97) as f32 / 97.0).collect();
    Some(Observation {
        id: ids.observation(ids.turn(&[message]), message, span, kind),
        position: Position { epoch: 1, partition: 0, offset: turn as u64 },
        body: ObservationBody {
            times: Vec::new(),
            turn: ids.turn(&[message]),
            turn_name: None,
            session,
            message,
            at,
            item: Candidate {
                kind,
                evidence: Evidence { message: 0, span, quote: text.clone() },
                question: None,
                topic_key: TopicKey { subject: "customer".into(), attribute, many },
                value,
                text,
                negated: false,
                qualifier: None,
                slot: None,
                changed,
                importance: Unit::hundredths(50),
                confidence: Unit::hundredths(90),
                keywords: Vec::new(),
                questions: Vec::new(),
                language: Language::En,
            },
            recalled,
        },
        vector: if matches!(kind, Kind::Task | Kind::Confirmation) { None } else { Vector::new(&components) },
    })
}

/// What is said in which turn.
type Say = fn(usize) -> Said;

fn main() {
    // No cosine is near enough: every comparison is made, and none joins.
    let rules = Rules::new(Calibration { duplicate: ByLanguage::all(10_001), related: ByLanguage::all(10_001) });
    let Some(ids) = ids() else { return };
    let says: [(&str, Say); 2] = [("years", years), ("alike", alike)];
    println!("| said | turns | memories | KiB shown | bytes a turn | fold ms | µs a turn | with a late one, ms |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, say) in says {
        for count in [1_000, 2_500, 5_000, 10_000] {
            let Some(mut observations) = observations(&ids, count, say) else { return };
            let started = Instant::now();
            let folded = fold(&observations, &[], &rules);
            let ms = started.elapsed().as_secs_f64() * 1e3;
            let bytes: usize = folded
                .memories
                .iter()
                .filter_map(|memory| serde_json::to_vec(memory).ok())
                .map(|json| json.len())
                .sum();
            // One more arrives that was said in the middle of it all.
            let late = Said::of(Kind::Fact, "we have a lighthouse".into(), "has", "lighthouse");
            let Some(late) = observation(&ids, count / 2, late, Vec::new()) else { return };
            observations.push(late);
            let started = Instant::now();
            let again = fold(&observations, &[], &rules);
            let late_ms = started.elapsed().as_secs_f64() * 1e3;
            println!(
                "| {name} | {count} | {} | {} | {} | {ms:.0} | {:.1} | {late_ms:.0} |",
                again.memories.len(),
                bytes / 1024,
                bytes / count,
                ms * 1e3 / count as f64,
            );
        }
    }
}
