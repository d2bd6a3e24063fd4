//! What somebody does as a rule: where they live and work, what they use, their habits.

use super::{
    super::rules::{sure, weight},
    being::industry,
    circumstance::environment,
    claim::{Claim, Verdict},
    object::{deictic, matter, named_technology, phrase},
    predicate::deictic_object,
    subject::Who,
    token::{Class, Form, Token, any},
    verb::Verb,
};

/// Reads a verb in the plain present.
pub(super) fn doing(who: &Who, verb: &Verb<'_>) -> Verdict {
    let verdict = match who {
        Who::Customer | Who::Person(_) => known(verb),
        Who::Organisation(_) => organisation(verb),
        Who::Thing(_) => thing(verb),
        Who::Other(_) => lapse(verb),
        Who::Trait(_) | Who::TraitOf { .. } => Verdict::Nothing,
    };
    let verdict = match verdict {
        Verdict::Nothing if *who == Who::Customer => habit(verb, true),
        Verdict::Nothing if matches!(who, Who::Person(_)) => habit(verb, false),
        other => other,
    };
    match verdict {
        Verdict::Found(claims) => Verdict::Found(
            claims.into_iter().map(|claim| Claim { negated: verb.negated != claim.negated, ..claim }).collect(),
        ),
        other => other,
    }
}

/// Verbs with an attribute of their own.
fn known(verb: &Verb<'_>) -> Verdict {
    let after = verb.after;
    let next = after.first().map_or("", |next| next.text.as_str());
    let behind = after.get(1..).unwrap_or_default();
    let identity = |claim: Claim| Verdict::from(claim.weighing(weight::IDENTITY));
    match verb.token.base.as_str() {
        "live" => match next {
            "in" | "near" | "at" | "on" | "outside" | "by" if !deictic(behind) => dwelling(next, behind),
            "with" | "alone" => Claim::one("household", phrase(after)).into(),
            _ => Verdict::Nothing,
        },
        "operate"
            if next == "in"
                && let Some(branch) = industry(behind) =>
        {
            branch.into()
        }
        "reside" if next == "in" => identity(Claim::one("home city", phrase(behind))),
        "come" | "hail" if next == "from" => identity(Claim::one("origin", phrase(behind))),
        "work" => work(verb),
        "study" | "major" | "attend" if !deictic(after) => Claim::many("education", phrase(after)).into(),
        "teach" if !after.is_empty() && !deictic(after) => identity(Claim::many("teaches", phrase(after))),
        "speak" if !deictic(after) && !after.first().is_some_and(|first| first.is(Class::Preposition)) => {
            Claim::many("language", phrase(after)).into()
        }
        "need" | "use"
            if after
                .iter()
                .take(4)
                .any(|token| any(&token.text, &["wheelchair", "walker", "crutches", "dialysis"]))
                || after.windows(2).any(|two| {
                    any(&two[0].text, &["hearing", "guide"]) && any(&two[1].base, &["aid", "aids", "dog"])
                }) =>
        {
            Claim::many("health", phrase(after)).weighing(weight::CONSTRAINT).into()
        }
        "weigh" if next.starts_with(|c: char| c.is_ascii_digit()) => Claim::one("weight", phrase(after)).into(),
        // As "have" says it, so that "I sold my Tesla" ends whichever was said.
        "own" | "drive" if counted(after) && !deictic(after) => Claim::many("has", phrase(after)).into(),
        "own" | "drive" | "rent" if !deictic(after) && !any(next, &["to", "the", "my"]) => {
            Claim::many(verb.token.base.clone(), phrase(after)).into()
        }
        "use" | "run" if !deictic(after) => match named_technology(after) {
            Some((category, name)) => identity(Claim { qualifier: environment(after), ..Claim::one(category, name) }),
            None if verb.token.base == "use"
                && !any(next, &["my", "the", "to", "so", "in", "by", "how", "up", "what"]) =>
            {
                Claim::many("uses", matter(after)).sure(sure::OPEN).into()
            }
            None if any(next, &["a", "an", "my", "our"]) => Claim::many("runs", phrase(after)).into(),
            None => Verdict::Nothing,
        },
        "keep"
            if after
                .iter()
                .take(3)
                .any(|token| token.is(Class::Pet) || any(&token.text, &["bees", "hens", "sheep"])) =>
        {
            Claim::many("pet", phrase(after)).into()
        }
        "split" | "separate" | "divorce" if verb.token.form != Form::S && (next == "up" || after.is_empty()) => {
            parted()
        }
        "manage" | "lead" | "supervise" | "oversee" if !deictic(after) && !after.is_empty() => {
            identity(Claim::many("responsibility", phrase(after)))
        }
        "belong" if next == "to" => Claim::many("member of", phrase(behind)).into(),
        "follow" | "keep" | "adhere" | "stick" | "maintain" | "observe"
            if after.iter().take(6).any(|token| token.is(Class::Diet)) =>
        {
            Claim::one("diet", phrase(after)).weighing(weight::CONSTRAINT).into()
        }
        "suffer" if next == "from" => Claim::many("health", phrase(behind)).weighing(weight::CONSTRAINT).into(),
        "take" if after.iter().any(|token| token.is(Class::Health)) => {
            Claim::many("health", phrase(after)).weighing(weight::CONSTRAINT).into()
        }
        "identify" if next == "as" => identity(Claim::many("is", phrase(behind))),
        "consider" if next == "myself" => Claim::many("is", phrase(behind)).into(),
        "support" | "follow" | "root" if !deictic(after) && after.first().is_some_and(|first| first.capital) => {
            Claim::many("supports", phrase(after)).into()
        }
        "learn" | "concentrate" | "focus" | "study" if any(next, &["best", "better"]) => {
            Claim::opinion(&format!("{} {}", verb.token.base, phrase(behind)), "likes", false).into()
        }
        "want" | "hope" | "dream" if aims(verb) => {
            Claim::many("goal", phrase(after)).weighing(weight::PREFERENCE).sure(sure::OPEN).into()
        }
        "eat" | "drink" | "consume" | "wear" | "smoke" if verb.negated || only(verb) => {
            Claim::many(verb.token.base.clone(), phrase(after)).weighing(weight::STRONG).into()
        }
        "try" if verb.habit && next == "to" && after.len() > 2 && !deictic(&after[2..]) => {
            Claim::many("habit", phrase(behind)).sure(sure::OPEN).into()
        }
        "help" if any(next, &["out", "at"]) && !deictic(behind) && !behind.is_empty() => {
            Claim::many("habit", format!("help {}", phrase(after))).sure(sure::OPEN).into()
        }
        "do" if verb.habit && !deictic(after) && !after.is_empty() => {
            Claim::many("habit", format!("do {}", phrase(after))).sure(sure::OPEN).into()
        }
        "keep" | "get" | "see"
            if after.iter().take(4).any(|token| token.is(Class::Fault))
                && !after.iter().any(|token| any(&token.text, &["my", "your"])) =>
        {
            Claim::many("issue", phrase(after)).sure(sure::OPEN).into()
        }
        "wait" if next == "tables" => identity(Claim::one("occupation", "wait tables")),
        "go" if after.first().is_some_and(|next| next.form == Form::Ing && next.is(Class::Habit)) => {
            Claim::many("habit", format!("go {}", phrase(after))).into()
        }
        "go" if verb.habit && !deictic(after) && after.len() > 1 => {
            Claim::many("habit", format!("go {}", phrase(after))).sure(sure::OPEN).into()
        }
        "go" if any(next, &["to", "by"]) && schooling(behind) => Claim::many("attends", phrase(behind)).into(),
        "sell" | "make" | "produce" | "serve"
            if any(next, &["handmade", "custom"]) || any(verb.token.base.as_str(), &["sell"]) && !deictic(after) =>
        {
            Claim::many("sells", phrase(after)).sure(sure::OPEN).into()
        }
        _ => Verdict::Nothing,
    }
}

/// "a …", "two …".
fn counted(object: &[Token]) -> bool {
    object.first().is_some_and(|first| any(&first.text, &["a", "an", "no", "any"]) || first.number())
}

/// "only", somewhere near the verb or before it.
fn only(verb: &Verb<'_>) -> bool {
    verb.only() || verb.strong
}

/// "to become a pilot", "to be a mother", "of opening a shop".
fn aims(verb: &Verb<'_>) -> bool {
    match verb.after {
        [to, aim, tail @ ..] if to.text == "to" => {
            let be = aim.text == "be"
                && tail.first().is_some_and(|next| any(&next.text, &["a", "an"]) || next.is(Class::Occupation));
            be || aim.is(Class::Aim) && aim.form == Form::Base && !deictic(tail) || any(&aim.text, &["retire", "marry"])
        }
        [of, aim, ..] => of.text == "of" && aim.form == Form::Ing,
        _ => false,
    }
}

/// "we split up": no longer married, whoever says it.
pub(super) fn parted() -> Verdict {
    let married = Claim::one("marital status", "married").weighing(weight::IDENTITY);
    Claim { negated: true, changed: true, ..married }.into()
}

/// Where somebody lives: a city, or what sort of home it is and, behind it, the city.
fn dwelling(link: &str, place: &[Token]) -> Verdict {
    const HOMES: [&str; 22] = [
        "apartment",
        "house",
        "condo",
        "flat",
        "trailer",
        "dorm",
        "basement",
        "floor",
        "studio",
        "bungalow",
        "cabin",
        "mansion",
        "penthouse",
        "loft",
        "cottage",
        "townhouse",
        "houseboat",
        "hostel",
        "room",
        "building",
        "attic",
        "van",
    ];
    let city = |place: &[Token]| Claim::one("home city", phrase(place)).weighing(weight::IDENTITY);
    let head = place.iter().position(|token| token.mark() || token.is(Class::Preposition)).unwrap_or(place.len());
    if link != "on" && !place[..head].iter().any(|token| any(&token.base, &HOMES) || any(&token.text, &HOMES)) {
        return city(place).into();
    }
    let home = Claim::many("home", phrase(&place[..head]));
    // "in a small flat in Oslo"
    let behind = place.get(head + 1..).filter(|behind| behind.first().is_some_and(|first| first.capital));
    let named = place.get(head).is_some_and(|link| any(&link.text, &["in", "near", "outside"]));
    match behind.filter(|_| named) {
        Some(behind) => Verdict::Found(vec![home, city(behind)]),
        None => home.into(),
    }
}

fn schooling(tokens: &[Token]) -> bool {
    tokens.iter().take(4).any(|token| {
        any(&token.base, &["school", "college", "university", "church", "gym", "uni", "mosque", "temple", "therapy"])
    })
}

/// "work as a nurse", "work at Acme", "work in Oslo", "work from home", "work nights".
fn work(verb: &Verb<'_>) -> Verdict {
    let after = verb.after;
    let next = after.first().map_or("", |next| next.text.as_str());
    let behind = after.get(1..).unwrap_or_default();
    let identity = |claim: Claim| Verdict::from(claim.weighing(weight::IDENTITY));
    match next {
        _ if !after.is_empty() && deictic(behind) && after[0].is(Class::Preposition) => Verdict::Nothing,
        "as" if behind.iter().take(3).any(|token| token.base == "volunteer") => {
            Claim::many("volunteering", phrase(behind)).into()
        }
        "as" => identity(Claim::one("occupation", phrase(behind))),
        "at" if behind.first().is_some_and(|place| place.text == "home") => {
            Claim::one("work mode", phrase(after)).into()
        }
        "at" | "for" => identity(Claim::one("employer", phrase(behind))),
        "in" if let Some(branch) = industry(behind) => branch.into(),
        "in" => {
            let place = behind.first().is_some_and(|first| first.capital)
                || behind.iter().any(|token| token.is(Class::PlaceNoun));
            identity(Claim::one(if place { "work place" } else { "field of work" }, phrase(behind)))
        }
        "with" => Claim::many("works with", phrase(behind)).into(),
        "on" => Claim::many("project", phrase(behind)).into(),
        "from" | "remotely" => Claim::one("work mode", phrase(after)).into(),
        "out" => Claim::many("habit", format!("work out {}", phrase(behind)).trim()).into(),
        "nights" | "part" | "full" | "night" | "days" | "shifts" | "weekends" | "overtime" | "freelance" | "two"
        | "long" | "part-time" | "full-time" => Claim::one("work schedule", phrase(after)).into(),
        _ => Verdict::Nothing,
    }
}

/// A company's business.
fn organisation(verb: &Verb<'_>) -> Verdict {
    if deictic(verb.after) {
        return Verdict::Nothing;
    }
    let object = phrase(verb.after);
    match verb.token.base.as_str() {
        "make" | "sell" | "build" | "produce" | "provide" | "offer" | "manufacture" | "develop" | "design"
        | "deliver" => Claim::many("business", object).weighing(weight::IDENTITY).into(),
        "use" | "run" => match named_technology(verb.after) {
            Some((category, name)) => Claim {
                subject: Some("customer".to_owned()),
                qualifier: environment(verb.after),
                ..Claim::one(category, name)
            }
            .weighing(weight::IDENTITY)
            .into(),
            None => Claim { subject: Some("customer".to_owned()), ..Claim::many("uses", object) }.into(),
        },
        "employ" => Claim::one("size", object).into(),
        "operate" | "work"
            if verb.after[0].text == "in"
                && let Some(branch) = industry(&verb.after[1..]) =>
        {
            Claim { subject: Some("customer".to_owned()), ..branch }.into()
        }
        "operate" | "work" => Claim::many("works", object).into(),
        _ => Verdict::Nothing,
    }
}

/// "our website runs on WordPress", "our contract renews in March".
fn thing(verb: &Verb<'_>) -> Verdict {
    match verb.token.base.as_str() {
        "run" | "use" => match named_technology(verb.after) {
            Some((category, name)) => Claim {
                subject: Some("customer".to_owned()),
                qualifier: environment(verb.after),
                ..Claim::one(category, name)
            }
            .weighing(weight::IDENTITY)
            .into(),
            None if verb.after.first().is_some_and(|next| next.text == "on") => {
                Claim::one("runs on", phrase(&verb.after[1..])).into()
            }
            None => lapse(verb),
        },
        "crash" | "fail" | "freeze" | "hang" | "stall" if !verb.negated => {
            Claim::many("issue", format!("{} {}", verb.token.base, phrase(verb.after)).trim()).sure(sure::OPEN).into()
        }
        "keep" if verb.after.first().is_some_and(|next| next.is(Class::Fails) && next.form == Form::Ing) => {
            Claim::many("issue", phrase(verb.after)).sure(sure::OPEN).into()
        }
        _ => lapse(verb),
    }
}

/// "Our contract renews in March", "my passport expires in 2030", "our lease runs until June".
fn lapse(verb: &Verb<'_>) -> Verdict {
    let until = || verb.after.first().is_some_and(|link| any(&link.text, &["until", "till", "through"]));
    let dated = || verb.after.iter().any(|token| token.is(Class::Month) || token.number());
    if verb.after.iter().any(|token| token.is(Class::Wh)) {
        return Verdict::Nothing;
    }
    match verb.token.base.as_str() {
        "renew" | "expire" | "end" | "lapse" | "lapses" if !verb.negated && !verb.after.is_empty() => {
            Claim::one("renewal", phrase(verb.after)).weighing(weight::IDENTITY).into()
        }
        "run" | "last" if until() && dated() => {
            Claim::one("renewal", phrase(verb.after)).weighing(weight::IDENTITY).into()
        }
        _ => Verdict::Nothing,
    }
}

/// A habit: a verb of activity, or any verb that "always", "every week" make one.
fn habit(verb: &Verb<'_>, customer: bool) -> Verdict {
    let base = verb.token.base.as_str();
    let present = match customer {
        true => verb.token.form == Form::Base,
        false => matches!(verb.token.form, Form::S | Form::Base),
    };
    // "I work on it", "I use the button", "I speak from experience": this talk's own matter.
    let at_hand = verb.after.first().is_some_and(|first| {
        first.is(Class::Preposition) && deictic(&verb.after[1..])
            || base == "use" && any(&first.text, &["the", "my", "this"])
            || base == "speak" && first.text == "from"
    });
    if !present
        || at_hand && !verb.habit
        || verb.token.is(Class::Prefer)
        || verb.token.is(Class::Aux)
        || verb.token.is(Class::Preposition)
        || verb.token.is(Class::Pronoun)
        || verb.token.is(Class::Determiner)
    {
        return Verdict::Nothing;
    }
    let activity = verb.token.is(Class::Habit);
    let known = (verb.token.is(Class::Verb) || verb.token.unknown())
        && !verb.after.is_empty()
        && !verb.after[0].mark()
        && verb.after[0].text != "to";
    let repeated = verb.habit || known;
    if !(activity || repeated && !verb.token.is(Class::Request)) || deictic_object(verb) {
        return Verdict::Nothing;
    }
    let value = format!("{base} {}", phrase(verb.after));
    Claim::many("habit", value.trim()).sure(if activity { sure::OPEN } else { sure::SHAPE }).into()
}
