//! What stands in the customer's sentence as somebody else's belief, as fiction, or as mockery.

use super::{
    subject::begins,
    token::{Class, Form, Token, any},
};

/// What is told, without its teller: "my boss says [I'm lazy]", "according to you [I'm married]", "in my dream [I own a
/// castle]". `None` if the clause is the customer's own word.
pub(super) fn told(tokens: &[Token]) -> Option<&[Token]> {
    let start = tokens.iter().position(|token| !token.mark() && !token.is(Class::Filler))?;
    let body = &tokens[start..];
    let own = |token: &Token| any(&token.text, &["i", "we", "my", "our"]);
    if fiction(body) {
        let inner = (2..body.len().min(14)).find(|&at| own(&body[at]) && at > 2)?;
        return Some(&body[inner..]);
    }
    if body.first().is_some_and(|first| any(&first.text, &["i", "we"])) {
        return denied_saying(body);
    }
    let teller = (1..body.len().min(9)).find(|&at| tells(&body[at]))?;
    if body[..teller]
        .iter()
        .any(|token| token.mark() || token.is(Class::Aux) && !any(&token.text, &["has", "have", "do", "does"]))
    {
        return None;
    }
    let mut inner = teller + 1;
    while body.get(inner).is_some_and(|token| any(&token.text, &["that", "me", "us", "everyone", "people", "how"])) {
        inner += 1;
    }
    own(body.get(inner)?).then(|| &body[inner..])
}

/// "I never said I …", "I doubt I …", "I dreamed I …": said, but not as true.
fn denied_saying(body: &[Token]) -> Option<&[Token]> {
    let own = |token: &Token| any(&token.text, &["i", "we", "my", "our"]);
    let inner = (2..body.len().min(8)).find(|&at| own(&body[at]))?;
    let before = &body[1..inner];
    let negated = before.iter().any(|token| any(&token.text, &["not", "never"]));
    let speaks = before.iter().any(tells);
    let untrue = before.iter().any(|token| {
        any(&token.base, &["doubt", "dream", "dreamed", "dreamt", "pretend", "pretended", "deny", "denied", "lied"])
    });
    let plain = !before.iter().any(Token::mark);
    (plain && (negated && speaks || untrue)).then(|| &body[inner..])
}

/// Whether somebody says something here: what follows may be their words.
pub(super) fn speaks(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| tells(token) || any(&token.base, &["write", "text", "ask"]))
}

/// A verb of saying or believing.
fn tells(token: &Token) -> bool {
    any(
        &token.base,
        &[
            "say", "think", "believe", "claim", "tell", "insist", "swear", "assume", "suggest", "joke", "figure",
            "reckon", "guess", "suspect",
        ],
    ) || any(
        &token.text,
        &["claims", "claimed", "insists", "swears", "reckons", "jokes", "figures", "suspects", "assumes"],
    )
}

/// "According to …", "in the book …".
fn fiction(body: &[Token]) -> bool {
    const TOLD_IN: [&str; 12] =
        ["book", "novel", "story", "movie", "film", "game", "dream", "play", "show", "series", "song", "fantasy"];
    begins(body, &["according", "to"])
        || body.first().is_some_and(|first| first.text == "in")
            && body.get(1).is_some_and(|second| second.is(Class::Determiner))
            && body[2..].iter().take(2).any(|token| any(&token.base, &TOLD_IN))
}

/// "Yeah right, I'm a millionaire", "oh great, I just love waiting".
pub(super) fn mocking(tokens: &[Token]) -> bool {
    let opens = |words: &[&str]| begins(tokens, words);
    let scorn = opens(&["yeah", "right"]) || opens(&["oh", "sure"]) || opens(&["yeah", "sure"]) || opens(&["as", "if"]);
    let waits = tokens.windows(2).any(|pair| {
        any(&pair[0].text, &["love", "adore", "enjoy", "like"])
            && pair[1].form == Form::Ing
            && any(&pair[1].text, &["waiting", "queueing", "queuing", "being"])
            && tokens
                .iter()
                .any(|token| any(&token.text, &["just", "hold", "ignored", "hours", "minutes", "waiting", "charged"]))
    });
    scorn || waits || turned_round(tokens)
}

/// "I love queues - NOT!"
fn turned_round(tokens: &[Token]) -> bool {
    let end = tokens.iter().rposition(|token| !token.mark()).unwrap_or(0);
    end > 2 && tokens[end].text == "not" && tokens[end - 1].mark() && tokens.get(end + 1).is_some_and(Token::ends)
}
