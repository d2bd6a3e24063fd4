//! How memories stand: of one space, and of all that are loaded.

use saidso_core::{scope::Scope, time::Moment};

use super::House;
use crate::{
    metrics::Standings,
    problem::Problem,
    wire::{Memories, Memory, SpaceHealth},
};

impl House {
    /// How a space's memories stand.
    pub fn health(&self, scope: &Scope) -> Result<SpaceHealth, Problem> {
        Ok(SpaceHealth::from(&self.noting(self.recall_here()?.health(scope))?))
    }

    /// The memories of a space, current or all, each with its status at a stated instant: RFC 3339 with an offset.
    pub fn memories_at(&self, scope: &Scope, history: bool, at: &str) -> Result<Memories, Problem> {
        let at = Moment::parse(at, None)
            .map_err(|_| Problem::BadParameter("at is an RFC 3339 time with an offset, percent-encoded".into()))?;
        let memories = self.noting(self.recall_here()?.memories_at(scope, history, at.ms()))?;
        Ok(Memories { memories: memories.iter().map(Memory::from).collect() })
    }

    /// How the memories of all loaded spaces stand, by their tenants' names; nothing where recall is not.
    pub(super) fn standings(&self) -> Standings {
        let census = self.recall.as_ref().map(|recall| recall.census()).unwrap_or_default();
        // A tenant that is no longer configured has nobody who could ask, and so no space that is loaded.
        let named = |name: &String| Some((name.clone(), census.tenants.get(&self.ports.names.tenant(name))?.clone()));
        Standings { tenants: self.tenants.iter().filter_map(named).collect(), transitions: census.transitions.clone() }
    }
}
