//! Turns in, and what became of them.

use saidso_core::turn::{self, SubmittedAttachment, SubmittedMessage, SubmittedTurn};
use saidso_pipeline::Receipt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{json, problem::ErrorBody};

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The customer. Only these words are evidence.
    Customer,
    /// The agent.
    Agent,
}

/// One message of a turn.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who wrote it.
    pub role: Role,
    /// The text.
    pub text: String,
    /// The gateway's own id, unique within the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// An image's text or a voice message's transcript. Never media.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// "image", "voice" or whatever the gateway calls it.
    pub kind: String,
    /// The text in it.
    pub text: String,
    /// Where the gateway keeps the media.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// A completed turn, as a gateway publishes it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
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
    #[serde(deserialize_with = "json::objects")]
    pub messages: Vec<Message>,
    /// Ids of memories that were recalled for this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recalled: Vec<String>,
    /// Texts of attachments of the customer.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "json::objects")]
    pub attachments: Vec<Attachment>,
}

impl From<Turn> for SubmittedTurn {
    fn from(turn: Turn) -> Self {
        let Turn { tenant, space, session, turn, occurred_at, zone, messages, recalled, attachments } = turn;
        let message = |Message { role, text, id }| SubmittedMessage { role: role.into(), text, id };
        let attachment = |Attachment { kind, text, reference }| SubmittedAttachment { kind, text, reference };
        Self {
            tenant,
            space,
            session,
            turn,
            occurred_at,
            zone,
            messages: messages.into_iter().map(message).collect(),
            recalled,
            attachments: attachments.into_iter().map(attachment).collect(),
        }
    }
}

impl From<Role> for turn::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Customer => turn::Role::Customer,
            Role::Agent => turn::Role::Agent,
        }
    }
}

/// A turn that is in, durably.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Published {
    /// The turn's id.
    pub turn: String,
    /// Ids of its customer messages, attachments after them.
    pub messages: Vec<String>,
    /// Where it stands; pass it to a recall as `min_position` to see what it brought.
    pub position: String,
    /// It had been published before; this is its first position, and nothing was added.
    pub known: bool,
}

impl From<Receipt> for Published {
    fn from(receipt: Receipt) -> Self {
        Self {
            turn: receipt.turn.to_string(),
            messages: receipt.messages.iter().map(ToString::to_string).collect(),
            position: receipt.position.to_string(),
            known: receipt.known,
        }
    }
}

/// What became of one line of JSON Lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineAnswer {
    /// The line's number in the request, from 1; empty lines count and are not answered.
    pub line: usize,
    /// The outcome.
    #[serde(flatten)]
    pub outcome: Line,
}

/// A good line is in; a bad one is named, and changes nothing for the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Line {
    /// It is in.
    Published(Published),
    /// It is not.
    Refused(ErrorBody),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_turn_is_the_cores() {
        let json = r#"{"tenant":"t","space":"s","session":"a","turn":"b","occurred_at":"c","zone":"d",
            "messages":[{"role":"customer","text":"e","id":"f"},{"role":"agent","text":"g"}],"recalled":["h"],
            "attachments":[{"kind":"i","text":"j","ref":"k"}]}"#;
        let ours: SubmittedTurn = serde_json::from_str::<Turn>(json).unwrap().into();
        assert_eq!(ours, serde_json::from_str(json).unwrap());
    }
}
