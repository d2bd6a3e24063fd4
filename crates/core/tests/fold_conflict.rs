//! What another value of the same thing comes to, and how the customer's word settles it (requirements A10; field cases
//! 4 to 6).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Said;
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fold::{Folded, Memory, Rules, Status, fold},
    item::Answer,
};

use Status::{Active, Archived, PendingConfirm, Superseded};

fn folded(said: &[&Said]) -> Folded {
    let calibration = Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(8_000) };
    let observations: Vec<_> = said.iter().map(|said| said.observation()).collect();
    fold(&observations, &[], &Rules::new(calibration))
}

/// Value, status and confidence in hundredths of every memory, by when it began.
fn standing(said: &[&Said]) -> Vec<(String, Status, u32)> {
    let show = |memory: &Memory| (memory.value.clone(), memory.status, (memory.confidence.as_f32() * 100.0) as u32);
    folded(said).memories.iter().map(show).collect()
}

fn shows(said: &[&Said], expected: &[(&str, Status, u32)]) {
    let expected: Vec<_> = expected.iter().map(|(value, status, sure)| ((*value).to_owned(), *status, *sure)).collect();
    assert_eq!(standing(said), expected);
}

fn retail(day: i64) -> Said {
    Said::fact(day, "We are in retail", "industry", "retail")
}

fn logistics(day: i64) -> Said {
    Said::fact(day, "We are in logistics", "industry", "logistics")
}

fn mining(day: i64) -> Said {
    Said::fact(day, "We are in mining", "industry", "mining")
}

fn mysql(day: i64) -> Said {
    Said::fact(day, "We run MySQL", "database", "mysql")
}

fn oracle(day: i64) -> Said {
    Said::fact(day, "We run Oracle", "database", "oracle")
}

#[test]
fn a_database_changed_after_96_days_needs_no_question() {
    let (old, new) = (mysql(0), oracle(96));
    shows(&[&old, &new], &[("mysql", Archived, 90), ("oracle", Active, 90)]);
    let memories = folded(&[&old, &new]).memories;
    assert_eq!(memories[0].superseded_by, Some(memories[1].id));
    assert_eq!(memories[0].valid_to.as_deref(), Some(memories[1].valid_from.as_str()));
}

#[test]
fn an_industry_contradicted_after_3_days_is_open_until_both_stand() {
    let (one, other) = (retail(0), logistics(3));
    shows(&[&one, &other], &[("retail", PendingConfirm, 60), ("logistics", PendingConfirm, 60)]);
    let open = folded(&[&one, &other]).memories;
    assert_eq!((&open[0].contested_by[..], &open[1].contested_by[..]), (&[open[1].id][..], &[open[0].id][..]));
    let both = Said::confirms(5, "we do both", Answer::Both).after(&[&one, &other]);
    shows(&[&one, &other, &both], &[("retail", Active, 90), ("logistics", Active, 90)]);
    let settled = folded(&[&one, &other, &both]).memories;
    assert!(settled.iter().all(|memory| memory.contested_by.is_empty() && memory.valid_to.is_none()));
    assert!(settled.iter().all(|memory| memory.verified.as_deref() == Some("2026-01-06T12:00:00+02:00")));
    // Whichever is spoken of later, both go on.
    shows(&[&one, &other, &both, &retail(9), &logistics(80)], &[("retail", Active, 90), ("logistics", Active, 90)]);
}

#[test]
fn the_days_between_two_values_decide_to_the_day() {
    assert_eq!(standing(&[&mysql(0), &oracle(30)])[0].1, PendingConfirm);
    assert_eq!(standing(&[&mysql(0), &oracle(31)])[0].1, Archived);
    // They count from the newest mention or confirmation.
    assert_eq!(standing(&[&mysql(0), &mysql(20), &oracle(50)])[0].1, PendingConfirm);
    let still = Said::confirms(25, "yes, still so", Answer::Still).after(&[&mysql(0)]);
    assert_eq!(standing(&[&mysql(0), &still, &oracle(50)])[0].1, PendingConfirm);
}

#[test]
fn a_stated_change_ends_what_it_changes_and_every_conflict_about_it() {
    shows(&[&mysql(0), &oracle(3).changed()], &[("mysql", Superseded, 90), ("oracle", Active, 90)]);
    shows(
        &[&retail(0), &logistics(3), &mining(5).changed()],
        &[("retail", Superseded, 90), ("logistics", Superseded, 90), ("mining", Active, 90)],
    );
    shows(&[&retail(0), &logistics(3), &retail(5).changed()], &[("retail", Active, 90), ("logistics", Superseded, 90)]);
}

#[test]
fn a_denial_of_one_side_leaves_the_other() {
    let denied = Said::fact(5, "We are not in retail", "industry", "retail").negated();
    shows(
        &[&retail(0), &logistics(3), &denied],
        &[("retail", Superseded, 90), ("logistics", Active, 90), ("retail", Active, 90)],
    );
}

#[test]
fn vaguer_and_finer_words_for_a_value_contradict_nothing() {
    let flask = |day| Said::fact(day, "We use Flask", "framework", "flask");
    let exact = |day| Said::fact(day, "We use Flask 2.3", "framework", "flask 2.3");
    shows(&[&flask(0), &exact(3)], &[("flask", Active, 90), ("flask 2.3", Active, 90)]);
    shows(&[&exact(0), &flask(3)], &[("flask 2.3", Active, 90), ("flask", Active, 90)]);
    // Long after, the finer one is enough, and a vaguer one takes nothing away.
    shows(&[&flask(0), &exact(40)], &[("flask", Archived, 90), ("flask 2.3", Active, 90)]);
    shows(&[&exact(0), &flask(40)], &[("flask 2.3", Active, 90), ("flask", Active, 90)]);
    // Said as a change, or denied, it is another one.
    shows(&[&flask(0), &exact(3).changed()], &[("flask", Superseded, 90), ("flask 2.3", Active, 90)]);
    let not = Said::fact(3, "We are not in retail", "industry", "not retail");
    assert_eq!(standing(&[&retail(0), &not])[0].1, PendingConfirm);
    // A third one contradicts both.
    let django = Said::fact(6, "We use Django", "framework", "django");
    assert_eq!(folded(&[&flask(0), &exact(3), &django]).memories[2].contested_by.len(), 2);
}

#[test]
fn a_third_value_joins_the_conflict() {
    let (a, b, c) = (retail(0), logistics(3), mining(6));
    let open = folded(&[&a, &b, &c]).memories;
    assert!(open.iter().all(|memory| memory.status == PendingConfirm && memory.contested_by.len() == 2));
    let still = Said::confirms(8, "yes, still so", Answer::Still).after(&[&b]);
    shows(&[&a, &b, &c, &still], &[("retail", Superseded, 90), ("logistics", Active, 90), ("mining", Superseded, 90)]);
}

#[test]
fn a_confirmation_of_one_side_settles_and_of_two_does_not() {
    let (one, other) = (retail(0), logistics(3));
    let still = |recalled: &[&Said]| Said::confirms(5, "yes, still so", Answer::Still).after(recalled);
    shows(&[&one, &other, &still(&[&one])], &[("retail", Active, 90), ("logistics", Superseded, 90)]);
    let open = [("retail", PendingConfirm, 60), ("logistics", PendingConfirm, 60)];
    shows(&[&one, &other, &still(&[&one, &other])], &open);
    shows(&[&one, &other, &still(&[])], &open);
    // The words tell which one it is, or the question does.
    let named = Said::confirms(5, "yes, still retail", Answer::Still).after(&[&one, &other]);
    shows(&[&one, &other, &named], &[("retail", Active, 90), ("logistics", Superseded, 90)]);
    let asked = Said { question: Some("Is logistics still your field?".into()), ..still(&[&one, &other]) };
    shows(&[&one, &other, &asked], &[("retail", Superseded, 90), ("logistics", Active, 90)]);
}

#[test]
fn both_may_name_what_it_means() {
    let (one, other) = (retail(0), logistics(3));
    let both = |text: &str| Said::confirms(5, text, Answer::Both);
    shows(&[&one, &other, &both("both, retail and logistics")], &[("retail", Active, 90), ("logistics", Active, 90)]);
    shows(&[&one, &other, &both("both").after(&[&one])], &[("retail", Active, 90), ("logistics", Active, 90)]);
    let open = [("retail", PendingConfirm, 60), ("logistics", PendingConfirm, 60)];
    shows(&[&one, &other, &both("both")], &open);
    shows(&[&one, &other, &both("both").after(&[&mysql(0)])], &open);
}

#[test]
fn restating_one_side_settles_only_when_it_answers() {
    let (one, other) = (retail(0), logistics(3));
    let open = [("retail", PendingConfirm, 60), ("logistics", PendingConfirm, 60)];
    shows(&[&one, &other, &retail(5)], &open);
    shows(&[&one, &other, &retail(5).after(&[&other])], &[("retail", Active, 90), ("logistics", Superseded, 90)]);
    // Said back it is no mention, but it answers.
    let answer = retail(5).after(&[&one, &other]);
    shows(&[&one, &other, &answer], &[("retail", Active, 90), ("logistics", Superseded, 90)]);
    let held = &folded(&[&one, &other, &answer]).memories[0];
    assert_eq!((held.mentions, held.verified.as_deref()), (1, Some("2026-01-06T12:00:00+02:00")));
    // So does a yes to a question about it.
    let asked = Said { question: Some("Are you in retail?".into()), ..retail(5) };
    shows(&[&one, &other, &asked], &[("retail", Active, 90), ("logistics", Superseded, 90)]);
    // Long after, it wins as any later statement does.
    shows(&[&one, &other, &retail(40)], &[("retail", Active, 90), ("logistics", Archived, 90)]);
}

#[test]
fn naming_two_in_one_message_means_both_unless_it_is_a_change() {
    let message = "We are in retail. We are in logistics";
    let (a, b) = (retail(0).of(message), logistics(0).of(message));
    shows(&[&a, &b], &[("retail", Active, 90), ("logistics", Active, 90)]);
    shows(&[&a, &b.changed()], &[("retail", Superseded, 90), ("logistics", Active, 90)]);
    // An answer that names both is no answer for one of them, whether or not they were recalled.
    let (one, other) = (retail(-9), logistics(-6));
    for recalled in [&[][..], &[&one, &other]] {
        let (a, b) = (retail(0).of(message).after(recalled), logistics(0).of(message).after(recalled));
        shows(&[&one, &other, &a, &b], &[("retail", Active, 90), ("logistics", Active, 90)]);
    }
    // Nor is what is named second an end of what it is named with, however old.
    let (a, b) = (retail(60).of(message), logistics(60).of(message));
    shows(&[&one, &other, &a, &b], &[("retail", Active, 90), ("logistics", Active, 90)]);
}

#[test]
fn one_change_may_be_to_two_values() {
    let message = "We've moved to Oracle and Redis";
    let oracle = Said::fact(3, message, "database", "oracle").changed();
    let redis = Said::fact(3, "Oracle and Redis", "database", "redis").of(message).changed();
    shows(&[&mysql(0), &oracle, &redis], &[("mysql", Superseded, 90), ("oracle", Active, 90), ("redis", Active, 90)]);
}

#[test]
fn a_value_of_a_slot_of_many_competes_within_its_qualifier() {
    let slotted = |said: Said, about: &str| Said {
        slot: Some("tech_env".into()),
        ..Said { attribute: "tech_env".into(), ..said }.many().within(about)
    };
    let cloud = slotted(Said::fact(1, "We run on Azure", "cloud", "azure"), "cloud");
    shows(
        &[&slotted(mysql(0), "database"), &cloud, &slotted(oracle(3), "database")],
        &[("mysql", PendingConfirm, 60), ("azure", Active, 90), ("oracle", PendingConfirm, 60)],
    );
}

#[test]
fn a_confirmation_verifies_what_was_recalled_and_becomes_no_memory() {
    let (plan, home) = (Said::fact(0, "our plan is Basic", "plan", "basic"), mysql(1));
    let still = Said::confirms(40, "yes, still so", Answer::Still).after(&[&plan]);
    let folded = folded(&[&plan, &home, &still]);
    let verified: Vec<_> = folded.memories.iter().map(|memory| (memory.verified.as_deref(), memory.mentions)).collect();
    assert_eq!(verified, [(Some("2026-02-10T12:00:00+02:00"), 1), (None, 1)]);
    assert_eq!(folded.memories[0].last, common::day(40));
}

#[test]
fn a_yes_to_a_question_about_what_was_recalled_verifies_it() {
    let plan = Said::fact(0, "our plan is Basic", "plan", "basic");
    let again = |question: Option<&str>| {
        let said = Said { question: question.map(Into::into), ..Said::fact(40, "our plan is Basic", "plan", "basic") };
        let memory = folded(&[&plan, &said.after(&[&plan])]).memories.remove(0);
        (memory.mentions, memory.verified)
    };
    assert_eq!(again(Some("Your plan is Basic?")), (1, Some("2026-02-10T12:00:00+02:00".into())));
    assert_eq!(again(None), (1, None));
}
