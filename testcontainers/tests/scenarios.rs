//! The scenarios of `testcontainers/scenarios`, on both backends, by words alone and with the built-in embedder.

use std::path::Path;

use saidso_testcontainers::{
    distributed::Distributed,
    scenarios::{self, Model},
    stand::{Folder, Site},
};

fn play(site: &dyn Site, model: Model) {
    scenarios::play(site, model, &Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios"));
}

#[test]
fn on_the_embedded_backend_by_words_alone() {
    play(&Folder::make(), Model::Words);
}

#[test]
fn on_the_embedded_backend_with_meanings() {
    play(&Folder::make(), Model::E5);
}

#[test]
fn on_the_distributed_backend_by_words_alone() {
    play(&Distributed::new(), Model::Words);
}

#[test]
fn on_the_distributed_backend_with_meanings() {
    play(&Distributed::new(), Model::E5);
}
