//! Numbers, however they are written.

use std::collections::BTreeSet;

use super::{Normalised, Word, normal, words};

/// The numbers of a text in one canonical form: "two", "две" and "两只" are `2`, "1,000" is `1000`, "１２" is `12`,
/// "50 %" and "百分之五十" are `50%`. Versions ("8.0") and dates keep the text they have.
pub fn numbers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let normalised = Normalised::new(text);
    chinese(normalised.text(), &mut found);
    let words = words::words(text);
    let mut at = 0;
    while at < words.len() {
        at = spelled(&words, at, &mut found).unwrap_or_else(|| written(text, &words, at, &mut found));
    }
    found
}

/// A number in digits at `at`; returns where to go on.
fn written(text: &str, words: &[Word], at: usize, found: &mut BTreeSet<String>) -> usize {
    let word = &words[at].text;
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return at + 1;
    }
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c)).len();
    let (number, unit) = word.split_at(digits);
    if unit.starts_with('-') && unit.chars().all(|c| c == '-' || c.is_ascii_digit() || c == '.') {
        found.extend(word.split('-').map(canonical));
        return at + 1;
    }
    // "3rd", "10gb", "5кг": the digits are a number; "3d-x2" is a name.
    if !unit.chars().all(char::is_alphabetic) {
        return at + 1;
    }
    let (number, next) = grouped(text, words, at, number);
    let mut number = canonical(&number);
    let end = words[next - 1].span.end as usize;
    let behind = text.get(end..).unwrap_or_default().trim_start();
    // "3万" is read with its Chinese scale, in `chinese`.
    if behind.starts_with(['百', '千', '万', '亿']) {
        return next;
    }
    let percent = behind.starts_with(['%', '％'])
        || words.get(next).is_some_and(|word| matches!(word.stem.as_str(), "percent" | "процент"));
    if percent {
        number.push('%');
    }
    found.insert(number);
    next
}

/// "1 000 000": groups of three digits with one space between.
fn grouped(text: &str, words: &[Word], at: usize, number: &str) -> (String, usize) {
    let mut whole = number.to_owned();
    let mut next = at + 1;
    if number.len() <= 3 && number == words[at].text && number.bytes().all(|b| b.is_ascii_digit()) {
        while let Some(group) = words.get(next) {
            let between = text.get(words[next - 1].span.end as usize..group.span.start as usize);
            let spaced = between.is_some_and(|gap| gap.chars().count() == 1 && gap.chars().all(char::is_whitespace));
            if !spaced || group.text.len() != 3 || !group.text.bytes().all(|b| b.is_ascii_digit()) {
                break;
            }
            whole.push_str(&group.text);
            next += 1;
        }
    }
    (whole, next)
}

/// One spelling for a number in digits: no thousands separators, a point before decimals.
fn canonical(number: &str) -> String {
    let mut parts = number.split(',');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    match rest.as_slice() {
        [] => number.to_owned(),
        groups if groups.iter().all(|group| group.split('.').next().is_some_and(|digits| digits.len() == 3)) => {
            number.replace(',', "")
        }
        [decimals] => format!("{first}.{decimals}"),
        _ => number.to_owned(),
    }
}

/// A number in English or Russian words at `at`; returns where to go on.
fn spelled(words: &[Word], at: usize, found: &mut BTreeSet<String>) -> Option<usize> {
    let first = words.get(at)?;
    if matches!(first.text.as_str(), "one" | "ones") && pronoun(words, at) {
        return None;
    }
    if matches!(first.text.as_str(), "полтора" | "полторы" | "полутора") {
        found.insert("1.5".to_owned());
        return Some(at + 1);
    }
    // Smaller words add up inside a group ("two hundred and five"); a scale closes the group ("thousand").
    let (mut total, mut group, mut smallest) = (0u64, 0u64, u64::MAX);
    let mut next = at;
    while let Some(word) = words.get(next) {
        let joint =
            word.text == "and" && group >= 100 && words.get(next + 1).is_some_and(|word| value(&word.text).is_some());
        if joint {
            next += 1;
            continue;
        }
        let Some(value) = value(&word.text) else { break };
        match value {
            100 if word.text == "hundred" => group = group.max(1).saturating_mul(100),
            12 if word.text == "dozen" || word.text == "dozens" => group = group.max(1).saturating_mul(12),
            1_000.. => {
                total = total.saturating_add(group.max(1).saturating_mul(value));
                group = 0;
                smallest = u64::MAX;
                next += 1;
                continue;
            }
            // "two three" are two numbers; "twenty three" is one.
            _ if value >= smallest => break,
            _ => group += value,
        }
        smallest = if value >= 100 {
            100
        } else if value >= 20 {
            10
        } else {
            0
        };
        next += 1;
    }
    if next == at {
        return None;
    }
    let mut number = (total + group).to_string();
    if words.get(next).is_some_and(|word| matches!(word.stem.as_str(), "percent" | "процент")) {
        number.push('%');
    }
    let half = at >= 2 && words[at - 2].text == "half" && words[at - 1].text == "a";
    if half && first.text == "dozen" {
        number = "6".to_owned();
    }
    found.insert(number);
    Some(next)
}

/// "This one", "no one", "one of": no count.
fn pronoun(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).map(|index| words[index].text.as_str()).unwrap_or_default();
    matches!(before, "this" | "that" | "the" | "which" | "each" | "every" | "no" | "any" | "some" | "another" | "a")
        || words.get(at + 1).is_some_and(|word| word.text == "of")
}

fn value(word: &str) -> Option<u64> {
    english(word).or_else(|| russian(word))
}

fn english(word: &str) -> Option<u64> {
    Some(match word {
        "zero" => 0,
        "one" => 1,
        "two" | "couple" | "twice" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        "ten" => 10,
        "eleven" => 11,
        "twelve" | "dozen" | "dozens" => 12,
        "thirteen" => 13,
        "fourteen" => 14,
        "fifteen" => 15,
        "sixteen" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        "twenty" => 20,
        "thirty" => 30,
        "forty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "seventy" => 70,
        "eighty" => 80,
        "ninety" => 90,
        "hundred" => 100,
        "thousand" => 1_000,
        "million" => 1_000_000,
        "billion" => 1_000_000_000,
        _ => return None,
    })
}

/// Every case of a Russian number, the collective ones ("двое") too. "Семью" is left out: it is mostly "family".
fn russian(word: &str) -> Option<u64> {
    Some(match word {
        "ноль" | "нуль" | "ноля" => 0,
        "один" | "одна" | "одно" | "одну" | "одного" | "одной" | "одному" | "одним" => {
            1
        }
        "два" | "две" | "двух" | "двум" | "двумя" | "двое" | "двоих" | "двоим" | "двоими" | "пара" | "пару"
        | "дважды" => 2,
        "три" | "трех" | "трем" | "тремя" | "трое" | "троих" | "троим" | "трижды" => {
            3
        }
        "четыре" | "четырех" | "четырем" | "четырьмя" | "четверо" | "четверых" => {
            4
        }
        "пять" | "пяти" | "пятью" | "пятеро" | "пятерых" => 5,
        "шесть" | "шести" | "шестью" | "шестеро" => 6,
        "семь" | "семи" | "семеро" => 7,
        "восемь" | "восьми" | "восемью" | "восьмью" => 8,
        "девять" | "девяти" | "девятью" => 9,
        "десять" | "десяти" | "десятью" | "десяток" => 10,
        "двенадцать" | "двенадцати" | "двенадцатью" | "дюжина" | "дюжину" | "дюжины" => {
            12
        }
        "сорок" | "сорока" => 40,
        "девяносто" | "девяноста" => 90,
        "сто" | "ста" | "сотня" | "сотню" => 100,
        "двести" | "двухсот" => 200,
        "триста" | "трехсот" => 300,
        "четыреста" | "четырехсот" => 400,
        _ => return russian_by_ending(word),
    })
}

/// The regular ones: "одиннадцатью", "пятидесяти", "семисот", "миллионами".
fn russian_by_ending(word: &str) -> Option<u64> {
    for (stem, value) in [
        ("одиннадцат", 11),
        ("тринадцат", 13),
        ("четырнадцат", 14),
        ("пятнадцат", 15),
        ("шестнадцат", 16),
        ("семнадцат", 17),
        ("восемнадцат", 18),
        ("девятнадцат", 19),
        ("двадцат", 20),
        ("тридцат", 30),
    ] {
        if word.strip_prefix(stem).is_some_and(|ending| matches!(ending, "ь" | "и" | "ью")) {
            return Some(value);
        }
    }
    for (stems, value) in [
        (["пять", "пяти"], 5),
        (["шесть", "шести"], 6),
        (["семь", "семи"], 7),
        (["восемь", "восьми"], 8),
        (["девять", "девяти"], 9),
    ] {
        for stem in stems {
            match word.strip_prefix(stem) {
                Some("десят" | "десяти" | "юдесятью") if value < 9 => return Some(value * 10),
                Some("сот") => return Some(value * 100),
                _ => {}
            }
        }
    }
    let scale = |stem: &str, endings: &[&str]| word.strip_prefix(stem).is_some_and(|ending| endings.contains(&ending));
    if scale("тысяч", &["а", "и", "", "у", "ей", "ью", "ам", "ами", "ах", "е"]) || word == "тыс"
    {
        return Some(1_000);
    }
    let cases = ["", "а", "ов", "у", "ом", "е", "ы", "ам", "ами", "ах"];
    if scale("миллион", &cases) || word == "млн" {
        return Some(1_000_000);
    }
    if scale("миллиард", &cases) || word == "млрд" {
        return Some(1_000_000_000);
    }
    None
}

/// Words that count things; a lone Chinese numeral is a number only before one of them.
const MEASURES: &str = "个只条匹头位名本台辆部家间套张次天年月日号岁周小时分秒点块元美斤公里米度级层楼种份件双对人口期届成折版代款项所支瓶杯碗台集群倍成刻";
/// Words that merely contain a numeral.
const FIXED: [&str; 17] = [
    "一起",
    "一直",
    "一样",
    "一下",
    "一些",
    "一定",
    "一般",
    "一旦",
    "一会",
    "一切",
    "一边",
    "一共",
    "万一",
    "统一",
    "唯一",
    "三明治",
    "一点儿",
];

/// Chinese numerals of a normalised text.
fn chinese(text: &str, found: &mut BTreeSet<String>) {
    let mut text = text.to_owned();
    for fixed in FIXED {
        text = text.replace(fixed, "、");
    }
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c| digit(c).is_some() || unit(c).is_some() || c == '俩' || c == '仨') {
        let (before, here) = rest.split_at(start);
        let run = &here[..here.find(|c| digit(c).is_none() && unit(c).is_none()).unwrap_or(here.len())];
        if run.is_empty() {
            found.insert(if here.starts_with('俩') { "2" } else { "3" }.to_owned());
            rest = &here['俩'.len_utf8()..];
            continue;
        }
        let after = &here[run.len()..];
        let counted = after.chars().next().is_some_and(|c| MEASURES.contains(c));
        let long = run.chars().count() > 1 && run.chars().any(normal::han);
        // "3万" begins with digits of its own: the whole is one number.
        let lead = &before[before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len()..];
        if let (Ok(lead), Some(scale)) = (lead.parse::<f64>(), run.chars().next().and_then(unit)) {
            if scale >= 100 {
                found.insert(format!("{}", (lead * scale as f64).round()));
            }
        } else if let Some(share) = after.strip_prefix("分之").filter(|_| run == "百") {
            let end = share.find(|c| digit(c).is_none() && unit(c).is_none()).unwrap_or(share.len());
            found.extend(parse(&share[..end]).into_iter().map(|number| format!("{number}%")));
            rest = &share[end..];
            continue;
        } else if (counted || long || before.ends_with('第')) && !figurative(run, after) {
            found.extend(parse(run));
        }
        rest = after;
    }
}

/// "一点" (a little), "十分" (very), "千万" (by all means): numerals that count nothing.
fn figurative(run: &str, after: &str) -> bool {
    match run {
        "一" => after.starts_with('点'),
        "十" => after.starts_with('分') && !after.starts_with("分钟"),
        "千万" => after.starts_with(['别', '不', '要']),
        _ => false,
    }
}

/// The numbers of a run of numerals: "三十五" is one, "二零二四" is a year, "两三" are two.
fn parse(run: &str) -> Vec<String> {
    if run.chars().all(|c| digit(c).is_some()) {
        let digits: Vec<String> = run.chars().filter_map(digit).map(|digit| digit.to_string()).collect();
        return if digits.len() > 2 || run.contains(['零', '〇']) { vec![digits.concat()] } else { digits };
    }
    let (mut total, mut section, mut current, mut last_unit) = (0u64, 0u64, None, 1u64);
    for c in run.chars() {
        if let Some(digit) = digit(c) {
            current = Some(digit);
            if digit == 0 {
                last_unit = 1;
            }
        } else if let Some(unit) = unit(c) {
            if unit >= 10_000 {
                total = total.saturating_add((section + current.unwrap_or(0)).max(1).saturating_mul(unit));
                section = 0;
            } else {
                section = section.saturating_add(current.unwrap_or(1).saturating_mul(unit));
            }
            current = None;
            last_unit = unit;
        }
    }
    // "三百五" leaves the last unit unsaid: 350.
    let tail = current.map_or(0, |digit| if last_unit >= 100 { digit * (last_unit / 10) } else { digit });
    vec![(total + section + tail).to_string()]
}

/// The value of a Chinese numeral for one digit.
pub(crate) fn digit(c: char) -> Option<u64> {
    Some(match c {
        '零' | '〇' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

fn unit(c: char) -> Option<u64> {
    Some(match c {
        '十' => 10,
        '百' => 100,
        '千' => 1_000,
        '万' => 10_000,
        '亿' => 100_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_number_has_one_form() {
        for (text, expected) in [
            ("I have two dogs and 3 cats", vec!["2", "3"]),
            ("a dozen eggs, half a dozen rolls", vec!["12", "6"]),
            ("two hundred and thirty-five thousand", vec!["235000"]),
            ("1,000 or 1 000 000 or 1,5", vec!["1.5", "1000", "1000000"]),
            ("MySQL 8.0 and 50 % of 10gb, 3rd", vec!["10", "3", "50%", "8.0"]),
            ("this one, no one, one of us", vec![]),
            ("one dog", vec!["1"]),
            ("two three", vec!["2", "3"]),
            ("twenty percent on 2024-05-01", vec!["01", "05", "20%", "2024"]),
            ("x-200 mp3", vec![]),
            ("двое детей, две кошки и двумя руками", vec!["2"]),
            ("тридцать пять лет, пятьюдесятью, семисот", vec!["35", "50", "700"]),
            ("две тысячи триста рублей", vec!["2300"]),
            ("пять миллионов; полтора года", vec!["1.5", "5000000"]),
            ("люблю свою семью", vec![]),
            ("我有两只猫，三十五岁", vec!["2", "35"]),
            ("１２台，百分之五十，３万人", vec!["12", "30000", "50%"]),
            ("二零二四年有两三个人，三百五十块", vec!["2", "2024", "3", "350"]),
            ("我们一起去，十分喜欢，万一呢，一点也不", vec![]),
            ("我们俩有一个孩子", vec!["1", "2"]),
            ("一百零五人，两千五", vec!["105", "2500"]),
        ] {
            assert_eq!(numbers(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC*|[0-9 ,.%a-z零一二两三十百千万亿分之俩年двести-]{0,40}") {
            let _ = numbers(&text);
        }
    }
}
