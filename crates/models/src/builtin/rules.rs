//! What a language brings to the built-in extractor: one implementation of [`Rules`] per language.
//!
//! A language reads one sentence at a time and says what it found, with the span of the words it rests on. All the
//! rest (planted text, quoted text, sensitive numbers, quotes, keywords, slots, limits) is the driver's and the same
//! for every language.

use saidso_core::item::{DropReason, Kind, Span, Unit};

/// A sentence of the customer, in its message.
pub(super) struct Sentence<'a> {
    /// The whole message; every span is a byte range in it.
    pub message: &'a str,
    /// This sentence.
    pub span: Span,
    /// What the sentence before it in the same message said: where "she" and "it" may point.
    pub before: &'a [Finding],
}

impl<'a> Sentence<'a> {
    /// Its text.
    pub fn text(&self) -> &'a str {
        self.span.of(self.message).unwrap_or_default()
    }
}

/// One durable thing a sentence says.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// What sort of memory.
    pub kind: Kind,
    /// The words it rests on: a whole clause, as said, or one thing of a list. It becomes the quote and, with what stands
    /// `around` it, the wording.
    pub span: Span,
    /// What the sentence says for it before and behind those words: a subject that the clause left out ("I hate mondays and
    /// love fridays": the second "I "), what a list says of each thing in it.
    pub around: Option<(String, String)>,
    /// `customer`, or whom else it is said of: "wife", "company".
    pub subject: String,
    /// What is said of the subject, one value of a small vocabulary shared by the languages where it can be:
    /// "home city", "occupation", "opinion of chinese food".
    pub attribute: String,
    /// Whether several values may stand at once.
    pub many: bool,
    /// The value, normalised.
    pub value: String,
    /// The value is denied.
    pub negated: bool,
    /// What lets several values stand side by side.
    pub qualifier: Option<String>,
    /// A stated change.
    pub changed: bool,
    /// How much it matters.
    pub importance: Unit,
    /// How sure the rule is.
    pub confidence: Unit,
    /// Questions it answers, in its language.
    pub questions: Vec<String>,
}

/// What a sentence gave.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// What it says.
    pub findings: Vec<Finding>,
    /// What was nearly a finding, and why it is none. Plain requests, questions and small talk are not listed: they
    /// were never near.
    pub drops: Vec<(Span, DropReason)>,
}

/// The rules of one language.
pub(super) trait Rules: Sync {
    /// What a sentence says that lasts.
    fn read(&self, sentence: &Sentence<'_>) -> Reading;

    /// The statement a yes/no question about the customer asks to confirm, in the customer's words ("Do you run a
    /// bakery?" → "I run a bakery."). `None` for offers, requests and open questions.
    fn asked(&self, question: &str) -> Option<String>;
}

/// How much a finding matters, by what it is about. One scale for all languages, so that a remark in one never
/// outweighs a constraint in another.
pub(super) mod weight {
    use saidso_core::item::Unit;

    /// Health, allergies, hard constraints, standing instructions.
    pub const CONSTRAINT: Unit = Unit::hundredths(90);
    /// Who the customer is: name, home, family, work, what they run on.
    pub const IDENTITY: Unit = Unit::hundredths(75);
    /// Strong preferences ("strictly", "hate", "never").
    pub const STRONG: Unit = Unit::hundredths(70);
    /// Likes, dislikes, goals, projects.
    pub const PREFERENCE: Unit = Unit::hundredths(60);
    /// Possessions, habits, skills, what happened.
    pub const DETAIL: Unit = Unit::hundredths(50);
    /// Themes and open to-dos.
    pub const PASSING: Unit = Unit::hundredths(35);
}

/// How sure a rule is.
pub(super) mod sure {
    use saidso_core::item::Unit;

    /// A closed pattern: "I live in …".
    pub const CLOSED: Unit = Unit::hundredths(90);
    /// An open pattern with a known verb: "I volunteer at …".
    pub const OPEN: Unit = Unit::hundredths(80);
    /// A guess from shape alone: an unknown verb in the present tense.
    pub const SHAPE: Unit = Unit::hundredths(65);
}
