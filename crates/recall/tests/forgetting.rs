//! What is forgotten is not found: by vector, by word, raw, in lists, by id, in the export, as of the past.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Item, Said, World, day, embedders::Concepts};
use saidso_core::{ids::ObservationId, scope::Scope};
use saidso_recall::{Answer, AsOf, Question, Recall};

fn answer(recall: &Recall, scope: &Scope, query: &str) -> Answer {
    recall.answer(scope, &Question { query: query.into(), ..Question::default() }).unwrap()
}

/// Every way to read a space, as one text.
fn everything(recall: &Recall, scope: &Scope, id: ObservationId) -> String {
    let mut all = Vec::new();
    for query in ["Do I take insulin for diabetes?", "insulin", "every morning", "Where is our warehouse?"] {
        for as_of in [None, Some(AsOf::Time(day(9).ms()))] {
            let question =
                Question { query: query.into(), history: true, as_of, limit: Some(50), ..Question::default() };
            all.push(serde_json::to_string(&recall.answer(scope, &question).unwrap()).unwrap());
        }
    }
    all.push(serde_json::to_string(&recall.memories(scope, true).unwrap()).unwrap());
    all.push(serde_json::to_string(&recall.memory(scope, id).unwrap()).unwrap());
    all.push(serde_json::to_string(&recall.drops(scope).unwrap()).unwrap());
    all.extend(recall.export(scope).unwrap());
    all.concat()
}

#[test]
fn words_whose_key_is_destroyed_are_gone_from_everywhere() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let secret = world.say(&scope, &Said::fact(2, "I take insulin every morning.", "medication", "insulin"));
    let recall = world.recall(Concepts::default());
    assert!(everything(&recall, &scope, secret.ids[0]).contains("insulin"));

    let position = world.destroy_key(&scope, secret.turn);
    let question = Question { query: "insulin".into(), min_position: Some(position), ..Question::default() };
    assert!(recall.answer(&scope, &question).unwrap().empty);
    let left = everything(&recall, &scope, secret.ids[0]);
    assert!(!left.contains("insulin") && !left.contains("morning") && left.contains("Lyon"));
}

#[test]
fn marked_words_are_gone_before_the_clean_up() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let secret = world.say(&scope, &Said::fact(2, "I take insulin every morning.", "medication", "insulin"));
    let recall = world.recall(Concepts::default());
    assert!(everything(&recall, &scope, secret.ids[0]).contains("insulin"));

    let position = world.mark(&scope, &secret.observations[0]);
    let question = Question { query: "insulin".into(), min_position: Some(position), ..Question::default() };
    assert!(recall.answer(&scope, &question).unwrap().empty);
    let left = everything(&recall, &scope, secret.ids[0]);
    assert!(!left.contains("insulin") && !left.contains("morning") && left.contains("Lyon"));
}

#[test]
fn marked_words_are_gone_as_soon_as_recall_is_told() {
    let world = World::new();
    let scope = world.scope("ann");
    let secret = world.say(&scope, &Said::fact(2, "I take insulin every morning.", "medication", "insulin"));
    let recall = world.recall(Concepts::default());
    assert!(everything(&recall, &scope, secret.ids[0]).contains("insulin"));

    // No change is published: nothing but the word of whoever marked it.
    world.mark_silently(&scope, &secret.observations[0]);
    recall.marked(&scope);
    assert!(!everything(&recall, &scope, secret.ids[0]).contains("insulin"));
}

#[test]
fn the_other_half_of_a_sentence_stays() {
    let world = World::new();
    let scope = world.scope("ann");
    let mut said = Said::only(2, "I take insulin and our warehouse is in Lyon.");
    said.items.push(Item::new("I take insulin", "medication", "insulin"));
    said.items.push(Item::new("our warehouse is in Lyon", "warehouse", "lyon"));
    let stored = world.say(&scope, &said);
    world.mark(&scope, &stored.observations[0]);
    let recall = world.recall(Concepts::default());
    let found = answer(&recall, &scope, "Where is our warehouse?");
    assert_eq!(found.memories[0].quote, "our warehouse is in Lyon");
    assert!(answer(&recall, &scope, "insulin").empty);
    // The raw message is still there, without the forgotten words.
    let json = serde_json::to_string(&answer(&recall, &scope, "warehouse in Lyon")).unwrap();
    assert!(!json.contains("insulin"));
}
