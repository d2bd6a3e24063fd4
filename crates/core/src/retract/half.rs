//! One of several things that a memory's value lists ("peanuts and shellfish"): it may go alone.

use super::words::Named;
use crate::{
    ground,
    item::{Candidate, Evidence, Retracting, Retraction, Span},
    text,
    turn::{Message, TurnBody},
};

/// What joins the parts of a list.
const JOINTS: [&str; 14] =
    [", and ", ", or ", " and ", " or ", " & ", ", ", " и ", " или ", " y ", "以及", "和", "跟", "与", "、"];

/// An item without some of what it lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Half {
    /// What stays.
    pub left: Candidate,
    /// The words that go, with what joined them to the others, in the item's message.
    pub span: Span,
    /// What goes.
    pub gone: String,
}

/// An item without what it lists last, if a request names that and not the rest. What is left has to stand on words in
/// one piece, so that what is listed first goes only with the whole; and to be grounded.
pub fn half(retraction: &Retraction, item: &Candidate) -> Option<Half> {
    if retraction.how != Retracting::Request {
        return None;
    }
    let quote = &item.evidence.quote;
    // Nothing may follow what goes, or the rest would be in two pieces.
    let end = quote.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    let said = quote.get(..end)?;
    let named = Named::all(&retraction.about);
    let goes = |listed: &str| named.iter().any(|named| named.lists(listed));
    let (at, from) = last_joint(said, goes)?;
    let rest = said.get(..at)?;
    if goes(rest) {
        return None;
    }
    let cut = at as u32;
    let lost = &text::content(said) - &text::content(rest);
    let shows = |text: &str| !text::content(text).is_disjoint(&lost);
    let mut left = item.clone();
    if shows(&item.value) {
        left.value.truncate(last_joint(&item.value, goes)?.0);
    }
    left.topic_key.attribute = item.topic_key.attribute.replace(&item.value, &left.value);
    left.text = if item.text == *quote { rest.to_owned() } else { item.text.replace(said, rest) };
    left.keywords.retain(|keyword| !shows(keyword));
    left.questions.retain(|question| !shows(question));
    let key = &left.topic_key;
    if [&key.subject, &key.attribute, &left.value, &left.text]
        .into_iter()
        .chain(&left.qualifier)
        .any(|text| shows(text))
    {
        return None;
    }
    let own = Span { start: 0, end: cut };
    left.evidence = Evidence { message: 0, span: own, quote: rest.to_owned() };
    let body = TurnBody { messages: vec![Message { text: rest.to_owned() }], question: None, request: false };
    let mut left = ground::ground(&body, left).ok()?.item().clone();
    let start = item.evidence.span.start;
    left.evidence.message = item.evidence.message;
    left.evidence.span = Span { start, end: start + cut };
    let span = Span { start: start + cut, end: start + end as u32 };
    Some(Half { left, span, gone: said.get(from..)?.to_owned() })
}

/// Where the first joint is behind which everything that is listed is named, and where it ends.
fn last_joint(value: &str, named: impl Fn(&str) -> bool) -> Option<(usize, usize)> {
    let mut end = value.len();
    let mut found = None;
    while let Some((at, joint)) = joint_before(value, end) {
        let from = at + joint.len();
        if !named(&value[from..end]) {
            break;
        }
        found = Some((at, from));
        end = at;
    }
    found
}

/// The joint nearest before a place; of those that end together the longest.
fn joint_before(value: &str, end: usize) -> Option<(usize, &'static str)> {
    let front = value.get(..end)?;
    let joints = JOINTS.iter().filter_map(|joint| Some((front.rfind(joint)?, *joint)));
    joints.max_by_key(|(at, joint)| (at + joint.len(), joint.len()))
}
