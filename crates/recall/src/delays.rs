//! How long turns take to become visible here: from when intake took them to when their space counts as changed.

use std::sync::{Mutex, PoisonError};

/// Upper bounds of the classes, in seconds: around the 20 ms and 100 ms that are promised, and up to an outage.
pub const BOUNDS: [f64; 10] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0, 60.0, 3600.0];

/// Delays by class.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delays {
    /// How many fall in each class; the last is for what took longer than every bound.
    pub classes: [u64; BOUNDS.len() + 1],
    /// Their sum, in seconds.
    pub sum: f64,
}

/// Delays in the making.
#[derive(Default)]
pub(crate) struct Meter(Mutex<Delays>);

impl Meter {
    /// Notes a delay, in milliseconds; clocks of two machines may make it negative, which counts as none.
    pub fn note(&self, ms: i64) {
        let seconds = ms.max(0) as f64 / 1000.0;
        let mut delays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        delays.classes[BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len())] += 1;
        delays.sum += seconds;
    }

    pub fn read(&self) -> Delays {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
