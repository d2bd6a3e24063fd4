//! `saidso eval` on small files of its own, each of a shape that it knows.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::{fs, io::Write, path::Path};

use common::{Server, run, stderr, stdout};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, rows: &[Value]) -> String {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Runs it on its own instance; the JSON figures, and what was printed.
    fn eval(&self, args: &[&str]) -> (Value, String) {
        let out = self.path("figures.json");
        let output = run(&[&["eval", "--embedder", "words", "--json", &out], args].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        (serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap(), stdout(&output))
    }
}

fn refused(args: &[&str]) -> String {
    let output = run(&[&["eval", "--embedder", "words"], args].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    stderr(&output)
}

/// Two people who talk to each other; a question for each, one that names both, one that nothing answers.
fn talk() -> Value {
    json!({
        "speakers": ["Nora", "Emil"],
        "docs": [
            {"id": "a1", "who": "Nora", "text": "I live in Bergen.", "session": 1, "t": "1:56 pm on 8 May, 2023"},
            {"id": "a2", "who": "Emil", "text": "I keep bees on my roof.", "session": 1, "t": "1:56 pm on 8 May, 2023"},
            {"id": "a3", "who": "Emil", "text": "Do you play the cello?", "session": 1, "t": "1:56 pm on 8 May, 2023"},
            {"id": "a4", "who": "Nora", "text": "I play the cello.", "session": 1, "t": "1:56 pm on 8 May, 2023"},
            {"id": "b1", "who": "Emil", "text": "I'm allergic to walnuts.", "session": 2, "t": "9:00 am on 12 May, 2023"},
        ],
        "qa": [
            {"q": "Where does Nora live?", "ev": ["a1"], "cat": 1},
            {"q": "Is Emil allergic to walnuts?", "ev": ["b1"], "cat": 1},
            {"q": "Do Nora and Emil play the cello or keep bees?", "ev": ["a4", "a2"], "cat": 2},
            {"q": "Which telescope did Nora buy?", "ev": ["a2"], "cat": 5},
            {"q": "What does nobody know?", "ev": [], "cat": 3},
        ],
    })
}

#[test]
fn speakers_are_customers_and_the_run_goes_on_where_it_was_cut_short() {
    let folder = Folder::new();
    let file = folder.write("talks.jsonl", &[talk()]);
    let kept = folder.path("run");
    let (figures, printed) = folder.eval(&[&file, "--resume", &kept]);
    let set = &figures["sets"][0];
    assert_eq!((&set["customers"], &set["turns"], &set["questions_unscored"]), (&json!(2), &json!(5), &json!(1)));
    assert_eq!(set["all"]["answerable"], 3, "{figures}");
    for sure in ["recall_at_5", "recall_at_20", "mrr"] {
        assert_eq!(set["categories"]["1"][sure], 1.0, "{sure}: {figures}");
    }
    assert_eq!(set["categories"]["2"]["recall_at_5"], 1.0, "both are asked: {figures}");
    let nothing = &set["categories"]["5"];
    assert_eq!((&nothing["rightly_empty"], &nothing["traps_in_top_5"]), (&json!(1.0), &json!(0.0)), "{figures}");
    assert_eq!(set["foreign_results"], 0);
    assert_eq!(set["recall_ms"]["n"], 5, "one question was asked of two spaces");
    assert!(set["tokens"]["p50"].as_f64().unwrap() > 0.0);
    for part in ["| talks | 3 | 1.000 |", "| · 5 | 0 | – |", "talks: 1 questions not asked"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }

    // Nothing is asked again: even the times are those of the first run.
    assert_eq!(folder.eval(&[&file, "--resume", &kept]).0, figures);
    let notes = Path::new(&kept).join("run.jsonl");
    let before = fs::read_to_string(&notes).unwrap();
    for word in ["Bergen", "cello", "walnuts", "telescope", "Nora"] {
        assert!(!before.contains(word), "{word} is noted");
    }
    // Without the last two notes it asks two questions again.
    let lines: Vec<&str> = before.lines().collect();
    fs::write(&notes, lines[..lines.len() - 2].join("\n") + "\n").unwrap();
    let (again, _) = folder.eval(&[&file, "--resume", &kept]);
    assert_eq!((&again["sets"][0]["all"], &again["sets"][0]["memories"]), (&set["all"], &set["memories"]));
    let after = fs::read_to_string(&notes).unwrap();
    assert_eq!(after.lines().count(), lines.len());
    assert!(after.starts_with(&lines[..lines.len() - 2].join("\n")));

    let other = run(&["eval", "--embedder", "constant", &file, "--resume", &kept]);
    assert!(stderr(&other).contains("embedder words, and this one of"), "{}", stderr(&other));
}

#[test]
fn corrections_of_evidence_count() {
    let folder = Folder::new();
    let mut wrong = talk();
    wrong["qa"][0]["ev"] = json!(["a4"]);
    let file = folder.write("talks.jsonl", &[wrong]);
    let list = folder.path("right.json");
    let correction = |question: &str| json!({"question": question, "correct_evidence": ["a1"], "category": 1});
    fs::write(&list, json!([correction("Where does Nora live?"), correction("Where does Ida live?")]).to_string())
        .unwrap();
    let recall = |figures: &Value| figures["sets"][0]["categories"]["1"]["recall_at_20"].as_f64().unwrap();
    assert!(recall(&folder.eval(&[&file]).0) < 1.0);
    let (right, printed) = folder.eval(&[&file, "--evidence", &list]);
    assert_eq!((recall(&right), &right["corrections"]), (1.0, &json!({"given": 2, "applied": 1})));
    assert!(printed.contains("1 of 2 corrections of evidence applied"));
    fs::write(&list, r#"{"question": "of nobody's business"}"#).unwrap();
    let refused = refused(&[&file, "--evidence", &list]);
    assert!(refused.contains("correct_evidence") && !refused.contains("business"), "{refused}");
}

#[test]
fn a_running_server_is_asked_too() {
    let folder = Folder::new();
    let server = Server::up(&folder.0.path().join("data"));
    let file = folder.write("talks.jsonl", &[talk()]);
    let out = folder.path("figures.json");
    let asked = ["eval", &file, "--server", &server.address, "--token", &server.token, "--json", &out];
    let output = run(&asked);
    assert!(output.status.success(), "{}", stderr(&output));
    let figures: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(figures["sets"][0]["categories"]["1"]["recall_at_5"], 1.0);
    assert_eq!(figures["asked"], server.address);
    // What the server holds is its own affair: an embedder cannot be chosen for it.
    assert_eq!(run(&[&asked[..], &["--embedder", "words"]].concat()).status.code(), Some(2));
    server.stop();
}

#[test]
fn parallel_paragraphs_are_asked_in_every_files_words() {
    let folder = Folder::new();
    let rows = |city: &str, river: &str| {
        [
            json!({"title": "x", "context": format!("I moved to {city} in 2019."), "qa": [{"id": "1", "q": format!("Who moved to {city}?")}]}),
            json!({"title": "x", "context": format!("I like to swim in the {river}."), "qa": [{"id": "2", "q": format!("Who swims in the {river}?")}]}),
        ]
    };
    // One of them gzipped, under a name that says nothing.
    let plain = folder.write("one.jsonl", &rows("Turku", "Aura"));
    let zipped = folder.path("two");
    let mut writer = GzEncoder::new(fs::File::create(&zipped).unwrap(), Compression::fast());
    rows("Gdynia", "Vistula").iter().for_each(|row| writeln!(writer, "{row}").unwrap());
    writer.finish().unwrap();
    let (figures, _) = folder.eval(&[&plain, &zipped]);
    let set = &figures["sets"][0];
    assert_eq!((&set["name"], &set["customers"], &set["all"]["answerable"]), (&json!("one+two"), &json!(2), &json!(8)));
    for same in ["one→one", "two→two"] {
        assert_eq!(set["categories"][same]["recall_at_5"], 1.0, "{figures}");
    }
    assert_eq!(set["categories"]["one→two"]["answerable"], 2);
}

#[test]
fn statements_and_dialogues_and_texts_are_known_by_their_fields() {
    let folder = Folder::new();
    let statements = folder.write(
        "statements.jsonl",
        &[
            json!({"kind": "said", "preference": "I prefer trains to planes.", "question": "Trains or planes to Rome?"}),
            json!({"kind": "said", "preference": "I prefer trains to planes.", "question": "How do I get to Rome by trains?"}),
            json!({"kind": "meant", "preference": "I hate noise.", "question": "Which hotel?", "conversation": {"a": "b"}}),
        ],
    );
    let dialogues = folder.write(
        "dialogues.jsonl",
        &[
            json!({"turns": [{"role": "system", "text": "Hello!"}, {"role": "user", "text": "I'm allergic to peanuts."}]}),
            json!({"turns": [{"role": "user", "text": "Hi"}, {"role": "system", "text": "You like jazz."}]}),
        ],
    );
    let exchanges = folder
        .write("exchanges.jsonl", &[json!({"persona": ["x"], "dialogue": [["I live in Rome.", "I live in Lima."]]})]);
    let texts =
        folder.write("texts.jsonl", &[json!({"text": "I live in Oslo."}), json!({"text": "What is the time?"})]);
    let (figures, printed) = folder.eval(&[&statements, &dialogues, &exchanges, &texts]);
    let [statements, dialogues, exchanges, texts] = [0, 1, 2, 3].map(|at| &figures["sets"][at]);
    assert_eq!((&statements["turns"], &statements["rows_left_out"]), (&json!(2), &json!(1)));
    assert_eq!(statements["memories"], 1);
    assert_eq!(statements["all"]["recall_at_5"], 1.0, "{figures}");
    assert_eq!((&dialogues["customers"], &dialogues["customers_without_memory"]), (&json!(2), &json!(1)));
    assert_eq!((&dialogues["memories"], &dialogues["turns_without_memory"]), (&json!(1), &json!(0.5)));
    assert_eq!((&exchanges["turns"], &exchanges["memories"]), (&json!(1), &json!(1)));
    assert_eq!((&texts["customers"], &texts["turns_without_memory"]), (&json!(2), &json!(0.5)));
    assert!(printed.contains("statements: 1 rows left out"), "{printed}");
    let (first, _) = folder.eval(&[&folder.path("texts.jsonl"), "--limit", "1"]);
    assert_eq!(first["sets"][0]["customers"], 1);
}

#[test]
fn one_turn_in_ten_is_timed_by_itself() {
    let folder = Folder::new();
    let docs: Vec<Value> = (0..25).map(|at| json!({"id": at, "text": format!("I have {at} sheep.")})).collect();
    let file =
        folder.write("herd.jsonl", &[json!({"docs": docs, "qa": [{"q": "sheep?", "ev": [0, 24], "cat": "01"}]})]);
    let (figures, _) = folder.eval(&[&file]);
    let visible = &figures["sets"][0]["visible_ms"];
    assert_eq!(visible["n"], 2);
    assert!(visible["p50"].as_f64().unwrap() > 0.0 && visible["p99"].as_f64() >= visible["p50"].as_f64());
}

#[test]
fn what_cannot_be_measured_is_refused_without_its_text() {
    let folder = Folder::new();
    let strange = folder.write("strange.jsonl", &[json!({"secret": "hunter2"})]);
    let mixed = folder.write("mixed.jsonl", &[json!({"text": "I live in Oslo."}), json!({"text": ["hunter2"]})]);
    let silent = folder.write("silent.jsonl", &[json!({"turns": [{"role": "system", "text": "hunter2"}]})]);
    let empty = folder.write("empty.jsonl", &[]);
    for (file, found) in [
        (strange, "none of the shapes"),
        (mixed, "line 2"),
        (silent, "no row with words of a customer"),
        (empty, "no row with words of a customer"),
        (folder.path("missing.jsonl"), "No such file"),
    ] {
        let refused = refused(&[&file]);
        assert!(refused.contains(found) && refused.contains(&file) && !refused.contains("hunter2"), "{refused}");
    }
}
