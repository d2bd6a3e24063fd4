//! Sessions as recall shows them, and what is over with them (requirements A3, B6, C1, C2).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use common::{Said, World, day, embedders::Concepts};
use saidso_core::{item::Kind, limits, session::Closed};
use saidso_recall::{Question, Recall, RecallError};

const MINUTE: i64 = 60_000;

/// Where every session has timed out.
fn long_after() -> Arc<World> {
    let world = World::new();
    world.clock.0.store(day(300).ms(), Ordering::Relaxed);
    world
}

fn in_session(said: Said, session: &str) -> Said {
    Said { session: session.into(), ..said }
}

fn task(day: i64, session: &str, text: &str) -> Said {
    let mut said = in_session(Said::fact(day, text, "task", text), session);
    said.items[0].kind = Kind::Task;
    said
}

fn summaries(recall: &Recall, scope: &saidso_core::scope::Scope) -> Vec<(String, String)> {
    let sessions = recall.sessions(scope, limits::SESSIONS).unwrap();
    sessions.into_iter().map(|session| (session.name, session.summary)).collect()
}

#[test]
fn the_newest_sessions_are_shown_without_a_read_of_the_store() {
    let world = long_after();
    let scope = world.scope("ann");
    for at in 0..12 {
        world.say(
            &scope,
            &in_session(Said::only(at, &format!("We opened shop number {at} in Lyon.")), &format!("s{at}")),
        );
    }
    let recall = world.recall(Concepts::default());
    while !world.followed() {
        std::thread::yield_now();
    }
    recall.memories(&scope, false).unwrap();
    let loads = world.loads.load(Ordering::Relaxed);
    let shown = summaries(&recall, &scope);
    assert_eq!(shown[0], ("s11".to_owned(), "We opened shop number 11 in Lyon.".to_owned()));
    assert_eq!(recall.sessions(&scope, 3).unwrap().len(), 3);
    assert_eq!(shown.len(), limits::SESSIONS);
    assert_eq!(world.loads.load(Ordering::Relaxed), loads);
    for limit in [0, limits::SESSIONS + 1] {
        assert_eq!(recall.sessions(&scope, limit), Err(RecallError::Sessions { limit }));
    }
}

#[test]
fn what_is_forgotten_or_superseded_is_in_no_session() {
    let world = long_after();
    let scope = world.scope("ann");
    let forgotten = world.say(&scope, &Said::fact(1, "I take insulin.", "medicine", "insulin"));
    world.say(&scope, &Said::only(2, "We run a bakery."));
    world.say(&scope, &in_session(Said::fact(3, "I live in Oslo.", "city", "oslo"), "t"));
    let recall = world.recall(Concepts::default());
    let all = summaries(&recall, &scope);
    assert_eq!(all[1], ("s".into(), "I take insulin. We run a bakery.".into()));
    // The marks bind before the words are blanked, and another session's correction takes the old words away.
    world.mark(&scope, &forgotten.observations[0]);
    let moved = in_session(Said::fact(60, "I live in Bergen.", "city", "bergen"), "u");
    let last = world.say(&scope, &moved).position;
    assert!(recall.wait(&scope, last, Duration::from_secs(60)).unwrap());
    let expected = [("u", "I live in Bergen."), ("t", ""), ("s", "We run a bakery.")];
    assert_eq!(summaries(&recall, &scope), expected.map(|(name, summary)| (name.to_owned(), summary.to_owned())));
}

#[test]
fn a_time_out_makes_tasks_rank_lower() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &task(1, "old", "Compare the pump offers for me."));
    world.say(&scope, &task(2, "new", "Compare pump offers from Leeds."));
    let recall = world.recall(Concepts::default());
    let score = |text: &str| {
        let question = Question { query: "compare pump offers".into(), ..Question::default() };
        let answer = recall.answer(&scope, &question).unwrap();
        answer.memories.iter().find(|found| found.text == text).unwrap().score
    };
    let at = |ms: i64| world.clock.0.store(day(2).ms() + ms, Ordering::Relaxed);
    at(15 * MINUTE);
    let (old, new) = (score("Compare the pump offers for me."), score("Compare pump offers from Leeds."));
    assert_eq!(recall.sessions(&scope, 1).unwrap()[0].task.as_ref().unwrap().text, "Compare pump offers from Leeds.");
    at(15 * MINUTE + 1);
    assert!(score("Compare pump offers from Leeds.") < new * 0.6);
    assert!((score("Compare the pump offers for me.") - old).abs() < 0.1 * old);
    let session = recall.sessions(&scope, 1).unwrap().remove(0);
    assert_eq!((session.closed, session.task), (Some((day(2).ms() + 15 * MINUTE, Closed::TimedOut)), None));
}
