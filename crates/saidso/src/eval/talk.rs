//! What every shape of a file comes to: who said what, and what is asked about it.

/// Who says something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// The agent, who is nobody's evidence.
    Agent,
    /// A customer, by the name the row has for them; empty if it has none.
    Customer(String),
}

impl Voice {
    /// By the name of a role or of a person.
    pub fn of(who: &str) -> Self {
        match who.to_lowercase().as_str() {
            "user" | "customer" => Voice::Customer(String::new()),
            "assistant" | "system" | "agent" | "bot" => Voice::Agent,
            _ => Voice::Customer(who.to_owned()),
        }
    }
}

/// One message.
#[derive(Debug, Clone)]
pub struct Doc {
    /// Its id, unique in the talk.
    pub id: String,
    /// Who said it.
    pub voice: Voice,
    /// The words.
    pub text: String,
    /// When, as the row writes it.
    pub at: Option<String>,
    /// The session's name.
    pub session: Option<String>,
}

/// One question about a talk.
#[derive(Debug, Clone)]
pub struct Asked {
    /// As it is asked.
    pub text: String,
    /// What sort of question it is.
    pub category: String,
    /// Ids of the messages that answer it; if nothing does, of those that seem to.
    pub evidence: Vec<String>,
    /// Nothing that was said answers it.
    pub unanswerable: bool,
}

/// Messages in the order they were said, and what is asked about them.
#[derive(Debug, Clone, Default)]
pub struct Talk {
    /// The messages.
    pub docs: Vec<Doc>,
    /// The questions.
    pub asked: Vec<Asked>,
}

/// What a file holds, or parallel files together.
pub struct Talks {
    /// What it is called.
    pub name: String,
    /// Those who have nothing to do with each other.
    pub talks: Vec<Talk>,
    /// Rows that state nothing in so many words.
    pub left_out: usize,
}

impl Talks {
    /// Whether a customer says anything.
    pub fn says_something(&self) -> bool {
        let says = |doc: &Doc| doc.voice != Voice::Agent && !doc.text.trim().is_empty();
        self.talks.iter().flat_map(|talk| &talk.docs).any(says)
    }
}
