//! What is set against something else: "not tea but coffee", "not only a nurse but also a teacher", "Lyon, not Paris".

use super::{
    claim::{Claim, Verdict},
    predicate,
    subject::Who,
    token::{Class, Token, any},
    verb::Verb,
};

/// Most words of what is set against the first.
const WORDS: usize = 6;

/// The second part of a contrast, as what the verb governs.
pub(super) struct Second {
    /// The first part is denied: the second takes its place.
    pub replaces: bool,
    /// Where the first part ends in what the verb governs.
    pub ends: usize,
    /// What the verb governs in the second part: the words that both parts share stand in the first alone.
    pub after: Vec<Token>,
}

/// "(don't use) MySQL but Oracle": the second part, if both are statements of one kind.
pub(super) fn second(who: &Who, verb: &Verb<'_>) -> Option<Second> {
    let but = verb.after.iter().position(|token| token.text == "but")?;
    let denied = verb.negated || verb.after.first().is_some_and(|not| not.text == "not");
    let sets = denied || verb.all.windows(2).any(|two| two[0].text == "not" && only(&two[1]));
    let first = &verb.after[..but];
    let ends = first.iter().rposition(|token| !token.mark())? + 1;
    let first = &first[..ends];
    let rest = &verb.after[but + 1..];
    let from = rest.iter().position(|token| !any(&token.text, &["also", "rather", "instead"]) && !token.mark())?;
    let rest = &rest[from..];
    let words = rest.iter().take_while(|token| !token.mark()).count();
    if !sets || words == 0 || words > WORDS || rest.iter().any(|token| token.is(Class::Aux) || token.is(Class::Pronoun))
    {
        return None;
    }
    let claims = |after: &[Token], negated| match predicate::apart(who, &Verb { after, negated, ..verb.clone() }).0 {
        Verdict::Found(claims) => claims,
        _ => Vec::new(),
    };
    let was = claims(first, verb.negated);
    let first = &first[usize::from(first[0].text == "not")..];
    let after = (0..first.len()).rev().find_map(|shared| {
        let again = shared > 0 && first[shared - 1].text == rest[0].text;
        let after = [&first[..shared], rest].concat();
        (!again && same_kind(&was, &claims(&after, false))).then_some(after)
    })?;
    Some(Second { replaces: denied, ends, after })
}

fn same_kind(was: &[Claim], is: &[Claim]) -> bool {
    !was.is_empty()
        && was.len() == is.len()
        && was.iter().zip(is).all(|(was, is)| was.attribute == is.attribute && was.value != is.value && !is.negated)
}

/// "Lyon, not Paris", "Oracle instead of MySQL": it takes the place of something.
pub(super) fn replaces(after: &[Token]) -> bool {
    let not =
        after.windows(3).any(|three| three[0].mark() && three[1].text == "not" && !only(&three[2]) && !three[2].mark());
    not || after.windows(2).any(|two| two[0].text == "instead" && two[1].text == "of")
}

/// The word that takes a "not" back: "not only".
pub(super) fn only(token: &Token) -> bool {
    any(&token.text, &["only", "just", "merely", "simply"])
}
