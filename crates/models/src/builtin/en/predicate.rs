//! What a verb says of its subject: the way from tense and verb to the rules for each.

use saidso_core::item::{DropReason, Kind};

use super::{
    super::rules::{sure, weight},
    being::being,
    choice::choice,
    circumstance::{behind, second},
    claim::{Claim, Verdict},
    doing::doing,
    event::{event, plan},
    having::having,
    object::{deictic, matter, phrase},
    opinion::{endures, opinion, shuns},
    progress::progress,
    subject::Who,
    token::{Class, Form, any},
    verb::{Tense, Verb},
};

/// What the clause comes to.
pub(super) fn predicate(who: &Who, verb: &Verb<'_>) -> Verdict {
    let verdict = if verb.token.mark() { Verdict::Nothing } else { by_tense(who, verb) };
    match verdict {
        Verdict::Found(_) if verb.supposed => Verdict::Refused(DropReason::Hedged),
        Verdict::Found(claims) => {
            let claims = claims.into_iter().map(|claim| Claim { changed: claim.changed || verb.changed, ..claim });
            Verdict::Found(claims.collect())
        }
        other => other,
    }
}

/// What the clause comes to with the season, hour or place of life it is so apart from it ("I swim | in summer"), where
/// it is a statement without it. What an opinion is of stays whole.
pub(super) fn apart(who: &Who, verb: &Verb<'_>) -> (Verdict, Option<String>) {
    let ruled = matches!(verb.tense, Tense::Present | Tense::Progressive | Tense::Perfect);
    if let Some((from, to, name)) = behind(verb.after).filter(|_| ruled) {
        let rest = [&verb.after[..from], &verb.after[to..]].concat();
        if let Verdict::Found(claims) = predicate(who, &Verb { after: &rest, ..verb.clone() })
            && claims.iter().all(|claim| claim.kind == Kind::Fact && !claim.attribute.starts_with("opinion of"))
        {
            return (Verdict::Found(claims), Some(name));
        }
    }
    (predicate(who, verb), None)
}

/// Where the second of two values begins that stand side by side ("Postgres in production and SQLite in tests"), if each
/// of them is a statement. `ahead`: the first has its circumstance in front ("in tests we use …").
pub(super) fn halves(who: &Who, verb: &Verb<'_>, ahead: bool) -> Option<usize> {
    let at = second(verb.after, ahead)?;
    let attributes = |after| match apart(who, &Verb { after, ..verb.clone() }).0 {
        Verdict::Found(claims) => claims.into_iter().map(|claim| claim.attribute).collect(),
        _ => Vec::new(),
    };
    let (one, other) = (attributes(&verb.after[..at]), attributes(&verb.after[at + 1..]));
    (!one.is_empty() && one == other).then_some(at)
}

fn by_tense(who: &Who, verb: &Verb<'_>) -> Verdict {
    let base = verb.token.base.as_str();
    let is_be = any(&verb.token.text, &["am", "are", "is", "was", "were", "be", "been", "'s"]);
    let chooses = matches!(verb.tense, Tense::Past | Tense::Perfect | Tense::Progressive) && *who == Who::Customer;
    if let Verdict::Found(claims) = if chooses { choice(verb) } else { Verdict::Nothing } {
        return Verdict::Found(claims);
    }
    if verb.token.text == "born" && *who == Who::Customer {
        return super::being::born(verb.token, verb.after);
    }
    match verb.tense {
        // "I never had a dog", "we never used Oracle": not so, and never was.
        Tense::Past | Tense::Perfect
            if never(verb) && any(base, &["have", "own", "use", "run", "work", "live", "drive"]) =>
        {
            by_tense(who, &Verb { tense: Tense::Present, ..verb.clone() })
        }
        Tense::Present | Tense::Progressive if any(base, &["plan", "intend"]) && planned(verb).is_some() => {
            planned(verb).map_or(Verdict::Nothing, |inner| plan(who, &inner))
        }
        Tense::Progressive => match progress(who, verb) {
            Verdict::Nothing if verb.token.is(Class::Undertake) => plan(who, verb),
            other => other,
        },
        Tense::Perfect if is_be => being(who, verb),
        Tense::Perfect if verb.token.form == Form::Ing => match progress(who, verb) {
            Verdict::Nothing
                if lasts(verb) && *who == Who::Customer && !verb.token.is(Class::Request) && !deictic(verb.after) =>
            {
                Claim::many("habit", format!("{base} {}", phrase(verb.after))).sure(sure::OPEN).into()
            }
            other => other,
        },
        Tense::UsedTo => former(who, verb),
        Tense::Future => plan(who, verb),
        Tense::Can => ability(verb),
        Tense::Must => must(who, verb),
        Tense::Present | Tense::Past if is_be => being(who, verb),
        Tense::Present if verb.token.text == "rather" => shuns_or_likes(verb),
        Tense::Present if base == "have" => having(who, verb),
        Tense::Past if base == "have" => had(verb),
        Tense::Perfect if base == "have" => having(who, verb),
        Tense::Present => match opinion(who, verb) {
            Verdict::Nothing => doing(who, verb),
            other => other,
        },
        Tense::Perfect
            if any(base, &["live", "work", "play", "love", "hate", "like", "use", "know"])
                || verb.token.is(Class::Habit) && lasts(verb) =>
        {
            let present = Verb { tense: Tense::Present, ..verb.clone() };
            match opinion(who, &present) {
                Verdict::Nothing => match doing(who, &present) {
                    Verdict::Nothing => event(who, verb),
                    other => other,
                },
                other => other,
            }
        }
        Tense::Past | Tense::Perfect
            if any(base, &["start", "begin"]) && verb.after.first().is_some_and(|next| next.form == Form::Ing) =>
        {
            let inner = Verb {
                token: &verb.after[0],
                after: &verb.after[1..],
                tense: Tense::Progressive,
                changed: true,
                ..verb.clone()
            };
            progress(who, &inner)
        }
        // "I stopped eating meat" is "I don't eat meat", and a change.
        Tense::Past | Tense::Perfect
            if any(base, &["stop", "quit", "give"])
                && (verb.after.iter().take(2).any(|next| next.form == Form::Ing) || given_up(verb).is_some()) =>
        {
            stopped(who, verb)
        }
        Tense::Past | Tense::Perfect => match event(who, verb) {
            Verdict::Nothing
                if any(base, &["love", "like", "hate"]) && verb.after.iter().any(|token| token.text == "always") =>
            {
                opinion(who, verb)
            }
            other => other,
        },
    }
}

/// "I stopped eating meat", "I gave up drinking coffee".
fn stopped(who: &Who, verb: &Verb<'_>) -> Verdict {
    if let Some(claim) = given_up(verb) {
        return claim.into();
    }
    let Some(at) = verb.after.iter().take(2).position(|next| next.form == Form::Ing) else { return event(who, verb) };
    let (token, object) = (&verb.after[at], &verb.after[at + 1..]);
    if any(&token.base, &["eat", "drink", "consume", "wear"]) && !deictic(object) && !verb.negated {
        let inner = Verb { token, after: object, tense: Tense::Present, negated: true, changed: true, ..verb.clone() };
        return match doing(who, &inner) {
            Verdict::Found(claims) => {
                Verdict::Found(claims.into_iter().map(|claim| Claim { changed: true, ..claim }).collect())
            }
            other => other,
        };
    }
    event(who, verb)
}

/// "I gave up coffee", "I quit sugar": no longer drunk or eaten.
fn given_up(verb: &Verb<'_>) -> Option<Claim> {
    const DRUNK: [&str; 9] = ["coffee", "tea", "alcohol", "wine", "beer", "soda", "caffeine", "spirits", "liquor"];
    const EATEN: [&str; 10] =
        ["sugar", "meat", "dairy", "gluten", "bread", "chocolate", "sweets", "pork", "beef", "fish"];
    let object = match verb.after {
        [up, object @ ..] if up.text == "up" => object,
        object => object,
    };
    let [what, rest @ ..] = object else { return None };
    let whole = rest
        .first()
        .is_none_or(|next| next.mark() || next.is(Class::Preposition) || any(&next.text, &["last", "this"]));
    let key = match what.text.as_str() {
        text if any(text, &DRUNK) => "drink",
        text if any(text, &EATEN) => "eat",
        _ => return None,
    };
    let claim = Claim::many(key, what.text.clone()).weighing(weight::STRONG);
    (whole && !verb.negated).then_some(Claim { negated: true, changed: true, ..claim })
}

/// "We plan to switch …": what is planned.
fn planned<'a>(verb: &Verb<'a>) -> Option<Verb<'a>> {
    let [to, token, after @ ..] = verb.after else { return None };
    let deed = to.text == "to" && token.form == Form::Base && !token.mark();
    deed.then(|| Verb { token, after, tense: Tense::Future, ..verb.clone() })
}

fn never(verb: &Verb<'_>) -> bool {
    verb.negated && verb.all.iter().take(2).any(|word| word.text == "never")
}

/// "I've … for years", "since 2019", "all my life".
fn lasts(verb: &Verb<'_>) -> bool {
    verb.habit
        || verb
            .after
            .iter()
            .any(|token| any(&token.text, &["since", "years", "months", "life", "decades", "decade", "ages"]))
}

/// "I would rather …": a standing choice only when it is denied or for good.
fn shuns_or_likes(verb: &Verb<'_>) -> Verdict {
    let negated = verb.after.first().is_some_and(|first| first.text == "not");
    if !negated || deictic(&verb.after[1..]) {
        return Verdict::Nothing;
    }
    Claim::opinion(&matter(&verb.after[1..]), "dislikes", verb.strong).into()
}

/// "I had a stroke": health stays, the rest passes.
fn had(verb: &Verb<'_>) -> Verdict {
    let health = verb
        .after
        .iter()
        .any(|token| token.is(Class::Health) || any(&token.text, &["surgery", "transplant", "stroke", "concussion"]));
    if health && !verb.negated {
        return Claim::many("health", phrase(verb.after)).of_kind(Kind::Event).weighing(weight::CONSTRAINT).into();
    }
    Verdict::Nothing
}

/// "I used to live in Oslo", "I used to be a doctor", "I used to love sushi".
fn former(who: &Who, verb: &Verb<'_>) -> Verdict {
    let base = verb.token.base.as_str();
    if !verb.after.is_empty() && deictic(verb.after) {
        return Verdict::Nothing;
    }
    match base {
        "be" => Claim::many("former role", phrase(verb.after)).into(),
        "live" => Claim::many("former home", phrase(verb.after.get(1..).unwrap_or_default())).into(),
        _ if verb.token.is(Class::Like) || verb.token.is(Class::Dislike) => {
            let value = if verb.token.is(Class::Dislike) { "dislikes" } else { "likes" };
            Claim { negated: true, changed: true, ..Claim::opinion(&matter(verb.after), value, false) }.into()
        }
        _ if *who == Who::Customer => {
            Claim::many("former habit", format!("{base} {}", phrase(verb.after)).trim()).sure(sure::OPEN).into()
        }
        _ => Verdict::Nothing,
    }
}

/// "I can't eat gluten", "I can play the violin".
fn ability(verb: &Verb<'_>) -> Verdict {
    let base = verb.token.base.as_str();
    if verb.negated {
        if endures(verb) {
            return if deictic(verb.after) {
                Verdict::Nothing
            } else {
                Claim::opinion(&matter(verb.after), "dislikes", true).into()
            };
        }
        if base == "live" && verb.after.first().is_some_and(|next| next.text == "without") && !deictic(&verb.after[1..])
        {
            return Claim::opinion(&matter(&verb.after[1..]), "likes", true).into();
        }
        // "I can't take the link" is about the link; "I can't take ibuprofen" is about me.
        let loose = any(base, &["have", "take", "handle", "do", "wear"]) && specific(verb);
        let elsewhere = loose || any(base, &["use", "see", "hear", "afford"]) || deictic_object(verb);
        if verb.token.is(Class::AbilityNot) && !elsewhere {
            return Claim::many("cannot", format!("{base} {}", phrase(verb.after)).trim())
                .weighing(weight::CONSTRAINT)
                .into();
        }
        if verb.token.is(Class::Skill) && !deictic_object(verb) {
            return Claim { negated: true, ..Claim::many("skill", format!("{base} {}", phrase(verb.after)).trim()) }
                .sure(sure::OPEN)
                .into();
        }
        return Verdict::Nothing;
    }
    let object = verb
        .after
        .first()
        .is_none_or(|first| first.mark() || !first.is(Class::Preposition) && !first.is(Class::Pronoun));
    if verb.token.is(Class::Skill) && object && !deictic_object(verb) {
        return Claim::many("skill", format!("{base} {}", phrase(verb.after)).trim()).sure(sure::OPEN).into();
    }
    Verdict::Nothing
}

/// An object that is one particular thing at hand: "the link", "my bill".
fn specific(verb: &Verb<'_>) -> bool {
    verb.after
        .first()
        .is_none_or(|first| any(&first.text, &["the", "my", "our", "a", "an", "to", "that"]) || first.mark())
}

/// An object named only by pointing at it.
pub(super) fn deictic_object(verb: &Verb<'_>) -> bool {
    !verb.after.is_empty() && !verb.after[0].mark() && deictic(verb.after)
}

/// "I must avoid sugar", "I need to take insulin", "I still have to send the invoice".
fn must(who: &Who, verb: &Verb<'_>) -> Verdict {
    if *who != Who::Customer || verb.supposed {
        return Verdict::Nothing;
    }
    let base = verb.token.base.as_str();
    if shuns(verb) && !verb.negated {
        let about = matter(super::opinion::about(verb));
        return if deictic(super::opinion::about(verb)) {
            Verdict::Nothing
        } else {
            Claim::opinion(&about, "dislikes", true).weighing(weight::CONSTRAINT).into()
        };
    }
    let bodily = any(base, &["take", "eat", "wear", "use", "follow", "drink", "limit", "watch", "have"]);
    let health = verb.after.iter().any(|token| token.is(Class::Health) || token.is(Class::Diet));
    if bodily && health && !verb.negated {
        return Claim::many("constraint", format!("{base} {}", phrase(verb.after))).weighing(weight::CONSTRAINT).into();
    }
    let open = verb.after.iter().position(|token| token.text == "by" || token.text == "before").is_some_and(|at| {
        verb.after
            .get(at + 1)
            .is_some_and(|day| day.is(Class::Month) || any(&day.text, &["end", "next", "tomorrow", "the"]))
    });
    let asks =
        verb.token.is(Class::Request) && !any(base, &["send", "pay", "call", "return", "transfer", "finish", "cancel"]);
    if (verb.still() || open) && !asks && !verb.negated && !verb.after.is_empty() {
        return Claim::many("to do", format!("{base} {}", phrase(verb.after)))
            .of_kind(Kind::Task)
            .weighing(weight::PASSING)
            .sure(sure::OPEN)
            .into();
    }
    Verdict::Nothing
}
