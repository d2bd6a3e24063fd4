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
}
