//! The built-in embedder on small files of the same format, written here: what is refused, and what vectors obey.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod file;
mod synthetic;
mod vectors;
