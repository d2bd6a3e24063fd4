//! Forgetting by its own door: a request in words, what one would take, and what went, to be read once.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use saidso_core::{
    access::Token,
    fault::{Code, Fault},
    ids::{MemoryId, SpaceId, TenantId, TurnId},
    ports::Section,
    position::Position,
    retract::ReadBack,
    scope::Scope,
    seal::Generation,
    stages::{Command, EmbeddedTurn},
    turn::{SubmittedTurn, Turn},
};

use crate::{
    Intake, Ports, Receipt, Refused, Rules, embed::Embed, extract::Extract, ground::Ground, retract, transform::Stage,
};

/// What a request took and nobody has read, without its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// The turn of the request.
    pub turn: TurnId,
    /// How many memories went.
    pub gone: usize,
}

/// The door.
pub struct Forgetting {
    ports: Ports,
    rules: Rules,
    generation: Generation,
    intake: Intake,
    /// What was read here: its key lives on until the command that destroys it is through.
    read: Mutex<HashSet<Name>>,
}

type Name = ((TenantId, SpaceId), TurnId);

impl Forgetting {
    /// Against the memories of a generation, with the rules that made them.
    pub fn new(ports: Ports, rules: Rules, generation: Generation, intake: Intake) -> Self {
        Self { ports, rules, generation, intake, read: Mutex::default() }
    }

    /// Publishes a request, whose messages say what is to go. What it takes can be read once it is through, under the id
    /// of its turn.
    pub fn request(&self, token: &Token, submitted: SubmittedTurn) -> Result<Receipt, Refused> {
        let (scope, turn) = self.intake.request(token, submitted)?;
        Ok(self.intake.publish(&scope, &turn)?)
    }

    /// What a request would take, if it were through by now. Changes nothing.
    pub fn would(&self, token: &Token, submitted: SubmittedTurn) -> Result<ReadBack, Refused> {
        let (scope, turn) = self.intake.request(token, submitted)?;
        let turn = self.embedded(&scope, turn)?;
        Ok(retract::would(&self.ports, &self.rules.fold, &turn, self.section(scope))?)
    }

    /// What would go with these memories, of those that the space has.
    pub fn would_by_id(&self, scope: &Scope, memories: &[MemoryId]) -> Result<ReadBack, Fault> {
        retract::would_by_id(&self.ports, &self.rules.fold, memories, self.section(scope.clone()))
    }

    /// What requests took and nobody has read.
    pub fn pending(&self, scope: &Scope) -> Result<Vec<Pending>, Fault> {
        let rows = self.ports.store.read_backs(scope)?;
        let mut read = self.lock();
        // What is gone from the store need not be remembered.
        read.retain(|(space, turn)| *space != scope.key() || rows.iter().any(|row| row.turn == *turn));
        let mut pending = Vec::new();
        for row in rows.iter().filter(|row| !read.contains(&(scope.key(), row.turn))) {
            if let Some(ReadBack { gone, .. }) = retract::open(&self.ports, scope, row)? {
                pending.push(Pending { turn: row.turn, gone: gone.len() });
            }
        }
        Ok(pending)
    }

    /// What a request took; from then on nobody can read it. `None`: it was read, or there is no such request.
    ///
    /// Of calls in one process at most one gets it. Another process may hand it out once more in the moment before the
    /// key is destroyed everywhere.
    pub fn read(&self, scope: &Scope, turn: TurnId) -> Result<Option<ReadBack>, Fault> {
        let name = (scope.key(), turn);
        // Before anything is looked up: whoever comes later finds it here, or gone from the store.
        if !self.lock().insert(name) {
            return Ok(None);
        }
        let read = self.read_once(scope, turn);
        if !matches!(read, Ok(Some(_))) {
            self.lock().remove(&name);
        }
        read
    }

    fn read_once(&self, scope: &Scope, turn: TurnId) -> Result<Option<ReadBack>, Fault> {
        let rows = self.ports.store.read_backs(scope)?;
        let row = rows.iter().find(|row| row.turn == turn);
        let Some(read_back) = row.map(|row| retract::open(&self.ports, scope, row)).transpose()?.flatten() else {
            return Ok(None);
        };
        let at_ms = self.ports.clock.now_ms();
        self.intake.command(scope, &Command::ReadBack { turn }, turn.as_bytes(), at_ms, Vec::new())?;
        Ok(Some(read_back))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<Name>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the stages make of a turn.
    fn embedded(&self, scope: &Scope, turn: Turn) -> Result<EmbeddedTurn, Fault> {
        let tenant = scope.key().0;
        let turn = one(&Extract { rules: self.rules.clone() }, tenant, turn)?;
        let turn = one(&Ground, tenant, turn)?;
        one(&Embed { rules: self.rules.clone(), clock: self.ports.clock.clone() }, tenant, turn)
    }

    /// A section that is never committed.
    fn section(&self, scope: Scope) -> Section {
        Section {
            scope,
            generation: self.generation,
            position: Position { epoch: 0, partition: 0, offset: 0 },
            accepted_ms: 0,
            new_keys: Vec::new(),
            writes: Vec::new(),
            destroy: Vec::new(),
        }
    }
}

fn one<S: Stage>(stage: &S, tenant: TenantId, turn: S::In) -> Result<S::Out, Fault> {
    let missing = || Fault::retry(Code::ModelOutput, "tried a request: a stage gave no answer");
    stage.process(vec![(tenant, turn)]).pop().ok_or_else(missing)?
}
