//! What was set aside, by reference.

use saidso_core::record;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What was set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetters {
    /// The newest first.
    pub dead_letters: Vec<DeadLetter>,
}

/// One record that was set aside. It holds no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetter {
    /// Where it was read.
    #[serde(flatten)]
    pub place: Place,
    /// Why, from a closed set.
    pub code: String,
    /// The turn's or command's id; absent if nobody could read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Where that stands on the head log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// A place on a topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The topic.
    pub topic: String,
    /// The partition.
    pub partition: u32,
    /// The offset in it.
    pub offset: u64,
}

impl From<&record::DeadLetter> for Place {
    fn from(letter: &record::DeadLetter) -> Self {
        Self { topic: letter.origin.name().to_owned(), partition: letter.partition, offset: letter.offset }
    }
}

impl From<&record::DeadLetter> for DeadLetter {
    fn from(letter: &record::DeadLetter) -> Self {
        let id = |about: record::About| about.id.iter().map(|byte| format!("{byte:02x}")).collect();
        Self {
            place: letter.into(),
            code: letter.code.clone(),
            id: letter.about.map(id),
            position: letter.about.map(|about| about.position.to_string()),
        }
    }
}
