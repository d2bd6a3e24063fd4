//! The lanes: the same vectors, questions first, and nobody starves.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod schedule;
mod through;
