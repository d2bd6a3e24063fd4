//! What is at hand at once (requirements B11).

use saidso_core::{fault::Fault, scope::Scope};

use super::Recall;
use crate::Preloaded;

impl Recall {
    /// What [`Recall::preload`] shows, without waiting for the embedder: what to go on with while a question is answered.
    /// `session` is the one that asks, if any.
    pub fn hot(&self, scope: &Scope, session: Option<&str>) -> Result<Preloaded, Fault> {
        // No session's name is empty, so that of nobody's no session is left out.
        let session = self.inner.sources.names.ids(scope).session(session.unwrap_or_default());
        self.now(scope, |space, at| space.preload(session, at, &self.inner.settings.provenance))
    }
}
