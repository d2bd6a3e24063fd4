//! When sessions close (requirements C2).

use super::anchors;
use crate::{limits, turn::Turn};

/// The two time-outs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Milliseconds after its last turn that a session closes.
    pub idle_ms: i64,
    /// The same while somebody's identity is in play: a name given, an order or contract number, a masked number.
    pub identity_ms: i64,
}

impl Default for Rules {
    fn default() -> Self {
        Self::minutes(Self::IDLE_MINUTES, Self::IDENTITY_MINUTES)
    }
}

const MINUTE_MS: i64 = 60_000;

impl Rules {
    /// Minutes of [`Rules::idle_ms`] unless configured.
    pub const IDLE_MINUTES: u16 = 15;
    /// Minutes of [`Rules::identity_ms`] unless configured.
    pub const IDENTITY_MINUTES: u16 = 120;

    /// From minutes; where somebody's identity is in play it is never closed sooner.
    pub fn minutes(idle: u16, identity: u16) -> Self {
        let ms = |minutes: u16| i64::from(minutes) * MINUTE_MS;
        Self { idle_ms: ms(idle), identity_ms: ms(identity.max(idle)) }
    }
}

/// Why a session closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// It was ended.
    Ended,
    /// Nothing was said for too long.
    TimedOut,
}

/// When a session closed, and when it will if nothing more is said. A turn after that opens it again; what was over stays
/// over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// Closings that a turn came after, in milliseconds since 1970, in order. After a long silence it may be the shorter
    /// time-out, whichever held: nothing was said between the two.
    past: Vec<i64>,
    /// The closing after the last turn.
    last: (i64, Closed),
}

impl Timeline {
    /// Of a session's turns in order, of which there is at least one, and the last time it was ended.
    pub(super) fn of(turns: &[Turn], end: Option<i64>, rules: &Rules) -> Self {
        // In play is what the newest turns of a stretch name.
        let identity = |opened: usize, at: usize| {
            let newest = opened.max((at + 1).saturating_sub(limits::SESSION_TURNS));
            turns[newest..=at].iter().rev().any(anchors::identifies)
        };
        let closing = |opened: usize, at: usize| {
            let last_ms = turns[at].meta.at.ms();
            let silence = turns.get(at + 1).map(|next| next.meta.at.ms() - last_ms);
            // Looked for only where it decides.
            let decides = silence.is_none_or(|ms| ms > rules.idle_ms && ms <= rules.identity_ms);
            let idle_ms = if decides && identity(opened, at) { rules.identity_ms } else { rules.idle_ms };
            let timed_out = (last_ms.saturating_add(idle_ms), Closed::TimedOut);
            match end.filter(|end| (last_ms..=timed_out.0).contains(end)) {
                Some(end) => (end, Closed::Ended),
                None => timed_out,
            }
        };
        let (mut past, mut opened) = (Vec::new(), 0);
        for at in 0..turns.len() - 1 {
            let (at_ms, _) = closing(opened, at);
            if at_ms < turns[at + 1].meta.at.ms() {
                past.push(at_ms);
                opened = at + 1;
            }
        }
        Self { past, last: closing(opened, turns.len() - 1) }
    }

    /// When the session closed and why, if it is closed at an instant.
    pub fn closed(&self, now_ms: i64) -> Option<(i64, Closed)> {
        let (at_ms, how) = self.last;
        // An end is a fact, whatever this machine's clock says.
        (how == Closed::Ended || at_ms < now_ms).then_some(self.last)
    }

    /// Whether what was last said at an instant is over: the session closed after it.
    pub fn over(&self, said_ms: i64, now_ms: i64) -> bool {
        let closed = self.closed(now_ms).map(|(at_ms, _)| at_ms);
        self.past.iter().copied().chain(closed).any(|at_ms| said_ms <= at_ms)
    }
}
