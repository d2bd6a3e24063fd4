//! English words for times.

mod words;

use jiff::civil::Weekday;

use self::words::{day, is_name, is_verb, long_unit, month, number, ordinal, part, season, small, unit, weekday};
use super::{
    calendar::{Clock, Named, Part, Portion, Tense, Unit, Which},
    digits,
    reading::{Reading, Script},
};

/// The time whose words begin at `at`, with the tokens they take. A time that is none ("Black Friday") is taken whole and
/// names nothing.
pub(super) fn read(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let void = |tokens| Some((tokens, Named::default()));
    let words = &reading.words[at..];
    let some = |tokens, unit, by| Some((tokens, Named::shift(unit, by)));
    match words {
        ["the", "day", "after", "tomorrow", ..] => some(4, Unit::Day, 2),
        ["the", "day", "before", "yesterday", ..] => some(4, Unit::Day, -2),
        ["day", "after", "tomorrow", ..] => some(3, Unit::Day, 2),
        ["day", "before", "yesterday", ..] => some(3, Unit::Day, -2),
        ["today", ..] => some(1, Unit::Day, 0),
        ["tomorrow", ..] => some(1, Unit::Day, 1),
        ["yesterday", ..] => some(1, Unit::Day, -1),
        ["tonight", ..] => Some((1, Named { part: Some(Part::EVENING), ..Named::shift(Unit::Day, 0) })),
        ["last", "night", ..] => Some((2, Named { part: Some(Part::NIGHT), ..Named::shift(Unit::Day, -1) })),
        ["this", word, ..] if let Some(part) = part(word) => {
            Some((2, Named { part: Some(part), ..Named::shift(Unit::Day, 0) }))
        }
        ["good", word, ..] if part(word).is_some() => void(2),
        ["in", "the", word, ..] if let Some(part) = part(word) => {
            Some((3, Named { part: Some(part), ..Named::default() }))
        }
        ["at", "night", ..] => Some((2, Named { part: Some(Part::NIGHT), ..Named::default() })),
        ["the", word, "after", "next", ..] if let Some(unit) = long_unit(word) => some(4, unit, 2),
        ["the", word, "before", "last", ..] if let Some(unit) = long_unit(word) => some(4, unit, -2),
        ["this", "coming", ..] | ["this", "past", ..] => {
            pointed(reading, at + 1).map(|(tokens, named)| (tokens + 1, named))
        }
        ["this" | "next" | "last" | "past" | "coming", ..] => pointed(reading, at),
        ["the" | "end" | "beginning" | "start" | "middle" | "early" | "late" | "mid", ..] => portion(words),
        _ => clock(reading, at)
            .or_else(|| dated(reading, at))
            .or_else(|| elapsed(reading, at))
            .or_else(|| named_day(reading, at))
            .or_else(|| among_months(reading, at)),
    }
}

/// "Next week", "last Friday", "the past 3 months", "this May".
fn pointed(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let which = match *words.first()? {
        "this" => Which::This,
        "next" => Which::Next,
        "last" => Which::Last,
        "past" => Which::Begun,
        "coming" => Which::Coming,
        _ => return None,
    };
    let ahead = matches!(which, Which::Next | Which::Coming);
    let definite = reading.before(at) == "the";
    let void = |tokens| Some((tokens, Named::default()));
    if which != Which::This
        && let Some((tokens, count)) = number(&words[1..])
        && let Some(unit) = words.get(1 + tokens).and_then(|word| unit(word))
    {
        return Some((2 + tokens, Named::running(unit, if ahead { count } else { -count })));
    }
    let word = *words.get(1)?;
    let of = words.get(2) == Some(&"of") && which != Which::This;
    if let Some(unit) = unit(word).filter(|_| !word.ends_with('s')) {
        // "The next day" counts from another day, "the last week of May" from its month.
        let running = which == Which::Begun || (definite && which != Which::This);
        return match unit {
            _ if of => void(2),
            Unit::Day | Unit::Hour | Unit::Minute => void(2),
            _ if running => Some((2, Named::running(unit, if ahead { 1 } else { -1 }))),
            _ => Some((
                2,
                Named::shift(
                    unit,
                    if which == Which::This {
                        0
                    } else if ahead {
                        1
                    } else {
                        -1
                    },
                ),
            )),
        };
    }
    let plain = Named { which: Some(which), ..Named::default() };
    let named = if word == "weekend" {
        Named { weekend: Some(()), ..plain }
    } else if let Some(weekday) = weekday(word).or_else(|| short_weekday(reading, at + 1)) {
        Named { weekday: Some(weekday), ..plain }
    } else if let Some(month) = season(word) {
        Named { season: Some(month), ..plain }
    } else {
        let doubtful = is_verb(word) && !reading.is_capital(at + 1);
        let month = month(word).filter(|_| !doubtful)?;
        Named { month: Some(month), ..plain }
    };
    // "The last Friday" is that of some month.
    if of || (definite && which != Which::This && named.season.is_none()) { void(2) } else { Some((2, named)) }
}

/// "Two weeks ago", "in three days", "half an hour ago", "within 2 months".
fn elapsed(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let lead = matches!(words[0], "in" | "within").then_some(words[0]);
    let from = usize::from(lead.is_some());
    let (tokens, count, unit) = match &words[from..] {
        ["half", "a" | "an", "year", ..] => (3, 6, Unit::Month),
        ["half", "a" | "an", "hour", ..] => (3, 30, Unit::Minute),
        rest => {
            let (tokens, count) = number(rest)?;
            (tokens + 1, count, unit(rest.get(tokens)?)?)
        }
    };
    let end = from + tokens;
    match (lead, &words[end..]) {
        (None, ["ago", ..]) => Some((end + 1, Named::shift(unit, -count))),
        (None | Some("in"), ["from", "now", ..]) => Some((end + 2, Named::shift(unit, count))),
        (Some("in"), ["'", "time", ..]) => Some((end + 2, Named::shift(unit, count))),
        (Some("in"), ["'", "s", "time", ..]) => Some((end + 3, Named::shift(unit, count))),
        (Some(_), ["of" | "or" | "'" | "after" | "before", ..]) => None,
        // "In a day" and "in a minute" count nothing; "I wrote it in three days" is how long it took.
        (Some("in"), _) if count > 1 || matches!(unit, Unit::Week | Unit::Month | Unit::Year) => {
            let took = matches!(reading.tense(at, end), Tense::Past | Tense::Habit);
            let often = matches!(reading.before(at), "times" | "twice" | "once" | "hours" | "days" | "time");
            (!took && !often).then(|| (end, Named::shift(unit, count)))
        }
        (Some("within"), _) if reading.tense(at, end) != Tense::Past => Some((end, Named::running(unit, count))),
        _ => None,
    }
}

/// "The end of the month", and "the end of", "early", "mid-" before what they are parts of.
fn portion(words: &[&str]) -> Option<(usize, Named)> {
    let the = usize::from(words[0] == "the");
    let (tokens, portion) = match &words[the..] {
        ["end", "of", ..] => (2, Portion::End),
        ["beginning" | "start", "of", ..] => (2, Portion::Beginning),
        ["middle", "of", ..] => (2, Portion::Middle),
        ["late", ..] => (1, Portion::End),
        ["early", ..] => (1, Portion::Beginning),
        ["mid", "-", ..] => (2, Portion::Middle),
        ["mid", ..] => (1, Portion::Middle),
        _ => return None,
    };
    let named = Named { portion: Some(portion), ..Named::default() };
    let end = the + tokens;
    match &words[end..] {
        ["the" | "this", word, ..] if let Some(unit) = long_unit(word) => {
            Some((end + 2, Named { shift: Some((unit, 0)), ..named }))
        }
        _ => Some((end, named)),
    }
}

/// "3pm", "15:00", "half past four", "noon", "at 3".
fn clock(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let named = |clock| Named { clock: Some(clock), ..Named::default() };
    let hour = |word: &str| small(word).or_else(|| digits::count(word)).and_then(|hour| i8::try_from(hour).ok());
    let (tokens, hour, minute) = match words {
        ["noon" | "midday", ..] => return Some((1, named(Clock { hour: 12, minute: 0, exact: true }))),
        ["half", "past", h, ..] => (3, hour(h)?, 30),
        ["quarter", "past", h, ..] => (3, hour(h)?, 15),
        ["quarter", "to", h, ..] => (3, hour(h)?.checked_sub(1)?, 45),
        ["at", h, ..] if !matches!(words.get(2), Some(&(":" | "am" | "pm" | "a" | "p" | "." | "," | "%"))) => {
            (2, hour(h)?, 0)
        }
        [h, ":", m, ..] if m.len() == 2 && reading.is_solid(at, 3) => (3, hour(h)?, m.parse().ok()?),
        [h, ..] => (1, hour(h)?, 0),
        [] => return None,
    };
    let (more, half) = match &words[tokens..] {
        ["am", ..] => (1, Some(0)),
        ["pm", ..] => (1, Some(12)),
        ["a", ".", "m", ".", ..] => (4, Some(0)),
        ["p", ".", "m", ".", ..] => (4, Some(12)),
        ["o", "'", "clock", ..] => (3, None),
        _ => (0, None),
    };
    if !(0..=12).contains(&hour) || !(0..60).contains(&minute) || (tokens + more == 1) {
        return None;
    }
    // What is in digits without its half of the day is read as every language reads it.
    if half.is_none() && words.get(1) == Some(&":") {
        return None;
    }
    Some((
        tokens + more,
        named(match half {
            Some(half) => Clock { hour: hour % 12 + half, minute, exact: true },
            None => Clock { hour, minute, exact: false },
        }),
    ))
}

/// "March 5, 2026", "the 5th of March", "May 2019".
fn dated(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let sure = |word: &str, at| !is_verb(word) || reading.is_capital(at);
    let (mut tokens, month, day) = if let Some(month) = month(words[0]) {
        match day(&words[1..]) {
            Some((tokens, day)) => {
                let suffixed = tokens > 1;
                if !(sure(words[0], at) || (suffixed || reading.before(at) == "on") && words[0] != "may")
                    || is_counted(words.get(1 + tokens)) && !suffixed
                {
                    return None;
                }
                (1 + tokens, month, Some(day))
            }
            None => (1, month, None),
        }
    } else {
        let (tokens, day) = day(words)?;
        if let ["of", "this" | "next" | "last", "month", ..] = words[tokens..] {
            return Some((tokens, Named { day: Some(day), ..Named::default() }));
        }
        let of = usize::from(words.get(tokens) == Some(&"of"));
        let month = month(words.get(tokens + of)?)?;
        if !sure(words[tokens + of], at + tokens + of) && tokens + of == 1 {
            return None;
        }
        (tokens + of + 1, month, Some(day))
    };
    let comma = usize::from(words.get(tokens) == Some(&","));
    let year = words.get(tokens + comma).and_then(|word| digits::year(word));
    if year.is_some() {
        tokens += comma + 1;
    }
    if day.is_none() && year.is_none() {
        return None;
    }
    Some((tokens, Named { year, month: Some(month), day, ..Named::default() }))
}

/// "On Wednesday", "Saturday", "over the weekend".
fn named_day(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let before = reading.before(at);
    if words[0] == "weekend" {
        let told = matches!(before, "the") && reading.tense(at, 1) != Tense::Unmarked;
        return told.then_some((1, Named { weekend: Some(()), ..Named::default() }));
    }
    if let Some(part) = part(words[0]) {
        // A part of the day is one beside its day only: "my morning was" names none.
        let beside =
            weekday(before).is_some() || matches!(before, "yesterday" | "tomorrow" | "st" | "nd" | "rd" | "th");
        let beside = beside || digits::count(before).is_some() || words.get(1) == Some(&"of");
        let day = Named { part: Some(part), ..Named::default() };
        return beside.then_some((1 + usize::from(words.get(1) == Some(&"of")), day));
    }
    let day = weekday(words[0]).or_else(|| short_weekday(reading, at))?;
    // A working week and names of days and papers.
    match &words[1..] {
        ["to" | "through" | "thru" | "-", other, ..] if weekday(other).is_some() => return Some((3, Named::default())),
        ["the", ..] if words.get(3) == Some(&"th") => return Some((4, Named::default())),
        _ => {}
    }
    let next = words.get(1).copied().unwrap_or_default();
    let leads =
        matches!(before, "on" | "by" | "since" | "until" | "till" | "for" | "before" | "after" | "from" | "," | "");
    let titled = reading.is_capital(at + 1) && next != "i" && month(next).is_none() && part(next).is_none();
    let titled = titled && reading.script(at + 1) == Script::Latin && !leads;
    let one_of_many = matches!(
        before,
        "the"
            | "a"
            | "an"
            | "black"
            | "good"
            | "cyber"
            | "palm"
            | "easter"
            | "super"
            | "fat"
            | "ash"
            | "casual"
            | "any"
    );
    if titled || one_of_many || matches!(next, "school" | "times" | "best") {
        return Some((1, Named::default()));
    }
    Some((1, Named { weekday: Some(day), which: leaning(before), ..Named::default() }))
}

/// "In May", "in 2019", "Q3", "the summer of 2019".
fn among_months(reading: &Reading, at: usize) -> Option<(usize, Named)> {
    let words = &reading.words[at..];
    let before = reading.before(at);
    let next = words.get(1).copied().unwrap_or_default();
    let leads = matches!(
        before,
        "in" | "since"
            | "by"
            | "from"
            | "until"
            | "till"
            | "during"
            | "before"
            | "after"
            | "of"
            | "early"
            | "late"
            | "mid"
            | "-"
    );
    if let Some(year) = digits::year(words[0]) {
        let whole = !reading.touches_next(at) || matches!(next, "." | "," | "!" | "?" | ")" | ";" | "'");
        let leads = (leads && before != "-") || before == "year" || season(before).is_some();
        return (whole && leads && !is_counted(Some(&next)))
            .then(|| (1, Named { year: Some(year), ..Named::default() }));
    }
    if let Some(month) = season(words[0]) {
        return Some((1, Named { season: Some(month), ..Named::default() }));
    }
    match words {
        ["q", quarter @ ("1" | "2" | "3" | "4"), ..] if reading.touches_next(at) => {
            return Some((2, Named { quarter: Some(digits::day(quarter)?), ..Named::default() }));
        }
        [word, "quarter", "of", ..] if let Some(quarter) = ordinal(word).filter(|quarter| *quarter < 5) => {
            return Some((3, Named { quarter: Some(quarter), ..Named::default() }));
        }
        _ => {}
    }
    let month = month(words[0])?;
    let told = if is_verb(words[0]) || is_name(words[0]) { leads } else { leads || reading.is_capital(at) };
    told.then_some((1, Named { month: Some(month), which: leaning(before), ..Named::default() }))
}

/// "Since Monday" is behind, "by Monday" ahead, whatever the tense.
fn leaning(before: &str) -> Option<Which> {
    match before {
        "since" => Some(Which::Begun),
        "by" | "until" | "till" | "for" => Some(Which::Coming),
        _ => None,
    }
}

/// Whether a number counts what follows: "May 5 people come", "in 2000 shops".
fn is_counted(next: Option<&&str>) -> bool {
    let Some(next) = next else { return false };
    let plural =
        next.len() > 3 && next.ends_with('s') && !matches!(*next, "was" | "this" | "always" | "perhaps" | "does");
    plural || matches!(*next, "people" | "km" | "percent" | "men" | "women" | "children" | "s")
}

/// "On Fri", but not "he sat" or "the Sun".
fn short_weekday(reading: &Reading, at: usize) -> Option<Weekday> {
    let day = match *reading.words.get(at)? {
        "mon" => Weekday::Monday,
        "tue" | "tues" => Weekday::Tuesday,
        "wed" => Weekday::Wednesday,
        "thu" | "thur" | "thurs" => Weekday::Thursday,
        "fri" => Weekday::Friday,
        "sat" => Weekday::Saturday,
        "sun" => Weekday::Sunday,
        _ => return None,
    };
    let led = matches!(reading.before(at), "on" | "next" | "last" | "this" | "by" | "since" | "until" | "till");
    (led && reading.is_capital(at)).then_some(day)
}

/// What the word at `at` says of the tense of its sentence.
pub(super) fn tense(reading: &Reading, at: usize) -> Option<Tense> {
    let word = reading.words[at];
    let before = reading.before(at);
    match word {
        "every" | "each" | "usually" | "normally" | "often" | "sometimes" | "always" | "typically" | "weekly" => {
            return Some(Tense::Habit);
        }
        "birthday" | "birthdays" | "born" | "anniversary" => return Some(Tense::Yearly),
        "will" | "ll" | "gonna" | "shall" | "plan" | "planning" | "let" | "tomorrow" => return Some(Tense::Future),
        "going" if reading.words.get(at + 1) == Some(&"to") => return Some(Tense::Future),
        _ => {}
    }
    const PAST: &str = "was were had did went came saw met got took made said told bought left began started had been \
        gave found felt knew thought became brought kept lost paid sent spent built ran sat slept spoke stood taught \
        wrote won wore woke ate drank drove fell flew forgot heard held led read rode sold sang swam threw understood \
        broke caught chose hurt quit hit put set";
    let past = PAST.split(' ').any(|past| past == word);
    let regular = word.len() > 4 && word.ends_with("ed") && !matches!(word, "hundred" | "speed" | "indeed" | "exceed");
    if !past && !regular {
        return None;
    }
    // "Is scheduled for", "will be moved to" say nothing of the past; "to read", "I put" may be any tense.
    let earlier = at.checked_sub(2).map_or("", |at| reading.words[at]);
    let now = |word| matches!(word, "is" | "are" | "am" | "m" | "re" | "be" | "being" | "get" | "s" | "to");
    let same_form = matches!(word, "read" | "put" | "set" | "hit" | "quit" | "hurt");
    let timeless = now(before) || regular && now(earlier) || same_form;
    (!timeless).then_some(Tense::Past)
}
