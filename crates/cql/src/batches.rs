//! Statements on one partition, put together into batches that the store takes without a warning.

use scylla::serialize::row::SerializeRow;

use crate::link::{Prepared, Step};

/// Bytes of a batch. Cassandra and ScyllaDB keep quiet about these.
pub(crate) const BATCH_BYTES: usize = 40 * 1024;
/// Bytes that a row takes besides its sealed cell.
pub(crate) const ROW_BYTES: usize = 160;

/// A statement with values of its own.
pub(crate) fn step(statement: &Prepared, values: impl SerializeRow + Send + Sync + 'static) -> Step<'_> {
    Step { statement, values: Box::new(values) }
}

/// Batches in the making, none of them larger than [`BATCH_BYTES`] unless one thing alone is.
#[derive(Default)]
pub(crate) struct Batches<'a> {
    all: Vec<Vec<Step<'a>>>,
    /// Bytes of the last one.
    bytes: usize,
}

impl<'a> Batches<'a> {
    /// Adds what belongs together.
    pub(crate) fn push(&mut self, bytes: usize, steps: impl IntoIterator<Item = Step<'a>>) {
        self.bytes += bytes;
        match self.all.last_mut() {
            Some(last) if self.bytes <= BATCH_BYTES => last.extend(steps),
            _ => {
                self.bytes = bytes;
                self.all.push(steps.into_iter().collect());
            }
        }
    }
}

impl<'a> FromIterator<(usize, Step<'a>)> for Batches<'a> {
    /// Of statements, each with its bytes.
    fn from_iter<I: IntoIterator<Item = (usize, Step<'a>)>>(steps: I) -> Self {
        let mut batches = Self::default();
        steps.into_iter().for_each(|(bytes, step)| batches.push(bytes, [step]));
        batches
    }
}

impl<'a> IntoIterator for Batches<'a> {
    type Item = Vec<Step<'a>>;
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter()
    }
}
