//! How a space's memories stand.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::memories::name;

/// How much of a space's memory can be relied on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpaceHealth {
    /// How many memories, by status: `active`, `to_confirm`, `pending_confirm`, `superseded`, `archived`, `invalid`; a
    /// status that none has is left out. Forgotten ones are no memories.
    pub memories: BTreeMap<String, u64>,
    /// The share that is active and not expired, from 0 to 1; null where nothing is remembered.
    #[schema(required)]
    pub effective_share: Option<f64>,
}

impl From<&saidso_recall::Health> for SpaceHealth {
    fn from(health: &saidso_recall::Health) -> Self {
        let memories = health.memories.iter().map(|(status, count)| (name(status), *count)).collect();
        Self { memories, effective_share: health.effective() }
    }
}
