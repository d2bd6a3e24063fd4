//! What extract and ground cannot be faster than: their rules alone, on one thread, over made-up conversations or a set.
//!
//! `rules [--turns N] [--data DIR --set NAME]`

use std::{
    error::Error,
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use saidso_benches::dialogues;
use saidso_core::{
    ground::ground_turn,
    item::Extraction,
    ports::Extractor as _,
    stages::CandidateTurn,
    turn::{self, SubmittedTurn, Turn},
};
use saidso_models::Builtin;
use saidso_testcontainers::{conversations, stand::Stand};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut count, mut data, mut set) = (20_000_usize, None, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
        match word.as_str() {
            "--turns" => count = value.parse()?,
            "--data" => data = Some(value),
            "--set" => set = Some(value),
            _ => return Err(format!("{word} is no option of this program").into()),
        }
    }
    let said = match (data, set) {
        (Some(data), Some(set)) => dialogues::turns(Path::new(&data), &set, count)?.into_iter().flatten().collect(),
        _ => conversations::turns(7, count.div_ceil(5), 5),
    };
    let folder = tempfile::tempdir()?;
    let stand = Stand::embedded(folder.path())?;
    let accept = |turn: &SubmittedTurn| turn::accept(turn.clone(), &stand.ports.names.ids(&stand.scope(&turn.space)));
    let said: Vec<&SubmittedTurn> = said.iter().take(count).collect();
    let (turns, accepting) = timed(|| said.iter().map(|turn| accept(turn)).collect::<Result<Vec<_>, _>>());
    let turns = turns?;
    let extractor = Builtin::new(None, None)?;
    let extract = |turn: &Turn| extractor.extract(&turn.body);
    let (extracted, extracting) = timed(|| turns.iter().map(extract).collect::<Result<Vec<_>, _>>());
    let candidates: Vec<CandidateTurn> = turns.iter().cloned().zip(extracted?).map(candidates).collect();
    let items: usize = candidates.iter().map(|turn| turn.candidates.len()).sum();
    let ((), grounding) = timed(|| {
        for turn in candidates {
            black_box(ground_turn(turn));
        }
    });
    let each = |took: Duration| took.as_secs_f64() * 1e6 / turns.len() as f64;
    println!(
        "{} turns, {items} items; µs a turn: accept {:.1}, extract {:.1}, ground {:.1}",
        turns.len(),
        each(accepting),
        each(extracting),
        each(grounding)
    );
    Ok(())
}

fn candidates((turn, extraction): (Turn, Extraction)) -> CandidateTurn {
    let Extraction { candidates, drops, retractions } = extraction;
    let Turn { meta, body, .. } = turn;
    CandidateTurn { meta, body, candidates, drops, retractions }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed())
}
