//! Dates and clock times in digits that read the same in every language.

use super::{
    calendar::{Clock, Named},
    reading::{Reading, Script},
};

/// A year as it is written in full.
pub(super) fn year(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && (1800..2200).contains(year))
}

/// A number that counts, of four digits at most.
pub(super) fn count(word: &str) -> Option<i32> {
    let digits = word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|count| digits && *count > 0)
}

/// A day of a month, 1 to 31.
pub(super) fn day(word: &str) -> Option<i8> {
    within(word, 31)
}

fn month(word: &str) -> Option<i8> {
    within(word, 12)
}

fn within(word: &str, most: i8) -> Option<i8> {
    word.parse().ok().filter(|number| word.len() <= 2 && (1..=most).contains(number))
}

fn date(year: i16, month: i8, day: i8) -> Named {
    Named { year: Some(year), month: Some(month), day: Some(day), ..Named::default() }
}

/// A date or time that begins at `at`, with the tokens it takes. `halves`: hours may be those of half a day.
pub(super) fn read(reading: &Reading, at: usize, halves: bool) -> Option<(usize, Named)> {
    if at > 0 && reading.touches_next(at - 1) && is_inside(reading, at) {
        return None;
    }
    let words = &reading.words[at..];
    let (tokens, named) = match words {
        [y, sep @ ("-" | "/" | "."), m, again, d, ..] if sep == again && year(y).is_some() => {
            (5, date(year(y)?, month(m)?, day(d)?))
        }
        // Dots put the day first everywhere.
        [d, ".", m, ".", y, ..] if year(y).is_some() => (5, date(year(y)?, month(m)?, day(d)?)),
        [a, "/", b, "/", y, ..] if year(y).is_some() => {
            let (month, day) = slashed(a, b)?;
            (5, date(year(y)?, month, day))
        }
        // "24/7" and "9/16 inch" are no dates: a preposition has to say so.
        [a, "/", b, ..] if matches!(reading.before(at), "on" | "by" | "since" | "until" | "till" | "before") => {
            let (month, day) = slashed(a, b)?;
            (3, Named { month: Some(month), day: Some(day), ..Named::default() })
        }
        [y, "-", m, ..] if m.len() == 2 && year(y).is_some() => {
            (3, Named { year: year(y), month: Some(month(m)?), ..Named::default() })
        }
        [h, ":", m, ..] if m.len() == 2 => {
            let (hour, minute) = (h.parse().ok()?, m.parse().ok()?);
            if h.len() > 2 || hour > 23 || minute > 59 {
                return None;
            }
            let exact = !halves || hour > 12 || h.starts_with('0');
            (3, Named { clock: Some(Clock { hour, minute, exact }), ..Named::default() })
        }
        _ => return None,
    };
    let tail = at + tokens - 1;
    let goes_on = reading.touches_next(tail)
        && match words.get(tokens) {
            Some(&(":" | "/" | "-" | "." | ",")) => {
                reading.touches_next(tail + 1) && reading.script(tail + 2) == Script::Digits
            }
            Some(&"%") => true,
            _ => false,
        };
    (reading.is_solid(at, tokens) && !goes_on).then_some((tokens, named))
}

/// Whether the digits at `at` go on what stands before them: a version, a phone number, an identifier.
fn is_inside(reading: &Reading, at: usize) -> bool {
    match reading.script(at - 1) {
        Script::Han => false,
        Script::Mark => at > 1 && reading.touches_next(at - 2) && reading.script(at - 2) != Script::Han,
        // "2026-03-05T15:00"
        _ => reading.before(at) != "t",
    }
}

/// "3/25" and "25/3", but not "3/5": Americans put the month first, others the day.
fn slashed(a: &str, b: &str) -> Option<(i8, i8)> {
    match (day(a)?, day(b)?) {
        (month @ ..=12, day) if day > 12 || day == month => Some((month, day)),
        (day, month @ ..=12) if day > 12 => Some((month, day)),
        _ => None,
    }
}
