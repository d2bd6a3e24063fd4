//! The remote embedder and its lanes against a real server that works on one request at a time.
//!
//! Needs the outside; `testcontainers/e5.sh` brings it.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::{path::PathBuf, sync::Arc, thread, time::Duration};

use saidso_core::ports::{Embedder, Purpose};
use saidso_models::{
    e5::E5,
    lanes::{Lane, Lanes, Settings, estimate},
    remote::{Options, Purposes, Remote},
};

fn given(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set; run: testcontainers/e5.sh cargo test -p saidso-models --test remote_reference")
    })
}

/// The same model in this process, and behind the server.
fn both() -> (E5, Remote) {
    let model = E5::load(&PathBuf::from(given("SAIDSO_MODEL"))).unwrap();
    let remote = Remote::new(Options {
        url: format!("http://{}/v1", given("SAIDSO_TEST_E5")),
        model: "multilingual-e5-small-q4".into(),
        dimension: model.dimension(),
        key: None,
        timeout: Duration::from_secs(60),
        calibration: model.calibration(),
        purposes: Purposes::InputType,
    });
    (model, remote)
}

/// Asked one after the other while the passages are embedded.
const QUESTIONS: u64 = 50;

#[test]
fn it_gives_the_vectors_of_the_built_in_embedder() {
    let (model, remote) = both();
    remote.check().unwrap();
    let texts =
        ["I keep bees on the roof.", "我在阳台上种番茄。", "Мы держим двух коз.", "Vivo cerca del puerto.", "", "ok"];
    for purpose in [Purpose::Passage, Purpose::Query] {
        let (ours, theirs) = (model.embed(purpose, &texts).unwrap(), remote.embed(purpose, &texts).unwrap());
        for (text, (ours, theirs)) in texts.iter().zip(ours.iter().zip(&theirs)) {
            let cosine = ours.cosine(theirs).unwrap();
            assert!(cosine >= 9_990, "{cosine} for {text:?} as {purpose:?}");
        }
    }
}

#[test]
fn a_question_waits_at_most_one_slice_while_two_thousand_passages_are_embedded() {
    let (_, remote) = both();
    let lanes = Lanes::new(Arc::new(remote), estimate, Settings::remote(Settings::SLICE_TOKENS));
    let passages: Vec<String> = (0..2_000).map(|n| format!("On day {n} I walked to mill {}.", n * 7 % 100)).collect();
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let (replay, query) = (lanes.lane(Lane::Replay), lanes.lane(Lane::Query));
    let vectors = thread::scope(|scope| {
        let behind = scope.spawn(|| replay.embed(Purpose::Passage, &passages).unwrap());
        for asked in 0..QUESTIONS {
            let vector = query.embed(Purpose::Query, &[&format!("Which mill on day {asked}?")]).unwrap();
            assert_eq!(vector.len(), 1);
        }
        assert!(!behind.is_finished(), "the last questions waited for nothing");
        behind.join().unwrap()
    });
    assert_eq!(vectors.len(), passages.len());
    let questions = lanes.counts(Lane::Query);
    assert_eq!((questions.slices(), questions.behind_most), (QUESTIONS, 1), "one waited for more than one slice");
    assert!(lanes.counts(Lane::Replay).slices() > QUESTIONS);
    assert_eq!(vectors[77], replay.embed(Purpose::Passage, &[passages[77]]).unwrap()[0]);
}
