//! Loading, following changes, waiting for a position, and staying within the memory bound.

#![allow(clippy::unwrap_used)]

mod common;

use std::{
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use common::{
    Said, World, day,
    embedders::{Concepts, Constant},
};
use saidso_core::{limits, position::Position, scope::Scope};
use saidso_recall::{Question, Recall, RecallError};

fn asked(query: &str) -> Question {
    Question { query: query.into(), ..Question::default() }
}

fn places(recall: &Recall, scope: &Scope) -> Vec<String> {
    let answer = recall.answer(scope, &asked("Where is our warehouse?")).unwrap();
    answer.memories.into_iter().map(|memory| memory.text).collect()
}

/// Asks until the answer is as expected: the follower is another thread. Gives up after a minute.
fn until(condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited a minute");
        thread::yield_now();
    }
}

#[test]
fn a_change_is_seen_and_an_unchanged_space_is_not_read_again() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let recall = world.recall(Concepts::default());
    assert_eq!(places(&recall, &scope), ["Our warehouse is in Lyon."]);
    let turin = world.say(&scope, &Said::fact(2, "Our warehouse is in Turin now.", "warehouse", "turin"));
    assert!(recall.wait(&scope, turin.position, Duration::from_secs(60)).unwrap());
    until(|| places(&recall, &scope) == ["Our warehouse is in Turin now."]);

    world.say(&world.scope("bob"), &Said::fact(2, "Our warehouse is in Oslo.", "warehouse", "oslo"));
    until(|| world.followed());
    places(&recall, &scope);
    let before = world.loads.load(Ordering::Relaxed);
    for _ in 0..20 {
        places(&recall, &scope);
    }
    assert_eq!(world.loads.load(Ordering::Relaxed), before);
}

#[test]
fn a_change_that_repeats_a_position_is_read_again() {
    let world = World::new();
    let scope = world.scope("ann");
    let lyon = world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let recall = world.recall(Concepts::default());
    assert_eq!(places(&recall, &scope).len(), 1);
    // A write that was done before a crash is only finished: no newer position.
    world.store(&scope, &Said::fact(2, "Our warehouse is in Turin now.", "warehouse", "turin"), lyon.position);
    world.publish(&scope, lyon.position);
    until(|| places(&recall, &scope) == ["Our warehouse is in Turin now."]);
}

#[test]
fn an_answer_waits_for_its_position() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let recall = Arc::new(world.recall(Concepts::default()));
    assert_eq!(places(&recall, &scope).len(), 1);
    let position = Position { epoch: 1, partition: 0, offset: 1 };
    let waiting = {
        let (recall, scope) = (recall.clone(), scope.clone());
        let question = Question { min_position: Some(position), ..asked("Where is our warehouse?") };
        thread::spawn(move || recall.answer(&scope, &question))
    };
    let turin = world.say(&scope, &Said::fact(2, "Our warehouse is in Turin now.", "warehouse", "turin"));
    assert_eq!(turin.position, position);
    let answer = waiting.join().unwrap().unwrap();
    assert_eq!(answer.memories[0].text, "Our warehouse is in Turin now.");
}

#[test]
fn waiting_is_bounded() {
    let world = World::new();
    let scope = world.scope("ann");
    let stored = world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let recall = world.recall(Concepts::default());
    let later = Position { offset: stored.position.offset + 1, ..stored.position };
    assert!(recall.wait(&scope, stored.position, Duration::ZERO).unwrap());
    assert!(!recall.wait(&scope, later, Duration::ZERO).unwrap());
    let question = Question { min_position: Some(later), ..asked("Where is our warehouse?") };
    let waited_ms = limits::POSITION_WAIT_MS;
    let late = RecallError::NotYetVisible { waited_ms, applied: Some(stored.position) };
    assert_eq!(recall.answer(&scope, &question), Err(late));
}

#[test]
fn a_cold_space_is_read_once_however_many_ask() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let recall = Arc::new(world.recall(Constant));
    until(|| world.followed());
    let before = world.loads.load(Ordering::Relaxed);
    world.close_gate();
    let asking: Vec<_> = (0..8)
        .map(|_| {
            let (recall, scope) = (recall.clone(), scope.clone());
            thread::spawn(move || places(&recall, &scope))
        })
        .collect();
    until(|| world.loads.load(Ordering::Relaxed) > before);
    world.open_gate();
    for thread in asking {
        assert_eq!(thread.join().unwrap(), ["Our warehouse is in Lyon."]);
    }
    assert_eq!(world.loads.load(Ordering::Relaxed), before + 1);
}

#[test]
fn a_change_during_a_load_is_not_missed() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let recall = Arc::new(world.recall(Constant));
    world.close_gate();
    let slow = {
        let (recall, scope) = (recall.clone(), scope.clone());
        thread::spawn(move || places(&recall, &scope))
    };
    // The rows of the first load are read, and it waits; what changes now is not in them.
    until(|| world.loads.load(Ordering::Relaxed) == 1);
    let turin = world.say(&scope, &Said::fact(2, "Our warehouse is in Turin now.", "warehouse", "turin"));
    world.open_gate();
    slow.join().unwrap();
    let question = Question { min_position: Some(turin.position), ..asked("Where is our warehouse?") };
    assert_eq!(recall.answer(&scope, &question).unwrap().memories[0].text, "Our warehouse is in Turin now.");
}

#[test]
fn loaded_spaces_stay_within_their_bound() {
    let world = World::new();
    let scopes: Vec<Scope> = (0..40).map(|n| world.scope(&format!("customer {n}"))).collect();
    for scope in &scopes {
        for n in 0..20 {
            let text = format!("Our warehouse {n} is in Lyon.");
            world.say(scope, &Said::fact(n, &text, &format!("warehouse {n}"), "lyon"));
        }
    }
    let unbounded = world.recall(Constant);
    scopes.iter().for_each(|scope| drop(places(&unbounded, scope)));
    let bound = unbounded.bytes() / 4;
    drop(unbounded);

    let recall = world.recall_within(Constant, bound);
    for _ in 0..2 {
        for scope in &scopes {
            assert_eq!(places(&recall, scope).len(), 5);
            assert!(recall.bytes() <= bound);
        }
    }
    assert!(recall.bytes() > bound / 2);
    // The one used last is still here.
    until(|| world.followed());
    places(&recall, &scopes[39]);
    let before = world.loads.load(Ordering::Relaxed);
    places(&recall, &scopes[39]);
    assert_eq!(world.loads.load(Ordering::Relaxed), before);
}

#[test]
fn answers_stay_right_when_changes_cannot_be_followed() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let recall = world.recall(Constant);
    assert_eq!(places(&recall, &scope), ["Our warehouse is in Lyon."]);
    world.fail_feed(true);
    until(|| recall.fault().is_some());
    world.say(&scope, &Said::fact(2, "Our warehouse is in Turin now.", "warehouse", "turin"));
    until(|| places(&recall, &scope) == ["Our warehouse is in Turin now."]);
    world.fail_feed(false);
    until(|| recall.fault().is_none());
    world.say(&scope, &Said::fact(3, "Our warehouse is in Oslo now.", "warehouse", "oslo"));
    until(|| places(&recall, &scope) == ["Our warehouse is in Oslo now."]);
    recall.stop();
}

#[test]
fn memory_begins_with_the_first_turn() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::only(7, "Good morning."));
    world.say(&scope, &Said::only(3, "Sent late: hello there."));
    let recall = world.recall(Constant);
    let answer = recall.answer(&scope, &asked("Where is our warehouse?")).unwrap();
    assert_eq!((answer.empty, answer.memory_since), (true, Some(day(3).to_string())));
}
