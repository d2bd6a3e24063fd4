//! An agent's yes/no question about the customer, turned to what a yes to it says.

use super::{
    object,
    token::{Class, Form, any, tokens},
};

/// "Do you run a bakery?" → "I run a bakery.". `None` for offers, requests and open questions.
pub(super) fn statement(question: &str) -> Option<String> {
    let trimmed = question.trim();
    let body = trimmed.strip_suffix('?')?;
    let list = tokens(body, 0);
    let mut at = 0;
    let leads: [&[&str]; 17] = [
        &["sounds", "like"],
        &["it", "sounds", "like"],
        &["looks", "like"],
        &["it", "looks", "like"],
        &["it", "seems"],
        &["i", "take", "it"],
        &["i", "see"],
        &["i", "guess"],
        &["i", "gather"],
        &["i", "understand"],
        &["so"],
        &["and"],
        &["oh"],
        &["ah"],
        &["ok"],
        &["okay"],
        &["am", "i", "right", "that"],
    ];
    while let Some(rest) = list.get(at..).filter(|rest| !rest.is_empty()) {
        match leads.iter().find(|lead| super::subject::begins(rest, lead)) {
            Some(lead) => at += lead.len(),
            None if rest[0].mark() || rest[0].text == "that" => at += 1,
            None => break,
        }
    }
    let rest = list.get(at..)?;
    let [first, second, tail @ ..] = rest else { return None };
    let words = |from: &[super::token::Token]| -> String {
        from.iter()
            .map(|token| if token.mark() { token.text.clone() } else { turned(&token.text).to_owned() })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let verb = tail.iter().find(|token| !token.is(Class::Adverb) && !any(&token.text, &["ever", "not"]))?;
    let offers = verb.is(Class::Request) && verb.form == Form::Base
        || any(
            &verb.text,
            &["looking", "interested", "ready", "sure", "there", "ok", "okay", "planning", "going", "available"],
        );
    // Only a capital tells "Oslo" from a thing, so words keep theirs: the statement is cut from the question itself.
    let spelled = |from: &[super::token::Token]| -> String {
        from.iter()
            .enumerate()
            .filter(|(index, token)| *index == 0 || token.start != from[index - 1].start)
            .map(|(_, token)| body.get(token.start as usize..token.end as usize).unwrap_or(&token.text))
            .map(|word| turned(word).to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let made = match (first.text.as_str(), second.text.as_str()) {
        ("do", "you") if !offers => format!("I {}.", spelled(tail)),
        ("are", "you") if !offers => format!("I am {}.", spelled(tail)),
        ("have", "you") if tail.first().is_some_and(|next| next.text == "got") => {
            format!("I have {}.", spelled(&tail[1..]))
        }
        ("is" | "are", "your") => {
            // "Is your wife a nurse?": the subject is the shortest noun of the customer's.
            let noun = tail.iter().position(|token| {
                token.is(Class::Person)
                    || token.is(Class::Pet)
                    || token.is(Class::Trait)
                    || token.is(Class::Thing)
                    || token.is(Class::Organisation)
            })?;
            format!("My {} {} {}.", words(&tail[..=noun]), first.text, spelled(&tail[noun + 1..]))
        }
        ("you", "are") if !any(&tail[0].text, &["looking"]) => format!("I am {}.", spelled(tail)),
        ("you", _)
            if !second.is(Class::Request) && !any(&second.text, &["would", "will", "can", "could", "should"]) =>
        {
            format!("I {}.", spelled(&rest[1..]))
        }
        ("your", _) => format!("My {}.", spelled(&rest[1..])),
        _ => return None,
    };
    (!object::phrase(tail).is_empty()).then_some(made)
}

/// A word from the other side of the talk.
fn turned(word: &str) -> &str {
    match word.to_lowercase().as_str() {
        "you" => "I",
        "your" => "my",
        "yours" => "mine",
        "yourself" => "myself",
        "are" | "am" => word,
        _ => word,
    }
}
