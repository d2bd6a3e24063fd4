//! Domain types and pure rules of Saidso.

pub mod fault;
pub mod item;
pub mod ports;
pub mod text;
pub mod turn;
pub mod vector;
