//! Sessions.

use saidso_core::session::{self, Closed, Entity};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::recalled::NOTICE;

/// The newest sessions of a space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sessions {
    /// Marks the texts as data; always the same.
    pub notice: String,
    /// The newest first.
    pub sessions: Vec<Session>,
}

/// One session: what an agent needs of it instead of the dialogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Session {
    /// Its name: the gateway's, or the customer's day.
    pub session: String,
    /// When its first turn was completed, RFC 3339 in the customer's offset.
    pub from: String,
    /// When its last turn was.
    pub to: String,
    /// How many turns it has.
    pub turns: u32,
    /// `open`, `ended` or `timed_out`.
    pub status: String,
    /// What was said in it, in whole clauses of the customer's: at most 50 words, or 50 characters where it is Chinese.
    /// Renewed every two turns and when the session closes.
    pub summary: String,
    /// What it is about, newest first.
    pub anchors: Vec<Anchor>,
    /// The task in hand; null if there is none, or the session is closed.
    #[schema(required)]
    pub task: Option<Remembered>,
    /// What waits for the customer's word.
    pub awaiting: Vec<Awaiting>,
}

/// Something that a session is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Anchor {
    /// `person` (as who somebody introduced themselves), `name`, `product`, `quantity`, `reference` or `time`; of what must
    /// not enter memory `mail`, `phone`, `card`, `account`, `document`, `credential`, `reference` or `number`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The customer's words for it; absent for what must not enter memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// A time, made absolute: `2026-11-04`, `2026-11-02/2026-11-08`, `2026-11`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
    /// The newest message that names it.
    pub message: String,
}

/// A memory, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Remembered {
    /// The memory's id.
    pub id: String,
    /// Its newest wording.
    pub text: String,
}

/// What waits for the customer's word: one of the two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Awaiting {
    /// A memory that another contradicts.
    Memory(Remembered),
    /// The agent's own question, not answered.
    Question(String),
}

impl Sessions {
    /// Of what recall found.
    pub fn of(sessions: &[session::Session]) -> Self {
        Self { notice: NOTICE.to_owned(), sessions: sessions.iter().map(Session::from).collect() }
    }
}

impl From<&session::Session> for Session {
    fn from(session: &session::Session) -> Self {
        let status = match session.closed {
            None => "open",
            Some((_, Closed::Ended)) => "ended",
            Some((_, Closed::TimedOut)) => "timed_out",
        };
        Self {
            session: session.name.clone(),
            from: session.from.to_string(),
            to: session.to.to_string(),
            turns: session.turns,
            status: status.to_owned(),
            summary: session.summary.clone(),
            anchors: session.anchors.iter().map(Anchor::from).collect(),
            task: session.task.as_ref().map(Remembered::from),
            awaiting: session.awaiting.iter().map(Awaiting::from).collect(),
        }
    }
}

impl From<&session::Anchor> for Anchor {
    fn from(session::Anchor { entity, message }: &session::Anchor) -> Self {
        let resolved = match entity {
            Entity::Time(time) => Some(time.text.clone()),
            _ => None,
        };
        let (kind, value) = (entity.kind().to_owned(), entity.value().map(str::to_owned));
        Self { kind, value, resolved, message: message.to_string() }
    }
}

impl From<&session::Remembered> for Remembered {
    fn from(memory: &session::Remembered) -> Self {
        Self { id: memory.id.to_string(), text: memory.text.clone() }
    }
}

impl From<&session::Awaiting> for Awaiting {
    fn from(awaiting: &session::Awaiting) -> Self {
        match awaiting {
            session::Awaiting::Memory(memory) => Awaiting::Memory(memory.into()),
            session::Awaiting::Question(question) => Awaiting::Question(question.clone()),
        }
    }
}
