//! What waits for review, and what verdicts come to.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use saidso_core::{
    decay::{DAY_MS, REJECTED_OUT, Standing},
    fold::Status,
    ids::{NotAnId, ResultId, ReviewId, SpaceId},
    limits,
    review::{self, ReviewRow, Ticket, Verdict, VerdictRow, Verdicts},
    seal::{KeyId, Sealed},
};

fn result(number: u8) -> ResultId {
    ResultId::from_bytes([number; 16])
}

fn waits(number: u32, asked_ms: i64) -> ReviewRow {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    let sealed = Sealed { key: KeyId::Space { version: 0, attempt: 0 }, bytes: Vec::new() };
    ReviewRow { id: ReviewId::from_bytes(id), asked_ms, results: Vec::new(), sealed }
}

#[test]
fn a_space_keeps_the_newest_questions_and_none_for_good() {
    let newest = limits::REVIEWS as i64;
    let rows = |count: i64| (0..count).map(|n| waits(n as u32, n)).collect::<Vec<_>>();
    for (count, due) in [(newest - 1, vec![]), (newest, vec![]), (newest + 1, vec![0]), (newest + 2, vec![1, 0])] {
        let gone = review::surplus(rows(count), count);
        assert_eq!(gone.iter().map(|row| row.asked_ms).collect::<Vec<_>>(), due, "of {count}");
    }
    let days = limits::REVIEW_DAYS * DAY_MS;
    assert!(!waits(1, 7).is_over(days + 6) && waits(1, 7).is_over(days + 7));
    // What is over takes nobody's place.
    let gone = review::surplus(rows(newest + 3), days + 2);
    assert_eq!(gone.iter().map(|row| row.asked_ms).collect::<Vec<_>>(), [2, 1, 0]);
}

#[test]
fn a_ticket_is_read_as_it_is_written() {
    let ticket = Ticket { space: SpaceId::from_bytes([1; 16]), review: ReviewId::from_bytes([2; 16]) };
    assert_eq!(ticket.to_string().parse(), Ok(ticket));
    for wrong in ["", "12", &"1".repeat(63), &"1".repeat(65), &"x".repeat(64), &"й".repeat(32)] {
        assert_eq!(wrong.parse::<Ticket>(), Err(NotAnId), "{wrong}");
    }
}

#[test]
fn a_memory_that_got_an_earlier_name_keeps_its_verdicts() {
    let row = |about, asked_ms, verdict| VerdictRow {
        result: result(about),
        review: ReviewId::from_bytes([9; 16]),
        asked_ms,
        verdict,
    };
    let rejected = |about, asked_ms| row(about, asked_ms, Verdict::Rejected);
    // One answer had both names: that is one rejection.
    let rows = [rejected(1, 1), rejected(1, 2), rejected(2, 2), row(3, 5, Verdict::Accepted)];
    let verdicts = Verdicts::of(&rows, |known| if known == result(2) { result(1) } else { known });
    assert_eq!([1, 2, 3].map(|number| verdicts.rejections(result(number))), [2, 0, 0]);
    let accepted = |number| verdicts.accept(ReviewId::from_bytes([9; 16]), result(number));
    assert!(!accepted(1) && accepted(3));
}

fn any_verdict() -> impl Strategy<Value = VerdictRow> {
    let verdict = prop_oneof![Just(Verdict::Accepted), Just(Verdict::Rejected)];
    (0..4u8, 0..3u8, 0..4i64, verdict).prop_map(|(about, question, asked_ms, verdict)| VerdictRow {
        result: result(about),
        review: ReviewId::from_bytes([question; 16]),
        asked_ms,
        verdict,
    })
}

fn any_standing() -> impl Strategy<Value = Standing> {
    let status = prop_oneof![
        Just(Status::Active),
        Just(Status::ToConfirm),
        Just(Status::PendingConfirm),
        Just(Status::Superseded),
        Just(Status::Archived),
        Just(Status::Invalid)
    ];
    let until = proptest::option::of(0..1_000i64);
    (status, 0.0..=1.0f32, until).prop_map(|(status, weight, until_ms)| Standing { status, weight, until_ms })
}

proptest! {
    #[test]
    fn verdicts_come_to_the_same_in_any_order(
        rows in proptest::collection::vec(any_verdict(), 0..20),
        by in 0..20usize,
    ) {
        let mut other = rows.clone();
        other.reverse();
        other.rotate_left(by.min(rows.len()));
        prop_assert_eq!(Verdicts::of(&rows, |id| id), Verdicts::of(&other, |id| id));
    }

    #[test]
    fn a_verdict_more_never_lowers_the_count(rows in proptest::collection::vec(any_verdict(), 1..20)) {
        let (before, after) = (Verdicts::of(&rows[1..], |id| id), Verdicts::of(&rows, |id| id));
        for number in 0..4 {
            prop_assert!(after.rejections(result(number)) >= before.rejections(result(number)));
        }
    }

    #[test]
    fn each_rejection_weighs_and_the_last_one_archives(standing in any_standing(), times in 0..200u32) {
        let (less, more) = (standing.rejected(times), standing.rejected(times + 1));
        prop_assert!(more.weight <= less.weight && (0.0..=1.0).contains(&more.weight));
        prop_assert!(standing.weight < 0.01 || times > 60 || more.weight < less.weight);
        let holds = |status| matches!(status, Status::Active | Status::ToConfirm | Status::PendingConfirm);
        match holds(standing.status) && times >= REJECTED_OUT {
            true => prop_assert_eq!((less.status, less.until_ms), (Status::Archived, None)),
            false => prop_assert_eq!((less.status, less.until_ms), (standing.status, standing.until_ms)),
        }
        prop_assert_eq!(standing.rejected(0), standing);
    }
}
