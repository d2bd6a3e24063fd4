//! Short answers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A command is on the log, in order with the turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Accepted {
    /// Where it stands.
    pub position: String,
}

/// The process is alive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The program's version.
    pub version: String,
}

/// The stages run, and this can take work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ready {
    /// Always `true`; otherwise the answer is an error.
    pub ready: bool,
    /// Changes of spaces that its recall had not heard of when it last looked, some seconds ago; 0: it is through. Absent
    /// while nobody can say, and where nothing is recalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<u64>,
}
