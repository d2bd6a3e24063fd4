//! Identifiers. All are keyed hashes: equal input gives the equal id on every machine that holds the name key, and
//! nobody else can guess or reverse one.

use std::{fmt, str::FromStr};

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::Sha256;

use crate::{
    item::{Kind, Span},
    scope::Scope,
    seal::Key,
};

/// A string that is no identifier: 32 hexadecimal digits were expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an id is 32 hexadecimal digits")]
pub struct NotAnId;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 16]);

        impl $name {
            /// From stored bytes.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// The bytes, as stored.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                if text.len() != 32 || !text.is_ascii() {
                    return Err(NotAnId);
                }
                let mut bytes = [0; 16];
                for (byte, at) in bytes.iter_mut().zip((0..32).step_by(2)) {
                    *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| NotAnId)?;
                }
                Ok(Self(bytes))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    self.0.serialize(serializer)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
                } else {
                    <[u8; 16]>::deserialize(deserializer).map(Self)
                }
            }
        }
    };
}

id!(
    /// A tenant: the keyed hash of its name.
    TenantId
);
id!(
    /// A space: the keyed hash of its name within the tenant.
    SpaceId
);
id!(
    /// A turn: the keyed hash of its message ids.
    TurnId
);
id!(
    /// A message (requirements C3).
    MessageId
);
id!(
    /// A session: the keyed hash of its name.
    SessionId
);
id!(
    /// One grounded item as said once: the keyed hash of turn, message, span and kind.
    ObservationId
);
id!(
    /// A command on the head log.
    CommandId
);
id!(
    /// A question that waits for review: the keyed hash of its words.
    ReviewId
);
id!(
    /// A result of a recall: a memory's id, or a message's.
    ResultId
);
id!(
    /// What a mark hides behind: the keyed hash of a message id or of a statement.
    MarkId
);

/// A memory is named by its first observation.
pub type MemoryId = ObservationId;

impl From<ObservationId> for ResultId {
    fn from(memory: MemoryId) -> Self {
        Self(memory.0)
    }
}

impl From<MessageId> for ResultId {
    fn from(message: MessageId) -> Self {
        Self(message.0)
    }
}

/// The secret that turns names into ids. Stable for the life of the data.
pub struct Names {
    key: Key,
}

impl Names {
    /// From the stored secret.
    pub fn new(key: Key) -> Self {
        Self { key }
    }

    /// The id of a tenant's name.
    pub fn tenant(&self, name: &str) -> TenantId {
        TenantId(hash(&self.key, &[b"tenant", name.as_bytes()]))
    }

    /// The id of a space's name within a tenant.
    pub(crate) fn space(&self, tenant: TenantId, name: &str) -> SpaceId {
        SpaceId(hash(&self.key, &[b"space", &tenant.0, name.as_bytes()]))
    }

    /// The maker of ids within one space.
    pub fn ids(&self, scope: &Scope) -> Ids {
        let (tenant, space) = scope.key();
        let half = |label: &[u8]| hash(&self.key, &[label, &tenant.0, &space.0]);
        let mut key = [0; 32];
        key[..16].copy_from_slice(&half(b"ids 0"));
        key[16..].copy_from_slice(&half(b"ids 1"));
        Ids { key: Key::new(key) }
    }
}

/// Makes ids within one space: the same message has another id in another space.
pub struct Ids {
    key: Key,
}

impl Ids {
    /// The id of a session's name.
    pub fn session(&self, name: &str) -> SessionId {
        SessionId(hash(&self.key, &[b"session", name.as_bytes()]))
    }

    /// A message that the gateway named.
    pub fn named_message(&self, session: SessionId, name: &str) -> MessageId {
        MessageId(hash(&self.key, &[b"message name", &session.0, name.as_bytes()]))
    }

    /// A message without a name: two equal texts in one session are two messages, the same one sent again is one.
    pub fn message(&self, session: SessionId, at_ms: i64, role: &str, index: u32, text: &str) -> MessageId {
        let (at, index) = (at_ms.to_be_bytes(), index.to_be_bytes());
        MessageId(hash(&self.key, &[b"message", &session.0, &at, role.as_bytes(), &index, text.as_bytes()]))
    }

    /// A turn, by all its messages in order.
    pub fn turn(&self, messages: &[MessageId]) -> TurnId {
        let mut parts: Vec<&[u8]> = vec![b"turn"];
        parts.extend(messages.iter().map(|message| message.0.as_slice()));
        TurnId(hash(&self.key, &parts))
    }

    /// An observation. The turn counts: a message that a gateway sends in two turns gives two, and the fold takes the
    /// first, whichever was written last.
    pub fn observation(&self, turn: TurnId, message: MessageId, span: Span, kind: Kind) -> ObservationId {
        let (start, end) = (span.start.to_be_bytes(), span.end.to_be_bytes());
        ObservationId(hash(&self.key, &[b"observation", &turn.0, &message.0, &start, &end, &[kind as u8]]))
    }

    /// A command, by what it asks for and when.
    pub fn command(&self, at_ms: i64, body: &[u8]) -> CommandId {
        CommandId(hash(&self.key, &[b"command", &at_ms.to_be_bytes(), body]))
    }

    /// The name that the key of what a turn's request took stands under, among the keys of turns.
    pub fn read_back(&self, turn: TurnId) -> TurnId {
        TurnId(hash(&self.key, &[b"read back", &turn.0]))
    }

    /// A question put to recall, by its words.
    pub fn review(&self, question: &str) -> ReviewId {
        ReviewId(hash(&self.key, &[b"review", question.as_bytes()]))
    }

    /// The name under which spans of a message are marked.
    pub fn mark_message(&self, message: MessageId) -> MarkId {
        MarkId(hash(&self.key, &[b"mark message", &message.0]))
    }

    /// The name under which a statement (topic key, value, qualifier) is marked.
    pub fn mark_statement(&self, parts: &[&str]) -> MarkId {
        let mut bytes: Vec<&[u8]> = vec![b"mark statement"];
        bytes.extend(parts.iter().map(|part| part.as_bytes()));
        MarkId(hash(&self.key, &bytes))
    }
}

/// HMAC-SHA-256 over length-prefixed parts, cut to 16 bytes.
fn hash(key: &Key, parts: &[&[u8]]) -> [u8; 16] {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.bytes()).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    let mut out = [0; 16];
    out.copy_from_slice(&mac.finalize().into_bytes()[..16]);
    out
}
