//! What a word announces: "my passport is …", "CVV …", "the password is …".

use std::{collections::HashMap, sync::LazyLock};

use aho_corasick::AhoCorasick;

use super::scan::{Scan, letter};

/// What stands behind a word.
#[derive(Clone, Copy)]
enum Behind {
    /// A document's or account's number: letters and digits, five or more, four of them digits.
    Number,
    /// A few digits, at least so many.
    Digits(usize),
    /// One word.
    Secret,
    /// All to the end of the clause.
    Phrase,
}

/// Beginnings of words, longest first where one begins another, and what they announce. A short Latin word stands for
/// itself only.
const WORDS: [(&str, Behind); 74] = [
    ("passphrase", Behind::Phrase),
    ("seed phrase", Behind::Phrase),
    ("recovery phrase", Behind::Phrase),
    ("password", Behind::Secret),
    ("passcode", Behind::Secret),
    ("passwort", Behind::Secret),
    ("contraseña", Behind::Secret),
    ("mot de passe", Behind::Secret),
    ("api key", Behind::Secret),
    ("api-key", Behind::Secret),
    ("api_key", Behind::Secret),
    ("apikey", Behind::Secret),
    ("secret key", Behind::Secret),
    ("access key", Behind::Secret),
    ("access token", Behind::Secret),
    ("пароль", Behind::Secret),
    ("密码", Behind::Secret),
    ("口令", Behind::Secret),
    ("密钥", Behind::Secret),
    ("cvv2", Behind::Digits(3)),
    ("cvc2", Behind::Digits(3)),
    ("cvv", Behind::Digits(3)),
    ("cvc", Behind::Digits(3)),
    ("security code", Behind::Digits(3)),
    ("安全码", Behind::Digits(3)),
    ("pin code", Behind::Digits(4)),
    ("pin", Behind::Digits(4)),
    ("otp", Behind::Digits(4)),
    ("verification code", Behind::Digits(4)),
    ("пин-код", Behind::Digits(4)),
    ("пин", Behind::Digits(4)),
    ("код подтверждения", Behind::Digits(4)),
    ("код из смс", Behind::Digits(4)),
    ("验证码", Behind::Digits(4)),
    ("passport", Behind::Number),
    ("personalausweis", Behind::Number),
    ("ausweis", Behind::Number),
    ("reisepass", Behind::Number),
    ("pasaporte", Behind::Number),
    ("id card", Behind::Number),
    ("id number", Behind::Number),
    ("id no", Behind::Number),
    ("identity card", Behind::Number),
    ("identity number", Behind::Number),
    ("national id", Behind::Number),
    ("national insurance", Behind::Number),
    ("social security", Behind::Number),
    ("driving licen", Behind::Number),
    ("driver's licen", Behind::Number),
    ("drivers licen", Behind::Number),
    ("tax id", Behind::Number),
    ("tax number", Behind::Number),
    ("account number", Behind::Number),
    ("bank account", Behind::Number),
    ("sort code", Behind::Number),
    ("card number", Behind::Number),
    ("fødselsnummer", Behind::Number),
    ("personnummer", Behind::Number),
    ("ssn", Behind::Number),
    ("nhs", Behind::Number),
    ("dni", Behind::Number),
    ("aadhaar", Behind::Number),
    ("паспорт", Behind::Number),
    ("снилс", Behind::Number),
    ("инн", Behind::Number),
    ("водительск", Behind::Number),
    ("номер карты", Behind::Number),
    ("номер счета", Behind::Number),
    ("护照", Behind::Number),
    ("身份证", Behind::Number),
    ("通行证", Behind::Number),
    ("驾照", Behind::Number),
    ("银行卡", Behind::Number),
    ("卡号", Behind::Number),
];
/// The words by their first characters, in their order: a text is full of places where a word begins.
static BY_FIRST: LazyLock<HashMap<char, Vec<(&str, Behind)>>> = LazyLock::new(|| {
    let mut by_first: HashMap<char, Vec<(&str, Behind)>> = HashMap::new();
    for (word, behind) in WORDS {
        word.chars().take(1).for_each(|first| by_first.entry(first).or_default().push((word, behind)));
    }
    by_first
});
/// How far behind its word a number may stand, in characters.
const REACH: usize = 32;
/// What follows "password is" when no password does.
const REMARKS: [&str; 50] = [
    "a",
    "an",
    "the",
    "not",
    "no",
    "too",
    "very",
    "wrong",
    "incorrect",
    "correct",
    "invalid",
    "expired",
    "weak",
    "strong",
    "long",
    "short",
    "required",
    "needed",
    "missing",
    "lost",
    "gone",
    "stored",
    "saved",
    "known",
    "secret",
    "safe",
    "old",
    "new",
    "being",
    "been",
    "still",
    "always",
    "never",
    "also",
    "now",
    "in",
    "on",
    "for",
    "what",
    "different",
    "same",
    "forgotten",
    "не",
    "нет",
    "неверный",
    "слишком",
    "устарел",
    "забыт",
    "в",
    "на",
];

/// Whether a word may stand in a text that announces what needs no digit. A Russian one may be written in any case.
pub(super) fn may_announce(text: &str) -> bool {
    static SECRETS: LazyLock<AhoCorasick> = LazyLock::new(|| {
        let secrets = WORDS.iter().filter(|(_, behind)| matches!(behind, Behind::Secret | Behind::Phrase));
        let words = secrets.map(|(word, _)| if word.starts_with('п') { "п" } else { word });
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(words.chain(["П"]));
        finder.unwrap_or_else(|error| panic!("announcing words: {error}"))
    });
    SECRETS.is_match(text)
}

/// All of it, as ranges of characters.
pub(super) fn find(scan: &Scan) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < scan.chars.len() {
        let begins = !letter(scan.before(at)) || !letter(scan.get(at));
        let here = BY_FIRST.get(&scan.lower[at]).filter(|_| begins);
        match here.and_then(|here| here.iter().find(|(word, _)| scan.reads(at, word))) {
            Some((word, behind)) => {
                let bare = at + word.chars().count();
                let end = scan.skip(bare, letter);
                if end == bare || bare - at > 4 {
                    found.extend(behind_word(scan, end, *behind));
                }
                at = bare;
            }
            None => at += 1,
        }
    }
    found
}

fn behind_word(scan: &Scan, from: usize, behind: Behind) -> Option<(usize, usize)> {
    match behind {
        Behind::Number => number(scan, from),
        Behind::Digits(least) => digits(scan, from, least),
        Behind::Secret => secret(scan, from),
        Behind::Phrase => phrase(scan, from),
    }
}

fn ends_clause(c: char) -> bool {
    matches!(c, '\n' | '!' | '?' | ';' | '。')
}

/// The first word with a digit, and what belongs to it: "X1234567", "45 06 123456", "QQ 12 34 56 C".
fn number(scan: &Scan, from: usize) -> Option<(usize, usize)> {
    let far = scan.skip(from, |c| !ends_clause(c)).min(from + REACH);
    let mut start = (from..far).find(|&at| scan.get(at).is_ascii_digit())?;
    while start > from && latin(scan.before(start)) {
        start -= 1;
    }
    let mut end = scan.skip(start, latin);
    // A country's or series' letters in front.
    let front = (1..=2).map(|count| start.saturating_sub(count + 1)).find(|&at| {
        at > from
            && !letter(scan.before(at))
            && scan.before(start) == ' '
            && scan.chars[at..start - 1].iter().all(char::is_ascii_uppercase)
    });
    start = front.unwrap_or(start);
    loop {
        let next = scan.skip(end, |c| matches!(c, ' ' | '-' | '/'));
        let after = scan.skip(next, latin);
        let group = &scan.chars[next..after];
        let joined = next > end && next - end < 3 && !letter(scan.get(after)) && !group.is_empty();
        let series = front.is_some() && group.len() == 1 && group.iter().all(char::is_ascii_uppercase);
        if !joined || !series && !group.iter().any(char::is_ascii_digit) {
            break;
        }
        end = after;
    }
    let count = scan.chars[start..end].iter().filter(|c| c.is_ascii_digit()).count();
    let letters = front.is_some() || scan.chars[start..end].iter().any(char::is_ascii_alphabetic);
    let round = scan.chars[..end].ends_with(&['0', '0', '0']) && !letters;
    let written: String = scan.chars[start..end].iter().filter(|c| c.is_ascii_digit()).collect();
    let marks = scan.chars[start..end].iter().filter(|c| matches!(c, '-' | '/')).count();
    let date = count == 8 && marks == 2 && (written.starts_with("19") || written.starts_with("20"));
    let timed = scan.get(end) == ':' || scan.get(end) == '.' && scan.get(end + 1).is_ascii_digit();
    (count >= if letters { 4 } else { 5 } && !round && !date && !timed).then_some((start, end))
}

fn latin(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// Where what a word announces begins, behind "is", "number" and the like; whether such a word stands there, and whether a
/// mark like a colon does.
fn announced(scan: &Scan, from: usize) -> (usize, bool, bool) {
    const LINKS: [&str; 20] = [
        "number",
        "code",
        "is",
        "was",
        "ist",
        "es",
        "est",
        "no",
        "nr",
        "номер",
        "это",
        "номера",
        "号码",
        "号",
        "是",
        "为",
        "的",
        "was set to",
        "to",
        "код",
    ];
    let mut at = from;
    let (mut linked, mut marked) = (false, false);
    loop {
        let next = scan
            .skip(at, |c| matches!(c, ' ' | ':' | '=' | '-' | '–' | '#' | '№' | '"' | '\'' | '`' | '«' | '“' | '.'));
        marked |= scan.chars[at..next].iter().any(|c| matches!(c, ':' | '=' | '–' | '"' | '«' | '“' | '`'));
        let link = LINKS.iter().find(|link| {
            let end = next + link.chars().count();
            scan.reads(next, link) && (!letter(scan.get(next)) || !scan.get(end).is_alphanumeric())
        });
        match link {
            Some(link) => (at, linked) = (next + link.chars().count(), true),
            None => return (next, linked, marked),
        }
    }
}

fn digits(scan: &Scan, from: usize, least: usize) -> Option<(usize, usize)> {
    let (start, ..) = announced(scan, from);
    let end = scan.skip(start, |c| c.is_ascii_digit());
    (end - start >= least && end - start <= 8 && !letter(scan.get(end))).then_some((start, end))
}

/// One word that is not a remark about the password.
fn secret(scan: &Scan, from: usize) -> Option<(usize, usize)> {
    let (start, linked, marked) = announced(scan, from);
    let stops = |c: char| c == '\n' || c == ' ' || matches!(c, '"' | '\'' | '`' | '»' | '”' | '。' | '、');
    let mut end = scan.skip(start, |c| !stops(c) && !crate::text::ideograph(c));
    while end > start && matches!(scan.before(end), '.' | ',' | ';' | ')' | '!' | '?' | ':') {
        end -= 1;
    }
    let word: String = scan.lower[start..end].iter().collect();
    let mixed = word.chars().any(|c| c.is_ascii_digit()) && word.chars().any(char::is_alphabetic) && word.len() >= 6;
    // "the password is broken again": a word of letters with more behind it is a remark.
    let rest = scan.skip(end, |c| c == ' ');
    let last = rest == scan.chars.len() || !scan.get(rest).is_alphanumeric() || scan.get(end) != ' ';
    let wordlike = word.chars().all(char::is_alphabetic);
    let told = !REMARKS.contains(&word.as_str()) && (marked || linked && (!wordlike || last));
    (end > start && (mixed || told)).then_some((start, end))
}

fn phrase(scan: &Scan, from: usize) -> Option<(usize, usize)> {
    let (start, linked, marked) = announced(scan, from);
    let end = scan.skip(start, |c| !ends_clause(c) && !matches!(c, '.' | ','));
    let words: String = scan.lower[start..end].iter().collect();
    let mut words = words.split_whitespace();
    let (first, more) = (words.next().unwrap_or_default(), words.count());
    // A phrase of several words may begin like a remark: "correct horse battery staple".
    let remark = REMARKS.contains(&first) && (more < 2 || first.chars().count() < 5);
    ((linked || marked) && end > start && !remark).then_some((start, end))
}
