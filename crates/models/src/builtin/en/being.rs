//! "I am …", "my wife is …", "we're based in …".

use saidso_core::item::{DropReason, Kind};

use super::{
    super::rules::{sure, weight},
    circumstance::environment,
    claim::{Claim, Verdict},
    event::timed,
    naming::given_name,
    object::{deictic, matter, named_technology, phrase, singular},
    possession::{of_other, of_thing, of_trait},
    privilege::privileged,
    subject::{Who, begins},
    token::{Class, Form, Token, any},
    verb::{Tense, Verb},
};

/// Reads a form of "be" and its complement.
pub(super) fn being(who: &Who, verb: &Verb<'_>) -> Verdict {
    let mut negated = verb.negated;
    let mut never = false;
    let mut changed = verb.changed;
    let mut rest = verb.after;
    while let [first, tail @ ..] = rest {
        if first.text == "not" {
            negated = !negated;
        } else if first.text == "never" {
            (negated, never) = (true, true);
        } else if begins(rest, &["no", "longer"]) {
            (negated, changed) = (true, true);
            rest = &tail[1..];
            continue;
        } else if any(&first.text, &["almost", "nearly", "barely", "hardly"]) && !super::verb::settles(tail) {
            return Verdict::Refused(DropReason::Hedged);
        } else if !(first.is(Class::Adverb) || first.is(Class::Intensifier) && !first.is(Class::Number) || ly(first))
            || begins(rest, &["all", "set"])
        {
            break;
        }
        rest = tail;
    }
    let verdict = match who {
        Who::Trait(name) | Who::TraitOf { name, .. } => of_trait(name, rest),
        Who::Thing(name) => of_thing(name, rest),
        Who::Other(name) => of_other(name, verb.tense, rest),
        Who::Customer | Who::Person(_) | Who::Organisation(_) => {
            // "I was never a teacher" denies that it was ever so, and so that it is.
            if verb.tense == Tense::Past && !never {
                was(who, rest)
            } else {
                complement(who, rest, negated, verb.strong)
            }
        }
    };
    settle(verdict, negated, changed)
}

/// Stamps denial and change on what was found; opinions have taken the denial in already.
fn settle(verdict: Verdict, negated: bool, changed: bool) -> Verdict {
    match verdict {
        Verdict::Found(claims) => Verdict::Found(
            claims
                .into_iter()
                .map(|claim| Claim {
                    negated: negated && !claim.attribute.starts_with("opinion of"),
                    changed: changed || claim.changed,
                    ..claim
                })
                .collect(),
        ),
        other => other,
    }
}

fn ly(token: &Token) -> bool {
    token.text.len() > 4
        && token.text.ends_with("ly")
        && !any(&token.text, &["family", "friendly", "elderly", "lonely", "only", "italy"])
}

/// The complement of a person or company in the present.
fn complement(who: &Who, rest: &[Token], negated: bool, strong: bool) -> Verdict {
    let Some(first) = rest.first() else { return Verdict::Nothing };
    let customer = *who == Who::Customer;
    match first.text.as_str() {
        "from" => return Claim::one("origin", phrase(&rest[1..])).weighing(weight::IDENTITY).into(),
        "into" if !deictic(&rest[1..]) => return opinion(&rest[1..], negated, strong),
        "against" if !deictic(&rest[1..]) => return opinion(&rest[1..], !negated, true),
        "in" => match inside(&rest[1..]) {
            Verdict::Nothing
                if matches!(who, Who::Organisation(_)) && rest.get(1).is_some_and(|place| place.capital) =>
            {
                return Claim::one("location", phrase(&rest[1..])).weighing(weight::IDENTITY).into();
            }
            Verdict::Nothing if matches!(who, Who::Person(_)) && !deictic(&rest[1..]) => {
                return Claim::many("is", phrase(rest)).sure(sure::SHAPE).into();
            }
            other => return other,
        },
        "on" => return on(&rest[1..]),
        "named" | "called" => return Claim::one("name", phrase(&rest[1..])).weighing(weight::IDENTITY).into(),
        "a" | "an" | "the" | "one" | "my" | "our" | "another" if !(customer && privileged(&rest[1..])) => {
            return noun(who, rest, negated, strong);
        }
        _ => {}
    }
    if customer && privileged(rest) {
        return Verdict::Nothing;
    }
    if let Some(age) = age(rest) {
        return Claim::one("age", age).weighing(weight::IDENTITY).into();
    }
    if first.is(Class::Passing) && customer {
        return Verdict::Refused(DropReason::Transient);
    }
    if first.is(Class::LastingOf)
        && let [_, link, about @ ..] = rest
        && any(&link.text, &["of", "to", "about", "at", "with", "in", "for", "by", "on", "that"])
        && !(deictic(about) || about.is_empty())
    {
        return lasting_of(first, std::slice::from_ref(link), about, negated, strong);
    }
    if first.is(Class::Lasting) || rest.get(1).is_some_and(|next| next.is(Class::Health)) {
        return lasting(who, first, rest);
    }
    if first.is(Class::Occupation)
        && first.form != Form::Ing
        && first.form != Form::Past
        && !rest.get(1).is_some_and(|next| next.is(Class::Thing))
    {
        return Claim::one("occupation", phrase(rest)).weighing(weight::IDENTITY).into();
    }
    open_trait(who, rest)
}

/// An adjective nobody listed: a trait, unless it is of the moment or points elsewhere.
fn open_trait(who: &Who, rest: &[Token]) -> Verdict {
    let Some(first) = rest.first() else { return Verdict::Nothing };
    if *who == Who::Customer && given_name(first) && rest.get(1).is_none_or(|next| next.mark() || next.text == "from") {
        return Claim::one("name", first.text.clone()).weighing(weight::IDENTITY).sure(sure::OPEN).into();
    }
    let listed = [
        Class::Mood,
        Class::Passing,
        Class::Deictic,
        Class::Preposition,
        Class::Pronoun,
        Class::Wh,
        Class::Aux,
        Class::Filler,
        Class::Number,
        Class::Request,
        Class::Determiner,
        Class::Month,
        Class::Issue,
        Class::PassingTime,
    ];
    let ends = rest.get(1).is_none_or(|next| {
        next.mark() || any(&next.text, &["and", "but", "too", "so", "lol", "because", "when", "as", "about", "with"])
    });
    let open = !listed.iter().any(|class| first.is(*class))
        && matches!(first.form, Form::Base)
        && !first.number()
        && first.text.len() > 2;
    if !open || !(ends || matches!(who, Who::Person(_)) && rest.len() < 6) {
        return Verdict::Nothing;
    }
    Claim::many("trait", phrase(rest)).sure(sure::SHAPE).into()
}

fn opinion(about: &[Token], negated: bool, strong: bool) -> Verdict {
    if deictic(about) {
        return Verdict::Nothing;
    }
    Claim::opinion(&matter(about), if negated { "dislikes" } else { "likes" }, strong).into()
}

/// "afraid of spiders", "good at chess", "responsible for billing".
fn lasting_of(adjective: &Token, link: &[Token], about: &[Token], negated: bool, strong: bool) -> Verdict {
    if adjective.is(Class::Health) && !deictic(about) {
        let what = [std::slice::from_ref(adjective), link, about].concat();
        return health(&what);
    }
    if adjective.is(Class::OpinionOf) {
        return opinion(about, negated != adjective.is(Class::NegativeOf), strong || adjective.is(Class::NegativeOf));
    }
    match adjective.text.as_str() {
        "responsible" => Claim::many("responsibility", phrase(about)).weighing(weight::IDENTITY).into(),
        "interested" if negated => opinion(about, true, strong),
        // "In finding a hotel", "in a new plan": what this talk is to bring.
        "interested" if about.first().is_some_and(for_now) => Verdict::Nothing,
        "interested" => Claim::many("interest", matter(about))
            .of_kind(Kind::Topic)
            .weighing(weight::PASSING)
            .sure(sure::OPEN)
            .into(),
        "good" | "great" | "skilled" | "talented" | "trained" | "certified" | "qualified" | "licensed" => {
            Claim::many("skill", matter(about)).sure(sure::OPEN).into()
        }
        "bad" | "terrible" => Claim::many("weakness", matter(about)).sure(sure::OPEN).into(),
        other => Claim::many("trait", format!("{other} {}", matter(about))).sure(sure::OPEN).into(),
    }
}

/// What an interest of the moment begins with.
fn for_now(first: &Token) -> bool {
    let sought = any(&first.base, &["have", "watch", "attend", "visit", "rent", "search", "transfer", "apply", "see"])
        || first.is(Class::Request)
        || first.is(Class::RequestStart);
    first.form == Form::Ing && (sought || any(&first.text, &["renting", "searching", "applying", "attending"]))
        || any(&first.text, &["a", "an", "the", "this"])
        || first.number()
}

/// Health, with what it is about: "allergic to peanuts" → "allergic to peanuts".
fn health(tokens: &[Token]) -> Verdict {
    let words: Vec<&Token> = tokens.iter().filter(|token| !token.mark()).collect();
    // "I'm allergic" does not say to what.
    if matches!(words.as_slice(), [only] if any(&only.text, &["allergic", "intolerant"])) {
        return Verdict::Nothing;
    }
    // One number, so that "a nut allergy" and "allergic to nuts" are one thing.
    let value = phrase(tokens);
    let value = if value.starts_with("allergic to") { singular(&value) } else { value };
    Claim::many("health", value).weighing(weight::CONSTRAINT).into()
}

/// "Born in 1984 (in Lyon)", without its "I was".
pub(super) fn born(token: &Token, after: &[Token]) -> Verdict {
    lasting(&Who::Customer, token, &[std::slice::from_ref(token), after].concat())
}

/// An adjective that lasts.
fn lasting(who: &Who, first: &Token, rest: &[Token]) -> Verdict {
    let next = rest.get(1).map_or("", |next| next.text.as_str());
    match first.text.as_str() {
        "born" => match next {
            "in" if rest.get(2).is_some_and(|token| token.number() || token.is(Class::Month)) => {
                Claim::one("birth date", phrase(&rest[2..])).weighing(weight::IDENTITY).into()
            }
            "on" => Claim::one("birth date", phrase(&rest[2..])).weighing(weight::IDENTITY).into(),
            "in" => Claim::one("birthplace", phrase(&rest[2..])).weighing(weight::IDENTITY).into(),
            _ => Claim::one("birth", phrase(rest)).into(),
        },
        "based" | "located" if any(next, &["in", "at", "near", "out"]) => {
            let attribute = if *who == Who::Customer { "home city" } else { "location" };
            Claim::one(attribute, phrase(&rest[2..])).weighing(weight::IDENTITY).into()
        }
        "based" | "located" => Verdict::Nothing,
        "employed" => Claim::one("employer", phrase(rest)).weighing(weight::IDENTITY).into(),
        _ if rest.iter().take(2).any(|token| token.is(Class::Health)) => health(rest),
        _ if first.is(Class::Diet) => Claim::one("diet", first.text.clone()).weighing(weight::CONSTRAINT).into(),
        // "a single room" never gets here, "single" alone does.
        _ if first.is(Class::Marital) => {
            Claim::one("marital status", first.text.clone()).weighing(weight::IDENTITY).into()
        }
        _ => Claim::many("trait", first.text.clone()).into(),
    }
}

/// "32", "32 years old".
fn age(rest: &[Token]) -> Option<String> {
    const TENS: [&str; 11] = [
        "twelve",
        "thirteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
    ];
    let first = rest.first()?;
    let in_words = any(&first.text, &TENS) || any(&first.text, &["sixty", "seventy", "eighty", "ninety"]);
    let years: u32 = first.text.parse().ok().or(in_words.then_some(20)).filter(|years| (1..=110).contains(years))?;
    // "5 and 8" are two ages.
    if rest.get(1).is_some_and(|and| and.text == "and") && rest.get(2).is_some_and(Token::number) {
        return None;
    }
    let fits = match rest.get(1).filter(|next| !(in_words && next.number())) {
        None => years >= 5,
        Some(next) => {
            any(&next.text, &["years", "year", "yrs", "yo", "y", "months", "now", "today", "lol", "haha"])
                && (next.text != "years"
                    || rest
                        .get(2)
                        .is_none_or(|after| after.text == "old" || after.mark() || after.is(Class::Preposition)))
                || next.mark()
                || any(&next.text, &["and", "but", "so"])
        }
    };
    fits.then(|| phrase(&rest[..rest.len().min(2)]).split(" year").next().unwrap_or_default().to_owned())
}

/// "in sales", "in my thirties", "in college".
fn inside(rest: &[Token]) -> Verdict {
    let Some(first) = rest.first() else { return Verdict::Nothing };
    let named = if first.text == "the" || first.text == "a" { rest.get(1) } else { Some(first) };
    if any(&first.text, &["my", "our"])
        && rest[1..].iter().take(2).any(|decade| decade.text.ends_with("0s") || decade.text.ends_with("ties"))
    {
        return Claim::one("age", phrase(rest)).into();
    }
    let Some(named) = named else { return Verdict::Nothing };
    if let Some(branch) = industry(rest) {
        return branch.into();
    }
    let service = any(
        &named.text,
        &["army", "navy", "military", "marines", "force", "reserves", "band", "choir", "wheelchair", "orchestra"],
    );
    if named.is(Class::Field) || named.text == "it" && named.capital {
        return Claim::one("field of work", phrase(rest)).weighing(weight::IDENTITY).sure(sure::OPEN).into();
    }
    if service {
        return Claim::many("field of work", phrase(rest)).weighing(weight::IDENTITY).sure(sure::OPEN).into();
    }
    Verdict::Nothing
}

/// "The retail industry", "the logistics business": the branch of a company, as "a retail company" says it.
pub(super) fn industry(rest: &[Token]) -> Option<Claim> {
    let [article, name @ ..] = rest else { return None };
    let head = name.iter().take(5).take_while(|token| !token.mark()).position(|token| {
        any(&token.text, &["industry", "business", "sector", "trade", "field", "market", "space", "line"])
    })?;
    let name = &name[..head];
    let plain = article.text == "the" && !name.is_empty() && !name.iter().any(|token| token.is(Class::Pointer));
    let value = phrase(name);
    let named = plain && !value.is_empty() && !any(&value, &["same", "other", "wrong", "right", "middle", "free"]);
    named.then(|| Claim::one("industry", value).weighing(weight::IDENTITY))
}

/// "on insulin", "on a keto diet", "on the Pro plan", "on MySQL 8".
fn on(rest: &[Token]) -> Verdict {
    if let Some((category, name)) = named_technology(rest) {
        return Claim { qualifier: environment(rest), ..Claim::one(category, name).weighing(weight::IDENTITY) }.into();
    }
    match () {
        () if rest.iter().any(|token| token.is(Class::Deployment)) => {
            Claim::one("deployment", format!("on {}", phrase(rest))).weighing(weight::IDENTITY).into()
        }
        () if rest.iter().any(|token| token.is(Class::Diet)) => {
            Claim::one("diet", phrase(rest)).weighing(weight::CONSTRAINT).into()
        }
        () if rest.iter().any(|token| token.is(Class::Health)) => health(rest),
        () if rest.iter().any(|token| any(&token.text, &["plan", "tier", "edition"])) && rest[0].text == "the" => {
            Claim::one("plan", phrase(rest)).into()
        }
        () => Verdict::Nothing,
    }
}

/// "a nurse", "a huge fan of jazz", "a logistics company", "a mother of two".
fn noun(who: &Who, rest: &[Token], negated: bool, strong: bool) -> Verdict {
    let mut start = 1 + usize::from(rest[0].text == "one" && rest.get(1).is_some_and(|next| next.text == "of"));
    while rest.get(start).is_some_and(|token| token.is(Class::Intensifier) && !any(&token.text, &["real"]) || ly(token))
    {
        start += 1;
    }
    let body = rest.get(start..).unwrap_or_default();
    let Some(first) = body.first() else { return Verdict::Nothing };
    if first.is(Class::Passing) {
        return Verdict::Refused(DropReason::Transient);
    }
    let end = body
        .iter()
        .position(|token| {
            token.mark()
                || token.is(Class::Preposition)
                || any(
                    &token.text,
                    &["who", "that", "which", "and", "but", "so", "because", "or", "now", "too", "when", "here"],
                )
        })
        .unwrap_or(body.len());
    let np = &body[..end];
    let after = &body[end..];
    let Some(head) = np.last() else { return Verdict::Nothing };
    if any(&first.text, &["oldest", "youngest", "eldest", "only", "middle"])
        && body.iter().any(|token| token.is(Class::Person) || any(&token.text, &["siblings", "sibling"]))
    {
        return Claim::many("family role", phrase(body)).weighing(weight::IDENTITY).into();
    }
    if head.is(Class::Advocate) {
        return match after.first() {
            Some(of) if any(&of.text, &["of", "in", "for"]) => opinion(&after[1..], negated, strong),
            _ if np.len() > 1 => opinion(&np[..np.len() - 1], negated, strong),
            _ => Verdict::Nothing,
        };
    }
    if any(&head.base, &["family", "household"]) {
        return match after {
            [of, count, ..] if of.text == "of" && count.number() => {
                Claim::one("household size", count.text.clone()).weighing(weight::IDENTITY).into()
            }
            _ => Verdict::Nothing,
        };
    }
    if head.base == "volunteer" {
        return Claim::many("volunteering", phrase(body)).into();
    }
    if head.base == "human" {
        return Verdict::Nothing;
    }
    if head.base == "person" {
        return Claim::many("trait", phrase(np)).sure(sure::OPEN).into();
    }
    if head.is(Class::Organisation) && !head.is(Class::Person) && np.len() > 1 {
        // "A small bakery" is a bakery; "a logistics company" is in logistics.
        const SIZES: [&str; 14] = [
            "small",
            "big",
            "large",
            "little",
            "tiny",
            "young",
            "new",
            "local",
            "family",
            "huge",
            "medium",
            "old",
            "independent",
            "private",
        ];
        let branch = &np[..np.len() - 1];
        let branch = if branch.iter().all(|token| any(&token.text, &SIZES)) { np } else { branch };
        let plain =
            any(&head.base, &["company", "business", "firm", "team", "organisation", "organization", "startup"]);
        return match branch.len() == np.len() && plain {
            true => Claim::many("is", phrase(np)).into(),
            false => Claim::one("industry", phrase(branch)).weighing(weight::IDENTITY).into(),
        };
    }
    if np.iter().any(|token| token.is(Class::Diet)) {
        return Claim::one("diet", phrase(np)).weighing(weight::CONSTRAINT).into();
    }
    if np.iter().any(|token| token.is(Class::FamilyRole)) {
        return Claim::many("family role", phrase(body)).weighing(weight::IDENTITY).into();
    }
    if head.is(Class::Occupation) || by_ending(head) || head.is(Class::Person) && !matches!(who, Who::Person(_)) {
        return Claim { changed: false, ..Claim::one("occupation", phrase(np)) }.weighing(weight::IDENTITY).into();
    }
    if np.iter().any(|token| token.is(Class::Deictic) || token.is(Class::Issue))
        || rest[0].text == "the"
        || any(&rest[0].text, &["my", "our"])
    {
        return Verdict::Nothing;
    }
    Claim::many("is", phrase(body)).sure(sure::OPEN).into()
}

/// Nouns of people who do something.
fn by_ending(head: &Token) -> bool {
    let noun = head.base.as_str();
    noun.len() > 4
        && !head.is(Class::NoJob)
        && ["er", "or", "ist", "ian", "man", "woman"].iter().any(|ending| noun.ends_with(ending))
}

/// "was born in", "was a teacher", "was raised by".
fn was(who: &Who, rest: &[Token]) -> Verdict {
    let Some(first) = rest.first() else { return Verdict::Nothing };
    match first.text.as_str() {
        "born" => lasting(who, first, rest),
        "raised" => Claim::one("hometown", phrase(rest)).weighing(weight::IDENTITY).into(),
        "diagnosed" => health(rest),
        "adopted" | "homeschooled" => Claim::many("background", phrase(rest)).into(),
        "founded" => Claim::one("founded", phrase(&rest[1..])).into(),
        "a" | "an" => match noun(who, rest, false, false) {
            Verdict::Found(claims)
                if claims.iter().all(|claim| any(&claim.attribute, &["occupation", "family role", "is"])) =>
            {
                Claim::many("former role", phrase(rest)).into()
            }
            other => match other {
                Verdict::Refused(_) => Verdict::Nothing,
                other => other,
            },
        },
        "in" => match inside(&rest[1..]) {
            Verdict::Found(_) => Claim::many("background", phrase(&rest[1..])).into(),
            other => other,
        },
        // "I was hired in March 2020"; what was done to an order is the talk's own business.
        _ if first.form == Form::Past
            && timed(rest)
            && any(&first.base, &["hire", "promote", "found", "acquire", "train", "elect", "lay", "fire", "adopt"]) =>
        {
            Claim::many("event", phrase(rest)).of_kind(Kind::Event).into()
        }
        _ => Verdict::Nothing,
    }
}
