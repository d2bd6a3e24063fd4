//! Of whom a clause speaks.

use super::token::{Class, Form, Token, any};

/// Of whom or what something is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// "I", "we".
    Customer,
    /// A person or animal of the customer's: "wife", "brother tom".
    Person(String),
    /// The customer's company, team, shop.
    Organisation(String),
    /// Something about the customer: "favorite band", "job".
    Trait(String),
    /// Something about a person of the customer's: "birthday" of "son".
    TraitOf {
        /// The person.
        person: String,
        /// What about them.
        name: String,
    },
    /// Something the customer has: "car", "website".
    Thing(String),
    /// An own noun of no known class: "my flight".
    Other(String),
}

impl Who {
    /// As the subject of a topic key.
    pub fn subject(&self) -> String {
        match self {
            Who::Customer | Who::Trait(_) => "customer".to_owned(),
            Who::TraitOf { person, .. } => person.clone(),
            Who::Person(name) | Who::Organisation(name) | Who::Thing(name) | Who::Other(name) => name.clone(),
        }
    }
}

/// A clause with its subject found.
#[derive(Debug, Clone)]
pub(super) struct Headed<'a> {
    /// Of whom.
    pub who: Who,
    /// Where the statement begins, leading phrase included.
    pub start: usize,
    /// From the verb on.
    pub rest: &'a [Token],
    /// The subject was left out.
    pub elided: bool,
    /// Introduced by "I think", "I guess".
    pub hedged: bool,
    /// Introduced by "it is not true that".
    pub denied: bool,
    /// The pronoun it begins with, to be resolved: "she", "it".
    pub pronoun: Option<&'a str>,
}

/// Phrases that introduce a statement and say nothing.
const OPENERS: [&[&str]; 22] = [
    &["these", "days"],
    &["as", "of", "today"],
    &["just", "so", "you", "know"],
    &["so", "you", "know"],
    &["by", "the", "way"],
    &["for", "your", "information"],
    &["for", "the", "record"],
    &["to", "be", "honest"],
    &["to", "be", "clear"],
    &["in", "fact"],
    &["of", "course"],
    &["you", "know"],
    &["you", "should", "know", "that"],
    &["i", "mean"],
    &["as", "you", "know"],
    &["please", "note", "that"],
    &["please", "note"],
    &["note", "that"],
    &["keep", "in", "mind", "that"],
    &["please", "remember", "that"],
    &["fun", "fact"],
    &["i", "must", "say"],
];

/// What makes the rest a guess.
const GUESSES: [&[&str]; 9] = [
    &["i", "think"],
    &["i", "guess"],
    &["i", "suppose"],
    &["i", "believe"],
    &["i", "feel", "like"],
    &["i", "assume"],
    &["i", "hope"],
    &["i", "wish"],
    &["i", "imagine"],
];

/// What makes the rest untrue.
const DENIALS: [&[&str]; 12] = [
    &["it", "is", "not", "true", "that"],
    &["that", "is", "not", "true", "that"],
    &["it", "is", "false", "that"],
    &["it", "is", "wrong", "that"],
    &["it", "is", "a", "lie", "that"],
    &["it", "is", "a", "myth", "that"],
    &["it", "is", "incorrect", "that"],
    &["it", "is", "untrue", "that"],
    &["it", "is", "not", "correct", "that"],
    &["it", "is", "not", "the", "case", "that"],
    &["it", "is", "not", "as", "if"],
    &["it", "is", "not", "like"],
];

/// Skips marks and words that carry nothing.
fn past_fillers(tokens: &[Token]) -> usize {
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if let Some(opener) = OPENERS.iter().find(|opener| begins(rest, opener)) {
            at += opener.len();
        } else if rest[0].mark() || rest[0].is(Class::Filler) && !verb_after_all(rest) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// "look after", "listen to": verbs here, though they open many a chat line.
fn verb_after_all(rest: &[Token]) -> bool {
    any(&rest[0].text, &["look", "listen"]) && rest.get(1).is_some_and(|next| any(&next.text, &["after", "to"]))
}

/// Whether tokens begin with these words.
pub(super) fn begins(tokens: &[Token], words: &[&str]) -> bool {
    tokens.len() >= words.len() && tokens.iter().zip(words).all(|(token, word)| token.text == *word)
}

/// Finds the subject; `previous` is the subject of the clause before, for one that is left out.
pub(super) fn head<'a>(tokens: &'a [Token], previous: Option<&Who>) -> Option<Headed<'a>> {
    let start = past_fillers(tokens);
    let mut at = start;
    let mut hedged = false;
    if let Some(guess) = GUESSES.iter().find(|guess| begins(&tokens[at..], guess)) {
        at += guess.len();
        at += usize::from(tokens.get(at).is_some_and(|token| token.text == "that"));
        if !tokens.get(at).is_some_and(|token| any(&token.text, &["i", "we", "my", "our"])) {
            return None;
        }
        hedged = true;
    }
    let denial = DENIALS.iter().find(|denial| begins(&tokens[at..], denial));
    at += denial.map_or(0, |denial| denial.len());
    let denied = denial.is_some();
    if tokens.get(at).is_some_and(|token| token.is(Class::Hedge)) {
        at += 1;
        hedged = true;
    }
    // A phrase in front: "due to noise, I …", "as a nurse, I …", "on weekends we …".
    if tokens.get(at).is_some_and(|token| {
        token.is(Class::Preposition)
            || token.form == Form::Ing
            || any(&token.text, &["last", "every", "yesterday", "recently"])
    }) {
        let own = (at + 1..tokens.len().min(at + 14)).find(|&index| {
            any(&tokens[index].text, &["i", "we"])
                || any(&tokens[index].text, &["my", "our"]) && tokens[index - 1].text == ","
        })?;
        if tokens[at..own].iter().any(|token| any(&token.text, &["that", "what", "if", "is", "are", "you"])) {
            return None;
        }
        at = own;
    }
    let adverbs = tokens[at.min(tokens.len())..]
        .iter()
        .take_while(|token| token.is(Class::Adverb) && !token.is(Class::Aux))
        .count();
    if adverbs > 0 && tokens.get(at + adverbs).is_some_and(|token| any(&token.text, &["i", "we", "my", "our"])) {
        at += adverbs;
    }
    let rest = tokens.get(at..)?;
    let first = rest.first()?;
    // "Nora and I live in Rome", "my husband and I split up".
    let both = rest.iter().take(6).position(|token| token.text == "and").filter(|&and| {
        and > 0
            && rest.get(and + 1).is_some_and(|i| i.text == "i")
            && (first.capital || any(&first.text, &["my", "our"]))
            && !rest[..and].iter().any(|token| token.mark() || token.is(Class::Aux) || any(&token.text, &["i", "we"]))
    });
    if let Some(and) = both {
        let rest = &rest[and + 2..];
        return Some(Headed { who: Who::Customer, start, rest, elided: false, hedged, denied, pronoun: None });
    }
    let headed = |who, rest, elided, pronoun| Some(Headed { who, start, rest, elided, hedged, denied, pronoun });
    match first.text.as_str() {
        "i" | "we" => {
            let skip = company(&rest[1..]);
            // "We're based in Leeds" says where the company is; "I'm based" where the customer lives.
            let business = first.text == "we"
                && rest.iter().take(5).any(|token| any(&token.text, &["based", "located", "headquartered"]));
            headed(
                if business { Who::Organisation("company".to_owned()) } else { Who::Customer },
                &rest[1 + skip..],
                false,
                None,
            )
        }
        "me" if rest.get(1).is_some_and(|token| token.text == "and") => {
            let verb = rest
                .iter()
                .position(|token| token.is(Class::Aux) || any(&token.text, &["live", "love", "like", "work", "own"]))?;
            headed(Who::Customer, &rest[verb..], false, None)
        }
        "my" | "our" => {
            let (who, verb) = own(&rest[1..])?;
            headed(who, &rest[1 + verb..], false, None)
        }
        "he" | "she" | "they" | "it" => headed(Who::Other(first.text.clone()), &rest[1..], false, Some(&first.text)),
        _ if let Some(verb) = environment(rest) => {
            let name: Vec<&str> =
                rest[..verb].iter().map(|token| token.text.as_str()).filter(|word| *word != "the").collect();
            headed(Who::Thing(name.join(" ")), &rest[verb..], false, None)
        }
        _ if previous.is_some() => headed(previous?.clone(), rest, true, None),
        _ if bare(rest) => headed(Who::Customer, rest, true, None),
        _ => None,
    }
}

/// Where the verb of "(the) test env runs …", "production uses …" stands.
pub(super) fn environment(tokens: &[Token]) -> Option<usize> {
    const NAMES: [&str; 9] =
        ["test", "testing", "production", "prod", "staging", "dev", "development", "qa", "sandbox"];
    const NOUNS: [&str; 9] =
        ["env", "environment", "system", "server", "servers", "cluster", "instance", "database", "db"];
    let from = usize::from(tokens.first()?.text == "the");
    let noun = tokens.get(from + 1).is_some_and(|noun| any(&noun.text, &NOUNS));
    let verb = from + 1 + usize::from(noun);
    let named = any(&tokens.get(from)?.text, &NAMES);
    (named && any(&tokens.get(verb)?.text, &["runs", "uses"])).then_some(verb)
}

/// "I and my wife", "we both", "I myself": what stands between the pronoun and its verb.
fn company(tokens: &[Token]) -> usize {
    match tokens {
        [and, my, ..] if and.text == "and" && any(&my.text, &["my", "our"]) => tokens
            .iter()
            .position(|token| token.is(Class::Aux) || any(&token.text, &["live", "love", "like", "work", "own"]))
            .unwrap_or(0),
        [word, ..] if any(&word.text, &["myself", "too", "both", "all", "guys"]) => 1,
        _ => 0,
    }
}

/// A chat line without its "I": "love pizza", "grew up in Texas", "allergic to nuts".
fn bare(tokens: &[Token]) -> bool {
    let [first, second, ..] = tokens else { return false };
    let opinion = any(&first.text, &["love", "hate", "enjoy", "dislike", "prefer", "loved"]);
    let placed = any(&first.text, &["live", "work", "grew", "born", "allergic"]) && second.is(Class::Preposition)
        || first.text == "grew" && second.text == "up";
    (opinion || placed) && !second.is(Class::Deictic)
}

/// What "my …" is, and how many tokens it takes.
fn own(tokens: &[Token]) -> Option<(Who, usize)> {
    let verb = (1..tokens.len().min(9)).find(|&index| finite(tokens, index))?;
    let phrase = &tokens[..verb];
    if phrase.iter().any(|token| {
        token.mark() || any(&token.text, &["that", "which"]) || token.text == "to" && !phrase[0].is(Class::Favorite)
    }) && !phrase.iter().any(|token| token.text == ",")
    {
        return None;
    }
    if phrase.len() >= 2 && phrase[phrase.len() - 2].text == "and" && any(&phrase[phrase.len() - 1].text, &["i", "me"])
    {
        return Some((Who::Customer, verb));
    }
    if let Some(possessive) = phrase.iter().position(|token| token.text == "'s") {
        let owner = phrase.get(possessive.checked_sub(1)?)?;
        let owned: Vec<&str> = phrase[possessive + 1..].iter().map(|token| token.text.as_str()).collect();
        if owner.is(Class::Person) && phrase.last()?.is(Class::Trait) {
            return Some((Who::TraitOf { person: owner.base.clone(), name: owned.join(" ") }, verb));
        }
        return (!owned.is_empty() && owner.is(Class::Person))
            .then(|| (Who::Person(format!("{}'s {}", owner.base, owned.join(" "))), verb));
    }
    let head_end = phrase.iter().position(|token| token.is(Class::Preposition)).unwrap_or(verb);
    let nouns = &phrase[..head_end];
    let words = || {
        nouns
            .iter()
            .filter(|token| !token.is(Class::Intensifier))
            .map(|token| token.text.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let who = if nouns.iter().any(|token| token.is(Class::Favorite)) {
        let rest: Vec<&str> = nouns
            .iter()
            .skip_while(|token| !token.is(Class::Favorite))
            .skip(1)
            .map(|token| token.text.as_str())
            .collect();
        let about: Vec<&str> =
            phrase[head_end..].iter().map(|token| token.text.as_str()).filter(|word| *word != "of").collect();
        Who::Trait(
            ["favorite", &rest.join(" "), &about.join(" ")]
                .iter()
                .filter(|part| !part.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(" "),
        )
    } else if let Some(person) = nouns.iter().find(|token| token.is(Class::Person) || token.is(Class::Pet)) {
        let name: Vec<&str> = nouns
            .iter()
            .skip_while(|token| token.start != person.start)
            .skip(1)
            .filter(|token| token.capital)
            .map(|token| token.text.as_str())
            .collect();
        let kin = if person.form == Form::S { person.text.clone() } else { person.base.clone() };
        // "My other sister" is not "my sister".
        let which = nouns.iter().find(|token| {
            any(&token.text, &["other", "second", "older", "elder", "younger", "oldest", "eldest", "youngest", "first"])
        });
        let kin = which.map_or_else(|| kin.clone(), |which| format!("{} {kin}", which.text));
        Who::Person(if name.is_empty() { kin } else { format!("{kin} {}", name.join(" ")) })
    } else {
        let last = nouns.last()?;
        match () {
            () if last.is(Class::Trait) => {
                // "My budget for the kitchen" and "… for the bathroom" are two.
                let of: Vec<&str> = phrase[head_end..]
                    .iter()
                    .filter(|token| !token.is(Class::Determiner))
                    .map(|token| token.text.as_str())
                    .collect();
                let purpose = of.first().is_some_and(|first| *first == "for") && of.len() > 1;
                Who::Trait(if purpose { format!("{} {}", words(), of.join(" ")) } else { words() })
            }
            () if last.is(Class::Organisation) => Who::Organisation("company".to_owned()),
            () if last.is(Class::Thing) => Who::Thing(words()),
            () => Who::Other(words()),
        }
    };
    Some((who, verb))
}

/// Whether the verb of "my …" stands at `index`.
fn finite(tokens: &[Token], index: usize) -> bool {
    let token = &tokens[index];
    let next = tokens.get(index + 1);
    if token.text == "'s" {
        return next.is_some_and(|next| {
            next.is(Class::Determiner) && next.text != "all"
                || next.text == "not"
                || next.is(Class::Adverb)
                || next.is(Class::Lasting)
                || next.number()
                || next.form == Form::Ing && next.text != "hearing"
        });
    }
    let verbs = [Class::Habit, Class::Verb, Class::Like, Class::Dislike, Class::Event, Class::Project];
    let verbal = verbs.iter().any(|class| token.is(*class))
        || any(
            &token.base,
            &["work", "live", "own", "run", "use", "want", "need", "make", "expire", "renew", "cost", "contain"],
        );
    let plural_before = tokens[index - 1].form == Form::S
        || any(&tokens[index - 1].text, &["parents", "kids", "children", "family", "team", "company"]);
    token.is(Class::Aux) && !any(&token.text, &["be", "been"])
        || verbal && matches!(token.form, Form::S | Form::Past) && !token.is(Class::Pet) && !token.is(Class::Person)
        || verbal && token.form == Form::Base && plural_before
        || token.text == "never"
        || token.text == "always"
}
