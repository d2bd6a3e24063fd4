//! The model test on the backends, and the table it rests on held against the built-in extractor.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing has failed")]

use std::path::Path;

use saidso_core::{
    item::{Candidate, Extraction},
    ports::Extractor as _,
    text,
    turn::{Message, TurnBody},
};
use saidso_models::Builtin;
use saidso_testcontainers::{
    distributed::Distributed,
    model::{
        self,
        phrases::{Claim, DOUBLE, PLAIN, POISON, Phrase},
    },
    stand::Folder,
};

#[test]
fn the_embedded_backend_keeps_what_is_promised() {
    model::walks(Folder::make, &[1, 2, 3], 150, Path::new(env!("CARGO_TARGET_TMPDIR")));
}

#[test]
fn the_distributed_backend_keeps_what_is_promised() {
    model::walks(Distributed::new, &[1], 40, Path::new(env!("CARGO_TARGET_TMPDIR")));
}

fn extracted(phrases: &[&Phrase]) -> Extraction {
    let text = phrases.iter().map(|phrase| phrase.text()).collect::<Vec<_>>().join(" ");
    let turn = TurnBody { messages: vec![Message { text }], question: None, request: false };
    Builtin::new(None, None).unwrap().extract(&turn).unwrap()
}

fn all() -> impl Iterator<Item = &'static Phrase> {
    PLAIN.iter().chain(DOUBLE).chain([&POISON])
}

/// What a claim and an item have in common, names aside.
fn fits(claim: &Claim, item: &Candidate) -> bool {
    item.kind == claim.kind
        && (item.negated, item.changed, item.topic_key.many, item.qualifier.is_some())
            == (claim.denied, claim.changed, claim.many, claim.within.is_some())
}

#[test]
fn a_sentence_yields_what_the_table_says_beside_any_other() {
    for one in all() {
        for other in all() {
            let items = extracted(&[one, other]).candidates;
            let due: Vec<(&str, &Claim)> = [one, other]
                .into_iter()
                .flat_map(|phrase| phrase.claims.iter().map(|claim| (phrase.words, claim)))
                .collect();
            let missing = due
                .iter()
                .filter(|(words, claim)| !items.iter().any(|item| item.evidence.quote == *words && fits(claim, item)));
            let missing: Vec<_> = missing.collect();
            assert!(missing.is_empty() && items.len() == due.len(), "{missing:?} of\n{items:#?}");
        }
    }
}

#[test]
fn things_and_values_are_the_same_where_the_table_says_so() {
    let mut said: Vec<(&Claim, Candidate)> = Vec::new();
    for phrase in all() {
        let items = extracted(&[phrase]).candidates;
        let item = |claim: &Claim| items.iter().find(|item| fits(claim, item)).unwrap().clone();
        said.extend(phrase.claims.iter().map(|claim| (claim, item(claim))));
    }
    for (claim, item) in &said {
        for (other_claim, other) in &said {
            let key = |item: &Candidate| (item.topic_key.subject.clone(), text::same_key(&item.topic_key.attribute));
            let about = key(item) == key(other);
            assert_eq!(about, claim.about == other_claim.about, "{item:?}\n{other:?}");
            if about {
                let value = text::same_key(&item.value) == text::same_key(&other.value);
                assert_eq!(value, claim.value == other_claim.value, "{item:?}\n{other:?}");
                let qualifier = |item: &Candidate| item.qualifier.as_deref().map(text::same_key);
                assert_eq!(qualifier(item) == qualifier(other), claim.within == other_claim.within);
            }
        }
    }
}
