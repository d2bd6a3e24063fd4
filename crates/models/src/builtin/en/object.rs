//! What a verb is about, as a normalised phrase for topic keys and values.

use super::super::technology;
use super::token::{Class, Form, Token, any};

/// The most words of a value, and of the matter of an opinion.
const WORDS: usize = 5;
const MATTER: usize = 10;

/// A phrase without articles, strength and what follows it; at most five words, in lower case.
pub(super) fn phrase(tokens: &[Token]) -> String {
    normal(tokens, WORDS, stops)
}

fn normal(tokens: &[Token], most: usize, stops: fn(&[Token], usize) -> bool) -> String {
    let mut words: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if stops(tokens, at) && !words.is_empty() || words.len() == most {
            break;
        }
        if token.mark() || skipped(token) && words.is_empty() || token.is(Class::Determiner) {
            continue;
        }
        words.push(&token.text);
    }
    while words.len() > 1
        && words.last().is_some_and(|word| any(word, &["haha", "hahaha", "lol", "lmao", "xd", "hehe"]))
    {
        words.pop();
    }
    while words.last().is_some_and(|word| {
        any(word, &["of", "in", "at", "for", "to", "with", "and", "or", "now", "too", "more", "much", "that", "from"])
    }) {
        words.pop();
    }
    words.join(" ")
}

/// The thing of an opinion: "eating Chinese food" and "the Chinese food" are both "chinese food".
pub(super) fn matter(tokens: &[Token]) -> String {
    let mut rest = tokens;
    while let [first, next, ..] = rest {
        let light = first.is(Class::Light)
            && (first.form == Form::Ing || first.form == Form::Base)
            && !(stops(rest, 1) || next.is(Class::Preposition) && next.text != "to");
        let to = first.text == "to"
            || any(&first.text, &["of", "for", "about", "any", "kind", "sort", "type", "types", "kinds", "form"]);
        if (to || light || skipped(first)) && !next.mark() {
            rest = &rest[1..];
        } else {
            break;
        }
    }
    // With all its modifiers: "products with fragrances" and "products of wood" are different things.
    let whole =
        normal(rest, MATTER, |tokens, at| ends(&tokens[at]) || any(&tokens[at].text, &["as", "before", "after"]));
    match whole.contains(' ') {
        true => whole,
        false => singular(&whole),
    }
}

/// Whether an object cannot stand alone.
pub(super) fn deictic(tokens: &[Token]) -> bool {
    let mut rest = tokens;
    while let [first, tail @ ..] = rest {
        if any(
            &first.text,
            &[
                "the", "a", "an", "to", "so", "all", "very", "really", "both", "of", "just", "any", "how", "as",
                "have", "having", "with",
            ],
        ) && !tail.is_empty()
        {
            rest = tail;
        } else {
            break;
        }
    }
    let definite = tokens.len() > rest.len() && tokens[tokens.len() - rest.len() - 1].text == "the";
    match rest {
        [] => true,
        // "this kind of music" still names its matter, but mostly such words only point.
        [first, ..] if first.is(Class::Pointer) || first.mark() => true,
        [first] => first.is(Class::Deictic),
        [first, second, ..] => {
            let vague = second.mark()
                || second.is(Class::Deictic)
                || second.is(Class::Aux)
                || second.is(Class::Stop)
                || any(&second.text, &["you", "very", "better", "more", "thanks", "hotel", "place", "and"]);
            first.is(Class::Deictic)
                && !first.number()
                && (vague || (definite || !first.form.eq(&Form::S)) && second.is(Class::Preposition))
        }
    }
}

/// The last word in the singular, if it has a plain plural.
pub(super) fn singular(phrase: &str) -> String {
    let (front, last) = phrase.rsplit_once(' ').map_or(("", phrase), |(front, last)| (front, last));
    let one = match last {
        _ if last.len() < 4
            || last.ends_with("ss")
            || last.ends_with("us")
            || last.ends_with("is")
            || any(last, &["series", "species", "news"]) =>
        {
            last.to_owned()
        }
        _ if last.ends_with("ies") && last.len() > 4 && last != "movies" && last != "cookies" => {
            format!("{}y", &last[..last.len() - 3])
        }
        _ if last.ends_with("ches") || last.ends_with("shes") || last.ends_with("xes") => {
            last[..last.len() - 2].to_owned()
        }
        _ => last.strip_suffix('s').unwrap_or(last).to_owned(),
    };
    if front.is_empty() { one } else { format!("{front} {one}") }
}

fn skipped(token: &Token) -> bool {
    token.is(Class::Determiner) || token.is(Class::Intensifier) || token.is(Class::Adverb) && token.text != "all"
}

/// Where a phrase ends: a mark, a reason, an occasion, a new clause.
fn stops(tokens: &[Token], at: usize) -> bool {
    ends(&tokens[at]) || tokens[at].is(Class::StopPhrase)
}

/// Where even a phrase with all its modifiers ends.
fn ends(token: &Token) -> bool {
    token.mark() && !any(&token.text, &["&", "(", ")", "/"]) || token.is(Class::Stop)
}

/// The category of the first technology named, and its name with the version behind it.
pub(super) fn named_technology(tokens: &[Token]) -> Option<(&'static str, String)> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let two = tokens.get(at + 1).and_then(|next| technology::lookup(&format!("{} {}", token.text, next.text)));
        let used = if two.is_some() { 2 } else { 1 };
        let (category, name) = two.or_else(|| technology::lookup(&token.text))?;
        let version = tokens.get(at + used).filter(|next| next.text.starts_with(|c: char| c.is_ascii_digit()));
        Some((category, version.map_or(name.to_owned(), |version| format!("{name} {}", version.text))))
    })
}
