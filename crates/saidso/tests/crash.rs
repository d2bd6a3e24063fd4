//! The program killed −9 while it works ends, once it is up again, where an undisturbed one ends (field cases 7 and 22).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::Server;
use serde_json::{Value, json};

const SPACES: usize = 4;
const TURNS: usize = 120;
const ROUNDS: usize = 8;

fn space(index: usize) -> String {
    format!("customer-{}", index % SPACES)
}

/// Statements, repeats and corrections, so that a lost or doubled turn shows.
fn turn(index: usize) -> Value {
    let round = index / SPACES;
    let text = match round % 5 {
        0 => format!("I live in {}.", ["Oslo", "Lisbon", "Nairobi", "Toronto"][round / 5 % 4]),
        1 => "I'm allergic to peanuts.".to_owned(),
        2 => format!("We have {} shops in Denmark.", 2 + round),
        3 => format!("We've moved to {} now.", ["PostgreSQL", "MySQL", "Cassandra"][round % 3]),
        _ => "Thanks, that helps!".to_owned(),
    };
    let at = format!("2026-01-{:02}T{:02}:{:02}:00+01:00", 1 + round / 3, 8 + index % 12, index % 60);
    common::said(&space(index), &at, &text)
}

fn lines(turns: std::ops::Range<usize>) -> Vec<u8> {
    turns.map(|index| format!("{}\n", turn(index))).collect::<String>().into_bytes()
}

/// Sends turns as JSON Lines. The positions, or `None` if the server went away meanwhile.
fn send(server: &Server, turns: std::ops::Range<usize>) -> Option<Vec<String>> {
    let headers =
        [("authorization", format!("Bearer {}", server.token)), ("content-type", "application/x-ndjson".into())];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = server.try_bytes("POST", "/v1/turns", &headers, Some(lines(turns)))?;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let position = |line: &str| {
        let answer: Value = serde_json::from_str(line).unwrap();
        answer["position"].as_str().unwrap_or_else(|| panic!("a good line is taken: {answer}")).to_owned()
    };
    Some(answer.text.lines().map(position).collect())
}

/// What every space remembers, without ids: each folder has a secret of its own to make them with.
fn remembered(server: &Server) -> Vec<Value> {
    let of = |space: usize| {
        let path = format!("/v1/spaces/{}/memories?history=true", self::space(space));
        let answer = server.ask("GET", &path, None);
        assert_eq!(answer.status, 200, "{}", answer.text);
        let plain = |memory: &Value| {
            json!([
                memory["kind"],
                memory["text"],
                memory["status"],
                memory["mentions"],
                memory["valid_from"],
                memory["valid_to"],
                memory["topic_key"],
                memory["value"]
            ])
        };
        Value::from(answer.body["memories"].as_array().unwrap().iter().map(plain).collect::<Vec<_>>())
    };
    (0..SPACES).map(of).collect()
}

fn settled(server: &Server) -> Vec<Value> {
    let positions = send(server, 0..TURNS).unwrap();
    for (index, position) in positions.iter().enumerate().rev().take(SPACES) {
        server.wait(&space(index), position);
    }
    remembered(server)
}

#[test]
fn killed_at_any_moment_it_ends_where_an_undisturbed_run_ends() {
    let undisturbed = tempfile::tempdir().unwrap();
    let server = Server::up(undisturbed.path());
    let expected = settled(&server);
    assert!(expected.iter().all(|space| space.as_array().unwrap().len() > 5), "there is something to lose");
    server.stop();

    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged: Vec<Option<String>> = vec![None; TURNS];
    for round in 0..ROUNDS {
        let mut server = Server::up(folder.path());
        let killer = server.killer();
        let size = 3 + round;
        std::thread::scope(|scope| {
            let (tell, told) = std::sync::mpsc::channel();
            // Killed after some answers, while the next request and the stages are at work.
            scope.spawn(move || {
                told.iter().take(1 + round % 4).for_each(drop);
                killer.kill();
            });
            for start in (0..TURNS).step_by(size) {
                let end = (start + size).min(TURNS);
                let Some(positions) = send(&server, start..end) else { break };
                for (index, position) in (start..end).zip(positions) {
                    let first = acknowledged[index].get_or_insert(position.clone());
                    assert_eq!(*first, position, "what was acknowledged stays where it was");
                }
                // The receiver is gone once it has killed.
                let _ = tell.send(());
            }
        });
    }
    let server = Server::up(folder.path());
    assert_eq!(settled(&server), expected);
    server.stop();
}
