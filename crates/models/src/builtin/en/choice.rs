//! What was chosen and what was dropped: "we ended up going with Postgres", "we ditched Oracle". Either is a change.

use super::{
    super::rules::weight,
    circumstance::environment,
    claim::{Claim, Verdict},
    object::named_technology,
    token::{Form, Token, any},
    verb::Verb,
};

/// Reads a verb of choosing or dropping a technology; `Nothing` for any other.
pub(super) fn choice(verb: &Verb<'_>) -> Verdict {
    if verb.negated || verb.supposed {
        return Verdict::Nothing;
    }
    let claim = chosen(verb)
        .and_then(|object| technology(object, false))
        .or_else(|| dropped(verb).and_then(|object| technology(object, true)));
    claim.map_or(Verdict::Nothing, Verdict::from)
}

fn technology(object: &[Token], negated: bool) -> Option<Claim> {
    let (category, name) = named_technology(object)?;
    let claim = Claim::one(category, name).weighing(weight::IDENTITY);
    Some(Claim { negated, changed: true, qualifier: environment(object), ..claim })
}

/// What is taken: "went with X", "settled on X", "decided to use X", "ended up on X", "replaced Y with X".
fn chosen<'a>(verb: &Verb<'a>) -> Option<&'a [Token]> {
    let after = verb.after;
    let behind = |words: &[&str]| {
        let at = after.iter().position(|token| any(&token.text, words))?;
        Some(&after[at + 1..])
    };
    match verb.token.base.as_str() {
        "end" if next(after, &["up"]) => Some(&after[1..]),
        "go" if next(after, &["with", "for", "back"]) => Some(&after[1..]),
        "settle" if next(after, &["on", "for"]) => Some(&after[1..]),
        "decide" if next(after, &["on", "for"]) => Some(&after[1..]),
        "decide" if next(after, &["to"]) && adopts(after.get(1)?) => Some(&after[2..]),
        "opt" | "opted" if next(after, &["for"]) => Some(&after[1..]),
        "choose" | "pick" | "select" | "adopt" | "adopted" | "selected" => Some(after),
        "standardize" | "standardise" | "standardized" | "standardised" => behind(&["on"]),
        "replace" | "replaced" | "swap" | "swapped" | "substitute" => behind(&["with", "by", "for"]),
        _ => None,
    }
}

/// What is given up: "dropped X", "ditched X", "moved off X", "got rid of X", "stopped using X".
fn dropped<'a>(verb: &Verb<'a>) -> Option<&'a [Token]> {
    let after = verb.after;
    match verb.token.base.as_str() {
        "drop" | "ditch" | "ditched" | "abandon" | "abandoned" | "scrap" | "scrapped" | "decommission"
        | "decommissioned" | "leave" | "retire" | "dump" => Some(after),
        "move" | "migrate" | "switch" | "come" if next(after, &["off", "away"]) => Some(&after[1..]),
        "get" if next(after, &["rid"]) => Some(&after[1..]),
        "stop" | "quit" if after.first().is_some_and(|using| using.base == "use" && using.form == Form::Ing) => {
            Some(&after[1..])
        }
        _ => None,
    }
}

fn next(after: &[Token], words: &[&str]) -> bool {
    after.first().is_some_and(|first| any(&first.text, words))
}

/// "(to) go with", "use", "adopt".
fn adopts(verb: &Token) -> bool {
    any(
        &verb.text,
        &["go", "use", "adopt", "switch", "move", "stick", "stay", "migrate", "run", "take", "keep", "pick"],
    )
}
