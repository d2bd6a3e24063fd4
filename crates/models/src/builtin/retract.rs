//! What a customer wants forgotten, and what they say was never so (requirements D1): patterns over whole clauses, one
//! table for all languages (`retract.txt`). What it means, the space decides; here only the words are found.

use std::{collections::HashMap, sync::LazyLock};

use regex::{Captures, Regex};
use saidso_core::{
    item::{Evidence, Retracting, Retraction, Span, Stated, TopicKey},
    limits,
    text::{self, Language, Normalised},
};

use super::{
    about, ever,
    rules::{Finding, Sentence},
    rules_of, sensitive, stated,
};

/// What a pattern tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Request,
    /// A request only as a whole sentence: "forget about Paris, let's go to Rome" is none.
    Bare,
    Denial,
    /// Takes back what the other said; matched at the front.
    Rejects,
    /// Denies, if something before rejects.
    Denied,
}

/// The patterns of a language.
#[derive(Default)]
struct Patterns(Vec<(Says, Regex)>);

static TABLE: LazyLock<HashMap<Language, Patterns>> = LazyLock::new(|| parse(include_str!("retract.txt")));

/// Reads the table. It is part of the program: a mistake in it panics, and must not pass a test.
fn parse(text: &str) -> HashMap<Language, Patterns> {
    let mut named: Vec<(String, String)> = Vec::new();
    let mut table: HashMap<Language, Patterns> = HashMap::new();
    let fill = |pattern: &str, named: &[(String, String)]| {
        named.iter().fold(pattern.to_owned(), |text, (name, list)| text.replace(&format!("{{{name}}}"), list))
    };
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((name, list)) = line.strip_prefix('@').and_then(|line| line.split_once(" = ")) {
            named.push((name.to_owned(), fill(list, &named)));
            continue;
        }
        let Some((language, says, pattern)) = line
            .split_once(" :: ")
            .and_then(|(head, pattern)| head.split_once(' ').map(|(language, says)| (language, says, pattern)))
        else {
            panic!("retract.txt: no pattern: {line}")
        };
        let language = match language {
            "en" => Language::En,
            "zh" => Language::Zh,
            "ru" => Language::Ru,
            "other" => Language::Other,
            unknown => panic!("retract.txt: no language: {unknown}"),
        };
        let (says, end) = match says {
            "request" => (Says::Request, "$"),
            "bare" => (Says::Bare, "$"),
            "denial" => (Says::Denial, "$"),
            "rejects" => (Says::Rejects, ""),
            "denied" => (Says::Denied, "$"),
            unknown => panic!("retract.txt: no way to say: {unknown}"),
        };
        let pattern = format!("^(?:{}){end}", fill(pattern, &named));
        let regex = Regex::new(&pattern).unwrap_or_else(|error| panic!("retract.txt: {line}: {error}"));
        table.entry(language).or_default().0.push((says, regex));
    }
    table
}

/// A sentence of a message.
pub(super) struct Said<'a> {
    /// The message's index in its turn.
    pub index: u32,
    /// The message.
    pub message: &'a str,
    /// The sentence.
    pub span: Span,
    /// Its language.
    pub language: Language,
    /// The sentence before only took the other's word back ("No, that's wrong.").
    pub rejected: bool,
}

/// What a sentence takes back.
pub(super) fn read(said: &Said<'_>) -> Vec<Retraction> {
    let sentence = said.span.of(said.message).unwrap_or_default();
    let near = near(sentence, said.language);
    let Some(patterns) = TABLE.get(&said.language).filter(|_| near.0 || near.1) else { return Vec::new() };
    let clauses = text::clauses(said.message, said.span);
    let mut found = Vec::new();
    let mut at = 0;
    while at < clauses.len() {
        let before = &said.message[said.span.start as usize..clauses[at].start as usize];
        // "My friend said, forget it", "If I say: forget me": not asked by the customer, or not now.
        let open = !text::others_say(before) && !text::is_hedged(before);
        match open.then(|| longest(said, patterns, near, &clauses[at..])).flatten() {
            Some((retraction, taken)) => {
                found.push(retraction);
                at += taken;
            }
            None => at += 1,
        }
    }
    found
}

/// Whether a sentence only says that the other was wrong.
pub(super) fn rejects(sentence: &str, language: Language) -> bool {
    let Some(patterns) = TABLE.get(&language).filter(|_| sentence.len() <= 64) else { return false };
    let normal = Normalised::new(sentence);
    let text = format!("{}.", normal.text().trim().trim_end_matches(['.', '!', ',']));
    patterns.rejecting(&text).is_some_and(|rest| rest.trim().is_empty())
}

/// Whether a sentence holds the words that some request, and that some denial needs: most hold neither, and patterns cost.
fn near(sentence: &str, language: Language) -> (bool, bool) {
    const FORGET: [&str; 10] =
        ["forg", "unlearn", "disrem", "забу", "забы", "из головы", "忘", "olv", "recuerd", "memori"];
    const KEEP: [&str; 16] = [
        "rememb",
        "memor",
        "mind",
        "stor",
        "sav",
        "record",
        "keep",
        "not",
        "retain",
        "writ",
        "know",
        "помн",
        "запом",
        "хран",
        "запис",
        "guard",
    ];
    const STOP: [&str; 10] = ["n't", "not ", "n’t", "dont", "stop", "quit", "never", "no need", "не ", "пре"];
    const DELETE: [&str; 25] = [
        "delet",
        "eras",
        "remov",
        "wipe",
        "clear",
        "purge",
        "scrub",
        "drop",
        "expunge",
        "take ",
        "удал",
        "сотр",
        "стер",
        "убер",
        "убра",
        "вычерк",
        "очист",
        "уничт",
        "删",
        "清",
        "抹",
        "移除",
        "擦",
        "borr",
        "elimin",
    ];
    const KNOWN: [&str; 39] = [
        " lo ",
        "имя",
        "адрес",
        "thing",
        "stuff",
        "memor",
        "record",
        "note",
        "mind",
        "know",
        "databas",
        "file",
        "storage",
        "profile",
        "info",
        "data",
        "fact",
        "detail",
        "everything",
        "all",
        "entr",
        "stored",
        "saved",
        "what",
        "памят",
        "баз",
        "запис",
        "замет",
        "профил",
        "истори",
        "данн",
        "информ",
        "сведен",
        "воспом",
        "все",
        "всё",
        "знае",
        "факт",
        "что",
    ];
    const DENY: [&str; 9] = ["n't", "n’t", "not", "never", "no ", "dont", "не", "ни", "nunca"];
    let lower = sentence.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match language {
        Language::Zh => {
            (lower.contains(|c| "忘删清抹移擦记存".contains(c)), lower.contains(|c| "不没错哪".contains(c)))
        }
        _ => (
            any(&FORGET) || any(&KEEP) && any(&STOP) || any(&DELETE) && any(&KNOWN),
            any(&DENY) || language == Language::Ru && any(&["ошиб", "пута"]),
        ),
    }
}

/// The retraction that begins with the first of these clauses, over as many of them as it takes.
fn longest(said: &Said<'_>, patterns: &Patterns, near: (bool, bool), clauses: &[Span]) -> Option<(Retraction, usize)> {
    let goes_on = |clause: &Span| continues(clause.of(said.message).unwrap_or_default(), said.language);
    let run = 1 + clauses[1..].iter().take_while(|clause| goes_on(clause)).count();
    // A rejection is a clause before what it rejects, and in Chinese what is to go may be one before its verb.
    let clause = |at: usize| clauses.get(at).and_then(|clause| clause.of(said.message)).unwrap_or_default();
    let ahead = said.language == Language::Zh || rejects(clause(0), said.language) || takes_up(clause(1));
    let most = if ahead { run.max(2).min(clauses.len()) } else { run };
    (1..=most).rev().find_map(|taken| {
        let span = Span { start: clauses[0].start, end: clauses[taken - 1].end };
        let retraction = whole(said, patterns, near, stated::bare(said.message, span, &[]))?;
        Some((retraction, taken))
    })
}

/// Whether a clause asks to forget what the one before it said: "… please forget I said that".
fn takes_up(clause: &str) -> bool {
    let clause = clause.to_lowercase();
    clause.contains("forg") && ["said", "mention", "told", "wrote", "shared"].iter().any(|word| clause.contains(word))
}

/// Whether a clause goes on with what is to be forgotten: "…, and that I smoke", "… and my phone number".
fn continues(clause: &str, language: Language) -> bool {
    const EN: [&str; 12] = [
        "and that ",
        "and my ",
        "and our ",
        "and what ",
        "and where ",
        "or that ",
        "or my ",
        "my ",
        "our ",
        "that ",
        "nor ",
        "and anything ",
    ];
    const RU: [&str; 7] = ["и что ", "и то, что ", "и мо", "и наш", "что ", "и о ", "и про "];
    let clause = clause.trim_start().to_lowercase();
    let opens = |list: &[&str]| list.iter().any(|word| clause.starts_with(word));
    match language {
        Language::En => opens(&EN),
        Language::Ru => opens(&RU),
        Language::Zh | Language::Other => false,
    }
}

/// A retraction that these words are, from the first to the last.
fn whole(said: &Said<'_>, patterns: &Patterns, near: (bool, bool), span: Span) -> Option<Retraction> {
    let quote = span.of(said.message).filter(|quote| quote.len() <= limits::QUOTE_BYTES)?;
    let normal = Normalised::new(quote);
    let text = normal.text();
    let alone = said.span.of(said.message).is_some_and(|sentence| bare_words(sentence) == bare_words(quote));
    let (how, about) = patterns.read(text, near, said.rejected, alone)?;
    let about = normal.original(about::essence(text, about)).of(quote)?.trim();
    if about.is_empty() || how == Retracting::Denial && text::is_question(quote) {
        return None;
    }
    let evidence = Evidence { message: said.index, span, quote: quote.to_owned() };
    Some(Retraction {
        how,
        evidence,
        about: about.to_owned(),
        states: match how {
            Retracting::Request => states(about, said.language),
            Retracting::Denial => states(&ever::so(about, said.language), said.language),
        },
        language: said.language,
    })
}

/// What the words say that name what is to go.
fn states(about: &str, language: Language) -> Vec<Stated> {
    let Some(rules) = rules_of(language) else { return Vec::new() };
    let read = sensitive::readable(about);
    let span = Span { start: 0, end: read.len() as u32 };
    let findings = rules.read(&Sentence { message: &read, span, before: &[] }).findings;
    let stated = |finding: Finding| Stated {
        topic_key: TopicKey { subject: finding.subject, attribute: finding.attribute, many: finding.many },
        value: finding.value,
        negated: finding.negated,
        qualifier: finding.qualifier,
    };
    findings.into_iter().filter_map(sensitive::cut).map(stated).collect()
}

impl Patterns {
    fn of(&self, says: Says) -> impl Iterator<Item = &Regex> {
        self.0.iter().filter(move |(kind, _)| *kind == says).map(|(_, regex)| regex)
    }

    /// What a text in normal form takes back, and where it names it.
    fn read(
        &self,
        text: &str,
        (request, denial): (bool, bool),
        rejected: bool,
        alone: bool,
    ) -> Option<(Retracting, Span)> {
        let bare = self.of(Says::Bare).filter(|_| alone);
        let mut requests =
            self.of(Says::Request).chain(bare).filter(|_| request).filter_map(|pattern| pattern.captures(text));
        if let Some(found) = requests.next() {
            return named(&found).filter(|about| !points(text, *about)).map(|about| (Retracting::Request, about));
        }
        if !denial {
            return None;
        }
        let mut denials = self.of(Says::Denial).filter_map(|pattern| pattern.captures(text));
        if let Some(found) = denials.find(|found| !about::idle(group(found, "about"))) {
            return named(&found).map(|about| (Retracting::Denial, about));
        }
        let rest = self.rejecting(text).or(rejected.then_some(text))?;
        let from = (text.len() - rest.len()) as u32;
        let mut denied = self.of(Says::Denied).filter_map(|pattern| pattern.captures(rest));
        let found = denied.find(|found| !about::idle(group(found, "about")))?;
        let about = named(&found)?;
        Some((Retracting::Denial, Span { start: from + about.start, end: from + about.end }))
    }

    /// What stands behind words that take the other's word back.
    fn rejecting<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.of(Says::Rejects).find_map(|pattern| pattern.find(text)).map(|found| &text[found.end()..])
    }
}

/// A sentence without the marks and white space around it.
fn bare_words(sentence: &str) -> &str {
    sentence.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether what is to go is only pointed at: what, it does not say.
fn points(text: &str, about: Span) -> bool {
    const POINTING: [&str; 18] = [
        "it", "that", "this", "these", "those", "him", "her", "them", "rest", "above", "everyone", "anyone", "thing",
        "него", "нее", "eso", "他", "她",
    ];
    about.of(text).is_some_and(|about| POINTING.contains(&about.trim()))
}

fn group<'a>(found: &Captures<'a>, name: &str) -> &'a str {
    found.name(name).map_or("", |found| found.as_str())
}

/// The part that names what is to go: all there is, where it only points at the customer.
fn named(found: &Captures<'_>) -> Option<Span> {
    const SELF: [&str; 12] =
        ["me", "us", "myself", "me and my life", "мне", "меня", "нас", "我", "我们", "我的", "mí", "nosotros"];
    const ELSEWHERE: [&str; 7] = ["этом", "это", "нем", "ней", "них", "том", "то"];
    let about = found.name("about").filter(|about| !ELSEWHERE.contains(&about.as_str()))?;
    let all = found.name("all").filter(|_| SELF.contains(&about.as_str().trim()));
    let named = all.unwrap_or(about);
    Some(Span { start: named.start() as u32, end: named.end() as u32 })
}
