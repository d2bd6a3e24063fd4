//! The gate: whoever has a slice waits here until the schedule names its lane, first come first.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use super::{Lane, Schedule, counts::Counts};

/// See the module.
pub(super) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    schedule: Schedule,
    lanes: [One; 3],
    arrived: u64,
}

/// One lane.
#[derive(Default)]
struct One {
    queue: VecDeque<u64>,
    ended: u64,
    counts: Counts,
}

/// The right to work on a slice, until it is dropped.
pub(super) struct Turn<'a> {
    gate: &'a Gate,
    lane: Lane,
}

impl Gate {
    pub fn new(schedule: Schedule) -> Self {
        let state = State { schedule, lanes: Default::default(), arrived: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits for the slice's turn.
    pub fn enter(&self, lane: Lane) -> Turn<'_> {
        let since = Instant::now();
        let mut state = self.lock();
        let ticket = state.arrived;
        state.arrived += 1;
        state.lanes[lane as usize].queue.push_back(ticket);
        state.schedule.arrive(lane);
        let ended = state.ended_after(lane);
        while !state.is_next(lane, ticket) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.schedule.start(lane);
        let behind = state.ended_after(lane) - ended;
        let one = &mut state.lanes[lane as usize];
        one.queue.pop_front();
        one.counts.started(since.elapsed(), behind);
        drop(state);
        // There may be room for one more.
        self.changed.notify_all();
        Turn { gate: self, lane }
    }

    pub fn counts(&self, lane: Lane) -> Counts {
        let state = self.lock();
        Counts { waiting: state.schedule.waiting(lane), ..state.lanes[lane as usize].counts.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_next(&self, lane: Lane, ticket: u64) -> bool {
        self.schedule.next() == Some(lane) && self.lanes[lane as usize].queue.front() == Some(&ticket)
    }

    /// Slices of the lanes behind it that are done.
    fn ended_after(&self, lane: Lane) -> u64 {
        self.lanes[lane as usize + 1..].iter().map(|one| one.ended).sum()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.gate.lock();
        state.schedule.end(self.lane);
        state.lanes[self.lane as usize].ended += 1;
        drop(state);
        self.gate.changed.notify_all();
    }
}
