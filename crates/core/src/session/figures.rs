//! Numbers together with what they count.

use crate::text::{self, Word};

/// Ideographs behind a number that still say what it counts.
const COUNTED_ZH: usize = 4;
/// Chinese numerals.
const NUMERALS_ZH: &str = "一二两三四五六七八九十百千万亿零";
/// Signs of money, before or behind a number.
const MONEY: [char; 7] = ['$', '€', '£', '¥', '￥', '₽', '₴'];

/// Every number of a text that says what it counts, with that, as it is written: "3 dogs", "две кошки", "50 %", "三台服务器".
pub(super) fn quantities<'a>(text: &'a str, words: &'a [Word]) -> impl Iterator<Item = String> + 'a {
    let mut next = 0;
    std::iter::from_fn(move || {
        while next < words.len() {
            let start = next;
            next = number(text, words, start);
            if next == start {
                next += 1;
                continue;
            }
            let Some((from, to)) = counted(text, words, start, next) else { continue };
            next = words.iter().position(|word| word.span.start as usize >= to).unwrap_or(words.len());
            return text.get(from..to).map(str::to_owned);
        }
        None
    })
}

/// Where the number that begins at a word ends; the same word if none does.
fn number(text: &str, words: &[Word], start: usize) -> usize {
    let digits = |word: &Word| word.text.starts_with(|c: char| c.is_ascii_digit());
    let numeral = |word: &Word| word.is_ideograph() && NUMERALS_ZH.contains(&word.text);
    let spelled = |word: &Word| {
        // "One" and its like are mostly pronouns.
        let number = word.text.chars().all(char::is_alphabetic) && !word.stop;
        number && text::numbers(&word.text).iter().any(|number| number != "1")
    };
    let first = &words[start];
    let (mut end, ideographs) = (start + 1, numeral(first));
    if digits(first) {
        let grouped = |word: &Word| word.text.len() == 3 && word.text.bytes().all(|byte| byte.is_ascii_digit());
        while words.get(end).is_some_and(grouped) && gap(text, &words[end - 1], &words[end]) == " " {
            end += 1;
        }
        return end;
    }
    if !ideographs && !spelled(first) {
        return start;
    }
    while words.get(end).is_some_and(|word| {
        let between = gap(text, &words[end - 1], word);
        if ideographs { numeral(word) && between.is_empty() } else { spelled(word) && between == " " }
    }) {
        end += 1;
    }
    end
}

/// Number and unit, in bytes; `None` for a number that stands alone.
fn counted(text: &str, words: &[Word], start: usize, end: usize) -> Option<(usize, usize)> {
    let (first, last) = (&words[start], &words[end - 1]);
    let (from, to) = (first.span.start as usize, last.span.end as usize);
    let money = text[..from].trim_end_matches(' ').chars().next_back().filter(|c| MONEY.contains(c));
    if let Some(sign) = money {
        return Some((text[..from].rfind(sign)?, to));
    }
    let behind = text[to..].trim_start_matches([' ', '\u{a0}']);
    if let Some(sign) = behind.chars().next().filter(|c| MONEY.contains(c) || matches!(c, '%' | '％')) {
        return Some((from, text.len() - behind.len() + sign.len_utf8()));
    }
    let unit = last.text.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
    if last.text.starts_with(|c: char| c.is_ascii_digit()) && !unit.is_empty() {
        let ordinal = matches!(unit, "st" | "nd" | "rd" | "th");
        return (!ordinal && unit.chars().all(char::is_alphabetic)).then_some((from, to));
    }
    let next = words.get(end)?;
    let between = gap(text, last, next);
    if next.is_ideograph() {
        let measured = first.text.is_ascii() || !text::numbers(text.get(from..next.span.end as usize)?).is_empty();
        if !measured || !between.is_empty() || next.stop {
            return None;
        }
        let touching = |at: &usize| gap(text, &words[*at - 1], &words[*at]).is_empty();
        let noun = |at: &usize| words[*at].is_ideograph() && !words[*at].stop && touching(at);
        let count = (end..words.len().min(end + COUNTED_ZH)).take_while(noun).count();
        return Some((from, words[end + count - 1].span.end as usize));
    }
    let names = next.text.starts_with(char::is_alphabetic) && !next.stop;
    (names && matches!(between, " " | "\u{a0}" | "-")).then_some((from, next.span.end as usize))
}

/// What stands between two words.
fn gap<'a>(text: &'a str, a: &Word, b: &Word) -> &'a str {
    text.get(a.span.end as usize..b.span.start as usize).unwrap_or_default()
}
