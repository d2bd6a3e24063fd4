//! Intake: the one writer of the head log. Seals turns and commands, and answers for what is already there.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    mem,
    panic::resume_unwind,
    sync::Arc,
    thread,
};

use saidso_core::{
    access::{self, Denied, Request, Token},
    fault::{Code, Fault, Remedy},
    fold,
    ids::{MemoryId, MessageId, TurnId},
    limits,
    ports::{Entry, Published, SpaceTurns, TurnRow},
    position::Position,
    record::{self, Record, RecordHead, RecordParts},
    scope::Scope,
    seal::{self, Field, Generation, Key, KeyId, NamedKey, Place},
    stages::Command,
    turn::{self, Refusal, SubmittedTurn, Turn},
};

use crate::{Keep, Ports, forget};

/// Turns published together.
const CHUNK: usize = 64;
/// Such chunks that are under way at once.
const LANES: usize = 4;

/// What became of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its id.
    pub turn: TurnId,
    /// The ids of the customer's messages, then of the attachments.
    pub messages: Vec<MessageId>,
    /// Where it stands on the head log: to wait for.
    pub position: Position,
    /// It had been published before; `position` is where it stood first.
    pub known: bool,
}

/// Why a turn was not taken. Never holds the customer's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The caller may not.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The turn is malformed or over a limit.
    #[error(transparent)]
    Turn(#[from] Refusal),
    /// It could not be made durable just now.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Refused {
    /// What the sender got wrong, from a closed set; a fault that is not this one input's is the error.
    pub(crate) fn into_code(self) -> Result<&'static str, Fault> {
        match self {
            Refused::Denied(denied) => Ok(denied.code()),
            Refused::Turn(refusal) => Ok(refusal.code()),
            Refused::Fault(fault) if fault.remedy == Remedy::DeadLetter => Ok(fault.code.label()),
            Refused::Fault(fault) => Err(fault),
        }
    }
}

/// The way in.
#[derive(Clone)]
pub struct Intake {
    pub(crate) ports: Ports,
    rules: fold::Rules,
    generation: Generation,
    pub(crate) keep: Arc<Keep>,
}

impl Intake {
    /// An intake that resolves forgets against the memories of a generation.
    pub fn new(ports: Ports, rules: fold::Rules, generation: Generation) -> Self {
        Self { ports, rules, generation, keep: Arc::default() }
    }

    /// The same, for words that are not all kept for good.
    pub fn keeping(self, keep: Keep) -> Self {
        Self { keep: Arc::new(keep), ..self }
    }

    /// Publishes turns. One result per turn, in order: good ones are in and durable, bad ones are named.
    ///
    /// Many go in lanes beside each other, so that one waits for the store while another waits for the log. A space has
    /// one lane: its turns stay in order.
    pub fn submit(&self, token: &Token, turns: Vec<SubmittedTurn>) -> Vec<Result<Receipt, Refused>> {
        let mut lanes = vec![Vec::new(); turns.len().div_ceil(CHUNK).min(LANES)];
        for (at, turn) in turns.into_iter().enumerate() {
            let lane = lane(&turn.space, lanes.len());
            lanes[lane].push((at, turn));
        }
        let run = |mut lane: Vec<(usize, SubmittedTurn)>| {
            let mut results = Vec::with_capacity(lane.len());
            while !lane.is_empty() {
                let rest = lane.split_off(lane.len().min(CHUNK));
                results.extend(self.chunk(token, mem::replace(&mut lane, rest)));
            }
            results
        };
        let mut results: Vec<_> = thread::scope(|threads| {
            let own = lanes.pop();
            let others: Vec<_> = lanes.into_iter().map(|lane| threads.spawn(|| run(lane))).collect();
            let own = own.map(run).unwrap_or_default();
            let joined = others.into_iter().map(|lane| lane.join().unwrap_or_else(|panic| resume_unwind(panic)));
            joined.flatten().chain(own).collect()
        });
        results.sort_unstable_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Publishes turns together; each has its place in what was submitted.
    fn chunk(&self, token: &Token, turns: Vec<(usize, SubmittedTurn)>) -> Vec<(usize, Result<Receipt, Refused>)> {
        let (mut results, mut entries, mut open) = (Vec::with_capacity(turns.len()), Vec::new(), Vec::new());
        for (at, turn) in turns {
            let accepted = self.accept(token, turn);
            let entry = accepted.and_then(|(scope, turn)| Ok((self.entry(&scope, &turn)?, turn)));
            match entry {
                Ok((entry, turn)) => {
                    entries.push(entry);
                    open.push((at, turn));
                }
                Err(refused) => results.push((at, Err(refused))),
            }
        }
        if entries.is_empty() {
            return results;
        }
        let short = || Fault::retry(Code::StoreUnavailable, "published turns: an answer is missing");
        let published = self.ports.head.publish(entries);
        match published.and_then(|published| if published.len() == open.len() { Ok(published) } else { Err(short()) }) {
            Ok(published) => {
                let receipt = |((at, turn), published)| (at, Ok(receipt(&turn, published)));
                results.extend(open.into_iter().zip(published).map(receipt));
            }
            Err(fault) => results.extend(open.into_iter().map(|(at, _)| (at, Err(fault.clone().into())))),
        }
        results
    }

    fn accept(&self, token: &Token, submitted: SubmittedTurn) -> Result<(Scope, Turn), Refused> {
        let request = Request { tenant: submitted.tenant.as_deref(), space: &submitted.space };
        let scope = access::admit(&self.ports.names, token, request)?;
        let mut turn = turn::accept(submitted, &self.ports.names.ids(&scope))?;
        turn.meta.kept = self.keep.of(scope.key().0) != Some(0);
        // Later statements win: one dated far ahead would beat every true one until then.
        if turn.meta.at.ms() > self.ports.clock.now_ms().saturating_add(limits::AHEAD_MS) {
            return Err(Refusal::Ahead.into());
        }
        Ok((scope, turn))
    }

    /// A turn under a key of its own. One sealed form serves the head log and the row, unless that may not have the words.
    fn entry(&self, scope: &Scope, turn: &Turn) -> Result<Entry, Fault> {
        let entropy = self.ports.entropy.as_ref();
        let mut attempt = [0; 4];
        entropy.fill(&mut attempt);
        let id = KeyId::Turn { turn: turn.meta.id, version: 0, attempt: u32::from_be_bytes(attempt) };
        let key = NamedKey { id, key: Key::random(entropy) };
        let accepted_ms = self.ports.clock.now_ms();
        let head =
            RecordHead { id: *turn.meta.id.as_bytes(), generation: Generation::ALL, position: None, accepted_ms };
        let record = Record::seal(scope, head, Field::Turn, &key, turn, entropy);
        let sealed = if turn.meta.kept {
            record.parts().sealed.clone()
        } else {
            let mut left = turn.clone();
            left.let_go();
            let place = Place { scope, id: head.id, generation: Generation::ALL, field: Field::Turn };
            seal::seal(&key, place, &left, entropy)
        };
        let row = TurnRow { turn: turn.meta.id, position: None, sealed, drops: None };
        Ok(Entry { scope: scope.clone(), key: Some(key), turn: Some(row), marks: Vec::new(), record })
    }

    /// A request to forget as the turn that says so.
    pub(crate) fn request(&self, token: &Token, submitted: SubmittedTurn) -> Result<(Scope, Turn), Refused> {
        let said = |text: &str| !text.trim().is_empty() && text.len() <= limits::FORGET_BYTES;
        if !submitted.messages.iter().all(|message| said(&message.text)) {
            return Err(Refusal::Request.into());
        }
        let (scope, mut turn) = self.accept(token, submitted)?;
        turn.body.request = true;
        Ok((scope, turn))
    }

    /// Publishes a turn that was accepted.
    pub(crate) fn publish(&self, scope: &Scope, turn: &Turn) -> Result<Receipt, Fault> {
        let published = self.ports.head.publish(vec![self.entry(scope, turn)?])?;
        let short = || Fault::retry(Code::StoreUnavailable, "published a turn: no answer came");
        published.into_iter().next().map(|published| receipt(turn, published)).ok_or_else(short)
    }

    /// Has a memory forgotten, by its id or any of its observations'. `None`: the space has no such memory. Its marks
    /// bind at once; the position says when the clean-up is through.
    pub fn forget(&self, scope: &Scope, memory: MemoryId) -> Result<Option<Position>, Fault> {
        let (rows, observations) = forget::observations(&self.ports, scope, self.generation)?;
        let at_ms = self.ports.clock.now_ms();
        let target = forget::Target { memories: &[memory], at_ms };
        let ids = self.ports.names.ids(scope);
        let marks = forget::marks(&observations, &rows, &self.rules, &target, &ids);
        if marks.is_empty() {
            return Ok(None);
        }
        let command = Command::Forget { memories: vec![memory], at_ms };
        self.command(scope, &command, memory.as_bytes(), at_ms, marks).map(Some)
    }

    /// Ends a session: its tasks count less from then on.
    pub fn end_session(&self, scope: &Scope, session: &str) -> Result<Position, Fault> {
        let at_ms = self.ports.clock.now_ms();
        let session = self.ports.names.ids(scope).session(session);
        let command = Command::EndSession { session, at_ms };
        self.command(scope, &command, session.as_bytes(), at_ms, Vec::new())
    }

    /// Publishes a stored turn again, at a new position: after what set it aside was mended. `None`: there is no such
    /// turn, or its words are not kept. What it says is not counted twice.
    pub fn redrive(&self, scope: &Scope, turn: TurnId) -> Result<Option<Position>, Fault> {
        let Some(row) = self.ports.store.turn(scope, turn)? else {
            return Ok(None);
        };
        let (tenant, space) = scope.key();
        let stored = SpaceTurns { tenant, space, turns: vec![row.clone()] };
        let opened = record::open_turns(&stored, self.ports.keys.as_ref())?;
        if !opened.is_some_and(|(_, turns)| turns.iter().any(Turn::has_words)) {
            return Ok(None);
        }
        let record = Record::from_parts(RecordParts {
            tenant,
            space,
            id: *turn.as_bytes(),
            generation: Generation::ALL,
            position: None,
            accepted_ms: self.ports.clock.now_ms(),
            field: Field::Turn,
            sealed: row.sealed,
        });
        let entry = Entry { scope: scope.clone(), key: None, turn: None, marks: Vec::new(), record };
        self.publish_one(entry).map(Some)
    }

    fn publish_one(&self, entry: Entry) -> Result<Position, Fault> {
        let published = self.ports.head.publish(vec![entry])?;
        let position = published.first().map(|published| published.position);
        position.ok_or_else(|| Fault::retry(Code::StoreUnavailable, "published a record: no answer came"))
    }

    /// Publishes a command, with marks that bind at once. `about` and `at_ms` make its id.
    pub(crate) fn command(
        &self,
        scope: &Scope,
        command: &Command,
        about: &[u8],
        at_ms: i64,
        marks: Vec<saidso_core::marks::Mark>,
    ) -> Result<Position, Fault> {
        let key = self.ports.keys.space_key(scope)?;
        let id = self.ports.names.ids(scope).command(at_ms, about);
        let head = RecordHead { id: *id.as_bytes(), generation: Generation::ALL, position: None, accepted_ms: at_ms };
        let record = Record::seal(scope, head, Field::Command, &key, command, self.ports.entropy.as_ref());
        let entry = Entry { scope: scope.clone(), key: None, turn: None, marks, record };
        self.publish_one(entry)
    }
}

/// Which of so many lanes a space has.
fn lane(space: &str, lanes: usize) -> usize {
    let mut hasher = DefaultHasher::new();
    space.hash(&mut hasher);
    (hasher.finish() % lanes as u64) as usize
}

fn receipt(turn: &Turn, Published { position, known }: Published) -> Receipt {
    Receipt { turn: turn.meta.id, messages: turn.meta.messages.clone(), position, known }
}
