//! A turn: what the customer said in one exchange, and when.

use serde::{Deserialize, Serialize};

/// A customer's message, or an attachment's text (requirements A14), verbatim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The text, exactly as sent; spans of evidence are byte ranges in it.
    pub text: String,
}

/// The part of a turn that evidence can come from: what extract and ground are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnBody {
    /// The customer's messages in order, attachments after them.
    pub messages: Vec<Message>,
    /// The agent's question that the first message answers, if the gateway put one before it. Evidence only
    /// together with a plain yes; of the agent's text nothing else is kept.
    pub question: Option<String>,
}
