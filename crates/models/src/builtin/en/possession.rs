//! What is said of what the customer has, by a form of "be": "my favorite color is green", "our database is Oracle".

use super::token::any;
use super::{
    super::rules::{sure, weight},
    circumstance::environment,
    claim::{Claim, Verdict},
    object::{named_technology, phrase},
    privilege::privileged,
    token::{Class, Form, Token},
    verb::Tense,
};

/// "my favorite color is green", "my name is Anna", "my job is teaching".
pub(super) fn of_trait(name: &str, rest: &[Token]) -> Verdict {
    let Some(first) = rest.first() else { return Verdict::Nothing };
    if first.is(Class::Deictic) && !first.number() && !first.capital || first.is(Class::Wh) {
        return Verdict::Nothing;
    }
    let favourite = name.starts_with("favorite");
    let job = any(name, &["job", "occupation", "profession", "career", "work", "title", "role", "position"]);
    if job && privileged(rest) {
        return Verdict::Nothing;
    }
    if job {
        let named = first.is(Class::Determiner)
            || first.is(Class::Occupation)
            || first.form == Form::Ing
            || first.text == "to"
            || first.text == "in";
        return if named {
            Claim::one("occupation", phrase(rest)).weighing(weight::IDENTITY).into()
        } else {
            Verdict::Nothing
        };
    }
    let importance = match () {
        () if favourite => weight::PREFERENCE,
        () if name.contains("allerg") || name.contains("budget") || name.contains("deadline") => weight::CONSTRAINT,
        () => weight::IDENTITY,
    };
    Claim::one(name, phrase(rest)).weighing(importance).into()
}

/// "our CTO is Anna Berg", "my internet provider is Telia": a name is the value, whatever the noun.
pub(super) fn of_other(name: &str, tense: Tense, rest: &[Token]) -> Verdict {
    let issue = super::token::tokens(name, 0).iter().any(|token| token.is(Class::Issue));
    match rest.first() {
        Some(first)
            if tense == Tense::Present && !issue && first.capital && first.unknown() && first.text.len() > 2 =>
        {
            Claim::one(name, phrase(rest)).weighing(weight::IDENTITY).sure(sure::OPEN).into()
        }
        _ => Verdict::Nothing,
    }
}

/// "our database is Oracle", "my car is a Tesla", "our office is in Munich".
pub(super) fn of_thing(name: &str, rest: &[Token]) -> Verdict {
    let Some(first) = rest.first() else { return Verdict::Nothing };
    if let Some((category, name)) = named_technology(rest) {
        return Claim {
            subject: Some("customer".to_owned()),
            qualifier: environment(rest),
            ..Claim::one(category, name).weighing(weight::IDENTITY)
        }
        .into();
    }
    match first.text.as_str() {
        "a" | "an" => Claim::one("kind", phrase(rest)).sure(sure::OPEN).into(),
        _ if rest.iter().take(2).any(|token| token.is(Class::Deployment)) => {
            Claim::one("deployment", phrase(rest)).weighing(weight::IDENTITY).into()
        }
        "in" | "on" | "located"
            if name.contains("office") || name.contains("headquarters") || name.contains("branch") =>
        {
            Claim::one("location", phrase(&rest[1..])).weighing(weight::IDENTITY).into()
        }
        _ => Verdict::Nothing,
    }
}
