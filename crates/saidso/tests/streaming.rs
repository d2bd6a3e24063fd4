//! A recall as events (requirements B11): what is at hand comes at once, whatever the embedder does. And in sentences (B5).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex},
    thread,
};

use common::{Server, said};
use serde_json::{Value, json};
use tempfile::tempdir;

const AT: &str = "2026-03-01T09:30:00+01:00";
const EVENTS: &str = "text/event-stream";

/// An endpoint that keeps questions with this word until it is told to answer.
const HELD: &str = "harbour";

#[derive(Default)]
struct Endpoint {
    answers: Mutex<bool>,
    told: Condvar,
}

impl Endpoint {
    fn start() -> (Arc<Self>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let endpoint = Arc::new(Self::default());
        let serving = endpoint.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, serving) = (stream.unwrap(), serving.clone());
                thread::spawn(move || serving.serve(stream));
            }
        });
        (endpoint, address)
    }

    fn answer(&self) {
        *self.answers.lock().unwrap() = true;
        self.told.notify_all();
    }

    /// One request; the connection ends with it.
    fn serve(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim_end().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        let texts = body["input"].as_array().unwrap();
        if texts.iter().any(|text| text.as_str().unwrap().contains(HELD)) {
            drop(self.told.wait_while(self.answers.lock().unwrap(), |answers| !*answers).unwrap());
        }
        let row = |(index, _)| json!({ "index": index, "embedding": [0.6, 0.8] });
        let text = json!({ "data": texts.iter().enumerate().map(row).collect::<Vec<_>>() }).to_string();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", text.len());
        stream.write_all((head + &text).as_bytes()).unwrap();
    }
}

/// The words of an answer's first result.
fn quote(answer: &Value) -> &str {
    answer["memories"][0]["quote"].as_str().unwrap().trim_end_matches('.')
}

/// The next event of an answer: its name and its data.
fn event(lines: &mut impl Iterator<Item = std::io::Result<String>>) -> (String, Value) {
    let mut line = || lines.next().expect("there is one more line").unwrap();
    let name = line().strip_prefix("event: ").expect("an event has a name").to_owned();
    let data = serde_json::from_str(line().strip_prefix("data: ").expect("and data")).unwrap();
    assert_eq!(line(), "");
    (name, data)
}

fn events(server: &Server, ask: &Value) -> Vec<(String, Value)> {
    let bearer = format!("Bearer {}", server.token);
    let headers = [("authorization", bearer.as_str()), ("accept", "application/json;q=0.5, text/event-stream")];
    let answer = server.send("POST", "/v1/recall", &headers, Some(ask.to_string()));
    assert_eq!(
        (answer.status, &answer.head.headers()["content-type"]),
        (200, &EVENTS.parse().unwrap()),
        "{}",
        answer.text
    );
    let mut lines = answer.text.lines().map(|line| Ok(line.to_owned())).peekable();
    let mut events = Vec::new();
    while lines.peek().is_some() {
        events.push(event(&mut lines));
    }
    events
}

#[test]
fn what_is_at_hand_comes_before_the_embedder_answers() {
    let folder = tempdir().unwrap();
    let (endpoint, address) = Endpoint::start();
    let configuration = folder.path().join("saidso.toml");
    let remote = format!(
        "[remote]\nurl = \"http://{address}/v1\"\nmodel = \"held\"\ndimension = 2\nduplicate = 1.0\nrelated = 0.0\n\
         timeout_ms = 600000\n"
    );
    std::fs::write(&configuration, remote).unwrap();
    let server = Server::remote(&folder.path().join("data"), &configuration);
    let position = server.publish(&said("ann", AT, "I live in Oslo."));
    server.wait("ann", &position);

    let agent = ureq::Agent::config_builder().proxy(None).build().new_agent();
    let ask = json!({ "space": "ann", "query": format!("Oslo {HELD}?") });
    let request = agent.post(format!("{}/v1/recall", server.address));
    let request = request.header("authorization", format!("Bearer {}", server.token)).header("accept", EVENTS);
    let mut answer = request.send_json(&ask).unwrap();
    let mut lines = BufReader::new(answer.body_mut().as_reader()).lines();
    let (name, hot) = event(&mut lines);
    assert_eq!((&*name, quote(&hot)), ("hot", "I live in Oslo"));
    assert!(hot["notice"].as_str().unwrap().contains("data"));
    // Only now may the question have its vector.
    endpoint.answer();
    let (name, results) = event(&mut lines);
    assert_eq!((&*name, quote(&results)), ("results", "I live in Oslo"));
    assert_eq!(event(&mut lines), ("done".into(), json!({})));
    assert!(lines.next().is_none());
    server.stop();
}

#[test]
fn the_results_are_the_routes_own_and_an_answer_as_of_another_time_has_nothing_at_hand() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let position = server.publish(&said("ann", AT, "I'm allergic to peanuts."));
    let ask = json!({ "space": "ann", "query": "peanuts allergy", "session": "today", "min_position": position });
    let streamed = events(&server, &ask);
    let names: Vec<&str> = streamed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["hot", "results", "done"]);
    let plain = server.ask("POST", "/v1/recall", Some(&ask)).body;
    assert_eq!((quote(&streamed[1].1), &streamed[1].1["empty"]), (quote(&plain), &json!(false)));
    let past = events(&server, &json!({ "space": "ann", "query": "peanuts", "as_of": "2026-02-01T00:00:00Z" }));
    let names: Vec<&str> = past.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names, &past[0].1["empty"]), (vec!["results", "done"], &json!(true)));
    let late = events(&server, &json!({ "space": "ann", "query": "peanuts", "min_position": far_on(&position) }));
    let names: Vec<&str> = late.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names, &late[1].1["error"]["code"]), (vec!["hot", "error", "done"], &json!("not_yet_visible")));
    server.stop();
}

/// A position in the same partition that nothing stands at.
fn far_on(position: &str) -> String {
    let at = position.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    format!("{}{}", &position[..at], position[at..].parse::<u64>().unwrap() + 1_000)
}

#[test]
fn a_refusal_is_no_stream() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let bearer = format!("Bearer {}", server.token);
    let good = json!({ "space": "ann", "query": "peanuts" });
    for (token, ask, status) in [
        ("Bearer of no token", good.clone(), 401),
        (bearer.as_str(), json!({ "space": "ann", "query": " " }), 422),
        (&bearer, json!({ "space": "ann", "query": "x", "limit": 51 }), 422),
        (&bearer, json!({ "space": "ann", "query": "x", "tenant": "another" }), 403),
        (&bearer, json!({ "space": "ann", "query": "x", "stream": true }), 400),
    ] {
        let headers = [("authorization", token), ("accept", EVENTS)];
        let answer = server.send("POST", "/v1/recall", &headers, Some(ask.to_string()));
        assert_eq!(answer.status, status, "{ask}: {}", answer.text);
        assert!(answer.body["error"]["code"].is_string(), "{}", answer.text);
    }
    let metrics = server.send("GET", "/metrics", &[], None).text;
    assert!(metrics.contains("saidso_recalls_total{result=\"refused\"} 3"), "{metrics}");
    server.stop();
}

#[test]
fn an_answer_in_sentences_cites_its_results_and_an_empty_one_says_nothing() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let position = server.publish(&said("ann", AT, "I'm allergic to peanuts. How long does delivery take?"));
    let mut ask = json!({"space": "ann", "query": "peanuts allergy", "min_position": position, "synthesize": true});
    let answer = server.ask("POST", "/v1/recall", Some(&ask)).body;
    let sentences = answer["synthesis"]["sentences"].as_array().unwrap();
    let results: Vec<&Value> = answer["memories"].as_array().unwrap().iter().map(|found| &found["id"]).collect();
    assert!(sentences[0]["text"].as_str().unwrap().contains("peanuts"), "{answer}");
    for sentence in sentences {
        let cites = sentence["cites"].as_array().unwrap();
        assert!(!cites.is_empty() && cites.iter().all(|id| results.contains(&id)), "{answer}");
    }
    assert_eq!(
        (&answer["synthesis"]["refused"], &answer["synthesis"]["synthesizer"]),
        (&json!(0), &json!("extractive/1"))
    );
    ask["query"] = json!("submarine engines");
    let nothing = server.ask("POST", "/v1/recall", Some(&ask)).body;
    assert_eq!((&nothing["empty"], nothing.get("synthesis")), (&json!(true), None));
    ask["query"] = json!("peanuts allergy");
    ask["synthesize"] = json!(false);
    assert_eq!(server.ask("POST", "/v1/recall", Some(&ask)).body.get("synthesis"), None);
    server.stop();
}
