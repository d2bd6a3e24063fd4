//! Answers that nobody is sure of: what waits for review, and what a verdict does.

#![allow(clippy::unwrap_used)]

mod common;

use std::{
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use common::{Said, World, day, embedders::Constant};
use saidso_core::{
    decay::DAY_MS,
    fold::Status,
    ids::ResultId,
    limits,
    review::{ReviewRow, Verdict, VerdictRow},
    scope::Scope,
};
use saidso_recall::{Answer, AsOf, Question, Recall, Source};

/// Shares one word of several with the customer's.
const UNSURE: &str = "Who paid for the roof in Lyon?";

fn asked(query: &str) -> Question {
    Question { query: query.into(), ..Question::default() }
}

fn ask(recall: &Recall, scope: &Scope, query: &str) -> Answer {
    recall.answer(scope, &asked(query)).unwrap()
}

fn until(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < deadline, "{what}");
        thread::yield_now();
    }
}

fn recall(world: &Arc<World>) -> Recall {
    world.recall_with(Constant, |settings| settings.tick = Duration::from_millis(5))
}

/// A customer whose warehouse is in Lyon, and an hour that is as good as any.
fn ann(world: &Arc<World>) -> Scope {
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    world.clock.0.store(day(2).ms(), Ordering::Relaxed);
    scope
}

fn waiting(world: &World, scope: &Scope) -> Vec<ReviewRow> {
    world.reviewing(scope).waiting
}

/// Has a verdict written, as the stages would.
fn judge(world: &World, recall: &Recall, scope: &Scope, verdict: VerdictRow) {
    world.reviews.lock().unwrap().entry(scope.clone()).or_default().verdicts.push(verdict);
    let position = world.touch(scope);
    assert!(recall.wait(scope, position, Duration::from_secs(60)).unwrap());
}

fn verdict(row: &ReviewRow, verdict: Verdict) -> VerdictRow {
    VerdictRow { result: row.results[0].result, review: row.id, asked_ms: row.asked_ms, verdict }
}

#[test]
fn a_question_waits_as_it_was_asked_last_and_no_recall_writes_it() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall_with(Constant, |settings| settings.tick = Duration::from_secs(3_600));
    let answer = ask(&recall, &scope, UNSURE);
    assert!(answer.review && answer.memories.len() == 1, "{answer:?}");
    assert!(!ask(&recall, &scope, "Where is our warehouse?").review);
    world.clock.0.fetch_add(1_000, Ordering::Relaxed);
    ask(&recall, &scope, UNSURE);
    recall.answer(&scope, &Question { as_of: Some(AsOf::Time(day(2).ms())), ..asked(UNSURE) }).unwrap();
    recall.put_waiting().unwrap();
    let [row] = &waiting(&world, &scope)[..] else { panic!("one question waits") };
    assert_eq!(row.asked_ms, day(2).ms() + 1_000);
    assert_eq!(row.results[0].confidence, answer.memories[0].retrieval_confidence.unwrap());
    assert_eq!(row.open(&scope, &*world).unwrap().unwrap().0, UNSURE);
    let [shown] = &recall.reviewed(&scope, row).unwrap().unwrap()[..] else { panic!("one result") };
    assert_eq!((&*shown.text, shown.source), ("Our warehouse is in Lyon.", Source::Memory));
    assert_eq!(shown.id.to_string(), answer.memories[0].id);

    // By itself, in the end.
    world.reviews.lock().unwrap().clear();
    ask(&recall, &scope, UNSURE);
    drop(recall);
    assert_eq!(waiting(&world, &scope).len(), 1);
}

#[test]
fn what_waits_is_bounded() {
    let world = World::new();
    let scope = ann(&world);
    let recall = recall(&world);
    for number in 0..limits::REVIEWS + 5 {
        assert!(ask(&recall, &scope, &format!("{UNSURE}{}", "?".repeat(number))).review);
        world.clock.0.fetch_add(1, Ordering::Relaxed);
    }
    recall.put_waiting().unwrap();
    until("the newest are left", || waiting(&world, &scope).len() == limits::REVIEWS);
    let oldest = waiting(&world, &scope).iter().map(|row| row.asked_ms).min();
    assert_eq!(oldest, Some(day(2).ms() + 5));
    drop(recall);
    world.clock.0.store(day(2).ms() + 4 + limits::REVIEW_DAYS * DAY_MS, Ordering::Relaxed);
    let recall = self::recall(&world);
    world.clock.0.fetch_add(DAY_MS, Ordering::Relaxed);
    until("all are over", || waiting(&world, &scope).is_empty());
    drop(recall);
}

#[test]
fn of_too_many_questions_between_two_writes_the_later_are_let_go() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall_with(Constant, |settings| settings.tick = Duration::from_secs(3_600));
    let ask = |number: usize| {
        assert!(ask(&recall, &scope, &format!("{UNSURE}{}", "?".repeat(number))).review);
        world.clock.0.fetch_add(1, Ordering::Relaxed);
    };
    let newest = || waiting(&world, &scope).iter().map(|row| row.asked_ms - day(2).ms()).max();
    let most = limits::REVIEWS_UNWRITTEN;
    (0..most).for_each(ask);
    recall.put_waiting().unwrap();
    assert_eq!(newest(), Some(most as i64 - 1));
    // After a write there is room again: for so many, and for what is held already.
    (0..=most).for_each(ask);
    recall.put_waiting().unwrap();
    assert_eq!(newest(), Some(2 * most as i64 - 1));
    (0..most).chain([0]).for_each(ask);
    recall.put_waiting().unwrap();
    assert_eq!(newest(), Some(3 * most as i64 + 1));
}

#[test]
fn what_was_accepted_for_a_question_is_not_flagged_for_it_again() {
    let world = World::new();
    let scope = ann(&world);
    let recall = recall(&world);
    let before = ask(&recall, &scope, UNSURE);
    recall.put_waiting().unwrap();
    let row = waiting(&world, &scope).remove(0);
    judge(&world, &recall, &scope, verdict(&row, Verdict::Accepted));
    let after = ask(&recall, &scope, UNSURE);
    assert!(before.review && !after.review);
    // It raises nothing; that it was surfaced before does.
    assert_eq!(after.memories[0].retrieval_confidence, before.memories[0].retrieval_confidence);
    assert!(ask(&recall, &scope, "Who repaired the roof in Lyon?").review);
    // Until it is rejected.
    let later = ReviewRow { asked_ms: row.asked_ms + 1, ..row };
    judge(&world, &recall, &scope, verdict(&later, Verdict::Rejected));
    assert!(ask(&recall, &scope, UNSURE).review);
}

#[test]
fn a_memory_that_was_rejected_weighs_less_and_then_is_history() {
    let world = World::new();
    let scope = ann(&world);
    let first = recall(&world);
    let export = first.export(&scope).unwrap();
    ask(&first, &scope, UNSURE);
    first.put_waiting().unwrap();
    let row = waiting(&world, &scope).remove(0);
    let question = "Where is our warehouse?";
    let before = ask(&first, &scope, question).memories[0].score;
    judge(&world, &first, &scope, verdict(&row, Verdict::Rejected));
    let once = ask(&first, &scope, question).memories[0].score;
    assert!(once < before * 0.6, "{once} of {before}");
    drop(first);

    let second = recall(&world);
    assert_eq!(ask(&second, &scope, question).memories.len(), 1);
    let again = ReviewRow { asked_ms: row.asked_ms + 1, ..row };
    judge(&world, &second, &scope, verdict(&again, Verdict::Rejected));
    // Neither it nor the message it rests on.
    assert!(ask(&second, &scope, question).empty);
    assert!(second.memories(&scope, false).unwrap().is_empty());
    let history = Question { history: true, ..asked(question) };
    let with_history = second.answer(&scope, &history).unwrap();
    assert_eq!(with_history.memories[0].memory.as_ref().unwrap().status, Status::Archived);
    // What was said, and what was thought of it then, are as they were.
    let then = Question { as_of: Some(AsOf::Position(world.newest())), ..asked(question) };
    assert_eq!(second.answer(&scope, &then).unwrap().memories.len(), 1);
    assert_eq!(second.memories_at(&scope, false, day(2).ms()).unwrap().len(), 1);
    assert_eq!(second.export(&scope).unwrap(), export);
}

#[test]
fn a_raw_message_is_rejected_like_a_memory() {
    let world = World::new();
    let scope = world.scope("ann");
    let stored = world.say(&scope, &Said::only(1, "Good morning from the harbour."));
    world.clock.0.store(day(2).ms(), Ordering::Relaxed);
    let recall = recall(&world);
    let question = "harbour morning";
    let found = ask(&recall, &scope, question);
    assert_eq!(found.memories[0].source, Source::Message, "{found:?}");
    let result: ResultId = found.memories[0].message.into();
    let review = world.ids(&scope).review("another question");
    let row = |asked_ms| VerdictRow { result, review, asked_ms, verdict: Verdict::Rejected };
    judge(&world, &recall, &scope, row(1));
    let once = ask(&recall, &scope, question).memories[0].score;
    assert!(once < found.memories[0].score * 0.6);
    judge(&world, &recall, &scope, row(2));
    assert!(ask(&recall, &scope, question).empty);
    assert!(!recall.answer(&scope, &Question { history: true, ..asked(question) }).unwrap().empty);
    assert!(stored.ids.is_empty());
}

#[test]
fn what_a_question_was_answered_with_is_forgotten_with_it() {
    let world = World::new();
    let scope = world.scope("ann");
    let stored = world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    world.clock.0.store(day(2).ms(), Ordering::Relaxed);
    let recall = recall(&world);
    ask(&recall, &scope, UNSURE);
    recall.put_waiting().unwrap();
    let row = waiting(&world, &scope).remove(0);
    assert!(recall.reviewed(&scope, &row).unwrap().is_some());
    let position = world.mark(&scope, &stored.observations[0]);
    assert!(recall.wait(&scope, position, Duration::from_secs(60)).unwrap());
    assert_eq!(recall.reviewed(&scope, &row).unwrap(), None);
}

#[test]
fn a_replica_says_how_far_behind_it_is() {
    let world = World::new();
    let scope = ann(&world);
    let recall = recall(&world);
    until("it is through", || recall.behind() == Some(0));
    world.fail_feed(true);
    until("nobody can say", || recall.behind().is_none());
    world.fail_feed(false);
    world.say(&scope, &Said::fact(2, "Our violin is in Turin.", "violin", "turin"));
    until("it is through again", || recall.behind() == Some(0));
}

#[test]
fn spaces_that_had_to_go_are_counted() {
    let world = World::new();
    let spaces: Vec<Scope> = ["ann", "bob", "cleo"].map(|name| world.scope(name)).to_vec();
    for scope in &spaces {
        world.say(scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    }
    let recall = world.recall_within(Constant, 1);
    assert_eq!(recall.evictions(), 0);
    for scope in &spaces {
        ask(&recall, scope, "Where is our warehouse?");
    }
    assert_eq!(recall.evictions(), 2);
}
