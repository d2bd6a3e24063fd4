//! The rows that can be measured, and the talks they make.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::talk::{Asked, Doc, Talk, Voice};

/// An id or a name, as text or as a number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Name(match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        }))
    }
}

/// Messages of one or more people, and questions with the ids of the messages that answer them.
#[derive(Debug, Deserialize)]
pub struct Documents {
    docs: Vec<Document>,
    qa: Vec<WithEvidence>,
}

#[derive(Debug, Deserialize)]
struct Document {
    id: Name,
    who: Option<String>,
    text: String,
    t: Option<String>,
    #[serde(default)]
    session: Name,
}

#[derive(Debug, Deserialize)]
struct WithEvidence {
    q: String,
    #[serde(default)]
    ev: Vec<Name>,
    #[serde(default)]
    cat: Name,
}

impl Documents {
    /// Whether the messages say who spoke.
    pub fn has_speakers(&self) -> bool {
        self.docs.iter().any(|doc| doc.who.is_some())
    }
}

/// What rows that make one talk say; each id with the number of its row before it.
pub fn documents(rows: &[(usize, Documents)]) -> Talk {
    let mut talk = Talk::default();
    for (row, Documents { docs, qa }) in rows {
        let place = |id: &Name| format!("{row}/{}", id.0);
        talk.docs.extend(docs.iter().map(|doc| Doc {
            id: place(&doc.id),
            voice: doc.who.as_deref().map_or(Voice::Customer(String::new()), Voice::of),
            text: doc.text.clone(),
            at: doc.t.clone(),
            session: (!doc.session.0.is_empty()).then(|| place(&doc.session)),
        }));
        talk.asked.extend(qa.iter().map(|asked| Asked {
            text: asked.q.clone(),
            category: asked.cat.0.clone(),
            evidence: asked.ev.iter().map(place).collect(),
            unanswerable: ["5", "adversarial", "abstention"].contains(&asked.cat.0.as_str()),
        }));
    }
    talk
}

/// A paragraph and questions about it.
#[derive(Debug, Deserialize)]
pub struct Paragraph {
    context: String,
    qa: Vec<WithId>,
}

#[derive(Debug, Deserialize)]
struct WithId {
    id: Name,
    q: String,
}

/// Of each file a talk, asked in every file's words: questions with the same id are the same in another language.
pub fn parallel(files: &[(String, Vec<Paragraph>)]) -> Vec<Talk> {
    let talk = |(name, paragraphs): &(String, Vec<Paragraph>)| {
        let mut talk = Talk::default();
        let mut answered: HashMap<&Name, String> = HashMap::new();
        for (at, paragraph) in paragraphs.iter().enumerate() {
            talk.docs.push(said(at, &paragraph.context));
            answered.extend(paragraph.qa.iter().map(|asked| (&asked.id, at.to_string())));
        }
        for (language, paragraphs) in files {
            let questions = paragraphs.iter().flat_map(|paragraph| &paragraph.qa);
            talk.asked.extend(questions.filter_map(|asked| {
                let evidence = vec![answered.get(&asked.id)?.clone()];
                let category = format!("{language}→{name}");
                Some(Asked { text: asked.q.clone(), category, evidence, unanswerable: false })
            }));
        }
        talk
    };
    files.iter().map(talk).collect()
}

/// A statement and a question it bears on.
#[derive(Debug, Deserialize)]
pub struct Statement {
    #[serde(alias = "t")]
    preference: String,
    #[serde(alias = "q")]
    question: String,
    conversation: Option<Value>,
}

impl Statement {
    /// It is said in so many words, rather than between the lines of a conversation.
    pub fn is_said(&self) -> bool {
        self.conversation.is_none()
    }
}

/// What statements that make one talk say.
pub fn statements(rows: &[Statement]) -> Talk {
    let asked = rows.iter().enumerate().map(|(at, row)| Asked {
        text: row.question.clone(),
        category: String::new(),
        evidence: vec![at.to_string()],
        unanswerable: false,
    });
    let docs = rows.iter().enumerate().map(|(at, row)| said(at, &row.preference));
    Talk { docs: docs.collect(), asked: asked.collect() }
}

/// Turns of a customer and an agent.
#[derive(Debug, Deserialize)]
pub struct Dialogue {
    turns: Vec<Spoken>,
}

#[derive(Debug, Deserialize)]
struct Spoken {
    role: String,
    text: String,
}

impl Dialogue {
    /// The talk.
    pub fn talk(self) -> Talk {
        let docs = self.turns.into_iter().enumerate().map(|(at, Spoken { role, text })| {
            let voice = Voice::of(&role);
            Doc { voice, ..said(at, &text) }
        });
        Talk { docs: docs.collect(), asked: Vec::new() }
    }
}

/// What one says, and what the other answers, who is the customer.
#[derive(Debug, Deserialize)]
pub struct Exchanges {
    dialogue: Vec<(String, String)>,
}

impl Exchanges {
    /// The talk.
    pub fn talk(self) -> Talk {
        let both = self.dialogue.into_iter().flat_map(|(one, other)| [(Voice::Agent, one), (CUSTOMER, other)]);
        let docs = both.enumerate().map(|(at, (voice, text))| Doc { voice, ..said(at, &text) });
        Talk { docs: docs.collect(), asked: Vec::new() }
    }
}

/// One message.
#[derive(Debug, Deserialize)]
pub struct Text {
    text: String,
}

impl Text {
    /// The talk.
    pub fn talk(self) -> Talk {
        Talk { docs: vec![said(0, &self.text)], asked: Vec::new() }
    }
}

/// The one customer of a talk that names nobody.
const CUSTOMER: Voice = Voice::Customer(String::new());

fn said(at: usize, text: &str) -> Doc {
    Doc { id: at.to_string(), voice: CUSTOMER, text: text.to_owned(), at: None, session: None }
}
