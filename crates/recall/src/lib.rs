//! Recall: what a customer said before, found for the next turn — or an empty answer, if nothing is close enough.
//!
//! **What it is.** Shards of loaded spaces that follow the changes, an index per space, channels fused by rank, and
//! answers that explain themselves. **What it is not.** It writes nothing, knows no backend and no model, and holds
//! no copy that outlives the space's keys: a change reloads the space.
//!
//! The way in is [`Recall`]. Follow a question: [`Recall::answer`] → [`shard`] (load, wait) → [`load`] → [`space`]
//! (fold, index) → [`search`] (channels, fusion, evidence, diversity) → [`Answer`].
//!
//! Invariants:
//! - One index per space; no method takes two scopes, and nothing of one space enters the answer of another.
//! - No lock is held over a read of the store or a call of a model.
//! - What is forgotten is not found: its key is gone, or a mark covers it.

mod answer;
pub mod cohort;
pub mod delays;
mod filter;
pub mod fitted;
mod health;
mod hidden;
mod indexes;
mod judged;
pub mod kernel;
mod load;
pub mod matrix;
pub mod meaning;
pub mod people;
mod preload;
mod probe;
pub mod query;
mod recall;
pub mod search;
mod sessions;
mod shard;
mod sorted;
pub mod space;
pub mod standing;
mod tally;
pub mod term;
pub mod vectors;
mod waiting;
pub mod weight;
pub mod words;

pub use answer::{Answer, Facts, Recalled, Source, Warmth};
pub use filter::{Filter, Rule};
pub use health::{Census, Health};
pub use preload::Preloaded;
pub use probe::Probe;
pub use query::{AsOf, Question};
pub use recall::{Provenance, Recall, Reviewed, Settings, Sources, TurnDrops};
use saidso_core::{fault::Fault, limits, position::Position};

/// Why a question was not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecallError {
    /// The store, the keys or the embedder failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Nothing is asked.
    #[error("the query is empty")]
    QueryEmpty,
    /// The query is too long.
    #[error("the query has {bytes} bytes, at most {max} are taken", max = limits::QUERY_BYTES)]
    QueryTooLong {
        /// Its bytes.
        bytes: usize,
    },
    /// The customer's name is too long.
    #[error("customer has at most {max} bytes", max = limits::NAME_BYTES)]
    NameTooLong,
    /// The limit is out of range.
    #[error("limit is {limit}, it may be 1 to {max}", max = limits::RECALL_RESULTS_MAX)]
    Limit {
        /// What was asked for.
        limit: usize,
    },
    /// More sessions are asked for than are at hand, or none.
    #[error("limit is {limit}, it may be 1 to {max}", max = limits::SESSIONS)]
    Sessions {
        /// What was asked for.
        limit: usize,
    },
    /// The position did not become visible in time. Ask again.
    #[error("waited {waited_ms} ms for the position, it is not visible yet; ask again")]
    NotYetVisible {
        /// How long it was waited for.
        waited_ms: u64,
        /// What is visible.
        applied: Option<Position>,
    },
}
