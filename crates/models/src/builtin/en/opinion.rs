//! What the customer likes, dislikes, avoids.

use super::{
    super::rules::weight,
    claim::{Claim, Verdict},
    object::{deictic, matter},
    subject::Who,
    token::{Class, Form, Token, any},
    verb::Verb,
};

/// "avoid", "stay away from", "steer clear of", "refuse to".
pub(super) fn shuns(verb: &Verb<'_>) -> bool {
    verb.token.is(Class::Shun)
        || any(&verb.token.base, &["stay", "keep", "steer"])
            && verb.after.first().is_some_and(|next| any(&next.text, &["away", "clear"]))
}

/// "(can't) stand", "bear", "tolerate".
pub(super) fn endures(verb: &Verb<'_>) -> bool {
    any(&verb.token.base, &["stand", "bear", "tolerate", "stomach", "abide"])
}

/// The object of a verb of opinion, linking words cut off.
pub(super) fn about<'a>(verb: &Verb<'a>) -> &'a [Token] {
    let mut rest = verb.after;
    let links = [
        "away", "clear", "from", "of", "to", "for", "about", "much", "more", "most", "idea", "using", "being", "having",
    ];
    // "it when …" ("I hate it when people are late") names its matter behind.
    let is = |at: usize, word: &str| verb.after.get(at).is_some_and(|token| token.text == word);
    let it_when = is(0, "it") && is(1, "when");
    while let [first, tail @ ..] = rest {
        let idea = tail.first().is_some_and(|next| next.text == "idea");
        let skip = match first.text.as_str() {
            "it" | "when" => it_when,
            "the" => idea,
            other => any(other, &links),
        };
        if !skip || tail.is_empty() {
            break;
        }
        rest = tail;
    }
    rest
}

/// Reads a verb of opinion; `Nothing` for any other verb.
pub(super) fn opinion(who: &Who, verb: &Verb<'_>) -> Verdict {
    if !matches!(who, Who::Customer | Who::Person(_)) {
        return Verdict::Nothing;
    }
    let base = verb.token.base.as_str();
    let customer = *who == Who::Customer;
    if base == "find" {
        return found(verb);
    }
    if base == "believe" && verb.after.first().is_some_and(|next| next.text == "in") && customer {
        let inner = Verb { after: &verb.after[1..], ..verb.clone() };
        return judged(&inner, !verb.negated, false);
    }
    if base == "get" && verb.after.len() > 2 && feels(verb) {
        return judged(&Verb { after: &verb.after[2..], ..verb.clone() }, false, false);
    }
    if base == "care" && verb.after.first().is_some_and(|next| any(&next.text, &["for", "about"])) {
        return judged(verb, !verb.negated, false);
    }
    if shuns(verb) {
        return judged(verb, verb.negated, true);
    }
    if verb.token.form == Form::Ing || !(verb.token.is(Class::Like) || verb.token.is(Class::Dislike)) {
        return Verdict::Nothing;
    }
    if base == "like" && verb.token.text != "like" && !customer && verb.token.form != Form::S {
        return Verdict::Nothing;
    }
    let prefers = verb.token.is(Class::Prefer);
    if prefers && verb.after.first().is_some_and(|first| first.text == "not") {
        let withheld = verb.after.iter().take(3).any(|token| {
            any(&token.text, &["say", "answer", "tell", "share", "disclose", "discuss", "reveal", "comment"])
        });
        return if withheld || deictic(&verb.after[1..]) {
            Verdict::Nothing
        } else {
            Claim::opinion(&matter(&verb.after[1..]), "dislikes", verb.strong).into()
        };
    }
    if let [to, shun, rest @ ..] = verb.after
        && prefers
        && to.text == "to"
        && (shun.is(Class::Shun) || any(&shun.text, &["stay", "steer", "keep"]))
    {
        let inner = Verb { token: shun, after: rest, ..verb.clone() };
        return judged(&inner, verb.negated, true);
    }
    judged(verb, verb.token.is(Class::Dislike) == verb.negated, verb.strong)
}

/// A liking or its opposite, if its object stands alone.
fn judged(verb: &Verb<'_>, likes: bool, strong: bool) -> Verdict {
    let object = about(verb);
    let asks = !shuns(verb)
        && verb.after.first().is_some_and(|first| first.text == "to")
        && object.first().is_some_and(|first| first.is(Class::Request) && !first.is(Class::Light));
    let greets = matches!(object.first(), Some(first) if any(&first.text, &["your", "you", "if", "that", "what", "how", "when"]));
    // "the way you talk", "talking with you" are about this talk.
    let of_agent =
        object.iter().take(4).take_while(|token| !token.mark()).any(|token| any(&token.text, &["you", "your"]));
    if of_agent || deictic(object) || asks && !verb.habit || greets || this_one(object) {
        return Verdict::Nothing;
    }
    Claim::opinion(&matter(object), if likes { "likes" } else { "dislikes" }, strong).into()
}

/// "the blue one", "that movie", "the second option": one thing at hand, known from the talk only.
fn this_one(object: &[Token]) -> bool {
    let end = object
        .iter()
        .position(|token| {
            token.mark() || token.is(Class::Preposition) || any(&token.text, &["and", "but", "because", "when"])
        })
        .unwrap_or(object.len());
    let phrase = &object[..end];
    let pointed = object.first().is_some_and(|first| {
        any(&first.text, &["this", "that", "these", "those", "another", "something", "anything", "everything"])
    });
    let one = phrase.last().is_some_and(|last| {
        any(
            &last.text,
            &[
                "one",
                "ones",
                "option",
                "options",
                "choice",
                "idea",
                "name",
                "sound",
                "sounds",
                "suggestion",
                "thing",
                "things",
                "stuff",
            ],
        ) && phrase.len() > 1
    });
    pointed || one
}

/// "I find flashcards ineffective", "I find hiking relaxing".
fn found(verb: &Verb<'_>) -> Verdict {
    let Some(at) = verb.after.iter().position(|token| token.is(Class::Bad) || token.is(Class::Good)) else {
        return Verdict::Nothing;
    };
    let mut object = &verb.after[..at];
    if object.first().is_some_and(|first| first.text == "it") || object.is_empty() {
        object = &verb.after[at + 1..];
        if object.first().is_some_and(|first| any(&first.text, &["to", "when"])) {
            object = &object[1..];
        }
    }
    while object.last().is_some_and(|last| {
        any(
            &last.text,
            &["to", "be", "very", "quite", "really", "more", "rather", "extremely", "less", "not", "incredibly", "so"],
        )
    }) {
        object = &object[..object.len() - 1];
    }
    if deictic(object) || verb.negated {
        return Verdict::Nothing;
    }
    let value = if verb.after[at].is(Class::Bad) { "dislikes" } else { "likes" };
    Claim::opinion(&matter(object), value, false).weighing(weight::PREFERENCE).into()
}

/// "I get anxious in crowds", "I get uncomfortable dining high up".
fn feels(verb: &Verb<'_>) -> bool {
    let rest: Vec<&Token> = verb.after.iter().filter(|token| !token.is(Class::Intensifier)).collect();
    matches!(rest.as_slice(), [how, what, ..] if (how.is(Class::NegativeOf) || any(&how.text, &["anxious", "nervous", "sick", "seasick", "carsick", "claustrophobic", "overwhelmed", "bored"]))
        && (any(&what.text, &["in", "around", "with", "when", "on", "from", "by"]) || what.form == Form::Ing))
}
