//! One thing of a list stands on its own words, with what the sentence says of all of them (requirements A6, A8).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Said;
use saidso_core::{
    ground::ground,
    item::{DropReason, Evidence, Span},
    turn::{Message, TurnBody},
};

fn outcome(said: &str, text: &str, quote: &str) -> Result<String, DropReason> {
    let start = said.find(quote).unwrap() as u32;
    let span = Span { start, end: start + quote.len() as u32 };
    let mut item = Said::fact(1, text, "thing", "value").observation().body.item;
    item.evidence = Evidence { message: 0, span, quote: quote.into() };
    let body = TurnBody { messages: vec![Message { text: said.into() }], question: None, request: false };
    ground(&body, item).map(|grounded| grounded.item().evidence.quote.clone()).map_err(|drop| drop.reason)
}

#[test]
fn one_thing_of_a_list_stands_with_what_is_said_of_all() {
    for (said, text, quote) in [
        ("I'm allergic to eggs, soy and wheat.", "I'm allergic to wheat", "wheat"),
        ("I'm allergic to eggs, soy and wheat.", "I'm allergic to soy", "soy"),
        ("I don't eat lamb or veal.", "I don't eat veal", "veal"),
        ("我对芒果和虾过敏。", "我对芒果过敏", "我对芒果"),
        ("我对芒果和虾过敏。", "我对虾过敏", "虾过敏"),
        ("У меня есть попугай и кошка.", "У меня есть кошка", "кошка"),
    ] {
        assert_eq!(outcome(said, text, quote), Ok(quote.into()), "{text}");
    }
    for (said, text, quote) in [
        // Not said of it.
        ("I'm not allergic to eggs but soy.", "I'm not allergic to soy", "soy"),
        ("I love tea and my wife loves coffee.", "I love coffee", "coffee"),
        ("I paint boats because she has a car, a van.", "I paint a van", "a van"),
        ("Я не люблю чай, он любит кофе и какао.", "Я не люблю какао", "какао"),
        // Other words than were said.
        ("I'm allergic to eggs and soy.", "I'm not allergic to soy", "soy"),
        ("I paint boats and she mends cars.", "I paint cars", "cars"),
    ] {
        assert!(outcome(said, text, quote).is_err(), "{text}");
    }
}
