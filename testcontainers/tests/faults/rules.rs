//! A process that would decide otherwise than the one that runs.

use std::sync::Arc;

use saidso_core::fault::{Code, Remedy};
use saidso_models::ConstantEmbedder;
use saidso_pipeline::Rules;
use saidso_testcontainers::{
    distributed::Distributed,
    stand::{rules, rules_with},
};

use super::{
    process::{Manner, Process},
    story::{Reader, Story, assert_as_undisturbed},
};

#[test]
fn a_process_of_other_rules_is_stopped_at_the_start() {
    let data = Distributed::new();
    let process =
        Process::open(&data, &Manner::default()).and_then(|process| process.start(rules())).expect("it opens");
    let mut story = Story::of(["pinned"]);
    story.tell_parts(1, &process, || false).expect("nothing is in the way");

    let other = Manner { instance: "two", ..Manner::default() };
    let embedder = Arc::new(ConstantEmbedder::new(16));
    let others = [Rules { configuration: "slots/other".into(), ..rules() }, rules_with(rules().extractor, embedder)];
    for rules in others {
        let fault = Process::open(&data, &other).and_then(|process| process.start(rules)).err().expect("a fault");
        assert_eq!((fault.remedy, fault.code), (Remedy::Stop, Code::Generation), "{fault}");
    }

    story.tell(&process);
    drop(process);
    let reader = Reader::of(&data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &[story]);
}
