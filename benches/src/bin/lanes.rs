//! How long a question waits for the embedder while a backlog of turns is embedded: the built-in embedder and the reference
//! server, each with lanes and without, in one run.
//!
//! `lanes WEIGHTS [TURNS]` (default 10,000). Run it below `testcontainers/e5.sh sh -c 'cargo run --release -p saidso-benches
//! --bin lanes -- "$SAIDSO_MODEL"'`; without SAIDSO_TEST_E5 the server's rows are left out. A turn is three items of about
//! 20 tokens; the stage embeds 256 turns in a request. Questions come one after the other, 50 ms apart, for as long as the
//! backlog takes. Times are from asking to the vector, in milliseconds.

use std::{
    error::Error,
    fs,
    panic::resume_unwind,
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fault::Fault,
    ports::{Embedder, Purpose},
    vector::Vector,
};
use saidso_models::{
    e5::E5,
    lanes::{Lane, Lanes, Settings, estimate},
    remote::{Options, Purposes, Remote},
};

/// Between two questions.
const PAUSE: Duration = Duration::from_millis(50);
/// Questions on an idle embedder, before the backlog comes.
const IDLE: usize = 100;
/// Items of a turn.
const ITEMS: usize = 3;
/// Turns in a request of the stage.
const BATCH: usize = 256;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let weights = PathBuf::from(arguments.next().ok_or("usage: lanes WEIGHTS [TURNS]")?);
    let turns: usize = arguments.next().map_or(Ok(10_000), |turns| turns.parse())?;
    let cores = thread::available_parallelism()?.get();
    println!("{turns} turns, {cores} cores, load {}", load());
    println!(
        "| embedder | idle p50 / p95 / p99 | beside the backlog p50 / p95 / p99 | questions | behind | backlog, texts/s |"
    );
    println!("|---|---|---|---|---|---|");
    let plain: Arc<dyn Embedder> = Arc::new(Halved(E5::load(&weights)?, cores));
    row("built-in, no lanes", [plain.clone(), plain], None, turns)?;
    let settings = Settings::in_process(Settings::SLICE_TOKENS, cores);
    behind_lanes("built-in, lanes", &Lanes::built_in(E5::load(&weights)?, settings), turns)?;
    if let Ok(address) = std::env::var("SAIDSO_TEST_E5") {
        let plain: Arc<dyn Embedder> = Arc::new(endpoint(&address));
        row("server, no lanes", [plain.clone(), plain.clone()], None, turns)?;
        let settings = Settings::remote(Settings::SLICE_TOKENS);
        behind_lanes("server, lanes", &Lanes::new(plain, estimate, settings), turns)?;
    }
    println!("load {}", load());
    Ok(())
}

/// The built-in embedder, a batch shared out among threads: with nothing in front, every request is worked on at once.
struct Halved(E5, usize);

impl Embedder for Halved {
    fn id(&self) -> &str {
        self.0.id()
    }
    fn dimension(&self) -> usize {
        self.0.dimension()
    }
    fn calibration(&self) -> Calibration {
        self.0.calibration()
    }
    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        thread::scope(|scope| {
            let shares = texts.chunks(texts.len().div_ceil(self.1).max(1));
            let shares: Vec<_> = shares.map(|share| scope.spawn(|| self.0.embed(purpose, share))).collect();
            let done: Result<Vec<_>, Fault> =
                shares.into_iter().map(|share| share.join().unwrap_or_else(|panic| resume_unwind(panic))).collect();
            Ok(done?.into_iter().flatten().collect())
        })
    }
}

fn behind_lanes(name: &str, lanes: &Arc<Lanes>, turns: usize) -> Outcome<()> {
    row(name, [lanes.lane(Lane::Query), lanes.lane(Lane::Replay)], Some(lanes), turns)
}

fn endpoint(address: &str) -> Remote {
    Remote::new(Options {
        url: format!("http://{address}/v1"),
        model: "multilingual-e5-small-q4".into(),
        dimension: 384,
        key: None,
        timeout: Duration::from_secs(600),
        calibration: Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(7_500) },
        purposes: Purposes::InputType,
    })
}

fn row(name: &str, [query, replay]: [Arc<dyn Embedder>; 2], lanes: Option<&Arc<Lanes>>, turns: usize) -> Outcome<()> {
    let mut asked = 0;
    let mut ask = || -> Outcome<f64> {
        asked += 1;
        let question = format!("Where did neighbour {asked} move to last spring?");
        let start = Instant::now();
        query.embed(Purpose::Query, &[&question])?;
        Ok(start.elapsed().as_secs_f64() * 1000.0)
    };
    let idle: Vec<f64> = (0..IDLE).map(|_| ask()).collect::<Outcome<_>>()?;
    let (done, ended) = mpsc::channel::<()>();
    let (beside, took) = thread::scope(|scope| -> Outcome<_> {
        let behind = scope.spawn(move || -> Outcome<Duration> {
            let start = Instant::now();
            for first in (0..turns).step_by(BATCH) {
                let count = BATCH.min(turns - first) * ITEMS;
                let texts: Vec<String> = (0..count).map(|item| text(first * ITEMS + item)).collect();
                replay.embed(Purpose::Passage, &texts.iter().map(String::as_str).collect::<Vec<_>>())?;
            }
            drop(done);
            Ok(start.elapsed())
        });
        let mut beside = Vec::new();
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(PAUSE) {
            beside.push(ask()?);
        }
        let took = behind.join().map_err(|_| "the backlog panicked")??;
        Ok((beside, took))
    })?;
    let rate = (turns * ITEMS) as f64 / took.as_secs_f64();
    let behind = lanes.map_or("-".to_owned(), |lanes| lanes.counts(Lane::Query).behind_most.to_string());
    println!("| {name} | {} | {} | {} | {behind} | {rate:.0} |", spread(idle), spread(beside.clone()), beside.len());
    Ok(())
}

/// About 20 tokens.
fn text(n: usize) -> String {
    format!("Neighbour {n} moved to house {} last spring and now walks the dog every day", n * 7 % 1_000)
}

fn spread(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1)));
    let shown = |share| at(share).map_or("-".to_owned(), |time| format!("{time:.0}"));
    format!("{} / {} / {}", shown(0.5), shown(0.95), shown(0.99))
}

/// Of the last minute, where it can be told.
fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or_default().to_owned()
}
