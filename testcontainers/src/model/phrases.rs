//! What customers of the model say: sentences of our own with what they state, written down by hand. A test of its own
//! holds the built-in extractor against this table, so that the model does not lean on what it is to check.

use saidso_core::item::Kind;

/// What a sentence states.
#[derive(Debug, PartialEq, Eq)]
pub struct Claim {
    /// What sort of memory.
    pub kind: Kind,
    /// What it is about: of a thing that has one value at a time, the latest counts.
    pub about: &'static str,
    /// The value.
    pub value: &'static str,
    /// The value is denied.
    pub denied: bool,
    /// Several values may stand at once.
    pub many: bool,
    /// A change is stated.
    pub changed: bool,
    /// What lets the value stand beside others.
    pub within: Option<&'static str>,
}

impl Claim {
    const fn of(kind: Kind, about: &'static str, value: &'static str) -> Self {
        Self { kind, about, value, denied: false, many: true, changed: false, within: None }
    }

    const fn denied(self) -> Self {
        Self { denied: true, ..self }
    }

    const fn single(self) -> Self {
        Self { many: false, ..self }
    }

    const fn changed(self) -> Self {
        Self { changed: true, ..self }
    }

    const fn within(self, part: &'static str) -> Self {
        Self { within: Some(part), ..self }
    }

    /// Whether the two state the same of the same thing, wherever it holds.
    pub fn agrees(&self, other: &Self) -> bool {
        (self.kind, self.about, self.value, self.denied) == (other.kind, other.about, other.value, other.denied)
    }

    /// Whether the two are one statement.
    pub fn same(&self, other: &Self) -> bool {
        self.agrees(other) && self.within == other.within
    }

    /// Whether forgetting the one forgets the other; its kind does not count.
    pub fn states(&self, other: &Self) -> bool {
        let parts = |claim: &Self| (claim.about, claim.value, claim.denied, claim.within);
        parts(self) == parts(other)
    }

    /// Whether saying this after `standing` was read out adds nothing to it.
    pub fn says_back(&self, standing: &Self) -> bool {
        self.agrees(standing) && (self.within.is_none() || self.within == standing.within)
    }

    /// How this and what `standing` stated before exclude each other: the opposite, or another value of a thing with one
    /// value at a time. What holds within a part is meant there, or by a change or denial that names no part.
    pub fn excludes(&self, standing: &Self) -> Option<Exclusion> {
        let everywhere = self.within.is_none() && (self.changed || self.denied);
        if !matches!(self.kind, Kind::Fact | Kind::Instruction)
            || (self.kind, self.about) != (standing.kind, standing.about)
            || (self.within != standing.within && !everywhere)
        {
            return None;
        }
        match self.value == standing.value {
            true => (self.denied != standing.denied).then_some(Exclusion::Opposite),
            false => (!self.many && !self.denied && !standing.denied).then_some(Exclusion::Values),
        }
    }
}

/// Why two claims do not both hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exclusion {
    /// One denies the other.
    Opposite,
    /// Two values of a thing with one value at a time.
    Values,
}

/// A sentence.
#[derive(Debug)]
pub struct Phrase {
    /// The words that memories rest on.
    pub words: &'static str,
    /// What closes the sentence, if that is not part of them.
    pub close: &'static str,
    /// What it states.
    pub claims: &'static [Claim],
}

impl Phrase {
    const fn new(words: &'static str, close: &'static str, claims: &'static [Claim]) -> Self {
        Self { words, close, claims }
    }

    /// The sentence.
    pub fn text(&self) -> String {
        format!("{}{}", self.words, self.close)
    }
}

/// Sentences that yield at most one memory each.
pub const PLAIN: &[Phrase] = &[
    Phrase::new("I live in Oslo", ".", &[Claim::of(Kind::Fact, "city", "oslo").single()]),
    Phrase::new("I live in Bergen now", ".", &[Claim::of(Kind::Fact, "city", "bergen").single().changed()]),
    Phrase::new("I moved to Oslo", ".", &[Claim::of(Kind::Fact, "city", "oslo").single().changed()]),
    Phrase::new("I live in Lisbon", ".", &[Claim::of(Kind::Fact, "city", "lisbon").single()]),
    Phrase::new("我住在上海。", "", &[Claim::of(Kind::Fact, "city", "上海").single()]),
    Phrase::new("Я живу в Казани.", "", &[Claim::of(Kind::Fact, "city", "казани").single()]),
    Phrase::new("We use MySQL", ".", &[Claim::of(Kind::Fact, "database", "mysql").single()]),
    Phrase::new("We use MySQL for invoices", ".", &[INVOICES_MYSQL]),
    Phrase::new("We use MongoDB for invoices", ".", &[INVOICES_MONGODB]),
    Phrase::new(
        "We've moved to PostgreSQL",
        ".",
        &[Claim::of(Kind::Fact, "database", "postgresql").single().changed()],
    ),
    Phrase::new(
        "We no longer use MySQL",
        ".",
        &[Claim::of(Kind::Fact, "database", "mysql").single().denied().changed()],
    ),
    Phrase::new("I work as a nurse", ".", &[Claim::of(Kind::Fact, "occupation", "nurse").single()]),
    Phrase::new("I'm a nurse", ".", &[Claim::of(Kind::Fact, "occupation", "nurse").single()]),
    Phrase::new("I work as a baker", ".", &[Claim::of(Kind::Fact, "occupation", "baker").single()]),
    Phrase::new("I love hiking", ".", &[Claim::of(Kind::Fact, "hiking", "likes").single()]),
    Phrase::new("I hate hiking now", ".", &[Claim::of(Kind::Fact, "hiking", "dislikes").single().changed()]),
    Phrase::new("I have a dog", ".", &[Claim::of(Kind::Fact, "pet", "dog")]),
    Phrase::new("I have a cat", ".", &[Claim::of(Kind::Fact, "pet", "cat")]),
    Phrase::new("I don't have a dog any more", ".", &[Claim::of(Kind::Fact, "pet", "dog").denied()]),
    Phrase::new("I'm allergic to peanuts", ".", &[Claim::of(Kind::Fact, "health", "peanuts")]),
    Phrase::new("I have a peanut allergy", ".", &[Claim::of(Kind::Fact, "health", "peanuts")]),
    Phrase::new("I'm allergic to shellfish", ".", &[Claim::of(Kind::Fact, "health", "shellfish")]),
    Phrase::new("У меня аллергия на арахис.", "", &[Claim::of(Kind::Fact, "health", "арахис")]),
    Phrase::new("我对花生过敏。", "", &[Claim::of(Kind::Fact, "health", "花生")]),
    Phrase::new("I own a canoe", ".", &[Claim::of(Kind::Fact, "has", "canoe")]),
    Phrase::new("I sold my canoe", ".", &[Claim::of(Kind::Fact, "has", "canoe").denied().changed()]),
    Phrase::new("We visited Kyoto in 2018", ".", &[Claim::of(Kind::Event, "event", "kyoto")]),
    Phrase::new("I broke my wrist last month", ".", &[Claim::of(Kind::Event, "event", "wrist")]),
    Phrase::new("I still need to send you the signed contract", ".", &[Claim::of(Kind::Task, "to do", "contract")]),
    Phrase::new("I have to renew my passport before June", ".", &[Claim::of(Kind::Task, "to do", "passport")]),
    Phrase::new("Always answer in bullet points", ".", &[Claim::of(Kind::Instruction, "answers", "bullets")]),
    Phrase::new("Never use emojis in your replies", ".", &[Claim::of(Kind::Instruction, "answers", "emojis").denied()]),
    Phrase::new("I'm interested in beekeeping", ".", &[Claim::of(Kind::Topic, "interest", "beekeeping")]),
    Phrase::new("Thanks, that's great", "!", &[]),
    Phrase::new("Could you check the status of my order", "?", &[]),
    Phrase::new("Maybe we will look at something else next year", ".", &[]),
];

/// Sentences that yield two memories, which stand and fall with the same words.
pub const DOUBLE: &[Phrase] = &[
    Phrase::new(
        "My dog died yesterday",
        ".",
        &[Claim::of(Kind::Fact, "pet", "dog").denied().changed(), Claim::of(Kind::Event, "dog's event", "died")],
    ),
    Phrase::new(
        "I sold my canoe last week",
        ".",
        &[Claim::of(Kind::Fact, "has", "canoe").denied().changed(), Claim::of(Kind::Event, "event", "canoe")],
    ),
];

/// A sentence that the extractor of the model cannot take: its turn is set aside.
pub const POISON: Phrase = Phrase::new("Poisoned", ".", &[]);

const INVOICES_MYSQL: Claim = Claim::of(Kind::Fact, "database", "mysql").single().within("invoices");
const INVOICES_MONGODB: Claim = Claim::of(Kind::Fact, "database", "mongodb").single().within("invoices");
