//! What lets values stand side by side, apart from the value: a setting ("in production", "our test database"), a purpose
//! ("for billing"), a season, hour or place of life ("in summer", "at work").

use super::{
    object::{deictic, phrase},
    subject::Who,
    token::{self, Class, Token, any},
    verb::Tense,
};

/// A setting or purpose anywhere in what a verb governs.
pub(super) fn environment(tokens: &[Token]) -> Option<String> {
    setting(tokens, false).or_else(|| purpose(tokens))
}

/// What stands before the verb: "in summer (I swim)", "for billing (we use)", "our database for reports (is)". A season
/// qualifies only what is so as a rule; of the past it tells when.
pub(super) fn ahead(tokens: &[Token], who: &Who, tense: Tense) -> Option<String> {
    let own = tokens.iter().rposition(|token| any(&token.text, &["my", "our"]));
    let end = match own {
        // The thing's own name belongs to it.
        Some(0) if matches!(who, Who::Thing(_)) => tokens.len(),
        Some(at) => at,
        None => tokens.iter().position(|token| any(&token.text, &["i", "we"])).unwrap_or(tokens.len()),
    };
    let front = &tokens[..end];
    let ruled = matches!(tense, Tense::Present | Tense::Progressive | Tense::Perfect | Tense::Can);
    let occasion = || occasions(front).next().map(|(_, _, name)| name);
    let known = setting(front, true).or_else(|| occasion().filter(|_| ruled)).or_else(|| purpose(front));
    known.or_else(|| of_thing(who))
}

/// What the name of a thing says it is for: "our billing database".
fn of_thing(who: &Who) -> Option<String> {
    const ANY: [&str; 17] = [
        "new", "old", "current", "main", "own", "primary", "whole", "entire", "existing", "company", "default", "only",
        "first", "second", "web", "other", "next",
    ];
    let Who::Thing(name) = who else { return None };
    let (modifier, _) = name.rsplit_once(' ')?;
    let plain = token::tokens(modifier, 0)
        .iter()
        .all(|word| !any(&word.text, &ANY) && !word.number() && !word.is(Class::Adverb) && !word.is(Class::Pointer));
    plain.then(|| format!("for {modifier}"))
}

/// The season, hour or place of life behind a verb: where it stands, and its name.
pub(super) fn behind(after: &[Token]) -> Option<(usize, usize, String)> {
    occasions(after).next()
}

/// Where a second value with a circumstance of its own begins: "Postgres in production (and) SQLite in tests".
/// The first may have its own in front of the verb (`ahead`).
pub(super) fn second(after: &[Token], ahead: bool) -> Option<usize> {
    let has = |tokens: &[Token]| environment(tokens).is_some() || behind(tokens).is_some();
    let joint = |at: &usize| any(&after[*at].text, &["and", ","]);
    (1..after.len()).filter(joint).find(|&at| {
        let rest = &after[at + 1..];
        let subject = rest.iter().any(|token| token.is(Class::Pronoun) || any(&token.text, &["my", "our"]));
        !subject && (ahead || has(&after[..at])) && has(rest)
    })
}

/// "In (the) summer", "at work", "on Sundays": first token, one past the last, name without the article.
fn occasions(tokens: &[Token]) -> impl Iterator<Item = (usize, usize, String)> + '_ {
    const IN: [&str; 12] = [
        "summer",
        "winter",
        "spring",
        "autumn",
        "fall",
        "morning",
        "mornings",
        "evening",
        "evenings",
        "afternoon",
        "afternoons",
        "office",
    ];
    const AT: [&str; 8] = ["work", "home", "school", "night", "university", "office", "uni", "weekends"];
    const ON: [&str; 12] = [
        "weekends",
        "weekdays",
        "weekend",
        "holiday",
        "holidays",
        "vacation",
        "mondays",
        "tuesdays",
        "wednesdays",
        "thursdays",
        "fridays",
        "saturdays",
    ];
    (0..tokens.len()).filter_map(|at| {
        let link = &tokens[at];
        let article = usize::from(tokens.get(at + 1).is_some_and(|next| next.text == "the"));
        let noun = tokens.get(at + 1 + article)?;
        let known = match link.text.as_str() {
            "in" | "during" => any(&noun.text, &IN),
            "at" => any(&noun.text, &AT),
            "on" => any(&noun.text, &ON) || noun.text == "sundays",
            _ => false,
        };
        // "In the office of Dr. Berg", "at school 12", "in summer 2019", "at work tomorrow": one of them, or one time.
        let one = tokens
            .get(at + 2 + article)
            .is_some_and(|next| next.text == "of" || next.number() || next.is(Class::PassingTime));
        (known && !one).then(|| (at, at + 2 + article, format!("{} {}", link.text, noun.text)))
    })
}

/// "For billing", "for the web shop": not how long, nor for whom.
fn purpose(tokens: &[Token]) -> Option<String> {
    let at = tokens.iter().position(|token| token.text == "for")?;
    let rest = &tokens[at + 1..];
    let first = rest.iter().find(|token| !token.is(Class::Determiner))?;
    let lasts = rest.iter().take(3).any(|token| {
        any(
            &token.text,
            &["now", "while", "time", "long", "ever", "years", "year", "months", "weeks", "days", "decades", "ages"],
        )
    });
    let empty = any(
        &first.text,
        &["example", "instance", "sure", "real", "fun", "free", "living", "me", "us", "some", "that", "which", "what"],
    );
    let names = !lasts && !empty && !first.number() && !first.is(Class::Pronoun) && !deictic(rest);
    let purpose = phrase(rest);
    (names && !purpose.is_empty()).then(|| format!("for {purpose}"))
}

/// "In production", "on the test environment"; of a thing, its name alone says it: "our test database".
fn setting(tokens: &[Token], named: bool) -> Option<String> {
    tokens.iter().find_map(|token| {
        let name = match token.text.as_str() {
            "production" | "prod" => "production",
            "test" | "testing" | "tests" => "test",
            "development" | "dev" => "development",
            "staging" | "qa" | "sandbox" => token.text.as_str(),
            _ => return None,
        };
        let own = named && any(&tokens.first()?.text, &["my", "our"]);
        let set = tokens.iter().any(|other| any(&other.text, &["in", "on", "for", "environment", "env"]));
        let alone = named && tokens.iter().filter(|token| token.text != "the").count() <= 2;
        (set || own || alone).then(|| format!("{name} environment"))
    })
}
