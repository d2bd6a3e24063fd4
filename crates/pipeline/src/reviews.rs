//! Reviews: what a verdict writes, and what goes from them with words that are forgotten.

use std::collections::BTreeSet;

use saidso_core::{
    fault::Fault,
    ids::{ResultId, ReviewId},
    ports::{Section, Write},
    position::Position,
    review::{ReviewRow, Verdict, VerdictRow},
    scope::Scope,
    stages::Command,
};

use crate::{Intake, Ports, forget::Cleared};

impl Intake {
    /// Puts a verdict on some results of a question on the log. When its position is visible, it weighs, and the question
    /// waits no more.
    pub fn judge(
        &self,
        scope: &Scope,
        row: &ReviewRow,
        results: Vec<ResultId>,
        verdict: Verdict,
    ) -> Result<Position, Fault> {
        let command = Command::Judge { review: row.id, asked_ms: row.asked_ms, results, verdict };
        let at_ms = self.ports.clock.now_ms();
        self.command(scope, &command, row.id.as_bytes(), at_ms, Vec::new())
    }
}

/// Fills a section with what a verdict takes.
pub(crate) fn judge(section: &mut Section, review: ReviewId, asked_ms: i64, results: Vec<ResultId>, verdict: Verdict) {
    let row = |result| Write::Verdict(VerdictRow { result, review, asked_ms, verdict });
    section.writes.extend(results.into_iter().map(row));
    section.writes.push(Write::NoReview { review, asked_ms });
}

/// Adds to a section what goes with what was cleared: the verdicts on it, and questions that were answered with it or with
/// a message it stood in, whose own words may say what is forgotten.
pub(crate) fn forgotten(ports: &Ports, section: &mut Section, cleared: &Cleared) -> Result<(), Fault> {
    let memories: BTreeSet<ResultId> = cleared.gone.iter().map(|observation| observation.id.into()).collect();
    let turns = cleared.turns.values().flat_map(|resealed| &resealed.left.meta.messages);
    let messages: BTreeSet<ResultId> = turns.map(|message| (*message).into()).collect();
    if memories.is_empty() && messages.is_empty() {
        return Ok(());
    }
    let gone = |id: &ResultId| memories.contains(id) || messages.contains(id);
    let shows = |row: &ReviewRow| row.results.iter().any(|doubtful| gone(&doubtful.result));
    let waiting = ports.reviews.reviews(&section.scope)?;
    let rows = waiting.into_iter().filter(shows);
    section.writes.extend(rows.map(|row| Write::NoReview { review: row.id, asked_ms: row.asked_ms }));
    section.writes.extend(memories.into_iter().map(Write::NoVerdicts));
    Ok(())
}
