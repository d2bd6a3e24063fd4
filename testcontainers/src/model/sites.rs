//! The distributed backend as a site.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use saidso_core::{fault::Fault, ports::Entropy};
use saidso_pipeline::Ports;

use crate::{
    distributed::{Distributed, Halves},
    stand::{Folder, SetClock, Site, Stand},
};

static OPENED: AtomicU32 = AtomicU32::new(0);

/// Randomness of the operating system.
struct Chance;

impl Entropy for Chance {
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the operating system gives randomness");
    }
}

impl Site for Distributed {
    fn name(&self) -> &'static str {
        "distributed"
    }

    /// As another process. Its ids are those of every [`Folder`], so that logical exports can be compared.
    fn open(&self) -> Result<Stand, Fault> {
        let (entropy, clock) = (Arc::new(Chance), SetClock::at(0));
        let instance = format!("process-{}", OPENED.fetch_add(1, Ordering::Relaxed));
        let Halves { log, store, both } = self.halves(&instance, entropy.clone())?;
        let ports = Ports {
            keys: store.clone(),
            store: store.clone(),
            hits: store.clone(),
            reviews: store.clone(),
            head: both.clone(),
            topics: log.clone(),
            commits: both,
            changes: log.clone(),
            dead: log,
            generations: store,
            clock: clock.clone(),
            entropy,
            names: Folder::make().open()?.ports.names,
        };
        Ok(Stand::over(ports, clock))
    }

    fn shared(&self) -> bool {
        true
    }
}
