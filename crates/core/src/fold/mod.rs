//! The fold: what a set of observations comes to. Duplicates merge, a change supersedes what it changes, contradictions
//! wait for the customer's word, history stays.
//!
//! It takes observations in the order in which things were said (time, index in the turn, message, span), whatever
//! the order in which they arrived, so late, repeated and shuffled turns end in the same memories by construction. Time
//! passes only from one observation to the next.

mod agree;
mod conflict;
mod draft;
mod index;
mod memory;
mod rules;
mod settle;

use std::{
    collections::{HashMap, hash_map::Entry},
    rc::Rc,
};

pub use memory::{Folded, Memory, Mention, Status};
pub use rules::Rules;

use crate::{
    fold::{agree::Statement, draft::Drafts},
    ids::{MessageId, ObservationId, SessionId},
    item::{Kind, Span},
    observation::Observation,
};

/// Counts changes of the rules in this module. Part of what a generation pins.
pub const VERSION: u32 = 5;

/// Events told within this many milliseconds of each other may be one event (a day).
const SAME_EVENT_MS: i64 = 24 * 60 * 60 * 1000;

/// Folds the observations of one space. `ended` are the sessions that are over; their tasks are marked.
///
/// Pure: equal sets of observations give equal memories, whatever their order and however often each is repeated.
pub fn fold(observations: &[Observation], ended: &[(SessionId, i64)], rules: &Rules) -> Folded {
    let mut order: Vec<&Observation> = observations.iter().collect();
    order.sort_by_key(|observation| key(observation));
    order.dedup_by_key(|observation| observation.id);

    let mut state = State {
        drafts: Drafts::default(),
        of: HashMap::new(),
        taken: HashMap::new(),
        echoes: Vec::new(),
        index: index::Index::default(),
        rules,
    };
    for message in order.chunk_by(|one, next| one.body.message == next.body.message) {
        state.hear(message);
    }
    let memories = state.drafts.finish(ended, rules.contested);
    let aliases = state.of.into_iter().map(|(observation, place)| (observation, memories[place].id)).collect();
    Folded { memories, aliases, echoes: state.echoes }
}

/// When something was said, to the span: the order of the fold.
fn key(observation: &Observation) -> impl Ord + use<> {
    let body = &observation.body;
    let evidence = &body.item.evidence;
    (body.at.ms(), evidence.message, body.message, evidence.span, observation.id)
}

/// What was said so far. A memory in the making is known by its place among the drafts.
struct State<'a> {
    drafts: Drafts<'a>,
    /// Where an observation went.
    of: HashMap<ObservationId, usize>,
    /// The observation that first said these words of a message.
    taken: HashMap<(MessageId, Span, Kind, &'a str), ObservationId>,
    echoes: Vec<ObservationId>,
    index: index::Index,
    rules: &'a Rules,
}

impl<'a> State<'a> {
    /// Takes what one message says, in its order.
    fn hear(&mut self, message: &[&'a Observation]) {
        let (mut said, mut again) = (Vec::new(), Vec::new());
        for observation in message {
            let body = &observation.body;
            let words = (body.message, body.item.evidence.span, body.item.kind, body.item.text.as_str());
            match self.taken.entry(words) {
                Entry::Vacant(place) => {
                    place.insert(observation.id);
                    said.push(Rc::new(Statement::of(observation)));
                }
                // A message sent again in another turn says nothing twice.
                Entry::Occupied(first) => again.push((observation.id, *first.get())),
            }
        }
        for (at, statement) in said.iter().enumerate() {
            match statement.item().kind {
                Kind::Confirmation => self.confirm(statement),
                _ => self.take(statement, &said[..at], &said[at + 1..]),
            }
        }
        for (observation, first) in again {
            if let Some(place) = self.of.get(&first).copied() {
                self.of.insert(observation, place);
            }
        }
    }

    /// Takes a statement, between the others of its message.
    fn take(&mut self, statement: &Rc<Statement<'a>>, before: &[Rc<Statement<'a>>], after: &[Rc<Statement<'a>>]) {
        let observation = statement.observation;
        let echoed = self.echoed(statement);
        let same = echoed.or_else(|| self.same(statement));
        let verdicts = self.verdicts(statement, same, echoed.is_some(), before, after);
        let place = match (echoed, same) {
            (Some(place), _) => {
                self.echoes.push(observation.id);
                place
            }
            (None, same) => {
                let place = self.drafts.put(statement, same);
                self.index.add(statement, place);
                place
            }
        };
        self.of.insert(observation.id, place);
        self.apply(place, verdicts, observation, echoed.is_some());
    }

    /// The memory that was recalled for the turn and is said back by it (requirements B9).
    fn echoed(&self, statement: &Statement<'a>) -> Option<usize> {
        let mut said_back = self.recalled(statement.observation);
        said_back.retain(|place| statement.says_back(self.drafts.newest(*place)));
        let same = said_back.iter().find(|place| statement.same_value(self.drafts.newest(**place)));
        same.or(said_back.first()).copied()
    }

    /// What was recalled for the turn and stands, oldest first.
    fn recalled(&self, observation: &Observation) -> Vec<usize> {
        let named = observation.body.recalled.iter().filter_map(|id| self.of.get(id).copied());
        let mut standing: Vec<usize> = named.filter(|place| self.drafts.stands(*place)).collect();
        standing.sort_unstable();
        standing.dedup();
        standing
    }

    /// The standing memory that says the same; of several, the nearest, then the oldest.
    fn same(&self, statement: &Statement<'a>) -> Option<usize> {
        let mut best: Option<(i32, usize)> = None;
        for place in self.index.candidates(statement) {
            let newest = self.drafts.newest(place);
            if may_join(newest.observation, statement.observation)
                && let Some(nearness) = statement.same(newest, &self.rules.calibration)
                && best.is_none_or(|(found, _)| nearness > found)
            {
                best = Some((nearness, place));
            }
        }
        best.map(|(_, place)| place)
    }
}

/// What a kind asks for besides saying the same.
fn may_join(old: &Observation, new: &Observation) -> bool {
    match new.body.item.kind {
        Kind::Event => agree::same_time(old, new, SAME_EVENT_MS),
        Kind::Task => new.body.session == old.body.session,
        Kind::Fact | Kind::Topic | Kind::Instruction | Kind::Confirmation => true,
    }
}
