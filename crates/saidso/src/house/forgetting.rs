//! Forgetting by its own door.

use saidso_core::{
    access::Token,
    ids::{MemoryId, TurnId},
    limits,
    position::Position,
    scope::Scope,
    text::Normalised,
    time::Moment,
    turn::{Refusal, Role, SubmittedMessage, SubmittedTurn},
};
use saidso_pipeline::{Forgetting, Pending};

use super::House;
use crate::{
    problem::Problem,
    wire::{Forget, Forgotten, PendingReadBack, ReadBack, ReadBacks},
};

/// The session of requests that name none.
const SESSION: &str = "forget";

impl House {
    /// Only a process that answers has it.
    fn forgetting(&self) -> Result<&Forgetting, Problem> {
        self.forgetting.as_ref().ok_or(Problem::NoSuchRoute)
    }

    /// Has what a request means forgotten, or tells what would be.
    pub fn forget_said(
        &self,
        token: &Token,
        tenant: Option<&str>,
        space: &str,
        ask: Forget,
    ) -> Result<Forgotten, Problem> {
        let scope = self.scope(token, tenant, space)?;
        match (&ask.text, &ask.ids) {
            (Some(text), None) => {
                let turn = self.request(space, text, &ask)?;
                self.forget_words(token, turn, ask.dry_run)
            }
            (None, Some(ids)) => self.forget_ids(&scope, ids, ask.dry_run),
            _ => Err(Problem::ForgetWhat),
        }
    }

    /// The turn that says what is to go.
    fn request(&self, space: &str, text: &str, ask: &Forget) -> Result<SubmittedTurn, Problem> {
        // Control characters and marks without ink are nothing said.
        if Normalised::new(text).text().trim().is_empty() {
            return Err(Refusal::Request.into());
        }
        let at = Moment::at(self.ports.clock.now_ms(), ask.zone.as_deref()).map_err(Refusal::from)?;
        let message = SubmittedMessage { role: Role::Customer, text: text.to_owned(), id: None };
        Ok(SubmittedTurn {
            tenant: None,
            space: space.to_owned(),
            session: Some(ask.session.clone().unwrap_or_else(|| SESSION.to_owned())),
            turn: None,
            occurred_at: at.to_string(),
            zone: ask.zone.clone(),
            messages: vec![message],
            recalled: Vec::new(),
            attachments: Vec::new(),
        })
    }

    fn forget_words(&self, token: &Token, turn: SubmittedTurn, dry_run: bool) -> Result<Forgotten, Problem> {
        let door = self.forgetting()?;
        if dry_run {
            let would = self.noting(door.would(token, turn))?;
            return Ok(Forgotten { would: Some(would.into()), ..Forgotten::default() });
        }
        let receipt = self.noting(door.request(token, turn))?;
        let (position, id) = (receipt.position.to_string(), receipt.turn.to_string());
        Ok(Forgotten { position: Some(position), read_back: Some(id), would: None })
    }

    fn forget_ids(&self, scope: &Scope, ids: &[String], dry_run: bool) -> Result<Forgotten, Problem> {
        if !(1..=limits::FORGET_MOST).contains(&ids.len()) {
            return Err(Problem::ForgetMost);
        }
        let parsed: Result<Vec<MemoryId>, _> = ids.iter().map(|id| id.parse()).collect();
        let parsed = parsed.map_err(|_| Problem::NoSuchMemory)?;
        // All of them or none.
        for id in ids {
            self.memory(scope, id)?;
        }
        if dry_run {
            let would = self.noting(self.forgetting()?.would_by_id(scope, &parsed))?;
            return Ok(Forgotten { would: Some(would.into()), ..Forgotten::default() });
        }
        let mut position = None;
        for id in parsed {
            // One that shared its memory with an earlier one of them is gone by now.
            position = self.forget_memory(scope, id)?.or(position);
        }
        let position = position.ok_or(Problem::NoSuchMemory)?;
        Ok(Forgotten { position: Some(position.to_string()), ..Forgotten::default() })
    }

    /// Has a memory forgotten. Whoever has the answer does not find it any more.
    pub(super) fn forget_memory(&self, scope: &Scope, id: MemoryId) -> Result<Option<Position>, Problem> {
        let forgotten = self.intake.forget(scope, id);
        // Even if that failed: its marks may stand by then.
        if let Some(recall) = &self.recall {
            recall.marked(scope);
        }
        self.noting(forgotten)
    }

    /// What requests took and nobody has read.
    pub fn read_backs(&self, scope: &Scope) -> Result<ReadBacks, Problem> {
        let pending = self.noting(self.forgetting()?.pending(scope))?;
        let shown = |Pending { turn, gone }| PendingReadBack { id: turn.to_string(), gone };
        Ok(ReadBacks { read_backs: pending.into_iter().map(shown).collect() })
    }

    /// What a request took, once.
    pub fn read_back(&self, scope: &Scope, id: &str) -> Result<ReadBack, Problem> {
        let turn: TurnId = id.parse().map_err(|_| Problem::NoSuchReadBack)?;
        let read_back = self.noting(self.forgetting()?.read(scope, turn))?;
        read_back.map(ReadBack::from).ok_or(Problem::NoSuchReadBack)
    }
}
