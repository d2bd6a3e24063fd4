//! The embedded backend through every case of the conformance suite.

use std::sync::Arc;

use saidso_embedded::{Embedded, Options};
use saidso_testcontainers::{
    conformance::{Backend, Ports, Seeded},
    conformance_suite,
};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }
}

impl Backend for Folder {
    fn open(&self) -> Ports {
        let embedded = Embedded::open(self.0.path(), Arc::new(Seeded), Options::default()).expect("the folder opens");
        Ports::of(embedded.names(), Arc::new(embedded))
    }
}

conformance_suite!(Folder::new());
