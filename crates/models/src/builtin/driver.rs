//! From a turn to candidates: the same for every language.

use std::collections::BTreeSet;

use saidso_core::{
    fault::Fault,
    item::{Candidate, Drop, DropReason, Evidence, Extraction, Retracting, Retraction, Span},
    limits, privacy,
    text::{self, Language},
    turn::TurnBody,
};

use super::{
    confirm,
    likeness::{self, Likeness},
    listed, retract,
    rules::{Finding, Sentence},
    rules_of, sensitive,
    slots::Fitting,
};

/// All that a turn says, within the limits.
pub(super) fn extract(
    turn: &TurnBody,
    slots: Option<&Fitting>,
    likeness: Option<&Likeness>,
) -> Result<Extraction, Fault> {
    let (said, turn) = (turn, &sensitive::without(turn));
    let mut extraction = Extraction::default();
    let mut foreign = Vec::new();
    for (index, message) in turn.messages.iter().enumerate() {
        read_message(index as u32, &message.text, &mut extraction, &mut foreign);
    }
    if let Some(likeness) = likeness {
        read_foreign(turn, &foreign, likeness, &mut extraction)?;
    }
    confirm::read(turn, &mut extraction);
    keep_quotable(said, &mut extraction);
    match slots {
        Some(fitting) => fitting.place(&mut extraction)?,
        // A fault at hand passes; it is kept only for a tenant that names a slot for it.
        None => extraction.candidates.retain(|item| item.topic_key.attribute != "issue"),
    }
    bound(&mut extraction);
    Ok(extraction)
}

/// Drops what rests on words that hold a number, where nobody masked it before: a quote must stand in the turn.
fn keep_quotable(turn: &TurnBody, extraction: &mut Extraction) {
    let stands = |evidence: &Evidence| {
        let message = turn.messages.get(evidence.message as usize);
        message.and_then(|message| evidence.span.of(&message.text)) == Some(evidence.quote.as_str())
    };
    extraction.retractions.retain(|retraction| stands(&retraction.evidence));
    let before = extraction.candidates.len();
    extraction.candidates.retain(|item| stands(&item.evidence));
    for _ in extraction.candidates.len()..before {
        extraction.drops.push(Drop { reason: DropReason::Sensitive, quote: String::new() });
    }
}

/// Reads one message, sentence by sentence; sentences of a language without rules are left to `foreign`.
fn read_message(index: u32, message: &str, into: &mut Extraction, foreign: &mut Vec<(u32, Span)>) {
    let shield = text::Shield::over(message);
    if let Some(planted) = shield.planted() {
        into.drops.push(Drop { reason: DropReason::NotCustomer, quote: clip(planted.of(message).unwrap_or_default()) });
        return;
    }
    let main = Language::of(message);
    // The mark between things that are listed reads as the word for it, of the same length.
    let read = sensitive::readable(message).replace('、', "和");
    let mut before: Vec<Finding> = Vec::new();
    let mut rejected = false;
    for span in text::sentences(&read) {
        let said = span.of(message).unwrap_or_default();
        let language = language(said, main);
        let retractions = match shield.covers(span.start) {
            true => Vec::new(),
            false => retract::read(&retract::Said { index, message, span, language, rejected }),
        };
        rejected = retract::rejects(said, language);
        let requested: Vec<Span> = requests(&retractions).collect();
        let asked = |span: Span| requested.iter().any(|request| request.overlaps(span));
        into.retractions.extend(retractions);
        let Some(rules) = rules_of(language) else {
            before.clear();
            if !shield.covers(span.start) && !text::is_question(said) && !asked(span) && !likeness::elsewhere(said) {
                foreign.push((index, span));
            }
            continue;
        };
        let mut reading = rules.read(&Sentence { message: &read, span, before: &before });
        // What is to be forgotten is not said anew by asking for it.
        reading.findings.retain(|finding| !asked(finding.span));
        reading.drops.retain(|(span, _)| !asked(*span));
        let masked = |span: Span| privacy::redacted(span.of(message).unwrap_or_default());
        let listed = reading.findings.iter().any(|finding| masked(finding.span))
            || reading.drops.iter().any(|(span, _)| masked(*span));
        if !listed && privacy::redacted(said) {
            into.drops.push(Drop { reason: DropReason::Sensitive, quote: String::new() });
        }
        for (span, reason) in reading.drops {
            drop_item(reason, span.of(message).unwrap_or_default(), into);
        }
        let mut own = Vec::new();
        // What holds a mask stays whole: its reading is not the customer's words.
        let findings = reading.findings.into_iter().flat_map(|finding| match masked(finding.span) {
            true => vec![finding],
            false => listed::apart(rules, &read, finding),
        });
        for finding in findings.collect::<Vec<_>>() {
            let quote = finding.span.of(message).unwrap_or_default();
            if shield.reaches(finding.span) {
                drop_item(DropReason::NotCustomer, quote, into);
            } else if let Some(finding) = sensitive::cut(finding) {
                propose(index, quote, &finding, language, into);
                own.push(finding);
            } else {
                into.drops.push(Drop { reason: DropReason::Sensitive, quote: String::new() });
            }
        }
        before = own;
    }
}

/// Where the words of requests to forget stand.
fn requests(retractions: &[Retraction]) -> impl Iterator<Item = Span> {
    let asked = retractions.iter().filter(|retraction| retraction.how == Retracting::Request);
    asked.map(|retraction| retraction.evidence.span)
}

/// Reads sentences of languages without rules, by the embedder.
fn read_foreign(
    turn: &TurnBody,
    foreign: &[(u32, Span)],
    likeness: &Likeness,
    into: &mut Extraction,
) -> Result<(), Fault> {
    let said = |(message, span): &(u32, Span)| {
        turn.messages.get(*message as usize).and_then(|message| span.of(&message.text)).unwrap_or_default()
    };
    let asked = &foreign[..foreign.len().min(likeness::ASKED_PER_TURN)];
    if asked.is_empty() {
        return Ok(());
    }
    let texts: Vec<&str> = asked.iter().map(said).collect();
    let kinds = likeness.kinds(&texts)?;
    for ((place, text), kind) in asked.iter().zip(texts).zip(kinds) {
        let Some(kind) = kind else { continue };
        // No rule tells the number from the rest.
        if privacy::redacted(text) {
            into.drops.push(Drop { reason: DropReason::Sensitive, quote: String::new() });
        } else {
            let finding = likeness::finding(kind, text, place.1);
            propose(place.0, text, &finding, Language::Other, into);
        }
    }
    Ok(())
}

/// The language of a sentence; one too short to tell is in its message's.
fn language(said: &str, message: Language) -> Language {
    if message == Language::En && said.is_ascii() {
        return message;
    }
    match Language::of(said) {
        Language::Other => message,
        language => language,
    }
}

/// Lists a drop; never the words of a sensitive one.
fn drop_item(reason: DropReason, quote: &str, into: &mut Extraction) {
    let (reason, quote) = match privacy::redacted(quote) {
        true => (DropReason::Sensitive, String::new()),
        false => (reason, clip(quote)),
    };
    into.drops.push(Drop { reason, quote });
}

/// Makes a candidate of a finding, unless it may not be kept.
fn propose(message: u32, quote: &str, finding: &Finding, language: Language, into: &mut Extraction) {
    if quote.len() > limits::QUOTE_BYTES {
        return into.drops.push(Drop { reason: DropReason::Invalid, quote: clip(quote) });
    }
    let evidence = Evidence { message, span: finding.span, quote: quote.to_owned() };
    let wording = match &finding.around {
        Some((before, behind)) => format!("{before}{quote}{behind}"),
        None => quote.to_owned(),
    };
    into.candidates.push(candidate(finding, wording, evidence, None, language));
}

/// A candidate from a finding, its wording and its evidence.
pub(super) fn candidate(
    finding: &Finding,
    wording: String,
    evidence: Evidence,
    question: Option<Evidence>,
    language: Language,
) -> Candidate {
    use saidso_core::item::TopicKey;
    let keywords = keywords(&wording);
    Candidate {
        kind: finding.kind,
        text: wording,
        evidence,
        question,
        topic_key: TopicKey {
            subject: finding.subject.clone(),
            attribute: finding.attribute.clone(),
            many: finding.many,
        },
        value: finding.value.clone(),
        negated: finding.negated,
        qualifier: finding.qualifier.clone(),
        slot: None,
        changed: finding.changed,
        importance: finding.importance,
        confidence: finding.confidence,
        keywords,
        questions: finding.questions.iter().take(limits::ITEM_KEYWORDS).cloned().collect(),
        language,
    }
}

/// The words that carry meaning, each once, as said first.
fn keywords(wording: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    text::words(wording)
        .into_iter()
        .filter(|word| !word.stop && seen.insert(word.stem.clone()))
        .map(|word| word.text)
        .take(limits::ITEM_KEYWORDS)
        .collect()
}

/// Keeps what fits the limits of a turn: the weightiest items, in the order they were said.
fn bound(extraction: &mut Extraction) {
    let surplus = extraction.candidates.len().saturating_sub(limits::TURN_ITEMS);
    if surplus > 0 {
        let mut order: Vec<usize> = (0..extraction.candidates.len()).collect();
        order.sort_by_key(|&index| (extraction.candidates[index].importance, std::cmp::Reverse(index)));
        let out: BTreeSet<usize> = order.into_iter().take(surplus).collect();
        let all = std::mem::take(&mut extraction.candidates);
        for (index, candidate) in all.into_iter().enumerate() {
            match out.contains(&index) {
                true => extraction.drops.push(Drop { reason: DropReason::Invalid, quote: candidate.evidence.quote }),
                false => extraction.candidates.push(candidate),
            }
        }
    }
    extraction.drops.truncate(limits::TURN_DROPS);
    extraction.retractions.truncate(limits::TURN_ITEMS);
}

/// At most as many bytes as a quote may have, ending on a character.
fn clip(quote: &str) -> String {
    quote[..quote.floor_char_boundary(limits::QUOTE_BYTES)].to_owned()
}

/// A span from byte offsets; texts are far below 4 GiB (`limits::MESSAGE_BYTES`).
pub(super) fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}
