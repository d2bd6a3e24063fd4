//! The test harness: what a backend must do ([`conformance`]), as cases that know no backend; the stages on a backend in
//! this process ([`stand`]); and conversations of our own making to drive them with ([`conversations`]); work to be cut off
//! ([`crash`]) and to fill a disk with ([`full`]); the whole against what it promises ([`model`]); the program as many
//! processes, some of which die ([`fleet`]). And the real servers that a backend speaks to ([`servers`]).

pub mod conformance;
pub mod conversations;
pub mod crash;
pub mod distributed;
pub mod fleet;
pub mod full;
pub mod model;
pub mod scenarios;
pub mod servers;
pub mod stand;
