//! The wall clock. The only place of the program that reads it.

use std::time::{SystemTime, UNIX_EPOCH};

use saidso_core::ports::Clock;

/// The system's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => since.as_millis() as i64,
            Err(before) => -(before.duration().as_millis() as i64),
        }
    }
}
