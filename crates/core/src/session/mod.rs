//! Sessions: short-term state (requirements C1, C2). A session is a fold of its turns, as a memory is of its
//! observations: nothing of it is stored, so what is forgotten is gone from it, and a replay or another backend gives the
//! same. The price is that it reaches as far back as stored turns do.
//!
//! [`dialogues`] groups turns and finds when each session closed; [`Dialogue::session`] shows one at an instant. Pure:
//! equal sets of turns give equal sessions, whatever their order and however often each is repeated.

mod anchors;
mod announced;
mod clock;
mod entity;
mod figures;
mod summary;

use std::{cmp::Reverse, collections::HashMap};

pub use clock::{Closed, Rules, Timeline};
pub use entity::{Anchor, Entity, Withheld};

use crate::{
    fold::{Memory, Status},
    ids::{MemoryId, MessageId, SessionId, TurnId},
    item::Kind,
    limits, text,
    time::Moment,
    turn::Turn,
};

/// The turns of one session, and when it closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    /// The session.
    pub id: SessionId,
    /// Its name: the gateway's, or the customer's day.
    pub name: String,
    /// Its first turn.
    pub from: Moment,
    /// Its last turn.
    pub to: Moment,
    /// How many turns it has.
    pub count: u32,
    /// When it closed, and will.
    pub timeline: Timeline,
    /// Its newest turns, at most [`limits::SESSION_TURNS`], oldest first.
    turns: Vec<Turn>,
}

/// A session at an instant: what an agent needs of it instead of the dialogue.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// The session.
    pub id: SessionId,
    /// Its name.
    pub name: String,
    /// Its first turn.
    pub from: Moment,
    /// Its last turn.
    pub to: Moment,
    /// How many turns it has.
    pub turns: u32,
    /// When it closed, in milliseconds since 1970, and why; `None`: it is open.
    pub closed: Option<(i64, Closed)>,
    /// What was said in it, in the customer's words: at most [`limits::SESSION_SUMMARY`] words, or characters where it is
    /// Chinese. Renewed every two turns and when the session closes. Empty if nothing can be said.
    pub summary: String,
    /// What it is about, newest first: at most [`limits::SESSION_ANCHORS`].
    pub anchors: Vec<Anchor>,
    /// The newest of its tasks that is not over.
    pub task: Option<Remembered>,
    /// What waits for the customer's word.
    pub awaiting: Vec<Awaiting>,
}

/// A memory as a session names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Its id.
    pub id: MemoryId,
    /// Its newest wording.
    pub text: String,
}

/// What waits for the customer's word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Awaiting {
    /// A memory said or recalled in the session that another contradicts.
    Memory(Remembered),
    /// The agent's question that the newest turn begins with and does not answer. The agent's words.
    Question(String),
}

/// One message of the customer.
struct Said<'a> {
    turn: u32,
    at: &'a Moment,
    message: MessageId,
    text: &'a str,
}

/// The newest sessions of turns, at most so many, the one with the newest turn first. `ended` are those that were ended,
/// and when.
pub fn dialogues(turns: Vec<Turn>, ended: &[(SessionId, i64)], rules: &Rules, most: usize) -> Vec<Dialogue> {
    let mut of: HashMap<SessionId, Vec<Turn>> = HashMap::new();
    for turn in turns {
        // What came by the door for forgetting is no conversation.
        if !turn.body.request {
            of.entry(turn.meta.session).or_default().push(turn);
        }
    }
    let newest = |turns: &[Turn]| turns.iter().map(|turn| turn.meta.at.ms()).max();
    let mut sessions: Vec<(Option<i64>, SessionId, Vec<Turn>)> =
        of.into_iter().map(|(id, turns)| (newest(&turns), id, turns)).collect();
    sessions.sort_by_key(|(newest, id, _)| (Reverse(*newest), *id));
    sessions.into_iter().take(most).filter_map(|(.., turns)| Dialogue::new(turns, ended, rules)).collect()
}

impl Dialogue {
    /// Of a session's turns; `None` of none.
    fn new(mut turns: Vec<Turn>, ended: &[(SessionId, i64)], rules: &Rules) -> Option<Self> {
        turns.sort_by_key(place);
        turns.dedup_by_key(|turn| turn.meta.id);
        let (first, last) = (turns.first()?.meta.clone(), turns.last()?.meta.clone());
        let end = ended.iter().filter(|(id, _)| *id == first.session).map(|(_, at_ms)| *at_ms).max();
        Some(Self {
            id: first.session,
            name: first.session_name,
            from: first.at,
            to: last.at,
            count: u32::try_from(turns.len()).unwrap_or(u32::MAX),
            timeline: Timeline::of(&turns, end, rules),
            turns: turns.split_off(turns.len().saturating_sub(limits::SESSION_TURNS)),
        })
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        let messages = self.turns.iter().flat_map(|turn| &turn.body.messages);
        let turn = size_of::<Turn>() + 192;
        size_of::<Self>() + self.turns.len() * turn + messages.map(|message| message.text.len() + 40).sum::<usize>()
    }

    /// The session at an instant. `memories` are the space's; `memory_of` gives one by the id of any of its observations.
    pub fn session<'m>(
        &self,
        now_ms: i64,
        memories: &'m [Memory],
        memory_of: impl Fn(MemoryId) -> Option<&'m Memory>,
    ) -> Session {
        let closed = self.timeline.closed(now_ms);
        // Of an open session the summary is of whole pairs of turns.
        let waiting = usize::from(closed.is_none() && self.count % 2 == 1);
        let said: Vec<Said<'_>> = self.said();
        let settled = u32::try_from(self.turns.len() - waiting).unwrap_or(u32::MAX);
        let rolled: Vec<&Said<'_>> = said.iter().filter(|said| said.turn < settled).collect();
        Session {
            id: self.id,
            name: self.name.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            turns: self.count,
            closed,
            summary: summary::summary(&rolled),
            anchors: anchors::anchors(&said),
            task: self.task(now_ms, memories),
            awaiting: self.awaiting(memories, memory_of),
        }
    }

    /// The newest messages, oldest first, as far as [`limits::SESSION_BYTES`] go.
    fn said(&self) -> Vec<Said<'_>> {
        let mut left = limits::SESSION_BYTES;
        let mut said = Vec::new();
        for (turn, Turn { meta, body, .. }) in (0..).zip(&self.turns).collect::<Vec<_>>().into_iter().rev() {
            for (message, id) in body.messages.iter().zip(&meta.messages).rev() {
                let text = &message.text[..message.text.floor_char_boundary(left)];
                left -= text.len();
                said.push(Said { turn, at: &meta.at, message: *id, text });
            }
        }
        said.reverse();
        said
    }

    fn task(&self, now_ms: i64, memories: &[Memory]) -> Option<Remembered> {
        let open = |memory: &&Memory| {
            memory.kind == Kind::Task
                && memory.session == self.id
                && memory.status == Status::Active
                && !memory.ended
                && !self.timeline.over(memory.last.ms(), now_ms)
        };
        memories.iter().filter(open).max_by_key(|memory| (memory.last.ms(), memory.id)).map(Remembered::of)
    }

    fn awaiting<'m>(
        &self,
        memories: &'m [Memory],
        memory_of: impl Fn(MemoryId) -> Option<&'m Memory>,
    ) -> Vec<Awaiting> {
        let own = |turn: TurnId| self.turns.iter().any(|own| own.meta.id == turn);
        let contested = |memory: &&Memory| memory.status == Status::PendingConfirm;
        let said = memories.iter().filter(contested).filter(|memory| memory.evidence.iter().any(|said| own(said.turn)));
        let recalled = self.turns.iter().flat_map(|turn| &turn.meta.recalled).filter_map(|id| memory_of(*id));
        let mut open: Vec<&Memory> = said.chain(recalled.filter(contested)).collect();
        open.sort_by_key(|memory| memory.id);
        open.dedup_by_key(|memory| memory.id);
        let question = self.turns.last().and_then(unanswered).map(|question| Awaiting::Question(question.to_owned()));
        open.into_iter().map(Remembered::of).map(Awaiting::Memory).chain(question).collect()
    }
}

/// Where a turn stands among those of its session.
fn place(turn: &Turn) -> impl Ord + use<> {
    (turn.meta.at.ms(), turn.meta.id)
}

/// The question of the agent that a turn begins with, if the customer only asks back or says nothing.
fn unanswered(turn: &Turn) -> Option<&str> {
    let messages = turn.body.messages.iter().map(|message| message.text.as_str());
    let mut sentences = messages.flat_map(|text| text::sentences(text).into_iter().filter_map(|span| span.of(text)));
    let asked = turn.body.question.as_deref().filter(|question| !question.trim().is_empty());
    asked.filter(|_| sentences.all(text::is_question))
}

impl Remembered {
    fn of(memory: &Memory) -> Self {
        Self { id: memory.id, text: memory.text.clone() }
    }
}
