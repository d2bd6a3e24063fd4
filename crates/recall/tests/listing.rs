//! Lists, ids, the logical export and the drops of turns.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Said, World, day, embedders::Concepts};
use saidso_core::{ids::ObservationId, item::DropReason};

#[test]
fn a_memory_is_found_by_the_id_of_any_of_its_observations() {
    let world = World::new();
    let scope = world.scope("ann");
    let first = world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let again = world.say(&scope, &Said::fact(2, "The warehouse? It is in Lyon.", "warehouse", "lyon"));
    let recall = world.recall(Concepts::default());
    let memory = recall.memory(&scope, again.ids[0]).unwrap().unwrap();
    assert_eq!((memory.id, memory.mentions), (first.ids[0], 2));
    assert_eq!(recall.memory(&scope, first.ids[0]).unwrap(), Some(memory));
    assert_eq!(recall.memory(&scope, ObservationId::from_bytes([9; 16])).unwrap(), None);
}

#[test]
fn equal_sets_of_turns_give_equal_exports() {
    let said = [
        Said::fact(3, "I take insulin.", "medication", "insulin"),
        Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"),
        Said::fact(2, "Our warehouse is in Turin now.", "warehouse", "turin"),
    ];
    let export = |order: &[usize]| {
        let world = World::new();
        let scope = world.scope("ann");
        order.iter().for_each(|at| drop(world.say(&scope, &said[*at])));
        world.recall(Concepts::default()).export(&scope).unwrap()
    };
    let lines = export(&[0, 1, 2]);
    assert_eq!(lines.len(), 3);
    assert!(lines.is_sorted() && lines.iter().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert_eq!(lines, export(&[2, 0, 1]));
    assert_eq!(lines, export(&[1, 2, 0, 2]));
}

#[test]
fn drops_are_listed_by_turn_with_their_reason() {
    let world = World::new();
    let scope = world.scope("ann");
    let lyon = world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    let hedged = Said { drops: vec!["maybe Turin"], ..Said::only(3, "It will be maybe Turin.") };
    world.say(&scope, &hedged.named("turn-3"));
    // What was just recalled and is said back is an echo, found by the fold.
    let echo =
        Said { recalled: lyon.ids.clone(), ..Said::fact(2, "Right, our warehouse is in Lyon.", "warehouse", "lyon") };
    world.say(&scope, &echo);
    let recall = world.recall(Concepts::default());
    let drops = recall.drops(&scope).unwrap();
    let listed: Vec<_> =
        drops.iter().map(|turn| (turn.at.clone(), turn.name.as_deref(), turn.drops[0].reason)).collect();
    assert_eq!(
        listed,
        [(day(2).to_string(), None, DropReason::Echo), (day(3).to_string(), Some("turn-3"), DropReason::Hedged),]
    );
    assert_eq!(drops[1].drops[0].quote, "maybe Turin");
}
