//! English words for numbers, units, days and months.

use jiff::civil::Weekday;

use crate::when::{
    calendar::{Part, Unit},
    digits,
};

pub(super) fn number(words: &[&str]) -> Option<(usize, i32)> {
    match words {
        ["a", "couple", "of", ..] => Some((3, 2)),
        ["couple", "of", ..] => Some((2, 2)),
        ["a" | "an", ..] => Some((1, 1)),
        [tens @ ("twenty" | "thirty" | "forty" | "fifty"), "-", ones, ..] if let Some(one @ 1..=9) = small(ones) => {
            Some((3, small(tens)? + one))
        }
        [tens @ ("twenty" | "thirty" | "forty" | "fifty"), ones, ..] if let Some(one @ 1..=9) = small(ones) => {
            Some((2, small(tens)? + one))
        }
        [word, ..] => Some((1, small(word).or_else(|| digits::count(word))?)),
        [] => None,
    }
}

pub(super) fn small(word: &str) -> Option<i32> {
    const SMALL: [&str; 20] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    match word {
        "thirty" => Some(30),
        "forty" => Some(40),
        "fifty" => Some(50),
        _ => SMALL.iter().position(|small| *small == word).and_then(|at| i32::try_from(at + 1).ok()),
    }
}

/// The day of a month: "5", "5th", "fifth", "twenty-first".
pub(super) fn day(words: &[&str]) -> Option<(usize, i8)> {
    match words {
        [day, "st" | "nd" | "rd" | "th", ..] => Some((2, digits::day(day)?)),
        [tens @ ("twenty" | "thirty"), "-", ones, ..] => {
            let day = i8::try_from(small(tens)?).ok()? + ordinal(ones).filter(|one| *one < 10)?;
            (day <= 31).then_some((3, day))
        }
        [day, ..] => digits::day(day).or_else(|| ordinal(day)).map(|day| (1, day)),
        [] => None,
    }
}

pub(super) fn ordinal(word: &str) -> Option<i8> {
    const ORDINALS: [&str; 20] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    match word {
        "thirtieth" => Some(30),
        _ => ORDINALS.iter().position(|ordinal| *ordinal == word).and_then(|at| i8::try_from(at + 1).ok()),
    }
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "minute" | "minutes" | "min" | "mins" => Unit::Minute,
        "hour" | "hours" => Unit::Hour,
        "day" | "days" => Unit::Day,
        "week" | "weeks" => Unit::Week,
        "month" | "months" => Unit::Month,
        "quarter" | "quarters" => Unit::Quarter,
        "year" | "years" => Unit::Year,
        _ => return None,
    })
}

/// A unit of which the end and the one after next are spoken.
pub(super) fn long_unit(word: &str) -> Option<Unit> {
    unit(word)
        .filter(|unit| matches!(unit, Unit::Week | Unit::Month | Unit::Quarter | Unit::Year) && !word.ends_with('s'))
}

pub(super) fn part(word: &str) -> Option<Part> {
    Some(match word {
        "morning" => Part::MORNING,
        "afternoon" => Part::AFTERNOON,
        "evening" => Part::EVENING,
        "night" => Part::NIGHT,
        _ => return None,
    })
}

pub(super) fn season(word: &str) -> Option<i8> {
    Some(match word {
        "spring" => 3,
        "summer" => 6,
        "autumn" | "fall" => 9,
        "winter" => 12,
        _ => return None,
    })
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    })
}

pub(super) fn month(word: &str) -> Option<i8> {
    Some(match word {
        "january" | "jan" => 1,
        "february" | "feb" => 2,
        "march" | "mar" => 3,
        "april" | "apr" => 4,
        "may" => 5,
        "june" | "jun" => 6,
        "july" | "jul" => 7,
        "august" | "aug" => 8,
        "september" | "sep" | "sept" => 9,
        "october" | "oct" => 10,
        "november" | "nov" => 11,
        "december" | "dec" => 12,
        _ => return None,
    })
}

pub(super) fn is_verb(month: &str) -> bool {
    matches!(month, "may" | "march" | "mar")
}

pub(super) fn is_name(month: &str) -> bool {
    matches!(month, "april" | "june" | "august" | "jan" | "dec" | "apr")
}
