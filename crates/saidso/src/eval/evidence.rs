//! Corrections of a set's evidence, published apart from it.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};

use super::{
    EvalError,
    talk::{Doc, Talk, Talks},
};

/// One question's evidence, put right.
#[derive(Deserialize)]
struct Correction {
    question: String,
    correct_evidence: Vec<String>,
}

/// What corrections there were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Corrections {
    /// In the file.
    pub given: usize,
    /// To a question that stands once in the files, and messages that are in its row.
    pub applied: usize,
}

/// Puts the evidence of questions right, by their wording; the file is a JSON list.
pub fn correct(path: &Path, files: &mut [Talks]) -> Result<Corrections, EvalError> {
    let unread = |found: String| EvalError::Evidence { path: path.to_owned(), found };
    let text = fs::read(path).map_err(|found| EvalError::File { tried: "read", path: path.to_owned(), found })?;
    let list: Vec<Correction> = serde_json::from_slice(&text)
        .map_err(|error| unread(format!("it breaks at line {} column {}", error.line(), error.column())))?;
    let applied = list.iter().filter(|correction| apply(correction, files)).count();
    Ok(Corrections { given: list.len(), applied })
}

fn apply(correction: &Correction, files: &mut [Talks]) -> bool {
    let all = files.iter_mut().flat_map(|file| &mut file.talks);
    let asked = all.flat_map(|Talk { docs, asked }| {
        let docs: &[Doc] = docs;
        asked.iter_mut().map(move |asked| (docs, asked))
    });
    let mut meant = asked.filter(|(_, asked)| asked.text == correction.question);
    let (Some((docs, asked)), None) = (meant.next(), meant.next()) else { return false };
    // An id has the number of its row before it, which the question's own evidence has too.
    let Some((row, _)) = asked.evidence.first().and_then(|id| id.split_once('/')) else { return false };
    let ids = correction.correct_evidence.iter().map(|id| format!("{row}/{id}"));
    let known: Vec<String> = ids.filter(|id| docs.iter().any(|doc| doc.id == *id)).collect();
    let applies = !known.is_empty() && !asked.unanswerable;
    if applies {
        asked.evidence = known;
    }
    applies
}
