//! How near the index's cheap passes come to comparing everything exactly, on the built-in embedder's vectors.
//!
//! `recall_tiers WEIGHTS [DATA] [ROWS…]`: DATA is the folder of `*.jsonl.gz` (default `../shared/data`), ROWS how many
//! vectors a matrix holds (default 20000 40000). Every other distinct text is a row, the rest are questions. Vectors are
//! kept in `target/tier-vectors.bin` between runs.

use std::{
    collections::BTreeSet,
    error::Error,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    time::Instant,
};

use flate2::read::GzDecoder;
use half::f16;
use saidso_core::{ports::Purpose, vector::Vector};
use saidso_models::{
    e5::E5,
    lanes::{Lane, Lanes, Settings},
};
use saidso_recall::{kernel::Kernel, matrix::Matrix};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;

const QUESTIONS: usize = 500;
/// What is compared: the part of the order that an answer can show.
const FIRST: usize = 20;
/// Where vectors are kept.
const KEPT: &str = "target/tier-vectors.bin";

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let weights = PathBuf::from(arguments.next().ok_or("usage: recall_tiers WEIGHTS [DATA] [ROWS…]")?);
    let data = arguments.next().map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let mut sizes: Vec<usize> = arguments.map(|rows| rows.parse()).collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes = vec![20_000, 40_000];
    }
    let most = sizes.iter().copied().max().unwrap_or_default();
    let (rows, questions) = vectors(&weights, &data, most)?;
    println!("| rows | recall@{FIRST} | first {FIRST} in the exact order | µs |");
    println!("|---|---|---|---|");
    for size in sizes {
        measure(&rows[..size.min(rows.len())], &questions);
    }
    Ok(())
}

fn measure(rows: &[Vector], questions: &[Vector]) {
    let matrix = Matrix::new((0..).zip(rows));
    let wide: Vec<Vec<f32>> = rows.iter().map(Vector::to_f32).collect();
    let (mut found, mut same, mut times) = (0, 0, Vec::new());
    for question in questions.iter().map(Vector::to_f32) {
        let exact = |row: &Vec<f32>| row.iter().zip(&question).map(|(a, b)| a * b).sum::<f32>();
        let mut all: Vec<(f32, u32)> = wide.iter().map(exact).zip(0..).collect();
        all.select_nth_unstable_by(FIRST, |a, b| b.0.total_cmp(&a.0));
        all.truncate(FIRST);
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let expected: Vec<u32> = all.iter().map(|(_, row)| *row).collect();
        let started = Instant::now();
        let near = matrix.nearest(Kernel::best(), &question);
        times.push(started.elapsed().as_secs_f64() * 1e6);
        let first: Vec<u32> = near.iter().take(FIRST).map(|near| near.owner).collect();
        found += expected.iter().filter(|row| first.contains(row)).count();
        same += usize::from(first == expected);
    }
    times.sort_by(f64::total_cmp);
    let asked = questions.len() as f64;
    println!(
        "| {} | {:.4} | {:.3} | {:.0} |",
        rows.len(),
        found as f64 / (asked * FIRST as f64),
        same as f64 / asked,
        times[times.len() / 2]
    );
}

/// Rows and questions.
fn vectors(weights: &Path, data: &Path, rows: usize) -> Outcome<(Vec<Vector>, Vec<Vector>)> {
    let texts = texts(data)?;
    let passages: Vec<&str> = texts.iter().step_by(2).take(rows).map(String::as_str).collect();
    let questions: Vec<&str> = texts.iter().skip(1).step_by(2).take(QUESTIONS).map(String::as_str).collect();
    let embedder =
        Lanes::built_in(E5::load(weights)?, Settings::in_process(Settings::SLICE_TOKENS, 2)).lane(Lane::Replay);
    let size = embedder.dimension();
    let mut kept = Vec::new();
    if let Ok(mut file) = File::open(KEPT) {
        file.read_to_end(&mut kept)?;
    }
    let wanted = questions.len() + passages.len();
    let all = questions.iter().map(|text| (Purpose::Query, *text));
    let all: Vec<(Purpose, &str)> = all.chain(passages.iter().map(|text| (Purpose::Passage, *text))).collect();
    let known = kept.len() / (size * 2);
    for chunk in all[known.min(wanted)..].chunk_by(|a, b| a.0 == b.0).flat_map(|same| same.chunks(64)) {
        let texts: Vec<&str> = chunk.iter().map(|(_, text)| *text).collect();
        for vector in embedder.embed(chunk[0].0, &texts)? {
            kept.extend(vector.components().iter().flat_map(|x| x.to_le_bytes()));
        }
        if kept.len() / (size * 2) % 2048 < 64 {
            fs::write(KEPT, &kept)?;
            eprintln!("{} of {wanted}", kept.len() / (size * 2));
        }
    }
    fs::write(KEPT, &kept)?;
    let vector = |bytes: &[u8]| {
        let component = |b: &[u8]| f16::from_le_bytes([b[0], b[1]]).to_f32();
        Vector::new(&bytes.chunks_exact(2).map(component).collect::<Vec<_>>()).ok_or("the vector file is damaged")
    };
    let mut vectors: Vec<Vector> = kept.chunks_exact(size * 2).take(wanted).map(vector).collect::<Result<_, _>>()?;
    let rows = vectors.split_off(questions.len());
    Ok((rows, vectors))
}

/// Distinct sentences of the sets, in an order that has nothing to do with where they stand.
fn texts(data: &Path) -> Outcome<Vec<String>> {
    let mut texts = BTreeSet::new();
    let mut files: Vec<PathBuf> = fs::read_dir(data)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "gz"));
    for path in files {
        let mut text = String::new();
        GzDecoder::new(File::open(path)?).read_to_string(&mut text)?;
        let mut of_file = BTreeSet::new();
        for line in text.lines() {
            strings(&serde_json::from_str(line)?, &mut of_file);
            if of_file.len() > 12_000 {
                break;
            }
        }
        texts.extend(of_file);
    }
    let mut texts: Vec<String> = texts.into_iter().collect();
    let mixed =
        |text: &String| text.bytes().fold(7u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    texts.sort_by_cached_key(mixed);
    Ok(texts)
}

fn strings(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if (20..160).contains(&text.len()) && text.contains(' ') | !text.is_ascii() => {
            into.insert(text.clone());
        }
        Value::Array(values) => values.iter().for_each(|value| strings(value, into)),
        Value::Object(values) => values.values().for_each(|value| strings(value, into)),
        _ => {}
    }
}
