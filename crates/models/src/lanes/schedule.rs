//! Which lane's slice starts next. Pure: it knows numbers of slices, no time and no threads.

use super::Lane;

/// Slices that may pass by a lane that waits, before it has the next free place.
pub const SHARE: usize = 8;

/// What runs, what waits, and what was passed by.
#[derive(Debug, Clone)]
pub struct Schedule {
    at_once: usize,
    own: bool,
    running: [usize; 3],
    waiting: [usize; 3],
    passed: [usize; 3],
    /// The last slice that started was not of the query lane.
    behind: bool,
}

impl Schedule {
    /// Nothing runs. For the fields see [`super::Settings`].
    pub fn new(at_once: usize, own: bool) -> Self {
        Self { at_once: at_once.max(1), own, running: [0; 3], waiting: [0; 3], passed: [0; 3], behind: false }
    }

    /// A slice waits from now on.
    pub fn arrive(&mut self, lane: Lane) {
        self.waiting[lane as usize] += 1;
    }

    /// Whose slice may start now. Asked again after each [`Schedule::start`] and [`Schedule::end`].
    pub fn next(&self) -> Option<Lane> {
        let waits = |lane: &Lane| self.waiting[*lane as usize] > 0;
        let free = self.running.iter().sum::<usize>() < self.at_once;
        // Never two in a row before a question: it waits for one at most.
        let question_waited = self.behind && waits(&Lane::Query);
        let owed = |lane: &Lane| waits(lane) && self.passed[*lane as usize] >= SHARE;
        if free
            && !question_waited
            && let Some(lane) = Lane::ALL.into_iter().find(owed)
        {
            return Some(lane);
        }
        if self.own && self.running[Lane::Query as usize] == 0 && waits(&Lane::Query) {
            return Some(Lane::Query);
        }
        Lane::ALL.into_iter().find(|lane| free && waits(lane))
    }

    /// The slice that waited longest in the lane starts.
    pub fn start(&mut self, lane: Lane) {
        self.waiting[lane as usize] -= 1;
        self.running[lane as usize] += 1;
        self.passed[lane as usize] = 0;
        self.behind = lane != Lane::Query;
        for later in Lane::ALL.into_iter().filter(|later| *later > lane) {
            // Of what nobody waits for, nothing is owed.
            let waits = self.waiting[later as usize] > 0;
            self.passed[later as usize] = if waits { self.passed[later as usize] + 1 } else { 0 };
        }
    }

    /// A slice of the lane is done.
    pub fn end(&mut self, lane: Lane) {
        self.running[lane as usize] -= 1;
    }

    /// Slices that wait in the lane.
    pub fn waiting(&self, lane: Lane) -> usize {
        self.waiting[lane as usize]
    }
}
