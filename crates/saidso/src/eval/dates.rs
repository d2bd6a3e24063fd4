//! When the messages of a talk were said: as the rows write it, else one a minute; all moved, in whole weeks, so that the
//! last was said in the week before the run. Memories fade, and a set is asked about as if its last message were recent.

use saidso_core::time::Moment;

/// Milliseconds between two messages without times of their own.
const MINUTE_MS: i64 = 60_000;
const WEEK_MS: i64 = 7 * 24 * 60 * MINUTE_MS;
/// Milliseconds that the last message of a talk is at least old when it is asked about.
const RECENT_MS: i64 = 60 * MINUTE_MS;

/// The instant of each message, in milliseconds since 1970. A message whose time is not written, cannot be read or is
/// written like that of the message before it comes a minute after that.
pub fn instants<'a>(written: impl Iterator<Item = Option<&'a str>>, now_ms: i64) -> Vec<i64> {
    let (mut instants, mut before) = (Vec::new(), None);
    for text in written {
        let own = text.filter(|_| text != before).and_then(read);
        let next = instants.last().map_or(0, |last| last + MINUTE_MS);
        instants.push(own.unwrap_or(next));
        before = text.or(before);
    }
    let latest = instants.iter().max().copied().unwrap_or_default();
    let moved = (now_ms - RECENT_MS - latest).div_euclid(WEEK_MS) * WEEK_MS;
    instants.iter_mut().for_each(|at| *at += moved);
    instants
}

/// A time as people write it, with a year, a month and a day in it: RFC 3339, `1:56 pm on 8 May, 2023`, `March-15-2024`,
/// `2024年04月01日 周一 08:06`, `2024-04-01T08:06:00`. In UTC unless it has an offset.
fn read(text: &str) -> Option<i64> {
    if let Ok(moment) = Moment::parse(text, None).or_else(|_| Moment::parse(&format!("{text}Z"), None)) {
        return Some(moment.ms());
    }
    let (mut hour, mut minute, mut month, mut numbers) = (0, 0, None, Vec::new());
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !c.is_ascii_alphanumeric() && c != ':').filter(|word| !word.is_empty()) {
        if let Some((h, m)) = word.split_once(':') {
            (hour, minute) = (h.parse().ok()?, m.split(':').next()?.parse().ok()?);
        } else if let Ok(number) = word.parse::<u32>() {
            numbers.push(number);
        } else if let Some(named) = MONTHS.iter().position(|name| word.len() >= 3 && name.starts_with(word)) {
            month = Some(named as u32 + 1);
        } else if word == "pm" && hour < 12 {
            hour += 12;
        } else if word == "am" && hour == 12 {
            hour = 0;
        }
    }
    let year = numbers.remove(numbers.iter().position(|number| *number >= 1_000)?);
    let month = match month {
        Some(month) => month,
        None if numbers.is_empty() => return None,
        None => numbers.remove(0),
    };
    let day = numbers.first()?;
    let written = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00Z");
    Moment::parse(&written, None).ok().map(|moment| moment.ms())
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        Moment::parse(text, None).unwrap().ms()
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        for (written, meant) in [
            ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00Z"),
            ("12:05 am on 1 Jan, 2024", "2024-01-01T00:05:00Z"),
            ("12:05 pm on 1 January, 2024", "2024-01-01T12:05:00Z"),
            ("March-15-2024", "2024-03-15T00:00:00Z"),
            ("2024年04月01日 周一 08:06", "2024-04-01T08:06:00Z"),
            ("2024-04-01T18:06:59", "2024-04-01T18:06:59Z"),
            ("2024/04/01 18:06", "2024-04-01T18:06:00Z"),
            ("2024-04-01T08:06:00+08:00", "2024-04-01T00:06:00Z"),
        ] {
            assert_eq!(read(written), Some(at(meant)), "{written}");
        }
        for unreadable in
            ["", "soon", "2024", "May 2024", "2024-13-01", "1-2", "31 February 2024", "25:00 on 1 May 2024"]
        {
            assert_eq!(read(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn the_last_is_recent_and_the_day_of_the_week_stays() {
        let now = at("2026-11-30T12:00:00Z");
        let day = Some("8 May 2023");
        let instants =
            instants([day, day, None, Some("1:00 pm on 10 May 2023"), Some("nobody knows")].into_iter(), now);
        let gaps: Vec<i64> = instants.iter().map(|at| (at - instants[0]) / MINUTE_MS).collect();
        assert_eq!(gaps, [0, 1, 2, (48 + 13) * 60, (48 + 13) * 60 + 1]);
        let last = instants[4];
        assert!(last <= now - RECENT_MS && last > now - RECENT_MS - WEEK_MS);
        assert_eq!((instants[0] - at("2023-05-08T00:00:00Z")) % WEEK_MS, 0);
    }

    #[test]
    fn without_any_time_it_is_one_a_minute() {
        let instants = instants([None, None, None].into_iter(), at("2026-11-30T12:00:00Z"));
        assert_eq!(instants.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>(), [MINUTE_MS; 2]);
        assert!(super::instants(std::iter::empty(), 0).is_empty());
    }
}
