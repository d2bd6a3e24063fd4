//! Answers that nobody is sure of, over HTTP and by command: listed, accepted, rejected, forgotten.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::{
    path::Path,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use common::{Answer, Server, run, said, stderr, stdout};
use saidso_core::time::Moment;
use serde_json::{Value, json};
use tempfile::tempdir;

const AT: &str = "2026-11-01T09:30:00+01:00";
/// Shares one word of several with what Ann said.
const UNSURE: [&str; 3] =
    ["Who paid for the roof in Lyon?", "Who repaired the roof in Lyon?", "Who sold the roof in Lyon?"];

const QUESTION: &str = "Where do I live?";

/// A server that knows where Ann lives.
fn up(data: &Path) -> Server {
    let server = Server::up(data);
    server.wait("ann", &server.publish(&said("ann", AT, "I live in Lyon.")));
    server
}

fn recall(server: &Server, query: &str) -> Answer {
    let answer = server.ask("POST", "/v1/recall", Some(&json!({"space": "ann", "query": query})));
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer
}

/// Of the memory that answers the question.
fn score(server: &Server) -> f64 {
    recall(server, QUESTION).body["memories"][0]["score"].as_f64().unwrap()
}

fn waiting(server: &Server, query: &str) -> Vec<Value> {
    let listed = server.ask("GET", &format!("/v1/reviews{query}"), None);
    assert_eq!(listed.status, 200, "{}", listed.text);
    listed.body["reviews"].as_array().unwrap().clone()
}

/// Gives a verdict on what waits for a question, and waits until it weighs.
fn judge(server: &Server, query: &str, judgement: &Value) {
    let waiting = waiting(server, "");
    let review = waiting.iter().find(|review| review["query"] == query).unwrap();
    let path = format!("/v1/reviews/{}", review["id"].as_str().unwrap());
    let judged = server.ask("POST", &path, Some(judgement));
    assert_eq!(judged.status, 202, "{}", judged.text);
    server.wait("ann", judged.body["position"].as_str().unwrap());
}

#[test]
fn a_flagged_answer_waits_until_it_is_accepted() {
    let folder = tempdir().unwrap();
    let server = up(folder.path());
    let answer = recall(&server, UNSURE[0]);
    assert_eq!(answer.body["review"], json!(true), "{}", answer.text);
    assert_eq!(recall(&server, QUESTION).body["review"], json!(false));

    let [review] = &waiting(&server, "")[..] else { panic!("one waits") };
    assert_eq!(review["query"], json!(UNSURE[0]));
    let (result, found) = (&review["results"][0], &answer.body["memories"][0]);
    for field in ["id", "source", "text", "quote", "said_at", "retrieval_confidence"] {
        assert_eq!(result[field], found[field], "{field}");
    }
    assert_eq!(waiting(&server, "?space=ann").len(), 1);
    assert!(waiting(&server, "?space=bob").is_empty());

    judge(&server, UNSURE[0], &json!({"verdict": "accept"}));
    assert!(waiting(&server, "").is_empty());
    let again = recall(&server, UNSURE[0]);
    assert_eq!(again.body["review"], json!(false), "{}", again.text);
    assert_eq!(again.body["memories"][0]["retrieval_confidence"], found["retrieval_confidence"]);
    assert_eq!(recall(&server, UNSURE[1]).body["review"], json!(true));
    server.stop();
}

#[test]
fn what_is_rejected_twice_is_history_over_a_restart() {
    let folder = tempdir().unwrap();
    let server = up(folder.path());
    UNSURE.iter().for_each(|query| drop(recall(&server, query)));
    // What is held in memory is written at the end.
    server.stop();

    let server = Server::up(folder.path());
    assert_eq!(waiting(&server, "").len(), 3);
    let before = score(&server);
    let memory = server.memories("ann")[0]["id"].clone();
    judge(&server, UNSURE[0], &json!({"verdict": "reject", "results": [memory]}));
    let once = score(&server);
    assert!(once < before * 0.6, "{once} of {before}");
    judge(&server, UNSURE[1], &json!({"verdict": "reject"}));
    server.stop();

    let server = Server::up(folder.path());
    assert_eq!(recall(&server, QUESTION).body["empty"], json!(true));
    assert!(server.memories("ann").is_empty());
    let history = json!({"space": "ann", "query": QUESTION, "history": true});
    let history = server.ask("POST", "/v1/recall", Some(&history));
    assert_eq!(history.body["memories"][0]["status"], json!("archived"), "{}", history.text);
    // As of an instant nobody had rejected it.
    let then = server.ask("GET", "/v1/spaces/ann/memories?at=2026-11-02T00:00:00Z", None);
    assert_eq!(then.body["memories"][0]["status"], json!("active"), "{}", then.text);
    server.stop();
}

#[test]
fn a_question_goes_with_what_it_was_answered_with() {
    let folder = tempdir().unwrap();
    let server = up(folder.path());
    UNSURE.iter().for_each(|query| drop(recall(&server, query)));
    let before = score(&server);
    judge(&server, UNSURE[0], &json!({"verdict": "reject"}));
    assert_eq!(waiting(&server, "").len(), 2);
    assert!(score(&server) < before * 0.6);
    let id = server.memories("ann")[0]["id"].as_str().unwrap().to_owned();
    let forgotten = server.ask("DELETE", &format!("/v1/spaces/ann/memories/{id}"), None);
    server.wait("ann", forgotten.body["position"].as_str().unwrap());
    assert!(waiting(&server, "").is_empty());

    // Said again, it starts anew.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + Duration::from_secs(3_600);
    let later = Moment::at(now.as_millis() as i64, None).unwrap().to_string();
    server.wait("ann", &server.publish(&said("ann", &later, "I live in Lyon.")));
    let after = score(&server);
    assert!(after > before * 0.9, "{after} of {before}");
    server.stop();
}

#[test]
fn a_verdict_needs_something_to_be_said_of() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("saidso.toml");
    std::fs::write(&file, "[tenants.acme]\ntokens = [\"acme-0123456789abcdef\"]").unwrap();
    let server = Server::with(&folder.path().join("data"), &["--config", file.to_str().unwrap()]);
    server.wait("ann", &server.publish(&said("ann", AT, "I live in Lyon.")));
    recall(&server, UNSURE[0]);
    let path = format!("/v1/reviews/{}", waiting(&server, "")[0]["id"].as_str().unwrap());
    let reject = json!({"verdict": "reject"});
    for (path, body, due) in [
        ("/v1/reviews/nonsense", reject.clone(), (404, "no_such_review")),
        (&format!("/v1/reviews/{}", "0".repeat(64)), reject.clone(), (404, "no_such_review")),
        (&path, json!({"verdict": "reject", "results": []}), (404, "no_such_review")),
        (&path, json!({"verdict": "reject", "results": ["0".repeat(32)]}), (404, "no_such_review")),
        (&path, json!({"verdict": "perhaps"}), (400, "bad_json")),
        (&path, json!({}), (400, "bad_json")),
    ] {
        let answer = server.ask("POST", path, Some(&body));
        assert_eq!((answer.status, &answer.body["error"]["code"]), (due.0, &json!(due.1)), "{body}");
    }
    // Another tenant sees nothing, and its token opens nothing of this one's.
    let acme = [("authorization", "Bearer acme-0123456789abcdef")];
    let listed = server.send("GET", "/v1/reviews", &acme, None);
    assert_eq!((listed.status, &listed.body["reviews"]), (200, &json!([])));
    assert_eq!(server.send("POST", &path, &acme, Some(reject.to_string())).status, 404);
    for query in ["?tenant=default", "?tenant=default&space=ann"] {
        assert_eq!(server.send("GET", &format!("/v1/reviews{query}"), &acme, None).status, 403);
    }
    assert_eq!(waiting(&server, "").len(), 1);
    server.stop();
}

#[test]
fn the_newest_of_all_spaces_are_listed() {
    let folder = tempdir().unwrap();
    let server = up(folder.path());
    server.wait("bob", &server.publish(&said("bob", AT, "I live in Lyon.")));
    let ask = |space: &str, number: usize| {
        let query = format!("{}{}", UNSURE[0], "?".repeat(number));
        let answer = server.ask("POST", "/v1/recall", Some(&json!({"space": space, "query": query})));
        assert_eq!(answer.body["review"], json!(true), "{}", answer.text);
    };
    (0..51).for_each(|number| ask("ann", number));
    (0..50).for_each(|number| ask("bob", number));
    let waiting = waiting(&server, "");
    assert_eq!(waiting.len(), 100);
    assert!(waiting.is_sorted_by(|a, b| a["asked_at"].as_str() >= b["asked_at"].as_str()));
    let of = |review: &Value| waiting.iter().filter(|other| other["space"] == review["space"]).count();
    assert_eq!((of(&waiting[0]), of(&waiting[99])), (50, 50));
    assert_eq!(self::waiting(&server, "?space=ann").len(), 51);
    server.stop();
}

#[test]
fn commands_list_and_judge_and_rule_what_comes_back() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let server = up(&data);
    let here = ["--server", &server.address, "--token", &server.token];
    let saidso = |args: &[&str]| {
        let output = run(&[args, &here[..]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(saidso(&["review"]), "nothing waits for review\n");
    saidso(&["recall", UNSURE[0], "--space", "ann"]);
    saidso(&["recall", UNSURE[1], "--space", "ann"]);
    let listed = saidso(&["review", "--space", "ann"]);
    assert!(UNSURE[..2].iter().all(|query| listed.contains(query)) && listed.contains("I live in Lyon"), "{listed}");
    let reviews: Value = serde_json::from_str(&saidso(&["review", "--json"])).unwrap();
    let review = |at: usize| reviews["reviews"][at]["id"].as_str().unwrap().to_owned();
    assert!(saidso(&["review", &review(0), "accept"]).starts_with("noted, at position "));
    let result = reviews["reviews"][1]["results"][0]["id"].as_str().unwrap();
    let judged: Value =
        serde_json::from_str(&saidso(&["review", &review(1), "reject", "--result", result, "--json"])).unwrap();
    server.wait("ann", judged["position"].as_str().unwrap());
    assert_eq!(saidso(&["review"]), "nothing waits for review\n");
    assert!(!run(&[&["review", &review(1)], &here[..]].concat()).status.success());

    server.wait("ann", &server.publish(&said("ann", AT, "The bank in Lyon takes 5 % from me.")));
    let ruled = |rule: &str| saidso(&["recall", "Lyon", "--space", "ann", "--must-contain", rule]);
    assert!(ruled("percentage").contains("5 %") && !ruled("percentage").contains("live"));
    assert!(ruled("words:live").contains("live") && !ruled("words:live").contains("5 %"));
    let wrong = run(&[&["recall", "x", "--space", "ann", "--must-contain", "Lyon"], &here[..]].concat());
    assert!(stderr(&wrong).contains("a rule is number, percentage, date, or words:"), "{}", stderr(&wrong));
    server.stop();

    let here = ["--data", data.to_str().unwrap(), "--embedder", "words"];
    let saidso = |args: &[&str]| stdout(&run(&[args, &here[..]].concat()));
    saidso(&["recall", UNSURE[2], "--space", "ann"]);
    assert!(saidso(&["review"]).contains(UNSURE[2]));
}

#[test]
fn a_server_says_how_far_behind_its_recall_is() {
    let folder = tempdir().unwrap();
    let server = up(folder.path());
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.send("GET", "/readyz", &[], None).body["behind"] != json!(0) {
        assert!(Instant::now() < deadline);
        thread::yield_now();
    }
    let page = server.ask("GET", "/metrics", None).text;
    for line in ["saidso_recall_behind_changes 0", "saidso_recall_evictions_total 0"] {
        assert!(page.lines().any(|found| found == line), "{line}\n{page}");
    }
    server.stop();
}
