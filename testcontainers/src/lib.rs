//! The test harness: what a backend must do ([`conformance`]), as cases that know no backend.

pub mod conformance;
