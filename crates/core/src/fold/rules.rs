//! The numbers the fold decides by. A generation pins them.

use crate::{calibration::Calibration, item::Unit};

/// What [`super::fold`] decides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// What the embedder's cosines mean.
    pub calibration: Calibration,
    /// Days between two different values of one thing from which the later one wins without a question (requirements
    /// A10).
    pub conflict_days: u16,
    /// The most that two values are believed while it is open which one holds.
    pub contested: Unit,
}

impl Rules {
    /// [`Rules::conflict_days`] unless configured.
    pub const CONFLICT_DAYS: u16 = 30;
    /// [`Rules::contested`] unless configured.
    pub const CONTESTED: Unit = Unit::hundredths(60);

    /// With the defaults, for an embedder.
    pub const fn new(calibration: Calibration) -> Self {
        Self { calibration, conflict_days: Self::CONFLICT_DAYS, contested: Self::CONTESTED }
    }
}
