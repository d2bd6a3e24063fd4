//! Statements that begin with a name, or give one: "this is Nora from Acme", "Anna is my wife".

use super::{
    super::rules::weight,
    claim::Claim,
    object, subject,
    token::{Class, Token, any},
};

/// "This is Nora from Acme", "call me Sam".
pub(super) fn introduced(tokens: &[Token]) -> Option<Claim> {
    let start = tokens.iter().position(|token| !token.mark() && !token.is(Class::Filler))?;
    let body = &tokens[start..];
    let opening: [(&[&str], &str); 12] = [
        (&["i", "prefer", "to", "be", "called"], "preferred name"),
        (&["i", "like", "to", "be", "called"], "preferred name"),
        (&["i", "go", "by"], "preferred name"),
        (&["this", "is"], "name"),
        (&["i", "am", "called"], "name"),
        (&["call", "me"], "preferred name"),
        (&["please", "call", "me"], "preferred name"),
        (&["just", "call", "me"], "preferred name"),
        (&["you", "can", "call", "me"], "preferred name"),
        (&["everyone", "calls", "me"], "preferred name"),
        (&["everybody", "calls", "me"], "preferred name"),
        (&["my", "friends", "call", "me"], "preferred name"),
    ];
    let (words, attribute) = opening.iter().find(|(words, _)| subject::begins(body, words))?;
    let rest = &body[words.len()..];
    // "Dr. Berg"
    let title = match rest {
        [title, dot, ..] if any(&title.text, &["dr", "mr", "mrs", "ms", "prof"]) && dot.text == "." => 2,
        [title, ..] if any(&title.text, &["dr", "mr", "mrs", "ms", "prof"]) => 1,
        _ => 0,
    };
    let rest = &rest[title..];
    let name: &[Token] = &rest[..rest.iter().position(|token| !named_by(token)).unwrap_or(rest.len())];
    let ends = rest.get(name.len()).is_none_or(|next| {
        next.mark() || any(&next.text, &["from", "at", "here", "speaking", "calling", "with", "and", "again"])
    });
    let short = (1..=3).contains(&name.len()) && ends;
    short.then(|| Claim::one(*attribute, object::phrase(name)).weighing(weight::IDENTITY))
}

/// A word that can be part of a name: it has its capital and no list knows it.
fn named_by(token: &Token) -> bool {
    token.capital && (token.unknown() || token.is(Class::Month) && token.text != "may") && !token.number()
}

/// "Anna is my wife", "jazz is my favorite music".
pub(super) fn reversed(tokens: &[Token]) -> Option<Claim> {
    let is = tokens.iter().position(|token| any(&token.text, &["is", "are", "was", "has"]))?;
    // "has always been my favorite" is as good as "is".
    let been = if tokens[is].text == "has" { tokens.iter().position(|token| token.text == "been")? } else { is };
    let [my, rest @ ..] = &tokens[been + 1..] else { return None };
    let subject = &tokens[..is];
    let starts = subject.iter().position(|token| !token.mark() && !token.is(Class::Filler))?;
    let subject = &subject[starts..];
    let plain = !subject[0].is(Class::Wh)
        && !subject[0].is(Class::Deictic)
        && !subject[0].is(Class::Pronoun)
        && !any(&subject[0].text, &["my", "our", "the", "your"]);
    if !any(&my.text, &["my", "our"]) || !plain || subject.len() > 6 {
        return None;
    }
    let first = rest.first()?;
    let value = object::phrase(subject);
    if first.is(Class::Favorite) {
        let about: Vec<&str> =
            rest[1..].iter().take_while(|token| !token.mark()).map(|token| token.text.as_str()).collect();
        return Some(Claim::one(format!("favorite {}", about.join(" ")).trim_end(), value));
    }
    if first.is(Class::Person) {
        return Some(Claim::many("family", format!("{} {value}", first.base)));
    }
    first.is(Class::Trait).then(|| Claim::one(first.text.clone(), value))
}

/// "I'm Dana": a word with a capital that no list knows and that has no adjective's ending of a people or place.
pub(super) fn given_name(word: &Token) -> bool {
    let adjective =
        ["ian", "ese", "ish", "ist", "can"].iter().any(|end| word.text.ends_with(end) && word.text.len() > 5);
    let compound = ["-bound", "-based", "-compliant", "-certified", "-free", "-only", "-friendly", "-ready"];
    let compound = compound.iter().any(|end| word.text.ends_with(end));
    word.capital && word.unknown() && !adjective && !compound && word.text.len() > 2
}
