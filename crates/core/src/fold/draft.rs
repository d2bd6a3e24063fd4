//! Memories in the making, and how they stand to each other.

use std::{collections::BTreeSet, rc::Rc};

use super::{agree::Statement, memory};
use crate::{
    fold::{Memory, Status},
    ids::{MemoryId, SessionId},
    item::Unit,
    observation::Observation,
    time::Moment,
};

/// A memory in the making.
pub(super) struct Draft<'a> {
    /// There is at least one.
    pub mentions: Vec<&'a Observation>,
    pub newest: Rc<Statement<'a>>,
    /// When it was last confirmed without being said again.
    pub verified: Option<&'a Moment>,
    pub ended: Option<Ended<'a>>,
    /// What it is in conflict with. Both ways, and only among what stands.
    pub rivals: BTreeSet<usize>,
    /// Other values that the customer let stand beside it. Both ways.
    pub allies: BTreeSet<usize>,
}

/// How a memory became history.
pub(super) struct Ended<'a> {
    /// What took its place, if anything did.
    pub by: Option<usize>,
    pub at: &'a Moment,
    pub how: Ending,
}

/// How a value gives way to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The customer said that it changed.
    Superseded,
    /// Another was said so much later that nobody needs to ask.
    Archived,
}

impl Draft<'_> {
    /// When it was last said or confirmed.
    pub fn last(&self) -> &Moment {
        let said = &self.newest.observation.body.at;
        self.verified.filter(|verified| verified.ms() > said.ms()).unwrap_or(said)
    }

    pub fn status(&self) -> Status {
        match &self.ended {
            Some(Ended { how: Ending::Superseded, .. }) => Status::Superseded,
            Some(Ended { how: Ending::Archived, .. }) => Status::Archived,
            None if self.rivals.is_empty() => Status::Active,
            None => Status::PendingConfirm,
        }
    }
}

/// All of them, by when they began.
#[derive(Default)]
pub(super) struct Drafts<'a>(Vec<Draft<'a>>);

impl<'a> Drafts<'a> {
    /// Puts a statement where the same was said, or begins a draft. Gives its place.
    pub fn put(&mut self, statement: &Rc<Statement<'a>>, same: Option<usize>) -> usize {
        let place = same.unwrap_or(self.0.len());
        match self.0.get_mut(place) {
            Some(draft) => {
                draft.mentions.push(statement.observation);
                draft.newest = statement.clone();
            }
            None => self.0.push(Draft {
                mentions: vec![statement.observation],
                newest: statement.clone(),
                verified: None,
                ended: None,
                rivals: BTreeSet::new(),
                allies: BTreeSet::new(),
            }),
        }
        place
    }

    pub fn at(&self, place: usize) -> &Draft<'a> {
        &self.0[place]
    }

    pub fn newest(&self, place: usize) -> &Statement<'a> {
        &self.0[place].newest
    }

    pub fn stands(&self, place: usize) -> bool {
        self.0[place].ended.is_none()
    }

    pub fn contested(&self, place: usize) -> bool {
        !self.0[place].rivals.is_empty()
    }

    pub fn all_contested(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|place| self.contested(*place)).collect()
    }

    pub fn verify(&mut self, place: usize, at: &'a Moment) {
        self.0[place].verified = Some(at);
    }

    /// It is open which of the two holds.
    pub fn contest(&mut self, a: usize, b: usize) {
        self.0[a].rivals.insert(b);
        self.0[b].rivals.insert(a);
    }

    /// Both hold.
    pub fn ally(&mut self, a: usize, b: usize) {
        self.0[a].rivals.remove(&b);
        self.0[b].rivals.remove(&a);
        self.0[a].allies.insert(b);
        self.0[b].allies.insert(a);
    }

    /// It stands no longer; nothing is in conflict with it any more.
    pub fn end(&mut self, place: usize, ended: Ended<'a>) {
        for rival in std::mem::take(&mut self.0[place].rivals) {
            self.0[rival].rivals.remove(&place);
        }
        self.0[place].ended = Some(ended);
    }

    /// The memories, in the same places. `contested`: the most that rivals are believed.
    pub fn finish(&self, ended: &[(SessionId, i64)], contested: Unit) -> Vec<Memory> {
        let ids: Vec<MemoryId> = self.0.iter().map(|draft| draft.mentions[0].id).collect();
        self.0.iter().map(|draft| memory::finish(draft, &ids, ended, contested)).collect()
    }
}
