//! The rules of the house that no compiler checks.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace is where it was built")
}

/// Files under version control's eye with one of these endings, with their text.
fn files(endings: &[&str]) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("folders of the workspace can be read").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() && name != "target" && (!name.starts_with('.') || name == ".ci") {
                walk(&path, found);
            } else if path.is_file() {
                found.push(path);
            }
        }
    }
    let (root, mut found) = (root(), Vec::new());
    walk(&root, &mut found);
    let wanted = found.into_iter().filter(|path| {
        let path = path.to_string_lossy();
        endings.iter().any(|ending| path.ends_with(ending))
    });
    let read = wanted.map(|path| {
        let text = fs::read_to_string(&path).unwrap_or_default();
        (path.strip_prefix(&root).expect("it is inside").to_string_lossy().into_owned(), text)
    });
    let files: Vec<_> = read.collect();
    assert!(!files.is_empty(), "no file ends with any of {endings:?}: the rule would hold of nothing");
    files
}

fn none(rule: &str, broken: Vec<String>) {
    assert!(broken.is_empty(), "{rule}:\n{}", broken.join("\n"));
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    let long = files(&[".rs"]).into_iter().filter(|(_, text)| text.lines().count() > 500).map(|(path, _)| path);
    none("split these", long.collect());
}

#[test]
fn the_wall_clock_is_read_in_one_place() {
    let reads = |(path, text): &(String, String)| {
        path.starts_with("crates/")
            && !path.contains("/tests/")
            && path != "crates/saidso/src/clock.rs"
            && (text.contains(concat!("SystemTime", "::now")) || text.contains(concat!("Timestamp", "::now")))
    };
    none("take the clock port instead", files(&[".rs"]).into_iter().filter(reads).map(|(path, _)| path).collect());
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
        concat!("todo", "!("),
        concat!("unimpl", "emented!("),
    ];
    let left = |(path, text): &(String, String)| {
        text.lines()
            .enumerate()
            .find(|(_, line)| marks.iter().any(|mark| line.contains(mark)))
            .map(|(at, _)| format!("{path}:{}", at + 1))
    };
    none("do it or leave it out", files(&[".rs", ".md", ".toml", ".sh"]).iter().filter_map(left).collect());
}

#[test]
fn tests_wait_for_what_they_want_and_do_not_sleep() {
    let sleeps = |(path, text): &(String, String)| {
        path.contains("/tests/")
            && (text.contains(concat!("thread::", "sleep")) || text.contains(concat!("time::", "sleep(")))
    };
    none("wait for a condition", files(&[".rs"]).into_iter().filter(sleeps).map(|(path, _)| path).collect());
}

#[test]
fn rooms_use_only_what_the_map_allows() {
    let allowed: [(&str, &[&str]); 7] = [
        ("core", &[]),
        ("cql", &["saidso-core"]),
        ("embedded", &["saidso-core"]),
        ("kafka", &["saidso-core"]),
        ("models", &["saidso-core"]),
        ("pipeline", &["saidso-core"]),
        ("recall", &["saidso-core"]),
    ];
    for (room, may) in allowed {
        let manifest = fs::read_to_string(root().join("crates").join(room).join("Cargo.toml")).expect("a room has one");
        let dependencies = manifest.split("[dependencies]").nth(1).expect("it lists some");
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("saidso")) {
            let used = line.split(['.', ' ', '=']).next().unwrap_or_default();
            assert!(may.contains(&used), "crates/{room} may not use {used}");
        }
    }
}

#[test]
fn no_port_takes_a_tenant_or_a_space() {
    let of_ports = |(path, _): &(String, String)| path.starts_with("crates/core/src/ports");
    let ports: String = files(&[".rs"]).into_iter().filter(of_ports).map(|(_, text)| text).collect();
    assert!(!ports.is_empty(), "the ports are there");
    let takes =
        ports.lines().filter(|line| line.contains("fn ") && (line.contains("TenantId") || line.contains("SpaceId")));
    none("take a scope", takes.map(str::to_owned).collect());
    let twice = ports.lines().filter(|line| line.contains("fn ") && line.matches("&Scope").count() > 1);
    none("take one scope", twice.map(str::to_owned).collect());
}

#[test]
fn files_named_in_the_docs_exist() {
    let mut missing = Vec::new();
    for (path, text) in files(&[".md"]) {
        for word in text.split(['`', '(', ')', ' ', '\n']) {
            let word = word.trim_end_matches(['.', ',', ':', ';']);
            let first = word.split('/').next().unwrap_or_default();
            let ours = ["crates", "schemas", "testcontainers", "benches", "deploy", ".ci"].contains(&first);
            let plain = !word.contains(['*', '<', '{', '…', ' ']);
            if ours && word.contains('/') && plain && !root().join(word).exists() {
                missing.push(format!("{path} names {word}"));
            }
        }
    }
    none("set the docs right", missing);
}
