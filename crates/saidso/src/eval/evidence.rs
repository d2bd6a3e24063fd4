//! Corrections of a set's evidence, published apart from it.

use std::{collections::BTreeSet, fs, path::Path};

use serde::{Deserialize, Serialize};

use super::{
    EvalError,
    set::{Set, Wanted},
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
    /// To a question that stands once in the sets, and messages its customers said.
    pub applied: usize,
}

/// Puts the evidence of questions right, by their wording; the file is a JSON list.
pub fn correct(path: &Path, sets: &mut [Set]) -> Result<Corrections, EvalError> {
    let unread = |found: String| EvalError::Evidence { path: path.to_owned(), found };
    let text = fs::read(path).map_err(|found| EvalError::File { tried: "read", path: path.to_owned(), found })?;
    let list: Vec<Correction> = serde_json::from_slice(&text)
        .map_err(|error| unread(format!("it breaks at line {} column {}", error.line(), error.column())))?;
    let mut applied = 0;
    for correction in &list {
        applied += usize::from(apply(correction, sets));
    }
    Ok(Corrections { given: list.len(), applied })
}

fn apply(correction: &Correction, sets: &mut [Set]) -> bool {
    let places: Vec<(usize, usize)> = sets
        .iter()
        .enumerate()
        .flat_map(|(set, of)| of.questions.iter().enumerate().map(move |(at, question)| (set, at, question)))
        .filter(|(_, _, question)| question.text == correction.question)
        .map(|(set, at, _)| (set, at))
        .collect();
    let [(set, at)] = places[..] else { return false };
    let set = &mut sets[set];
    // An id has the number of its row before it, which the question's own evidence has too.
    let row = match &set.questions[at].wanted {
        Wanted::Docs(docs) => docs.first().and_then(|doc| doc.split_once('/')).map(|(row, _)| row.to_owned()),
        Wanted::Nothing { .. } => None,
    };
    let Some(row) = row else { return false };
    let ids = correction.correct_evidence.iter().map(|id| format!("{row}/{id}"));
    let known = |id: &String| set.customers.iter().any(|customer| customer.has(id));
    let docs: BTreeSet<String> = ids.filter(known).collect();
    if docs.is_empty() {
        return false;
    }
    set.questions[at].wanted = Wanted::Docs(docs);
    true
}
