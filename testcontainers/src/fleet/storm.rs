//! A storm over a fleet: at random, from a seed, processes are killed and started again, or frozen past their lease.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use super::Fleet;
use crate::conversations::Dice;

/// How long a process stays frozen: past the six seconds after which its partitions go to others.
const FROZEN: Duration = Duration::from_secs(8);

/// What it did, and whom it has frozen.
pub struct Storm {
    dice: Dice,
    frozen: Option<(usize, Instant)>,
    kills: BTreeMap<String, usize>,
    freezes: BTreeMap<String, usize>,
}

impl Storm {
    /// From a seed. Equal seeds choose equally among equal fleets.
    pub fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), frozen: None, kills: BTreeMap::new(), freezes: BTreeMap::new() }
    }

    /// After a lull at random, kills a process that runs and starts it again. The moment is what is random here: there is
    /// nothing to wait for.
    pub fn kill(&mut self, fleet: &mut Fleet, longest_lull: Duration) {
        const PARTS: u32 = 1_000;
        thread::sleep(longest_lull * self.dice.roll(PARTS as usize + 1) as u32 / PARTS);
        if let Some(victim) = self.choose(fleet) {
            fleet.members[victim].kill();
            *self.kills.entry(fleet.members[victim].name.clone()).or_default() += 1;
        }
        self.thaw_in_time(fleet);
    }

    /// Freezes a process that runs, unless one is frozen already. A later [`Storm::kill`] lets it go on, once its lease
    /// is over.
    pub fn freeze(&mut self, fleet: &mut Fleet) {
        if self.frozen.is_none()
            && let Some(victim) = self.choose(fleet)
        {
            fleet.members[victim].freeze();
            *self.freezes.entry(fleet.members[victim].name.clone()).or_default() += 1;
            self.frozen = Some((victim, Instant::now()));
        }
    }

    /// Ends it: whoever is frozen goes on once its lease is over.
    pub fn end(mut self, fleet: &mut Fleet) -> Toll {
        if let Some((_, since)) = self.frozen {
            thread::sleep((since + FROZEN).saturating_duration_since(Instant::now()));
            self.thaw_in_time(fleet);
        }
        Toll { kills: self.kills, freezes: self.freezes }
    }

    fn thaw_in_time(&mut self, fleet: &mut Fleet) {
        if let Some((frozen, since)) = self.frozen
            && since.elapsed() >= FROZEN
        {
            fleet.members[frozen].thaw();
            self.frozen = None;
        }
    }

    fn choose(&mut self, fleet: &mut Fleet) -> Option<usize> {
        fleet.look();
        let run: Vec<usize> = (0..fleet.members.len()).filter(|member| fleet.members[*member].runs()).collect();
        (!run.is_empty()).then(|| run[self.dice.roll(run.len())])
    }
}

/// What a storm did, by process.
#[derive(Debug)]
pub struct Toll {
    /// How often each was killed.
    pub kills: BTreeMap<String, usize>,
    /// How often each was frozen.
    pub freezes: BTreeMap<String, usize>,
}
