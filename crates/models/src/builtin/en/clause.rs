//! Where one statement of a sentence ends and the next begins.

use super::{
    subject::environment,
    token::{Class, Form, Token, any},
};

/// How a clause hangs on the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// First, or set apart by a mark alone.
    Start,
    /// "and", "plus", "or".
    And,
    /// "but", "though", "whereas".
    But,
    /// "so", "therefore": a consequence.
    So,
    /// "because", "since", "as": a reason.
    Reason,
    /// "if", "unless": only supposed.
    If,
    /// "when", "whenever", "while", "after", "before": the occasion of what follows or precedes.
    When,
}

/// A run of tokens that may hold one statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clause<'a> {
    /// Its words and marks, connecting words cut off.
    pub tokens: &'a [Token],
    /// How it hangs on the one before.
    pub link: Link,
    /// It ends in a question mark.
    pub asks: bool,
}

/// The clauses of a sentence.
pub(super) fn clauses(tokens: &[Token]) -> Vec<Clause<'_>> {
    let mut out = Vec::new();
    let mut from = 0;
    let (mut link, skip) = opening(tokens);
    from += skip;
    let mut at = from;
    while at < tokens.len() {
        if tokens[at].ends() && !(at > from && titles(&tokens[at - 1])) {
            add(&mut out, &tokens[from..at], link, tokens[at].text == "?");
            (link, from) = (Link::Start, at + 1);
            let (next, skip) = opening(&tokens[from..]);
            (link, from) = (if skip > 0 { next } else { link }, from + skip);
            at = from;
            continue;
        }
        if at > from
            && let Some((next, skip)) = boundary(tokens, from, at)
        {
            add(&mut out, &tokens[from..at], link, false);
            (link, from) = (next, at + skip);
            at = from;
        }
        at += 1;
    }
    add(&mut out, &tokens[from.min(tokens.len())..], link, false);
    out
}

/// "Dr.", behind which nothing ends.
fn titles(token: &Token) -> bool {
    token.capital && any(&token.text, &["dr", "mr", "mrs", "ms", "prof", "st"])
}

fn add<'a>(out: &mut Vec<Clause<'a>>, tokens: &'a [Token], link: Link, asks: bool) {
    if tokens.iter().any(|token| !token.mark()) {
        out.push(Clause { tokens, link, asks });
    } else if asks && let Some(last) = out.last_mut() {
        last.asks = true;
    }
}

/// A connecting word at the very start.
fn opening(tokens: &[Token]) -> (Link, usize) {
    match tokens {
        [first, second, ..] if starts_subject(&tokens[1..]) || second.text == "not" => match connector(&first.text) {
            Some(link @ (Link::If | Link::When | Link::Reason)) => (link, 1),
            _ => (Link::Start, 0),
        },
        _ => (Link::Start, 0),
    }
}

/// The link a word makes.
fn connector(word: &str) -> Option<Link> {
    Some(match word {
        "and" | "plus" | "or" | "&" => Link::And,
        "but" | "though" | "although" | "whereas" | "however" | "yet" => Link::But,
        "so" | "therefore" | "hence" | "thus" => Link::So,
        "because" | "since" | "as" | "cause" | "cuz" | "coz" | "'cause" | "bc" => Link::Reason,
        "if" | "unless" => Link::If,
        "when" | "whenever" | "while" | "after" | "before" | "until" | "once" => Link::When,
        _ => return None,
    })
}

/// Whether a new clause begins at `at`, and how many tokens connect it.
fn boundary(tokens: &[Token], from: usize, at: usize) -> Option<(Link, usize)> {
    let mark = tokens[at].mark() && !any(&tokens[at].text, &["%", "&", "'", "\"", "“", "”"]);
    let mut next = at;
    while tokens.get(next).is_some_and(|token| token.mark() && !token.ends() && token.text != "&") {
        next += 1;
    }
    let link = tokens.get(next).and_then(|token| connector(&token.text));
    if mark && link.is_none() && fronted(&tokens[from..at]) {
        return None;
    }
    // "if" and "when" behind a main clause stay with it: they say how it is meant.
    let link = link.filter(|link| !matches!(link, Link::If | Link::When));
    if !mark && link.is_none() {
        return runs_on(tokens, from, at).then_some((Link::Start, 0));
    }
    let start = next + usize::from(link.is_some());
    let rest = tokens.get(start..)?;
    if link == Some(Link::And) && !mark && joined_subject(&tokens[from..at], rest) {
        return None;
    }
    let begins = starts_subject(rest)
        || (mark || link.is_some()) && starts_fronted(rest)
        || starts_question(rest)
        || rest.first().is_some_and(|token| token.is(Class::RequestStart) && !token.is(Class::Habit))
            && link != Some(Link::Reason)
            && starts_request(rest)
        || mark && link.is_none() && fresh_answer(&tokens[from..at], rest)
        || matches!(link, Some(Link::And | Link::But)) && starts_predicate(rest, &tokens[from..at]);
    begins.then_some((link.unwrap_or(Link::Start), start - at))
}

/// "my wife and I are …": one subject of two, not two clauses.
fn joined_subject(before: &[Token], rest: &[Token]) -> bool {
    let start = before.iter().position(|token| !token.mark() && !token.is(Class::Filler)).unwrap_or(before.len());
    let before = &before[start..];
    rest.first().is_some_and(|first| first.text == "i")
        && (1..=5).contains(&before.len())
        && (any(&before[0].text, &["my", "our"]) || before[0].capital && before.len() == 1)
        && !before.iter().any(|token| token.is(Class::Aux) || token.mark() || verbal(token))
}

/// A phrase in front of its clause: "due to noise, I …", "as a nurse, I …". It has no subject and no verb of its own.
fn fronted(run: &[Token]) -> bool {
    let start = run.iter().position(|token| !token.mark() && !token.is(Class::Filler)).unwrap_or(run.len());
    let run = &run[start..];
    run.first().is_some_and(|first| first.is(Class::Preposition))
        && run.len() <= 10
        && !run.iter().any(|token| token.is(Class::Aux) || token.is(Class::Pronoun) || token.mark())
}

/// A phrase in front of its clause with that clause's subject: "[in summer I swim,] in winter I ski".
fn starts_fronted(tokens: &[Token]) -> bool {
    let subject = tokens.iter().take(6).position(|token| any(&token.text, &["i", "we"]));
    subject.is_some_and(|at| at > 1 && fronted(&tokens[..at]) && tokens.len() > at + 1)
        && !any(&tokens[0].text, &["than", "as", "like", "that", "because", "of"])
}

/// A chat line that starts over without a mark: "i am great i like to fish".
fn runs_on(tokens: &[Token], from: usize, at: usize) -> bool {
    let verb = tokens.get(at + 1).is_some_and(|next| {
        next.is(Class::Aux) || next.is(Class::Like) || next.is(Class::Verb) || next.is(Class::Habit)
    });
    let before = &tokens[at - 1];
    if fronted(&tokens[from..at]) && at - from > 1 {
        return false;
    }
    let ended = before.is(Class::Mood) && before.text != "like"
        || before.is(Class::Filler)
        || any(
            &before.text,
            &[
                "too", "you", "now", "here", "it", "there", "today", "either", "them", "tired", "awesome", "fun",
                "that", "much",
            ],
        ) && at - from >= 3;
    // "it's not true that I …" goes on.
    let judged = before.text == "that"
        && tokens[from..at].iter().any(|token| {
            any(
                &token.text,
                &[
                    "true",
                    "false",
                    "case",
                    "lie",
                    "myth",
                    "wrong",
                    "correct",
                    "incorrect",
                    "untrue",
                    "deny",
                    "denied",
                    "doubt",
                ],
            )
        });
    any(&tokens[at].text, &["i", "my"]) && verb && ended && !judged
}

/// "yes, …", "no, …": what follows an opener and a comma stands on its own.
fn fresh_answer(before: &[Token], rest: &[Token]) -> bool {
    before.iter().all(|token| token.mark() || token.is(Class::Filler)) && !rest.is_empty()
}

/// Whether a subject with its verb begins here.
pub(super) fn starts_subject(tokens: &[Token]) -> bool {
    let skip = tokens.iter().take_while(|token| token.is(Class::Adverb) && !token.is(Class::Aux)).count().min(2);
    let tokens = &tokens[skip..];
    let Some(first) = tokens.first() else { return false };
    match first.text.as_str() {
        "i" | "we" | "he" | "she" | "they" => true,
        "you" | "it" | "there" | "this" | "that" | "these" | "those" => {
            tokens.get(1).is_some_and(|token| token.is(Class::Aux) || token.form == Form::S)
        }
        "my" | "our" | "your" | "his" | "her" | "their" | "the" => {
            let verb = tokens.iter().skip(2).take(5).take_while(|token| !token.mark());
            verb.take_while(|token| connector(&token.text).is_none_or(|link| link == Link::And))
                .any(|token| token.is(Class::Aux) || token.form == Form::S && token.is(Class::Like))
                || tokens.get(2).is_some_and(|token| token.text == "'s" || verbal(token))
                || environment(tokens).is_some()
        }
        _ => environment(tokens).is_some(),
    }
}

/// A verb that agrees with "he", "she", "it".
fn verbal(token: &Token) -> bool {
    matches!(token.form, Form::S | Form::Past)
        && [Class::Habit, Class::Like, Class::Project, Class::Event, Class::Dislike]
            .iter()
            .any(|class| token.is(*class))
        || any(&token.text, &["works", "lives", "teaches", "studies", "owns", "runs", "uses"])
}

/// Whether a question begins here.
pub(super) fn starts_question(tokens: &[Token]) -> bool {
    match tokens {
        [first, not, third, ..] if first.is(Class::Aux) && not.text == "not" => third.is(Class::Pronoun),
        [first, second, ..] if first.is(Class::Aux) && !any(&first.text, &["am", "been", "be"]) => {
            second.is(Class::Pronoun)
                || any(&second.text, &["my", "our", "the", "that", "this", "any", "there", "your"])
        }
        [first, ..] => {
            any(&first.text, &["what", "where", "who", "whose", "how", "why", "which"])
                && !tokens.get(1).is_some_and(|token| token.text == "i" && first.text != "how" && first.text != "what")
        }
        [] => false,
    }
}

/// Whether a request to the agent begins here.
pub(super) fn starts_request(tokens: &[Token]) -> bool {
    match tokens {
        [first, rest @ ..] if first.text == "please" || first.text == "lets" || first.text == "let" => !rest.is_empty(),
        [first, second, ..] => {
            first.is(Class::RequestStart)
                && first.form == Form::Base
                && (second.is(Class::Determiner)
                    || second.is(Class::Preposition)
                    || second.number()
                    || any(
                        &second.text,
                        &[
                            "me", "us", "it", "them", "up", "out", "if", "what", "how", "when", "where", "all", "you",
                            "that",
                        ],
                    )
                    || second.form == Form::Base && !second.is(Class::Aux) && !second.mark())
        }
        _ => false,
    }
}

/// Whether a verb without its subject begins here ("… and work as a nurse"). After "to" only a verb that cannot
/// continue the infinitive ("love to cook and bake") does.
fn starts_predicate(tokens: &[Token], before: &[Token]) -> bool {
    let skip = tokens.iter().take_while(|token| token.is(Class::Adverb) && !token.is(Class::Aux)).count().min(2);
    let Some(verb) = tokens.get(skip) else { return false };
    let said = |words: &[&str]| before.iter().any(|token| any(&token.text, words));
    let opinion = (verb.is(Class::Like) || verb.is(Class::Dislike)) && verb.form != Form::Ing;
    // "restaurants that play loud music or have …": the second half belongs to the first's "that".
    if said(&["that", "which", "who"]) && !(opinion && matches!(verb.form, Form::Base)) {
        return false;
    }
    let infinitive = said(&["to"]);
    let modal = any(&verb.text, &["am", "are", "have", "do", "was", "can", "has", "is", "will", "must", "never"]);
    let plain = any(&verb.text, &["work", "live", "own", "works", "lives", "require", "adhere", "follow"])
        || skip > 0 && (verb.is(Class::Habit) || verb.is(Class::Verb)) && verb.form == Form::Base;
    let acts = verb.is(Class::Habit) && matches!(verb.form, Form::Base | Form::S) && {
        tokens
            .get(skip + 1)
            .is_some_and(|next| next.is(Class::Determiner) || next.is(Class::Preposition) || next.number())
    };
    let past = verb.form == Form::Past && verb.is(Class::Event) && before.iter().any(|token| token.form == Form::Past);
    opinion && !(infinitive && verb.is(Class::Habit)) || modal || plain || acts && !infinitive || past
}
