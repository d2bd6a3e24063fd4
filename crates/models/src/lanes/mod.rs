//! Lanes in front of an embedder, so that a question never waits behind a backlog: *query* goes first, *live* (the turns
//! of conversations that go on) next, *replay* (turns that were said long ago) last.
//!
//! Work is cut into slices of about [`Settings::slice_tokens`] tokens, and each slice passes one gate. Whoever embeds does
//! it on its own threads, once the gate lets it. What holds:
//! - A slice of the query lane waits for at most one slice of the lanes behind it, whatever waits in them, besides the
//!   questions before it. In this process ([`Settings::in_process`]) it mostly waits for none: one thread is the
//!   questions' own, and work of the other lanes goes on only when it leaves a core free.
//! - No lane starves: of the slices that pass it by while it waits and there is room for it, at most [`SHARE`] start.
//! - The vectors are those of the embedder itself, bit for bit, if its vectors do not depend on what stands beside a text.
//!
//! One text is never cut: a text longer than a slice is a slice of its own.
//!
//! **More processes on one endpoint.** Each has a gate of its own and sends one request at a time
//! ([`Settings::remote`]), so an endpoint that answers P processes in order has at most P slices before it: a question
//! waits for at most 2P − 1 of them (its process's slice, behind one of each other; then one more of each other).

mod counts;
mod gate;
mod schedule;
mod slices;

use std::{
    panic::resume_unwind,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use saidso_core::{
    calibration::Calibration,
    fault::{Code, Fault},
    ports::{Embedder, Purpose},
    vector::Vector,
};

pub use counts::{BOUNDS, Counts};
pub use schedule::{SHARE, Schedule};
pub use slices::estimate;

use crate::e5::E5;
use gate::Gate;

/// Whose work it is. In the order they go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// Somebody waits for an answer.
    Query,
    /// A conversation goes on.
    Live,
    /// Turns of long ago: a backlog, an import, a replay.
    Replay,
}

impl Lane {
    /// All of them.
    pub const ALL: [Lane; 3] = [Lane::Query, Lane::Live, Lane::Replay];

    /// As metrics name it.
    pub fn name(self) -> &'static str {
        match self {
            Lane::Query => "query",
            Lane::Live => "live",
            Lane::Replay => "replay",
        }
    }
}

/// How lanes work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Tokens of a slice, about.
    pub slice_tokens: usize,
    /// Slices worked on at once; at least one.
    pub at_once: usize,
    /// Whether one slice of the query lane may run besides.
    pub own: bool,
}

impl Settings {
    /// [`Settings::slice_tokens`] unless said otherwise: what the built-in embedder takes in one pass.
    pub const SLICE_TOKENS: usize = 256;

    /// For a model in this process, on so many threads.
    pub fn in_process(slice_tokens: usize, threads: usize) -> Self {
        Self { slice_tokens, at_once: threads.max(1), own: true }
    }

    /// For an endpoint: one request at a time.
    pub fn remote(slice_tokens: usize) -> Self {
        Self { slice_tokens, at_once: 1, own: false }
    }
}

/// An embedder behind its lanes.
pub struct Lanes {
    inner: Arc<dyn Embedder>,
    tokens: Box<dyn Fn(&str) -> usize + Send + Sync>,
    settings: Settings,
    gate: Gate,
}

impl Lanes {
    /// Before an embedder; `tokens` says what a text costs it ([`estimate`], where nobody knows).
    pub fn new(
        inner: Arc<dyn Embedder>,
        tokens: impl Fn(&str) -> usize + Send + Sync + 'static,
        settings: Settings,
    ) -> Arc<Self> {
        let gate = Gate::new(Schedule::new(settings.at_once, settings.own));
        Arc::new(Self { inner, tokens: Box::new(tokens), settings, gate })
    }

    /// Before the built-in embedder, which knows what a text costs.
    pub fn built_in(model: E5, settings: Settings) -> Arc<Self> {
        let model = Arc::new(model);
        let tokenizer = model.clone();
        Self::new(model, move |text| tokenizer.tokens(text), settings)
    }

    /// The embedder, as those see it whose work goes into a lane.
    pub fn lane(self: &Arc<Self>, lane: Lane) -> Arc<dyn Embedder> {
        Arc::new(Through { lanes: self.clone(), lane })
    }

    /// What passed a lane so far, and what waits in it.
    pub fn counts(&self, lane: Lane) -> Counts {
        self.gate.counts(lane)
    }

    fn embed(&self, lane: Lane, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        let costs: Vec<usize> = texts.iter().map(|text| (self.tokens)(text)).collect();
        let slices = slices::cut(texts, &costs, self.settings.slice_tokens, self.settings.at_once);
        let threads = self.settings.at_once.min(slices.len());
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut done = Vec::new();
            while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < slices.len()) {
                if failed.load(Ordering::Relaxed) {
                    break;
                }
                let result = self.slice(lane, purpose, slices[index]);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                done.push((index, result));
            }
            done
        };
        let mut done = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for other in others {
                done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        });
        done.sort_unstable_by_key(|(index, _)| *index);
        let mut vectors = Vec::with_capacity(texts.len());
        for (_, slice) in done {
            vectors.extend(slice?);
        }
        Ok(vectors)
    }

    fn slice(&self, lane: Lane, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        let turn = self.gate.enter(lane);
        let vectors = self.inner.embed(purpose, texts)?;
        drop(turn);
        // Said here, where it can be told whose vector is missing.
        if vectors.len() != texts.len() {
            let message = format!("asked {} for {} vectors: got {}", self.inner.id(), texts.len(), vectors.len());
            return Err(Fault::retry(Code::ModelOutput, message));
        }
        Ok(vectors)
    }
}

/// [`Lanes`] through one lane.
struct Through {
    lanes: Arc<Lanes>,
    lane: Lane,
}

impl Embedder for Through {
    fn id(&self) -> &str {
        self.lanes.inner.id()
    }

    fn dimension(&self) -> usize {
        self.lanes.inner.dimension()
    }

    fn calibration(&self) -> Calibration {
        self.lanes.inner.calibration()
    }

    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        self.lanes.embed(self.lane, purpose, texts)
    }
}
