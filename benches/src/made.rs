//! Made-up statements as a space holds them, and questions to the space.

use std::error::Error;

use saidso_core::{
    decay,
    ids::Ids,
    item::{Candidate, Evidence, Kind, Span, TopicKey, Unit},
    observation::{Observation, ObservationBody},
    ports::Embedder,
    position::Position,
    text::Language,
    time::Moment,
    turn::{Message, Turn, TurnBody, TurnMeta},
    vector::Vector,
};
use saidso_recall::{
    Filter,
    cohort::Cohorts,
    meaning::Meaning,
    query::Analysis,
    search::{Ask, Found, search},
    space::{Contents, Space},
    standing::At,
};

/// Six words out of a skewed vocabulary: some in every tenth sentence, most in a few.
pub fn sentence(n: u64) -> String {
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

/// A space in which each sentence was said in a turn of its own, a minute after the one before, and kept as a memory.
pub fn contents(said: impl Iterator<Item = (String, Vector)>, ids: &Ids) -> Result<Contents, Box<dyn Error>> {
    let mut contents = Contents::default();
    let start = Moment::parse("2026-01-01T00:00:00Z", None)?.ms();
    for (minute, (text, vector)) in (0..).zip(said) {
        let turn = turn(start + minute * 60_000, &text, ids)?;
        contents.observations.push(observation(&turn, text, vector, ids));
        contents.turns.push(turn);
    }
    Ok(contents)
}

/// What the search of a space, without the embedder's call, finds for a question.
pub fn answer(
    space: &Space,
    analysis: &Analysis,
    vector: &[f32],
    embedder: &dyn Embedder,
    cohorts: &Cohorts,
) -> Vec<Found> {
    let meaning = Meaning::of(vector, space, embedder, cohorts).ok();
    let now_ms = space.newest_ms().unwrap_or_default();
    let at = At { now_ms, rules: &decay::Rules::default(), hits: None, history_ms: None };
    let ask =
        Ask { analysis, meaning, history: false, filter: &Filter::default(), rules: &[], session: None, at, limit: 5 };
    search(space, &ask)
}

fn turn(ms: i64, text: &str, ids: &Ids) -> Result<Turn, Box<dyn Error>> {
    let moment = Moment::at(ms, None)?;
    let session = ids.session("one");
    let message = ids.message(session, ms, "customer", 0, text);
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

fn observation(turn: &Turn, text: String, vector: Vector, ids: &Ids) -> Observation {
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
                evidence: Evidence { message: 0, span, quote: text.clone() },
                question: None,
                topic_key: TopicKey { subject: "customer".into(), attribute: text[4..10].to_owned(), many: true },
                value: text.clone(),
                text,
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
        vector: Some(vector),
    }
}
