//! What passed a lane.

use std::time::Duration;

/// Upper bounds of the classes of a slice's wait, in seconds: from none to an endpoint that hangs.
pub const BOUNDS: [f64; 8] = [0.001, 0.005, 0.02, 0.05, 0.2, 1.0, 5.0, 30.0];

/// What passed a lane, and what waits in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// Slices that waited so long before they started, by class; the last is for what waited longer than every bound.
    pub classes: [u64; BOUNDS.len() + 1],
    /// The sum of the waits, in seconds.
    pub sum: f64,
    /// Slices that wait now.
    pub waiting: usize,
    /// The most slices of later lanes that ended while one waited.
    pub behind_most: u64,
}

impl Counts {
    /// Slices that started.
    pub fn slices(&self) -> u64 {
        self.classes.iter().sum()
    }

    pub(super) fn started(&mut self, waited: Duration, behind: u64) {
        let seconds = waited.as_secs_f64();
        self.classes[BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len())] += 1;
        self.sum += seconds;
        self.behind_most = self.behind_most.max(behind);
    }
}
