//! The distributed backend, on real servers, through every case of the conformance suite.

use saidso_testcontainers::{conformance_suite, distributed::Distributed};

conformance_suite!(Distributed::new());
