//! Saidso's side of the comparison with other vector indexes: reads the file that `benches/peers/vectors.py` makes and
//! prints one line of JSON, as `benches/peers/measure.py` does for a peer.
//!
//! `peers FILE vectors|recall` — *vectors* does what a peer does: finds a space's rows and the five nearest of them.
//! *recall* answers a question with everything a recall does but the embedder's call and the store: each row is a
//! memory with a sentence, a turn and an observation, found by words, topics and vector, fused and weighed.

use std::{
    collections::HashMap,
    error::Error,
    fs,
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use rustix::time::{ClockId, clock_gettime};
use saidso_benches::made;
use saidso_core::{
    access::{Request, Tokens, admit},
    calibration::{ByLanguage, Calibration},
    fault::Fault,
    fold,
    ids::Names,
    ports::{Embedder, Purpose},
    seal::Key,
    session,
    vector::Vector,
};
use saidso_recall::{cohort::Cohorts, kernel::Kernel, matrix::Matrix, query::Analysis, space::Space};
use serde_json::json;

/// Bytes of the file's header: dimension, spaces, rows, queries.
const HEADER: usize = 16;
/// Ids of a query's exact answer.
const NEAREST: usize = 5;
/// How long queries are counted for, alone and two at a time.
const PHASE: Duration = Duration::from_secs(4);

/// What the file holds.
struct Set {
    dimension: usize,
    spaces: usize,
    bytes: Vec<u8>,
    rows: usize,
}

struct Query {
    space: u32,
    nearest: [u32; NEAREST],
    vector: Vec<f32>,
}

impl Set {
    fn read(path: &str) -> Result<Self, Box<dyn Error>> {
        let bytes = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        if bytes.len() < HEADER {
            return Err(format!("{path} is no file of benches/peers/vectors.py: it has {} bytes", bytes.len()).into());
        }
        let [dimension, spaces, rows, queries] = [0, 1, 2, 3].map(|field| word(&bytes[field * 4..]) as usize);
        let expected = HEADER + rows * (2 + dimension) * 4 + queries * (1 + NEAREST + dimension) * 4;
        if bytes.len() != expected {
            return Err(format!("{path} has {} bytes, its header says {expected}", bytes.len()).into());
        }
        Ok(Self { dimension, spaces, bytes, rows })
    }

    /// Id and vector of each row, by space.
    fn by_space(&self) -> Vec<Vec<(u32, &[u8])>> {
        let mut spaces = vec![Vec::new(); self.spaces];
        for row in self.bytes[HEADER..].chunks_exact((2 + self.dimension) * 4).take(self.rows) {
            spaces[word(row) as usize].push((word(&row[4..]), &row[8..]));
        }
        spaces
    }

    fn queries(&self) -> Vec<Query> {
        let start = HEADER + self.rows * (2 + self.dimension) * 4;
        let query = |query: &[u8]| Query {
            space: word(query),
            nearest: [1, 2, 3, 4, 5].map(|field| word(&query[field * 4..])),
            vector: floats(&query[(1 + NEAREST) * 4..]),
        };
        self.bytes[start..].chunks_exact((1 + NEAREST + self.dimension) * 4).map(query).collect()
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|bytes| f32::from_bits(word(bytes))).collect()
}

fn vector(bytes: &[u8]) -> Vector {
    Vector::new(&floats(bytes)).expect("the file's vectors are of length one")
}

fn calibration() -> Calibration {
    Calibration { duplicate: ByLanguage::all(9_900), related: ByLanguage::all(5_000) }
}

/// Gives a text one of the set's vectors, so that what is neutral is as crowded as what is asked.
struct OfTheSet(Vec<Vector>);

impl Embedder for OfTheSet {
    fn id(&self) -> &str {
        "set/1"
    }

    fn dimension(&self) -> usize {
        self.0.first().map_or(0, |vector| vector.components().len())
    }

    fn calibration(&self) -> Calibration {
        calibration()
    }

    fn embed(&self, _: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        let of = |text: &&str| text.bytes().fold(7usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        Ok(texts.iter().map(|text| self.0[of(text) % self.0.len()].clone()).collect())
    }
}

/// What a run came to.
struct Measured {
    build_s: f64,
    build_cpu_s: f64,
    bytes: f64,
    recall: Option<f64>,
    asked: Asked,
}

struct Asked {
    cpu_ms: f64,
    p50_ms: f64,
    p99_ms: f64,
    per_s: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, what] = words.as_slice() else { return Err("usage: peers FILE vectors|recall".into()) };
    let load = fs::read_to_string("/proc/loadavg")?;
    let load: f64 = load.split(' ').next().unwrap_or_default().parse()?;
    let before = resident()?;
    let set = Set::read(path)?;
    let (spaces, rows) = (set.spaces, set.rows);
    let Measured { build_s, build_cpu_s, bytes, recall, asked } = match what.as_str() {
        "vectors" => vectors(set, before)?,
        "recall" => whole(set, before)?,
        other => return Err(format!("{other}: vectors or recall").into()),
    };
    let row = json!({
        "peer": format!("Saidso, {what}"), "spaces": spaces, "rows": rows,
        "build_s": build_s, "build_cpu_s": build_cpu_s, "bytes": bytes, "recall": recall,
        "cpu_ms": asked.cpu_ms, "p50_ms": asked.p50_ms, "p99_ms": asked.p99_ms, "per_s": asked.per_s,
        "how": "threads", "load": load,
    });
    println!("{row}");
    Ok(())
}

/// A matrix a space, and its five nearest rows.
fn vectors(set: Set, before: usize) -> Result<Measured, Box<dyn Error>> {
    let (started, cpu_before, rows, queries) = (Instant::now(), cpu(), set.rows, set.queries());
    let index = |(space, rows): (u32, Vec<(u32, &[u8])>)| {
        let rows: Vec<(u32, Vector)> = rows.into_iter().map(|(id, row)| (id, vector(row))).collect();
        (space, Matrix::new(rows.iter().map(|(id, vector)| (*id, vector))))
    };
    let indexes: HashMap<u32, Matrix> = (0..).zip(set.by_space()).map(index).collect();
    let (build_s, build_cpu_s) = (started.elapsed().as_secs_f64(), (cpu() - cpu_before).as_secs_f64());
    drop(set);
    let bytes = resident()?.saturating_sub(before) as f64 / rows as f64;
    let ask = |query: &Query| -> Vec<u32> {
        let near = indexes[&query.space].nearest(Kernel::best(), &query.vector);
        near.iter().take(NEAREST).map(|near| near.owner).collect()
    };
    let right: usize =
        queries.iter().map(|query| ask(query).iter().filter(|id| query.nearest.contains(id)).count()).sum();
    let recall = Some(right as f64 / (NEAREST * queries.len()) as f64);
    let asked = measure(&queries, |query| drop(black_box(ask(query))));
    Ok(Measured { build_s, build_cpu_s, bytes, recall, asked })
}

/// A space with memories, passages and all their indexes, and its whole answer.
fn whole(set: Set, before: usize) -> Result<Measured, Box<dyn Error>> {
    let (started, cpu_before, rows, queries) = (Instant::now(), cpu(), set.rows, set.queries());
    let names = Names::new(Key::new([7; 32]));
    let mut tokens = Tokens::default();
    tokens.add("secret", "bench");
    let token = tokens.verify("secret").map_err(|denied| denied.to_string())?;
    let build = |space: u32, rows: Vec<(u32, &[u8])>| -> Result<(u32, Space), Box<dyn Error>> {
        let request = Request { tenant: None, space: &format!("customer {space}") };
        let ids = names.ids(&admit(&names, &token, request).map_err(|denied| denied.to_string())?);
        let said = rows.into_iter().map(|(id, row)| (made::sentence(id.into()), vector(row)));
        let rules = fold::Rules::new(calibration());
        let contents = made::contents(said, &ids)?;
        Ok((space, Space::build(contents, &ids, &rules, None, session::Rules::default())))
    };
    let by_space = set.by_space();
    let embedder = OfTheSet(by_space.iter().flatten().take(1_000).map(|(_, row)| vector(row)).collect());
    let spaces: HashMap<u32, Space> =
        (0..).zip(by_space).map(|(space, rows)| build(space, rows)).collect::<Result<_, _>>()?;
    let (build_s, build_cpu_s) = (started.elapsed().as_secs_f64(), (cpu() - cpu_before).as_secs_f64());
    drop(set);
    let cohorts = Cohorts::default();
    cohorts.warm(&embedder)?;
    let asked: Vec<(u32, String, Vec<f32>)> = queries
        .into_iter()
        .map(|query| {
            (query.space, format!("What do we know of {}?", made::sentence(query.nearest[0].into())), query.vector)
        })
        .collect();
    let ask = |(space, text, vector): &(u32, String, Vec<f32>)| {
        drop(black_box(made::answer(&spaces[space], &Analysis::of(text), vector, &embedder, &cohorts)));
    };
    // What a space keeps from its first question on counts as memory.
    asked.iter().for_each(ask);
    let bytes = resident()?.saturating_sub(before) as f64 / rows as f64;
    Ok(Measured { build_s, build_cpu_s, bytes, recall: None, asked: measure(&asked, ask) })
}

/// Asks one question after the other, over and over, then with two threads.
fn measure<Q: Sync>(queries: &[Q], ask: impl Fn(&Q) + Sync) -> Asked {
    queries.iter().for_each(&ask);
    let (started, cpu_before, mut times) = (Instant::now(), cpu(), Vec::new());
    while started.elapsed() < PHASE {
        for query in queries {
            let started = Instant::now();
            ask(query);
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
    }
    let cpu_ms = (cpu() - cpu_before).as_secs_f64() * 1e3 / times.len() as f64;
    times.sort_unstable_by(f64::total_cmp);
    let (next, started) = (AtomicUsize::new(0), Instant::now());
    let share = || {
        while started.elapsed() < PHASE {
            let at = next.fetch_add(1, Ordering::Relaxed);
            ask(&queries[at % queries.len()]);
        }
    };
    thread::scope(|threads| {
        threads.spawn(share);
        threads.spawn(share);
    });
    let per_s = next.into_inner() as f64 / started.elapsed().as_secs_f64();
    Asked { cpu_ms, p50_ms: times[times.len() / 2], p99_ms: times[times.len() * 99 / 100], per_s }
}

/// Processor time of this process so far.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Bytes of this process in memory.
fn resident() -> Result<usize, Box<dyn Error>> {
    let pages = fs::read_to_string("/proc/self/statm")?;
    let pages: usize = pages.split(' ').nth(1).ok_or("/proc/self/statm has no second field")?.parse()?;
    Ok(pages * rustix::param::page_size())
}
