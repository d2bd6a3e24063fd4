//! What can be asked of the house, in the terms of the wire. HTTP, the commands and the demo all come through here.

use saidso_core::{
    access::{self, Request, Token},
    ids::TurnId,
    limits, record,
    scope::Scope,
    time::Moment,
    turn::Refusal,
};
use saidso_recall::{AsOf, Question};

use super::House;
use crate::{
    json,
    problem::Problem,
    wire::{
        Accepted, DeadLetter, DeadLetters, Drops, Line, LineAnswer, Memories, Memory, Place, Preload, Published,
        Recall, Recollection, Turn, TurnDrops,
    },
};

/// A question that was let in.
pub struct Asked {
    scope: Scope,
    question: Question,
    /// Its answer is wanted in sentences, too.
    synthesize: bool,
}

impl House {
    /// Lets a caller into a space.
    pub fn scope(&self, token: &Token, tenant: Option<&str>, space: &str) -> Result<Scope, Problem> {
        Ok(access::admit(&self.ports.names, token, Request { tenant, space })?)
    }

    /// Publishes a turn; on return it is durable.
    pub fn publish(&self, token: &Token, turn: Turn) -> Result<Published, Problem> {
        let mut results = self.intake.submit(token, vec![turn.into()]);
        match results.pop() {
            Some(result) => self.noting(result.map(Published::from)),
            None => Err(Problem::Defect),
        }
    }

    /// Publishes JSON Lines: one answer for each line that is not empty, in order.
    pub fn publish_lines(&self, token: &Token, bytes: &[u8]) -> Vec<LineAnswer> {
        let lines = json::unmarked(bytes).split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).enumerate();
        let (mut turns, mut open, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
            match json::parse::<Turn>(line) {
                Ok(turn) => {
                    turns.push(turn.into());
                    open.push(index + 1);
                }
                Err(problem) => answers.push(LineAnswer { line: index + 1, outcome: Line::Refused(problem.body()) }),
            }
        }
        let mut logged = false;
        for (line, result) in open.into_iter().zip(self.intake.submit(token, turns)) {
            let outcome = match self.noting(result) {
                Ok(receipt) => Line::Published(receipt.into()),
                Err(problem) => {
                    // A fault that hits one line mostly hits all that follow.
                    if !logged {
                        problem.log();
                    }
                    logged |= matches!(problem, Problem::Fault(_));
                    Line::Refused(problem.body())
                }
            };
            answers.push(LineAnswer { line, outcome });
        }
        answers.sort_by_key(|answer| answer.line);
        answers
    }

    /// Answers a question.
    pub fn recall(&self, token: &Token, ask: Recall) -> Result<Recollection, Problem> {
        let asked = self.asked(token, ask)?;
        self.answer(&asked)
    }

    /// What is at hand before a question is answered; nothing of an answer as of some other time.
    pub fn hot(&self, Asked { scope, question, .. }: &Asked) -> Result<Option<Preload>, Problem> {
        if question.as_of.is_some() {
            return Ok(None);
        }
        let hot = self.noting(self.recall_here()?.hot(scope, question.session.as_deref()))?;
        Ok(Some(hot.into()))
    }

    /// Answers a question that was let in.
    pub fn answer(&self, Asked { scope, question, synthesize }: &Asked) -> Result<Recollection, Problem> {
        let answer = self.noting(self.recall_here()?.answer(scope, question).map(Recollection::from))?;
        Ok(match synthesize {
            true => self.in_sentences(&question.query, answer),
            false => answer,
        })
    }

    /// Lets a question in, if every part of it is well formed.
    pub fn asked(&self, token: &Token, ask: Recall) -> Result<Asked, Problem> {
        let scope = self.scope(token, ask.tenant.as_deref(), &ask.space)?;
        let position = |text: &str, field| text.parse().map_err(|_| Problem::Position(field));
        let min_position = ask.min_position.as_deref().map(|text| position(text, "min_position")).transpose()?;
        let as_of = match (ask.as_of.as_deref(), ask.as_of_position.as_deref()) {
            (None, None) => None,
            (Some(time), None) => Some(AsOf::Time(Moment::parse(time, None).map_err(|_| Problem::AsOf)?.ms())),
            (None, Some(text)) => Some(AsOf::Position(position(text, "as_of_position")?)),
            (Some(_), Some(_)) => return Err(Problem::AsOf),
        };
        let Recall { query, customer, session, limit, history, filter, must_contain, synthesize, .. } = ask;
        session.as_deref().map(|session| named(session, "session")).transpose()?;
        let filter = filter.unwrap_or_default().try_into()?;
        let rules = must_contain.into_iter().map(Into::into).collect();
        let question = Question { query, customer, session, limit, min_position, history, as_of, filter, rules };
        question.check()?;
        Ok(Asked { scope, question, synthesize })
    }

    /// The memories of a space, current or all.
    pub fn memories(&self, scope: &Scope, history: bool) -> Result<Memories, Problem> {
        let memories = self.noting(self.recall_here()?.memories(scope, history))?;
        Ok(Memories { memories: memories.iter().map(Memory::from).collect() })
    }

    /// One memory, by its id or any of its observations'.
    pub fn memory(&self, scope: &Scope, id: &str) -> Result<Memory, Problem> {
        // What is no id at all is as unknown as one that nothing has.
        let id = id.parse().map_err(|_| Problem::NoSuchMemory)?;
        let memory = self.noting(self.recall_here()?.memory(scope, id))?;
        memory.as_ref().map(Memory::from).ok_or(Problem::NoSuchMemory)
    }

    /// What the turns of a space had to drop.
    pub fn drops(&self, scope: &Scope) -> Result<Drops, Problem> {
        let turns = self.noting(self.recall_here()?.drops(scope))?;
        Ok(Drops { turns: turns.iter().map(TurnDrops::from).collect() })
    }

    /// Forgets a memory.
    pub fn forget(&self, scope: &Scope, id: &str) -> Result<Accepted, Problem> {
        let id = id.parse().map_err(|_| Problem::NoSuchMemory)?;
        let position = self.forget_memory(scope, id)?.ok_or(Problem::NoSuchMemory)?;
        Ok(Accepted { position: position.to_string() })
    }

    /// The newest of what was set aside: the tenant's, and what nobody could read.
    pub fn dead_letters(&self, token: &Token) -> Result<DeadLetters, Problem> {
        let letters = self.noting(self.ports.dead.list(limits::DEAD_LETTERS))?;
        let tenant = self.ports.names.tenant(token.tenant());
        let own = |letter: &&record::DeadLetter| letter.about.is_none_or(|about| about.tenant == tenant);
        Ok(DeadLetters { dead_letters: letters.iter().filter(own).map(DeadLetter::from).collect() })
    }

    /// Drives a turn that was set aside through the stages again.
    pub fn redrive(&self, token: &Token, place: &Place) -> Result<Accepted, Problem> {
        let letters = self.noting(self.ports.dead.list(limits::DEAD_LETTERS))?;
        let found = letters.iter().find(|letter| Place::from(*letter) == *place);
        let about = found.and_then(|letter| letter.about).ok_or(Problem::NoSuchDeadLetter)?;
        // Another tenant's is as unknown as one that never was.
        let scope = access::admit_to(&self.ports.names, token, &about).map_err(|_| Problem::NoSuchDeadLetter)?;
        let position = self.noting(self.intake.redrive(&scope, TurnId::from_bytes(about.id)))?;
        let position = position.ok_or(Problem::NoSuchDeadLetter)?;
        Ok(Accepted { position: position.to_string() })
    }

    /// Ends a session.
    pub fn end_session(&self, scope: &Scope, session: &str) -> Result<Accepted, Problem> {
        named(session, "session")?;
        let position = self.noting(self.intake.end_session(scope, session))?;
        Ok(Accepted { position: position.to_string() })
    }
}

/// Whether a name is one that a turn may have, too.
pub(super) fn named(name: &str, what: &'static str) -> Result<(), Problem> {
    match name.len() {
        1..=limits::NAME_BYTES => Ok(()),
        _ => Err(Refusal::Name(what).into()),
    }
}
