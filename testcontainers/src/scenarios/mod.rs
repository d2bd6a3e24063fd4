//! Scenarios: conversations in plain files, with what has to come of them, played through the whole of Saidso on any
//! backend. `testcontainers/scenarios/README.md` says how to read and write one.
//!
//! Follow a scenario: [`format`](mod@format) (the file) → [`play`](mod@play) (its steps, in rounds with all the others) → [`check`](mod@check) (a step's
//! expectations) → [`view`] (what is compared with them).

mod check;
pub mod format;
mod house;
mod play;
mod sessions;
mod time;
mod view;

use std::path::Path;

use format::Scenario;
pub use house::Model;

use crate::stand::Site;

/// Plays every scenario of a folder that is for this model, all on one stand, a space each.
///
/// # Panics
/// If a file is malformed or any scenario does not end as it says: with all of them, by file and line.
pub fn play(site: &dyn Site, model: Model, folder: &Path) {
    let all = format::read(folder).unwrap_or_else(|error| panic!("{error}"));
    let scenarios: Vec<&Scenario> = all.iter().filter(|scenario| model.plays(scenario)).collect();
    assert!(!scenarios.is_empty(), "no scenario of {} is for {model:?}", folder.display());
    let failures = play::all(site, model, &scenarios);
    println!(
        "{}, {model:?}: {} of {} scenarios end as they say",
        site.name(),
        scenarios.len() - failures.len(),
        scenarios.len()
    );
    assert!(
        failures.is_empty(),
        "{} of {} scenarios failed\n\n{}",
        failures.len(),
        scenarios.len(),
        failures.join("\n\n")
    );
}
