//! Keeping: how long the customer's words stay after they are read (requirements A15).
//!
//! What a tenant does not keep at all never reaches a row: the head log alone has the words, for as long as it reaches.
//! What it keeps for some days goes by a command, like a forget: the turn is blanked and sealed anew, with what was made
//! of it, and the old key is destroyed.

use std::collections::HashMap;

use saidso_core::{decay::DAY_MS, fault::Fault, ids::TenantId, limits, ports::SpaceTurns, record, stages::Command};

use crate::Intake;

/// For how many days the words of turns are kept, from when they were said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keep {
    /// For tenants that do not say; `None`: for good; 0: not at all.
    pub days: Option<u16>,
    /// For those that do.
    pub by_tenant: HashMap<TenantId, u16>,
}

impl Keep {
    /// Nobody's words are ever let go.
    pub fn is_for_good(&self) -> bool {
        self.days.is_none() && self.by_tenant.is_empty()
    }

    /// A tenant's days.
    pub(crate) fn of(&self, tenant: TenantId) -> Option<u16> {
        self.by_tenant.get(&tenant).copied().or(self.days)
    }
}

impl Intake {
    /// Has the words of turns let go whose days are over by now: the commands that do it are on the head log on return.
    /// Answers how many turns. Several processes may do this at once, and one may do it again: what is let go stays so.
    pub fn let_go(&self) -> Result<usize, Fault> {
        let now_ms = self.ports.clock.now_ms();
        let mut turns = 0;
        let wanted = |tenant| self.keep.of(tenant).is_some();
        self.ports.store.each_space(&wanted, &mut |stored| {
            let days = self.keep.of(stored.tenant).unwrap_or(u16::MAX);
            turns += self.let_go_in(stored, now_ms.saturating_sub(i64::from(days) * DAY_MS), now_ms)?;
            Ok(())
        })?;
        Ok(turns)
    }

    fn let_go_in(&self, mut stored: SpaceTurns, before_ms: i64, now_ms: i64) -> Result<usize, Fault> {
        // One that is not published yet comes again.
        stored.turns.retain(|row| row.position.is_some());
        let Some((scope, turns)) = record::open_turns(&stored, self.ports.keys.as_ref())? else {
            return Ok(0);
        };
        let over = turns.iter().filter(|turn| turn.meta.at.ms() < before_ms && turn.has_words());
        let over: Vec<_> = over.map(|turn| turn.meta.id).collect();
        for turns in over.chunks(limits::LET_GO_TURNS) {
            let command = Command::LetGo { turns: turns.to_vec() };
            self.command(&scope, &command, turns[0].as_bytes(), now_ms, Vec::new())?;
        }
        Ok(over.len())
    }
}
