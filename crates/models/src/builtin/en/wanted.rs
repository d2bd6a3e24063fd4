//! What the customer wants of the agent beyond the answer at hand: a task for later, and a theme they ask about.
//!
//! "Find me a restaurant" is the service itself and done within the talk; "remind me to call the bank" outlives it. "How do
//! I reset my password?" is about this service; "How do I register a newborn?" is a theme of the customer's.

use saidso_core::item::Kind;

use super::{
    super::rules::{sure, weight},
    claim::Claim,
    object::{deictic, phrase, singular},
    subject::begins,
    token::{Class, Form, Token, any},
};

/// The task or theme of a request or question, and where in its clause it begins.
pub(super) fn wanted(tokens: &[Token]) -> Option<(Claim, usize)> {
    let start = tokens.iter().position(|token| !token.mark() && (!token.is(Class::Filler) || asks(token)))?;
    let body = &tokens[start..];
    let order = order(body);
    task(order).or_else(|| theme(order)).map(|claim| (claim, start))
}

/// "See", "look" and "so" open many a line, and are words of a request as well.
fn asks(token: &Token) -> bool {
    token.is(Class::RequestStart) && token.text != "please"
}

/// What is asked, without the ways to ask it.
fn order(mut body: &[Token]) -> &[Token] {
    const WAYS: [&[&str]; 27] = [
        &["please"],
        &["kindly"],
        &["just"],
        &["also"],
        &["and"],
        &["can", "you"],
        &["could", "you"],
        &["would", "you"],
        &["will", "you"],
        &["can", "i", "ask", "you", "to"],
        &["i", "want", "you", "to"],
        &["i", "need", "you", "to"],
        &["i", "would", "like", "you", "to"],
        &["would", "you", "mind"],
        &["make", "sure", "to"],
        &["make", "sure", "you"],
        &["do", "not", "forget", "to"],
        &["tell", "me"],
        &["explain", "to", "me"],
        &["explain"],
        &["do", "you", "know"],
        &["i", "want", "to", "know"],
        &["i", "need", "to", "know"],
        &["i", "would", "like", "to", "know"],
        &["i", "was", "wondering"],
        &["i", "wonder"],
        &["any", "idea"],
    ];
    while let Some(way) = WAYS.iter().find(|way| begins(body, way)) {
        body = &body[way.len()..];
    }
    let marks = body.iter().take_while(|token| token.mark()).count();
    if marks > 0 { order(&body[marks..]) } else { body }
}

/// What the agent is to do later, or whenever something comes about.
fn task(order: &[Token]) -> Option<Claim> {
    let [verb, me, rest @ ..] = order else { return None };
    let me = any(&me.text, &["me", "us"]);
    let reminds = verb.text == "remind" && me && reminder(rest);
    let done = match verb.text.as_str() {
        "send" | "email" | "mail" | "forward" | "post" | "resend" if me => document(rest),
        "call" | "ring" | "phone" | "contact" | "email" | "text" | "write" if me => to_come(rest),
        "let" if me => begins(rest, &["know"]) && awaited(&rest[1..]),
        "notify" | "inform" | "alert" | "message" | "ping" | "update" | "tell" if me => awaited(rest),
        "keep" if me => {
            rest.first().is_some_and(|how| any(&how.text, &["posted", "updated", "informed"])) && about(rest)
        }
        "get" => begins(order, &["get", "back", "to", "me"]) && to_come(&order[4..]),
        "check" | "follow" => any(&order[1].text, &["back", "up"]) && to_come(&order[2..]),
        _ => false,
    };
    (reminds || done).then(|| {
        let words = order.iter().take_while(|token| !token.ends()).filter(|token| !token.mark());
        let words: Vec<&str> =
            words.filter(|token| !token.is(Class::Determiner)).map(|token| token.text.as_str()).collect();
        Claim::many("to do", words[..words.len().min(8)].join(" "))
            .of_kind(Kind::Task)
            .weighing(weight::PASSING)
            .sure(sure::OPEN)
    })
}

/// "(tomorrow) to call the bank", "about my appointment", "that the lease ends": of something that is named.
fn reminder(rest: &[Token]) -> bool {
    let Some(link) = rest.iter().take(6).position(|token| any(&token.text, &["to", "about", "that", "how", "what"]))
    else {
        return false;
    };
    match (&rest[link], &rest[link + 1..]) {
        (to, [verb, object @ ..]) if to.text == "to" => {
            let bare =
                object.iter().all(|token| token.mark() || token.is(Class::PassingTime) || token.is(Class::Month));
            verb.form == Form::Base
                && !any(&verb.text, &["do", "be"])
                && (bare && !object.is_empty() || !deictic(object))
        }
        (link, about) => any(&link.text, &["about", "that"]) && !deictic(about),
    }
}

/// A paper of the customer's: "the invoice", "a copy of my contract".
fn document(object: &[Token]) -> bool {
    let end = object.iter().position(|token| token.mark() || token.is(Class::Preposition)).unwrap_or(object.len());
    let noun = &object[..end];
    noun.first().is_some_and(|first| first.is(Class::Determiner) && !any(&first.text, &["this", "that"]))
        && noun.last().is_some_and(|last| last.is(Class::Paper))
}

/// A time to come: "back on Monday", "after lunch", "next week", "by Friday".
pub(super) fn to_come(rest: &[Token]) -> bool {
    rest.iter().enumerate().any(|(at, token)| {
        let next = rest.get(at + 1);
        match token.text.as_str() {
            "tomorrow" => true,
            "next" => next.is_some_and(|next| any(&next.text, &["week", "month", "year", "quarter"]) || month(next)),
            "on" | "by" | "before" | "after" | "until" | "in" | "at" => next.is_some_and(|next| {
                month(next) || next.number() || any(&next.text, &["lunch", "noon", "end", "tomorrow", "next"])
            }),
            _ => false,
        }
    })
}

/// A day or month; "may" is one with its capital only.
fn month(token: &Token) -> bool {
    token.is(Class::Month) && (token.text != "may" || token.capital)
}

/// "When the parts arrive", "once it is fixed", "as soon as you hear from them".
fn awaited(rest: &[Token]) -> bool {
    let whenever = ["once", "when", "whenever"].iter().any(|word| begins(rest, &[word]))
        || begins(rest, &["as", "soon", "as"])
        || begins(rest, &["the", "moment"])
        || begins(rest, &["the", "day"]);
    let end = rest.iter().position(Token::mark).unwrap_or(rest.len());
    let asked = rest[..end].iter().skip(1).take(2).any(|token| any(&token.text, &["i", "you", "we"]));
    let last = rest[..end].last();
    whenever && !asked && last.is_some_and(|last| last.is(Class::Awaited))
}

/// "… about the move", "on the repair".
fn about(rest: &[Token]) -> bool {
    let link = rest.iter().position(|token| any(&token.text, &["about", "on", "of"]));
    link.is_some_and(|link| !deictic(&rest[link + 1..]))
}

/// What is asked how to do, or what is compared, of the customer's own life and work; the name is the same however it is
/// asked, the qualifier says what was wanted.
fn theme(order: &[Token]) -> Option<Claim> {
    let (name, intent) =
        how(order).map(|name| (name, "asked how")).or_else(|| compared(order).map(|name| (name, "compared")))?;
    let topic = Claim::many("interest", name).of_kind(Kind::Topic).weighing(weight::PASSING).sure(sure::OPEN);
    Some(Claim { qualifier: Some(intent.to_owned()), ..topic })
}

/// "How do I register a newborn", "how to prune an apple tree": the deed and its object.
fn how(order: &[Token]) -> Option<String> {
    const LEADS: [&[&str]; 11] = [
        &["how", "do", "i"],
        &["how", "do", "we"],
        &["how", "can", "i"],
        &["how", "can", "we"],
        &["how", "should", "i"],
        &["how", "should", "we"],
        &["how", "to"],
        &["what", "is", "the", "best", "way", "to"],
        &["how", "do", "you"],
        &["how", "does", "one"],
        &["how", "would", "i"],
    ];
    let lead = LEADS.iter().find(|lead| begins(order, lead))?;
    let [verb, object @ ..] = &order[lead.len()..] else { return None };
    let [article, noun, ..] = object else { return None };
    let service = verb.is(Class::Service);
    let own = any(&article.text, &["a", "an"]) && !noun.is(Class::Issue) && !noun.is(Class::Deictic);
    if verb.form != Form::Base || verb.is(Class::Aux) || service || !own || noun.mark() {
        return None;
    }
    let object = singular(&phrase(object));
    (!object.is_empty()).then(|| format!("{} {object}", verb.base))
}

/// "What is the difference between a heat pump and a boiler", "how does Kafka compare to Pulsar": both, in the order of
/// the alphabet.
fn compared(order: &[Token]) -> Option<String> {
    let between = &["what", "is", "the", "difference", "between"];
    let (rest, joint) = match order {
        _ if begins(order, between) => (&order[between.len()..], "and"),
        _ if begins(order, &["how", "does"]) || begins(order, &["how", "do"]) => {
            let at = order.iter().position(|token| token.text == "compare")?;
            let (one, other) = (&order[2..at], &order[at + 1..]);
            let to = other.first().filter(|to| any(&to.text, &["to", "with"]))?;
            return pair(one, &other[usize::from(!to.mark())..]);
        }
        _ => return None,
    };
    let at = rest.iter().position(|token| token.text == joint)?;
    pair(&rest[..at], &rest[at + 1..])
}

fn pair(one: &[Token], other: &[Token]) -> Option<String> {
    if one.is_empty() || deictic(one) || deictic(other) {
        return None;
    }
    let mut both = [singular(&phrase(one)), singular(&phrase(other))];
    both.sort();
    both.iter().all(|name| name.starts_with(char::is_alphabetic)).then(|| both.join(" or "))
}
