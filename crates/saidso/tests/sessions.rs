//! Sessions through the whole: published turns in, short-term state out (requirements C1–C3, B6).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{Server, run, stdout};
use serde_json::{Value, json};
use tempfile::tempdir;

fn turn(session: Option<&str>, at: &str, messages: &[(&str, &str)]) -> Value {
    let messages: Vec<Value> = messages.iter().map(|(role, text)| json!({ "role": role, "text": text })).collect();
    let mut turn = json!({ "space": "ann", "occurred_at": at, "messages": messages });
    if let Some(session) = session {
        turn["session"] = json!(session);
    }
    turn
}

fn sessions(server: &Server, query: &str) -> Value {
    let answer = server.ask("GET", &format!("/v1/spaces/ann/sessions{query}"), None);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body
}

/// The server's own clock, from the head of an answer: `Mon, 30 Nov 2026 14:56:29 GMT`.
fn now(server: &Server) -> String {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let answer = server.send("GET", "/healthz", &[], None);
    let date = answer.head.headers()["date"].to_str().unwrap().to_owned();
    let parts: Vec<&str> = date.split(' ').collect();
    let month = MONTHS.find(parts[2]).unwrap() / 3 + 1;
    format!("{}-{month:02}-{}T{}Z", parts[3], parts[1], parts[4])
}

#[test]
fn sessions_are_summed_up_and_the_newest_come_first() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let said = |session, at: &str, text| server.publish(&turn(session, at, &[("customer", text)]));
    said(Some("visit"), "2026-03-01T09:30:00+01:00", "My name is Ann Lee. We run a bakery in Lyon.");
    said(Some("visit"), "2026-03-01T09:31:00+01:00", "My card is 4111 1111 1111 1111. Do you sell ovens?");
    said(None, "2026-03-02T23:30:00+08:00", "我们在里昂开了三家面包店。");
    said(None, "2026-03-03T09:30:00+03:00", "Мы печём хлеб в Туле.");
    let last = server.publish(&turn(
        Some("today"),
        &now(&server),
        &[("agent", "Shall I order an oven for you?"), ("customer", "What does it cost?")],
    ));
    server.wait("ann", &last);

    let all = sessions(&server, "?limit=10");
    assert!(all["notice"].as_str().unwrap().contains("data"));
    let all = all["sessions"].as_array().unwrap();
    let names: Vec<&str> = all.iter().map(|session| session["session"].as_str().unwrap()).collect();
    assert_eq!(names, ["today", "2026-03-03", "2026-03-02", "visit"]);
    assert_eq!(sessions(&server, "")["sessions"].as_array().unwrap(), &all[..3]);

    // An odd turn waits for its pair while the session is open.
    let (today, visit) = (&all[0], &all[3]);
    assert_eq!((&today["status"], &today["summary"], &today["task"]), (&json!("open"), &json!(""), &Value::Null));
    assert_eq!(today["awaiting"], json!([{ "question": "Shall I order an oven for you?" }]));
    assert_eq!((&visit["status"], &visit["turns"]), (&json!("timed_out"), &json!(2)));
    assert_eq!(visit["summary"], json!("My name is Ann Lee. We run a bakery in Lyon. Do you sell ovens?"));
    let anchor =
        |kind: &str| visit["anchors"].as_array().unwrap().iter().find(|anchor| anchor["type"] == kind).unwrap();
    assert_eq!(anchor("person")["value"], json!("Ann Lee"));
    assert_eq!(anchor("card").get("value"), None);
    assert!(!visit.to_string().contains("4111 1111") && !visit.to_string().contains('*'), "{visit}");
    assert!(all[2]["summary"].as_str().unwrap().contains("面包店"));
    assert!(all[1]["summary"].as_str().unwrap().contains("хлеб"));

    let listed = run(&["sessions", "--space", "ann", "--server", &server.address, "--token", &server.token]);
    assert!(stdout(&listed).contains("today") && !stdout(&listed).contains("visit"), "{}", stdout(&listed));
    for limit in [0, 11] {
        let answer = server.ask("GET", &format!("/v1/spaces/ann/sessions?limit={limit}"), None);
        assert_eq!((answer.status, &answer.body["error"]["code"]), (422, &json!("limit_out_of_range")));
    }
    server.stop();
}

#[test]
fn a_turn_published_again_adds_nothing_and_two_yes_are_two() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let yes = |minute: u32| turn(None, &format!("2026-03-01T09:{minute:02}:00+01:00"), &[("customer", "yes")]);
    for turn in [yes(1), yes(2), yes(1), yes(2)] {
        server.wait("ann", &server.publish(&turn));
    }
    let found = sessions(&server, "");
    assert_eq!((&found["sessions"][0]["session"], &found["sessions"][0]["turns"]), (&json!("2026-03-01"), &json!(2)));
    server.stop();
}

#[test]
fn an_end_closes_a_session_and_what_is_forgotten_leaves_it() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let at = now(&server);
    server.publish(&turn(Some("visit"), &at, &[("customer", "I'm allergic to peanuts. We run a bakery in Lyon.")]));
    let ended = server.ask("POST", "/v1/spaces/ann/sessions/visit/end", None);
    server.wait("ann", ended.body["position"].as_str().unwrap());
    let found = sessions(&server, "");
    assert_eq!(found["sessions"][0]["status"], json!("ended"));
    assert!(found["sessions"][0]["summary"].as_str().unwrap().contains("peanuts"), "{found}");

    let memories = server.memories("ann");
    let peanuts = memories.iter().find(|memory| memory["text"].as_str().unwrap().contains("peanuts")).unwrap();
    let path = format!("/v1/spaces/ann/memories/{}", peanuts["id"].as_str().unwrap());
    server.wait("ann", server.ask("DELETE", &path, None).body["position"].as_str().unwrap());
    let found = sessions(&server, "");
    assert!(!found.to_string().contains("peanuts"), "{found}");
    assert!(found["sessions"][0]["summary"].as_str().unwrap().contains("bakery"), "{found}");
    server.stop();
}

#[test]
fn a_session_opens_with_what_weighs_most_and_the_sessions_before_it() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let first = turn(Some("first"), "2026-03-01T09:30:00+01:00", &[("customer", "I'm allergic to peanuts.")]);
    let ask = json!({ "space": "ann", "query": "allergy", "min_position": server.publish(&first) });
    assert_eq!(server.ask("POST", "/v1/recall", Some(&ask)).status, 200);
    let open = |space: &str| server.ask("POST", &format!("/v1/spaces/{space}/sessions/second/open"), None);
    let opened = open("ann");
    assert_eq!(opened.status, 200, "{}", opened.text);
    assert_eq!(opened.body["memories"][0]["text"], json!("I'm allergic to peanuts"));
    assert_eq!(opened.body["sessions"][0]["session"], json!("first"));
    assert!(opened.body["notice"].as_str().unwrap().contains("data"));
    let nobody = open("bob").body;
    assert_eq!((&nobody["memories"], &nobody["memory_since"]), (&json!([]), &Value::Null));
    server.stop();
}
