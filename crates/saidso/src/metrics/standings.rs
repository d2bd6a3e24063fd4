//! How the memories of loaded spaces stand.

use std::collections::BTreeMap;

use saidso_core::fold::Status;
use saidso_recall::Health;

use super::{catalogue as names, text::Page};
use crate::wire::name;

/// What recall last saw.
#[derive(Default)]
pub struct Standings {
    /// The memories of loaded spaces, by their tenant's name.
    pub tenants: BTreeMap<String, Health>,
    /// How many changed their status because time passed, by what it became.
    pub transitions: BTreeMap<Status, u64>,
}

impl Standings {
    pub(super) fn show(&self, page: &mut Page) {
        page.head(names::MEMORIES);
        for (tenant, health) in &self.tenants {
            for (status, count) in &health.memories {
                page.sample(names::MEMORIES.name, &[("tenant", tenant), ("status", &name(status))], count);
            }
        }
        page.head(names::EFFECTIVE_SHARE);
        for (tenant, health) in &self.tenants {
            if let Some(share) = health.effective() {
                page.sample(names::EFFECTIVE_SHARE.name, &[("tenant", tenant)], share);
            }
        }
        page.head(names::TRANSITIONS);
        for (status, count) in &self.transitions {
            page.sample(names::TRANSITIONS.name, &[("to", &name(status))], count);
        }
    }
}
