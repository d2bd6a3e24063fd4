//! What happened, and what is to come for good.

use saidso_core::item::Kind;

use super::{
    super::rules::{sure, weight},
    circumstance::environment,
    claim::{Claim, Verdict},
    object::{deictic, named_technology, phrase},
    predicate::deictic_object,
    subject::Who,
    token::{Class, Form, Token, any},
    verb::{Tense, Verb},
    wanted::to_come,
};

/// What changes a life or a system whether or not a time is said.
fn turning_point(base: &str, after: &[Token]) -> bool {
    let has = |words: &[&str]| after.iter().take(7).any(|token| any(&token.text, words));
    match base {
        "marry" | "graduate" | "adopt" | "retire" | "emigrate" | "immigrate" | "relocate" | "divorce" | "enlist"
        | "migrate" => true,
        "die" | "pass" => base == "die" || has(&["away"]),
        "get" => has(&[
            "married",
            "divorced",
            "promoted",
            "engaged",
            "fired",
            "hired",
            "diagnosed",
            "pregnant",
            "laid",
            "job",
            "degree",
            "puppy",
            "dog",
            "cat",
            "kitten",
            "braces",
            "tattoo",
        ]),
        "start" | "begin" | "quit" | "leave" | "found" | "open" => has(&[
            "job",
            "business",
            "company",
            "school",
            "college",
            "band",
            "smoking",
            "drinking",
            "career",
            "university",
            "shop",
            "diet",
        ]),
        "lose" => {
            has(&[
                "job", "weight", "husband", "wife", "mom", "mother", "dad", "father", "son", "daughter", "leg", "arm",
                "hearing", "house",
            ]) && !has(&["card", "luggage"])
        }
        "win" => has(&[
            "lottery",
            "championship",
            "award",
            "medal",
            "tournament",
            "scholarship",
            "prize",
            "contest",
            "competition",
        ]),
        "buy" | "sell" => {
            has(&["house", "home", "condo", "apartment", "farm", "puppy", "dog", "cat", "boat", "business"])
        }
        "break" => has(&["leg", "arm", "ankle", "wrist", "hip", "back", "foot", "nose"]),
        "have" => has(&["surgery", "baby", "twins"]),
        "switch" | "upgrade" | "convert" => has(&["to"]),
        "publish" | "survive" | "hire" | "launch" => true,
        "serve" => has(&["army", "navy", "military", "marines", "iraq", "afghanistan", "war", "force"]),
        _ => false,
    }
}

/// Reads a verb in the past or perfect.
pub(super) fn event(who: &Who, verb: &Verb<'_>) -> Verdict {
    let base = verb.token.base.as_str();
    let after = verb.after;
    if verb.negated || verb.supposed {
        return Verdict::Nothing;
    }
    if !matches!(who, Who::Customer | Who::Person(_) | Who::Organisation(_)) {
        // "My subscription started in January": the span of what the customer has.
        let spans = any(base, &["start", "begin", "end", "expire", "renew"]) && timed(after);
        let happened = Claim::many("event", format!("{base} {}", phrase(after))).of_kind(Kind::Event).sure(sure::OPEN);
        return if spans { happened.into() } else { Verdict::Nothing };
    }
    let happened =
        || Claim::many("event", format!("{base} {}", phrase(after)).trim()).of_kind(Kind::Event).sure(sure::OPEN);
    if let Some(end) = ended(who, base, after) {
        let dated = timed(after).then(|| Claim { subject: None, ..happened() });
        return both(end, dated.or_else(|| matches!(who, Who::Person(_)).then(happened)));
    }
    if let Some(state) = new_state(base, after) {
        let turns = named_technology(after).is_some() || state.attribute == "marital status";
        return both(state, (timed(after) && turns).then(happened));
    }
    // "I ran out of milk" is for the shopping list.
    let out = base == "run" && after.first().is_some_and(|next| next.text == "out");
    if deictic_object(verb) || out {
        return Verdict::Nothing;
    }
    let stay = any(base, &["work", "play", "live", "study", "teach", "major"]);
    if stay && *who == Who::Customer && verb.tense == Tense::Past && lasting_past(after) {
        return Claim::many("background", format!("{base} {}", phrase(after))).into();
    }
    if turning_point(base, after) {
        return happened().weighing(weight::PREFERENCE).into();
    }
    // "I booked a room on May 20" is worth its date; "I booked a room" is the talk's own business.
    let mental = any(base, &["need", "want", "think", "know", "hear", "see", "feel", "hope", "like", "love"]);
    if timed(after) && !verb.token.is(Class::NoEvent) && !verb.token.is(Class::Aux) || on_a_day(after) && !mental {
        return happened().weighing(weight::DETAIL).into();
    }
    let acts = [Class::Event, Class::Verb, Class::Habit, Class::Project].iter().any(|class| verb.token.is(*class));
    let talk = verb.token.is(Class::NoEvent) || verb.token.is(Class::Request);
    if (acts || verb.token.unknown()) && !talk && after.iter().any(|token| !token.mark()) {
        return happened().weighing(weight::PASSING).sure(sure::SHAPE).into();
    }
    Verdict::Nothing
}

/// What no longer holds since it happened: the fact denied, under the topic and value it was said with.
fn ended(who: &Who, base: &str, after: &[Token]) -> Option<Claim> {
    let next = after.first().map_or("", |next| next.text.as_str());
    let no_more = |claim: Claim| Some(Claim { negated: true, changed: true, ..claim });
    let is = |class| move |token: &Token| token.is(class);
    match (who, base) {
        // "My dog died": the customer has it no more.
        (Who::Person(name), "die" | "pass") if base == "die" || next == "away" => {
            let pet = super::token::tokens(name.split(' ').next().unwrap_or_default(), 0);
            let pet = pet.first().filter(|token| token.is(Class::Pet))?;
            no_more(Claim { subject: Some("customer".to_owned()), ..Claim::many("pet", pet.base.clone()) })
        }
        // "I sold my boat", "I got rid of my car", "we gave away our cat".
        (Who::Customer, "sell" | "give" | "get" | "scrap" | "rehome") => {
            let rid = match base {
                "give" => after.iter().any(|token| token.text == "away"),
                "get" => next == "rid",
                _ => true,
            };
            let my = after.iter().position(|token| any(&token.text, &["my", "our"])).filter(|&at| rid && at <= 2)?;
            let object = &after[my + 1..];
            let noun: Vec<Token> = object
                .iter()
                .take_while(|token| !token.mark() && !token.is(Class::Preposition) && !is(Class::PassingTime)(token))
                .take_while(|token| !any(&token.text, &["last", "this", "away", "and", "because", "ago"]))
                .cloned()
                .collect();
            let pet = noun.iter().any(is(Class::Pet));
            no_more(Claim::many(if pet { "pet" } else { "has" }, phrase(&noun)))
        }
        // "I left Siemens", "I quit my job at Siemens", "I resigned from Siemens".
        (Who::Customer, "leave" | "quit" | "resign") => {
            let named = |at: usize| {
                after.get(at..).filter(|rest| rest.first().is_some_and(|first| first.capital && first.unknown()))
            };
            let link = after.iter().position(|token| any(&token.text, &["at", "from", "with"]));
            let job = after.iter().any(|token| any(&token.text, &["job", "position", "role"])) || next == "from";
            let employer = match link {
                Some(link) if job => named(link + 1)?,
                // "I left Siemens for Bosch" is as plain, "I left Siemens in my notes" is not.
                None => named(0).filter(|_| base != "resign")?,
                Some(_) => return None,
            };
            let plain = employer.iter().all(|token| token.capital || token.mark()) || job || timed(after);
            plain.then(|| no_more(Claim::one("employer", phrase(employer))))?
        }
        (Who::Customer, "split" | "separate") if next == "up" || after.is_empty() => {
            no_more(Claim::one("marital status", "married"))
        }
        _ => None,
    }
}

/// What holds since it happened: a move sets where one lives or what one runs on.
fn new_state(base: &str, after: &[Token]) -> Option<Claim> {
    let next = after.first().map_or("", |next| next.text.as_str());
    if base == "grow" && next == "up" && after.len() > 1 {
        return Some(Claim::one("hometown", phrase(&after[1..])));
    }
    if any(base, &["get", "start", "take", "accept"])
        && after.iter().take(4).any(|token| any(&token.text, &["job", "position"]))
        && let Some(link) = after.iter().position(|token| any(&token.text, &["at", "with"]))
        && after.get(link + 1).is_some_and(|named| named.capital)
    {
        return Some(Claim { changed: true, ..Claim::one("employer", phrase(&after[link + 1..])) });
    }
    if base == "divorce" && after.is_empty() || base == "get" && any(next, &["married", "divorced"]) {
        let status = if next == "married" { "married" } else { "divorced" };
        return Some(Claim { changed: true, ..Claim::one("marital status", status) });
    }
    if base == "become" && !deictic(after) {
        return Some(Claim { changed: true, ..Claim::one("occupation", phrase(after)) });
    }
    let place = &after[after.iter().position(|token| token.text == "to")? + 1..];
    if any(base, &["move", "migrate", "switch", "upgrade", "convert", "change", "relocate"])
        && let Some((category, name)) = named_technology(place)
    {
        return Some(Claim { changed: true, qualifier: environment(after), ..Claim::one(category, name) });
    }
    let named = place.first().is_some_and(|first| !any(&first.text, &["the", "a", "my", "another"]));
    let home = named || place.iter().any(|token| token.is(Class::PlaceNoun));
    (any(base, &["move", "relocate", "emigrate", "immigrate"]) && home && !deictic(place))
        .then(|| Claim { changed: true, ..Claim::one("home city", phrase(place)) })
}

/// "for Acme", "in college", "football".
fn lasting_past(after: &[Token]) -> bool {
    after.iter().take(5).any(|token| {
        any(
            &token.text,
            &[
                "at",
                "for",
                "as",
                "in",
                "football",
                "soccer",
                "basketball",
                "baseball",
                "violin",
                "piano",
                "guitar",
                "college",
            ],
        )
    }) && !after.iter().any(|token| token.is(Class::PassingTime))
}

/// A state with, if dated, the event that brought it.
fn both(state: Claim, event: Option<Claim>) -> Verdict {
    let state = state.weighing(weight::IDENTITY);
    if state.value.is_empty() {
        return Verdict::Nothing;
    }
    Verdict::Found([Some(state), event].into_iter().flatten().collect())
}

/// Whether a past time is said: "in March", "last year", "three weeks ago", "in 2019".
pub(super) fn timed(after: &[Token]) -> bool {
    after.iter().enumerate().any(|(at, token)| {
        let next = after.get(at + 1);
        match token.text.as_str() {
            "ago" | "yesterday" => true,
            "last" => next.is_some_and(|next| {
                next.is(Class::Month)
                    || any(
                        &next.text,
                        &["week", "month", "year", "summer", "winter", "spring", "fall", "weekend", "night"],
                    )
            }),
            "in" | "on" | "since" => next.is_some_and(|next| {
                next.is(Class::Month) && next.text != "may"
                    || year(&next.text)
                    || any(&next.text, &["college", "school", "childhood"])
            }),
            _ => false,
        }
    })
}

/// Whether a day of the calendar is said: "on May 20".
fn on_a_day(after: &[Token]) -> bool {
    // "may" is mostly no month, but with its capital and a day behind it is.
    let month = |token: &Token| token.is(Class::Month) && (token.text != "may" || token.capital);
    after.windows(2).any(|pair| month(&pair[0]) && pair[1].number())
}

fn year(text: &str) -> bool {
    text.len() == 4 && (text.starts_with("19") || text.starts_with("20")) && text.chars().all(|c| c.is_ascii_digit())
}

/// Reads "I will …", "I'm going to …": only what turns a life or a system.
pub(super) fn plan(who: &Who, verb: &Verb<'_>) -> Verdict {
    let base = verb.token.base.as_str();
    let refused = verb.token.is(Class::AbilityNot) && !any(base, &["see", "hear", "walk", "use", "take", "have"])
        || any(base, &["watch", "listen", "play", "touch", "visit", "attend"]);
    if verb.negated && !verb.supposed && *who == Who::Customer && refused && !deictic_object(verb) {
        let value = format!("{base} {}", phrase(verb.after));
        return Claim::many("cannot", value.trim()).weighing(weight::STRONG).sure(sure::OPEN).into();
    }
    if verb.negated
        || verb.supposed
        || !matches!(who, Who::Customer | Who::Person(_) | Who::Organisation(_))
        || deictic_object(verb)
    {
        return Verdict::Nothing;
    }
    let life = any(base, &["marry", "retire", "graduate", "emigrate", "relocate", "adopt", "migrate", "launch"])
        || base == "move" && verb.after.first().is_some_and(|next| next.text == "to")
        || base == "become"
        || base == "be" && verb.after.iter().any(|token| token.is(Class::FamilyRole))
        || base == "get" && verb.after.first().is_some_and(|next| any(&next.text, &["married", "divorced"]))
        || any(base, &["switch", "upgrade"]) && verb.after.iter().any(|token| token.text == "to");
    let what = format!("{base} {}", phrase(verb.after));
    let undertaken = *who == Who::Customer && verb.token.is(Class::Undertake);
    match () {
        () if life || undertaken && far(verb.after) => {
            Claim::many("plan", what.trim()).weighing(weight::PREFERENCE).sure(sure::OPEN).into()
        }
        // What the customer takes on for a day to come: "I will sign tomorrow".
        () if undertaken && verb.token.form == Form::Base && to_come(verb.after) => {
            Claim::many("to do", what.trim()).of_kind(Kind::Task).weighing(weight::PASSING).sure(sure::OPEN).into()
        }
        () => Verdict::Nothing,
    }
}

/// A month, a season or a year to come: longer than a to-do lives.
fn far(after: &[Token]) -> bool {
    after.windows(2).any(|pair| {
        let ahead = any(&pair[0].text, &["in", "next", "by", "until", "the", "this"]);
        let day = pair[1].text.ends_with("day");
        let month = pair[1].is(Class::Month) && !day && (pair[1].text != "may" || pair[1].capital);
        ahead
            && (month
                || year(&pair[1].text)
                || any(&pair[1].text, &["year", "quarter", "spring", "summer", "autumn", "fall", "winter"]))
    })
}
