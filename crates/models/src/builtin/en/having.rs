//! "I have two kids", "we have no interest in …", "I have a nut allergy".

use saidso_core::item::DropReason;

use super::{
    super::rules::{sure, weight},
    circumstance::environment,
    claim::{Claim, Verdict},
    object::{deictic, matter, named_technology, phrase, singular},
    privilege::rights,
    subject::Who,
    token::{Class, Form, Token, any},
    verb::Verb,
};

/// Reads what is had.
pub(super) fn having(who: &Who, verb: &Verb<'_>) -> Verdict {
    if !matches!(who, Who::Customer | Who::Person(_) | Who::Organisation(_)) {
        return Verdict::Nothing;
    }
    let mut rest = verb.after;
    while rest.first().is_some_and(|first| {
        any(&first.text, &["got", "also", "always", "already", "only", "just", "both", "about", "like", "had", "been"])
            || first.is(Class::Adverb) && !first.number() && first.text != "no"
    }) {
        rest = &rest[1..];
    }
    let none = rest.first().is_some_and(|first| any(&first.text, &["no", "zero"]));
    let negated = verb.negated != none;
    let Some(first) = rest.first() else { return Verdict::Nothing };
    let nouns = nouns(rest);
    let after = &rest[nouns.len()..];
    let verdict = mind(nouns, after, negated, verb.strong).unwrap_or_else(|| match deictic(rest) && !first.number() {
        true => Verdict::Nothing,
        false => owned(rest, nouns, negated),
    });
    match verdict {
        Verdict::Found(claims) => Verdict::Found(
            claims
                .into_iter()
                .map(|claim| Claim {
                    negated: negated && !stated(&claim),
                    changed: claim.changed || verb.changed,
                    ..claim
                })
                .collect(),
        ),
        other => other,
    }
}

/// Whether a claim has taken the denial in: an opinion, and how many children there are, which may be none.
fn stated(claim: &Claim) -> bool {
    claim.attribute.starts_with("opinion of") || claim.value == "no children"
}

/// The noun phrase at the front, up to a preposition or a clause.
fn nouns(rest: &[Token]) -> &[Token] {
    let end = rest
        .iter()
        .position(|token| {
            token.mark() && token.text != ","
                || token.is(Class::Preposition) && token.text != "of" && token.text != "over"
                || any(
                    &token.text,
                    &["who", "that", "which", "because", "so", "but", "when", "named", "called", "to", "now", "and"],
                )
        })
        .unwrap_or(rest.len());
    // "a fear of heights" ends at "of"; "a lot of dogs" does not.
    let of = rest[..end].iter().position(|token| token.text == "of");
    match of {
        Some(at)
            if at > 0
                && !any(
                    &rest[at - 1].text,
                    &["lot", "lots", "couple", "bunch", "pair", "number", "kind", "dozens"],
                ) =>
        {
            &rest[..at]
        }
        _ => &rest[..end],
    }
}

/// "a strong aversion to …", "no interest in …".
fn mind(nouns: &[Token], after: &[Token], negated: bool, strong: bool) -> Option<Verdict> {
    let head = nouns.last()?;
    let against = head.is(Class::Against);
    // "a nut allergy" has no "to": it is a condition, not a mind.
    let condition = head.text == "allergy" && after.first().is_none_or(|link| link.text != "to");
    if condition || !(against || head.is(Class::Fond)) {
        return None;
    }
    if any(&head.base, &["allergy", "intolerance"]) {
        return Some(Claim::many("health", phrase(&[nouns, after].concat())).weighing(weight::CONSTRAINT).into());
    }
    let about = after.get(1..).filter(|_| {
        after
            .first()
            .is_some_and(|link| any(&link.text, &["to", "for", "of", "in", "towards", "toward", "against", "about"]))
    })?;
    if deictic(about) || about.is_empty() {
        return Some(Verdict::Nothing);
    }
    let low = head.text == "tolerance" && !nouns.iter().any(|token| any(&token.text, &["low", "no", "zero", "little"]));
    let dislikes = (against && !low) != (negated && head.text != "tolerance");
    let strong = strong || nouns.iter().any(|token| token.is(Class::Intensifier) || token.is(Class::Strong));
    let value = if dislikes { "dislikes" } else { "likes" };
    let claim = Claim::opinion(&matter(about), value, strong);
    Some(if any(&head.text, &["phobia", "fear"]) { claim.weighing(weight::STRONG) } else { claim }.into())
}

/// Things, animals, people, conditions.
fn owned(rest: &[Token], nouns: &[Token], none: bool) -> Verdict {
    let Some(first) = nouns.first() else { return Verdict::Nothing };
    let is = |class| nouns.iter().any(|token| token.is(class));
    let counted = first.number()
        || any(&first.text, &["a", "an", "no", "my", "our", "many", "lots", "several", "some", "zero", "any"]);
    if rights(nouns) {
        return Verdict::Nothing;
    }
    // "a nut allergy" is "allergic to nuts" said otherwise.
    if let [causes @ .., last] = nouns
        && any(&last.base, &["allergy", "intolerance"])
        && let cause = phrase(causes)
        && !cause.is_empty()
    {
        let how = if last.base == "allergy" { "allergic" } else { "intolerant" };
        return Claim::many("health", format!("{how} to {}", singular(&cause))).weighing(weight::CONSTRAINT).into();
    }
    let ails = is(Class::Health)
        || is(Class::Body)
            && nouns
                .last()
                .is_some_and(|last| any(&last.base, &["issue", "problem", "condition", "trouble", "disorder", "pain"]));
    if nouns.last().is_some_and(|last| {
        any(
            &last.base,
            &["headache", "cold", "fever", "flu", "hangover", "cough", "stomachache", "toothache", "throat", "nose"],
        )
    }) && !nouns.iter().any(|token| any(&token.text, &["chronic", "frequent", "regular", "cluster", "constant"]))
    {
        return Verdict::Refused(DropReason::Transient);
    }
    if ails {
        return Claim::many("health", phrase(rest)).weighing(weight::CONSTRAINT).into();
    }
    if nouns.iter().any(|token| token.is(Class::Deployment)) {
        return Claim::one("deployment", phrase(nouns)).weighing(weight::IDENTITY).into();
    }
    let after = &rest[nouns.len()..];
    if is(Class::Fault)
        && after.len() > 1
        && any(&after[0].text, &["with", "in", "when", "on"])
        && !deictic(&after[1..])
        && !any(&after[1].text, &["my", "your"])
    {
        return Claim::many("issue", phrase(&after[1..])).weighing(weight::DETAIL).sure(sure::OPEN).into();
    }
    if is(Class::Issue) && !is(Class::Pet) && !is(Class::Child) {
        return Verdict::Nothing;
    }
    let value = nouns_named(rest);
    if nouns.iter().any(|token| token.is(Class::Pet)) {
        return match counted_of(nouns) {
            Some(kind) => Claim::one(kind, phrase(nouns)).into(),
            None => Claim::many("pet", singular(nouns_named(nouns).as_str())).into(),
        };
    }
    if is(Class::Child) {
        let grown = nouns.iter().find(|token| any(&token.text, &["sons", "daughters", "boys", "girls"]));
        if let Some(which) =
            grown.or_else(|| nouns.iter().find(|token| first.number() && any(&token.text, &["son", "daughter"])))
        {
            let which = if any(&which.base, &["son", "boy"]) { "sons" } else { "daughters" };
            return Claim::one(which, phrase(nouns)).weighing(weight::IDENTITY).into();
        }
        let several = first.number() || nouns.iter().any(|token| any(&token.text, &["kids", "children"]));
        return match several {
            true if none => Claim::one("children", "no children").weighing(weight::IDENTITY).into(),
            true => Claim::one("children", phrase(nouns)).weighing(weight::IDENTITY).into(),
            false => Claim::many("child", phrase(nouns)).weighing(weight::IDENTITY).into(),
        };
    }
    if is(Class::Person) {
        return Claim::many("family", phrase(nouns)).weighing(weight::IDENTITY).into();
    }
    // "20 licences" are bought, "a licence" is earned.
    if first.number() && nouns.iter().any(|token| any(&token.text, &["licences", "licenses", "seats"])) {
        return Claim::one("licences", phrase(nouns)).weighing(weight::IDENTITY).into();
    }
    if nouns.iter().any(|token| {
        any(
            &token.base,
            &["degree", "diploma", "phd", "masters", "bachelor", "certificate", "certification", "license", "licence"],
        )
    }) {
        return Claim::many("education", value).into();
    }
    if let Some((category, name)) = named_technology(nouns) {
        return Claim { qualifier: environment(rest), ..Claim::one(category, name).weighing(weight::IDENTITY) }.into();
    }
    if nouns.iter().any(|token| any(&token.base, &["subscription", "contract", "licence"])) {
        return Claim::one("contract", value).weighing(weight::IDENTITY).into();
    }
    if nouns
        .iter()
        .any(|token| any(&token.text, &["hair", "eyes", "skin", "tattoo", "tattoos", "freckles", "dreads", "beard"]))
    {
        return Claim::many("appearance", value).into();
    }
    // "two boxes that arrived broken", "a blue screen on my laptop": a matter at hand.
    let at_hand = match after {
        [link, tail @ ..] if any(&link.text, &["that", "which"]) => {
            tail.iter().take(3).any(|token| token.form == Form::Past)
        }
        [link, whose, ..] => any(&link.text, &["on", "in", "with"]) && any(&whose.text, &["my", "our", "your"]),
        _ => false,
    };
    // "No oranges", "no more checks": for the shopping list; "no car" is said of oneself.
    let lacks = none
        && (nouns.last().is_some_and(|last| last.form == Form::S) || nouns.iter().any(|token| token.text == "more"));
    if counted
        && !at_hand
        && !lacks
        && !nouns.iter().any(|token| token.is(Class::Deictic) && !token.number())
        && nouns.len() > 1
        && nouns.last().is_some_and(|last| last.form != Form::Ing)
    {
        return match counted_of(nouns) {
            Some(kind) => Claim::one(kind, value).sure(sure::OPEN).into(),
            None => Claim::many("has", value).sure(sure::OPEN).into(),
        };
    }
    Verdict::Nothing
}

/// "3 cats", "two electric cars": how many there are of a kind is one thing, with one value at a time. The kind.
fn counted_of(nouns: &[Token]) -> Option<String> {
    let [number, kind @ ..] = nouns else { return None };
    let exact = number.number() && !any(&number.text, &["one", "few", "couple", "several", "many", "both"]);
    let plural = kind.last().is_some_and(|last| last.form == Form::S || last.text.ends_with('s'));
    (exact && plural).then(|| phrase(kind)).filter(|kind| !kind.is_empty())
}

/// The nouns without "no" before them: "no cats".
fn nouns_named(nouns: &[Token]) -> String {
    match nouns {
        [none, kind @ ..] if any(&none.text, &["no", "zero"]) => phrase(kind),
        all => phrase(all),
    }
}
