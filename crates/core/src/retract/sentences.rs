//! What a request to forget means in the customer's raw words.

use super::{means_everything, words::Named};
use crate::{
    item::{Retracting, Retraction, Span},
    text,
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
    let mut found = Vec::new();
    for (index, message) in (0..).zip(&turn.messages) {
        let says = |span: &Span| span.of(&message.text).is_some_and(|words| named.iter().any(|it| it.stands_in(words)));
        let said: Vec<Span> = text::sentences(&message.text).into_iter().filter(says).collect();
        if !said.is_empty() {
            let taken = taken(index);
            let apart = said.into_iter().flat_map(|sentence| apart(sentence, &taken)).filter(says);
            found.extend(apart.map(|span| (index, span)));
        }
    }
    found
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
