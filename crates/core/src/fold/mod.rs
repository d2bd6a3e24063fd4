//! The fold: what a set of observations comes to. Duplicates merge, a new value supersedes the old one, history stays.
//!
//! It takes observations in the order in which things were said (time, index in the turn, message, span), whatever
//! the order in which they arrived, so late, repeated and shuffled turns end in the same memories by construction.

mod agree;
mod index;
mod memory;
mod rules;

use std::collections::HashMap;

pub use memory::{Folded, Memory, Mention, Status};
pub use rules::Rules;

use crate::{
    fold::agree::Statement,
    ids::{MemoryId, ObservationId, SessionId},
    item::Kind,
    observation::Observation,
};

/// Counts changes of the rules in this module. Part of what a generation pins.
pub const VERSION: u32 = 2;

/// Events told within this many milliseconds of each other may be one event (a day).
const SAME_EVENT_MS: u64 = 24 * 60 * 60 * 1000;

/// Folds the observations of one space. `ended` are the sessions that are over; their tasks are marked.
///
/// Pure: equal sets of observations give equal memories, whatever their order and however often each is repeated.
pub fn fold(observations: &[Observation], ended: &[(SessionId, i64)], rules: &Rules) -> Folded {
    let mut order: Vec<&Observation> = observations.iter().collect();
    order.sort_by_key(|observation| key(observation));
    order.dedup_by_key(|observation| observation.id);

    let mut state = State { drafts: Vec::new(), of: HashMap::new(), index: index::Index::default(), rules };
    let mut echoes = Vec::new();
    let mut said: HashMap<_, ObservationId> = HashMap::new();
    for observation in order {
        // A message sent again in another turn says nothing twice.
        let body = &observation.body;
        let words = (body.message, body.item.evidence.span, body.item.kind, &body.item.text);
        if let Some(first) = said.get(&words) {
            if let Some(memory) = state.of.get(first).copied() {
                state.of.insert(observation.id, memory);
            }
            continue;
        }
        said.insert(words, observation.id);
        if body.item.kind == Kind::Confirmation {
            continue;
        }
        let statement = Statement::of(observation);
        if let Some(echoed) = state.echoed(&statement) {
            state.of.insert(observation.id, echoed);
            echoes.push(observation.id);
        } else {
            let same = state.same(&statement);
            // A change back to a value that stands beside others ends those too.
            state.supersede(&statement, same);
            match same {
                Some(same) => state.merge(same, statement),
                None => state.begin(statement),
            }
        }
    }
    let mut memories: Vec<Memory> = state.drafts.into_iter().map(|draft| draft.finish(ended)).collect();
    let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
    for memory in &mut memories {
        memory.superseded_by = memory.superseded_by_index.map(|index| ids[index]);
    }
    let aliases = state.of.into_iter().map(|(observation, index)| (observation, ids[index])).collect();
    Folded { memories, aliases, echoes }
}

/// When something was said, to the span: the order of the fold.
fn key(observation: &Observation) -> impl Ord + use<> {
    let body = &observation.body;
    let evidence = &body.item.evidence;
    (body.at.ms(), evidence.message, body.message, evidence.span, observation.id)
}

/// A memory in the making.
struct Draft<'a> {
    observations: Vec<&'a Observation>,
    newest: Statement<'a>,
    superseded: Option<(usize, &'a Observation)>,
}

impl Draft<'_> {
    fn finish(self, ended: &[(SessionId, i64)]) -> Memory {
        let superseded = self.superseded.map(|(by, at)| (by, at.body.at.clone()));
        memory::finish(&self.observations, superseded, ended)
    }
}

struct State<'a> {
    drafts: Vec<Draft<'a>>,
    /// Which draft an observation went into.
    of: HashMap<ObservationId, usize>,
    index: index::Index,
    rules: &'a Rules,
}

impl<'a> State<'a> {
    /// The memory that was recalled for the turn and is said back by it (requirements B9).
    fn echoed(&self, statement: &Statement<'a>) -> Option<usize> {
        let recalled = statement.observation.body.recalled.iter().filter_map(|id| self.of.get(id).copied());
        let mut recalled: Vec<usize> = recalled.filter(|index| self.drafts[*index].superseded.is_none()).collect();
        recalled.sort_unstable();
        recalled.into_iter().find(|index| statement.says_back(&self.drafts[*index].newest))
    }

    /// The standing memory that says the same; of several, the nearest, then the oldest.
    fn same(&self, statement: &Statement<'a>) -> Option<usize> {
        let mut best: Option<(i32, usize)> = None;
        for index in self.index.candidates(statement) {
            let draft = &self.drafts[index];
            if self.may_join(draft, statement)
                && let Some(nearness) = statement.same(&draft.newest, &self.rules.calibration)
                && best.is_none_or(|(found, _)| nearness > found)
            {
                best = Some((nearness, index));
            }
        }
        best.map(|(_, index)| index)
    }

    /// What a kind asks for besides saying the same.
    fn may_join(&self, draft: &Draft<'a>, statement: &Statement<'a>) -> bool {
        let (old, new) = (&draft.newest.observation.body, &statement.observation.body);
        match statement.item().kind {
            Kind::Event => new.at.ms().abs_diff(old.at.ms()) <= SAME_EVENT_MS,
            Kind::Task => new.session == old.session,
            Kind::Fact | Kind::Topic | Kind::Instruction | Kind::Confirmation => true,
        }
    }

    fn merge(&mut self, index: usize, statement: Statement<'a>) {
        self.of.insert(statement.observation.id, index);
        self.index.add(&statement, index);
        self.drafts[index].observations.push(statement.observation);
        self.drafts[index].newest = statement;
    }

    /// Ends what the statement changes: it will go into `same`, or be the next draft.
    fn supersede(&mut self, statement: &Statement<'a>, same: Option<usize>) {
        let by = same.unwrap_or(self.drafts.len());
        for index in self.index.replaceable(statement) {
            if index != by && statement.replaces(&self.drafts[index].newest) {
                self.drafts[index].superseded = Some((by, statement.observation));
                self.index.remove(index);
            }
        }
    }

    fn begin(&mut self, statement: Statement<'a>) {
        let index = self.drafts.len();
        self.of.insert(statement.observation.id, index);
        self.index.add(&statement, index);
        self.drafts.push(Draft { observations: vec![statement.observation], newest: statement, superseded: None });
    }
}
