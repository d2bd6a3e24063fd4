//! A list said of one thing: "I'm allergic to nuts and milk" says two things, and each may change or be forgotten alone.
//!
//! A list is found by its joints, and is one only where the rules read each of its parts, put in the place of the whole
//! list, as a fact of the same subject and another value. So "rock and roll" or "research and development manager" stay.

use saidso_core::{
    item::{Kind, Span},
    text::{self, Word},
};

use super::{
    rules::{Finding, Rules, Sentence, sure},
    technology,
};

/// Attributes whose values are things that may be listed. Towns and employers are not: they have an "and" in their names.
const LISTED: [&str; 43] = [
    "health",
    "diet",
    "eat",
    "drink",
    "consume",
    "cannot",
    "wear",
    "language",
    "learning",
    "pet",
    "child",
    "children",
    "family",
    "dogs",
    "cats",
    "pets",
    "sons",
    "daughters",
    "has",
    "own",
    "drive",
    "uses",
    "module",
    "plays",
    "instrument",
    "skill",
    "sells",
    "business",
    "industry",
    "occupation",
    "collect",
    "member of",
    "teaches",
    "education",
    "hobby",
    "habit",
    "volunteering",
    "supports",
    "works with",
    "former",
    "former home city",
    "responsibility",
    "field of work",
];

/// Attributes whose values may be verbs: "I play chess and swim".
const ACTS: [&str; 6] = ["habit", "plays", "skill", "hobby", "learning", "member of"];

/// What joins the parts of a list, the longer before what they end with.
const JOINTS: [&str; 17] = [
    ", as well as ",
    " as well as ",
    ", а также ",
    " а также ",
    ", and ",
    ", or ",
    " and ",
    " or ",
    " & ",
    ", ",
    " и ",
    " или ",
    "以及",
    "、",
    "和",
    "跟",
    "与",
];

/// Two words that are one thing.
const PAIRS: [&str; 20] = [
    "rock and roll",
    "drum and bass",
    "rhythm and blues",
    "salt and pepper",
    "fish and chips",
    "mac and cheese",
    "gin and tonic",
    "bed and breakfast",
    "arts and crafts",
    "track and field",
    "research and development",
    "peanut butter and jelly",
    "health and safety",
    "food and beverage",
    "black and white",
    "trial and error",
    "hide and seek",
    "dungeons and dragons",
    "bread and butter",
    "pins and needles",
];

/// What joins the parts of a Chinese value.
const HAN_JOINTS: [char; 4] = ['和', '与', '跟', '、'];

/// Who speaks, where a statement begins.
const SPEAKERS: [&str; 4] = ["I ", "We ", "Я ", "Мы "];

/// Most words of a part between two joints, and most characters where words do not stand apart.
const PART_WORDS: usize = 4;
const PART_CHARACTERS: usize = 8;
/// Most words of the first part.
const FIRST_WORDS: usize = 4;

/// A finding that lists several things as one for each; any other as it is.
pub(super) fn apart(rules: &dyn Rules, message: &str, finding: Finding) -> Vec<Finding> {
    parts(rules, message, &finding).unwrap_or_else(|| vec![finding])
}

fn parts(rules: &dyn Rules, message: &str, finding: &Finding) -> Option<Vec<Finding>> {
    if finding.kind != Kind::Fact || finding.around.is_some() || !listable(finding) {
        return None;
    }
    let said = finding.span.of(message)?;
    let joints = joints(said);
    let (first, last) = (*joints.first()?, *joints.last()?);
    let lower = said.to_lowercase();
    if PAIRS.iter().any(|pair| lower.contains(pair)) {
        return None;
    }
    if let Some(two) = (first == last).then(|| two(rules, said, last, finding)).flatten() {
        return Some(two);
    }
    let list = List::of(said, &joints, &finding.value)?;
    list.heads(&finding.value).into_iter().find_map(|head| {
        let found = list.read(rules, head, finding)?;
        distinct(&found).then(|| list.placed(head, found, finding))
    })
}

/// A list in what is said, once its joints are known.
struct List<'a> {
    said: &'a str,
    /// Where the first part ends.
    first: usize,
    /// Where the other parts stand; the last goes on to the end.
    others: Vec<(usize, usize)>,
    /// What is said of all of them behind the last, where words do not stand apart: the value tells where it begins.
    tail: &'a str,
    han: bool,
}

impl<'a> List<'a> {
    /// `None` if some part cannot be one.
    fn of(said: &'a str, joints: &[(usize, usize)], value: &str) -> Option<Self> {
        let (first, last) = (joints.first()?.0, joints.last()?.1);
        let others = joints.windows(2).map(|two| (two[0].1, two[1].0)).chain([(last, said.len())]);
        let others: Vec<(usize, usize)> = others.collect();
        let han = said.contains(han);
        let opened: Vec<bool> = others.iter().map(|&(from, to)| opens(&said[from..to]) != (false, false)).collect();
        let foreign = others.iter().any(|&(from, to)| other(&said[from..to]));
        let end = value.rsplit(HAN_JOINTS).next().filter(|_| han);
        let tail = end.and_then(|end| Some(&said[last + said[last..].find(end)? + end.len()..]));
        let uneven = !han && opened.iter().any(|one| *one != opened[0]);
        (!foreign && !uneven).then_some(Self { said, first, others, tail: tail.unwrap_or_default(), han })
    }

    /// Where the first part may begin, the shortest first.
    fn heads(&self, value: &str) -> Vec<usize> {
        let front = &self.said[..self.first];
        let (from, to) = self.others[0];
        let heads: Vec<usize> = match self.han {
            true => {
                let first = value.split(HAN_JOINTS).next().unwrap_or(value);
                text::find_quote(front, first).map(|span| span.start as usize).into_iter().collect()
            }
            false => front.match_indices(' ').map(|(at, _)| at + 1).rev().take(FIRST_WORDS).collect(),
        };
        heads.into_iter().filter(|&head| alike(&front[head..], &self.said[from..to])).collect()
    }

    /// What the rules read of each part in the place of the whole list.
    fn read(&self, rules: &dyn Rules, head: usize, finding: &Finding) -> Option<Vec<Finding>> {
        let (before, attribute) = (&self.said[..head], finding.attribute.as_str());
        let first_part = &self.said[head..self.first];
        let read = |part: &str, tail: &str| alone(rules, &format!("{before}{part}{tail}"), finding);
        let first = read(first_part, self.tail)?;
        let minded = attribute.starts_with("opinion of ");
        // The list begins with what the finding is of.
        let same = first.attribute == attribute || !minded && first.value == finding.value;
        if !same || !finding.value.contains(&first.value) {
            return None;
        }
        let mut found = vec![first];
        for (at, &(from, to)) in self.others.iter().enumerate() {
            let said = &self.said[from..to];
            // "(I play the violin and) read books" goes on with a verb.
            let noun = !said.trim().contains(' ') && !ACTS.contains(&attribute);
            let verb = |speaker: &&str| before != *speaker && acts(rules, speaker, said, finding).is_some();
            if !self.han && !noun && SPEAKERS.iter().any(verb) {
                return None;
            }
            let part = read(said, if at + 1 == self.others.len() { "" } else { self.tail })?;
            // "We sell shoes and ship worldwide".
            let longer = attribute == "sells" && said.split(' ').count() > first_part.split(' ').count();
            if longer || !listable(&part) {
                return None;
            }
            found.push(part);
        }
        Some(found)
    }

    /// The parts in their places, with what the sentence says of all of them.
    fn placed(&self, head: usize, found: Vec<Finding>, finding: &Finding) -> Vec<Finding> {
        // Said behind the last, it is said of all; said of the first, of that alone.
        let shared = finding.qualifier.clone().filter(|_| found[0].qualifier.is_none());
        let start = finding.span.start;
        let count = found.len();
        let places = [(0, self.first)].into_iter().chain(self.others.iter().copied());
        let placed = found.into_iter().zip(places).enumerate().map(|(at, (part, (from, to)))| {
            let front = if at == 0 { "" } else { &self.said[..head] };
            let back = if at + 1 == count { "" } else { self.tail };
            let around = !front.is_empty() || !back.is_empty();
            Finding {
                span: Span { start: start + from as u32, end: start + to as u32 },
                around: around.then(|| (front.to_owned(), back.to_owned())),
                attribute: part.attribute,
                many: part.many,
                value: part.value,
                qualifier: part.qualifier.or_else(|| shared.clone()),
                questions: part.questions,
                ..finding.clone()
            }
        });
        placed.collect()
    }
}

/// Whether what a finding is of may be listed.
fn listable(finding: &Finding) -> bool {
    let attribute = finding.attribute.as_str();
    LISTED.contains(&attribute)
        || attribute.starts_with("opinion of ")
        || technology::named(&finding.value).is_some_and(|(category, _)| category == attribute)
}

/// Where the joints of the list stand that ends a text: its parts are short.
fn joints(said: &str) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < said.len() {
        let joint = JOINTS.iter().find(|joint| said[at..].starts_with(**joint));
        match joint {
            Some(joint) => {
                all.push((at, at + joint.len()));
                at += joint.len();
            }
            None => at += said[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    // A comma alone begins anything: "…, sorry", "…, by the way". A list has its last part behind an "and".
    while all.last().is_some_and(|&(from, to)| &said[from..to] == ", ") {
        all.pop();
    }
    let from = (1..all.len()).rev().find(|&at| !short(&said[all[at - 1].1..all[at].0])).unwrap_or(0);
    all.split_off(from.min(all.len()))
}

/// Words that begin something else behind a part.
const LINKS: [&str; 14] = ["with", "for", "in", "at", "on", "from", "to", "of", "by", "с", "для", "в", "на", "у"];

/// Whether a text between two joints can be one part of a list.
fn short(part: &str) -> bool {
    let spaced = part.split_whitespace().count();
    match part.contains(han) {
        true => part.chars().count() <= PART_CHARACTERS,
        false => {
            // "Tennis with my son": what goes on is no part of the same list.
            let goes_on = part.split_whitespace().skip(1).any(|word| LINKS.contains(&word));
            (1..=PART_WORDS).contains(&spaced) && !goes_on
        }
    }
}

fn han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}')
}

/// Whether two parts begin alike: both with an article, preposition or number, or neither; a later part may do without.
fn alike(first: &str, second: &str) -> bool {
    let (one, other) = (opens(first), opens(second));
    // "A dog, Rex": no second dog, but its name.
    let capital = |part: &str| part.trim_start().starts_with(char::is_uppercase);
    (one.0 || one.1 || !other.0 && !other.1) && !first.trim().is_empty() && (capital(first) || !capital(second))
}

/// Whether a part begins with an article or preposition, or with a number.
fn opens(part: &str) -> (bool, bool) {
    let first = text::words(part).into_iter().next();
    let number = first.as_ref().is_some_and(|word: &Word| !text::numbers(&word.text).is_empty());
    (first.is_some_and(|word| word.stop), number)
}

/// Whether a part denies, speaks of somebody else, or says what somebody is: "allergic to soy and vegan".
fn other(part: &str) -> bool {
    const OWN: [&str; 32] = [
        "my", "our", "his", "her", "their", "your", "i", "we", "he", "she", "they", "you", "it", "that", "this",
        "there", "as", "so", "but", "not", "please", "мой", "моя", "наш", "не", "я", "мы", "вы", "он", "она", "это",
        "как",
    ];
    let lower = part.trim().to_lowercase();
    let first = lower.split([' ', '\'']).next().unwrap_or_default();
    const IS: [&str; 9] =
        ["vegan", "vegetarian", "diabetic", "asthmatic", "pregnant", "married", "single", "divorced", "retired"];
    const VAGUE: [&str; 14] = [
        "stuff",
        "things",
        "more",
        "others",
        "such",
        "etc",
        "sorry",
        "thanks",
        "lots",
        "everything",
        "much",
        "всё",
        "все",
        "другое",
    ];
    let vague = VAGUE.contains(&first) || lower.starts_with("a lot") || lower.starts_with("a bit");
    vague
        || OWN.contains(&first)
        || IS.contains(&lower.as_str())
        || text::negations(part) > 0
        || lower.starts_with(['我', '他', '她', '你'])
}

/// What the rules read of a text, if it is one fact of the same subject, held or denied as the list is.
fn alone(rules: &dyn Rules, said: &str, of: &Finding) -> Option<Finding> {
    let sentence = Sentence { message: said, span: Span { start: 0, end: said.len() as u32 }, before: &[] };
    let mut reading = rules.read(&sentence);
    let finding = reading.findings.pop().filter(|_| reading.findings.is_empty() && reading.drops.is_empty())?;
    (finding.kind == of.kind
        && finding.subject == of.subject
        && finding.negated == of.negated
        && finding.around.is_none())
    .then_some(finding)
}

/// The statement of the customer's that the rules read of a part with nobody in front.
fn acts(rules: &dyn Rules, speaker: &str, part: &str, of: &Finding) -> Option<Finding> {
    let of = Finding { subject: "customer".to_owned(), negated: false, ..of.clone() };
    alone(rules, &format!("{speaker}{part}"), &of).filter(|finding| finding.confidence >= sure::OPEN)
}

/// "I'm allergic to nuts and take insulin": no list, but two statements of one speaker.
fn two(rules: &dyn Rules, said: &str, joint: (usize, usize), finding: &Finding) -> Option<Vec<Finding>> {
    // "I'm", "I've" too.
    let begins =
        |speaker: &&&str| said.strip_prefix(speaker.trim_end()).is_some_and(|rest| rest.starts_with([' ', '\'', '’']));
    let speaker = *SPEAKERS.iter().find(begins)?;
    if finding.negated || text::negations(said) > 0 || finding.subject != "customer" {
        return None;
    }
    let first = alone(rules, &said[..joint.0], finding).filter(|first| first.value == finding.value)?;
    let second = acts(rules, speaker, &said[joint.1..], finding)?;
    // The other half of an opinion ("I hate tea and prefer coffee") stays with it.
    let half = finding.attribute.starts_with("opinion of ") || second.attribute.starts_with("opinion of ");
    if half || second.attribute == first.attribute && second.value == first.value || first.attribute == "skill" {
        return None;
    }
    let start = finding.span.start;
    let one = Finding { span: Span { start, end: start + joint.0 as u32 }, ..finding.clone() };
    let span = Span { start: start + joint.1 as u32, end: finding.span.end };
    Some(vec![one, Finding { span, around: Some((speaker.to_owned(), String::new())), ..second }])
}

/// Whether each part says something that no other does.
fn distinct(found: &[Finding]) -> bool {
    let said = |finding: &Finding| text::content(&format!("{} {}", finding.attribute, finding.value));
    let values: Vec<_> = found.iter().map(said).collect();
    let apart = |one: usize, other: usize| !values[one].is_subset(&values[other]);
    (0..values.len()).all(|one| (0..values.len()).all(|other| one == other || apart(one, other)))
}
