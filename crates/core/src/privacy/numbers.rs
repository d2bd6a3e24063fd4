//! Runs of digits that are too long or too regular to be an amount, a date or a version.

use std::collections::VecDeque;

use super::{checks, scan::Scan};

/// Digits without a mark between them.
struct Group {
    start: usize,
    end: usize,
    digits: Vec<u32>,
    /// The marks before it; empty for the first.
    gap: String,
}

impl Group {
    fn len(&self) -> usize {
        self.digits.len()
    }

    fn number(&self) -> u64 {
        self.digits.iter().fold(0, |number: u64, &digit| number.saturating_mul(10).saturating_add(u64::from(digit)))
    }

    fn year(&self) -> bool {
        self.len() == 4 && (1900..2100).contains(&self.number())
    }

    fn ends_in_zeros(&self, count: usize) -> bool {
        self.len() >= count && self.digits.iter().rev().take(count).all(|&digit| digit == 0)
    }

    /// A dash that may mean "to".
    fn ranges(&self) -> bool {
        self.gap.contains('–') || self.gap.contains(" -") || self.gap.contains("- ")
    }
}

/// Words that speak of telephones: seven to nine digits are a number only beside one.
const PHONE: [&str; 16] = [
    "phone",
    "call",
    "tel",
    "cell",
    "mobile",
    "whatsapp",
    "telegram",
    "sms",
    "电话",
    "手机",
    "座机",
    "微信",
    "телеф",
    "тел.",
    "звон",
    "номер",
];
/// Words that a number of a thing follows.
const REFERENCE: [&str; 14] = [
    "order",
    "ticket",
    "invoice",
    "case",
    "tracking",
    "isbn",
    "build",
    "заказ",
    "заявк",
    "тикет",
    "订单",
    "工单",
    "单号",
    "快递",
];
/// How far a word reaches, in characters.
const REACH: usize = 24;

/// All of them, as ranges of characters.
pub(super) fn find(scan: &Scan) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < scan.chars.len() {
        if !scan.get(at).is_ascii_digit() {
            at += 1;
            continue;
        }
        let groups = run(scan, at);
        at = groups.last().map_or(at + 1, |last| last.end);
        judge(scan, groups, &mut found);
    }
    found
}

/// The groups of digits from `at` on that stand in one row.
fn run(scan: &Scan, mut at: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut gap = String::new();
    loop {
        let end = scan.skip(at, |c| c.is_ascii_digit());
        let digits = scan.chars[at..end].iter().filter_map(|c| c.to_digit(10)).collect();
        groups.push(Group { start: at, end, digits, gap });
        let next = scan.skip(end, |c| matches!(c, ' ' | '-' | '(' | ')' | '.' | '–' | '/' | ','));
        gap = scan.chars[end..next].iter().collect();
        // ", " and ". " end a thought.
        if next == end || next - end > 3 || gap.contains(", ") || gap.contains(". ") || !scan.get(next).is_ascii_digit()
        {
            return groups;
        }
        at = next;
    }
}

/// Adds what of a run must not enter memory.
fn judge(scan: &Scan, groups: Vec<Group>, found: &mut Vec<(usize, usize)>) {
    if checks::known(&digits(scan, &groups))
        && !(groups.len() > 1 && (years(&groups) || amount(&groups) && round(&groups)))
    {
        return found.extend(whole(scan, &groups));
    }
    for groups in without_dates(groups) {
        for part in ranges(scan, groups) {
            if of_a_person(scan, &part) {
                found.extend(whole(scan, &part));
            }
        }
    }
}

fn whole(scan: &Scan, groups: &[Group]) -> Option<(usize, usize)> {
    let (first, last) = (groups.first()?, groups.last()?);
    let open = usize::from(matches!(scan.before(first.start), '+' | '('));
    let close = usize::from(matches!(scan.get(last.end), 'x' | 'X' | 'х' | 'Х') && digits(scan, groups).len() == 18);
    Some((first.start - open, last.end + close))
}

/// The digits of all groups; a resident's number may end in `X`, which counts as 10.
fn digits(scan: &Scan, groups: &[Group]) -> Vec<u32> {
    let mut all: Vec<u32> = groups.iter().flat_map(|group| group.digits.iter().copied()).collect();
    if let Some(last) = groups.last()
        && all.len() == 17
        && matches!(scan.get(last.end), 'x' | 'X' | 'х' | 'Х')
    {
        all.push(10);
    }
    all
}

/// Whether a row of groups is a phone, card, account or identity number.
fn of_a_person(scan: &Scan, groups: &[Group]) -> bool {
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return false };
    let count: usize = groups.iter().map(Group::len).sum();
    let plus =
        scan.before(first.start) == '+' || scan.before(first.start) == '(' && scan.before(first.start - 1) == '+';
    if plus {
        return count >= 8 && !(amount(groups) && round(groups));
    }
    if groups.len() == 1 && count >= 10 {
        let named = count < 13 && beside(scan, first.start, last.end, &REFERENCE, false);
        return count >= 13 || !named && !first.ends_in_zeros(4);
    }
    let shape: Vec<usize> = groups.iter().map(Group::len).collect();
    // A social security number.
    if shape == [3, 2, 4] && groups[1].gap == groups[2].gap && !groups[1].gap.contains('.') {
        return true;
    }
    if plain(groups, count) {
        return false;
    }
    match count {
        0..=6 => false,
        7..=9 => beside(scan, first.start, last.end, &PHONE, true),
        _ => {
            let pairs = groups.iter().all(|group| group.len() <= 2);
            let french = groups.len() == 5 && first.digits[0] == 0 && first.len() == 2;
            let spelled = groups.len() >= 10 && groups.iter().all(|group| group.len() == 1);
            (!pairs && groups.len() <= 8
                || pairs && (french || beside(scan, first.start, last.end, &PHONE, true))
                || spelled)
                && !(count < 13 && beside(scan, first.start, last.end, &REFERENCE, false))
        }
    }
}

/// Whether the groups read as amounts, years, a decimal number, a range, an internet address or a version.
fn plain(groups: &[Group], count: usize) -> bool {
    let dotted = groups.iter().skip(1).all(|group| group.gap == ".");
    let decimal = groups.len() == 2 && dotted && groups[0].len() <= 3;
    let address = groups.len() == 4 && dotted && groups.iter().all(|group| group.number() < 256);
    let version = groups.len() > 2 && dotted && groups.iter().any(|group| group.len() == 1);
    let range = groups.len() == 2
        && groups[0].len() == groups[1].len()
        && groups.iter().all(|group| group.ends_in_zeros(1))
        && groups[0].number() < groups[1].number();
    // "912 345 678" is a phone number only where one is spoken of, which `of_a_person` asks.
    let amount = amount(groups) && (count != 9 || round(groups));
    groups.len() > 1
        && (decimal
            || address
            || version
            || range
            || amount
            || amounts(groups)
            || years(groups)
            || round(groups) && count < 13)
        || groups.len() == 1 && groups[0].ends_in_zeros(3)
}

/// Groups of three behind one of up to three, hundredths at most behind them.
fn amount(groups: &[Group]) -> bool {
    let Some((first, rest)) = groups.split_first() else { return false };
    let rest = match rest.split_last() {
        Some((last, rest)) if last.len() <= 2 && !rest.is_empty() && matches!(last.gap.as_str(), "." | ",") => rest,
        _ => rest,
    };
    !rest.is_empty()
        && first.len() <= 3
        && rest.iter().all(|group| group.len() == 3 && matches!(group.gap.as_str(), " " | "." | ","))
}

/// Two or more amounts with dashes between them.
fn amounts(groups: &[Group]) -> bool {
    let mut parts: Vec<&[Group]> = Vec::new();
    let mut from = 0;
    for at in 1..=groups.len() {
        if at == groups.len() || groups[at].gap.contains(['-', '–']) {
            parts.push(&groups[from..at]);
            from = at;
        }
    }
    parts.len() > 1 && parts.iter().all(|part| amount(part))
}

fn years(groups: &[Group]) -> bool {
    groups.iter().all(Group::year)
}

fn round(groups: &[Group]) -> bool {
    groups.iter().skip(1).any(|group| group.ends_in_zeros(3))
}

/// The groups around dates.
fn without_dates(groups: Vec<Group>) -> Vec<Vec<Group>> {
    let mut parts = vec![Vec::new()];
    let mut ahead = VecDeque::from(groups);
    while !ahead.is_empty() {
        if ahead.len() >= 3 && date(&ahead[0], &ahead[1], &ahead[2]) {
            ahead.drain(..3);
            parts.push(Vec::new());
        } else if let (Some(group), Some(part)) = (ahead.pop_front(), parts.last_mut()) {
            part.push(group);
        }
    }
    parts
}

/// Year, month and day, or day (or month) first, with one mark between them.
fn date(first: &Group, second: &Group, third: &Group) -> bool {
    let small = |group: &Group| group.len() <= 2 && (1..=31).contains(&group.number());
    second.gap == third.gap
        && matches!(second.gap.as_str(), "-" | "." | "/")
        && small(second)
        && (first.year() && small(third) || small(first) && third.year())
}

/// The two sides of a range, if dashes in a run mean one: other marks stand between the digits of a side.
fn ranges(scan: &Scan, groups: Vec<Group>) -> Vec<Vec<Group>> {
    let plus = groups.first().is_some_and(|first| scan.before(first.start) == '+');
    let mixed = groups.iter().skip(1).any(|group| !group.ranges());
    let mut parts: Vec<Vec<Group>> = Vec::new();
    for group in groups {
        match parts.last_mut() {
            Some(part) if plus || !mixed || !group.ranges() => part.push(group),
            _ => parts.push(vec![group]),
        }
    }
    parts
}

/// Whether one of the words stands shortly before, or `behind` too, in the same line.
fn beside(scan: &Scan, start: usize, end: usize, words: &[&str], behind: bool) -> bool {
    let far = if behind { (end + REACH).min(scan.chars.len()) } else { start };
    let line = |at: usize| {
        let between = if at < start { at..start } else { end..at };
        !scan.chars[between].contains(&'\n')
    };
    let begins = |at: usize| !scan.before(at).is_alphabetic() || crate::text::ideograph(scan.get(at));
    (start.saturating_sub(REACH)..start)
        .chain(end..far.max(end))
        .any(|at| begins(at) && line(at) && words.iter().any(|word| scan.reads(at, word)))
}
