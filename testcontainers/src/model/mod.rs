//! The model test: a seeded random walk over everything that can be done with a backend, beside a plain model of what it
//! promises.
//!
//! Turns are said new and again, late, in batches and at the same time; memories are forgotten, sessions end; stages
//! pause, processes come and go, models and commits fail, and stages are cut off between two steps. The model
//! ([`promise`]) says what must then be remembered, and wherever everything is through, the backend is held against it
//! ([`check`]). At the end the same is done again without any trouble on a folder of its own ([`calm`]), and the logical
//! exports must be equal to the byte.
//!
//! A walk follows from its seed and its number of steps. A failure names both, and the file with what was done.

mod calm;
mod check;
mod draft;
mod mishaps;
pub mod phrases;
mod process;
mod promise;
mod sites;
mod trace;
mod walk;

use std::{env, path::Path};

use crate::{model::walk::Walk, stand::Site};

/// Walks over sites, each a new one from `make`: with each of the seeds and one more from the system, for so many steps
/// each. `SAIDSO_MODEL_SEED` asks for one seed alone, `SAIDSO_MODEL_STEPS` for another length. A walk that fails leaves
/// what it did in the folder.
pub fn walks<S: Site>(make: impl Fn() -> S, seeds: &[u64], steps: usize, folder: &Path) {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().expect("it is set to a number"));
    let steps = number("SAIDSO_MODEL_STEPS").map_or(steps, |steps| steps as usize);
    let seeds = match number("SAIDSO_MODEL_SEED") {
        Some(seed) => vec![seed],
        None => seeds.iter().copied().chain([chance()]).collect(),
    };
    for seed in seeds {
        let site = make();
        let walk = Walk::new(&site, seed, steps, folder);
        println!("{} seed {seed}, {steps} steps: {}", site.name(), walk.go());
    }
}

/// A seed that nobody chose, short enough to type.
fn chance() -> u64 {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    u64::from(u32::from_be_bytes(bytes))
}
