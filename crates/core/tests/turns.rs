//! What a gateway may send, and the ids that come of it (requirements A2, A14, C3, E3; field cases 7, 13, 15, 21).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::ids;
use saidso_core::{
    limits,
    time::BadTime,
    turn::{Refusal, Role, SubmittedAttachment, SubmittedMessage, SubmittedTurn, Turn, accept},
};

fn message(role: Role, text: &str) -> SubmittedMessage {
    SubmittedMessage { role, text: text.into(), id: None }
}

fn turn(messages: Vec<SubmittedMessage>) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: "ann".into(),
        session: None,
        turn: None,
        occurred_at: "2026-03-01T23:30:00+08:00".into(),
        zone: None,
        messages,
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

fn taken(submitted: SubmittedTurn) -> Turn {
    accept(submitted, &ids()).unwrap()
}

fn refused(submitted: SubmittedTurn) -> Refusal {
    accept(submitted, &ids()).unwrap_err()
}

#[test]
fn only_the_customers_words_and_the_question_they_answer_are_kept() {
    let taken = taken(turn(vec![
        message(Role::Agent, "Do you run a bakery?"),
        message(Role::Customer, "yes, two"),
        message(Role::Agent, "Great, I have noted a bakery."),
        message(Role::Customer, "and a mill"),
    ]));
    let texts: Vec<&str> = taken.body.messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, ["yes, two", "and a mill"]);
    assert_eq!(taken.body.question.as_deref(), Some("Do you run a bakery?"));
    assert_eq!(taken.meta.messages.len(), 2);
}

#[test]
fn an_agents_word_after_the_customers_is_not_a_question_being_answered() {
    let taken = taken(turn(vec![message(Role::Customer, "hi"), message(Role::Agent, "Do you run a bakery?")]));
    assert_eq!(taken.body.question, None);
}

#[test]
fn attachments_are_evidence_after_the_messages() {
    let mut submitted = turn(vec![message(Role::Customer, "see the picture")]);
    submitted.attachments.push(SubmittedAttachment {
        kind: "image".into(),
        text: "Invoice for Acme".into(),
        reference: "blob-7".into(),
    });
    let taken = taken(submitted);
    assert_eq!((taken.body.messages.len(), taken.meta.messages.len(), taken.references.len()), (2, 2, 1));
}

#[test]
fn the_same_turn_is_known_again_and_two_yes_are_two_messages() {
    let yes = || turn(vec![message(Role::Customer, "yes")]);
    assert_eq!(taken(yes()), taken(yes()));
    let later = SubmittedTurn { occurred_at: "2026-03-01T23:31:00+08:00".into(), ..yes() };
    assert_ne!(taken(yes()).meta.id, taken(later).meta.id);
    let twice = taken(turn(vec![message(Role::Customer, "yes"), message(Role::Customer, "yes")]));
    assert_ne!(twice.meta.messages[0], twice.meta.messages[1]);
}

#[test]
fn without_a_session_it_is_the_customers_local_day() {
    let at = |occurred_at: &str, zone: Option<&str>| {
        let zone = zone.map(str::to_owned);
        taken(SubmittedTurn { occurred_at: occurred_at.into(), zone, ..turn(vec![message(Role::Customer, "hi")]) })
            .meta
            .session_name
    };
    assert_eq!(at("2026-03-01T23:30:00+08:00", None), "2026-03-01");
    assert_eq!(at("2026-03-01T15:30:00Z", None), "2026-03-01");
    assert_eq!(at("2026-03-01T17:30:00Z", Some("Asia/Shanghai")), "2026-03-02");
}

#[test]
fn a_time_without_an_offset_or_with_an_unknown_zone_is_refused() {
    let hi = || turn(vec![message(Role::Customer, "hi")]);
    for bad in ["2026-03-01T23:30:00", "2026-03-01", "yesterday", "", "2026-02-30T00:00:00Z"] {
        assert_eq!(
            refused(SubmittedTurn { occurred_at: bad.into(), ..hi() }),
            Refusal::Time(BadTime::Instant),
            "{bad}"
        );
    }
    for bad in ["2026-03-01T23:30:00+24:00", "2026-03-01T23:30:00-25:59", "2026-03-01T23:30:60Z", "20260301T233060Z"] {
        for zone in [None, Some("Asia/Shanghai".to_owned())] {
            let submitted = SubmittedTurn { occurred_at: bad.into(), zone, ..hi() };
            assert_eq!(refused(submitted), Refusal::Time(BadTime::Instant), "{bad}");
        }
    }
    taken(SubmittedTurn { occurred_at: "2026-03-01T23:30:59.60+23:59".into(), ..hi() });
    assert_eq!(refused(SubmittedTurn { zone: Some("Mars/Base".into()), ..hi() }), Refusal::Time(BadTime::Zone));
}

#[test]
fn limits_hold_at_and_not_over() {
    let customer = |text: &str| message(Role::Customer, text);
    assert_eq!(refused(turn(Vec::new())), Refusal::Empty);

    let many = |count| turn(vec![customer("a"); count]);
    taken(many(limits::TURN_MESSAGES));
    assert_eq!(refused(many(limits::TURN_MESSAGES + 1)), Refusal::Messages(limits::TURN_MESSAGES + 1));

    let long = |bytes| turn(vec![customer(&"a".repeat(bytes))]);
    taken(long(limits::MESSAGE_BYTES));
    assert_eq!(refused(long(limits::MESSAGE_BYTES + 1)), Refusal::MessageBytes(0, limits::MESSAGE_BYTES + 1));

    let whole = |bytes| turn(vec![customer(&"a".repeat(limits::MESSAGE_BYTES)), customer(&"a".repeat(bytes))]);
    taken(whole(limits::TURN_BYTES - limits::MESSAGE_BYTES));
    assert!(matches!(refused(turn(vec![customer(&"a".repeat(limits::MESSAGE_BYTES)); 3])), Refusal::TurnBytes(_)));

    let recalled = |count| SubmittedTurn { recalled: vec!["0".repeat(32); count], ..turn(vec![customer("a")]) };
    taken(recalled(limits::TURN_RECALLED));
    assert_eq!(refused(recalled(limits::TURN_RECALLED + 1)), Refusal::RecalledCount(limits::TURN_RECALLED + 1));
    for bad in ["", "xyz", "é".repeat(16).as_str(), &"g".repeat(32)] {
        let submitted = SubmittedTurn { recalled: vec![bad.into()], ..turn(vec![customer("a")]) };
        assert_eq!(refused(submitted), Refusal::Recalled(0));
    }

    let named = |bytes| SubmittedTurn { session: Some("s".repeat(bytes)), ..turn(vec![customer("a")]) };
    taken(named(limits::NAME_BYTES));
    assert_eq!(refused(named(limits::NAME_BYTES + 1)), Refusal::Name("session"));
    assert_eq!(refused(named(0)), Refusal::Name("session"));
}

#[test]
fn a_gateways_own_message_ids_tell_messages_apart_within_a_session() {
    let named = |session: &str, id: &str| {
        let message = SubmittedMessage { id: Some(id.into()), ..message(Role::Customer, "hello") };
        taken(SubmittedTurn { session: Some(session.into()), ..turn(vec![message]) }).meta.messages[0]
    };
    assert_eq!(named("a", "m1"), named("a", "m1"));
    assert_ne!(named("a", "m1"), named("a", "m2"));
    assert_ne!(named("a", "m1"), named("b", "m1"));
}

#[test]
fn numbers_and_secrets_are_masked_in_every_kept_text_and_ids_stay_the_texts_as_sent() {
    let number = "4111 1111 1111 1111";
    let with = |number: &str| {
        let mut submitted = turn(vec![
            message(Role::Agent, &format!("Is your card {number}?")),
            message(Role::Customer, &format!("I live in Oslo, my card is {number}, and I have a cat")),
        ]);
        submitted.attachments.push(SubmittedAttachment {
            kind: "image".into(),
            text: format!("card {number}"),
            reference: "blob-7".into(),
        });
        submitted
    };
    let kept = taken(with(number));
    let mask = "*".repeat(number.len());
    assert_eq!(kept.body.messages[0].text, format!("I live in Oslo, my card is {mask}, and I have a cat"));
    assert_eq!(kept.body.messages[1].text, format!("card {mask}"));
    assert_eq!(kept.body.question, Some(format!("Is your card {mask}?")));
    assert_eq!(taken(with(number)), kept);
    let other = taken(with("5555 5555 5555 4444"));
    assert_eq!(other.body, kept.body);
    assert_ne!((other.meta.id, other.meta.messages), (kept.meta.id, kept.meta.messages));
}

#[test]
fn a_conversation_goes_on_for_a_minute_after_its_turn() {
    let meta = taken(turn(vec![message(Role::Customer, "hi")])).meta;
    let at_ms = meta.at.ms();
    for (after_ms, live) in [(-5_000, true), (0, true), (limits::LIVE_MS, true), (limits::LIVE_MS + 1, false)] {
        assert_eq!(meta.is_live(at_ms + after_ms), live, "{after_ms}");
    }
}
