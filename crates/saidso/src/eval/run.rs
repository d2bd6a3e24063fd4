//! One set through the product: published, waited for, asked.

use std::{
    collections::{BTreeMap, HashSet},
    time::Instant,
};

use indicatif::{ProgressBar, ProgressStyle};
use saidso_core::{position::Position, time::Moment};

use super::{
    journal::{Answer, Journal, Published},
    score::{DEPTHS, TOP, tokens},
    set::{Customer, Question, Said, Set, digest},
};
use crate::{
    cli::{Target, send},
    failure::Failure,
    wire::{Line, LineAnswer, Message, Recall, Recalled, Role, Turn},
};

/// Turns sent at once, and bytes after which a batch is full.
const BATCH_TURNS: usize = 256;
const BATCH_BYTES: usize = 1024 * 1024;
/// Of so many turns of a space one is published by itself, at the end, to time when it is visible; of one space at most
/// so many.
const ONE_BY_ITSELF_IN: usize = 10;
const BY_THEMSELVES_MAX: usize = 10;

/// What a set's run takes.
pub struct Run<'a> {
    /// Whom to ask.
    pub target: &'a Target,
    /// What was done before, and is done now.
    pub journal: &'a mut Journal,
    /// What to publish and ask.
    pub set: &'a Set,
}

/// The name a question has in the journal: what is asked, and in which spaces.
pub fn key(set: &Set, question: &Question) -> String {
    let spaces: Vec<&str> = question.customers.iter().map(|at| set.customers[*at].space.as_str()).collect();
    digest(&serde_json::to_vec(&(spaces, &question.text)).unwrap_or_default())
}

impl Run<'_> {
    /// Does what the journal does not know of.
    pub fn run(mut self) -> Result<(), Failure> {
        let set = self.set;
        let turns = set.customers.iter().map(|customer| customer.said.len()).sum();
        let progress = bar(&set.name, "turns published", turns);
        for customer in &set.customers {
            if self.journal.published(&customer.space).is_none() {
                let published = self.publish(customer, &progress)?;
                self.journal.publish(&customer.space, published)?;
            } else {
                progress.inc(customer.said.len() as u64);
            }
        }
        progress.finish_and_clear();
        let progress = bar(&set.name, "questions asked", set.questions.len());
        for question in &set.questions {
            let key = key(set, question);
            if self.journal.answered(&key).is_none() {
                let answer = self.ask(question)?;
                self.journal.answer(&key, answer)?;
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(())
    }

    fn publish(&mut self, customer: &Customer, progress: &ProgressBar) -> Result<Published, Failure> {
        let turns = customer.said.len();
        let (mut published, mut last) = (Published { turns, ..Published::default() }, None);
        let alone = (turns / ONE_BY_ITSELF_IN).min(BY_THEMSELVES_MAX);
        let (together, alone) = customer.said.split_at(turns - alone);
        let mut batch = Vec::new();
        for (at, said) in together.iter().enumerate() {
            batch.extend(line(&customer.space, said));
            if (at + 1) % BATCH_TURNS == 0 || batch.len() >= BATCH_BYTES {
                self.send(std::mem::take(&mut batch), &mut published, &mut last)?;
            }
            progress.inc(1);
        }
        self.send(batch, &mut published, &mut last)?;
        if let Some(position) = last {
            self.target.settle(&customer.space, position)?;
        }
        for said in alone {
            let (started, mut own) = (Instant::now(), None);
            let new = self.send(line(&customer.space, said), &mut published, &mut own)?;
            if let Some(position) = own {
                self.target.settle(&customer.space, position)?;
                // A turn that was known was visible before.
                published.visible_ms.extend(new.then(|| milliseconds(started)));
            }
            progress.inc(1);
        }
        self.look(customer, &mut published)?;
        Ok(published)
    }

    /// Sends lines; notes the last position and what was refused. Whether all were new.
    fn send(&self, lines: Vec<u8>, published: &mut Published, last: &mut Option<Position>) -> Result<bool, Failure> {
        let mut new = true;
        if lines.is_empty() {
            return Ok(new);
        }
        for LineAnswer { outcome, .. } in send(self.target, lines)? {
            match outcome {
                Line::Published(answer) => {
                    new &= !answer.known;
                    *last = (*last).max(answer.position.parse().ok());
                }
                Line::Refused(_) => published.refused += 1,
            }
        }
        Ok(new)
    }

    /// What the space remembers, and what was dropped.
    fn look(&self, customer: &Customer, published: &mut Published) -> Result<(), Failure> {
        let memories = self.target.memories(&customer.space, true)?.memories;
        published.memories = memories.len();
        // By their ids: those who say the same have the same name.
        let quoted = memories.iter().flat_map(|memory| &memory.evidence).map(|mention| mention.turn.as_str());
        published.telling = quoted.collect::<HashSet<_>>().len();
        let mut drops: BTreeMap<String, usize> = BTreeMap::new();
        for drop in self.target.drops(&customer.space)?.turns.into_iter().flat_map(|turn| turn.drops) {
            *drops.entry(drop.reason).or_default() += 1;
        }
        published.drops = drops;
        Ok(())
    }

    /// Asks each space; their results take turns, the best of each first.
    fn ask(&self, question: &Question) -> Result<Answer, Failure> {
        let mut answer = Answer::default();
        let mut lists = Vec::new();
        for at in &question.customers {
            let customer = &self.set.customers[*at];
            let limit = Some(DEPTHS[DEPTHS.len() - 1]);
            let ask = Recall {
                space: customer.space.clone(),
                query: question.text.clone(),
                customer: (!customer.name.is_empty()).then(|| customer.name.clone()),
                limit,
                ..Recall::default()
            };
            let started = Instant::now();
            let found = self.target.recall(ask)?.memories;
            answer.recall_ms.push(milliseconds(started));
            lists.push(found.into_iter().map(|result| (quoted(&result, customer), result.text)));
        }
        let mut results = Vec::new();
        while !lists.is_empty() {
            lists.retain_mut(|list| list.next().map(|result| results.push(result)).is_some());
        }
        answer.foreign = results.iter().filter(|(quoted, _)| quoted.is_none()).count();
        answer.tokens = results.iter().take(TOP).map(|(_, text)| tokens(text)).sum();
        answer.results = results.into_iter().map(|(quoted, _)| quoted.unwrap_or_default()).collect();
        answer.results.truncate(DEPTHS[DEPTHS.len() - 1]);
        Ok(answer)
    }
}

/// The customer's messages that a result quotes; `None` if it quotes another.
fn quoted(result: &Recalled, customer: &Customer) -> Option<Vec<String>> {
    let evidence = result.memory.iter().flat_map(|facts| &facts.evidence);
    let mut turns: Vec<&str> =
        evidence.map(|mention| mention.turn_name.as_ref().unwrap_or(&mention.turn).as_str()).collect();
    turns.push(&result.turn);
    turns.sort_unstable();
    turns.dedup();
    let own = turns.iter().all(|turn| customer.has(turn));
    own.then(|| turns.into_iter().map(str::to_owned).collect())
}

/// A turn as a gateway sends it; its name is the id of the message in the file.
fn line(space: &str, said: &Said) -> Vec<u8> {
    let message = |role, text: &String| Message { role, text: text.clone(), id: None };
    let question = said.question.iter().map(|text| message(Role::Agent, text));
    let turn = Turn {
        tenant: None,
        space: space.to_owned(),
        session: said.session.clone(),
        turn: Some(said.doc.clone()),
        occurred_at: Moment::at(said.at_ms, None).map(|moment| moment.to_string()).unwrap_or_default(),
        zone: None,
        messages: question.chain([message(Role::Customer, &said.text)]).collect(),
        recalled: Vec::new(),
        attachments: Vec::new(),
    };
    let mut line = serde_json::to_vec(&turn).unwrap_or_default();
    line.push(b'\n');
    line
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}

/// On stderr; not there if that is no terminal.
fn bar(set: &str, what: &str, length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    match ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {msg} {eta}") {
        Ok(style) => bar.with_style(style).with_prefix(set.to_owned()).with_message(what.to_owned()),
        Err(_) => bar,
    }
}
