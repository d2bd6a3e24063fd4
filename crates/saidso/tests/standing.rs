//! How memories stand, over HTTP: statuses, a stated instant, health, warmth.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::{
    thread,
    time::{Duration, Instant},
};

use common::{Server, said};
use serde_json::json;
use tempfile::tempdir;

/// Long ago, whenever this runs.
const AT: &str = "2020-03-01T09:30:00+01:00";

#[test]
fn what_time_made_untrue_is_history_and_health_says_how_much() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    server.publish(&said("ann", AT, "We use MySQL."));
    let position = server.publish(&said("ann", AT, "I'm allergic to peanuts."));
    server.wait("ann", &position);
    let statuses = |query: &str| {
        let listed = server.ask("GET", &format!("/v1/spaces/ann/memories{query}"), None);
        assert_eq!(listed.status, 200, "{}", listed.text);
        let memories = listed.body["memories"].as_array().unwrap().clone();
        let mut statuses: Vec<String> =
            memories.iter().map(|memory| memory["status"].as_str().unwrap().to_owned()).collect();
        statuses.sort_unstable();
        statuses
    };
    assert_eq!(statuses(""), ["active"]);
    assert_eq!(statuses("?history=true"), ["active", "invalid"]);
    assert_eq!(statuses("?history=true&at=2020-03-02T00:00:00Z"), ["active", "active"]);
    assert_eq!(statuses("?at=2020-04-10T00:00:00Z"), ["active", "to_confirm"]);
    let refused = server.ask("GET", "/v1/spaces/ann/memories?at=yesterday", None);
    assert_eq!((refused.status, &refused.body["error"]["code"]), (400, &json!("bad_parameter")));

    let health = server.ask("GET", "/v1/spaces/ann/health", None);
    assert_eq!(health.body, json!({"memories": {"active": 1, "invalid": 1}, "effective_share": 0.5}));
    let nothing = server.ask("GET", "/v1/spaces/nobody/health", None);
    assert_eq!(nothing.body, json!({"memories": {}, "effective_share": null}));

    let deadline = Instant::now() + Duration::from_secs(60);
    let due = r#"saidso_memories{tenant="default",status="invalid"} 1"#;
    while !server.ask("GET", "/metrics", None).text.lines().any(|line| line == due) {
        assert!(Instant::now() < deadline, "{}", server.ask("GET", "/metrics", None).text);
        thread::yield_now();
    }
}

#[test]
fn an_answer_helps_with_the_phrasing() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let position = server.publish(&said("ann", AT, "I'm allergic to peanuts."));
    server.wait("ann", &position);
    for warmth in ["neutral", "neutral", "warm", "warm", "personal"] {
        let ask = json!({"space": "ann", "query": "What is the customer allergic to?"});
        let answer = server.ask("POST", "/v1/recall", Some(&ask));
        let first = &answer.body["memories"][0];
        assert_eq!((&first["warmth"], &first["said_on"]), (&json!(warmth), &json!("2020-03-01")), "{}", answer.text);
        assert_eq!(answer.body["memory_since"], json!(AT));
    }
}
