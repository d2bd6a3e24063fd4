//! The handed sets of dialogues as turns.

use std::{
    error::Error,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use flate2::read::GzDecoder;
use saidso_core::turn::{Role, SubmittedMessage, SubmittedTurn};

#[derive(serde::Deserialize)]
struct Row {
    turns: Vec<Said>,
}

#[derive(serde::Deserialize)]
struct Said {
    role: String,
    text: String,
}

/// The first dialogues of a set, at most `most`. One turn a minute, one dialogue a day, each dialogue a customer of its
/// own. A customer's message is a turn, with the agent's question before it and the agent's answer after it.
pub fn turns(data: &Path, set: &str, most: usize) -> Result<Vec<Vec<SubmittedTurn>>, Box<dyn Error>> {
    let path = data.join(format!("{set}.jsonl.gz"));
    let file = File::open(&path).map_err(|error| format!("opened {}: {error}", path.display()))?;
    let mut dialogues = Vec::new();
    for (index, line) in BufReader::new(GzDecoder::new(file)).lines().take(most).enumerate() {
        let row: Row = serde_json::from_str(&line?)?;
        dialogues.push(dialogue(index, &row.turns));
    }
    Ok(dialogues)
}

fn dialogue(index: usize, said: &[Said]) -> Vec<SubmittedTurn> {
    let customer = |said: &Said| said.role == "user";
    let message = |said: &Said| SubmittedMessage {
        role: if customer(said) { Role::Customer } else { Role::Agent },
        text: said.text.clone(),
        id: None,
    };
    let mut turns = Vec::new();
    for (at, one) in said.iter().enumerate().filter(|(_, one)| customer(one)) {
        let before = at.checked_sub(1).map(|at| &said[at]).filter(|before| !customer(before));
        let after = said.get(at + 1).filter(|after| !customer(after));
        let day = index % 364;
        turns.push(SubmittedTurn {
            tenant: None,
            space: format!("dialogue-{index}"),
            session: None,
            turn: None,
            occurred_at: format!(
                "2025-{:02}-{:02}T{:02}:{:02}:00Z",
                1 + day / 28 % 12,
                1 + day % 28,
                (9 + at / 60) % 24,
                at % 60
            ),
            zone: None,
            messages: before.into_iter().chain([one]).chain(after).map(message).collect(),
            recalled: Vec::new(),
            attachments: Vec::new(),
        });
    }
    turns
}
