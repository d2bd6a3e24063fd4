//! A turn: what the customer said in one exchange, and when.

use serde::{Deserialize, Serialize};

use crate::{
    ids::{Ids, MemoryId, MessageId, SessionId, TurnId},
    limits, privacy,
    seal::{Payload, private::Within},
    time::{BadTime, Moment},
};

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The customer. Only these words are evidence.
    Customer,
    /// The agent.
    Agent,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Customer => "customer",
            Role::Agent => "agent",
        }
    }
}

/// A message as a gateway sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmittedMessage {
    /// Who wrote it.
    pub role: Role,
    /// The text.
    pub text: String,
    /// The gateway's own id, unique within the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// An image's text or a voice message's transcript (requirements A14). Never media.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmittedAttachment {
    /// "image", "voice" or whatever the gateway calls it.
    pub kind: String,
    /// The text in it.
    pub text: String,
    /// Where the gateway keeps the media.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// A completed turn as a gateway publishes it: `schemas/turn_completed.avsc`, or the same as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmittedTurn {
    /// The tenant's name; must be the token's if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The space's name: one customer.
    pub space: String,
    /// The session's name; the customer's local day if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The gateway's name for the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// When the turn was completed: RFC 3339 with an offset.
    pub occurred_at: String,
    /// The customer's IANA time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The messages in order. If the customer answers a question of the agent, that question comes first.
    pub messages: Vec<SubmittedMessage>,
    /// Ids of memories that were recalled for this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recalled: Vec<String>,
    /// Texts of attachments of the customer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<SubmittedAttachment>,
}

/// Why a turn was refused. Says which field, never what stood in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The time.
    #[error(transparent)]
    Time(#[from] BadTime),
    /// Dated too far ahead of the server's clock.
    #[error("occurred_at is more than a day ahead of this server's clock")]
    Ahead,
    /// No messages and no attachments.
    #[error("a turn has at least one message or attachment")]
    Empty,
    /// Too many messages.
    #[error("a turn has at most {max} messages and attachments, this one has {0}", max = limits::TURN_MESSAGES)]
    Messages(usize),
    /// A text is too long.
    #[error("message {0} has {1} bytes, at most {max} are taken", max = limits::MESSAGE_BYTES)]
    MessageBytes(usize, usize),
    /// All texts together are too long.
    #[error("the turn's texts have {0} bytes, at most {max} are taken", max = limits::TURN_BYTES)]
    TurnBytes(usize),
    /// A name is empty or too long.
    #[error("{0} has 1 to {max} bytes", max = limits::NAME_BYTES)]
    Name(&'static str),
    /// A request to forget is empty or too long.
    #[error("a request to forget has 1 to {max} bytes; say in one what is to go", max = limits::FORGET_BYTES)]
    Request,
    /// A recalled id is malformed.
    #[error("recalled[{0}] is not a memory id (32 hexadecimal digits)")]
    Recalled(usize),
    /// Too many recalled ids.
    #[error("a turn names at most {max} recalled memories, this one names {0}", max = limits::TURN_RECALLED)]
    RecalledCount(usize),
}

impl Refusal {
    /// The cause, from a closed set: mostly the field.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Time(BadTime::Instant) | Refusal::Ahead => "occurred_at",
            Refusal::Time(BadTime::Zone) => "zone",
            Refusal::Empty => "turn_empty",
            Refusal::Messages(_) => "too_many_messages",
            Refusal::MessageBytes(..) => "message_too_long",
            Refusal::TurnBytes(_) => "turn_too_long",
            Refusal::Name(_) => "name",
            Refusal::Request => "text",
            Refusal::Recalled(_) => "recalled",
            Refusal::RecalledCount(_) => "too_many_recalled",
        }
    }
}

/// A customer's message, or an attachment's text, verbatim except for what must not enter memory
/// ([`crate::privacy`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The text; spans of evidence are byte ranges in it, and the same in the text as sent.
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
    /// The words are a request to forget, whatever their form: it came by that door, not in a conversation.
    pub request: bool,
}

/// What every stage carries of a turn besides its items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnMeta {
    /// The turn.
    pub id: TurnId,
    /// The gateway's name for it.
    pub name: Option<String>,
    /// The session.
    pub session: SessionId,
    /// The session's name.
    pub session_name: String,
    /// When it was completed.
    pub at: Moment,
    /// Ids of the body's messages, in the same order.
    pub messages: Vec<MessageId>,
    /// Memories that were recalled for it.
    pub recalled: Vec<MemoryId>,
    /// Its words are kept once they are read; else only the head log ever has them (requirements A15).
    pub kept: bool,
}

impl TurnMeta {
    /// Whether its conversation goes on at an instant (milliseconds since 1970); what is older is a backlog, an import or
    /// a replay, and nobody waits for it.
    pub fn is_live(&self, now_ms: i64) -> bool {
        now_ms.saturating_sub(self.at.ms()) <= limits::LIVE_MS
    }
}

/// A turn that passed [`accept`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who, when, which.
    pub meta: TurnMeta,
    /// The words.
    pub body: TurnBody,
    /// For each attachment, which follow the messages in the body, where the gateway keeps the media.
    pub references: Vec<String>,
}

impl Turn {
    /// Overwrites every word at equal length: what names places in them still does.
    pub fn let_go(&mut self) {
        for text in self.texts() {
            *text = " ".repeat(text.len());
        }
    }

    /// Some of its words are left.
    pub fn has_words(&self) -> bool {
        let messages = self.body.messages.iter().map(|message| &message.text);
        messages.chain(&self.body.question).any(|text| !text.trim().is_empty())
    }

    fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        let messages = self.body.messages.iter_mut().map(|message| &mut message.text);
        messages.chain(&mut self.body.question)
    }
}

impl Payload for Turn {
    type Wire = Self;
    fn to_wire(&self, _: Within) -> Self {
        self.clone()
    }
    fn from_wire(wire: Self, _: Within) -> Self {
        wire
    }
}

/// Checks a submitted turn against the limits and gives everything in it an id. The space's and tenant's names are
/// [`crate::access::admit`]'s to check.
///
/// Ids are of the texts as sent, so that a turn published again is known; what is kept of the texts has passed
/// [`privacy::redact`]. So no stage, record, row, raw message or drop ever holds a sensitive number (requirements E3).
pub fn accept(submitted: SubmittedTurn, ids: &Ids) -> Result<Turn, Refusal> {
    let at = Moment::parse(&submitted.occurred_at, submitted.zone.as_deref())?;
    check(&submitted)?;
    let recalled = submitted
        .recalled
        .iter()
        .enumerate()
        .map(|(index, id)| id.parse().map_err(|_| Refusal::Recalled(index)))
        .collect::<Result<Vec<MemoryId>, _>>()?;

    let session_name = submitted.session.unwrap_or_else(|| at.local_day());
    let session = ids.session(&session_name);
    let id_of = |index: usize, role: &str, text: &str, name: Option<&str>| match name {
        Some(name) => ids.named_message(session, name),
        None => ids.message(session, at.ms(), role, index as u32, text),
    };

    let count = submitted.messages.len();
    let question = submitted.messages.first().filter(|first| first.role == Role::Agent);
    let question = question.map(|first| kept(first.text.clone()).text);
    let (mut all, mut customer, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    for (index, message) in submitted.messages.into_iter().enumerate() {
        let id = id_of(index, message.role.name(), &message.text, message.id.as_deref());
        all.push(id);
        if message.role == Role::Customer {
            customer.push(id);
            messages.push(kept(message.text));
        }
    }
    let mut references = Vec::new();
    for (index, attachment) in submitted.attachments.into_iter().enumerate() {
        let id = id_of(count + index, "attachment", &attachment.text, None);
        all.push(id);
        customer.push(id);
        messages.push(kept(attachment.text));
        references.push(attachment.reference);
    }
    Ok(Turn {
        meta: TurnMeta {
            id: ids.turn(&all),
            name: submitted.turn,
            session,
            session_name,
            at,
            messages: customer,
            recalled,
            kept: true,
        },
        body: TurnBody { messages, question, request: false },
        references,
    })
}

/// A text as it may be kept.
fn kept(mut text: String) -> Message {
    privacy::redact(&mut text);
    Message { text }
}

fn check(turn: &SubmittedTurn) -> Result<(), Refusal> {
    let texts = || {
        let messages = turn.messages.iter().map(|message| message.text.as_str());
        messages.chain(turn.attachments.iter().map(|attachment| attachment.text.as_str()))
    };
    match texts().count() {
        0 => return Err(Refusal::Empty),
        count if count > limits::TURN_MESSAGES => return Err(Refusal::Messages(count)),
        _ => {}
    }
    if let Some((index, text)) = texts().enumerate().find(|(_, text)| text.len() > limits::MESSAGE_BYTES) {
        return Err(Refusal::MessageBytes(index, text.len()));
    }
    let bytes = texts().map(str::len).sum();
    if bytes > limits::TURN_BYTES {
        return Err(Refusal::TurnBytes(bytes));
    }
    let named = |name: Option<&String>, what| match name {
        Some(name) if name.is_empty() || name.len() > limits::NAME_BYTES => Err(Refusal::Name(what)),
        _ => Ok(()),
    };
    named(turn.session.as_ref(), "session")?;
    named(turn.turn.as_ref(), "turn")?;
    turn.messages.iter().try_for_each(|message| named(message.id.as_ref(), "a message's id"))?;
    for attachment in &turn.attachments {
        named(Some(&attachment.kind), "an attachment's kind")?;
        named(Some(&attachment.reference), "an attachment's ref")?;
    }
    if turn.recalled.len() > limits::TURN_RECALLED {
        return Err(Refusal::RecalledCount(turn.recalled.len()));
    }
    Ok(())
}
