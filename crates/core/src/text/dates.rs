//! Months and days of the week, in one form for every language and case.

use std::collections::BTreeSet;

use super::{flat::starts_with_any, words};

/// The months and days of the week that a text names, in one form: "May", "мая" and "5月" are `month 5`.
///
/// English "may" and "march" count only with their capital or behind a preposition or number: both are verbs.
pub fn dates(text: &str) -> BTreeSet<String> {
    let words = words(text);
    let mut dates = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let written = word.span.of(text).unwrap_or_default();
        let before = at.checked_sub(1).map_or("", |before| words[before].text.as_str());
        let certain = written.starts_with(char::is_uppercase) && at > 0
            || matches!(before, "in" | "since" | "until" | "till" | "by" | "last" | "next" | "of" | "early" | "late")
            || before.ends_with(|c: char| c.is_ascii_digit());
        dates.extend(named(&word.text, certain));
        if word.text == "月" {
            let numeral = |word: &&super::Word| word.text.chars().all(|c| c.is_ascii_digit() || NUMERALS.contains(c));
            let from = at - words[..at].iter().rev().take_while(numeral).count();
            let written = words.get(from).and_then(|first| text.get(first.span.start as usize..word.span.end as usize));
            let number = super::numbers(written.unwrap_or_default()).into_iter().next();
            dates.extend(number.map(|number| format!("month {number}")));
        }
        let week = word.is_ideograph() && at >= 2 && matches!(before, "期" | "周" | "拜");
        if week && let Some(day) = "一二三四五六日天".chars().position(|day| word.text.starts_with(day)) {
            dates.insert(format!("day {}", day.min(6) + 1));
        }
    }
    dates
}

/// Chinese numerals of months.
const NUMERALS: &str = "一二三四五六七八九十";
const MONTHS: [(&str, &str); 12] = [
    ("january|jan", "январ"),
    ("february|feb", "феврал"),
    ("march", "март"),
    ("april|apr", "апрел"),
    ("may", "май|мая|маю|мае"),
    ("june|jun", "июн"),
    ("july|jul", "июл"),
    ("august|aug", "август"),
    ("september|sept|sep", "сентябр"),
    ("october|oct", "октябр"),
    ("november|nov", "ноябр"),
    ("december|dec", "декабр"),
];
const DAYS: [(&str, &str); 7] = [
    ("monday|mondays|mon", "понедельник"),
    ("tuesday|tuesdays|tue", "вторник"),
    ("wednesday|wednesdays|wed", "сред"),
    ("thursday|thursdays|thu", "четверг"),
    ("friday|fridays|fri", "пятниц"),
    ("saturday|saturdays|sat", "суббот"),
    ("sunday|sundays|sun", "воскресень"),
];

fn named(word: &str, certain: bool) -> Option<String> {
    let doubtful = matches!(word, "may" | "march" | "sun" | "sat" | "wed" | "mon" | "jan" | "dec" | "mar");
    if doubtful && !certain {
        return None;
    }
    let place = |list: &[(&str, &str)]| {
        list.iter().position(|(english, russian)| super::flat::one_of(english, word) || short_ending(word, russian))
    };
    let month = place(&MONTHS).map(|at| format!("month {}", at + 1));
    month.or_else(|| place(&DAYS).map(|at| format!("day {}", at + 1)))
}

/// A stem with a case ending behind it.
fn short_ending(word: &str, stems: &str) -> bool {
    starts_with_any(word, stems)
        && stems.split('|').filter_map(|stem| word.strip_prefix(stem)).any(|ending| ending.chars().count() <= 3)
        // "Средний", "маяк".
        && !starts_with_any(word, "средн|средст|маяк|майк|майон|мартыш")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_and_days_have_one_form() {
        for (text, expected) in [
            ("I moved in May", vec!["month 5"]),
            ("I may move", vec![]),
            ("on 3 march, a Tuesday", vec!["day 2", "month 3"]),
            ("5月搬家，每周三开会", vec!["day 3", "month 5"]),
            ("十二月和星期天", vec!["day 7", "month 12"]),
            ("в мае и по средам", vec!["day 3", "month 5"]),
            ("средний маяк", vec![]),
        ] {
            assert_eq!(dates(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
