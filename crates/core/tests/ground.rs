//! Only what stands in the customer's words is kept (requirements A2, A5, A6; field cases 1, 8, 13, 14, 20).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Said;
use proptest::prelude::*;
use saidso_core::{
    ground::ground,
    item::{Candidate, DropReason, Evidence, Span},
    turn::{Message, TurnBody},
};

fn body(text: &str) -> TurnBody {
    TurnBody { messages: vec![Message { text: text.into() }], question: None, request: false }
}

/// A candidate with a wording and a quote, its span set to where a careless model says it is.
fn candidate(text: &str, quote: &str, span: Span) -> Candidate {
    let mut item = Said::fact(1, text, "thing", "value").observation().body.item;
    item.evidence = Evidence { message: 0, span, quote: quote.into() };
    item
}

fn outcome(said: &str, text: &str, quote: &str) -> Result<String, DropReason> {
    let start = said.find(quote).unwrap_or(0) as u32;
    let span = Span { start, end: start + quote.len() as u32 };
    match ground(&body(said), candidate(text, quote, span)) {
        Ok(grounded) => Ok(grounded.item().evidence.quote.clone()),
        Err(drop) => Err(drop.reason),
    }
}

#[test]
fn a_quote_that_is_not_there_is_no_evidence() {
    let said = "We use MySQL 8.0 in Oslo";
    assert_eq!(outcome(said, "We use MySQL 8.0", "We use MySQL 8.0"), Ok("We use MySQL 8.0".into()));
    assert_eq!(outcome(said, "We use MySQL 8.1", "We use MySQL 8.1"), Err(DropReason::NoEvidence));
    assert_eq!(outcome(said, "x", ""), Err(DropReason::NoEvidence));
    assert_eq!(outcome(said, "We run a bakery", "We run a bakery"), Err(DropReason::NoEvidence));
}

#[test]
fn a_span_that_is_off_is_set_right_and_one_outside_the_text_is_no_panic() {
    let said = "Hello! We use MySQL.";
    for (start, end) in [(0, 12), (900, 1_000), (3, 1), (u32::MAX - 1, u32::MAX)] {
        let grounded = ground(&body(said), candidate("We use MySQL", "We use MySQL", Span { start, end })).unwrap();
        assert_eq!(grounded.item().evidence.span.of(said), Some("We use MySQL"));
    }
    let mut elsewhere = candidate("We use MySQL", "We use MySQL", Span { start: 7, end: 19 });
    elsewhere.evidence.message = 9;
    assert_eq!(ground(&body(said), elsewhere).unwrap_err().reason, DropReason::NoEvidence);
}

#[test]
fn quotes_ground_modulo_width_case_and_yo() {
    assert_eq!(
        outcome("У нас ещё две ёлки", "У нас еще две елки", "У нас еще две елки"),
        Ok("У нас ещё две ёлки".into())
    );
    assert_eq!(outcome("我们有１２台服务器", "我们有12台服务器", "我们有12台服务器"), Ok("我们有１２台服务器".into()));
}

#[test]
fn a_wording_may_not_say_more_than_the_words() {
    let said = "we have three shops in Lyon and do not ship abroad";
    let quote = said;
    assert!(outcome(said, "three shops in Lyon, we do not ship abroad", quote).is_ok());
    for more in [
        "we have four shops in Lyon and do not ship abroad",
        "we have three shops in Paris and do not ship abroad",
        "we have three shops in Lyon and ship abroad",
        "we have three profitable shops in Lyon and do not ship abroad",
    ] {
        assert_eq!(outcome(said, more, quote), Err(DropReason::Unsupported), "{more}");
    }
}

#[test]
fn a_wording_in_another_language_is_drift() {
    assert_eq!(
        outcome("我用 MySQL 8.0，在上海", "I use MySQL 8.0 in Shanghai", "我用 MySQL 8.0，在上海"),
        Err(DropReason::LanguageDrift)
    );
}

#[test]
fn an_agents_question_counts_only_with_a_plain_yes() {
    let ask = |answer: &str| {
        let asked = "Do you run a bakery?";
        let turn = TurnBody { question: Some(asked.into()), ..body(answer) };
        let whole = |text: &str| Span { start: 0, end: text.len() as u32 };
        let mut item = candidate("yes, two of them", answer, whole(answer));
        item.text = answer.into();
        item.question = Some(Evidence { message: 0, span: whole(asked), quote: asked.into() });
        ground(&turn, item).map(|grounded| grounded.item().question.clone().map(|question| question.quote))
    };
    assert_eq!(ask("yes, two of them"), Ok(Some("Do you run a bakery?".into())));
    for answer in ["when do you deliver?", "no", "maybe yes"] {
        assert_eq!(ask(answer).unwrap_err().reason, DropReason::NoEvidence, "{answer}");
    }
}

#[test]
fn a_question_that_was_never_asked_is_no_evidence() {
    let mut item = candidate("yes", "yes", Span { start: 0, end: 3 });
    item.question = Some(Evidence { message: 0, span: Span { start: 0, end: 5 }, quote: "Do we".into() });
    assert_eq!(ground(&body("yes"), item).unwrap_err().reason, DropReason::NoEvidence);
}

proptest! {
    /// Whatever a model proposes for whatever text: no panic, and what is kept stands there to the letter.
    #[test]
    fn what_is_kept_stands_in_the_text(said in "\\PC{0,60}", text in "\\PC{0,30}", quote in "\\PC{0,12}", start in 0..70u32, length in 0..70u32) {
        let span = Span { start, end: start + length };
        if let Ok(grounded) = ground(&body(&said), candidate(&text, &quote, span)) {
            let evidence = &grounded.item().evidence;
            prop_assert_eq!(evidence.span.of(&said), Some(evidence.quote.as_str()));
        }
    }

    /// Any piece of what was said grounds itself.
    #[test]
    fn a_piece_of_the_text_grounds(said in "[a-zA-Zа-яё我们用的 0-9,.!]{1,60}", from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let bounds: Vec<usize> = said.char_indices().map(|(at, _)| at).chain([said.len()]).collect();
        let (mut start, mut end) = (*from.get(&bounds), *to.get(&bounds));
        if start > end { std::mem::swap(&mut start, &mut end); }
        let quote = &said[start..end];
        prop_assume!(!quote.trim().is_empty());
        let span = Span { start: start as u32, end: end as u32 };
        prop_assert!(ground(&body(&said), candidate(quote, quote, span)).is_ok());
    }
}
