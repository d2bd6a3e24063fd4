//! What an extractor proposes: one typed item with the words it rests on.

use serde::{Deserialize, Serialize};

use crate::text::Language;

/// A number from 0 to 1 in hundredths: equal on every machine, so that folds are equal too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Unit(u8);

impl Unit {
    /// One.
    pub const ONE: Unit = Unit(100);

    /// From hundredths; more than 100 counts as 100.
    pub const fn hundredths(value: u8) -> Self {
        Self(if value > 100 { 100 } else { value })
    }

    /// As a number from 0 to 1.
    pub fn as_f32(self) -> f32 {
        f32::from(self.0) / 100.0
    }
}

/// What sort of memory an item is (requirements A3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A durable statement about the customer and their people, projects, tools or goals.
    Fact,
    /// A recurring theme with a dated trail of what the customer wanted with it.
    Topic,
    /// Something done at a point in time; events pile up and never contradict.
    Event,
    /// A reusable procedure or convention.
    Instruction,
    /// Short-lived; lives with its session. Has no vector.
    Task,
    /// Says that what was recalled for the turn still holds ("yes, still so", "we do both"). Becomes no memory: the fold
    /// settles with it what stands. Its value is an [`Answer::value`]. Has no vector.
    Confirmation,
}

/// What a [`Kind::Confirmation`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It is still so; of two things that were asked about, the one said before.
    Still,
    /// It is no longer so; of two things that were asked about, the one said before.
    NoLonger,
    /// Of things that were asked about, the one that it names by its value ("Oslo", "Oslo, not Bergen").
    Named,
    /// Of two things that were asked about, the one that the question names first.
    First,
    /// Of two things that were asked about, the one that the question names second.
    Second,
    /// Of two things that were asked about, both hold.
    Both,
    /// Of two things that were asked about, none holds any longer.
    Neither,
}

impl Answer {
    /// Every one of them.
    pub const ALL: [Answer; 7] =
        [Answer::Still, Answer::NoLonger, Answer::Named, Answer::First, Answer::Second, Answer::Both, Answer::Neither];

    /// As the value of a candidate.
    pub fn value(self) -> &'static str {
        match self {
            Answer::Still => "still",
            Answer::NoLonger => "no longer",
            Answer::Named => "named",
            Answer::First => "first",
            Answer::Second => "second",
            Answer::Both => "both",
            Answer::Neither => "neither",
        }
    }

    /// From the value of a candidate.
    pub fn of(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|answer| answer.value() == value)
    }
}

/// A byte range in a text, on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Whether the two share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The text at this range; `None` outside the text or inside a character.
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start as usize..self.end as usize)
    }

    /// Overwrites the text at this range at equal length, so that every other span stays where it is.
    pub fn blank(self, text: &mut String) {
        if let Some(words) = self.of(text) {
            let blank = " ".repeat(words.len());
            text.replace_range(self.start as usize..self.end as usize, &blank);
        }
    }
}

/// Whose words a quote is cut from, and where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Evidence {
    /// Index of the message in the turn's customer messages (attachments follow the messages).
    pub message: u32,
    /// Where in that message's text.
    pub span: Span,
    /// The text at the span, exactly.
    pub quote: String,
}

impl Evidence {
    /// The longest part of the quote that rests on none of `spans` of the message, without white space around it; `None`
    /// if no letter or digit is left.
    pub fn without(&self, spans: &[Span]) -> Option<Evidence> {
        let mut spans: Vec<Span> = spans.iter().copied().filter(|span| span.overlaps(self.span)).collect();
        spans.sort_unstable();
        let end = Span { start: self.span.end, end: self.span.end };
        let (mut at, mut longest) = (self.span.start, None::<Evidence>);
        for gap in spans.into_iter().chain([end]) {
            let piece = (gap.start > at).then(|| self.part(Span { start: at, end: gap.start })).flatten();
            if piece
                .as_ref()
                .is_some_and(|piece| longest.as_ref().is_none_or(|old| piece.quote.len() > old.quote.len()))
            {
                longest = piece;
            }
            at = at.max(gap.end);
        }
        longest
    }

    fn part(&self, span: Span) -> Option<Evidence> {
        let within = Span { start: span.start - self.span.start, end: span.end - self.span.start };
        let words = within.of(&self.quote)?;
        let start = span.start + (words.len() - words.trim_start().len()) as u32;
        let quote = words.trim().to_owned();
        let span = Span { start, end: start + quote.len() as u32 };
        quote.contains(char::is_alphanumeric).then_some(Evidence { message: self.message, span, quote })
    }
}

/// The normalised subject and attribute an item is about ("customer · database"). The value stands apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TopicKey {
    /// Whom or what it is said of: `customer`, or a normalised name ("friend", "my company").
    pub subject: String,
    /// What is said of it: "database", "city", "opinion of chinese food".
    pub attribute: String,
    /// Whether several values may stand at once ("has a dog", "has a cat"). `false`: the latest value is current.
    pub many: bool,
}

/// An item as an extractor proposes it: nothing is believed yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// What sort of memory.
    pub kind: Kind,
    /// The statement, standing alone, in the customer's language and, for an extractive extractor, words.
    pub text: String,
    /// The customer's words it rests on.
    pub evidence: Evidence,
    /// The agent's question that those words plainly confirm ("yes, four"), or that a confirmation answers. Its `message` is
    /// unused (0) and its span is in [`crate::turn::TurnBody::question`].
    pub question: Option<Evidence>,
    /// What it is about.
    pub topic_key: TopicKey,
    /// The normalised value ("postgresql", "likes", "2 dogs"). With `negated`, what is denied.
    pub value: String,
    /// The customer says that `value` does not hold.
    pub negated: bool,
    /// What lets several values stand side by side ("test environment").
    pub qualifier: Option<String>,
    /// The tenant's slot it fills, if the tenant names slots.
    pub slot: Option<String>,
    /// A stated change ("we've moved to …", "now").
    pub changed: bool,
    /// How much it matters: a passing remark far below a hard constraint.
    pub importance: Unit,
    /// How sure the extractor is.
    pub confidence: Unit,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// Questions it likely answers, in the customer's language.
    pub questions: Vec<String>,
    /// The language of the quote.
    pub language: Language,
}

/// Why an item that could have been a memory is none (requirements A5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// The quote does not stand in the customer's words.
    NoEvidence,
    /// The wording says more than the quote.
    Unsupported,
    /// True for now only ("I'm busy today").
    Transient,
    /// Guessed, wished or supposed.
    Hedged,
    /// Said of somebody else, or by somebody else.
    NotCustomer,
    /// Slots are on and none fits.
    NoSlot,
    /// National ids, cards, credentials and the like.
    Sensitive,
    /// The wording is not in the customer's language.
    LanguageDrift,
    /// A recalled memory said back.
    Echo,
    /// It was forgotten.
    Suppressed,
    /// Malformed, or over a limit.
    Invalid,
}

/// One dropped item. Sealed with its turn; `quote` is empty for [`DropReason::Sensitive`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drop {
    /// Why.
    pub reason: DropReason,
    /// The customer's words it would have rested on.
    pub quote: String,
}

/// What an extractor returns for one turn.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Extraction {
    /// The items.
    pub candidates: Vec<Candidate>,
    /// What it saw and let go, with the reason.
    pub drops: Vec<Drop>,
    /// What the customer takes back or wants forgotten.
    pub retractions: Vec<Retraction>,
}

/// How something is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retracting {
    /// "Forget that I take insulin", "delete what you know about my car".
    Request,
    /// "That's not my company", "I never said that": it was never true. What it means may as well be nothing remembered
    /// ("we don't do that" about the business): only a match in the space makes it a retraction.
    Denial,
}

/// Words that may ask for something to be forgotten (requirements D1). The space decides what they mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retraction {
    /// How.
    pub how: Retracting,
    /// The customer's words: the whole request, which must not stay either.
    pub evidence: Evidence,
    /// The part of those words that names what is to go ("I take insulin", "my car"); not empty, and within the quote.
    pub about: String,
    /// What that part says, as far as the extractor reads it; empty if it states nothing ("my car").
    pub states: Vec<Stated>,
    /// The language of the quote.
    pub language: Language,
}

/// A statement without the words it rests on: what it says, to the key and value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// What it is about.
    pub topic_key: TopicKey,
    /// The normalised value. With `negated`, what is denied.
    pub value: String,
    /// The value is said not to hold.
    pub negated: bool,
    /// What lets several values stand side by side.
    pub qualifier: Option<String>,
}

impl Stated {
    /// What a candidate states.
    pub fn of(item: &Candidate) -> Self {
        Self {
            topic_key: item.topic_key.clone(),
            value: item.value.clone(),
            negated: item.negated,
            qualifier: item.qualifier.clone(),
        }
    }
}
