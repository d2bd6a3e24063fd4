//! A memory is a function of the set of observations (requirements A8, A9, A11, B9; field cases 2, 4, 5, 6, 7).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Said;
use proptest::prelude::*;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fold::{Folded, Memory, Rules, Status, fold},
    item::Kind,
    observation::Observation,
};

const CALIBRATION: Calibration = Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(8_000) };

fn folded(said: &[Said]) -> Folded {
    let observations: Vec<Observation> = said.iter().map(Said::observation).collect();
    fold(&observations, &[], &Rules::new(CALIBRATION))
}

fn current(folded: &Folded) -> Vec<&str> {
    let active = folded.memories.iter().filter(|memory| memory.status == Status::Active);
    active.map(|memory| memory.value.as_str()).collect()
}

#[test]
fn the_latest_value_is_current_and_the_old_one_is_history() {
    let folded = folded(&[
        Said::fact(1, "We use MySQL", "database", "mysql"),
        Said::fact(40, "We've moved to PostgreSQL", "database", "postgresql"),
    ]);
    assert_eq!(current(&folded), ["postgresql"]);
    let old = &folded.memories[0];
    assert_eq!((old.value.as_str(), old.status), ("mysql", Status::Superseded));
    assert_eq!(old.valid_to.as_deref(), Some(folded.memories[1].valid_from.as_str()));
    assert_eq!(old.superseded_by, Some(folded.memories[1].id));
}

#[test]
fn an_old_statement_that_arrives_late_does_not_win() {
    let late = Said::fact(1, "I live in Oslo", "home city", "oslo");
    let folded = folded(&[Said::fact(30, "I live in Bergen", "home city", "bergen"), late]);
    assert_eq!(current(&folded), ["bergen"]);
}

#[test]
fn love_then_hate_is_one_current_and_one_superseded() {
    let folded = folded(&[
        Said::fact(1, "I love Chinese food", "opinion of chinese food", "likes"),
        Said::fact(9, "I hate Chinese food now", "opinion of chinese food", "dislikes"),
    ]);
    assert_eq!(current(&folded), ["dislikes"]);
    assert_eq!(folded.memories.len(), 2);
}

#[test]
fn cases_of_a_word_are_one_value() {
    let folded = folded(&[
        Said::fact(1, "Переехала в Казань", "home city", "казань"),
        Said::fact(4, "Живу в Казани", "home city", "казани"),
        Said::fact(5, "Люблю кошек", "opinion of кошек", "likes"),
        Said {
            negated: true, ..Said::fact(9, "Мне не нравятся кошки", "opinion of кошки", "likes")
        },
    ]);
    let standing: Vec<_> = folded.memories.iter().map(|memory| (memory.mentions, memory.status)).collect();
    assert_eq!(standing, [(2, Status::Active), (1, Status::Superseded), (1, Status::Active)]);
}

#[test]
fn different_things_never_retire_each_other() {
    let folded = folded(&[
        Said::fact(1, "I live in Oslo", "home city", "oslo"),
        Said::fact(2, "I work in Oslo", "work place", "oslo"),
        Said::fact(3, "I have a dog", "pet", "dog").many(),
        Said::fact(4, "I have a cat", "pet", "cat").many(),
    ]);
    assert_eq!(current(&folded), ["oslo", "oslo", "dog", "cat"]);
}

#[test]
fn what_is_denied_ends_what_was_said_even_of_many() {
    let folded = folded(&[
        Said::fact(1, "I have a dog", "pet", "dog").many(),
        Said::fact(9, "I don't have a dog any more", "pet", "dog").many().negated(),
    ]);
    let active: Vec<&Memory> = folded.memories.iter().filter(|memory| memory.status == Status::Active).collect();
    assert!(active.len() == 1 && active[0].negated);
}

#[test]
fn qualifiers_let_values_stand_side_by_side() {
    let test = Said { qualifier: Some("test".into()), ..Said::fact(1, "Test runs MySQL", "database", "mysql") };
    let live =
        Said { qualifier: Some("production".into()), ..Said::fact(2, "Production runs Oracle", "database", "oracle") };
    assert_eq!(current(&folded(&[test, live])), ["mysql", "oracle"]);
}

#[test]
fn a_stated_change_or_denial_without_a_qualifier_ends_qualified_values_too() {
    let billing = || {
        let qualifier = Some("billing".into());
        Said { qualifier, ..Said::fact(1, "We use MySQL for billing", "database", "mysql") }
    };
    let moved = Said { changed: true, ..Said::fact(9, "We've moved to PostgreSQL", "database", "postgresql") };
    assert_eq!(current(&folded(&[billing(), moved])), ["postgresql"]);
    let denied = folded(&[billing(), Said::fact(9, "We don't use MySQL", "database", "mysql").negated()]);
    assert!(denied.memories[0].status == Status::Superseded && denied.memories[1].negated);
    let also = Said::fact(9, "We use PostgreSQL", "database", "postgresql");
    assert_eq!(current(&folded(&[billing(), also])), ["mysql", "postgresql"]);
}

#[test]
fn a_change_back_to_what_stands_already_ends_the_others_too() {
    let moved = |day| Said { changed: true, ..Said::fact(day, "We've moved to PostgreSQL", "database", "postgresql") };
    let billing =
        Said { qualifier: Some("billing".into()), ..Said::fact(5, "We use MySQL for billing", "database", "mysql") };
    let folded = folded(&[moved(1), billing, moved(9)]);
    assert_eq!(current(&folded), ["postgresql"]);
    assert_eq!((folded.memories.len(), folded.memories[0].mentions), (2, 2));
    assert_eq!(folded.memories[1].superseded_by, Some(folded.memories[0].id));
}

#[test]
fn a_repeat_is_a_mention_of_one_memory_with_the_newest_wording_and_the_highest_importance() {
    let first = Said { importance: 80, ..Said::fact(1, "I have two dogs", "pet", "2 dogs").many() };
    let again = Said { importance: 30, ..Said::fact(5, "as I said, I have two dogs", "pet", "2 dogs").many() };
    let folded = folded(&[first, again]);
    assert_eq!(folded.memories.len(), 1);
    let memory = &folded.memories[0];
    assert_eq!((memory.mentions, memory.text.as_str()), (2, "as I said, I have two dogs"));
    assert_eq!(memory.importance.as_f32(), 0.8);
    assert_eq!(memory.evidence.len(), 2);
}

#[test]
fn alike_wordings_with_other_numbers_are_two_memories() {
    let folded = folded(&[
        Said::fact(1, "our plan covers 20 seats in Berlin", "covers seats", "20 seats").many(),
        Said::fact(2, "our plan covers 30 seats in Berlin", "covers seats", "30 seats").many(),
    ]);
    assert_eq!(folded.memories.len(), 2);
}

#[test]
fn a_recalled_memory_said_back_adds_nothing_over_fifty_turns() {
    let first = Said::fact(0, "I run a small bakery in Lyon", "runs", "bakery").many();
    let id = first.observation().id;
    let mut said = vec![first];
    for day in 1..=50 {
        let text =
            format!("right, the small bakery in Lyon, as of visit {}", ["again", "then", "now"][day as usize % 3]);
        said.push(Said { recalled: vec![id], ..Said::fact(day, &text, "place", "lyon").many() });
    }
    let folded = folded(&said);
    assert_eq!((folded.memories.len(), folded.memories[0].mentions, folded.echoes.len()), (1, 1, 50));
}

#[test]
fn a_recalled_memory_does_not_hide_a_new_value() {
    let basic = Said::fact(0, "our plan is Basic", "plan", "basic");
    let id = basic.observation().id;
    let pro = Said { recalled: vec![id], ..Said::fact(3, "our plan is Pro now", "plan", "pro") };
    assert_eq!(current(&folded(&[basic, pro])), ["pro"]);
}

#[test]
fn events_of_different_days_pile_up() {
    let event = |day| Said::fact(day, "we restarted the cluster", "restarted", "cluster").many().kind(Kind::Event);
    assert_eq!(folded(&[event(1), event(9), event(20)]).memories.len(), 3);
}

#[test]
fn every_observation_id_is_an_alias_of_its_memory() {
    let said = [
        Said::fact(1, "I have two dogs", "pet", "2 dogs").many(),
        Said::fact(5, "yes I have two dogs", "pet", "2 dogs").many(),
    ];
    let folded = folded(&said);
    for statement in &said {
        let memory = folded.get(statement.observation().id).unwrap();
        assert_eq!(memory.id, said[0].observation().id);
    }
}

/// Random statements about few things, so that they meet.
fn statements() -> impl Strategy<Value = Vec<Observation>> {
    let one = (0..60i64, 0..3u32, 0..5usize, 0..4usize, any::<bool>(), 0..5usize, 0..3u8).prop_map(
        |(day, message, attribute, value, negated, kind, echo)| {
            let attribute = ["database", "city", "pet", "likes", "plan"][attribute];
            let value = ["alpha", "beta", "казань", "казани"][value];
            let many = attribute == "pet" || attribute == "likes";
            let kind = [Kind::Fact, Kind::Fact, Kind::Event, Kind::Topic, Kind::Task][kind];
            let recalled = match echo {
                0 => vec![Said::fact(day / 2, "our city is alpha", "city", "alpha").observation().id],
                _ => Vec::new(),
            };
            let text = format!("our {attribute} is {}{value}", if negated { "not " } else { "" });
            Said { message, many, negated, kind, recalled, ..Said::fact(day, &text, attribute, value) }.observation()
        },
    );
    prop::collection::vec(one, 0..40)
}

fn export(observations: &[Observation]) -> Vec<String> {
    let folded = fold(observations, &[], &Rules::new(CALIBRATION));
    folded.memories.iter().map(|memory| serde_json::to_string(memory).unwrap()).collect()
}

proptest! {
    /// Shuffled, doubled, split: the same memories, byte for byte.
    #[test]
    fn order_and_repeats_change_nothing(
        (observations, shuffled) in statements().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        again in any::<prop::sample::Index>(),
    ) {
        let mut arrived = shuffled;
        if !arrived.is_empty() {
            let twice = arrived[again.index(arrived.len())].clone();
            arrived.push(twice);
        }
        prop_assert_eq!(export(&observations), export(&arrived));
    }

    /// At most one value of a single-valued thing stands, and nothing is lost: every observation belongs to a memory.
    #[test]
    fn one_value_stands_and_none_is_lost(observations in statements()) {
        let folded = fold(&observations, &[], &Rules::new(CALIBRATION));
        for observation in &observations {
            prop_assert!(folded.get(observation.id).is_some());
        }
        let mut standing = std::collections::HashSet::new();
        for memory in &folded.memories {
            let single = !memory.topic_key.many && memory.kind == Kind::Fact && !memory.negated;
            if single && memory.status == Status::Active {
                prop_assert!(standing.insert((memory.topic_key.attribute.clone(), memory.qualifier.clone())));
            }
        }
    }
}
