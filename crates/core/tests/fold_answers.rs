//! How an answer about what is known settles it (requirements A10, B9).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Said;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fold::{
        Memory, Rules,
        Status::{self, Active, PendingConfirm, Superseded},
        fold,
    },
    item::Answer,
};

const PROBE: &str = "You said “I live in Oslo”; is that still so, or is it Bergen now — or both?";

fn city(day: i64, name: &str) -> Said {
    Said::fact(day, &format!("I live in {name}"), "home city", &name.to_lowercase())
}

fn memories(said: &[&Said]) -> Vec<Memory> {
    let calibration = Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(8_000) };
    let observations: Vec<_> = said.iter().map(|said| said.observation()).collect();
    fold(&observations, &[], &Rules::new(calibration)).memories
}

/// What becomes of Oslo and Bergen, three days apart, by an answer to a question after both were recalled.
fn answered(question: Option<&str>, text: &str, answer: Answer) -> [Memory; 2] {
    let (oslo, bergen) = (city(0, "Oslo"), city(3, "Bergen"));
    let said = Said { question: question.map(Into::into), ..Said::confirms(5, text, answer) };
    memories(&[&oslo, &bergen, &said.after(&[&oslo, &bergen])]).try_into().unwrap()
}

fn statuses(memories: &[Memory]) -> Vec<Status> {
    memories.iter().map(|memory| memory.status).collect()
}

#[test]
fn an_answer_to_a_probe_settles_it() {
    for (text, answer, oslo, bergen) in [
        ("the first", Answer::First, Active, Superseded),
        ("the latter", Answer::Second, Superseded, Active),
        ("yes, still so", Answer::Still, Active, Superseded),
        ("no longer", Answer::NoLonger, Superseded, Active),
        ("not Oslo", Answer::NoLonger, Superseded, Active),
        ("not Bergen", Answer::NoLonger, Active, Superseded),
        ("Oslo", Answer::Named, Active, Superseded),
        ("Bergen, not Oslo", Answer::Named, Superseded, Active),
        ("not Bergen but Oslo", Answer::Named, Active, Superseded),
        ("Oslo and Bergen", Answer::Named, Active, Active),
        ("both", Answer::Both, Active, Active),
        ("neither", Answer::Neither, Superseded, Superseded),
    ] {
        let settled = answered(Some(PROBE), text, answer);
        assert_eq!(statuses(&settled), [oslo, bergen], "{text}");
        assert!(settled.iter().all(|memory| memory.contested_by.is_empty()), "{text}");
        for memory in &settled {
            let full = memory.status != PendingConfirm;
            assert!(!full || (memory.confidence.as_f32() - 0.9).abs() < 1e-6, "{text}");
        }
    }
}

#[test]
fn what_took_the_place_is_named_where_something_did() {
    let [oslo, bergen] = answered(Some(PROBE), "the latter", Answer::Second);
    assert_eq!((oslo.superseded_by, bergen.superseded_by), (Some(bergen.id), None));
    assert_eq!(oslo.valid_to.as_deref(), Some("2026-01-06T12:00:00+02:00"));
    for memory in answered(Some(PROBE), "neither", Answer::Neither) {
        assert_eq!((memory.superseded_by, memory.verified), (None, None));
        assert_eq!(memory.valid_to.as_deref(), Some("2026-01-06T12:00:00+02:00"));
    }
}

#[test]
fn first_and_second_go_by_the_question() {
    let turned = "Is it Bergen now, or still Oslo?";
    assert_eq!(statuses(&answered(Some(turned), "the first", Answer::First)), [Superseded, Active]);
    assert_eq!(statuses(&answered(Some(turned), "the latter", Answer::Second)), [Active, Superseded]);
    // "Still so" is what was before, wherever it stands.
    assert_eq!(statuses(&answered(Some(turned), "still so", Answer::Still)), [Active, Superseded]);
    // In a language whose words do not stand apart, and where the values alone tell nothing.
    let (likes, hates) =
        (Said::fact(0, "我喜欢爬山", "爬山", "likes"), Said::fact(3, "我讨厌爬山", "爬山", "dislikes"));
    let asked = "您先说过“我喜欢爬山”，后来又说“我讨厌爬山”，现在是哪一个，还是两者都是？";
    let latter = Said { question: Some(asked.into()), ..Said::confirms(5, "后者", Answer::Second) };
    let latter = latter.after(&[&likes, &hates]);
    assert_eq!(statuses(&memories(&[&likes, &hates, &latter])), [Superseded, Active]);
}

#[test]
fn an_answer_that_tells_nothing_apart_settles_nothing() {
    let open = [PendingConfirm, PendingConfirm];
    for (question, text, answer) in [
        (None, "the latter", Answer::Second),
        (None, "neither", Answer::Neither),
        (None, "yes, still so", Answer::Still),
        (None, "no longer", Answer::NoLonger),
        (Some("Do you want it by mail or by courier?"), "the latter", Answer::Second),
        (Some("Do you want it by mail or by courier?"), "neither", Answer::Neither),
        (Some("Do you want it by mail or by courier?"), "courier", Answer::Named),
    ] {
        assert_eq!(statuses(&answered(question, text, answer)), open, "{text} to {question:?}");
    }
    // Nor does one after neither was recalled.
    let (oslo, bergen) = (city(0, "Oslo"), city(3, "Bergen"));
    let latter = Said { question: Some(PROBE.into()), ..Said::confirms(5, "the latter", Answer::Second) };
    assert_eq!(statuses(&memories(&[&oslo, &bergen, &latter])), open);
    // A choice about something else verifies nothing that was recalled beside it.
    let courier = Said { question: Some("Mail or courier?".into()), ..Said::confirms(5, "courier", Answer::Named) };
    assert_eq!(memories(&[&oslo, &courier.after(&[&oslo])])[0].verified, None);
}

#[test]
fn what_holds_no_longer_ends_without_a_successor() {
    let (oslo, other) = (city(0, "Oslo"), Said::fact(0, "I work as a nurse", "occupation", "nurse"));
    let no = |recalled: &[&Said]| {
        let said =
            Said { question: Some("Do you still live in Oslo?".into()), ..Said::confirms(5, "No.", Answer::NoLonger) };
        statuses(&memories(&[&oslo, &other, &said.after(recalled)]))
    };
    assert_eq!(no(&[&oslo]), [Superseded, Active]);
    assert_eq!(no(&[&oslo, &other]), [Superseded, Active]);
    assert_eq!(no(&[]), [Active, Active]);
    // Of two in conflict, of which one alone was asked about, the other stands.
    let (bergen, rival) = (city(3, "Bergen"), Said::confirms(5, "No longer.", Answer::NoLonger));
    let rival = Said { question: Some("Are you still in Bergen?".into()), ..rival }.after(&[&bergen]);
    let left = memories(&[&oslo, &bergen, &rival]);
    assert_eq!(
        (statuses(&left), left[1].superseded_by, left[0].verified.is_some()),
        (vec![Active, Superseded], None, false)
    );
    // Said again later, it is a new memory.
    let said = Said { question: Some("Still in Oslo?".into()), ..Said::confirms(5, "No.", Answer::NoLonger) };
    let said = said.after(&[&oslo]);
    assert_eq!(statuses(&memories(&[&oslo, &said, &city(9, "Oslo")])), [Superseded, Active]);
}

#[test]
fn a_third_value_after_both_were_recalled_is_the_answer() {
    let (oslo, bergen) = (city(0, "Oslo"), city(3, "Bergen"));
    let rome = |recalled: &[&Said]| statuses(&memories(&[&oslo, &bergen, &city(5, "Rome").after(recalled)]));
    assert_eq!(rome(&[&oslo, &bergen]), [Superseded, Superseded, Active]);
    assert_eq!(rome(&[&bergen]), [PendingConfirm, PendingConfirm, PendingConfirm]);
}
