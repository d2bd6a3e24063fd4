//! The ports: what the pure rules and the stages ask of the outside. Backends and models implement them.

use crate::{fault::Fault, item::Extraction, turn::TurnBody, vector::Vector};

/// Which side of a comparison a text stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A stored item.
    Passage,
    /// A question put to the store.
    Query,
}

/// Turns texts into unit vectors.
pub trait Embedder: Send + Sync {
    /// Name and version, pinned by the generation and stored with every vector.
    fn id(&self) -> &str;

    /// Components of a vector.
    fn dimension(&self) -> usize;

    /// One unit vector per text, in order. A text longer than the model's window is averaged over windows, never
    /// refused. All or nothing: an error means no vector is usable.
    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault>;
}

/// Proposes typed items from what the customer said in one turn. Sees that turn only.
pub trait Extractor: Send + Sync {
    /// Name and version, pinned by the generation.
    fn id(&self) -> &str;

    /// Items with the words they rest on. Pure: the same turn gives the same answer.
    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault>;
}
