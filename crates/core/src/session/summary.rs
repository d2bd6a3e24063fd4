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
    text::{self, Language, Word},
};

/// Bytes of blanks that stand for words taken out, rather than between words: people write two at most.
const TAKEN_OUT: usize = 3;
/// Other clauses that a word is counted in: beyond these it tells no more.
const SHARED: usize = 4;
/// What the newest clause has over the oldest.
const RECENCY: usize = 6;
/// Words that join what stands on either side, in normal form.
const JOINTS: [&str; 17] =
    ["and", "but", "or", "so", "plus", "because", "и", "а", "но", "или", "потому", "что", "和", "跟", "与", "但", "而"];

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
            for clause in text::clauses(text, sentence) {
                clauses.extend(whole(text, clause).filter_map(|text| {
                    let content = text::content(text);
                    (!content.is_empty()).then_some(Clause { text, sentence: count, asks, content })
                }));
            }
        }
    }
    clauses
}

/// The parts of a clause around what was taken out of it; nothing of one in which something is masked.
fn whole(text: &str, clause: Span) -> impl Iterator<Item = &str> {
    let (mut parts, mut start, mut at) = (Vec::new(), clause.start as usize, clause.start as usize);
    let end = clause.end as usize;
    while let Some(blank) = text[at..end].find(' ').map(|found| at + found) {
        at = text[blank..end].find(|c| c != ' ').map_or(end, |length| blank + length);
        if at - blank >= TAKEN_OUT {
            parts.push((start, blank));
            start = at;
        }
    }
    parts.push((start, end));
    let masked = clause.of(text).is_some_and(privacy::redacted);
    parts.into_iter().filter(move |_| !masked).filter_map(move |(start, end)| {
        let gap = |c: char| c == ' ';
        let before = text[..start].len() - text[..start].trim_end_matches(gap).len() >= TAKEN_OUT;
        let after = text[end..].len() - text[end..].trim_start_matches(gap).len() >= TAKEN_OUT;
        complete(text[start..end].trim(), before, after)
    })
}

/// What a part says without what was taken out `before` or `after` it: no word joins it to that, and none waits for it,
/// as in "My card is".
fn complete(part: &str, before: bool, after: bool) -> Option<&str> {
    let words = text::words(part);
    let joins = |word: &&Word| JOINTS.contains(&word.text.as_str());
    let (mut start, mut end) = (0, part.len());
    if before && words.first().as_ref().is_some_and(joins) {
        start = words.iter().find(|word| !joins(word))?.span.start as usize;
    }
    if after {
        let last = words.iter().rfind(|word| !joins(word))?;
        if words.last().as_ref().is_some_and(joins) {
            end = last.span.end as usize;
        }
        // Behind a comma a clause is at its end, whatever its last word.
        if last.stop && last.span.end as usize == end {
            return None;
        }
    }
    part.get(start..end)
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
