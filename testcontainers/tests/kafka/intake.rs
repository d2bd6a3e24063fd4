//! The public topic.

use std::time::Instant;

use saidso_core::{
    fault::{Code, Remedy},
    ports::{DeadLetters as _, Submission, SubmissionConsumer, Submissions as _},
    record::{DeadLetter, Origin},
    turn::{Role, SubmittedMessage, SubmittedTurn},
};
use saidso_kafka::Options;
use saidso_testcontainers::servers::{Service, shared};

use super::{PATIENCE, SHORT, open, options, put, until};

fn turn(text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: Some("north".to_owned()),
        space: "anna".to_owned(),
        session: None,
        turn: None,
        occurred_at: "2026-03-01T09:30:00+08:00".to_owned(),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: text.to_owned(), id: None }],
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

fn submit(options: &Options, partition: i32, text: &str) {
    let topic = format!("{}turn.completed", options.prefix);
    let bytes = options.codec.turn(&topic, &turn(text)).expect("it is encoded");
    put(options, &topic, partition, &bytes);
}

fn take(consumer: &mut dyn SubmissionConsumer, count: usize) -> Vec<Submission> {
    let deadline = Instant::now() + PATIENCE;
    let mut all = Vec::new();
    while all.len() < count {
        all.extend(consumer.poll(count - all.len(), SHORT).expect("a poll"));
        assert!(Instant::now() < deadline, "{count} submissions were due, {} came", all.len());
    }
    all.sort_by_key(|submission: &Submission| (submission.partition, submission.offset));
    all
}

#[test]
fn turns_of_gateways_come_until_they_are_committed() {
    let options = options(shared(Service::Kafka));
    let kafka = open(&options);
    // What was there before the group was, comes too.
    submit(&options, 0, "I moved to Lyon");
    put(&options, &format!("{}turn.completed", options.prefix), 0, b"no turn");
    submit(&options, 1, "I sold the van");
    let mut consumer = kafka.submissions().expect("a consumer");
    let submissions = take(consumer.as_mut(), 3);
    assert_eq!(submissions[0].turn, Ok(turn("I moved to Lyon")));
    assert_eq!(submissions[2].turn, Ok(turn("I sold the van")));
    let fault = submissions[1].turn.clone().expect_err("it is no turn");
    assert_eq!(fault.remedy, Remedy::DeadLetter);
    assert_eq!(kafka.waiting().expect("a lag"), 3);

    consumer.rewind().expect("a rewind");
    assert_eq!(take(consumer.as_mut(), 3).len(), 3, "they come again");
    let dead = DeadLetter {
        origin: Origin::Completed,
        partition: 0,
        offset: 1,
        about: None,
        code: Code::Undecodable.label().to_owned(),
    };
    consumer.commit(vec![dead.clone()]).expect("a commit");
    assert_eq!(kafka.waiting().expect("a lag"), 0);
    assert_eq!(kafka.list(10).expect("a list"), [dead]);
    drop((consumer, kafka));

    let kafka = open(&options);
    submit(&options, 1, "I like tea");
    let mut consumer = kafka.submissions().expect("a consumer");
    let submissions = take(consumer.as_mut(), 1);
    assert_eq!(submissions[0].turn, Ok(turn("I like tea")), "and nothing that was committed");
    until("one waiting", || kafka.waiting().expect("a lag") == 1);
}
