//! Behind a registry: what is asked of it, what is kept, what its failures come to, and what other writers' schemas do.

mod fake;

use std::time::Duration;

use apache_avro::{Schema, writer::datum::GenericDatumWriter};
use saidso_core::{
    fault::{Code, Remedy},
    record::RecordParts,
    turn::{Role, SubmittedMessage, SubmittedTurn},
};
use saidso_kafka::wire::{Codec, Credentials, Registry};
use serde::Serialize;

use crate::{UNDECODABLE, examples, remedy, values};
use fake::Fake;

fn options(fake: &Fake) -> Registry {
    Registry { url: fake.url(), credentials: None, timeout: Duration::from_secs(20) }
}

fn codec(fake: &Fake) -> Codec {
    Codec::with_registry(&options(fake), "test.").unwrap()
}

const AWAY: crate::Refused = Some((Remedy::Retry, Code::StoreUnavailable));
const REFUSED: crate::Refused = Some((Remedy::Stop, Code::StoreUnavailable));

#[test]
fn a_schema_is_registered_once_and_a_number_asked_for_once() {
    let fake = Fake::start();
    let codec = codec(&fake);
    assert_eq!(fake.asked(), [""; 0], "nothing before it is needed");

    let bytes = codec.record("test.turns", &values::record()).unwrap();
    assert_eq!(bytes[..5], [0, 0, 0, 0, 1]);
    codec.clone().record("test.turns", &values::record()).unwrap();
    let registered =
        ["GET /config/test.turns-value", "PUT /config/test.turns-value", "POST /subjects/test.turns-value/versions"];
    assert_eq!(fake.asked(), registered);

    for reader in [codec.clone(), codec] {
        assert_eq!(reader.read_record(&bytes).unwrap(), values::record());
    }
    assert_eq!(fake.asked()[3..], ["GET /schemas/ids/1"]);
}

#[test]
fn the_operators_choice_of_compatibility_stands() {
    let fake = Fake::start();
    fake.choose("test.turns-value", "FULL");
    codec(&fake).record("test.turns", &values::record()).unwrap();
    assert_eq!(fake.chosen("test.turns-value"), "FULL");
    codec(&fake).change("test.memory.changes", &values::change()).unwrap();
    assert_eq!(fake.chosen("test.memory.changes-value"), "BACKWARD");
}

#[test]
fn gateways_find_the_public_schema() {
    let fake = Fake::start();
    let codec = codec(&fake);
    codec.announce().unwrap();
    codec.announce().unwrap();
    let posts = fake.asked().into_iter().filter(|asked| asked.starts_with("POST")).count();
    assert_eq!(posts, 1);
    assert!(fake.schema("test.turn.completed-value").contains("TurnCompleted"));
    Codec::without_registry().unwrap().announce().unwrap();
}

#[test]
fn every_kind_is_read_back_in_either_frame_and_only_whole() {
    let fake = Fake::start();
    let (confluent, single) = (codec(&fake), crate::codec());
    for ((name, framed, reads), (_, single, _)) in examples(&confluent).into_iter().zip(examples(&single)) {
        assert_eq!(framed[5..], single[10..], "{name}");
        assert!(reads(&confluent, &framed).unwrap() && reads(&confluent, &single).unwrap(), "{name}");
        for end in 0..framed.len() {
            assert_eq!(remedy(reads(&confluent, &framed[..end])), UNDECODABLE, "{name}, its first {end} bytes");
        }
        assert_eq!(remedy(reads(&confluent, &[&framed[..], &[0]].concat())), UNDECODABLE, "{name} and a byte");
    }
}

#[test]
fn a_registry_that_is_away_is_waited_for_and_not_needed_for_what_is_known() {
    let fake = Fake::start();
    let (early, turn) = (codec(&fake), crate::codec().turn("t", &values::turn()).unwrap());
    fake.fail(Some(fake::Failure::HangUp));
    assert_eq!(remedy(early.record("test.turns", &values::record())), AWAY);
    assert_eq!(remedy(early.read_record(&[0, 0, 0, 0, 1, 0])), AWAY);
    assert_eq!(remedy(early.announce()), AWAY);
    assert_eq!(early.read_turn(&turn).unwrap(), values::turn(), "names no number");
    for status in [408, 429, 500, 503] {
        fake.fail(Some(fake::Failure::Status(status)));
        assert_eq!(remedy(early.record("test.turns", &values::record())), AWAY, "{status}");
    }
    fake.fail(None);
    let bytes = early.record("test.turns", &values::record()).unwrap();
    assert_eq!(early.read_record(&bytes).unwrap(), values::record());

    fake.fail(Some(fake::Failure::HangUp));
    assert_eq!(early.record("test.turns", &values::record()).unwrap(), bytes, "its number is known");
    assert_eq!(early.read_record(&bytes).unwrap(), values::record(), "its schema is known");
}

#[test]
fn a_registry_that_does_not_answer_in_time_is_away() {
    let fake = Fake::start();
    fake.fail(Some(fake::Failure::Silence));
    let options = Registry { timeout: Duration::from_millis(50), ..options(&fake) };
    let codec = Codec::with_registry(&options, "").unwrap();
    assert_eq!(remedy(codec.announce()), AWAY);
}

#[test]
fn what_an_operator_has_to_mend_stops_and_says_why() {
    let fake = Fake::start();
    let codec = codec(&fake);
    for status in [401, 403, 404, 409, 422] {
        fake.fail(Some(fake::Failure::Status(status)));
        let fault = codec.record("test.turns", &values::record()).unwrap_err();
        assert_eq!((fault.remedy, fault.code), (Remedy::Stop, Code::StoreUnavailable), "{status}");
        assert!(fault.message.contains(&status.to_string()) && fault.message.contains(fake::WORDS), "{fault}");
    }
    // A 404 that is not a registry's says nothing about the schema: no turn is lost because of a wrong URL.
    fake.fail(Some(fake::Failure::Status(404)));
    assert_eq!(remedy(codec.read_turn(&[0, 0, 0, 0, 9, 0])), REFUSED);
    fake.fail(None);
    for url in ["registry:8081", "https://registry", "http://", "", "http://pear:quince@registry"] {
        let registry = Registry { url: url.into(), ..options(&fake) };
        let fault = Codec::with_registry(&registry, "").err().unwrap();
        assert!(fault.remedy == Remedy::Stop && !fault.message.contains("quince"), "{url}: {fault}");
    }
}

#[test]
fn a_number_that_the_registry_lacks_sets_a_turn_aside_and_stops_for_a_record() {
    let fake = Fake::start();
    let codec = codec(&fake);
    let unknown = [0, 0, 0, 0, 99, 0];
    assert_eq!(remedy(codec.read_turn(&unknown)), UNDECODABLE);
    assert_eq!(remedy(codec.read_record(&unknown)), Some((Remedy::Stop, Code::Undecodable)));
    let number = fake.publish("no Avro");
    assert_eq!(remedy(codec.read_turn(&frame(number, &[0]))), UNDECODABLE);
}

#[test]
fn credentials_are_sent_and_never_shown() {
    let fake = Fake::start();
    let basic = Credentials::Basic { user: "pear".into(), password: "quince".into() };
    for (credentials, header) in
        [(basic, "Basic cGVhcjpxdWluY2U="), (Credentials::Bearer("medlar".into()), "Bearer medlar")]
    {
        let options = Registry { credentials: Some(credentials), ..options(&fake) };
        let shown = format!("{options:?}");
        assert!(!shown.contains("quince") && !shown.contains("medlar"), "{shown}");
        Codec::with_registry(&options, "").unwrap().announce().unwrap();
        assert_eq!(fake.authorization().as_deref(), Some(header));
    }
    let from_a_file = Registry { credentials: Some(Credentials::Bearer("medlar\n".into())), ..options(&fake) };
    let fault = Codec::with_registry(&from_a_file, "").err().unwrap();
    assert!(fault.remedy == Remedy::Stop && !fault.message.contains("medlar"), "{fault}");
}

// Other writers

fn frame(number: u32, body: &[u8]) -> Vec<u8> {
    [&[0], &number.to_be_bytes()[..], body].concat()
}

/// A turn as a gateway with a class of its own writes it: in another order, a field and a role more, some fields less.
#[derive(Serialize)]
struct Turn {
    messages: Vec<Line>,
    customer_mood: i32,
    space: &'static str,
    tenant: &'static str,
    occurred_at: &'static str,
    session: Option<&'static str>,
}

#[derive(Serialize)]
struct Line {
    text: &'static str,
    role: Who,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Who {
    System,
    Agent,
    Customer,
}

const GATEWAYS: &str = r#"{
    "type": "record", "name": "Turn", "namespace": "com.example.gateway", "fields": [
        {"name": "messages", "type": {"type": "array", "items": {"type": "record", "name": "Line", "fields": [
            {"name": "text", "type": {"type": "string", "avro.java.string": "String"}},
            {"name": "role", "type": {"type": "enum", "name": "Who", "symbols": ["system", "agent", "customer"]}}
        ]}}},
        {"name": "customer_mood", "type": "int"},
        {"name": "space", "type": "string"},
        {"name": "tenant", "type": "string"},
        {"name": "occurred_at", "type": "string"},
        {"name": "session", "type": ["null", "string"]}
    ]}"#;

fn foreign(schema: &str, value: &impl Serialize) -> Vec<u8> {
    let schema = Schema::parse_str(schema).unwrap();
    GenericDatumWriter::builder(&schema).build().unwrap().write_ser_to_vec(value).unwrap()
}

fn gateways_turn(role: Who) -> Turn {
    let messages = vec![Line { text: "I keep bees.", role }, Line { text: "Two hives.", role: Who::Customer }];
    let (space, occurred_at) = ("customer-17", "2026-03-01T09:30:00Z");
    Turn { messages, customer_mood: 3, space, tenant: "orchard", occurred_at, session: Some("spring") }
}

#[test]
fn another_schema_is_resolved_to_ours() {
    let fake = Fake::start();
    let codec = codec(&fake);
    let number = fake.publish(GATEWAYS);
    let line = |role, text: &str| SubmittedMessage { role, text: text.into(), id: None };
    let expected = SubmittedTurn {
        tenant: Some("orchard".into()),
        space: "customer-17".into(),
        session: Some("spring".into()),
        turn: None,
        occurred_at: "2026-03-01T09:30:00Z".into(),
        zone: None,
        messages: vec![line(Role::Agent, "I keep bees."), line(Role::Customer, "Two hives.")],
        recalled: vec![],
        attachments: vec![],
    };
    let bytes = frame(number, &foreign(GATEWAYS, &gateways_turn(Who::Agent)));
    assert_eq!(codec.read_turn(&bytes).unwrap(), expected);

    for end in 0..bytes.len() {
        assert_eq!(remedy(codec.read_turn(&bytes[..end])), UNDECODABLE, "its first {end} bytes");
    }
    assert_eq!(remedy(codec.read_turn(&[&bytes[..], &[0]].concat())), UNDECODABLE, "a byte more");
    let bytes = frame(number, &foreign(GATEWAYS, &gateways_turn(Who::System)));
    assert_eq!(remedy(codec.read_turn(&bytes)), UNDECODABLE, "a role that is none of ours");
}

#[test]
fn a_schema_that_lacks_what_we_need_is_refused() {
    let fake = Fake::start();
    let codec = codec(&fake);
    let number =
        fake.publish(r#"{"type": "record", "name": "TurnCompleted", "fields": [{"name": "space", "type": "string"}]}"#);
    assert_eq!(remedy(codec.read_turn(&frame(number, &[2, b'c']))), UNDECODABLE);
}

#[test]
fn a_schema_is_ours_for_one_kind_only() {
    let fake = Fake::start();
    let (codec, change) = (codec(&fake), crate::codec().change("c", &values::change()).unwrap());
    let turn = codec.turn("test.turn.completed", &values::turn()).unwrap();
    assert_eq!(codec.read_turn(&turn).unwrap(), values::turn());
    let named_a_turn = [&turn[..5], &change[10..]].concat();
    assert_eq!(remedy(codec.read_change(&named_a_turn)), UNDECODABLE);
}

#[test]
fn a_schema_that_nests_without_an_end_is_refused_before_it_ends_the_process() {
    let fake = Fake::start();
    let codec = codec(&fake);
    let nested = |inner: &str| {
        let field = |name: &str, kind: &str| format!(r#"{{"name": "{name}", "type": {kind}}}"#);
        let record =
            |name: &str, fields: &str| format!(r#"{{"type": "record", "name": "{name}", "fields": [{fields}]}}"#);
        record("Turn", &field("inner", &format!(r#"["null", {}]"#, record("Inner", &field("turn", inner)))))
    };
    let array = r#"{"type": "array", "items": "Turn"}"#;
    let map = r#"{"type": "map", "values": ["null", "Inner"]}"#;
    for inner in [r#"["null", "Turn"]"#, array, map] {
        let number = fake.publish(&nested(inner));
        let deep = frame(number, &vec![2; 10_000_000]);
        assert_eq!(remedy(codec.read_turn(&deep)), UNDECODABLE, "{inner}");
    }
}

#[test]
fn a_field_that_a_newer_version_adds_falls_away() {
    let fake = Fake::start();
    let codec = codec(&fake);
    let ours = include_str!("../../../../schemas/record.avsc");
    let newer = ours.replace(
        r#"{"name": "sealed","#,
        r#"{"name": "shade", "type": ["null", "string"], "default": null}, {"name": "sealed","#,
    );
    let number = fake.publish(&newer);
    let known = crate::codec();
    for record in values::records() {
        let RecordParts { sealed, .. } = &record;
        let bytes = known.record("r", &record).unwrap();
        // Its length, in a byte or two, and the bytes.
        let end = bytes.len() - sealed.bytes.len() - if sealed.bytes.len() < 64 { 1 } else { 2 };
        let newer = [&bytes[10..end], &[2, 6], b"sky", &bytes[end..]].concat();
        assert_eq!(codec.read_record(&frame(number, &newer)).unwrap(), record);
    }
}
