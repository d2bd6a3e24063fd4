//! What is known of sessions, held against what is expected.

use saidso_core::session::{Awaiting, Session as Found};

use super::{
    format::{Session, Words},
    view::holds,
};

/// How the sessions differ from the expected ones, which are all of them, newest first.
pub fn differ(expected: &[Session], found: &[Found]) -> Option<String> {
    let ways: Vec<String> = expected.iter().zip(found).flat_map(|(expected, found)| ways(expected, found)).collect();
    if ways.is_empty() && expected.len() == found.len() {
        return None;
    }
    let lines: String = found.iter().map(|session| format!("\n    {session:?}")).collect();
    Some(format!("sessions: {} are expected; {}\n  found:{lines}", expected.len(), ways.join("; ")))
}

fn ways(expected: &Session, found: &Found) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |right: bool, what: String| {
        if !right {
            wrong.push(format!("{:?}: {what}", found.name));
        }
    };
    let anchors: Vec<&str> = found.anchors.iter().filter_map(|anchor| anchor.entity.value()).collect();
    let awaiting: Vec<&str> = found
        .awaiting
        .iter()
        .map(|awaiting| match awaiting {
            Awaiting::Memory(memory) => memory.text.as_str(),
            Awaiting::Question(question) => question.as_str(),
        })
        .collect();
    let task = found.task.as_ref().map_or("", |task| task.text.as_str());
    if let Some(name) = &expected.name {
        check(*name == found.name, format!("its name is not {name:?}"));
    }
    if let Some(open) = expected.open {
        check(open == found.closed.is_none(), format!("its being open is not {open}"));
    }
    for words in expected.summary.iter().flat_map(Words::all) {
        check(holds(&found.summary, words), format!("its summary lacks {words:?}"));
    }
    for words in expected.lacks.iter().flat_map(Words::all) {
        let shown = [&[found.summary.as_str(), task][..], &anchors].concat();
        check(!shown.iter().any(|text| holds(text, words)), format!("it shows {words:?}"));
    }
    for value in &expected.anchors {
        check(anchors.iter().any(|anchor| holds(anchor, value)), format!("it has no anchor {value:?}"));
    }
    if let Some(words) = &expected.task {
        check(holds(task, words), format!("its task lacks {words:?}"));
    }
    if let Some(expected) = &expected.awaiting {
        let all = expected.iter().all(|words| awaiting.iter().any(|text| holds(text, words)));
        check(all && expected.len() == awaiting.len(), format!("what waits is {awaiting:?}"));
    }
    wrong
}
