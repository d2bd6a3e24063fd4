//! Grounding: an item stands only in the customer's own words. Runs in code, outside any model (requirements A6).

use std::collections::HashSet;

use crate::{
    item::{Candidate, Drop, DropReason, Evidence, Retraction, Span},
    limits,
    stages::{CandidateTurn, Grounded, GroundedRetraction, GroundedTurn},
    text::{self, Language},
    turn::TurnBody,
};

/// Counts changes of the rules in this module. Part of what a generation pins.
pub const VERSION: u32 = 1;

/// Words for the one who speaks that a model may put into a wording; they claim nothing.
const SPEAKER: [&str; 12] = [
    "customer",
    "user",
    "client",
    "speaker",
    "客户",
    "用户",
    "顾客",
    "клиент",
    "пользователь",
    "клиентк",
    "cliente",
    "usuario",
];

/// Grounds all candidates of a turn. What does not stand is dropped with its reason; the rest keeps its order.
pub fn ground_turn(turn: CandidateTurn) -> GroundedTurn {
    let CandidateTurn { meta, body, candidates, mut drops, retractions } = turn;
    let mut items = Vec::new();
    let mut taken = HashSet::new();
    for candidate in candidates {
        let kept = match ground(&body, candidate) {
            Ok(grounded) if items.len() == limits::TURN_ITEMS => Err(dropped(DropReason::Invalid, grounded.item())),
            // Two items of one kind on one span would share an id.
            Ok(grounded) if !taken.insert(place(grounded.item())) => Err(dropped(DropReason::Invalid, grounded.item())),
            other => other,
        };
        match kept {
            Ok(grounded) => items.push(grounded),
            Err(drop) => drops.push(drop),
        }
    }
    drops.truncate(limits::TURN_DROPS);
    let retractions = retractions.into_iter().filter_map(|retraction| ground_retraction(&body, retraction)).collect();
    GroundedTurn { meta, items, drops, retractions }
}

/// Grounds one retraction: the request stands in the customer's words, and what it is about in the request.
pub fn ground_retraction(turn: &TurnBody, mut retraction: Retraction) -> Option<GroundedRetraction> {
    let message = turn.messages.get(retraction.evidence.message as usize)?;
    let named = stand(&message.text, &mut retraction.evidence)
        && !retraction.about.trim().is_empty()
        && text::find_quote(&retraction.evidence.quote, &retraction.about).is_some();
    named.then(|| GroundedRetraction::new(retraction))
}

/// Grounds one candidate in its turn.
pub fn ground(turn: &TurnBody, mut item: Candidate) -> Result<Grounded, Drop> {
    let reject = |reason, item: &Candidate| Err(dropped(reason, item));
    let Some(message) = turn.messages.get(item.evidence.message as usize) else {
        return reject(DropReason::NoEvidence, &item);
    };
    if !stand(&message.text, &mut item.evidence) {
        return reject(DropReason::NoEvidence, &item);
    }
    if let Some(mut question) = item.question.take() {
        let asked = turn.question.as_deref().unwrap_or_default();
        if !stand(asked, &mut question) || !confirms(&message.text, &item.evidence) {
            return reject(DropReason::NoEvidence, &item);
        }
        item.question = Some(question);
    }
    if !well_formed(&item) {
        return reject(DropReason::Invalid, &item);
    }
    let words = words(&item);
    // Verbatim words need no further proof.
    if item.text != item.evidence.quote {
        if !in_language(&item, &message.text) {
            return reject(DropReason::LanguageDrift, &item);
        }
        if !supported(&item, &words) {
            return reject(DropReason::Unsupported, &item);
        }
    }
    let said = text::content(&words);
    item.keywords.retain(|keyword| text::content(keyword).is_subset(&said));
    item.keywords.truncate(limits::ITEM_KEYWORDS);
    item.questions.truncate(limits::ITEM_KEYWORDS);
    Ok(Grounded::new(item))
}

/// Whether the quote stands in the text. A span that is off is set right if the quote is there, to the normalised
/// letter; the quote becomes the customer's exact words.
fn stand(text: &str, evidence: &mut Evidence) -> bool {
    if evidence.quote.trim().is_empty() || evidence.quote.len() > limits::QUOTE_BYTES {
        return false;
    }
    if evidence.span.of(text) == Some(evidence.quote.as_str()) {
        return true;
    }
    match text::find_quote(text, &evidence.quote) {
        Some(span) => match span.of(text) {
            Some(quote) => {
                *evidence = Evidence { message: evidence.message, span, quote: quote.to_owned() };
                true
            }
            None => false,
        },
        None => false,
    }
}

/// Whether the words are an immediate plain yes: they open the first message, and with a yes.
fn confirms(message: &str, evidence: &Evidence) -> bool {
    let opens = Span { start: 0, end: evidence.span.start }.of(message).is_some_and(|before| before.trim().is_empty());
    evidence.message == 0 && opens && text::is_yes(&evidence.quote)
}

fn well_formed(item: &Candidate) -> bool {
    let filled = |text: &str| !text.trim().is_empty() && text.len() <= limits::QUOTE_BYTES;
    let named = |text: &str| filled(text) && text.len() <= limits::NAME_BYTES;
    let question = item.question.as_ref().map_or(0, |question| question.quote.len());
    !item.text.trim().is_empty()
        && item.text.len() <= limits::QUOTE_BYTES + question
        && named(&item.topic_key.subject)
        && named(&item.topic_key.attribute)
        && filled(&item.value)
}

/// The customer's words, with the question they confirm.
fn words(item: &Candidate) -> String {
    match &item.question {
        Some(question) => format!("{}\n{}", question.quote, item.evidence.quote),
        None => item.evidence.quote.clone(),
    }
}

/// The wording is in the language of the quote, or of the message around a quote too short to tell.
fn in_language(item: &Candidate, message: &str) -> bool {
    let wording = Language::of(&item.text);
    wording == Language::of(&item.evidence.quote) || wording == Language::of(message)
}

/// The wording says no more than the words: stems, numbers, names, and whether it is denied.
fn supported(item: &Candidate, words: &str) -> bool {
    let said = text::content(words);
    let mut claimed = text::content(&item.text);
    claimed.retain(|word| !SPEAKER.contains(&word.as_str()));
    claimed.is_subset(&said)
        && text::numbers(&item.text).is_subset(&text::numbers(words))
        && text::names(&item.text).iter().all(|name| text::find_quote(words, name).is_some())
        && (text::negations(&item.text) > 0) == (text::negations(words) > 0)
}

fn place(item: &Candidate) -> (u32, Span, crate::item::Kind) {
    (item.evidence.message, item.evidence.span, item.kind)
}

fn dropped(reason: DropReason, item: &Candidate) -> Drop {
    let quote = if reason == DropReason::Sensitive { String::new() } else { item.evidence.quote.clone() };
    Drop { reason, quote: quote.chars().take(limits::QUOTE_BYTES / 4).collect() }
}
