//! A clause taken apart, and whether what it says lasts: the same for every language whose rules are a table.

use std::sync::LazyLock;

use saidso_core::{
    item::{DropReason, Kind, Span, Unit},
    text,
};

use super::{
    rules::{Finding, sure, weight},
    table::{Of, Said, Says, Table},
    technology,
};

/// Of whom a clause speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// "I", "we".
    Customer,
    /// A person or animal of the customer's; the subject of a topic key.
    Person(&'static str),
    /// The customer's company, team, shop.
    Organisation(&'static str),
    /// "He", "she", "it": whom, an earlier clause may say.
    Pronoun,
    /// Somebody else, or a thing.
    Other,
    /// Left out.
    Unsaid,
}

impl Who {
    /// As the subject of a topic key.
    pub fn key(&self) -> &'static str {
        match self {
            Who::Person(key) | Who::Organisation(key) => key,
            Who::Customer | Who::Pronoun | Who::Other | Who::Unsaid => "customer",
        }
    }
}

/// How a clause says what it says.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Manner {
    /// Denied.
    pub denied: bool,
    /// "Now", "no longer": something is new.
    pub changed: bool,
    /// "Formerly": no longer so.
    pub past: bool,
    /// "Every day", "often".
    pub habit: bool,
    /// "Last year", "in 2019".
    pub timed: bool,
    /// "Today", "this week", "tomorrow".
    pub moment: bool,
    /// "Very", "never".
    pub strong: bool,
    /// "In the test environment", "in summer": what lets another value stand elsewhere.
    pub qualifier: Option<&'static str>,
}

/// A clause taken apart.
pub(super) struct Stated<'a> {
    /// As written.
    pub raw: &'a str,
    /// In normal form.
    pub text: &'a str,
    /// Of whom it speaks.
    pub who: Who,
    /// How it says it.
    pub manner: Manner,
    /// What it says, without subject, adverbs and negation.
    pub predicate: &'a str,
    /// The words it rests on.
    pub span: Span,
    /// It hangs on an "if".
    pub supposed: bool,
}

/// What a language tells the judge.
pub(super) struct Tongue {
    /// What predicates say.
    pub table: LazyLock<Table>,
    /// A phrase as a value; nothing for a pronoun or a filler.
    pub phrase: fn(&str) -> Option<String>,
    /// Whether a clause tells what is going on right now.
    pub passing: fn(&str) -> bool,
    /// Whether a clause tells what is still to come ("tomorrow", "soon").
    pub ahead: fn(&str) -> bool,
    /// A predicate without the words that only wish or weigh it ("hope to", "are considering"); `None` if it has none.
    pub weighed: fn(&str) -> Option<String>,
    /// Whether a predicate claims a privilege over the system ("am an admin"): nothing to remember, whoever says it.
    pub rank: fn(&str) -> bool,
    /// A clause without the words for going on ("right now").
    pub steady: fn(&str) -> String,
    /// Whose kind a word for people or animals names, whatever its form.
    pub kind: fn(&str) -> Option<&'static str>,
    /// Things of an organisation: the word in the table, the name in topic keys.
    pub things: &'static [(&'static str, &'static str)],
    /// Questions a finding answers.
    pub questions: fn(&str, &Who) -> Vec<String>,
}

/// What a plan for tomorrow does not yet make so.
const STATES: [&str; 6] = ["home city", "home", "work place", "employer", "occupation", "marital status"];

/// A clause without the marks around it and without the word that joins it to the one before: an agent will read it.
pub(super) fn bare(message: &str, span: Span, joints: &[&str]) -> Span {
    let mut said = span.of(message).unwrap_or_default();
    let end = said.trim_end_matches(|c: char| c.is_whitespace() || ",;:，、；：".contains(c));
    let mut start = span.start;
    said = end;
    loop {
        let front = said.trim_start_matches(|c: char| c.is_whitespace() || ",;:，、；：-–—".contains(c));
        let rest = joints.iter().find_map(|joint| front.strip_prefix(joint)).unwrap_or(front);
        start += (said.len() - rest.len()) as u32;
        if rest.len() == said.len() {
            return Span { start, end: start + rest.len() as u32 };
        }
        said = rest;
    }
}

/// What a clause asks for: a task to be done, or the topic of a question. Whether it is a question does not matter.
pub(super) fn wanted(tongue: &Tongue, text: &str, span: Span) -> Option<Finding> {
    let said = tongue.table.read(text, |says| matches!(says.kind, Kind::Task | Kind::Topic), tongue.phrase)?;
    let manner = Manner::default();
    let clause = Stated { raw: text, text, who: Who::Customer, manner, predicate: text, span, supposed: false };
    Some(finding(tongue, said, &clause))
}

/// A finding, or why what would have been one is none; `None` if nothing is near.
pub(super) fn judge(tongue: &Tongue, clause: &Stated<'_>) -> Option<Result<Finding, DropReason>> {
    if (tongue.rank)(clause.predicate) {
        return None;
    }
    let ahead = (tongue.ahead)(clause.text);
    let read = |predicate: &str| tongue.table.read(predicate, |says| clause.fits(says, ahead), tongue.phrase);
    let Some(said) = read(clause.predicate) else {
        let weighed = (tongue.weighed)(clause.predicate).is_some_and(|rest| read(&rest).is_some());
        let passes = clause.who == Who::Customer && (text::is_transient(clause.raw) || clause.manner.moment && !ahead);
        return match (weighed, passes) {
            (true, _) => Some(Err(DropReason::Hedged)),
            (false, true) => Some(Err(DropReason::Transient)),
            (false, false) => None,
        };
    };
    if matches!(clause.who, Who::Other | Who::Pronoun) {
        return Some(Err(DropReason::NotCustomer));
    }
    let hedged = match said.says.kind {
        Kind::Instruction => false,
        _ if said.attribute == "goal" => text::is_hedged(&unwished(clause.raw)),
        _ => text::is_hedged(clause.raw),
    };
    if clause.supposed || hedged {
        return Some(Err(DropReason::Hedged));
    }
    // Who moves tomorrow does not live there yet: it is a plan.
    if ahead && (said.says.changed || STATES.contains(&said.attribute.as_str())) {
        let says = Says { many: true, changed: false, importance: weight::PREFERENCE, ..said.says };
        let value = (tongue.phrase)(clause.predicate)?;
        return Some(Ok(finding(tongue, Said { attribute: "goal".to_owned(), value, says, ..said }, clause)));
    }
    let lasting = matches!(said.says.kind, Kind::Event | Kind::Instruction) || said.says.changed;
    let steady = if said.says.lasts { (tongue.steady)(clause.text) } else { clause.text.to_owned() };
    if !lasting && (text::is_transient(&steady) || (tongue.passing)(&steady)) {
        return Some(Err(DropReason::Transient));
    }
    Some(Ok(finding(tongue, said, clause)))
}

/// A clause without the words that make a goal of it: they hedge everything but goals.
fn unwished(raw: &str) -> String {
    const WISHES: [&str; 6] = ["希望", "但愿", "打算", "巴不得", "надеюсь", "надеемся"];
    WISHES.iter().fold(raw.to_lowercase(), |text, wish| text.replace(wish, " "))
}

impl Stated<'_> {
    /// Whether a rule may speak of it.
    fn fits(&self, says: &Says, ahead: bool) -> bool {
        let of = match says.of {
            Of::Any => true,
            Of::Customer => matches!(self.who, Who::Customer | Who::Unsaid),
            Of::Group => !matches!(self.who, Who::Person(_)),
        };
        of && !matches!(says.kind, Kind::Task | Kind::Topic)
            && (!says.when_ahead || ahead)
            && says.when_denied.is_none_or(|denied| denied == self.manner.denied)
            && (!says.when_habit || self.manner.habit)
            && (!says.when_timed || self.manner.timed)
            && (self.who != Who::Unsaid || says.alone)
    }
}

fn finding(tongue: &Tongue, said: Said, clause: &Stated<'_>) -> Finding {
    let Said { attribute, value, verbatim, says } = said;
    let manner = clause.manner;
    let (attribute, value) = about(tongue, attribute, value, &verbatim);
    // What was so once is no value of what is so now.
    let (attribute, many) = match manner.past && says.kind == Kind::Fact && !attribute.starts_with("former ") {
        true => (format!("former {attribute}"), true),
        false => (attribute, says.many),
    };
    Finding {
        kind: says.kind,
        span: clause.span,
        // The clause stands as said: its verb or its place in the talk tells whose it is.
        around: None,
        subject: clause.who.key().to_owned(),
        questions: (tongue.questions)(&attribute, &clause.who),
        attribute,
        many,
        value,
        negated: manner.denied != says.denied,
        qualifier: says.intent.or(manner.qualifier.filter(|_| says.kind == Kind::Fact)).map(str::to_owned),
        changed: says.changed || manner.changed,
        importance: importance(says.importance, &manner),
        confidence: if clause.who == Who::Unsaid { says.confidence.min(sure::SHAPE) } else { says.confidence },
    }
}

/// A technology by its category and one name, a thing of an organisation by its English name, a count as a number.
fn about(tongue: &Tongue, attribute: String, value: String, verbatim: &str) -> (String, String) {
    let counted = attribute.strip_prefix("number of ");
    if counted.is_some() || attribute == "age" || attribute == "children" {
        let Some(number) = text::numbers(verbatim).into_iter().next() else { return (attribute, value) };
        let kind = match counted {
            Some(counted) => (tongue.kind)(counted).filter(|kind| *kind != "pet"),
            None => Some("children").filter(|children| attribute == *children),
        };
        return match kind {
            Some(kind) if kind.ends_with('s') || kind.ends_with("children") => {
                (kind.to_owned(), format!("{number} {kind}"))
            }
            Some(kind) => (format!("{kind}s"), format!("{number} {kind}s")),
            None => (attribute, number),
        };
    }
    let key = text::same_key(&attribute);
    let thing = tongue.things.iter().find(|(word, _)| *word == key).map(|(_, english)| *english);
    if thing.is_none() && attribute != "uses" {
        return (attribute, value);
    }
    match technology::named(verbatim).or_else(|| technology::named(&value)) {
        Some((category, name)) => (category.to_owned(), name),
        None => (thing.map_or(attribute, str::to_owned), value),
    }
}

fn importance(base: Unit, manner: &Manner) -> Unit {
    match base {
        base if manner.past => base.min(weight::DETAIL),
        weight::PREFERENCE if manner.strong => weight::STRONG,
        base => base,
    }
}

/// The one person or animal a finding brings in ("I have a son"), by the words for them.
pub(super) fn introduced(finding: &Finding, named_in: impl Fn(&str) -> Option<&'static str>) -> Option<&'static str> {
    let one = !text::numbers(&finding.value).iter().any(|number| number != "1");
    match finding.attribute.as_str() {
        "pet" | "children" | "child" | "family" if one && !finding.negated => named_in(&finding.value),
        _ => None,
    }
}
