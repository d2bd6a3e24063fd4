//! What is asked of a running server besides a question: which memories may come back, and what they must contain.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{Server, said};
use serde_json::{Value, json};
use tempfile::tempdir;

const AT: &str = "2026-03-01T09:30:00+01:00";

#[test]
fn what_comes_back_can_be_narrowed_and_bad_filters_are_named() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    server.publish(&said("ann", AT, "I live in Oslo."));
    let position = server.publish(&said("ann", "2026-03-05T09:30:00+01:00", "I moved to Bergen."));
    let ask = |more: Value| {
        let mut ask = json!({"space": "ann", "query": "Where does the customer live?", "min_position": position});
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.ask("POST", "/v1/recall", Some(&ask))
    };
    let texts = |more: Value| -> Vec<String> {
        let answer = ask(more);
        assert_eq!(answer.status, 200, "{}", answer.text);
        let memories = answer.body["memories"].as_array().unwrap();
        memories.iter().map(|memory| memory["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(json!({})), ["I moved to Bergen"]);
    assert_eq!(texts(json!({"filter": {"statuses": ["superseded"]}})), ["I live in Oslo"]);
    assert_eq!(texts(json!({"filter": {"said_before": "2026-03-04T00:00:00Z", "kinds": ["fact"]}})), [""; 0]);
    assert_eq!(texts(json!({"must_contain": [{"words": "bergen"}]})), ["I moved to Bergen"]);
    assert_eq!(texts(json!({"must_contain": ["percentage"]})), [""; 0]);
    for (more, status, code) in [
        (json!({"filter": {"kinds": ["wish"]}}), 400, "bad_json"),
        (json!({"filter": {"colour": "red"}}), 400, "bad_json"),
        (json!({"filter": {"said_from": "yesterday"}}), 422, "said_from"),
    ] {
        let answer = ask(more);
        assert_eq!((answer.status, answer.body["error"]["code"].as_str()), (status, Some(code)), "{}", answer.text);
    }
    server.stop();
}
