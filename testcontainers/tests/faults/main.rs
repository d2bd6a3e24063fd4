//! The distributed backend when something goes wrong between Saidso and its store or its log: whatever it is, what is
//! remembered in the end is what an undisturbed run remembers.
//!
//! Two writers of which one is frozen past its lease need processes of their own: see the test of the fleet.

mod brittle;
mod moved;
mod poison;
mod process;
mod registry;
mod restart;
mod rules;
mod stores;
mod story;
mod sweep;
mod topics;
mod trouble;
mod wire;
