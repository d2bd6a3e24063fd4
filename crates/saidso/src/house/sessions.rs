//! Sessions, in the terms of the wire.

use saidso_core::{limits, scope::Scope};

use super::{House, operations::named};
use crate::{
    problem::Problem,
    wire::{Preload, Sessions},
};

impl House {
    /// The newest sessions of a space.
    pub fn sessions(&self, scope: &Scope, limit: Option<usize>) -> Result<Sessions, Problem> {
        let found = self.recall_here()?.sessions(scope, limit.unwrap_or(limits::SESSIONS_SHOWN));
        Ok(Sessions::of(&self.noting(found)?))
    }

    /// What a session starts with.
    pub fn open_session(&self, scope: &Scope, session: &str) -> Result<Preload, Problem> {
        named(session, "session")?;
        self.noting(self.recall_here()?.preload(scope, session).map(Preload::from))
    }
}
