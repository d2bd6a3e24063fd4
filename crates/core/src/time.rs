//! Moments: an instant together with the customer's own clock. Nothing here reads a clock.

use jiff::{
    Timestamp,
    fmt::temporal::{Pieces, PiecesOffset},
    tz::{Offset, TimeZone},
};
use serde::{Deserialize, Serialize};

/// RFC 3339 offsets are shorter; the parser takes longer ones.
const DAY_S: i32 = 24 * 60 * 60;

/// Why a time was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTime {
    /// Not RFC 3339 with an offset. A time without one is never guessed to be local.
    #[error("occurred_at is not an RFC 3339 time with an offset, like 2026-03-01T09:30:00+08:00")]
    Instant,
    /// Not an IANA time-zone name.
    #[error("zone is not a known IANA time-zone name, like Asia/Shanghai")]
    Zone,
}

/// An instant and the clock of the one who spoke.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    ms: i64,
    offset_s: i32,
    zone: Option<String>,
}

impl Moment {
    /// From RFC 3339 text with an offset, and an IANA zone name if the gateway knows it. The zone wins over the offset
    /// for what the customer's day is.
    pub fn parse(text: &str, zone: Option<&str>) -> Result<Self, BadTime> {
        let instant: Timestamp = text.parse().map_err(|_| BadTime::Instant)?;
        let written = offset(text).filter(|offset| offset.seconds().abs() < DAY_S).ok_or(BadTime::Instant)?;
        if second_is_60(text) {
            return Err(BadTime::Instant);
        }
        let moment = Self::at(instant.as_millisecond(), zone)?;
        Ok(if zone.is_some() { moment } else { Self { offset_s: written.seconds(), ..moment } })
    }

    /// An instant in milliseconds since 1970-01-01T00:00Z, and the IANA name of the asker's zone; without one, in UTC.
    pub fn at(ms: i64, zone: Option<&str>) -> Result<Self, BadTime> {
        let instant = Timestamp::from_millisecond(ms).map_err(|_| BadTime::Instant)?;
        let zone_of = |name| TimeZone::get(name).map_err(|_| BadTime::Zone);
        let offset = zone.map(zone_of).transpose()?.map_or(Offset::UTC, |zone| zone.to_offset(instant));
        Ok(Self { ms, offset_s: offset.seconds(), zone: zone.map(str::to_owned) })
    }

    /// Milliseconds since 1970-01-01T00:00Z.
    pub fn ms(&self) -> i64 {
        self.ms
    }

    /// The instant; `None` beyond the calendar.
    pub(crate) fn timestamp(&self) -> Option<Timestamp> {
        Timestamp::from_millisecond(self.ms).ok()
    }

    /// The zone that is named, else the offset in force at the moment, for all times.
    pub(crate) fn time_zone(&self) -> Option<TimeZone> {
        match &self.zone {
            Some(name) => TimeZone::get(name).ok(),
            None => Some(TimeZone::fixed(Offset::from_seconds(self.offset_s).ok()?)),
        }
    }

    /// The customer's calendar day, as `2026-03-01`.
    pub fn local_day(&self) -> String {
        self.to_string().chars().take_while(|c| *c != 'T').collect()
    }
}

/// The parser takes a 60th second for the 59th: two texts would be one time.
fn second_is_60(text: &str) -> bool {
    let time = text.split_once(['T', 't', ' ']).map_or("", |(_, time)| time);
    let clock = time.chars().take_while(|c| c.is_ascii_digit() || *c == ':');
    let digits: String = clock.filter(char::is_ascii_digit).collect();
    digits.get(4..6) == Some("60")
}

fn offset(text: &str) -> Option<Offset> {
    match Pieces::parse(text).ok()?.offset()? {
        PiecesOffset::Zulu => Some(Offset::UTC),
        PiecesOffset::Numeric(numeric) => Some(numeric.offset()),
        _ => None,
    }
}

impl std::fmt::Display for Moment {
    /// RFC 3339 in the customer's own offset.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let instant = Timestamp::from_millisecond(self.ms).map_err(|_| std::fmt::Error)?;
        let offset = Offset::from_seconds(self.offset_s).map_err(|_| std::fmt::Error)?;
        write!(f, "{}", instant.display_with_offset(offset))
    }
}
