//! A memory is a function of the set of observations (requirements A8, A9, A11, B9; field cases 2, 4, 5, 6, 7).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{Said, on};
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
        Said::fact(9, "We've moved to PostgreSQL", "database", "postgresql").changed(),
    ]);
    assert_eq!(current(&folded), ["postgresql"]);
    let old = &folded.memories[0];
    assert_eq!((old.value.as_str(), old.status), ("mysql", Status::Superseded));
    assert_eq!(old.valid_to.as_deref(), Some(folded.memories[1].valid_from.as_str()));
    assert_eq!(old.superseded_by, Some(folded.memories[1].id));
}

#[test]
fn an_old_document_that_arrives_late_is_history() {
    let late = Said::fact(-2_500, "I used to like canoes, I like them", "opinion of canoes", "likes");
    let folded = folded(&[Said::fact(30, "I dislike canoes", "opinion of canoes", "dislikes"), late]);
    assert_eq!(current(&folded), ["dislikes"]);
    let old = &folded.memories[0];
    assert_eq!((old.value.as_str(), old.status), ("likes", Status::Archived));
    assert!(folded.memories.iter().all(|memory| memory.contested_by.is_empty()));
}

#[test]
fn love_then_hate_is_one_current_and_one_superseded() {
    let folded = folded(&[
        Said::fact(1, "I love Chinese food", "opinion of chinese food", "likes"),
        Said::fact(9, "I hate Chinese food now", "opinion of chinese food", "dislikes").changed(),
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
    let pro = Said { recalled: vec![id], ..Said::fact(3, "our plan is Pro now", "plan", "pro").changed() };
    assert_eq!(current(&folded(&[basic, pro])), ["pro"]);
}

#[test]
fn what_is_recalled_and_restated_with_something_new_is_no_echo() {
    let new = |recalled: Said, said: Said| {
        let said = said.after(&[&recalled]);
        let folded = folded(&[recalled, said]);
        assert!(folded.echoes.is_empty() && folded.memories.len() == 2, "{:?}", folded.memories);
    };
    let pet = |day, text, value| Said::fact(day, text, "pet", value).many();
    new(pet(0, "I have a dog", "dog"), pet(3, "I have a cat", "cat"));
    new(
        Said::fact(0, "I really like jazz music", "likes", "jazz music").many(),
        Said::fact(3, "I really like rock music", "likes", "rock music").many(),
    );
    new(pet(0, "I have dogs at home", "dogs"), pet(3, "I have 2 dogs at home", "2 dogs"));
    new(pet(0, "I have a dog called Rex", "dog"), pet(3, "I have a dog called Fido", "dog called fido"));
    new(
        Said::fact(0, "We use MySQL", "database", "mysql"),
        Said::fact(3, "We use MySQL for billing", "database", "mysql").within("billing"),
    );
    let event = |day, text, value| Said::fact(day, text, "event", value).many().kind(Kind::Event);
    new(
        event(0, "we restarted the cluster", "restarted cluster"),
        Said {
            times: vec![on("last Monday", -7)],
            ..event(3, "we restarted the cluster last Monday", "restarted cluster")
        },
    );
    new(
        Said::fact(0, "I'm interested in mortgages", "interest", "mortgage").many().kind(Kind::Topic),
        pet(3, "I have a mortgage", "mortgage"),
    );
}

#[test]
fn what_only_repeats_words_of_a_recalled_memory_is_an_echo_whatever_its_key() {
    let first = Said::fact(0, "I run a small bakery in Lyon", "runs", "small bakery in lyon").many();
    let again = Said::fact(3, "my bakery is in Lyon", "location", "lyon").after(&[&first]);
    assert_eq!(folded(&[first, again]).memories.len(), 1);
    let lives = Said::fact(0, "I live in Oslo", "home city", "oslo");
    let works = Said::fact(3, "I work in Oslo", "work place", "oslo").after(&[&lives]);
    assert_eq!(current(&folded(&[lives, works])), ["oslo", "oslo"]);
}

#[test]
fn events_of_different_days_pile_up() {
    let event = |day| Said::fact(day, "we restarted the cluster", "restarted", "cluster").many().kind(Kind::Event);
    assert_eq!(folded(&[event(1), event(9), event(20)]).memories.len(), 3);
}

#[test]
fn an_event_is_one_by_its_own_date_and_not_by_when_it_is_told() {
    let event = |day, text: &str, value: &str, times| Said {
        times,
        ..Said::fact(day, text, "event", value).many().kind(Kind::Event)
    };
    let dated = |told, text: &str, words: &str, value: &str, at| event(told, text, value, vec![on(words, at)]);
    let count = |said: &[Said]| folded(said).memories.len();
    let first = || dated(62, "I moved to Oslo on 3 March", "on 3 March", "moved to oslo on 3 march", 61);
    assert_eq!(
        count(&[first(), dated(69, "I moved to Oslo on 3 March", "on 3 March", "moved to oslo on 3 march", 61)]),
        1
    );
    assert_eq!(count(&[first(), dated(63, "I moved to Oslo two days ago", "two days ago", "moved to oslo", 61)]), 1);
    assert_eq!(
        count(&[first(), dated(64, "I moved to Oslo on 4 March", "on 4 March", "moved to oslo on 4 march", 62)]),
        2
    );
    assert_eq!(count(&[first(), dated(62, "I moved to Oslo yesterday", "yesterday", "moved to oslo", 60)]), 2);
    // One telling may say more than the other, of the same day.
    let lease = |told, text: &str, words: &str, at| dated(told, text, words, text, at);
    let brief = || lease(11, "I signed the lease two days ago", "two days ago", 9);
    let long = || lease(10, "yesterday I signed the lease of the new flat", "yesterday", 9);
    assert_eq!(count(&[long(), brief()]), 1);
    assert_eq!(
        count(&[
            lease(10, "yesterday I signed the lease", "yesterday", 9),
            lease(11, "I signed the lease of the new flat two days ago", "two days ago", 9)
        ]),
        1
    );
    for other in [
        lease(11, "I signed the lease yesterday", "yesterday", 10),
        lease(11, "I sold the lease two days ago", "two days ago", 9),
        lease(11, "I did not sign the lease two days ago", "two days ago", 9),
        lease(11, "I signed 2 leases two days ago", "two days ago", 9),
    ] {
        assert_eq!(count(&[long(), other.clone()]), 2, "{}", other.text);
    }
    let undated = |told| event(told, "I moved to Oslo", "moved to oslo", Vec::new());
    assert_eq!(
        count(&[undated(61), dated(69, "I moved to Oslo on 3 March", "on 3 March", "moved to oslo on 3 march", 61)]),
        1
    );
    assert_eq!(
        count(&[undated(20), dated(69, "I moved to Oslo on 3 March", "on 3 March", "moved to oslo on 3 march", 61)]),
        2
    );
}

#[test]
fn a_topic_keeps_the_dated_trail_of_what_was_wanted_and_shows_the_newest() {
    let intent = |day, text: &str| Said::fact(day, text, "interest", "child's papers").many().kind(Kind::Topic);
    let mut said = vec![intent(0, "how do I register my newborn"), intent(2, "which papers does the office want")];
    said.extend((3..90).map(|day| intent(day, "how do I register my newborn")));
    said.push(intent(95, "what does the kindergarten need for my child"));
    let folded = folded(&said);
    let [topic] = &folded.memories[..] else { panic!("one topic") };
    assert_eq!((topic.text.as_str(), topic.mentions), ("what does the kindergarten need for my child", 90));
    let trail: Vec<(&str, &str)> =
        topic.evidence.iter().map(|mention| (mention.quote.as_str(), &mention.at[..10])).collect();
    assert_eq!(trail.len(), saidso_core::limits::MEMORY_EVIDENCE);
    assert_eq!(trail[0], ("how do I register my newborn", "2026-01-01"));
    assert_eq!(trail[1], ("which papers does the office want", "2026-01-03"));
    assert_eq!(trail.last(), Some(&("what does the kindergarten need for my child", "2026-04-06")));
}

#[test]
fn of_a_list_another_number_or_name_is_another_one() {
    let of = |day, text| Said::fact(day, text, "has", "dog").many();
    let count = |first, second| folded(&[of(0, first), of(9, second)]).memories.len();
    assert_eq!(count("I have a dog called Rex", "I have a dog called Fido"), 2);
    assert_eq!(count("I walk my dog 2 miles a day", "I walk my dog 3 miles a day"), 2);
    assert_eq!(count("I have a dog called Rex", "I have a dog"), 1);
    assert_eq!(count("I have a dog called Rex", "my Rex is a dog of 4 years"), 1);
    // Of what has one value at a time, the newest wording counts.
    let uses = |day, text| Said::fact(day, text, "database", "mysql");
    assert_eq!(
        folded(&[uses(0, "We've run MySQL for 3 years"), uses(99, "We've run MySQL for 4 years")]).memories.len(),
        1
    );
}

#[test]
fn nearness_does_not_outweigh_numbers_names_denials_or_who_does_it_to_whom() {
    // Every vector alike: only words keep statements apart.
    let near = Calibration { duplicate: ByLanguage::all(-10_000), related: ByLanguage::all(-10_000) };
    let of = |day, text: &str| Said::fact(day, text, "statement", text).many();
    let two = |first: &str, second: &str| {
        let observations = [of(0, first).observation(), of(1, second).observation()];
        fold(&observations, &[], &Rules::new(near)).memories.len()
    };
    for (first, second) in [
        ("our plan covers 20 seats in Berlin", "our plan covers 30 seats in Berlin"),
        ("my older sister Anna lives near Oslo", "my older sister Olga lives near Oslo"),
        ("we ship parcels to Oslo on Sundays", "we never ship parcels to Oslo on Sundays"),
        ("I prefer green tea over coffee", "I prefer coffee over green tea"),
        ("моя сестра Анна живёт в Казани", "моя сестра Ольга живёт в Казани"),
        ("周日我们往上海发货", "周日我们不往上海发货"),
    ] {
        assert_eq!(two(first, second), 2, "{first} / {second}");
    }
    for (first, second) in [
        ("we ship parcels to Oslo on Sundays", "we ship the parcels to Oslo every Sunday"),
        ("моя сестра Анна живёт в Казани", "у меня сестра Анна живёт в Казани"),
    ] {
        assert_eq!(two(first, second), 1, "{first} / {second}");
    }
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
