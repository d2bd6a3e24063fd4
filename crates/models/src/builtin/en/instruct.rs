//! Standing instructions to the agent: "always answer in bullet points", "when you send reports, use PDF".

use saidso_core::item::{Kind, Span};

use super::{
    super::rules::{Finding, Reading, sure, weight},
    claim::Claim,
    object::phrase,
    phrasing,
    subject::begins,
    token::{Class, Form, Token, any},
};

/// Reads a sentence as an instruction; `None` if it is none.
pub(super) fn read(tokens: &[Token]) -> Option<Reading> {
    let start = tokens.iter().position(|token| !token.mark() && !token.is(Class::Filler))?;
    let body: &[Token] = &tokens[start..];
    if tokens.iter().rev().find(|token| token.mark()).is_some_and(|mark| mark.text == "?") {
        return None;
    }
    let (negated, order) = standing(body)?;
    let verb = order
        .iter()
        .find(|token| !token.mark() && !token.is(Class::Adverb) && !any(&token.text, &["please", "not", "do"]))?;
    let contact = any(&verb.text, &["phone", "ring", "speak", "talk", "use", "keep"]);
    if !(verb.is(Class::Respond) || contact) || verb.form != Form::Base {
        return None;
    }
    let at = order.iter().position(|token| token.start == verb.start)?;
    let object = &order[at + 1..];
    // What nobody may have sent: no convention, but a way in.
    if object.iter().any(|token| any(&token.base, &["password", "credential", "secret", "token", "key"])) {
        return None;
    }
    // "respond as if you …" gives the agent another part to play; that is no convention of the customer's.
    let refused_contact = unwanted(body).is_some();
    if object.iter().all(Token::mark)
        || object[0].text == "as"
        || object.iter().any(|token| token.text == "yourself")
        || !refused_contact && object[0].is(Class::Deictic) && object.iter().filter(|token| !token.mark()).count() == 1
    {
        return None;
    }
    let last = body.iter().rev().find(|token| !token.mark())?;
    // "Before 10" and "after 8" are two.
    let said = object.iter().position(|token| any(&token.text, &["before", "after"]));
    let when = said.map_or(String::new(), |at| words(&object[at..]));
    let object = &object[..said.unwrap_or(object.len())];
    let value = [verb.text.as_str(), &phrase(object), &when].join(" ");
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    // How long answers are is one thing at a time.
    let length = order.iter().any(|token| any(&token.text, &LENGTHS));
    let claim = match length && !refused_contact {
        true => Claim::one("answer length", value),
        false => Claim::many("answers", value),
    };
    let claim = claim.of_kind(Kind::Instruction);
    let questions = phrasing::questions(&claim);
    Some(Reading {
        findings: vec![Finding {
            kind: Kind::Instruction,
            span: Span { start: body[0].start, end: last.end },
            around: None,
            subject: "customer".to_owned(),
            attribute: claim.attribute,
            many: claim.many,
            value: claim.value,
            negated,
            qualifier: None,
            changed: false,
            importance: weight::CONSTRAINT,
            confidence: sure::CLOSED,
            questions,
        }],
        drops: Vec::new(),
    })
}

/// The order in a sentence that says it is to stand, and whether it forbids.
fn standing(body: &[Token]) -> Option<(bool, &[Token])> {
    const ALWAYS: [(&[&str], bool); 15] = [
        (&["always"], false),
        (&["please", "always"], false),
        (&["never"], true),
        (&["please", "never"], true),
        (&["do", "not", "ever"], true),
        (&["please", "do", "not", "ever"], true),
        (&["from", "now", "on"], false),
        (&["going", "forward"], false),
        (&["in", "future"], false),
        (&["in", "the", "future"], false),
        (&["make", "sure", "to", "always"], false),
        (&["make", "sure", "you", "always"], false),
        (&["i", "want", "you", "to", "always"], false),
        (&["you", "should", "always"], false),
        (&["you", "should", "never"], true),
    ];
    if let Some((opening, negated)) = ALWAYS.iter().find(|(opening, _)| begins(body, opening)) {
        let order = after_marks(&body[opening.len()..]);
        let order = if begins(order, &["i", "would", "like", "you", "to"]) || begins(order, &["i", "want", "you", "to"])
        {
            &order[order.iter().position(|token| token.text == "to")? + 1..]
        } else {
            order
        };
        let forbids =
            begins(order, &["never"]) || begins(order, &["do", "not"]) || begins(order, &["please", "do", "not"]);
        return Some((negated ^ forbids, order));
    }
    // "When you send reports, use PDF": an occasion, a mark or "please", and an order.
    if any(&body[0].text, &["when", "whenever", "every", "if", "each"]) {
        let turn = body.iter().enumerate().skip(2).find(|(at, token)| {
            let next = body.get(at + 1);
            (token.text == "," || token.text == "please")
                && next.is_some_and(|next| {
                    next.is(Class::Respond) || any(&next.text, &["please", "always", "never", "do"])
                })
        })?;
        let addressed = body[..turn.0].iter().any(|token| any(&token.text, &["you", "i", "we", "time", "my", "our"]));
        let order = after_marks(&body[turn.0..]);
        let order = if begins(order, &["always"]) || begins(order, &["never"]) { &order[1..] } else { order };
        let negated = begins(order, &["do", "not"]) || body[turn.0..].iter().any(|token| token.text == "never");
        return addressed.then_some((negated, order));
    }
    if let Some(order) = unwanted(body) {
        return Some((true, order));
    }
    // "Please answer in French from now on."
    let please = usize::from(body[0].text == "please");
    let verb = body.get(please)?;
    let forbids = begins(&body[please..], &["do", "not"]);
    let lasting =
        ["from now on", "going forward", "by default", "in future", "in the future", "every time", "at all times"];
    let said: Vec<&str> = body.iter().map(|token| token.text.as_str()).collect();
    let said = said.join(" ");
    let keeps = any(&verb.text, &["keep"])
        && body
            .get(please + 1)
            .is_some_and(|next| any(&next.text, &["your", "answers", "replies", "responses", "emails"]));
    let language = any(&verb.text, &["speak", "talk"])
        && body.get(please + 1).is_some_and(|next| next.capital)
        && ["with me", "to me", "with us", "to us"].iter().any(|whom| said.contains(whom));
    let manner = forbids
        && body.get(please + 2).is_some_and(|verb| verb.text == "use")
        && body
            .iter()
            .any(|token| any(&token.base, &["emoji", "emojis", "emoticon", "jargon", "slang", "abbreviation"]));
    let stands = lasting.iter().any(|mark| said.contains(mark)) || keeps || language || manner;
    ((verb.is(Class::Respond) || forbids || language || keeps) && stands).then_some((forbids, &body[please..]))
}

/// "Don't send me texts", "please don't call me": a way of contact refused stands until taken back.
fn unwanted(body: &[Token]) -> Option<&[Token]> {
    const WAYS: [&str; 17] = [
        "sms",
        "text",
        "texts",
        "email",
        "emails",
        "newsletter",
        "newsletters",
        "letters",
        "mail",
        "mails",
        "marketing",
        "ads",
        "spam",
        "calls",
        "notifications",
        "promotions",
        "faxes",
    ];
    let order = &body[usize::from(body[0].text == "please")..];
    let [_, _, verb, me, rest @ ..] = order else { return None };
    let refuses = begins(order, &["do", "not"]) && any(&me.text, &["me", "us"]);
    let way = match verb.text.as_str() {
        "send" => {
            rest.first().is_some_and(|first| !any(&first.text, &["the", "this", "that", "my"]))
                && rest.iter().any(|token| any(&token.text, &WAYS))
        }
        "call" | "text" | "email" | "phone" | "contact" | "ring" => rest
            .first()
            .is_none_or(|next| next.mark() || any(&next.text, &["before", "after", "at", "on", "by", "during"])),
        _ => false,
    };
    (refuses && way).then_some(order)
}

/// Words for how long an answer is to be.
const LENGTHS: [&str; 12] = [
    "briefly",
    "brief",
    "short",
    "shortly",
    "concise",
    "concisely",
    "detail",
    "detailed",
    "details",
    "long",
    "lengthy",
    "thoroughly",
];

fn words(tokens: &[Token]) -> String {
    let words: Vec<&str> = tokens
        .iter()
        .filter(|token| !token.mark() && !token.is(Class::Determiner))
        .map(|token| token.text.as_str())
        .collect();
    words[..words.len().min(4)].join(" ")
}

fn after_marks(tokens: &[Token]) -> &[Token] {
    let start = tokens.iter().position(|token| !token.mark() && token.text != "please").unwrap_or(tokens.len());
    &tokens[start..]
}
