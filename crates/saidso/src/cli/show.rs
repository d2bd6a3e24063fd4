//! How memories, drops and recalls look to a person.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
};

use serde::Serialize;

use crate::{
    failure::Failure,
    wire::{Memory, Recalled, Recollection, TurnDrops},
};

/// Prints text as it is.
pub fn print(text: &str) -> Result<(), Failure> {
    write(|out| out.write_all(text.as_bytes()))
}

/// Prints a value as one line of JSON.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    write(|out| {
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")
    })
}

/// A reader that has seen enough (`| head`) is no failure.
fn write(write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match write(&mut out).and_then(|()| out.flush()) {
        Err(found) if found.kind() != io::ErrorKind::BrokenPipe => Err(Failure::output(found)),
        _ => Ok(()),
    }
}

/// A list of memories.
pub fn memories(memories: &[Memory]) -> String {
    match memories.is_empty() {
        true => "nothing is remembered\n".to_owned(),
        false => memories.iter().map(memory).collect(),
    }
}

fn memory(memory: &Memory) -> String {
    let mut text = format!("• {}{}\n", plain(&memory.text), kind(memory));
    for mention in &memory.evidence {
        if let Some(question) = &mention.question {
            let _ = writeln!(text, "    asked  “{}”", plain(question));
        }
        let turn = mention.turn_name.as_ref().unwrap_or(&mention.turn);
        let _ = writeln!(text, "    said   “{}” · {} · turn {}", plain(&mention.quote), mention.at, plain(turn));
    }
    let _ = writeln!(text, "    id     {}", memory.id);
    text
}

/// What stands behind a memory's wording: its kind, and whether it stands.
fn kind(memory: &Memory) -> String {
    let mut text = format!("  ({}", memory.kind);
    if let Some(slot) = &memory.slot {
        let _ = write!(text, " · {slot}");
    }
    if memory.mentions > 1 {
        let _ = write!(text, " · said {} times", memory.mentions);
    }
    match &memory.valid_to {
        Some(until) => drop(write!(text, " · {} {until}", memory.status)),
        None if memory.status != "active" => drop(write!(text, " · {}", memory.status)),
        None => {}
    }
    if memory.ended {
        text.push_str(" · over");
    }
    text.push(')');
    text
}

/// What was not kept.
pub fn drops(turns: &[TurnDrops]) -> String {
    if turns.iter().all(|turn| turn.drops.is_empty()) {
        return "nothing was dropped\n".to_owned();
    }
    let mut text = String::new();
    for turn in turns {
        for drop in &turn.drops {
            let quote =
                if drop.quote.is_empty() { "(not shown)".to_owned() } else { format!("“{}”", plain(&drop.quote)) };
            let _ = writeln!(text, "✗ {:<14} {quote} · {}", drop.reason, turn.at);
        }
    }
    text
}

/// An answer, with its reasons.
pub fn recollection(answer: &Recollection) -> String {
    let mut text: String = match (answer.empty, answer.history_days) {
        (true, Some(days)) => format!("history is kept for {days} days; what held then may be gone\n"),
        (true, None) => "nothing that was said is close to this\n".to_owned(),
        (false, _) => answer.memories.iter().map(recalled).collect(),
    };
    if let Some(probe) = &answer.probe {
        let _ = writeln!(text, "? {}", plain(&probe.text));
    }
    text
}

fn recalled(recalled: &Recalled) -> String {
    let past = recalled.memory.as_ref().and_then(|memory| memory.valid_to.as_ref());
    let past = past.map(|until| format!("  (superseded {until})")).unwrap_or_default();
    let mut text = format!("• {}{past}\n", plain(&recalled.text));
    if let Some(question) = &recalled.question {
        let _ = writeln!(text, "    asked  “{}”", plain(question));
    }
    let (quote, turn) = (plain(&recalled.quote), plain(&recalled.turn));
    let _ = writeln!(text, "    said   “{quote}” · {} · turn {turn}", recalled.said_at);
    let picked = recalled.extractor.as_deref().unwrap_or("raw message");
    let _ = writeln!(text, "    why    score {:.2} · {picked} · {}", recalled.score, recalled.embedder);
    if let Some(memory) = recalled.memory.as_ref().filter(|memory| memory.status != "active") {
        let _ = writeln!(text, "    stands {}", memory.status);
    }
    text
}

/// Text of a customer, made harmless for a terminal: control characters and those that turn the direction of writing
/// are shown, not obeyed.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => plain.push(' '),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => plain.extend(c.escape_unicode()),
            c if c.is_control() => plain.extend(c.escape_unicode()),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_told_nothing() {
        assert_eq!(plain("a\u{1b}[2Jb\u{202e}c\nd я 中"), "a\\u{1b}[2Jb\\u{202e}c d я 中");
    }
}
