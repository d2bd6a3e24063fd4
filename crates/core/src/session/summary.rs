//! The rolling summary (requirements C1): the customer's own clauses, the telling ones. A model may take this function's
//! place.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
};

use super::Said;
use crate::{
    item::Span,
    limits, privacy,
    text::{self, Language},
};

/// Bytes of blanks that stand for words taken out, rather than between words: people write two at most.
const TAKEN_OUT: usize = 3;
/// Other clauses that a word is counted in: beyond these it tells no more.
const SHARED: usize = 4;
/// What the newest clause has over the oldest.
const RECENCY: usize = 6;

/// A clause of the customer's.
struct Clause<'a> {
    text: &'a str,
    /// Which sentence of the session it stands in.
    sentence: usize,
    asks: bool,
    content: BTreeSet<String>,
}

/// What was said, in whole clauses of the customer's, in their order: statements, then questions for what they were about.
/// Clauses weigh by the content words they share with others, and by how new they are. Clauses with something masked or
/// taken out in them are cut there or left out.
pub(super) fn summary(said: &[&Said<'_>]) -> String {
    let clauses = clauses(said);
    let mut shared: HashMap<&str, usize> = HashMap::new();
    for word in clauses.iter().flat_map(|clause| &clause.content) {
        *shared.entry(word).or_default() += 1;
    }
    let weight = |at: usize| {
        let words = clauses[at].content.iter().map(|word| shared.get(word.as_str()).map_or(0, |n| n.min(&SHARED) + 1));
        words.sum::<usize>() + RECENCY * (at + 1) / clauses.len()
    };
    let mut order: Vec<usize> = (0..clauses.len()).collect();
    order.sort_by_key(|at| (clauses[*at].asks, Reverse(weight(*at)), Reverse(*at)));

    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for at in &order {
        let clause = &clauses[*at];
        // Said again, it says nothing.
        if clause.content.iter().all(|word| told.contains(word.as_str())) {
            continue;
        }
        taken.insert(*at);
        if fits(&written(&clauses, &taken)) {
            told.extend(clause.content.iter().map(String::as_str));
        } else {
            taken.remove(at);
        }
    }
    match (taken.is_empty(), order.first()) {
        (true, Some(first)) => cut(clauses[*first].text),
        _ => written(&clauses, &taken),
    }
}

fn clauses<'a>(said: &[&Said<'a>]) -> Vec<Clause<'a>> {
    let mut clauses = Vec::new();
    let mut count = 0;
    for Said { text, .. } in said {
        for sentence in text::sentences(text) {
            count += 1;
            let asks = sentence.of(text).is_some_and(text::is_question);
            // A supposition reads as a statement.
            if sentence.of(text).is_some_and(text::is_hedged) {
                continue;
            }
            for clause in text::clauses(text, sentence).into_iter().filter_map(|clause| clause.of(text)) {
                clauses.extend(whole(clause).filter_map(|text| {
                    let content = text::content(text);
                    (!content.is_empty()).then_some(Clause { text, sentence: count, asks, content })
                }));
            }
        }
    }
    clauses
}

/// The parts of a clause around what was taken out of it; nothing of one in which something is masked.
fn whole(clause: &str) -> impl Iterator<Item = &str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(blank) = clause[at..].find(' ').map(|found| at + found) {
        at = clause[blank..].find(|c| c != ' ').map_or(clause.len(), |length| blank + length);
        if at - blank >= TAKEN_OUT {
            parts.push(Span { start: start as u32, end: blank as u32 });
            start = at;
        }
    }
    parts.push(Span { start: start as u32, end: clause.len() as u32 });
    let masked = privacy::redacted(clause);
    parts.into_iter().filter(move |_| !masked).filter_map(|part| part.of(clause)).map(str::trim)
}

/// The clauses taken, one after the other. What goes on in the next one keeps its comma.
fn written(clauses: &[Clause<'_>], taken: &BTreeSet<usize>) -> String {
    let mut summary = String::new();
    for at in taken {
        let Clause { text, sentence, .. } = &clauses[*at];
        let chinese = |c: char| text::ideograph(c) || "，。！？；、…”」》".contains(c);
        if !summary.is_empty() && !summary.ends_with(chinese) {
            summary.push(' ');
        }
        let goes_on = taken.contains(&(at + 1)) && clauses[at + 1].sentence == *sentence;
        if goes_on {
            summary.push_str(text);
            continue;
        }
        let bare = text.trim_end_matches([',', ';', ':', '，', '；', '、', '：', ' ']);
        summary.push_str(bare);
        if bare.ends_with(|c: char| c.is_alphanumeric()) {
            summary.push(if bare.ends_with(text::ideograph) { '。' } else { '.' });
        }
    }
    summary
}

fn fits(summary: &str) -> bool {
    length(summary) <= limits::SESSION_SUMMARY
}

/// Characters of a Chinese text; of any other its words, an ideograph being one.
fn length(text: &str) -> usize {
    match Language::of(text) {
        Language::Zh => text.chars().count(),
        Language::En | Language::Ru | Language::Other => text
            .split_whitespace()
            .map(|word| {
                let ideographs = word.chars().filter(|c| text::ideograph(*c)).count();
                ideographs + usize::from(word.chars().count() > ideographs)
            })
            .sum(),
    }
}

/// The beginning of a clause that is too long by itself.
fn cut(clause: &str) -> String {
    let mut ends: Vec<usize> = text::words(clause).iter().map(|word| word.span.end as usize).collect();
    // More ends than units of length: a word may be followed by marks that stand alone.
    ends.truncate(limits::SESSION_SUMMARY);
    let fitting = ends.into_iter().rev().filter_map(|end| clause.get(..end));
    fitting.map(|beginning| format!("{beginning}…")).find(|cut| fits(cut)).unwrap_or_default()
}
