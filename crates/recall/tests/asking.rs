//! What is asked besides a question: which memories may come back, what they must contain, and what a session starts with.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::atomic::Ordering;

use common::{Item, Said, World, day, embedders::Concepts};
use saidso_core::{fold::Status, item::Kind, limits, scope::Scope};
use saidso_recall::{Filter, Question, Recall, Rule, Source};

const WHERE: &str = "Where is the warehouse?";

fn ann(world: &World) -> Scope {
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let with = |mut said: Said, change: fn(&mut Item)| {
        change(&mut said.items[0]);
        world.say(&scope, &said);
    };
    with(Said::fact(4, "Our warehouse is now in Turin.", "warehouse", "turin"), |item| item.changed = true);
    with(Said::fact(6, "We insured the warehouse at 5 %.", "insured", "5 %"), |item| item.kind = Kind::Event);
    scope
}

fn found(recall: &Recall, scope: &Scope, question: Question) -> Vec<String> {
    let question = Question { query: WHERE.into(), ..question };
    let answer = recall.answer(scope, &question).unwrap();
    let memories = answer.memories.into_iter().filter(|found| found.source == Source::Memory);
    memories.map(|found| found.text).collect()
}

fn only(filter: Filter) -> Question {
    Question { filter, ..Question::default() }
}

#[test]
fn only_what_passes_the_filter_comes_back() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Concepts::default());
    let now = ["Our warehouse is now in Turin.", "We insured the warehouse at 5 %."];
    let mut all = found(&recall, &scope, Question::default());
    all.sort();
    assert_eq!(all, now);
    for (filter, left) in [
        (Filter { kinds: vec![Kind::Fact], ..Filter::default() }, Some(now[0])),
        (Filter { kinds: vec![Kind::Event, Kind::Task], ..Filter::default() }, Some(now[1])),
        (Filter { slots: vec!["region".into()], ..Filter::default() }, None),
        (Filter { from_ms: Some(day(6).ms()), ..Filter::default() }, Some(now[1])),
        (Filter { until_ms: Some(day(6).ms()), ..Filter::default() }, Some(now[0])),
        // History comes back where it is named, and nothing else then.
        (Filter { statuses: vec![Status::Superseded], ..Filter::default() }, Some("Our warehouse is in Lyon.")),
        (Filter { statuses: vec![Status::Archived], ..Filter::default() }, None),
    ] {
        assert_eq!(found(&recall, &scope, only(filter.clone())), Vec::from_iter(left), "{filter:?}");
    }
}

#[test]
fn a_filter_leaves_no_raw_words_of_another_sort() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::only(3, "The warehouse roof leaks."));
    let recall = world.recall(Concepts::default());
    let ask = |filter| {
        let question = Question { query: "Does the warehouse roof leak?".into(), filter, ..Question::default() };
        recall.answer(&scope, &question).unwrap().memories.len()
    };
    assert_eq!(ask(Filter::default()), 1);
    assert_eq!(ask(Filter { until_ms: Some(day(3).ms()), ..Filter::default() }), 0);
    assert_eq!(ask(Filter { kinds: vec![Kind::Fact], ..Filter::default() }), 0);
}

#[test]
fn rules_are_applied_to_what_was_found() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Concepts::default());
    let ask = |rules: &[Rule]| found(&recall, &scope, Question { rules: rules.to_vec(), ..Question::default() });
    assert_eq!(ask(&[Rule::Percentage]), ["We insured the warehouse at 5 %."]);
    assert_eq!(ask(&[Rule::Words("Turin".into())]), ["Our warehouse is now in Turin."]);
    assert!(ask(&[Rule::Percentage, Rule::Words("Turin".into())]).is_empty());
}

#[test]
fn an_answer_says_how_sure_it_is() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Concepts::default());
    let answer = recall.answer(&scope, &Question { query: WHERE.into(), ..Question::default() }).unwrap();
    let sure = answer.memories[0].retrieval_confidence.unwrap();
    assert!((0.0..=1.0).contains(&sure));
    let best = answer.memories.iter().filter_map(|found| found.retrieval_confidence).fold(0.0, f32::max);
    assert_eq!(answer.review, best < 0.7);
    let empty = recall.answer(&scope, &Question { query: "What is my blood type?".into(), ..Question::default() });
    assert!(!empty.unwrap().review);
}

#[test]
fn a_session_starts_with_what_weighs_most_and_the_first_question_reads_nothing() {
    let world = World::new();
    let scope = ann(&world);
    for stamp in 0..limits::HOT_MEMORIES {
        let mut said = Said::fact(0, &format!("I collected stamp number {stamp}."), "stamps", &stamp.to_string());
        said.items[0].kind = Kind::Event;
        world.say(&scope, &said);
    }
    let recall = world.recall(Concepts::default());
    while !world.followed() {
        std::thread::yield_now();
    }
    let preloaded = recall.preload(&scope, "a new one").unwrap();
    assert_eq!(preloaded.memories.len(), limits::HOT_MEMORIES);
    assert!(preloaded.memories.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert!(preloaded.memories[..2].iter().any(|found| found.text.contains("Turin")));
    assert!(preloaded.memories.iter().all(|found| found.retrieval_confidence.is_none()));
    assert_eq!(preloaded.memory_since, Some(day(0).to_string()));
    let loads = world.loads.load(Ordering::Relaxed);
    assert_eq!(found(&recall, &scope, Question::default()).len(), 2);
    assert_eq!(world.loads.load(Ordering::Relaxed), loads);
    assert!(recall.preload(&world.scope("nobody"), "first").unwrap().memories.is_empty());
}
