//! Domain types and pure rules of Saidso: memory that holds what a customer said, and nothing they did not.
//!
//! **What it is.** Turns, candidates, observations and memories; grounding, the fold, sealing, marks, limits; and the
//! ports that backends and models implement. **What it is not.** It does no I/O, runs no task, reads no clock and knows
//! no backend.
//!
//! Follow a turn: [`turn::accept`] → [`record::Record::seal`] → (extract) [`item::Candidate`] → [`ground`] →
//! [`stages::Grounded`] → [`stages::Embedded`] → [`observation::Observation`] → [`observation::SealedObservation`] →
//! [`fold`] → [`fold::Memory`].
//!
//! Invariants:
//! - A [`scope::Scope`] comes only from [`access`], [`record`] and [`review`]; no port takes a tenant or space id and
//!   no method takes two scopes.
//! - Only [`ground`] makes a [`stages::Grounded`]; only [`observation::SealedObservation::seal`] makes what a store takes.
//! - A memory is a function of the set of observations, never of their arrival.

pub mod access;
pub mod calibration;
pub mod decay;
pub mod fault;
pub mod fold;
pub mod ground;
pub mod ids;
pub mod item;
pub mod limits;
pub mod marks;
pub mod observation;
pub mod passages;
pub mod ports;
pub mod position;
pub mod privacy;
pub mod probe;
pub mod record;
pub mod retract;
pub mod review;
pub mod scope;
pub mod seal;
pub mod session;
pub mod slots;
pub mod stages;
pub mod synthesis;
pub mod text;
pub mod time;
pub mod turn;
pub mod vector;
pub mod when;
