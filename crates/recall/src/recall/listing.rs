//! Everything of a space at once: the logical export, and what was let go.

use std::collections::BTreeMap;

use saidso_core::{
    fault::Fault,
    fold::Memory,
    ids::TurnId,
    item::{Drop as Dropped, DropReason},
    scope::Scope,
};
use serde::Serialize;

use super::Recall;
use crate::load;

/// What a turn's extraction let go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnDrops {
    /// The turn.
    pub turn: TurnId,
    /// The gateway's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When it was completed, RFC 3339.
    pub at: String,
    /// What was let go, and why.
    pub drops: Vec<Dropped>,
}

impl Recall {
    /// The logical export: one JSON object per memory, sorted. Equal sets of turns give equal bytes.
    pub fn export(&self, scope: &Scope) -> Result<Vec<String>, Fault> {
        Ok(lines(self.space(scope)?.memories.iter()))
    }

    /// The same with each status as of an instant, in milliseconds since 1970, archiving by hits apart.
    pub fn export_at(&self, scope: &Scope, at_ms: i64) -> Result<Vec<String>, Fault> {
        let space = self.space(scope)?;
        let memories: Vec<Memory> = self.inner.at(None, at_ms).memories(&space, true).collect();
        Ok(lines(memories.iter()))
    }

    /// Per turn, oldest first, what its extraction and the fold let go.
    pub fn drops(&self, scope: &Scope) -> Result<Vec<TurnDrops>, Fault> {
        let (keys, mut turns) = (self.inner.sources.keys.as_ref(), Vec::new());
        let space = self.space(scope)?;
        let mut echoes: BTreeMap<TurnId, Vec<Dropped>> = BTreeMap::new();
        for (turn, quote) in &space.echoes {
            let echo = Dropped { reason: DropReason::Echo, quote: quote.clone() };
            echoes.entry(*turn).or_default().push(echo);
        }
        let rows = self.inner.sources.store.turns(scope)?;
        keys.warm(scope, &rows.iter().map(|row| row.sealed.key).collect::<Vec<_>>());
        for row in rows {
            let Some(turn) = load::turn(&row, scope, keys)? else { continue };
            let mut drops = load::drops(&row, scope, keys)?;
            drops.extend(echoes.remove(&row.turn).unwrap_or_default());
            if !drops.is_empty() {
                let meta = turn.meta;
                turns
                    .push((meta.at.ms(), TurnDrops { turn: meta.id, name: meta.name, at: meta.at.to_string(), drops }));
            }
        }
        turns.sort_by_key(|(at_ms, turn)| (*at_ms, turn.turn));
        Ok(turns.into_iter().map(|(_, turn)| turn).collect())
    }
}

/// Memories as lines of JSON, sorted.
fn lines<'a>(memories: impl Iterator<Item = &'a Memory>) -> Vec<String> {
    // Every part of a memory has a JSON form: no map keys but strings, no foreign types.
    let json = |memory: &Memory| serde_json::to_string(memory).expect("a memory serialises");
    let mut lines: Vec<String> = memories.map(json).collect();
    lines.sort_unstable();
    lines
}
