//! The same bytes through the same servers without any of Saidso's guarantees: what its stages are measured against.

mod log;
mod store;

pub use log::copy;
pub use store::{Bare, Row, Section, TurnBytes};
