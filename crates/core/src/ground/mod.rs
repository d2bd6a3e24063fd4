//! Grounding: an item stands only in the customer's own words. Runs in code, outside any model (requirements A6), and asks
//! the same of every extractor's output.
//!
//! An item passes four questions, in this order: does its quote stand in the turn; is what stands around the quote the
//! customer's own plain statement (`around`); is the item well formed and free of what must not be kept; and does its
//! wording say no more than the quote (`support`).

use std::collections::{HashMap, HashSet};

use crate::{
    item::{Answer, Candidate, Drop, DropReason, Evidence, Kind, Retracting, Retraction, Span},
    limits, passages, privacy,
    stages::{CandidateTurn, Grounded, GroundedRetraction, GroundedTurn},
    text::{self, Language, Shield},
    turn::TurnBody,
};

use around::Around;

mod around;
mod list;
mod support;

/// Counts changes of the rules in this module and in [`crate::text`]. Part of what a generation pins.
pub const VERSION: u32 = 5;

/// A turn's messages, each looked over once however many items rest on it.
struct Messages<'a> {
    turn: &'a TurnBody,
    read: HashMap<u32, Read>,
}

/// A message looked over.
struct Read {
    shield: Shield,
    sentences: Vec<Span>,
}

impl<'a> Messages<'a> {
    fn new(turn: &'a TurnBody) -> Self {
        Self { turn, read: HashMap::new() }
    }

    fn text(&self, message: u32) -> Option<&'a str> {
        self.turn.messages.get(message as usize).map(|message| message.text.as_str())
    }

    fn read(&mut self, message: u32, text: &str) -> &Read {
        self.read
            .entry(message)
            .or_insert_with(|| Read { shield: Shield::over(text), sentences: text::sentences(text) })
    }
}

/// Grounds all candidates of a turn. What does not stand is dropped with its reason; the rest keeps its order.
pub fn ground_turn(turn: CandidateTurn) -> GroundedTurn {
    let CandidateTurn { meta, body, candidates, mut drops, retractions } = turn;
    let mut messages = Messages::new(&body);
    let mut items = Vec::new();
    let mut taken = HashSet::new();
    for candidate in candidates {
        let kept = match judge(&mut messages, candidate) {
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
    let passages = passages::to_embed(&meta, body, &drops);
    GroundedTurn { meta, items, drops, retractions, passages }
}

/// Grounds one retraction: the request stands in the customer's own words, what it is about in the request, and it does
/// not ask for the opposite.
pub fn ground_retraction(turn: &TurnBody, mut retraction: Retraction) -> Option<GroundedRetraction> {
    let mut messages = Messages::new(turn);
    let text = messages.text(retraction.evidence.message)?;
    if !stand(text, &mut retraction.evidence) || retraction.about.trim().is_empty() {
        return None;
    }
    let read = messages.read(retraction.evidence.message, text);
    let around = Around::of(text, &read.sentences, retraction.evidence.span);
    let own = read.shield.planted().is_none() && !read.shield.reaches(retraction.evidence.span);
    let meant = retraction.how == Retracting::Denial || !around.bids_to_remember();
    let named = text::find_quote(&retraction.evidence.quote, &retraction.about).is_some();
    (own && meant && named && !around.told()).then(|| GroundedRetraction::new(retraction))
}

/// Grounds one candidate in its turn.
pub fn ground(turn: &TurnBody, item: Candidate) -> Result<Grounded, Drop> {
    judge(&mut Messages::new(turn), item)
}

fn judge(messages: &mut Messages<'_>, mut item: Candidate) -> Result<Grounded, Drop> {
    match refusal(messages, &mut item) {
        Some(reason) => Err(dropped(reason, &item)),
        None => Ok(Grounded::new(item)),
    }
}

/// Why an item does not stand, if it does not. Sets its evidence right where only its place was off, and leaves out of
/// its keywords and questions what the customer did not say.
fn refusal(messages: &mut Messages<'_>, item: &mut Candidate) -> Option<DropReason> {
    let Some(message) = messages.text(item.evidence.message) else { return Some(DropReason::NoEvidence) };
    if !stand(message, &mut item.evidence) {
        return Some(DropReason::NoEvidence);
    }
    if let Some(mut question) = item.question.take() {
        let asked = messages.turn.question.as_deref().unwrap_or_default();
        let answers = item.kind == Kind::Confirmation || confirms(message, &item.evidence, asked);
        if !stand(asked, &mut question) || !answers {
            return Some(DropReason::NoEvidence);
        }
        item.question = Some(question);
    }
    if !well_formed(item) {
        return Some(DropReason::Invalid);
    }
    if secret(item) {
        return Some(DropReason::Sensitive);
    }
    let read = messages.read(item.evidence.message, message);
    let listed = list::statement(message, &read.sentences, item);
    let stated = listed.unwrap_or(item.evidence.span);
    if read.shield.planted().is_some() || read.shield.reaches(stated) || titled(item) {
        return Some(DropReason::NotCustomer);
    }
    if item.kind == Kind::Confirmation {
        return confirmation(messages.turn, message, item);
    }
    let around = Around::of(message, &read.sentences, stated);
    // A yes states nothing by itself; what it confirms is no statement of the customer's to be judged.
    if item.question.is_none()
        && let Some(reason) = around.refusal(item)
    {
        return Some(reason);
    }
    let words = if listed.is_some() { item.text.clone() } else { words(item) };
    // Verbatim words need no further proof.
    if item.text != item.evidence.quote && listed.is_none() {
        if !in_language(item, message) {
            return Some(DropReason::LanguageDrift);
        }
        if !support::supported(&item.text, &words) {
            return Some(DropReason::Unsupported);
        }
    }
    let said = text::content(&words);
    item.keywords.retain(|keyword| text::content(keyword).is_subset(&said));
    item.keywords.truncate(limits::ITEM_KEYWORDS);
    let spoken = [Language::of(&item.text), Language::of(message)];
    item.questions.retain(|question| spoken.contains(&Language::of(question)));
    item.questions.truncate(limits::ITEM_KEYWORDS);
    None
}

/// Whether the quote stands in the text, and cuts no word or number. A span that is off is set right if the quote is
/// there, to the normalised letter; the quote becomes the customer's exact words.
fn stand(text: &str, evidence: &mut Evidence) -> bool {
    if evidence.quote.trim().is_empty() || evidence.quote.len() > limits::QUOTE_BYTES {
        return false;
    }
    let Span { start, end } = evidence.span;
    if evidence.span.of(text) == Some(evidence.quote.as_str())
        && ![start, end].iter().any(|at| text::inside_word(text, *at as usize))
    {
        return true;
    }
    let found = text::find_quote(text, &evidence.quote).and_then(|span| span.of(text).map(|quote| (span, quote)));
    found.is_some_and(|(span, quote)| {
        *evidence = Evidence { message: evidence.message, span, quote: quote.to_owned() };
        true
    })
}

/// Whether the words open the turn.
fn opens(message: &str, evidence: &Evidence) -> bool {
    let before = Span { start: 0, end: evidence.span.start }.of(message);
    evidence.message == 0 && before.is_some_and(|before| before.trim().is_empty())
}

/// Whether the words are an immediate plain yes: they open the first message, and with a yes that nothing takes back, to a
/// question that a yes answers.
fn confirms(message: &str, evidence: &Evidence, asked: &str) -> bool {
    opens(message, evidence) && text::affirms(&evidence.quote, asked)
}

/// What speaks against a confirmation: it must say what it is said to say, at the start of the turn. The question it answers
/// may stand beside it: it tells which memories are meant.
fn confirmation(turn: &TurnBody, message: &str, item: &Candidate) -> Option<DropReason> {
    let Some(answer) = Answer::of(&item.value) else {
        return Some(DropReason::Invalid);
    };
    if !opens(message, &item.evidence) {
        return Some(DropReason::NoEvidence);
    }
    let says = text::confirms(message, turn.question.as_deref()) == Some(answer);
    (!says || item.text != item.evidence.quote).then_some(DropReason::Unsupported)
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

/// Whether a sensitive number, or the mask of one, stands in what the item says, finds it by or is about. A quote may hold
/// a mask: it shows no number.
fn secret(item: &Candidate) -> bool {
    let key = &item.topic_key;
    let told = [item.value.as_str(), &key.subject, &key.attribute, item.qualifier.as_deref().unwrap_or_default()];
    let found = item.keywords.iter().chain(&item.questions).map(String::as_str);
    let held = |text: &str| privacy::redacted(text) || !privacy::sensitive(text).is_empty();
    told.into_iter().chain(found).any(held) || !privacy::sensitive(&item.text).is_empty()
}

/// Whether a privilege is given out as a name.
fn titled(item: &Candidate) -> bool {
    item.topic_key.attribute.split(' ').any(|word| word == "name") && text::claims_rank(&item.value)
}

fn place(item: &Candidate) -> (u32, Span, crate::item::Kind) {
    (item.evidence.message, item.evidence.span, item.kind)
}

fn dropped(reason: DropReason, item: &Candidate) -> Drop {
    let quote = if reason == DropReason::Sensitive { String::new() } else { item.evidence.quote.clone() };
    Drop { reason, quote: quote.chars().take(limits::QUOTE_BYTES / 4).collect() }
}
