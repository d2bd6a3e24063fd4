//! The remote embedder against a server of the test's own: what is sent, and what becomes of every answer.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod server;

use std::{net::TcpListener, time::Duration};

use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fault::{Code, Fault, Remedy},
    ports::{Embedder, Purpose},
    vector::Vector,
};
use saidso_models::remote::{Options, Purposes, Remote};
use serde_json::{Value, json};
use server::{Sent, Server};

const TEXT: &str = "my safe's number is none of a log's business";

fn options(address: &str) -> Options {
    Options {
        url: format!("http://{address}/v1/"),
        model: "little".into(),
        dimension: 2,
        key: None,
        timeout: Duration::from_secs(20),
        calibration: Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(5_000) },
        purposes: Purposes::Prefix { query: String::new(), passage: String::new() },
    }
}

/// One row for each text, in reverse: places are what counts.
fn rows(sent: &Sent) -> (u16, String) {
    let texts = sent.body["input"].as_array().unwrap();
    let row = |(index, text): (usize, &Value)| json!({ "object": "embedding", "index": index, "embedding": [1.0, text.as_str().unwrap().len()] });
    let rows: Vec<Value> = texts.iter().enumerate().rev().map(row).collect();
    (200, json!({ "object": "list", "data": rows, "model": "little" }).to_string())
}

fn vector(length: usize) -> Vector {
    Vector::new(&[1.0, length as f32]).unwrap()
}

#[test]
fn texts_go_out_with_their_purpose_and_vectors_come_back_in_their_order() {
    let server = Server::start(rows);
    let plain = Remote::new(Options { key: Some("secret".into()), ..options(&server.address) });
    assert_eq!(plain.embed(Purpose::Passage, &["a", "bcd"]).unwrap(), [vector(1), vector(3)]);
    let sent = server.sent.lock().unwrap().pop().unwrap();
    assert_eq!((&*sent.path, sent.authorization.as_deref()), ("/v1/embeddings", Some("Bearer secret")));
    assert_eq!(sent.body, json!({ "model": "little", "input": ["a", "bcd"], "encoding_format": "float" }));

    let prefix = Purposes::Prefix { query: "query: ".into(), passage: "passage: ".into() };
    let prefixed = Remote::new(Options { purposes: prefix, ..options(&server.address) });
    assert_eq!(prefixed.embed(Purpose::Query, &["a"]).unwrap(), [vector(8)]);
    assert_eq!(server.sent.lock().unwrap().pop().unwrap().body["input"], json!(["query: a"]));
    prefixed.embed(Purpose::Passage, &["a"]).unwrap();
    assert_eq!(server.sent.lock().unwrap().pop().unwrap().body["input"], json!(["passage: a"]));

    let typed = Remote::new(Options { purposes: Purposes::InputType, ..options(&server.address) });
    for (purpose, name) in [(Purpose::Query, "query"), (Purpose::Passage, "passage")] {
        typed.embed(purpose, &["a"]).unwrap();
        let sent = server.sent.lock().unwrap().pop().unwrap();
        assert_eq!((&sent.body["input_type"], &sent.body["input"]), (&json!(name), &json!(["a"])));
        assert_eq!(sent.authorization, None);
    }
    assert!(typed.embed(Purpose::Query, &[]).unwrap().is_empty());
    assert!(server.sent.lock().unwrap().is_empty(), "nothing to embed is asked of nobody");
}

/// The fault of asking a server that answers so.
fn fault(status: u16, body: &str) -> Fault {
    let body = body.to_owned();
    let server = Server::start(move |_| (status, body.clone()));
    let fault = Remote::new(options(&server.address)).embed(Purpose::Passage, &[TEXT]).unwrap_err();
    assert!(fault.message.contains(&server.address), "{fault}");
    assert!(!fault.message.contains("safe"), "{fault}");
    fault
}

#[test]
fn a_status_says_whose_trouble_it_is_and_every_turn_waits() {
    // Servers quote what they did not like.
    let body = json!({ "error": { "message": format!("cannot embed {TEXT}") } }).to_string();
    for (status, code) in [
        (429, Code::ModelUnavailable),
        (503, Code::ModelUnavailable),
        (401, Code::ModelUnavailable),
        (404, Code::ModelUnavailable),
        (400, Code::ModelOutput),
        (413, Code::ModelOutput),
        (422, Code::ModelOutput),
        (500, Code::ModelOutput),
    ] {
        let fault = fault(status, &body);
        assert_eq!((fault.remedy, fault.code), (Remedy::Retry, code), "{status}");
        assert!(fault.message.contains(&status.to_string()), "{fault}");
    }
    assert!(fault(401, &body).message.contains("`remote.key`"));
    assert!(fault(404, &body).message.contains("`remote.url`"));
}

#[test]
fn an_answer_that_is_not_one_vector_for_each_text_is_refused() {
    for body in [
        TEXT,
        "{}",
        r#"{"data": []}"#,
        r#"{"data": [{"index": 1, "embedding": [1, 2]}]}"#,
        r#"{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]}"#,
        r#"{"data": [{"index": 0, "embedding": [0, 0]}]}"#,
        r#"{"data": [{"index": 0, "embedding": "AACAPw=="}]}"#,
    ] {
        let fault = fault(200, body);
        assert_eq!((fault.remedy, fault.code), (Remedy::Retry, Code::ModelOutput), "{body}");
    }
}

#[test]
fn vectors_of_another_dimension_stop_it_with_both_numbers() {
    let fault = fault(200, r#"{"data": [{"index": 0, "embedding": [1, 2, 3]}]}"#);
    assert_eq!((fault.remedy, fault.code), (Remedy::Stop, Code::ModelOutput));
    assert!(fault.message.contains("3 components") && fault.message.contains("`remote.dimension` is 2"), "{fault}");
    let server = Server::start(rows);
    let remote = Remote::new(Options { dimension: 3, ..options(&server.address) });
    assert_eq!(remote.check().unwrap_err().remedy, Remedy::Stop);
    assert!(Remote::new(options(&server.address)).check().is_ok());
}

#[test]
fn nobody_there_and_nobody_answering_are_both_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // Connections are taken by the system and never answered.
    let silent = Remote::new(Options { timeout: Duration::from_millis(100), ..options(&address) });
    let fault = silent.check().unwrap_err();
    assert_eq!((fault.remedy, fault.code), (Remedy::Retry, Code::ModelUnavailable));
    assert!(fault.message.contains("`remote.timeout_ms`"), "{fault}");
    drop(listener);
    let fault = Remote::new(options(&address)).check().unwrap_err();
    assert_eq!((fault.remedy, fault.code), (Remedy::Retry, Code::ModelUnavailable));
    assert!(fault.message.contains("`remote.url`"), "{fault}");
}
