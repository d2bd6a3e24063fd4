//! Embedders behind lanes.

use std::{
    collections::HashMap,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use proptest::prelude::*;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fault::{Code, Fault},
    ports::{Embedder, Purpose},
    vector::Vector,
};
use saidso_models::lanes::{Lane, Lanes, Settings, estimate};

/// Asks `asked` of each request.
struct Fake<F>(F);

impl<F: Fn(&[&str]) -> Result<Vec<Vector>, Fault> + Send + Sync> Embedder for Fake<F> {
    fn id(&self) -> &str {
        "fake/1"
    }
    fn dimension(&self) -> usize {
        2
    }
    fn calibration(&self) -> Calibration {
        Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(5_000) }
    }
    fn embed(&self, _: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        (self.0)(texts)
    }
}

/// A vector that names its text.
fn vector(text: &str) -> Vector {
    Vector::new(&[1.0, text.parse::<f32>().unwrap_or(text.len() as f32)]).unwrap()
}

fn vectors(texts: &[&str]) -> Result<Vec<Vector>, Fault> {
    Ok(texts.iter().map(|text| vector(text)).collect())
}

fn before(inner: impl Embedder + 'static, settings: Settings) -> Arc<Lanes> {
    Lanes::new(Arc::new(inner), estimate, settings)
}

proptest! {
    #[test]
    fn the_vectors_are_the_embedders_own(
        lengths in prop::collection::vec(0usize..200, 0..80),
        slice_tokens in 1usize..300,
        threads in 1usize..5,
        lane in prop::sample::select(Lane::ALL.to_vec()),
        own: bool,
    ) {
        let texts: Vec<String> = lengths.iter().map(|length| "x".repeat(*length)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let longest = texts.iter().map(|text| estimate(text)).max().unwrap_or(0);
        let bound = slice_tokens.max(longest);
        let most = Arc::new(AtomicUsize::new(0));
        let seen = most.clone();
        let inner = Fake(move |texts: &[&str]| {
            seen.fetch_max(texts.iter().map(|text| estimate(text)).sum(), Ordering::Relaxed);
            vectors(texts)
        });
        let lanes = before(inner, Settings { slice_tokens, at_once: threads, own });
        let got = lanes.lane(lane).embed(Purpose::Passage, &texts).unwrap();
        prop_assert_eq!(got, vectors(&texts).unwrap());
        prop_assert!(most.load(Ordering::Relaxed) <= bound, "a slice is longer than asked for");
        let counts = lanes.counts(lane);
        prop_assert_eq!(counts.waiting, 0);
        prop_assert!(counts.slices() as usize <= texts.len());
    }
}

/// Lets each request through when the test says so, and tells which came.
#[derive(Default)]
struct Door {
    state: Mutex<Stood>,
    changed: Condvar,
}

#[derive(Default)]
struct Stood {
    inside: Vec<String>,
    done: Vec<String>,
    let_go: HashMap<String, usize>,
}

impl Door {
    fn pass(&self, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        let name = texts[0].to_owned();
        let mut state = self.state.lock().unwrap();
        state.inside.push(name.clone());
        self.changed.notify_all();
        let mut state =
            self.changed.wait_while(state, |state| state.let_go.get(&name).copied().unwrap_or(0) == 0).unwrap();
        *state.let_go.get_mut(&name).unwrap() -= 1;
        let at = state.inside.iter().position(|inside| *inside == name).unwrap();
        state.inside.remove(at);
        state.done.push(name);
        vectors(texts)
    }

    fn wait_for(&self, name: &str) {
        let inside = |state: &mut Stood| !state.inside.iter().any(|inside| inside == name);
        drop(self.changed.wait_while(self.state.lock().unwrap(), inside).unwrap());
    }

    fn let_go(&self, name: &str, times: usize) {
        *self.state.lock().unwrap().let_go.entry(name.to_owned()).or_default() += times;
        self.changed.notify_all();
    }

    fn done(&self) -> Vec<String> {
        self.state.lock().unwrap().done.clone()
    }
}

fn wait_until(mut done: impl FnMut() -> bool) {
    while !done() {
        thread::yield_now();
    }
}

#[test]
fn a_question_passes_a_backlog_after_one_slice() {
    let door = Arc::new(Door::default());
    let inner = door.clone();
    let lanes = before(Fake(move |texts: &[&str]| inner.pass(texts)), Settings::remote(1));
    thread::scope(|scope| {
        // Twenty slices of a backlog, the first in service.
        let backlog = lanes.lane(Lane::Replay);
        let texts = ["0"; 20];
        let behind = scope.spawn(move || backlog.embed(Purpose::Passage, &texts));
        door.wait_for("0");
        let live = lanes.lane(Lane::Live);
        let live = scope.spawn(move || live.embed(Purpose::Passage, &["1"]));
        wait_until(|| lanes.counts(Lane::Live).waiting == 1);
        let query = lanes.lane(Lane::Query);
        let query = scope.spawn(move || query.embed(Purpose::Query, &["2"]));
        wait_until(|| lanes.counts(Lane::Query).waiting == 1);
        door.let_go("0", 1);
        door.wait_for("2");
        assert_eq!(door.done(), ["0"]);
        door.let_go("2", 1);
        assert_eq!(query.join().unwrap().unwrap(), [vector("2")]);
        door.wait_for("1");
        door.let_go("1", 1);
        live.join().unwrap().unwrap();
        door.let_go("0", 19);
        assert_eq!(behind.join().unwrap().unwrap().len(), 20);
    });
    assert_eq!(door.done()[..3], ["0", "2", "1"]);
    assert_eq!(lanes.counts(Lane::Query).behind_most, 1);
    assert_eq!(lanes.counts(Lane::Replay).slices(), 20);
}

#[test]
fn in_process_a_question_waits_for_nobody() {
    let door = Arc::new(Door::default());
    let inner = door.clone();
    let lanes = before(Fake(move |texts: &[&str]| inner.pass(texts)), Settings::in_process(1, 2));
    thread::scope(|scope| {
        let backlog = lanes.lane(Lane::Live);
        let behind = scope.spawn(move || backlog.embed(Purpose::Passage, &["0"; 6]));
        wait_until(|| door.state.lock().unwrap().inside.len() == 2);
        let query = lanes.lane(Lane::Query);
        let query = scope.spawn(move || query.embed(Purpose::Query, &["2"]));
        door.wait_for("2");
        // While it is asked, one of the two others ends and none begins.
        door.let_go("0", 1);
        wait_until(|| door.done() == ["0"]);
        assert_eq!(lanes.counts(Lane::Live).slices(), 2);
        door.let_go("2", 1);
        query.join().unwrap().unwrap();
        door.let_go("0", 5);
        behind.join().unwrap().unwrap();
    });
    let query = lanes.counts(Lane::Query);
    assert_eq!((query.slices(), query.behind_most), (1, 0));
}

#[test]
fn a_slice_that_fails_fails_the_request_and_the_rest_is_not_asked_for() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let inner = Fake(move |texts: &[&str]| match count.fetch_add(1, Ordering::Relaxed) {
        2 => Err(Fault::retry(Code::ModelUnavailable, "the endpoint answered 503")),
        _ => vectors(texts),
    });
    let lanes = before(inner, Settings::remote(1));
    let live = lanes.lane(Lane::Live);
    let fault = live.embed(Purpose::Passage, &["1", "2", "3", "4", "5"]).unwrap_err();
    assert_eq!((fault.code, asked.load(Ordering::Relaxed)), (Code::ModelUnavailable, 3));
    // The gate is free again.
    assert_eq!(live.embed(Purpose::Passage, &["7"]).unwrap(), [vector("7")]);
}

/// One too few here and one too many there would give every later text another's vector.
#[test]
fn vectors_that_are_missing_are_missed_in_their_own_slice() {
    let asked = AtomicUsize::new(0);
    let inner = Fake(move |texts: &[&str]| {
        let mut got = vectors(texts)?;
        match asked.fetch_add(1, Ordering::Relaxed) {
            0 => drop(got.pop()),
            _ => got.push(vector("9")),
        }
        Ok(got)
    });
    let live = before(inner, Settings::remote(1)).lane(Lane::Live);
    assert_eq!(live.embed(Purpose::Passage, &["1", "2"]).unwrap_err().code, Code::ModelOutput);
}

#[test]
fn a_panic_leaves_the_gate_open() {
    let inner = Fake(|texts: &[&str]| if texts[0] == "0" { panic!("as the test wants") } else { vectors(texts) });
    let lanes = before(inner, Settings::remote(1));
    let live = lanes.lane(Lane::Live);
    let again = live.clone();
    assert!(thread::spawn(move || live.embed(Purpose::Passage, &["0"])).join().is_err());
    assert_eq!(again.embed(Purpose::Passage, &["1"]).unwrap(), [vector("1")]);
}
