//! One thing of a list: "I'm allergic to nuts and milk" rests "I'm allergic to milk" on "milk", with words around it that
//! the customer said once for all of them.

use crate::{
    item::{Candidate, Span},
    text,
};

/// What may join the parts of a list.
const JOINTS: [&str; 13] = [",", "、", "和", "跟", "与", "以及", "and", "or", "&", "и", "или", "y", "а также"];

/// Most words between a thing and the words said for it.
const BETWEEN: usize = 24;

/// Where the whole statement stands that an item makes of one thing of a list: its wording is the quote with other words of
/// the same sentence around it, and nothing but the list stands between them.
pub(super) fn statement(message: &str, sentences: &[Span], item: &Candidate) -> Option<Span> {
    let (quote, span) = (&item.evidence.quote, item.evidence.span);
    if item.question.is_some() || item.text.len() == quote.len() {
        return None;
    }
    let sentence = sentences.iter().find(|sentence| sentence.start <= span.start && span.end <= sentence.end)?;
    let before = Span { start: sentence.start, end: span.start }.of(message)?;
    let behind = Span { start: span.end, end: sentence.end }.of(message)?;
    item.text.match_indices(quote.as_str()).find_map(|(at, _)| {
        let (head, tail) = (item.text[..at].trim(), item.text[at + quote.len()..].trim());
        let start = match head {
            "" => span.start,
            head => {
                let at = before.rfind(head).filter(|at| says(head) && !text::inside_word(before, *at))?;
                let list = before[at + head.len()..].trim();
                (ends_joined(list) && lists(list)).then_some(sentence.start + at as u32)?
            }
        };
        let end = match tail {
            "" => span.end,
            tail => {
                let at = behind.find(tail).filter(|at| !text::inside_word(behind, *at + tail.len()))?;
                let list = behind[..at].trim();
                (begins_joined(list) && lists(list)).then_some(span.end + (at + tail.len()) as u32)?
            }
        };
        Some(Span { start, end })
    })
}

/// More than who speaks: "I have", and not "I".
fn says(head: &str) -> bool {
    text::words(head).len() > 1 || !text::content(head).is_empty()
}

/// Whether words are things that are listed and no statement of their own.
fn lists(words: &str) -> bool {
    const TURNS: [&str; 24] = [
        " but ",
        " because ",
        " so ",
        " но ",
        " хотя ",
        " pero ",
        " i ",
        " we ",
        " you ",
        " he ",
        " she ",
        " they ",
        " it ",
        " has ",
        " have ",
        " is ",
        " are ",
        " was ",
        " я ",
        " мы ",
        " вы ",
        " он ",
        " она ",
        " они ",
    ];
    let padded = format!(" {} ", words.to_lowercase());
    text::negations(words) == 0
        && text::words(words).len() <= BETWEEN
        && !words.contains([';', '；', ':', '：', '(', ')', '—', '，'])
        && !TURNS.iter().any(|turn| padded.contains(turn))
        && !["但", "不过", "因为", "我", "你", "他", "她", "您"].iter().any(|turn| words.contains(turn))
}

fn ends_joined(list: &str) -> bool {
    let lower = list.to_lowercase();
    JOINTS.iter().any(|joint| lower.strip_suffix(joint).is_some_and(|rest| apart(joint, rest.chars().next_back())))
}

fn begins_joined(list: &str) -> bool {
    let lower = list.to_lowercase();
    JOINTS.iter().any(|joint| lower.strip_prefix(joint).is_some_and(|rest| apart(joint, rest.chars().next())))
}

/// Whether a joint that is a word is one of its own.
fn apart(joint: &str, next: Option<char>) -> bool {
    let spelled = joint.chars().all(|c| c.is_alphabetic() && !text::ideograph(c));
    next.is_some_and(|next| !spelled || !next.is_alphanumeric())
}
