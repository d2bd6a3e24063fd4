//! The models: what turns texts into vectors and turns into typed items. The only crate that calls a model.

mod builtin;

pub use builtin::Builtin;
