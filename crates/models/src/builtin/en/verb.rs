//! How a clause says it: tense, negation, change, strength.

use super::{
    contrast,
    subject::begins,
    token::{Class, Form, Token, any},
};

/// The way the verb is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    /// "I live".
    Present,
    /// "I am building".
    Progressive,
    /// "I bought".
    Past,
    /// "I have bought", "I have been building".
    Perfect,
    /// "I used to live".
    UsedTo,
    /// "I will move", "I am going to move".
    Future,
    /// "I can swim".
    Can,
    /// "I must avoid", "I need to avoid", "I have to".
    Must,
}

/// The verb of a clause and what it governs.
#[derive(Debug, Clone)]
pub(super) struct Verb<'a> {
    /// The verb itself.
    pub token: &'a Token,
    /// What follows it.
    pub after: &'a [Token],
    /// How it is meant.
    pub tense: Tense,
    /// Denied.
    pub negated: bool,
    /// "now", "no longer", "anymore", "switched".
    pub changed: bool,
    /// "strictly", "absolutely", "never".
    pub strong: bool,
    /// "often", "every day": a habit whatever the verb.
    pub habit: bool,
    /// "would", "could", "may": not said as true.
    pub supposed: bool,
    /// All from the subject on, adverbs included.
    pub all: &'a [Token],
}

impl Verb<'_> {
    /// Whether the clause says "still": not done yet.
    pub fn still(&self) -> bool {
        self.all.iter().any(|token| token.text == "still")
    }

    /// Whether the clause says "only".
    pub fn only(&self) -> bool {
        self.all.iter().any(|token| any(&token.text, &["only", "exclusively", "solely"]))
    }
}

/// Finds the verb behind a subject.
pub(super) fn verb(rest: &[Token]) -> Option<Verb<'_>> {
    let mut found = Verb {
        token: rest.first()?,
        after: &rest[1..],
        tense: Tense::Present,
        negated: false,
        changed: rest
            .iter()
            .any(|token| any(&token.text, &["now", "nowadays", "anymore", "longer", "currently", "presently"])),
        strong: false,
        habit: rest.iter().any(|token| token.is(Class::HabitAdverb)),
        supposed: false,
        all: rest,
    };
    let mut at = 0;
    let mut had_be = false;
    let mut did = false;
    loop {
        let token = rest.get(at)?;
        let next = &rest[at + 1..];
        match token.text.as_str() {
            "not" if next.first().is_some_and(contrast::only) => at += 1,
            "not" => found.negated = !found.negated,
            "never" => {
                found.negated = true;
                found.strong = true;
            }
            "no" if next.first().is_some_and(|next| next.text == "longer") => {
                found.negated = true;
                at += 1;
            }
            "used" if next.first().is_some_and(|next| next.text == "to") && !had_be => {
                found.tense = Tense::UsedTo;
                at += 1;
            }
            "do" | "does" | "did" if auxiliary(next) => did |= token.text == "did",
            "will" => found.tense = Tense::Future,
            "would" if next.iter().take(2).any(|next| any(&next.text, &["rather", "prefer", "never"])) => {}
            "rather" => return finish(found, rest, at, did),
            "would" | "could" | "may" | "might" | "should" | "shall" => found.supposed = true,
            "can" => found.tense = Tense::Can,
            "must" => found.tense = Tense::Must,
            "have" | "has" | "need" if next.first().is_some_and(|next| next.text == "to") => {
                found.tense = Tense::Must;
                at += 1;
            }
            "have" | "has"
                if next.first().is_some_and(|next| next.text == "got")
                    && next.get(1).is_some_and(|next| next.text != "to") =>
            {
                return finish(found, rest, at, did);
            }
            "have" | "has" | "had" if perfect(next) => found.tense = Tense::Perfect,
            "am" | "are" | "is" | "was" | "were" | "be" | "been" | "'s" => {
                if begins(next, &["going", "to"])
                    && next.get(2).is_some_and(|next| next.form == Form::Base && !next.is(Class::Determiner))
                {
                    found.tense = Tense::Future;
                    at += 2;
                } else {
                    let next = next.iter().position(|next| !skipped(next)).map_or(next, |skip| &next[skip..]);
                    let progressive = next.first().is_some_and(|next| next.form == Form::Ing && next.text != "hearing");
                    let past = any(&token.text, &["was", "were"]);
                    if !progressive {
                        if past && found.tense == Tense::Present {
                            found.tense = Tense::Past;
                        }
                        return finish(found, rest, at, did);
                    }
                    if past {
                        found.supposed = true;
                    }
                    if found.tense == Tense::Present {
                        found.tense = Tense::Progressive;
                    }
                    had_be = true;
                }
            }
            "almost" | "nearly" | "barely" | "hardly" | "scarcely" if !settles(next) => found.supposed = true,
            _ if skipped(token) => found.strong |= token.is(Class::Strong),
            _ => return finish(found, rest, at, did),
        }
        at += 1;
    }
}

/// "almost always", "nearly never": what follows "almost" is a frequency, not the fact itself.
pub(super) fn settles(next: &[Token]) -> bool {
    next.first()
        .is_some_and(|next| any(&next.text, &["always", "never", "only", "all", "every", "exclusively", "everyday"]))
}

/// An adverb between subject and verb.
fn skipped(token: &Token) -> bool {
    token.is(Class::Adverb) && !any(&token.text, &["do", "does", "did", "pretty", "like", "kind", "sort"])
        || token.text.len() > 4
            && token.text.ends_with("ly")
            && !any(&token.text, &["family", "apply", "reply", "supply", "rely", "comply", "italy"])
        || token.text == "'"
}

/// Whether "do" is an auxiliary: a verb follows.
fn auxiliary(next: &[Token]) -> bool {
    next.iter().find(|token| token.text != "not" && !skipped(token)).is_some_and(|token| {
        !token.mark()
            && !token.is(Class::Determiner)
            && !token.number()
            && token.form == Form::Base
            && (!token.is(Class::Preposition) || token.text == "like")
            && !any(&token.text, &["yoga", "it", "that", "this"])
    })
}

/// Whether "have" is an auxiliary: a participle follows.
fn perfect(next: &[Token]) -> bool {
    next.iter()
        .find(|token| {
            !any(&token.text, &["not", "never", "just", "already", "also", "always", "recently", "only", "both"])
        })
        .is_some_and(|token| {
            token.text == "been"
                || token.form == Form::Past && !any(&token.text, &["red"])
                || any(&token.text, &["had", "done", "put", "quit", "run", "come", "become", "met"])
        })
}

/// The verb at `at`, with the adverbs around it counted in.
fn finish<'a>(mut found: Verb<'a>, rest: &'a [Token], at: usize, did: bool) -> Option<Verb<'a>> {
    found.token = rest.get(at)?;
    found.after = &rest[at + 1..];
    match found.after {
        [not, only, after @ ..] if not.text == "not" && contrast::only(only) => found.after = after,
        // "We use not MySQL but Oracle".
        [not, after @ ..] if not.text == "not" && !after.is_empty() && !found.token.is(Class::Aux) => {
            (found.after, found.negated) = (after, !found.negated);
        }
        _ => {}
    }
    found.changed |= contrast::replaces(found.after);
    if found.token.mark() {
        return None;
    }
    let plain = found.tense == Tense::Present;
    // "I quit" looks like the present and mostly tells what happened.
    let past_form = found.token.form == Form::Past && !any(&found.token.text, &["'s"])
        || any(&found.token.text, &["quit", "split"]);
    if plain && (did || past_form && !any(&found.token.text, &["am", "are", "is"])) {
        found.tense = Tense::Past;
    }
    if any(&found.token.text, &["was", "were"]) && plain {
        found.tense = Tense::Past;
    }
    found.changed |= found.negated && found.after.iter().any(|token| any(&token.text, &["anymore", "longer"]));
    found.strong |= found.token.is(Class::Strong);
    Some(found)
}
