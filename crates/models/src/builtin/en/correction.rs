//! What takes the customer's own word back or says since when it is otherwise: "scratch that", "no, wait, I meant Lyon", "as
//! of May".

use saidso_core::item::Kind;

use super::{
    super::rules::{Finding, Sentence},
    claim::Claim,
    object::{deictic, named_technology, phrase},
    subject::begins,
    token::{Class, Token, any, tokens},
};

/// Openings that say what follows puts something right.
const OPENINGS: [&[&str]; 16] = [
    &["actually"],
    &["correction"],
    &["scratch", "that"],
    &["strike", "that"],
    &["no", "wait"],
    &["wait", "no"],
    &["wait"],
    &["oh", "wait"],
    &["my", "mistake"],
    &["my", "bad"],
    &["i", "misspoke"],
    &["oops"],
    &["to", "correct", "myself"],
    &["let", "me", "correct", "that"],
    &["let", "me", "correct", "myself"],
    &["i", "was", "wrong"],
];

/// Whether a sentence opens with a correction, or the sentence before it was nothing else.
pub(super) fn corrects(sentence: &Sentence<'_>, list: &[Token]) -> bool {
    if opens(list) {
        return true;
    }
    let before = sentence.message.get(..sentence.span.start as usize).unwrap_or_default().trim_end();
    let Some(said) = before.strip_suffix(['.', '!', ',', ':', '…', '-', '—']) else { return false };
    let from = said.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
    // Longer than any of the openings: something else was said.
    said.len() - from <= 32 && opens(&tokens(&said[from..], 0))
}

fn opens(list: &[Token]) -> bool {
    let words: Vec<&Token> = list.iter().filter(|token| !token.mark()).take(5).collect();
    let from = words.iter().take_while(|word| any(&word.text, &["sorry", "oh", "hmm", "well", "ah", "um"])).count();
    let words = &words[from.min(words.len())..];
    OPENINGS.iter().any(|opening| {
        words.len() >= opening.len() && words.iter().zip(*opening).all(|(word, said)| word.text == *said)
    })
}

/// "I meant Lyon", "it's Lyon", "make that four": another value for the statement just before, whose key it takes over.
pub(super) fn meant(clause: &[Token], corrects: bool, before: &Finding) -> Option<Claim> {
    const MEANT: [&[&str]; 6] = [
        &["i", "meant"],
        &["i", "mean"],
        &["i", "meant", "to", "say"],
        &["make", "that"],
        &["i", "should", "say"],
        &["or", "rather"],
    ];
    const IT_IS: [&[&str]; 4] = [&["it", "is"], &["that", "is"], &["that", "should", "be"], &["it", "should", "be"]];
    let start = clause.iter().position(|token| !token.mark() && !token.is(Class::Filler) && token.text != "wait")?;
    let body = &clause[start..];
    let find = |leads: &[&[&str]]| leads.iter().filter(|lead| begins(body, lead)).map(|lead| lead.len()).max();
    let lead = find(&MEANT).or_else(|| find(&IT_IS).filter(|_| corrects))?;
    let said = &body[lead..];
    let end = said.iter().position(Token::mark).unwrap_or(said.len());
    let named = &said[..end];
    // Another value of the kind that was said: a name for a name, a number for a number.
    let old = tokens(&before.value, 0);
    let [first, ..] = named else { return None };
    let number = |list: &[Token]| list.iter().any(Token::number);
    let plain = number(named) || !deictic(named) && !first.is(Class::Pronoun);
    let fits = named.len() <= 4 && plain && number(named) == number(&old);
    // "Two kids. I meant three": of the same.
    let of = if named.len() == 1 && number(named) { phrase(old.get(1..).unwrap_or_default()) } else { String::new() };
    let technology = named_technology(named);
    let same = match (&technology, named_technology(&old)) {
        (Some((category, _)), Some((was, _))) => *category == was,
        (None, None) => first.capital || number(named) || first.is(Class::Occupation),
        _ => false,
    };
    let single = before.kind == Kind::Fact && !before.many && !before.negated;
    (single && fits && same).then(|| Claim {
        subject: Some(before.subject.clone()),
        qualifier: before.qualifier.clone(),
        changed: true,
        importance: before.importance,
        ..Claim::one(before.attribute.clone(), technology.map_or_else(|| said_of(named, &of), |(_, name)| name))
    })
}

/// "(I) used to", and nothing behind it.
pub(super) fn former(rest: &[Token]) -> bool {
    begins(rest, &["used", "to"]) && rest[2..].iter().all(|token| token.mark() || token.is(Class::Filler))
}

fn said_of(named: &[Token], of: &str) -> String {
    let said = phrase(named);
    if of.is_empty() { said } else { format!("{said} {of}") }
}

/// "As of May", "starting this month", "since Monday": what is so since then was otherwise before.
pub(super) fn since_lately(tokens: &[Token]) -> bool {
    let subject = tokens.iter().position(|token| any(&token.text, &["i", "we", "my", "our"]));
    let front = |at: usize| subject.is_some_and(|subject| at < subject && subject < 5);
    tokens.iter().enumerate().any(|(at, token)| {
        let next = tokens.get(at + 1);
        let recent = |next: &Token| {
            next.is(Class::Month) || any(&next.text, &["today", "now", "yesterday", "this", "last", "next", "tomorrow"])
        };
        let time = next.is_some_and(recent);
        match token.text.as_str() {
            "as" => next.is_some_and(|next| any(&next.text, &["of", "from"])) && tokens.get(at + 2).is_some_and(recent),
            "now" | "nowadays" | "currently" => front(at),
            "days" => front(at) && at > 0 && tokens[at - 1].text == "these",
            "effective" | "starting" => time || next.is_some_and(|next| any(&next.text, &["in", "from", "on"])),
            // "Since last year" is a while; "since last month" is news.
            // "Since October": who lives there for years says the year.
            "since" if next.is_some_and(|next| next.is(Class::Month)) => {
                !tokens.get(at + 2).is_some_and(|year| year.number() || year.text == "of")
            }
            "since" => at == 0 && time && !tokens.get(at + 2).is_some_and(|unit| any(&unit.text, &["year", "decade"])),
            _ => false,
        }
    })
}
