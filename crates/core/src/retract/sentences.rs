//! What a request to forget means in the customer's raw words.

use std::collections::BTreeSet;

use super::{
    means_everything,
    words::Named,
    words::{self, CUSTOMER},
};
use crate::{
    item::{Retracting, Retraction, Span, Stated},
    text::{self, Whose},
    turn::TurnBody,
};

/// Words of a turn that hold all that a request names, sentence by sentence, by message: what was never made a memory of
/// comes up again in the customer's own words. Without those that are `taken`, by message: marked, or what a memory that
/// stays rests on.
pub fn sentences(retraction: &Retraction, turn: &TurnBody, taken: impl Fn(u32) -> Vec<Span>) -> Vec<(u32, Span)> {
    if retraction.how != Retracting::Request || means_everything(&retraction.about) {
        return Vec::new();
    }
    let named = Named::all(&retraction.about);
    let things = Things::of(retraction);
    let mut found = Vec::new();
    for (index, message) in (0..).zip(&turn.messages) {
        let holds = |words: &str| named.iter().any(|it| it.stands_in(words)) || things.stand_in(words);
        let says = |span: &Span| span.of(&message.text).is_some_and(holds);
        let said: Vec<Span> = text::sentences(&message.text).into_iter().filter(says).collect();
        if !said.is_empty() {
            let taken = taken(index);
            let apart = said.into_iter().flat_map(|sentence| apart(sentence, &taken)).filter(says);
            found.extend(apart.map(|span| (index, span)));
        }
    }
    found
}

/// What a request that states something is about ("I take insulin": the insulin).
struct Things(Vec<Thing>);

struct Thing {
    words: BTreeSet<String>,
    /// Something of the customer's: what is said of others holds it by chance.
    own: bool,
}

impl Things {
    fn of(retraction: &Retraction) -> Self {
        let said = text::content(&retraction.about);
        let thing = |stated: &Stated| {
            let attribute = &stated.topic_key.attribute;
            let object =
                attribute.split_once(" of ").or_else(|| attribute.split_once(" in ")).map(|(_, object)| object);
            let mut words = text::content(object.unwrap_or(&stated.value));
            // What the thing does to the customer is not the thing.
            if words.iter().any(|word| !is_effect(word)) {
                words.retain(|word| !is_effect(word));
            }
            let tells = !words.is_empty() && words.is_subset(&said) && !words.iter().all(|word| words::is_vague(word));
            tells.then_some(Thing { words, own: stated.topic_key.subject == CUSTOMER })
        };
        Self(retraction.states.iter().filter_map(thing).collect())
    }

    fn stand_in(&self, sentence: &str) -> bool {
        let others = || matches!(text::whose(sentence), Whose::Theirs | Whose::Others);
        let stands = |thing: &Thing| thing.words.is_subset(&text::content(sentence)) && !(thing.own && others());
        self.0.iter().any(stands)
    }
}

/// Whether a stem is for what a thing does to a customer: "allergic", "аллергия", 过敏.
fn is_effect(stem: &str) -> bool {
    ["allerg", "intoler", "аллерг", "непереносим", "过敏"].iter().any(|effect| stem.starts_with(effect))
}

/// What is left of a span without others.
fn apart(span: Span, others: &[Span]) -> Vec<Span> {
    let mut others: Vec<Span> = others.iter().copied().filter(|other| other.overlaps(span)).collect();
    others.sort_unstable();
    let (mut left, mut at) = (Vec::new(), span.start);
    for other in others.into_iter().chain([Span { start: span.end, end: span.end }]) {
        if other.start > at {
            left.push(Span { start: at, end: other.start });
        }
        at = at.max(other.end);
    }
    left
}
