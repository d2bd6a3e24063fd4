//! Times that words name ("next Wednesday", "上个月", "в прошлый вторник"), made absolute from the moment they were said
//! (requirements A12). Pure; the zone is the speaker's own.
//!
//! A text is read once, word by word: [`digits`], [`en`], [`ru`] and [`zh`] say what a word or two name, neighbours add
//! up ("tomorrow" + "at 3pm"), and [`calendar`] says which stretch of time that is. A text names a question's time as it
//! does a statement's.
//!
//! What is vague ("soon", "недавно"), returns ("every Friday", "по пятницам", "每周三"), lasts ("for two years"), or
//! counts from another day ("the next day") is no time. Nor is a clock time or a part of the day without its day, unless
//! the sentence tells what was or will be: "I wake at 7am" is every day's.

mod calendar;
mod digits;
mod en;
mod reading;
mod ru;
mod zh;

use jiff::{
    Timestamp, ZonedDateTime,
    civil::{Date, DateTime, Time as Clock},
    tz::TimeZone,
};
use serde::{Deserialize, Serialize};

use self::{
    calendar::{Named, Stretch, Tense, days_after, months_after},
    reading::{Reading, Script},
};
use crate::{
    text::{Language, Normalised},
    time::Moment,
};

/// How many names add up at most: "at 3 | in the afternoon | on Tuesday | of next week".
const NAMES: usize = 5;

/// A stretch of time that words name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Time {
    /// The words.
    pub words: String,
    /// Its first instant, in milliseconds since 1970.
    pub from_ms: i64,
    /// The instant after its last, in milliseconds since 1970.
    pub to_ms: i64,
    /// The same as a reader would write it, in the speaker's zone and as fine as the words: `2026-11-04`,
    /// `2026-11-02/2026-11-08`, `2026-11`, `2026-10/2026-12`, `2026`, `2026-11-04T15:00+08:00`,
    /// `2026-11-04T06:00+08:00/2026-11-04T12:00+08:00` (a part of a day, its end not included).
    pub text: String,
}

/// The times that words name, in their order. English, Chinese and Russian words are read wherever their script stands;
/// of any other language, only dates that give their year and month in digits or in names of these three.
pub fn times(words: &str, language: Language, said: &Moment) -> Vec<Time> {
    if !may_name(words) {
        return Vec::new();
    }
    let normalised = Normalised::new(words);
    let reading = Reading::new(words, &normalised);
    let names = names(&reading, language);
    if names.is_empty() {
        return Vec::new();
    }
    let (Some(zone), Some(now)) = (said.time_zone(), said.timestamp()) else { return Vec::new() };
    let today = zone.to_datetime(now);
    let (mut found, mut at) = (Vec::new(), 0);
    // "On May 11, from 2 PM to 4 PM": the clock beside another day is not today's.
    let only_clocks = names.iter().all(|name| name.named.is_of_clock());
    while at < names.len() {
        match longest(&reading, &names[at..], language, today) {
            Some((count, _)) if !only_clocks && names[at..at + count].iter().all(|name| name.named.is_of_clock()) => {
                at += count;
            }
            Some((count, stretch)) => {
                let (first, last) = (names[at].at, &names[at + count - 1]);
                let words = reading.original(first, last.at + last.tokens - first);
                found.extend(absolute(stretch, words, now, &zone));
                at += count;
            }
            None => at += 1,
        }
    }
    found
}

/// What some tokens name.
struct Name {
    at: usize,
    tokens: usize,
    named: Named,
}

fn names(reading: &Reading, language: Language) -> Vec<Name> {
    let (mut names, mut at) = (Vec::new(), 0);
    while at < reading.words.len() {
        let read = match reading.script(at) {
            Script::Latin => en::read(reading, at),
            Script::Cyrillic => ru::read(reading, at),
            Script::Han => zh::read(reading, at),
            // "3:30 pm", "3月5日" and "5 марта" say more than their digits.
            Script::Digits => en::read(reading, at)
                .or_else(|| zh::read(reading, at))
                .or_else(|| ru::read(reading, at))
                .or_else(|| digits::read(reading, at, language == Language::En)),
            Script::Mark => None,
        };
        match read {
            Some((tokens, named)) if tokens > 0 => {
                names.push(Name { at, tokens, named });
                at += tokens;
            }
            _ => at += 1,
        }
    }
    names
}

/// The stretch that as many of the first names as possible mean together, and how many those are.
fn longest(reading: &Reading, names: &[Name], language: Language, now: DateTime) -> Option<(usize, Stretch)> {
    let (mut sum, mut best) = (Named::default(), None);
    for (i, name) in names.iter().take(NAMES).enumerate() {
        let joined = i == 0 || joins(reading, &names[i - 1], name);
        let Some(both) = sum.and(name.named).filter(|_| joined && name.named != Named::default()) else { break };
        sum = both;
        if language == Language::Other && (sum.year.is_none() || sum.month.is_none()) {
            continue;
        }
        let first = names[0].at;
        let tense = || reading.tense(first, name.at + name.tokens - first);
        let tense = if sum.is_bare() { tense() } else { Tense::Unmarked };
        if let Some(stretch) = sum.stretch(now, tense) {
            best = Some((i + 1, stretch));
        }
    }
    best
}

/// Whether nothing but joining words stands between two names.
fn joins(reading: &Reading, left: &Name, right: &Name) -> bool {
    let between = &reading.words[left.at + left.tokens..right.at];
    // "Last Monday, next month I …": what counts from now begins anew.
    matches!(between, [","]) && right.named.shift.is_none()
        || matches!(
            between,
            [] | ["at" | "on" | "in" | "of" | "the" | "around" | "about" | "t"]
                | ["in" | "of" | "at" | "on", "the" | "around" | "about"]
                | [",", "at" | "on" | "around" | "в" | "во"]
                | ["в" | "во" | "на" | "около" | "к"]
                | ["的" | "在"]
        )
}

/// A stretch of the speaker's calendar on the time line. A local time that a clock change leaves out is moved on by the
/// change; of one that comes twice, it is the first.
fn absolute(stretch: Stretch, words: &str, now: Timestamp, zone: &TimeZone) -> Option<Time> {
    let instant = |local: DateTime| Some(zone.to_ambiguous_timestamp(local).compatible().ok()?.as_millisecond());
    let midnight = |day: Date| instant(day.to_datetime(Clock::midnight()));
    let first_of = |(year, month)| midnight(Date::new(year, month, 1).ok()?);
    let minute = |ms: i64| {
        let at = ZonedDateTime::new(Timestamp::from_millisecond(ms).ok()?, zone.clone());
        Some(at.strftime("%Y-%m-%dT%H:%M%:z").to_string())
    };
    let month_text = |(year, month): (i16, i8)| format!("{year:04}-{month:02}");
    let (from_ms, to_ms, text) = match stretch {
        Stretch::Year(year) => (first_of((year, 1))?, first_of(months_after(year, 1, 12)?)?, format!("{year:04}")),
        Stretch::Months(year, month, count) => {
            let (after, last) =
                (months_after(year, month, count.into())?, months_after(year, month, i32::from(count) - 1)?);
            let first = month_text((year, month));
            let text = if count == 1 { first } else { format!("{first}/{}", month_text(last)) };
            (first_of((year, month))?, first_of(after)?, text)
        }
        Stretch::Days(first, last) => {
            let text = if first == last { first.to_string() } else { format!("{first}/{last}") };
            (midnight(first)?, midnight(days_after(last, 1)?)?, text)
        }
        Stretch::Hours(from, to) => {
            let (from, to) = (instant(from)?, instant(to)?);
            (from, to, format!("{}/{}", minute(from)?, minute(to)?))
        }
        Stretch::Minute(at) => {
            let from = instant(at)?;
            (from, from + 60_000, minute(from)?)
        }
        Stretch::Elapsed(minutes) => {
            let from = now.as_millisecond().checked_add(minutes.checked_mul(60_000)?)?;
            let from = from - from.rem_euclid(60_000);
            (from, from + 60_000, minute(from)?)
        }
    };
    (from_ms < to_ms).then(|| Time { words: words.to_owned(), from_ms, to_ms, text })
}

/// A quick look: whether a text holds the beginning of any word, or any digit, that a time is made of.
fn may_name(text: &str) -> bool {
    let (mut word, mut length) = (['\0'; 3], 0usize);
    for c in text.chars() {
        let lower = match c {
            'a'..='z' | 'а'..='я' | 'ё' => c,
            'A'..='Z' => c.to_ascii_lowercase(),
            'А'..='Я' => char::from_u32(u32::from(c) + 32).unwrap_or(c),
            '0'..='9' | '\u{ff01}'..='\u{ff5e}' => return true,
            '天' | '日' | '周' | '星' | '礼' | '月' | '年' | '季' | '今' | '明' | '昨' | '午' | '晚' | '早' | '晨'
            | '夜' | '时' | '钟' | '点' => return true,
            _ => {
                length = 0;
                continue;
            }
        };
        if length < 3 {
            word[length] = lower;
        }
        length += 1;
        if length == 3 && begins_time(word) {
            return true;
        }
    }
    false
}

/// Whether words for times begin with these letters.
#[rustfmt::skip]
fn begins_time(word: [char; 3]) -> bool {
    matches!(
        word,
        ['t', 'o', 'd' | 'm' | 'n'] | ['y', 'e', 's' | 'a'] | ['d', 'a', 'y'] | ['w', 'e', 'e' | 'd']
            | ['m', 'o', 'n' | 'r'] | ['t', 'u', 'e'] | ['t', 'h', 'u'] | ['f', 'r', 'i'] | ['s', 'a', 't']
            | ['s', 'u', 'n' | 'm'] | ['j', 'a', 'n'] | ['f', 'e', 'b'] | ['m', 'a', 'r' | 'y'] | ['a', 'p', 'r']
            | ['j', 'u', 'n' | 'l'] | ['a', 'u', 'g' | 't'] | ['s', 'e', 'p'] | ['o', 'c', 't']
            | ['n', 'o', 'v' | 'o'] | ['d', 'e', 'c'] | ['s', 'p', 'r'] | ['f', 'a', 'l'] | ['w', 'i', 'n']
            | ['q', 'u', 'a'] | ['h', 'o', 'u'] | ['m', 'i', 'n' | 'd'] | ['a', 'f', 't'] | ['e', 'v', 'e']
            | ['n', 'i', 'g'] | ['с', 'е', 'г' | 'н'] | ['з', 'а', 'в'] | ['п', 'о', 'с' | 'з' | 'л' | 'н']
            | ['в', 'ч', 'е'] | ['у', 'т', 'р'] | ['д', 'н', 'е' | 'ё' | 'я'] | ['в', 'е', 'ч' | 'с']
            | ['д', 'е', 'н' | 'к'] | ['н', 'е', 'д'] | ['м', 'е', 'с'] | ['к', 'в', 'а'] | ['г', 'о', 'д']
            | ['л', 'е', 'т'] | ['ч', 'а', 'с'] | ['м', 'и', 'н'] | ['в', 'т', 'о'] | ['с', 'р', 'е']
            | ['ч', 'е', 'т'] | ['п', 'я', 'т'] | ['с', 'у', 'б'] | ['в', 'о', 'с'] | ['я', 'н', 'в']
            | ['ф', 'е', 'в'] | ['м', 'а', 'р' | 'я' | 'й' | 'е' | 'ю'] | ['а', 'п', 'р'] | ['и', 'ю', 'н' | 'л']
            | ['а', 'в', 'г'] | ['о', 'к', 'т'] | ['н', 'о', 'я'] | ['о', 'с', 'е'] | ['з', 'и', 'м']
            | ['в', 'ы', 'х']
    )
}
