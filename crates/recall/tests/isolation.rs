//! Two spaces never influence each other's answers.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Said, World, embedders::Concepts};
use proptest::prelude::*;
use saidso_recall::Question;

const WORDS: [&str; 12] = [
    "warehouse",
    "insulin",
    "violin",
    "dinner",
    "Lyon",
    "pump",
    "仓库",
    "杭州",
    "склад",
    "ёлка",
    "vegetarian",
    "forty",
];

fn sentence() -> impl Strategy<Value = String> {
    proptest::collection::vec(0..WORDS.len(), 1..5)
        .prop_map(|words| format!("I have {}.", words.into_iter().map(|at| WORDS[at]).collect::<Vec<_>>().join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn an_answer_depends_on_its_own_space_alone(
        own in proptest::collection::vec(sentence(), 0..6),
        other in proptest::collection::vec(sentence(), 1..12),
        queries in proptest::collection::vec(sentence(), 1..4),
    ) {
        let (alone, shared) = (World::new(), World::new());
        for (day, text) in (0..).zip(&own) {
            for world in [&alone, &shared] {
                world.say(&world.scope("ann"), &Said::fact(day, text, text, text));
            }
        }
        for (day, text) in (0..).zip(&other) {
            shared.say(&shared.scope("bob"), &Said::fact(day, text, text, text));
        }
        let (recall_alone, recall_shared) = (alone.recall(Concepts::default()), shared.recall(Concepts::default()));
        for query in &queries {
            let question = Question { query: query.clone(), ..Question::default() };
            let of_bob = recall_shared.answer(&shared.scope("bob"), &question).unwrap();
            let of_ann = recall_shared.answer(&shared.scope("ann"), &question).unwrap();
            prop_assert_eq!(&of_ann, &recall_alone.answer(&alone.scope("ann"), &question).unwrap());
            // The same words said in another space carry other ids.
            for memory in &of_ann.memories {
                prop_assert!(of_bob.memories.iter().all(|other| other.id != memory.id));
            }
        }
        prop_assert_eq!(
            recall_shared.export(&shared.scope("ann")).unwrap(),
            recall_alone.export(&alone.scope("ann")).unwrap()
        );
    }
}

#[test]
fn an_id_of_another_space_names_nothing() {
    let world = World::new();
    let (ann, bob) = (world.scope("ann"), world.scope("bob"));
    let stored = world.say(&ann, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    world.say(&bob, &Said::fact(1, "Our warehouse is in Turin.", "warehouse", "turin"));
    let recall = world.recall(Concepts::default());
    assert!(recall.memory(&ann, stored.ids[0]).unwrap().is_some());
    assert!(recall.memory(&bob, stored.ids[0]).unwrap().is_none());
}
