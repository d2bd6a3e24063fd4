//! Whether the words of a retraction are those of a memory, or what they state is.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use crate::{
    fold::Memory,
    item::{Span, Stated},
    text::{self, Whose},
};

/// The subject of what a customer says of themselves.
const CUSTOMER: &str = "customer";
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
    /// It says what is to go by what it answers ("where I live").
    asks: bool,
}

impl Named {
    /// Of the words that say what is to go: as one thing, and each clause by itself ("I live in Oslo, and that I smoke").
    pub fn all(about: &str) -> Vec<Self> {
        let whole = Span { start: 0, end: about.len() as u32 };
        let clauses: Vec<&str> = text::clauses(about, whole).into_iter().filter_map(|span| span.of(about)).collect();
        let apart = if clauses.len() > 1 { clauses } else { Vec::new() };
        std::iter::once(about).chain(apart).map(Self::of).collect()
    }

    /// Of the words that say what is to go.
    pub fn of(about: &str) -> Self {
        let mut content = text::content(about);
        content.retain(|word| !super::everything::is_all(word));
        let whose = text::whose(about);
        let other = |word: &text::Word| word.stop && text::whose(&word.text) == Whose::Others;
        let pronoun = whose == Whose::Others && text::words(about).iter().any(other);
        let asks = asks(about);
        Self { content, numbers: text::numbers(about), names: text::names(about), whose, pronoun, asks }
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

    /// Every content word is the sentence's.
    pub fn stands_in(&self, sentence: &str) -> bool {
        !self.is_empty() && self.are_in(&text::content(sentence))
    }

    fn are_in(&self, all: &BTreeSet<String>) -> bool {
        let found = |word: &String| {
            all.contains(word) || all.iter().any(|other| text::kin(word, other) || counted(word, other))
        };
        self.content.iter().all(found)
    }

    /// Every content word is the memory's, and somebody else is meant only if named; a word for them is the memory's too,
    /// unless it names nobody.
    pub fn names(&self, memory: &Memory) -> bool {
        !self.is_empty()
            && (self.are_in(&all(memory)) || self.asks && self.are_in(&asked(memory)))
            && self.of_the_same(memory)
            && !(self.pronoun && memory.topic_key.subject == CUSTOMER)
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
        let subject = &memory.topic_key.subject;
        subject == CUSTOMER || !text::content(subject).is_disjoint(&self.content)
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

fn asks(about: &str) -> bool {
    let first = text::words(about).into_iter().next();
    first.is_some_and(|word| ASKING_WORDS.contains(word.text.as_str()))
        || ASKING_IN_CHINESE.iter().any(|word| about.contains(word))
}

/// The content words of the questions that a memory answers.
fn asked(memory: &Memory) -> BTreeSet<String> {
    memory.questions.iter().flat_map(|question| text::content(question)).collect()
}

/// The content words of everything a memory is found by.
fn all(memory: &Memory) -> BTreeSet<String> {
    let key = &memory.topic_key;
    let subject = (key.subject != CUSTOMER).then_some(&key.subject);
    let parts = [&memory.text, &key.attribute, &memory.value].into_iter().chain(subject);
    let parts = parts.chain(&memory.qualifier).chain(&memory.keywords);
    parts.flat_map(|part| text::content(part)).collect()
}
