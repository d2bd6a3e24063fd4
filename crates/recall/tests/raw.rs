//! Raw messages: found by their meaning, by who asks about whom, and by what was said around them.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Said, World, embedders::Concepts};
use saidso_core::scope::Scope;
use saidso_recall::{Question, Recall, Source};

fn texts(recall: &Recall, scope: &Scope, question: Question) -> Vec<String> {
    let answer = recall.answer(scope, &question).unwrap();
    assert!(answer.memories.iter().all(|result| result.source == Source::Message));
    answer.memories.into_iter().map(|result| result.text).collect()
}

fn asked(query: &str) -> Question {
    Question { query: query.into(), ..Question::default() }
}

#[test]
fn a_message_is_found_by_its_meaning() {
    let world = World::new();
    let scope = world.scope("ann");
    let stored = world.say(&scope, &Said::only(1, "They let me into the orchestra at last."));
    world.say(&scope, &Said::only(2, "Good morning from the harbour."));
    let by_words = world.recall(Concepts::default());
    assert!(texts(&by_words, &scope, asked("Which instrument?")).is_empty());
    world.embed_passages(&scope, &stored);
    let recall = world.recall(Concepts::default());
    assert_eq!(texts(&recall, &scope, asked("Which instrument?")), ["They let me into the orchestra at last."]);
    // In any language.
    let world = World::new();
    let scope = world.scope("ann");
    let stored = world.say(&scope, &Said::only(1, "The insulin is in the fridge."));
    world.embed_passages(&scope, &stored);
    let recall = world.recall(Concepts::default());
    assert_eq!(texts(&recall, &scope, asked("Какой медикамент?")), ["The insulin is in the fridge."]);
}

#[test]
fn a_question_may_name_the_customer() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::only(1, "The ferry to Bergen was late, Annika."));
    world.say(&scope, &Said::only(2, "A parrot sits on the balcony of my cousin."));
    let recall = world.recall(Concepts::default());
    let named = |customer: Option<&str>| {
        let customer = customer.map(str::to_owned);
        texts(&recall, &scope, Question { customer, ..asked("Where is Annika's parrot?") })
    };
    // Her name is no reason to find what holds it.
    assert_eq!(named(Some("Annika"))[0], "A parrot sits on the balcony of my cousin.");
    assert_eq!(named(Some("Annika Berg")), named(Some("Annika")));
}

#[test]
fn each_question_of_a_query_is_answered() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::only(1, "A parrot sits on the balcony."));
    world.say(&scope, &Said::only(2, "The ferry to Bergen leaves at noon."));
    for other in ["The soup was cold.", "It rains again.", "Nobody came to the fair."] {
        world.say(&scope, &Said::only(3, other));
    }
    let recall = world.recall(Concepts::default());
    let found = texts(&recall, &scope, asked("Where does the parrot sit? And when does the ferry leave?"));
    assert_eq!(found[..2], ["A parrot sits on the balcony.", "The ferry to Bergen leaves at noon."]);
}

#[test]
fn what_is_said_of_a_thing_that_the_question_only_describes_is_found() {
    let world = World::new();
    let scope = world.scope("ann");
    for (at, text) in [
        (1, "The Nordlys seminar has forty seats."),
        (2, "The Tindra course lasts nine weeks."),
        (3, "The Havbris course lasts two weeks."),
        (4, "The Nordlys seminar lasts six weeks."),
    ] {
        world.say(&scope, &Said::only(at, text));
    }
    let recall = world.recall(Concepts::default());
    let found = texts(&recall, &scope, asked("How many weeks does the one with forty seats last?"));
    assert_eq!(found[..2], ["The Nordlys seminar has forty seats.", "The Nordlys seminar lasts six weeks."]);
}
