//! What waits for review, and the verdicts.

use std::slice;

use saidso_core::{
    ids::{ResultId, ReviewId},
    ports::{Section, Write},
    review::{self, Doubtful, Question, Queue, ReviewRow, Verdict, VerdictRow},
    scope::Scope,
};

use super::{Backend, Desk};

fn result(number: u8) -> ResultId {
    ResultId::from_bytes([number; 16])
}

/// A question as recall would have it wait, answered with one result.
fn asked(desk: &Desk, scope: &Scope, words: &str, asked_ms: i64) -> ReviewRow {
    let key = desk.ports.keys.space_key(scope).expect("a space's key");
    let results = vec![Doubtful { result: result(1), confidence: 0.5 }];
    let (id, question) = (desk.ports.names.ids(scope).review(words), Question(words.into()));
    ReviewRow::seal(scope, id, asked_ms, results, &question, &key, &*desk.entropy)
}

fn waiting(desk: &Desk, scope: &Scope) -> Vec<ReviewRow> {
    let mut rows = desk.ports.reviews.reviews(scope).expect("a read");
    rows.sort_by_key(|row| row.asked_ms);
    rows
}

fn put(desk: &Desk, spaces: &[(Scope, Vec<ReviewRow>)]) {
    desk.ports.reviews.put_reviews(spaces).expect("a write");
}

/// A question waits in its space alone, once, as it was asked last, over a restart, until it is let go; what lets it go
/// leaves what was asked again since.
pub fn a_question_waits_once_until_it_is_let_go(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let (anna, ben) = (desk.customer("anna"), desk.customer("ben"));
    assert_eq!(waiting(&desk, &anna), []);
    let first = asked(&desk, &anna, "does she drive?", 1_000);
    let again = asked(&desk, &anna, "does she drive?", 3_000);
    let other = asked(&desk, &anna, "where does she live?", 2_000);
    let bens = asked(&desk, &ben, "does she drive?", 1_000);
    assert!(first.id == again.id && first.id != other.id && first.id != bens.id);
    put(&desk, &[(anna.clone(), vec![first.clone(), other.clone()]), (ben.clone(), vec![bens.clone()])]);
    put(&desk, &[(anna.clone(), vec![again.clone()])]);
    put(&desk, &[(anna.clone(), vec![first.clone()])]);
    put(&desk, &[]);
    drop(desk);

    let desk = Desk::at(backend.open());
    assert_eq!(waiting(&desk, &anna), [other.clone(), again.clone()]);
    let words = again.open(&anna, &*desk.ports.keys).expect("its seal is whole");
    assert_eq!(words, Some(Question("does she drive?".into())));
    desk.ports.reviews.remove_reviews(&anna, &[first.clone(), other]).expect("a write");
    assert_eq!(waiting(&desk, &anna), slice::from_ref(&again));

    // The same by a section.
    let no = |row: &ReviewRow| vec![Write::NoReview { review: row.id, asked_ms: row.asked_ms }];
    let position = desk.say(&anna, "I moved to Lyon");
    desk.apply(Section { writes: no(&first), ..desk.section(&anna, position) });
    assert_eq!(waiting(&desk, &anna), slice::from_ref(&again));
    let position = desk.say(&anna, "I sold the van");
    desk.apply(Section { writes: no(&again), ..desk.section(&anna, position) });
    assert_eq!(waiting(&desk, &anna), []);
    assert_eq!(waiting(&desk, &ben), [bens]);
    // Who asks anew waits anew.
    let anew = asked(&desk, &anna, "does she drive?", 4_000);
    put(&desk, &[(anna.clone(), vec![anew.clone()])]);
    assert_eq!(waiting(&desk, &anna), [anew]);
}

/// Every space of the wanted tenants in which something waits is visited once; opening what waits tells whose it is.
pub fn every_queue_is_visited_once(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let (anna, ben, carl) = (desk.customer("anna"), desk.customer("ben"), desk.customer_of("south", "carl"));
    let visit = |wanted: &Scope| {
        let mut queues: Vec<Queue> = Vec::new();
        let own = wanted.key().0;
        let mut take = |queue| {
            queues.push(queue);
            Ok(())
        };
        desk.ports.reviews.each_queue(&|tenant| tenant == own, &mut take).expect("a visit");
        let open = |queue: &Queue| review::open(queue, &*desk.ports.keys).expect("its seals are whole");
        let mut open: Vec<(Scope, usize)> =
            queues.iter().filter_map(open).map(|(scope, open)| (scope, open.len())).collect();
        open.sort_by_key(|(scope, _)| scope.key());
        open
    };
    assert_eq!(visit(&anna), []);
    let rows = |scope: &Scope, words: &[&str]| words.iter().map(|words| asked(&desk, scope, words, 1_000)).collect();
    put(
        &desk,
        &[
            (anna.clone(), rows(&anna, &["does she drive?", "where does she live?"])),
            (ben.clone(), rows(&ben, &["does he drive?"])),
            (carl.clone(), rows(&carl, &["does he drive?"])),
        ],
    );
    let mut due = vec![(anna.clone(), 2), (ben, 1)];
    due.sort_by_key(|(scope, _)| scope.key());
    assert_eq!(visit(&anna), due);
    assert_eq!(visit(&carl), [(carl.clone(), 1)]);
    let rows = waiting(&desk, &carl);
    desk.ports.reviews.remove_reviews(&carl, &rows).expect("a write");
    assert_eq!(visit(&carl), []);
}

/// A verdict stands in its space alone, over a restart, until those on its result are let go. Of two on one answer the later
/// stands, and a section that comes again changes nothing.
pub fn a_verdict_is_kept_until_its_result_goes(backend: &impl Backend) {
    let desk = Desk::at(backend.open());
    let (anna, ben) = (desk.customer("anna"), desk.customer("ben"));
    let row = |about, question: u8, asked_ms, verdict| VerdictRow {
        result: result(about),
        review: ReviewId::from_bytes([question; 16]),
        asked_ms,
        verdict,
    };
    let read = |desk: &Desk, scope: &Scope| {
        let mut rows = desk.ports.reviews.verdicts(scope).expect("a read");
        rows.sort_by_key(|row| (row.result, row.review, row.asked_ms));
        rows
    };
    let apply = |desk: &Desk, text: &str, writes: Vec<Write>| {
        let section = Section { writes, ..desk.section(&anna, desk.say(&anna, text)) };
        desk.apply(section.clone());
        section
    };
    assert_eq!(read(&desk, &anna), []);
    let (first, second) = (row(1, 1, 1_000, Verdict::Rejected), row(1, 1, 2_000, Verdict::Rejected));
    let (third, other) = (row(1, 2, 1_000, Verdict::Accepted), row(2, 1, 1_000, Verdict::Rejected));
    let all = [first, second, third, other];
    apply(&desk, "I moved to Lyon", all.map(Write::Verdict).to_vec());
    let section = apply(&desk, "I sold the van", vec![Write::Verdict(row(2, 1, 1_000, Verdict::Accepted))]);
    let changed = [first, second, third, row(2, 1, 1_000, Verdict::Accepted)];
    assert_eq!(read(&desk, &anna), changed);
    drop(desk);

    let desk = Desk::at(backend.open());
    assert_eq!((read(&desk, &anna), read(&desk, &ben)), (changed.to_vec(), vec![]));
    apply(&desk, "forget the move", vec![Write::NoVerdicts(result(1))]);
    assert_eq!(read(&desk, &anna), changed[3..]);
    // That one is of before.
    desk.say(&anna, "thanks");
    desk.apply(Section { writes: vec![Write::Verdict(first)], ..section });
    assert_eq!(read(&desk, &anna), changed[3..]);
}
