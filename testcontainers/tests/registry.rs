//! The wire behind a real schema registry.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::Duration;

use saidso_core::{
    fault::{Code, Remedy},
    ids::{SpaceId, TenantId, TurnId},
    ports::Change,
    position::Position,
    record::{DeadLetter, Origin, RecordParts},
    seal::{Field, Generation, KeyId, Sealed},
    turn::{Role, SubmittedMessage, SubmittedTurn},
};
use saidso_kafka::wire::{Codec, Registry};
use saidso_testcontainers::servers::{Server, Service, shared};
use serde_json::{Value, json};

fn codec(server: &Server, prefix: &str) -> Codec {
    let url = server.address().to_owned();
    Codec::with_registry(&Registry { url, credentials: None, timeout: Duration::from_secs(60) }, prefix).unwrap()
}

fn turn() -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: "customer-17".into(),
        session: None,
        turn: Some("17-4".into()),
        occurred_at: "2026-03-01T09:30:00Z".into(),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: "I keep bees.".into(), id: None }],
        recalled: vec![],
        attachments: vec![],
    }
}

const POSITION: Position = Position { epoch: 1, partition: 0, offset: 41 };

fn record() -> RecordParts {
    RecordParts {
        tenant: TenantId::from_bytes([1; 16]),
        space: SpaceId::from_bytes([2; 16]),
        id: [3; 16],
        generation: Generation(1),
        position: Some(POSITION),
        accepted_ms: 1_772_353_800_000,
        field: Field::Grounded,
        sealed: Sealed {
            key: KeyId::Turn { turn: TurnId::from_bytes([4; 16]), version: 0, attempt: 0 },
            bytes: vec![5; 64],
        },
    }
}

fn post(server: &Server, subject: &str, schema: &str) -> (u16, Value) {
    let url = format!("{}/subjects/{subject}/versions", server.address());
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut answer = agent.post(url).send_json(json!({ "schema": schema })).unwrap();
    (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
}

#[test]
fn what_one_process_writes_another_reads_by_what_the_registry_says() {
    let server = shared(Service::Registry);
    let (writer, reader) = (codec(server, "by-number."), codec(server, "by-number."));
    let RecordParts { tenant, space, generation, accepted_ms, .. } = record();
    let change = Change { tenant, space, generation, applied: POSITION, accepted_ms };
    let dead = DeadLetter { origin: Origin::Completed, partition: 0, offset: 9, about: None, code: "limit".into() };

    assert_eq!(reader.read_turn(&writer.turn("by-number.turn.completed", &turn()).unwrap()).unwrap(), turn());
    assert_eq!(reader.read_record(&writer.record("by-number.turns", &record()).unwrap()).unwrap(), record());
    assert_eq!(reader.read_change(&writer.change("by-number.memory.changes", &change).unwrap()).unwrap(), change);
    let bytes = writer.dead_letter("by-number.dead.letters", &dead).unwrap();
    assert_eq!(reader.read_dead_letter(&bytes).unwrap(), dead);

    let fault = reader.read_turn(&[0, 0x7f, 0xff, 0xff, 0xff, 0]).unwrap_err();
    assert_eq!((fault.remedy, fault.code), (Remedy::DeadLetter, Code::Undecodable), "{fault}");
}

#[test]
fn a_gateway_that_would_break_readers_is_refused_by_the_registry() {
    let server = shared(Service::Registry);
    let (subject, ours) = ("guarded.turn.completed-value", include_str!("../../schemas/turn_completed.avsc"));
    codec(server, "guarded.").announce().unwrap();

    let space = r#"{"name": "space","#;
    let with = |field: &str| ours.replace(space, &format!("{field}, {space}"));
    let (status, body) = post(server, subject, &with(r#"{"name": "mood", "type": "string"}"#));
    assert_eq!(status, 409, "earlier turns have no mood: {body}");
    let (status, body) = post(server, subject, &with(r#"{"name": "mood", "type": "string", "default": ""}"#));
    assert_eq!(status, 200, "{body}");
    codec(server, "guarded.").announce().unwrap();
}

#[test]
fn a_subject_that_somebody_else_took_stops_with_the_registrys_reason() {
    let server = shared(Service::Registry);
    let choice = ureq::put(format!("{}/config/taken.turns-value", server.address()));
    choice.send_json(json!({ "compatibility": "BACKWARD" })).unwrap();
    let schema = r#"{"type": "record", "name": "Record", "fields": [{"name": "leaf", "type": "string"}]}"#;
    assert_eq!(post(server, "taken.turns-value", schema).0, 200);
    let fault = codec(server, "taken.").record("taken.turns", &record()).unwrap_err();
    assert_eq!(fault.remedy, Remedy::Stop);
    assert!(fault.message.contains("409") && fault.message.contains("ncompatible"), "{fault}");
}

#[test]
fn a_registry_that_goes_away_is_waited_for() {
    let server = Server::own(Service::Registry).unwrap();
    let early = codec(&server, "");
    server.stop().unwrap();
    for fault in [early.announce().unwrap_err(), early.record("turns", &record()).unwrap_err()] {
        assert_eq!((fault.remedy, fault.code), (Remedy::Retry, Code::StoreUnavailable), "away at the start: {fault}");
    }
    server.start().unwrap();
    early.announce().unwrap();
    let bytes = early.record("turns", &record()).unwrap();
    assert_eq!(early.read_record(&bytes).unwrap(), record());

    server.stop().unwrap();
    let late = codec(&server, "");
    assert_eq!(early.record("turns", &record()).unwrap(), bytes, "what is known goes on");
    assert_eq!(early.read_record(&bytes).unwrap(), record());
    assert_eq!(late.read_record(&bytes).unwrap_err().remedy, Remedy::Retry, "away later");
    server.start().unwrap();
    assert_eq!(late.read_record(&bytes).unwrap(), record());
    assert_eq!(late.record("turns", &record()).unwrap(), bytes, "under the number it had");
}
