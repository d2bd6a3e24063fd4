//! Rules as tables: what a predicate looks like, and what it says of its subject.
//!
//! A line is `attribute :: flags :: pattern`, tried in order, the first that matches the whole predicate counts.
//! `@name = a|b` names a list that later patterns use as `{name}`. In a pattern `v` is the group of the value, `o` of
//! what the attribute's `{o}` stands for. Flags: a kind (`event`, `instruction`, `task`, `topic`, else a fact),
//! `many`, a weight, a sureness, the intent of a topic (`how`, `compared`, `holdings`), `changed`, `denied`, `self` (only of the customer), `group` (only of the customer and
//! their organisation), `alone` (also without a subject), `negated`, `affirmed`, `habitual`, `timed` or `planned` (only
//! if said so), `lasts` (also said as going on) and `=value`.

use regex::Regex;
use saidso_core::item::{Kind, Unit};

use super::{
    rules::{sure, weight},
    sieve::Sieve,
};

/// A pattern that is part of the program, compiled once.
macro_rules! pattern {
    ($name:ident, $pattern:expr) => {
        static $name: std::sync::LazyLock<regex::Regex> = std::sync::LazyLock::new(|| {
            regex::Regex::new($pattern).unwrap_or_else(|error| panic!("{}: {error}", stringify!($name)))
        });
    };
}
pub(super) use pattern;

/// The text behind a pattern that it begins with.
pub(super) fn cut<'a>(pattern: &Regex, text: &'a str) -> Option<&'a str> {
    pattern.find(text).filter(|found| found.start() == 0 && found.end() > 0).map(|found| &text[found.end()..])
}

/// The rules of a language in the order they are tried.
pub(super) struct Table {
    rules: Vec<Rule>,
    sieve: Sieve,
}

/// One line.
struct Rule {
    pattern: Regex,
    attribute: String,
    value: Option<String>,
    says: Says,
}

/// What a rule says beside attribute and value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Says {
    /// What sort of memory.
    pub kind: Kind,
    /// Several values may stand.
    pub many: bool,
    /// A change by its meaning ("switched to").
    pub changed: bool,
    /// Denied by its meaning ("unable to").
    pub denied: bool,
    /// How much it matters.
    pub importance: Unit,
    /// How sure it is.
    pub confidence: Unit,
    /// Of whom it may be said.
    pub of: Of,
    /// It may be said without a subject: a chat line without its "I".
    pub alone: bool,
    /// It counts only denied (`Some(true)`) or only affirmed (`Some(false)`).
    pub when_denied: Option<bool>,
    /// It counts only said of a habit ("every day", "usually").
    pub when_habit: bool,
    /// It lasts even while it goes on ("is building", "is learning").
    pub lasts: bool,
    /// It counts only with a time ("last year", "in 2019").
    pub when_timed: bool,
    /// It counts only said of what is to come ("tomorrow", "next month").
    pub when_ahead: bool,
    /// What the customer wants with a topic; the same words in every language.
    pub intent: Option<&'static str>,
}

/// Of whom a rule speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Anyone of the customer's.
    Any,
    /// Only the customer.
    Customer,
    /// Only the customer and the customer's organisation or things.
    Group,
}

/// What a predicate says.
#[derive(Debug, Clone)]
pub(super) struct Said {
    /// The attribute.
    pub attribute: String,
    /// The value, tidied, or as the rule gives it.
    pub value: String,
    /// The value as it stands in the predicate.
    pub verbatim: String,
    /// The rest.
    pub says: Says,
}

impl Table {
    /// Reads a table, with the lists that are given from outside.
    ///
    /// # Panics
    /// On a line that does not follow the form: the tables are part of the program, and a typing mistake in them must
    /// not pass a test.
    pub fn parse(text: &str, given: &[(&str, &str)]) -> Self {
        let mut lists: Vec<(String, String)> =
            given.iter().map(|(name, list)| (format!("{{{name}}}"), format!("(?:{list})"))).collect();
        let (mut rules, mut patterns) = (Vec::new(), Vec::new());
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let expand = |pattern: &str| {
                lists.iter().fold(pattern.to_owned(), |text, (name, list)| text.replace(name.as_str(), list))
            };
            if let Some((name, list)) = line.strip_prefix('@').and_then(|rest| rest.split_once(" = ")) {
                let list = format!("(?:{})", expand(list));
                lists.push((format!("{{{name}}}"), list));
                continue;
            }
            let mut fields = line.splitn(3, " :: ");
            let (Some(attribute), Some(flags), Some(pattern)) = (fields.next(), fields.next(), fields.next()) else {
                panic!("a rule has three fields: {line}");
            };
            let pattern = format!("^(?:{})$", expand(pattern));
            let compiled = Regex::new(&pattern).unwrap_or_else(|error| panic!("rule `{line}`: {error}"));
            let (value, says) = flagged(flags, line);
            rules.push(Rule { pattern: compiled, attribute: attribute.to_owned(), value, says });
            patterns.push(pattern);
        }
        Self { rules, sieve: Sieve::over(&patterns) }
    }

    /// What a predicate says, by the first rule that matches and that `fits` lets through; `tidy` makes a phrase of a
    /// captured group and gives nothing where it is only a pronoun or a filler.
    pub fn read(
        &self,
        predicate: &str,
        fits: impl Fn(&Says) -> bool,
        tidy: impl Fn(&str) -> Option<String>,
    ) -> Option<Said> {
        let may = self.sieve.may_match(predicate);
        let mut near = self.rules.iter().zip(may).filter(|(rule, may)| *may && fits(&rule.says)).map(|(rule, _)| rule);
        near.find_map(|rule| {
            let groups = rule.pattern.captures(predicate)?;
            let group = |name| groups.name(name).map(|group| group.as_str());
            let value = match (&rule.value, group("v")) {
                (Some(value), _) => value.clone(),
                (None, Some(value)) => tidy(value)?,
                (None, None) => tidy(predicate)?,
            };
            let attribute = match group("o") {
                Some(object) => rule.attribute.replace("{o}", &tidy(object)?),
                None => rule.attribute.clone(),
            };
            let verbatim = group("v").unwrap_or(predicate).to_owned();
            Some(Said { attribute, value, verbatim, says: rule.says })
        })
    }
}

/// The flags of a line.
fn flagged(flags: &str, line: &str) -> (Option<String>, Says) {
    let mut says = Says {
        kind: Kind::Fact,
        many: false,
        changed: false,
        denied: false,
        importance: weight::DETAIL,
        confidence: sure::CLOSED,
        of: Of::Any,
        alone: false,
        when_denied: None,
        when_habit: false,
        when_timed: false,
        when_ahead: false,
        intent: None,
        lasts: false,
    };
    let mut value = None;
    for flag in flags.split_whitespace() {
        match flag {
            "event" => says.kind = Kind::Event,
            "instruction" => says.kind = Kind::Instruction,
            "task" => says.kind = Kind::Task,
            "topic" => says.kind = Kind::Topic,
            "one" => says.many = false,
            "many" => says.many = true,
            "changed" => says.changed = true,
            "denied" => says.denied = true,
            "constraint" => says.importance = weight::CONSTRAINT,
            "identity" => says.importance = weight::IDENTITY,
            "strong" => says.importance = weight::STRONG,
            "preference" => says.importance = weight::PREFERENCE,
            "detail" => says.importance = weight::DETAIL,
            "passing" => says.importance = weight::PASSING,
            "closed" => says.confidence = sure::CLOSED,
            "open" => says.confidence = sure::OPEN,
            "shape" => says.confidence = sure::SHAPE,
            "self" => says.of = Of::Customer,
            "group" => says.of = Of::Group,
            "alone" => says.alone = true,
            "negated" => says.when_denied = Some(true),
            "habitual" => says.when_habit = true,
            "lasts" => says.lasts = true,
            "timed" => says.when_timed = true,
            "planned" => says.when_ahead = true,
            "how" => says.intent = Some("asked how"),
            "compared" => says.intent = Some("compared"),
            "holdings" => says.intent = Some("asked about holdings"),
            "affirmed" => says.when_denied = Some(false),
            flag => match flag.strip_prefix('=') {
                Some(fixed) => value = Some(fixed.replace('_', " ")),
                None => panic!("unknown flag `{flag}` in rule: {line}"),
            },
        }
    }
    (value, says)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_speaks() {
        let table = Table::parse(
            "@pet = dog|cat\nname of {o} :: many self :: (?<o>{pet}) called (?<v>.+)\nnoise :: alone =loud :: .+",
            &[],
        );
        let tidy = |text: &str| Some(text.to_owned());
        let said = table.read("dog called rex", |_| true, tidy).unwrap();
        assert_eq!((said.attribute.as_str(), said.value.as_str(), said.says.many), ("name of dog", "rex", true));
        let said = table.read("dog called rex", |says| says.of == Of::Any, tidy).unwrap();
        assert_eq!((said.attribute.as_str(), said.value.as_str()), ("noise", "loud"));
        assert!(table.read("dog called rex", |says| !says.alone, |_| None).is_none());
    }

    #[test]
    #[should_panic(expected = "unknown flag")]
    fn a_typing_mistake_does_not_pass() {
        Table::parse("a :: mayn :: b", &[]);
    }
}
