//! What a request names by a word for it ("my car", "我的住址") or by the question that it answers ("where I live"),
//! as topic keys: the same in every language, and nothing that only sounds alike (`matters.txt`).

use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

use super::words::CUSTOMER;
use crate::{fold::Memory, item::TopicKey, text};

/// Of whom and what something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    subject: &'static str,
    /// `None`: all that is said of them.
    attribute: Option<&'static str>,
    /// Only where one of the hints is said.
    hinted: bool,
}

/// What words for a matter mean.
#[derive(Debug, Default)]
struct Row {
    keys: Vec<Key>,
    /// It is somebody, or an animal.
    who: bool,
    hints: Vec<Hint>,
}

/// Words that tell of a matter.
#[derive(Debug)]
enum Hint {
    /// A stem.
    Stem(String),
    /// Chinese characters in a row.
    Characters(&'static str),
}

/// What a request names.
#[derive(Debug)]
pub(super) struct Matter {
    /// Somebody of the customer's.
    who: Option<&'static Row>,
    /// What of them, or of the customer; nothing: all of somebody.
    what: Option<&'static Row>,
}

/// The rows, and which of them a signature names.
struct Table {
    rows: Vec<Row>,
    of: HashMap<String, usize>,
    /// The longest signature of somebody, in words.
    longest: usize,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| parse(include_str!("matters.txt")));

/// Where a customer has somebody: "I have a dog", "I have a daughter named Mia".
const HAVING: [&str; 8] = ["family", "children", "child", "sons", "daughters", "pet", "partner", "number of pets"];

/// Reads the table. It is part of the program: a mistake in it panics, and must not pass a test.
fn parse(table: &'static str) -> Table {
    let mut parsed = Table { rows: Vec::new(), of: HashMap::new(), longest: 0 };
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = line.split(" = ");
        let (Some(keys), Some(words)) = (parts.next(), parts.next()) else { panic!("matters.txt: no words: {line}") };
        let who = keys.strip_prefix("who ");
        let mut row = Row { who: who.is_some(), ..Row::default() };
        match who {
            Some(subjects) => {
                let all = |subject| Key { subject, attribute: None, hinted: false };
                let having = |attribute| Key { subject: CUSTOMER, attribute: Some(attribute), hinted: true };
                row.keys = subjects.split(' ').map(all).chain(HAVING.map(having)).collect();
            }
            None => row.keys = keys.split(' ').map(|key| self::key(key, line)).collect(),
        }
        let hints = parts.next().or(who.map(|_| words)).unwrap_or_default();
        row.hints = hints.split('|').filter(|hint| !hint.is_empty()).map(hint).collect();
        for phrase in words.split('|') {
            let signature = signature(phrase);
            assert!(!signature.is_empty(), "matters.txt: a word for nothing: {phrase}");
            if row.who {
                parsed.longest = parsed.longest.max(signature.len());
            }
            // Of two that look alike without "my" the one named first counts.
            parsed.of.entry(signature.join(" ")).or_insert(parsed.rows.len());
        }
        parsed.rows.push(row);
    }
    parsed
}

fn key(key: &'static str, line: &str) -> Key {
    let hinted = key.ends_with('~');
    let Some((subject, attribute)) = key.trim_end_matches('~').split_once('·') else {
        panic!("matters.txt: no topic key: {line}")
    };
    let attribute = (attribute != "*").then(|| spaced(attribute));
    Key { subject, attribute, hinted }
}

/// The name of an attribute, made once.
fn spaced(attribute: &'static str) -> &'static str {
    if attribute.contains('_') { attribute.replace('_', " ").leak() } else { attribute }
}

fn hint(word: &'static str) -> Hint {
    match word.chars().all(text::ideograph) {
        true => Hint::Characters(word),
        false => Hint::Stem(text::words(word).into_iter().map(|word| word.stem).collect::<Vec<_>>().join(" ")),
    }
}

/// The stems of words that name something, without those for the one who asks.
fn signature(about: &str) -> Vec<String> {
    const LEFT_OUT: &str = "my our mine ours the a an i we am is are was were i'm we're i've we've me us all everything \
        я мы меня мне мой моя мое мои моего моей моему моим моих моем моею мою мной наш наша наше наши нашего нашей нашему \
        нашим наших нашем нашу нас нам у о об обо про все всё";
    const LEFT_OUT_ZH: &str = "我们的咱了是";
    static LEFT: LazyLock<BTreeSet<&str>> = LazyLock::new(|| LEFT_OUT.split_whitespace().collect());
    let out =
        |word: &text::Word| LEFT.contains(word.text.as_str()) || word.text.chars().all(|c| LEFT_OUT_ZH.contains(c));
    text::words(about).into_iter().filter(|word| !out(word)).map(|word| word.stem).collect()
}

impl Matter {
    /// What these words name, if they name nothing else.
    pub fn of(about: &str) -> Option<Self> {
        let table = &*TABLE;
        let row = |words: &[String]| table.of.get(&words.join(" ")).map(|at| &table.rows[*at]);
        let words = signature(about);
        if let Some(found) = row(&words) {
            return Some(if found.who {
                Self { who: Some(found), what: None }
            } else {
                Self { who: None, what: Some(found) }
            });
        }
        // "My wife's name", "имя моей жены": somebody, and what of them.
        (1..=table.longest.min(words.len().saturating_sub(1))).rev().find_map(|long| {
            (0..=words.len() - long).find_map(|at| {
                let who = row(&words[at..at + long]).filter(|row| row.who)?;
                let rest: Vec<String> = [&words[..at], &words[at + long..]].concat();
                let what = row(&rest).or_else(|| row(&named(&rest)?)).filter(|row| !row.who)?;
                Some(Self { who: Some(who), what: Some(what) })
            })
        })
    }

    /// Whether a memory tells of it.
    pub fn holds(&self, memory: &Memory) -> bool {
        let key = &memory.topic_key;
        let hinted = |row: &Row| row.hints.iter().any(|hint| hint.stands_in(memory));
        let of = |row: &Row| row.keys.iter().any(|it| it.is(key) && (!it.hinted || hinted(row)));
        match (self.who, self.what) {
            (Some(who), Some(what)) => {
                let subject = who.keys.iter().any(|it| it.subject != CUSTOMER && it.subject == key.subject);
                subject && what.keys.iter().any(|it| it.subject == CUSTOMER && it.attribute == Some(&key.attribute))
            }
            (Some(row), None) | (None, Some(row)) => of(row),
            (None, None) => false,
        }
    }

    /// Subjects and attributes (or all of the subject) that it is, whatever is said of them.
    pub fn keys(&self) -> Vec<(&'static str, Option<&'static str>)> {
        let plain = |row: &'static Row| row.keys.iter().filter(|key| !key.hinted);
        match (self.who, self.what) {
            (Some(who), Some(what)) => {
                let of = |of: &'static Key| plain(what).map(move |key| (of.subject, key.attribute));
                plain(who).flat_map(of).collect()
            }
            (Some(row), None) | (None, Some(row)) => plain(row).map(|key| (key.subject, key.attribute)).collect(),
            (None, None) => Vec::new(),
        }
    }
}

/// "Called" and "name" of somebody are asked for in other words than one's own.
fn named(rest: &[String]) -> Option<Vec<String>> {
    static NAMES: LazyLock<BTreeSet<Vec<String>>> = LazyLock::new(|| {
        let ways = "what called|what name|name|the name of|叫什么|叫什么名字|名字|как зовут|имя|кличка|как называется";
        ways.split('|').map(signature).collect()
    });
    NAMES.contains(rest).then(|| signature("my name"))
}

impl Key {
    fn is(&self, key: &TopicKey) -> bool {
        self.subject == key.subject && self.attribute.is_none_or(|attribute| attribute == key.attribute)
    }
}

impl Hint {
    fn stands_in(&self, memory: &Memory) -> bool {
        match self {
            Hint::Characters(characters) => memory.text.contains(characters) || memory.value.contains(characters),
            Hint::Stem(stem) => [&memory.text, &memory.value]
                .into_iter()
                .any(|text| text::words(text).iter().any(|word| word.stem == *stem || text::kin(&word.stem, stem))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(about: &str) -> Vec<String> {
        let keys = Matter::of(about).map(|matter| matter.keys()).unwrap_or_default();
        keys.into_iter().map(|(subject, attribute)| format!("{subject}·{}", attribute.unwrap_or("*"))).collect()
    }

    #[test]
    fn what_is_named_is_the_same_in_every_language() {
        for (about, key) in [
            ("where I live", "customer·home city"),
            ("where I'm living", "customer·home city"),
            ("my home address", "customer·home city"),
            ("我住在哪儿", "customer·home city"),
            ("где я живу", "customer·home city"),
            ("моего адреса", "customer·home city"),
            ("who I live with", "customer·household"),
            ("what I do for a living", "customer·occupation"),
            ("моей профессии", "customer·occupation"),
            ("my wife's name", "wife·name"),
            ("the name of my wife", "wife·name"),
            ("what my son is called", "son·name"),
            ("where my sister lives", "sister·home city"),
            ("我老婆叫什么", "wife·name"),
            ("как зовут моего сына", "son·name"),
            ("имя моей дочери", "daughter·name"),
            ("my kids", "son·*"),
            ("我的狗", "dog·*"),
            ("мою собаку", "dog·*"),
            ("нашей базы данных", "customer·database"),
            ("我们用什么数据库", "customer·database"),
        ] {
            assert!(keys(about).iter().any(|found| found == key), "{about}: {:?}", keys(about));
        }
        for about in
            ["where", "I live", "where she lives", "my boat", "living", "我", "жить", "", "where I left my keys"]
        {
            assert!(Matter::of(about).is_none(), "{about}: {:?}", Matter::of(about));
        }
    }
}
