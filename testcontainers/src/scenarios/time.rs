//! When steps happen.

use jiff::{Span, Timestamp, tz::Offset};
use toml::value::Datetime;

use super::format::Step;

/// A story's clock.
#[derive(Debug, Clone, Copy)]
pub struct Time {
    /// The instant.
    pub instant: Timestamp,
    offset: Offset,
}

impl Time {
    /// The step's time, and how it is written in a turn. `None` for the former: it is written without an offset.
    pub fn of(step: &Step, before: Option<Time>) -> Result<(Option<Time>, String), String> {
        let time = match (&step.at, before) {
            (Some(at), _) => {
                let text = at.to_string();
                match at.offset {
                    None => return Ok((None, text)),
                    Some(_) => {
                        let instant = text.parse().map_err(|error| format!("at is no time: {error}"))?;
                        Time { instant, offset: offset(at)? }
                    }
                }
            }
            (None, Some(before)) => before.later(step.later.as_deref().unwrap_or("1 minute"))?,
            (None, None) => return Err("the first step says when it happens (at)".into()),
        };
        Ok((Some(time), time.instant.display_with_offset(time.offset).to_string()))
    }

    /// So much later by the calendar and clock it is written with.
    fn later(self, by: &str) -> Result<Self, String> {
        let failed = |error: jiff::Error| format!("later = {by:?} is no length of time: {error}");
        let span: Span = by.parse().map_err(failed)?;
        let local = self.offset.to_datetime(self.instant).checked_add(span).map_err(failed)?;
        Ok(Self { instant: self.offset.to_timestamp(local).map_err(failed)?, offset: self.offset })
    }
}

fn offset(at: &Datetime) -> Result<Offset, String> {
    let minutes = match at.offset {
        Some(toml::value::Offset::Custom { minutes }) => i32::from(minutes),
        _ => 0,
    };
    Offset::from_seconds(minutes * 60).map_err(|error| format!("at has no offset there is: {error}"))
}
