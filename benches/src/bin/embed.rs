//! What the built-in embedder costs: texts of about 20 tokens one by one and in batches, by kernel and threads.
//!
//! `embed WEIGHTS [ROUNDS]` prints medians in milliseconds over ROUNDS rounds (default 30). Run it below
//! `testcontainers/e5.sh sh -c 'cargo run … --bin embed -- "$SAIDSO_MODEL"'` and the reference server joins the table.

use std::{error::Error, path::PathBuf, time::Instant};

use saidso_core::ports::Purpose;
use saidso_models::{
    e5::{E5, Kernel},
    lanes::{Lane, Lanes, Settings},
};

/// Texts in one request.
const BATCHES: [usize; 4] = [1, 3, 8, 32];

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let weights = PathBuf::from(arguments.next().ok_or("usage: embed WEIGHTS [ROUNDS]")?);
    let rounds: usize = arguments.next().map_or(Ok(30), |n| n.parse())?;
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();

    println!("| embedder | threads | one | 3 one by one | 3 as a batch | 8 | 32 | 32, per text |");
    println!("|---|---|---|---|---|---|---|---|");
    for kernel in Kernel::all() {
        for threads in [1, 2] {
            let model = E5::load(&weights)?.with_kernel(kernel);
            let model = Lanes::built_in(model, Settings::in_process(Settings::SLICE_TOKENS, threads)).lane(Lane::Live);
            row(&format!("built-in, {}", kernel.name()), threads, rounds, &texts, |texts| {
                model.embed(Purpose::Passage, texts)?;
                Ok(())
            })?;
        }
    }
    if let Ok(address) = std::env::var("SAIDSO_TEST_E5") {
        row("reference server", 1, rounds, &texts, |texts| {
            let body = serde_json::json!({ "model": "e5", "input_type": "passage", "input": texts });
            ureq::post(&format!("http://{address}/v1/embeddings")).send_json(&body)?.body_mut().read_to_vec()?;
            Ok(())
        })?;
    }
    Ok(())
}

/// 32 texts of 19 to 21 positions each, prefix, begin and end included.
fn texts() -> Vec<String> {
    let who = [
        "My sister",
        "My neighbour",
        "My old boss",
        "Our teacher",
        "My uncle",
        "The baker",
        "My doctor",
        "Our landlord",
    ];
    let places = ["Porto", "Lima", "Oslo", "Kyoto"];
    let text = |place: &str, who: &str| format!("{who} moved to {place} last spring and now walks the dog every day");
    places.iter().flat_map(|place| who.iter().map(move |who| text(place, who))).collect()
}

fn row(
    name: &str,
    threads: usize,
    rounds: usize,
    texts: &[&str],
    embed: impl Fn(&[&str]) -> Outcome<()>,
) -> Outcome<()> {
    let median = |work: &dyn Fn() -> Outcome<()>| -> Outcome<f64> {
        work()?;
        let mut times = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let start = Instant::now();
            work()?;
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        Ok(times[rounds / 2])
    };
    let mut batches = [0.0; BATCHES.len()];
    for (time, size) in batches.iter_mut().zip(BATCHES) {
        *time = median(&|| embed(&texts[..size]))?;
    }
    let apart = median(&|| texts[..3].iter().try_for_each(|text| embed(&[text])))?;
    let [one, three, eight, all] = batches;
    println!(
        "| {name} | {threads} | {one:.1} | {apart:.1} | {three:.1} | {eight:.1} | {all:.1} | {:.2} |",
        all / BATCHES[3] as f64
    );
    Ok(())
}
