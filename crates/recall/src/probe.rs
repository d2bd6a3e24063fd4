//! What an answer offers to ask about a conflict (requirements A10): once a session, and only with a result it is about.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use saidso_core::{
    decay::DAY_MS,
    fold::{Memory, Status},
    ids::{MemoryId, SessionId},
    probe,
};
use serde::Serialize;

use crate::{
    fitted,
    people::People,
    search::{Ask, Found, Item},
    space::Space,
};

/// Offers that are remembered per space. What is forgotten is perhaps offered once more.
const REMEMBERED: usize = 1_024;

/// A question for the customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Probe {
    /// One clause, in the customer's language.
    pub text: String,
    /// The memories it is about: to be named as recalled for the turn that answers it.
    pub memories: Vec<MemoryId>,
}

/// What was offered in a space: in which session, or for want of one on which day, about which memory.
#[derive(Default)]
pub(crate) struct Offered(Mutex<HashSet<(Option<SessionId>, i64, MemoryId)>>);

impl Offered {
    /// Whether it is the first time.
    fn first(&self, session: Option<SessionId>, now_ms: i64, memory: MemoryId) -> bool {
        let day = if session.is_some() { 0 } else { now_ms.div_euclid(DAY_MS) };
        let mut offered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if offered.len() >= REMEMBERED {
            offered.clear();
        }
        offered.insert((session, day, memory))
    }
}

/// The probe for the first result that is contested and answers the question, unless its session has had it: from an
/// answer, or from a turn that named one of the two as recalled after they came into conflict. What only came along
/// with a better answer, or is about somebody else than the question, is asked about another time.
pub(crate) fn offer(space: &Space, ask: &Ask<'_>, found: &[Found], offered: &Offered) -> Option<Probe> {
    let Ask { at, session, .. } = *ask;
    let people = ask.analysis.people;
    let best = found.iter().map(|found| found.evidence).fold(f32::NEG_INFINITY, f32::max);
    let answers = |found: &Found, index: u32| {
        let meant = people == People::NOBODY || space.people[index as usize].about.meet(people);
        meant && found.evidence >= best - fitted::ANSWERS_TOO
    };
    let contested = |found: &Found| match found.item {
        Item::Memory(index) if answers(found, index) => {
            (at.standing(space, index).status == Status::PendingConfirm).then_some(index)
        }
        _ => None,
    };
    let pair = |index: u32| {
        let memory = &space.memories[index as usize];
        let other = memory.contested_by.iter().find_map(|id| space.index(*id))?;
        (at.standing(space, other).status == Status::PendingConfirm).then_some((index, other))
    };
    let (one, other) = found.iter().filter_map(contested).find_map(pair)?;
    let (a, b) = (&space.memories[one as usize], &space.memories[other as usize]);
    let since_ms = a.last.ms().max(b.last.ms());
    let had = |session: SessionId| {
        let named = |index| space.surfaced_ms(index, session).is_some_and(|at_ms| at_ms > since_ms);
        named(one) || named(other)
    };
    // Whichever of the two is found: it is one question.
    let first = |a: &Memory, b: &Memory| offered.first(session, at.now_ms, a.id.min(b.id));
    if session.is_some_and(had) || !first(a, b) {
        return None;
    }
    Some(Probe { text: probe::probe(a, b, a.language), memories: vec![a.id, b.id] })
}
