//! The same things done without any trouble: each turn once and in order, everything let through before a forget, on a
//! data folder of its own.

use std::{mem, sync::Arc};

use saidso_core::turn::SubmittedTurn;
use saidso_pipeline::Running;

use super::{
    mishaps::Mishaps,
    process::PATIENCE,
    walk::{Deed, SPACES, Walk},
};
use crate::stand::{Folder, Site as _, Stand};

impl Walk<'_> {
    /// What is left after all the trouble is what there would be without any, to the byte.
    pub(super) fn compare(&self) {
        let folder = Folder::make();
        let calm = folder.open().expect("a new folder opens");
        let stages = calm.start(Arc::<Mishaps>::default().rules()).expect("the stages start");
        let mut said = Vec::new();
        for (now_ms, deed) in &self.deeds {
            calm.clock.set(*now_ms);
            match deed {
                Deed::Said(turns) => said.extend(turns.iter().cloned()),
                Deed::Forgot(space, memory) => {
                    through(&calm, &stages, &mut said);
                    let forgotten = calm.intake().forget(&calm.scope(SPACES[*space]), *memory).expect("it is taken");
                    assert!(forgotten.is_some(), "without trouble the memory is there too");
                }
                Deed::Ended(space, session) => {
                    calm.intake().end_session(&calm.scope(SPACES[*space]), session).expect("it is taken");
                }
            }
        }
        through(&calm, &stages, &mut said);
        for space in SPACES {
            let (found, due) = (self.processes[0].stand.export(space), calm.export(space));
            let only = |one: &[String], other: &[String]| {
                one.iter().filter(|line| !other.contains(line)).cloned().collect::<Vec<_>>().join("\n")
            };
            assert!(
                found == due,
                "the export of {space}\nhas\n{}\ninstead of\n{}",
                only(&found, &due),
                only(&due, &found)
            );
        }
    }
}

/// Publishes what was said since, and lets everything come through.
fn through(calm: &Stand, stages: &Running, said: &mut Vec<SubmittedTurn>) {
    calm.publish(mem::take(said));
    assert!(stages.idle(PATIENCE), "the stages do not come to rest: {:?}", stages.fault());
}
