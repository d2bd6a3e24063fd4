//! Whether the words of a retraction are those of a memory, or what they state is.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::matters::Matter;
use crate::{
    fold::Memory,
    item::{Candidate, Span, Stated, TopicKey},
    text::{self, Whose},
};

/// The subject of what a customer says of themselves.
pub(super) const CUSTOMER: &str = "customer";
/// Share of content words, in hundredths of the union, from which a memory is said over: as in the fold.
const SAME_WORDS: usize = 60;

/// Chinese measure words.
const MEASURES: &str = "个只条辆台部位名头匹张本家间套双把艘架棵块件支座";

/// What a retraction names.
pub(super) struct Named {
    content: BTreeSet<String>,
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
    whose: Whose,
    /// Somebody else is meant by a word that names nobody ("he").
    pronoun: bool,
    /// It says what is to go by what it answers ("where I live"), with the word that asks.
    asks: Option<String>,
    /// It has a word for what is to go.
    matter: Option<Matter>,
}

impl Named {
    /// Of the words that say what is to go: as one thing, and each clause by itself ("I live in Oslo, and that I smoke").
    pub fn all(about: &str) -> Vec<Self> {
        let whole = Span { start: 0, end: about.len() as u32 };
        let clauses: Vec<&str> = text::clauses(about, whole).into_iter().filter_map(|span| span.of(about)).collect();
        let apart = if clauses.len() > 1 { clauses } else { Vec::new() };
        std::iter::once(about).chain(apart).map(Self::of).collect()
    }

    /// Of what the words list ("Oslo and insulin"), each by itself; nothing, if they list nothing.
    pub fn listed(about: &str) -> Vec<Self> {
        const JOINTS: [&str; 8] = [", and ", " and ", ", ", " и ", "以及", "和", "跟", "、"];
        const LEADS: [&str; 9] = ["about ", "that ", "on ", "про ", "о ", "об ", "что ", "关于", "有关"];
        let joint = |rest: &str| {
            let at = JOINTS.iter().filter_map(|joint| rest.find(joint).map(|at| (at, joint.len())));
            at.min_by_key(|(at, long)| (*at, std::cmp::Reverse(*long)))
        };
        let (mut parts, mut rest) = (Vec::new(), about);
        while let Some((at, long)) = joint(rest) {
            parts.push(&rest[..at]);
            rest = &rest[at + long..];
        }
        if parts.is_empty() {
            return Vec::new();
        }
        parts.push(rest);
        let bare = |part: &str| LEADS.iter().find_map(|lead| part.strip_prefix(lead).map(str::to_owned));
        parts.into_iter().map(|part| Self::of(&bare(part.trim()).unwrap_or_else(|| part.to_owned()))).collect()
    }

    /// Of the words that say what is to go.
    pub fn of(about: &str) -> Self {
        let mut content = text::content(about);
        content.retain(|word| !super::everything::is_all(word));
        let whose = text::whose(about);
        let other = |word: &text::Word| word.stop && text::whose(&word.text) == Whose::Others;
        let pronoun = whose == Whose::Others && text::words(about).iter().any(other);
        let (asks, matter) = (asks(about), Matter::of(about));
        Self { content, numbers: text::numbers(about), names: text::names(about), whose, pronoun, asks, matter }
    }

    /// What it has a word for, whatever is said of it.
    pub fn matter(&self) -> Option<&Matter> {
        self.matter.as_ref()
    }

    /// The one content word that is all it names of the customer's, if that word names anything.
    pub fn one_word(&self) -> Option<&str> {
        let open = self.asks.is_none() && !self.pronoun && self.whose != Whose::Theirs && self.tells();
        self.content.iter().next().filter(|_| open && self.content.len() == 1).map(String::as_str)
    }

    /// Its words tell one thing from another: "live" alone does not, and what a known question asks for its answer tells.
    fn tells(&self) -> bool {
        let known = self.asks.is_some() && self.matter.is_some();
        !known && !self.content.iter().all(|word| is_vague(word))
    }

    /// It only points ("that", "это").
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// Share of its words and the memory's wording that both have, in hundredths.
    pub fn share(&self, memory: &Memory) -> usize {
        let both = self.content.intersection(&all(memory)).count();
        both * 100 / self.content.union(&text::content(&memory.text)).count().max(1)
    }

    /// Every content word of something that is listed is one of its own.
    pub fn lists(&self, listed: &str) -> bool {
        let listed = text::content(listed);
        let own =
            |word: &String| self.content.iter().any(|own| own == word || text::kin(own, word) || counted(word, own));
        !listed.is_empty() && listed.iter().all(own)
    }

    /// Every content word is the sentence's. Words that ask stand in no sentence that answers.
    pub fn stands_in(&self, sentence: &str) -> bool {
        self.asks.is_none() && self.tells() && self.are_in(&text::content(sentence))
    }

    fn are_in(&self, all: &BTreeSet<String>) -> bool {
        let found = |word: &String| {
            all.contains(word) || all.iter().any(|other| text::kin(word, other) || counted(word, other))
        };
        self.content.iter().all(found)
    }

    /// Every content word is the memory's, and somebody else is meant only if named; a word for them is the memory's too,
    /// unless it names nobody. Or it asks what the memory answers, in the same words.
    pub fn names(&self, memory: &Memory) -> bool {
        let named = self.tells() && self.are_in(&all(memory)) && self.of_the_same(memory);
        (named || self.matter.is_none() && self.asks_for(memory))
            && !(self.pronoun && memory.topic_key.subject == CUSTOMER)
    }

    /// It asks one of the questions that the memory answers. Words alone do not tell: "where I live" is not "what I do for a
    /// living".
    fn asks_for(&self, memory: &Memory) -> bool {
        let same = |question: &&String| self.asks.is_some() && asks(question) == self.asks;
        memory.questions.iter().filter(same).any(|question| text::content(question) == self.content)
    }

    /// The words are nearly those of the memory, names and numbers exactly. The word that differs is not the one of whom
    /// it is said.
    pub fn says_over(&self, memory: &Memory) -> bool {
        let said = text::content(&memory.text);
        let both = self.content.intersection(&said).count();
        let either = self.content.union(&said).count();
        both * 100 >= either * SAME_WORDS
            && either > 0
            && self.numbers == text::numbers(&memory.text)
            && self.names.iter().all(|name| text::find_quote(&memory.text, name).is_some())
            && denies(&self.content) == denies(&said)
            && self.of_the_same(memory)
            && !(matches!(self.whose, Whose::Theirs | Whose::Others) && memory.topic_key.subject == CUSTOMER)
    }

    /// The opposite of the memory, word for word.
    pub fn contradicts(&self, memory: &Memory) -> bool {
        let positive = |content: &BTreeSet<String>| -> BTreeSet<String> {
            content.iter().filter(|word| text::negations(word) == 0).cloned().collect()
        };
        let said = positive(&self.content);
        !said.is_empty() && said.len() < self.content.len() && said == positive(&text::content(&memory.text))
    }

    fn of_the_same(&self, memory: &Memory) -> bool {
        let key = &memory.topic_key;
        // Who is called by name needs no word for what they are to the customer.
        let by_name = || key.attribute == "name" && self.are_in(&text::content(&memory.value));
        key.subject == CUSTOMER || !text::content(&key.subject).is_disjoint(&self.content) || by_name()
    }
}

/// What is said not to be what it is called ("Acme is not my company").
pub(super) struct Called {
    value: BTreeSet<String>,
    matter: Matter,
}

impl Called {
    /// Of the words that say so.
    pub fn of(about: &str) -> Option<Self> {
        const NOT: [&str; 9] =
            [" is not ", " isn't ", " was not ", " wasn't ", " are not ", " не ", "从来不是", "并不是", "不是"];
        let lower = about.to_lowercase();
        let (at, not) = NOT.iter().filter_map(|not| lower.find(not).map(|at| (at, not))).min()?;
        let value = text::content(&lower[..at]);
        let matter = Matter::of(&lower[at + not.len()..])?;
        (!value.is_empty()).then_some(Self { value, matter })
    }

    /// Whether a memory calls it so.
    pub fn is(&self, memory: &Memory) -> bool {
        text::content(&memory.value) == self.value && self.matter.holds(memory)
    }
}

/// What a retraction states.
pub(super) struct Says<'a>(pub &'a [Stated]);

impl Says<'_> {
    /// The memory says the same, to the key and value.
    pub fn states(&self, memory: &Memory) -> bool {
        let same = |a: &str, b: &str| {
            let (a, b) = (text::same_key(a), text::same_key(b));
            a == b || text::kin(&a, &b)
        };
        self.of(memory).any(|stated| {
            stated.negated == memory.negated
                && same(&stated.topic_key.attribute, &memory.topic_key.attribute)
                && same(&stated.value, &memory.value)
                && (stated.qualifier.is_none() || stated.qualifier == memory.qualifier)
        })
    }

    /// Nothing is stated of the same alone that the memory denies.
    pub fn nothing_against(&self, memory: &Memory) -> bool {
        self.of(memory).next().is_none() || self.of(memory).any(|stated| stated.negated == memory.negated)
    }

    /// What is stated may be of whom the memory is, and nothing is against it. Somebody else's is said over next to it.
    pub fn of_the_same(&self, memory: &Memory) -> bool {
        let of_others = self.0.is_empty() || memory.topic_key.subject != CUSTOMER;
        self.nothing_against(memory) && (of_others || self.of(memory).next().is_some())
    }

    fn of(&self, memory: &Memory) -> impl Iterator<Item = &Stated> {
        self.0.iter().filter(|stated| stated.topic_key.subject == memory.topic_key.subject)
    }
}

/// A character with what it is counted by before it, which its stem alone does not have: "两只猫" has "猫".
fn counted(word: &str, other: &str) -> bool {
    let measure = other.strip_suffix(word).map(|front| front.chars().collect::<Vec<_>>());
    word.chars().all(text::ideograph) && matches!(measure.as_deref(), Some([one]) if MEASURES.contains(*one))
}

fn denies(content: &BTreeSet<String>) -> bool {
    content.iter().any(|word| text::negations(word) > 0)
}

/// Words that ask, in front of what is asked about or, in Chinese, in its place.
const ASKING: &str = "where what which who whom whose when how где куда откуда что кто кем кого чем как какой какая какое \
    какие когда сколько чей чья чьи dónde qué quién cuándo cómo";
const ASKING_IN_CHINESE: [&str; 9] = ["哪", "什么", "谁", "怎么", "几", "多少", "多大", "何时", "为什么"];

static ASKING_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ASKING.split_whitespace().collect());

/// Verbs that most of what is said could have: they name nothing.
const VAGUE: &str = "live living do doing go come have want use be say work working work's like need make get take \
    жить живу живет живем делать делаю делаем работать работаю работаем быть хочу иметь";

static VAGUE_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| text::words(VAGUE).into_iter().map(|word| word.stem).collect());

/// Whether a stem is that of such a verb.
pub(super) fn is_vague(stem: &str) -> bool {
    VAGUE_STEMS.contains(stem)
}

/// The word that words ask with, if they do.
fn asks(about: &str) -> Option<String> {
    let first = text::words(about).into_iter().next().map(|word| word.text);
    first
        .filter(|word| ASKING_WORDS.contains(word.as_str()))
        .or_else(|| ASKING_IN_CHINESE.iter().find(|word| about.contains(**word)).map(|word| (*word).to_owned()))
}

/// The content words of everything a memory is found by.
fn all(memory: &Memory) -> BTreeSet<String> {
    found_by(&memory.topic_key, &memory.text, &memory.value, memory.qualifier.as_deref(), &memory.keywords)
}

/// The content words of everything an item is found by.
pub fn words_of(item: &Candidate) -> BTreeSet<String> {
    found_by(&item.topic_key, &item.text, &item.value, item.qualifier.as_deref(), &item.keywords)
}

fn found_by(key: &TopicKey, text: &str, value: &str, qualifier: Option<&str>, keywords: &[String]) -> BTreeSet<String> {
    let subject = (key.subject != CUSTOMER).then_some(key.subject.as_str());
    let parts = [text, &key.attribute, value].into_iter().chain(subject).chain(qualifier);
    parts.chain(keywords.iter().map(String::as_str)).flat_map(text::content).collect()
}
