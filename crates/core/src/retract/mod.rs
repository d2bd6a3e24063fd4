//! Forgetting by saying so (requirements D1): what a retraction means in a space, and how little it may take.
//!
//! Words and cosine have to agree. Where every cosine is equal the words alone must be safe, so that an account which
//! holds nothing of the kind loses nothing; where a word has several senses the cosine keeps the others.

mod everything;
mod half;
mod late;
mod matters;
mod read_back;
mod sentences;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use everything::means_everything;
pub use half::{Half, half};
pub use late::{Late, late};
pub use read_back::{Gone, Part, ReadBack};
pub use sentences::sentences;
use words::{Called, Named, Says};

use crate::{
    calibration::Calibration,
    fold::{Folded, Memory},
    ground,
    ids::MemoryId,
    item::{Candidate, Evidence, Extraction, Kind, Retracting, Retraction, Span, Stated},
    stages::Embedded,
    text::{self, Language},
    turn::{Message, TurnBody},
    vector::Vector,
};

/// What stands around a retraction in its turn.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// What else the turn says.
    pub items: &'a [Embedded],
    /// Memories that were recalled for it: the agent may have said one of them.
    pub recalled: &'a [MemoryId],
    /// The question that it answers.
    pub question: Option<&'a str>,
}

/// A memory that is to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    /// The memory.
    pub memory: MemoryId,
    /// What it took the place of, which would stand again without it. Goes with it and is not counted.
    pub history: Vec<MemoryId>,
}

/// What a retraction means in a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant {
    /// All there is. No request takes that: to erase the space is an operation of its own.
    Everything,
    /// These; none, if nothing of the kind is remembered.
    Things {
        /// What goes, nearest first.
        things: Vec<Thing>,
        /// How many more are meant, and stay.
        left: usize,
    },
}

/// Finds what a retraction means among a space's memories, at most `most` of them. `vector` is that of
/// [`Retraction::about`].
///
/// A request takes what it has a word for ("my car", "where I live": by the topic key alone), what it names (all of its
/// content words are the memory's), says over again (its words are nearly the memory's), or states to the key and value,
/// whatever the words ("I live in Rome": "I moved to Rome"). What states something of one does not say over what is said of
/// another, and takes nothing that denies it. Several things in a row are each asked for, if all of them are remembered. A
/// denial takes only what stands: what the turn denies to the letter or says was never said, what it calls not so by name
/// ("Acme is not my company"), or what was recalled for the turn, or asked about, and is named; if it names nothing ("I
/// never said that"), the one memory that was recalled.
pub fn meant(
    retraction: &Retraction,
    vector: &Vector,
    around: Around<'_>,
    folded: &Folded,
    calibration: &Calibration,
    most: usize,
) -> Meant {
    let found = match retraction.how {
        Retracting::Request if means_everything(&retraction.about) => return Meant::Everything,
        Retracting::Request => asked(retraction, vector, folded, calibration),
        Retracting::Denial => denied(retraction, around, folded),
    };
    things(&found, folded, retraction.how, most)
}

/// What a request states and nobody has said: it may still arrive, and was said before it was to be forgotten.
pub fn unsaid<'a>(retraction: &'a Retraction, folded: &Folded) -> impl Iterator<Item = &'a Stated> {
    let said = |stated: &Stated| {
        let one = Says(std::slice::from_ref(stated));
        folded.memories.iter().any(|memory| one.states(memory))
    };
    let asked = retraction.states.iter().filter(|_| retraction.how == Retracting::Request);
    asked.filter(move |stated| !said(stated))
}

/// What is named or said over, nearest first.
fn asked<'a>(
    retraction: &Retraction,
    vector: &Vector,
    folded: &'a Folded,
    calibration: &Calibration,
) -> Vec<&'a Memory> {
    let (fixed, says) = (vector.fixed(), Says(&retraction.states));
    let related = calibration.related.get(retraction.language);
    let same = calibration.duplicate.get(retraction.language);
    let near = |memory: &Memory, named: &[Named]| {
        let cosine = memory.vector.as_ref().and_then(|vector| vector.fixed().cosine(&fixed));
        let meant = |about: &&Named| {
            let known = about.matter().is_some_and(|matter| matter.holds(memory));
            let named = || about.names(memory) && cosine.is_none_or(|cosine| cosine >= related);
            (known || named()) && says.nothing_against(memory)
                || about.says_over(memory) && says.of_the_same(memory) && cosine.is_some_and(|cosine| cosine >= same)
        };
        let stated = says.states(memory);
        let meant = |about: &&Named| stated || meant(about);
        let share = named.iter().filter(meant).map(|about| about.share(memory)).max()?;
        Some((cosine, share, memory.last.ms()))
    };
    let find = |named: &[Named]| -> Vec<_> {
        folded.memories.iter().filter_map(|memory| Some((near(memory, named)?, memory))).collect()
    };
    let mut found = find(&Named::all(&retraction.about));
    let parts = Named::listed(&retraction.about);
    if found.is_empty() && parts.iter().all(|part| !find(std::slice::from_ref(part)).is_empty()) {
        found = find(&parts);
    }
    // Stable: of equals the one said first, as the fold lists them.
    found.sort_by(|(a, _), (b, _)| b.cmp(a));
    found.into_iter().map(|(_, memory)| memory).collect()
}

/// What a denial says is not so, to the key and value, of the items that rest on its words.
pub fn denials<'a>(
    retraction: &'a Retraction,
    items: impl Iterator<Item = &'a Candidate> + 'a,
) -> impl Iterator<Item = &'a Candidate> + 'a {
    let evidence = &retraction.evidence;
    let beside =
        |item: &&Candidate| item.evidence.message == evidence.message && item.evidence.span.overlaps(evidence.span);
    items.filter(move |item| beside(item) && item.negated && !item.changed)
}

/// What stands and is said to have never been true.
fn denied<'a>(retraction: &Retraction, around: Around<'_>, folded: &'a Folded) -> Vec<&'a Memory> {
    let (about, evidence) = (Named::of(&retraction.about), &retraction.evidence);
    let items = || around.items.iter().map(Embedded::item);
    let ended = items().any(|item| {
        item.changed && item.evidence.message == evidence.message && item.evidence.span.overlaps(evidence.span)
    });
    let recalled: BTreeSet<MemoryId> =
        around.recalled.iter().filter_map(|id| folded.aliases.get(id).copied()).collect();
    let standing = || folded.memories.iter().filter(|memory| memory.superseded_by.is_none());
    let surfaced: Vec<&Memory> = standing().filter(|memory| recalled.contains(&memory.id)).collect();
    if about.is_empty() {
        return if surfaced.len() == 1 { surfaced } else { Vec::new() };
    }
    // Its opposite to the letter, or to the key and value, whatever the tense ("I never took": "I take").
    let contradicted = |memory: &Memory| {
        !memory.negated
            && (denials(retraction, items()).any(|item| denies(item, memory))
                || about.contradicts(memory)
                || Says(&retraction.states).states(memory))
    };
    // "I never said I live in Oslo": what denies it stands around the words that say it over.
    let never_said = |memory: &Memory| !ended && !memory.negated && about.says_over(memory);
    let called = Called::of(&retraction.about);
    let miscalled = |memory: &Memory| !memory.negated && called.as_ref().is_some_and(|called| called.is(memory));
    // What the agent brought up: by a recall, or in the question.
    let question = text::content(around.question.unwrap_or_default());
    let asked = |memory: &Memory| {
        let value = text::content(&memory.value);
        !value.is_empty() && value.is_subset(&question)
    };
    let known = |memory: &Memory| about.matter().is_some_and(|matter| matter.holds(memory));
    let brought_up = |memory: &Memory| {
        recalled.contains(&memory.id) && (about.names(memory) || known(memory)) || asked(memory) && known(memory)
    };
    let meant =
        |memory: &&Memory| contradicted(memory) || never_said(memory) || miscalled(memory) || brought_up(memory);
    standing().filter(meant).collect()
}

/// The same thing said of the same, to the key and value.
fn denies(item: &Candidate, memory: &Memory) -> bool {
    let same = |a: &str, b: &str| text::same_key(a) == text::same_key(b);
    item.kind == memory.kind
        && item.topic_key.subject == memory.topic_key.subject
        && same(&item.topic_key.attribute, &memory.topic_key.attribute)
        && same(&item.value, &memory.value)
}

/// Bounds what was found. What stands takes its history along when it is to be forgotten, or an older version would
/// stand again; when it was never true, what it had taken the place of does stand again.
fn things(found: &[&Memory], folded: &Folded, how: Retracting, most: usize) -> Meant {
    let replaced: BTreeMap<MemoryId, MemoryId> =
        folded.memories.iter().filter_map(|memory| Some((memory.id, memory.superseded_by?))).collect();
    let ids: BTreeSet<MemoryId> = found.iter().map(|memory| memory.id).collect();
    let under = |of: MemoryId, by: MemoryId| {
        // Nothing replaces itself, but a chain is followed no further than there are memories.
        let chain = std::iter::successors(Some(of), |id| replaced.get(id).copied()).skip(1).take(replaced.len());
        chain.into_iter().any(|id| id == by)
    };
    let heads: Vec<MemoryId> = found
        .iter()
        .map(|memory| memory.id)
        .filter(|id| !ids.iter().any(|other| !replaced.contains_key(other) && under(*id, *other)))
        .collect();
    let left = heads.len().saturating_sub(most);
    let things = heads.into_iter().take(most).map(|memory| {
        let takes = how == Retracting::Request && !replaced.contains_key(&memory);
        let history = replaced.keys().copied().filter(|old| takes && under(*old, memory)).collect();
        Thing { memory, history }
    });
    Meant::Things { things: things.collect(), left }
}

/// What a turn takes back that came by the forget door: one request for each of its messages, whatever the extractor made
/// of them, except where the words of the request proper end and its object begins, and what that states.
pub fn requested(body: &TurnBody, read: &Extraction) -> Vec<Retraction> {
    let request = |(index, message): (usize, &Message)| {
        let text = &message.text;
        let quote = text.trim();
        let start = (text.len() - text.trim_start().len()) as u32;
        let span = Span { start, end: start + quote.len() as u32 };
        let evidence = Evidence { message: index as u32, span, quote: quote.to_owned() };
        let object = read.retractions.iter().find(|found| {
            found.how == Retracting::Request
                && found.evidence.message == evidence.message
                && text::find_quote(quote, &found.about).is_some()
        });
        let about = object.map_or_else(|| object_of(quote), |found| found.about.trim()).to_owned();
        let said = |item: &&Candidate| item.evidence.message == evidence.message && item.kind != Kind::Confirmation;
        let states = match object {
            Some(found) => found.states.clone(),
            None => read.candidates.iter().filter(said).map(Stated::of).collect(),
        };
        let language = Language::of(quote);
        (!quote.is_empty()).then_some(Retraction { how: Retracting::Request, evidence, about, states, language })
    };
    body.messages.iter().enumerate().filter_map(request).collect()
}

/// What a request without a word for forgetting is about: "what you know about my car" is about the car.
fn object_of(quote: &str) -> &str {
    const LEADS: [&str; 20] = [
        "what you know about ",
        "everything you know about ",
        "everything about ",
        "anything about ",
        "what i said about ",
        "what i told you about ",
        "everything i said about ",
        "all about ",
        "about ",
        "всё, что вы знаете о ",
        "все, что вы знаете о ",
        "всё о ",
        "все о ",
        "всё про ",
        "все про ",
        "про ",
        "你知道的关于",
        "我说过的关于",
        "关于",
        "有关",
    ];
    let opens = |lead: &str| quote.get(..lead.len()).is_some_and(|front| front.to_lowercase() == lead);
    let lead = LEADS.iter().find(|lead| opens(lead)).map_or(0, |lead| lead.len());
    quote.get(lead..).map(str::trim).filter(|object| !object.is_empty()).unwrap_or(quote)
}

/// An item that rests on words of which some are forgotten, on those that are left; `None` if they do not support it, or
/// it shows one that is gone. `left` is the turn with those words blanked.
pub fn cut(item: &Candidate, left: &TurnBody, forgotten: &[Span]) -> Option<Candidate> {
    let rest = item.evidence.without(forgotten)?;
    let lost = &text::content(&item.evidence.quote) - &text::content(&rest.quote);
    let verbatim = item.text == item.evidence.quote;
    let rest = if verbatim { without_tail(rest) } else { rest };
    let text = if verbatim { rest.quote.clone() } else { item.text.clone() };
    let left = standing(left, &rest, item.question.as_ref());
    let mut item = Candidate { text, evidence: rest, ..item.clone() };
    let shows = |text: &str| !text::content(text).is_disjoint(&lost);
    let key = &item.topic_key;
    if [&key.subject, &key.attribute, &item.value].into_iter().chain(&item.qualifier).any(|text| shows(text)) {
        return None;
    }
    item.keywords.retain(|keyword| !shows(keyword));
    item.questions.retain(|question| !shows(question));
    ground::ground(&left, item).ok().map(|grounded| grounded.item().clone())
}

/// A turn with the words that something rests on, where they were let go with the others: in a quote they are kept.
fn standing(left: &TurnBody, rest: &Evidence, question: Option<&Evidence>) -> TurnBody {
    let mut left = left.clone();
    let put = |text: &mut String, span: Span, quote: &str| {
        if span.of(text).is_some_and(|words| words.len() == quote.len() && words.trim().is_empty()) {
            text.replace_range(span.start as usize..span.end as usize, quote);
        }
    };
    if let Some(message) = left.messages.get_mut(rest.message as usize) {
        put(&mut message.text, rest.span, &rest.quote);
    }
    if let (Some(text), Some(question)) = (&mut left.question, question) {
        put(text, question.span, &question.quote);
    }
    left
}

/// Without the function words at the end: what joined it to words that are gone.
fn without_tail(mut evidence: Evidence) -> Evidence {
    let words = text::words(&evidence.quote);
    if let Some(last) = words.iter().rev().find(|word| !word.stop) {
        evidence.quote.truncate(last.span.end as usize);
        evidence.span.end = evidence.span.start + last.span.end;
    }
    evidence
}
