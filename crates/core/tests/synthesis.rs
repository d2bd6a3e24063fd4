//! What a sentence has to cite (requirements B5). Whoever worded it is taken for hostile.

use proptest::prelude::*;
use saidso_core::{
    limits,
    synthesis::{Cited, Source, grounded},
};

const SOURCES: [Source<'static>; 2] =
    [Source { id: "m1", text: "I live in Oslo." }, Source { id: "m2", text: "I have two cats." }];

fn cited(text: &str, cites: &[&str]) -> Cited {
    Cited { text: text.into(), cites: cites.iter().map(|id| (*id).to_owned()).collect() }
}

#[test]
fn a_sentence_without_a_result_behind_it_is_refused() {
    let draft = vec![
        cited("You live in Oslo.", &["m1"]),
        cited("You own a yacht.", &[]),
        cited("You own a bank.", &["m3"]),
        // Half of it comes from nowhere, and nobody knows which half.
        cited("You live in Oslo and own a bank.", &["m1", "m3"]),
        cited("You own a mine.", &["M1"]),
        cited("You own a port.", &[""]),
        cited("  ", &["m1"]),
        cited(" You have two cats in Oslo. ", &["m2", "m1", "m2"]),
    ];
    let synthesis = grounded(draft, &SOURCES);
    let kept = [cited("You live in Oslo.", &["m1"]), cited("You have two cats in Oslo.", &["m2", "m1"])];
    assert_eq!((synthesis.sentences(), synthesis.refused()), (&kept[..], 6));
}

#[test]
fn limits_hold_at_and_not_over() {
    let long = |bytes: usize| cited(&"x".repeat(bytes), &["m1"]);
    assert_eq!(grounded(vec![long(limits::QUOTE_BYTES), long(limits::QUOTE_BYTES + 1)], &SOURCES).sentences().len(), 1);
    let many = |count: usize| grounded(vec![long(1); count], &SOURCES);
    let most = limits::SYNTHESIS_SENTENCES;
    for (count, kept) in [(most - 1, most - 1), (most, most), (most + 1, most)] {
        assert_eq!((many(count).sentences().len(), many(count).refused()), (kept, count - kept));
    }
}

#[test]
fn without_results_nothing_can_be_said() {
    let synthesis = grounded(vec![cited("You live in Oslo.", &["m1"])], &[]);
    assert_eq!((synthesis.sentences().len(), synthesis.refused()), (0, 1));
}

proptest! {
    #[test]
    fn whatever_is_drafted_what_stands_cites_results_and_is_in_order(
        draft in prop::collection::vec(("[a-z ]{0,8}", prop::collection::vec("m[0-3]", 0..4)), 0..30),
    ) {
        let draft: Vec<Cited> = draft.into_iter().map(|(text, cites)| Cited { text, cites }).collect();
        let synthesis = grounded(draft.clone(), &SOURCES);
        prop_assert_eq!(synthesis.sentences().len() + synthesis.refused(), draft.len());
        let mut left = draft.iter();
        for sentence in synthesis.sentences() {
            prop_assert!(!sentence.cites.is_empty());
            prop_assert!(sentence.cites.iter().all(|id| id == "m1" || id == "m2"));
            prop_assert!(left.any(|drafted| drafted.text.trim() == sentence.text), "invented or out of order");
        }
    }
}
