//! What a masked number ([`saidso_core::privacy`]) does to what stands around it: the rules read it as one word, and an
//! item keeps the rest.

use saidso_core::{item::Span, privacy, turn::TurnBody};

use super::rules::Finding;

/// The letter that stands in a mask's place where rules read: unlike a star it is part of a word, so that a rule takes
/// a masked number for the value it was.
const LETTER: &str = "x";
/// What an insertion stands between.
const COMMAS: [char; 2] = [',', '，'];
/// Fewest of them that are a mask's.
const SHORTEST: usize = 6;

/// The turn without what must not enter memory; every span is the same in it. Nothing changes in a turn that came
/// through [`saidso_core::turn::accept`].
pub(super) fn without(turn: &TurnBody) -> TurnBody {
    let mut turn = turn.clone();
    turn.messages.iter_mut().for_each(|message| privacy::redact(&mut message.text));
    turn.question.iter_mut().for_each(privacy::redact);
    turn
}

/// A masked text as rules read it: each mask one word, byte for byte in its place; an insertion between commas that
/// ends with one ("…, my id is ****, and have a cat") is blank, so that the sentence around it is whole.
pub(super) fn readable(masked: &str) -> String {
    let mut read = String::with_capacity(masked.len());
    let mut from = 0;
    for Span { start, end } in privacy::masks(masked) {
        let (start, end) = (start as usize, end as usize);
        let before = &masked[from..start];
        match before.rfind(COMMAS).filter(|_| masked[end..].starts_with(COMMAS)) {
            Some(comma) => {
                read.push_str(&before[..comma]);
                read.push_str(&" ".repeat(end - from - comma));
            }
            None => {
                read.push_str(before);
                read.push_str(&LETTER.repeat(end - start));
            }
        }
        from = end;
    }
    read.push_str(&masked[from..]);
    read
}

/// What a finding over a mask says without it; `None` if the masked number was what it said.
pub(super) fn cut(mut finding: Finding) -> Option<Finding> {
    if holds(&finding.subject) || holds(&finding.attribute) {
        return None;
    }
    finding.value = rest(&finding.value)?;
    finding.qualifier = finding.qualifier.as_deref().and_then(rest);
    finding.questions.retain(|question| !holds(question));
    Some(finding)
}

/// Whether rules put a mask's word here.
fn holds(read: &str) -> bool {
    read.split(|c: char| !c.is_alphanumeric()).any(mask)
}

fn mask(word: &str) -> bool {
    word.len() >= SHORTEST && word.chars().all(|c| LETTER.contains(c))
}

/// A value without masks. One that begins with a mask is the number itself, with what is said of it behind.
fn rest(value: &str) -> Option<String> {
    if !holds(value) {
        return Some(value.to_owned());
    }
    let bare = |word: &&str| !mask(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut words = value.split_whitespace().peekable();
    words.next_if(bare).map(|first| {
        let words: Vec<&str> = std::iter::once(first).chain(words.filter(bare)).collect();
        words.join(" ").trim_end_matches([',', '(', ':', ' ']).to_owned()
    })
}
