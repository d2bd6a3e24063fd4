//! Partitions that move to another process while a batch is in hand.

use std::sync::{Arc, Condvar, Mutex};

use saidso_core::{
    fault::{Code, Fault},
    item::Extraction,
    ports::Extractor,
    record::{Origin, Topic},
    turn::TurnBody,
};
use saidso_pipeline::StageCounts;
use saidso_testcontainers::{
    distributed::Distributed,
    stand::{rules, rules_with},
};

use super::{
    process::{Manner, Process, until},
    story::{Reader, Story, assert_as_undisturbed},
    topics,
};

/// An extractor that takes its time until it is let go.
struct Slow {
    inner: Arc<dyn Extractor>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    busy: bool,
    free: bool,
}

impl Extractor for Slow {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault> {
        let mut state = self.state.lock().expect("nobody panics with it");
        state.busy = true;
        drop(self.changed.wait_while(state, |state| !state.free).expect("nobody panics with it"));
        self.inner.extract(turn)
    }
}

fn extract(process: &Process) -> StageCounts {
    process.running().counts().stages.remove(&Origin::Topic(Topic::Turns)).unwrap_or_default()
}

#[test]
fn partitions_that_move_while_a_batch_is_in_hand_lose_nothing_and_double_nothing() {
    let data = Distributed::new();
    let slow = Arc::new(Slow { inner: rules().extractor, state: Mutex::default(), changed: Condvar::new() });
    let slowly = rules_with(slow.clone(), rules().embedder);
    let first = Process::open(&data, &Manner::default()).and_then(|process| process.start(slowly)).expect("it opens");
    // So many that each partition has some.
    let mut story = Story::of(["a", "b", "c", "d", "e", "f"]);
    story.tell_parts(1, &first, || false).expect("nothing is in the way");
    until("a batch in hand", || slow.state.lock().expect("nobody panics with it").busy);

    let second = Manner { instance: "two", ..Manner::default() };
    let second = Process::open(&data, &second).and_then(|process| process.start(rules())).expect("it opens");
    until("work of the second", || extract(&second).records > 0);
    slow.state.lock().expect("nobody panics with it").free = true;
    slow.changed.notify_all();
    until("a refused commit", || extract(&first).retries.contains_key(Code::LeaseLost.label()));
    story.tell(&first);
    drop((first, second));

    let counts = Topic::ALL.map(|topic| topics::all(&data, &topics::name(&data, topic)).len());
    assert!(counts.iter().all(|count| *count == counts[0]), "each record came through each stage once: {counts:?}");
    let reader = Reader::of(&data);
    assert_eq!(reader.dead(), []);
    assert_as_undisturbed(&reader, &[story]);
}
