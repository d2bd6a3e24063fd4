//! Sessions, in the terms of the wire.

use saidso_core::{limits, scope::Scope};

use super::House;
use crate::{problem::Problem, wire::Sessions};

impl House {
    /// The newest sessions of a space.
    pub fn sessions(&self, scope: &Scope, limit: Option<usize>) -> Result<Sessions, Problem> {
        let found = self.recall_here()?.sessions(scope, limit.unwrap_or(limits::SESSIONS_SHOWN));
        Ok(Sessions::of(&self.noting(found)?))
    }
}
