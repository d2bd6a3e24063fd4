//! The models: what turns texts into vectors and turns into typed items. The only crate that calls a model.
//!
//! *Invariant:* nothing here prints or logs; progress and errors are values.

mod builtin;
mod constant;
pub mod e5;
mod extractive;
pub mod lanes;
pub mod remote;
pub mod weights;
mod words_embedder;

pub use builtin::Builtin;
pub use constant::ConstantEmbedder;
pub use extractive::Extractive;
pub use words_embedder::WordsEmbedder;
