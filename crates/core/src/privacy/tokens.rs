//! What tells itself by its shape: mail addresses, keys, accounts with letters.

use super::{
    checks,
    scan::{Scan, letter},
};

/// How keys of known services begin.
const KEYS: [&str; 19] = [
    "sk-",
    "sk_",
    "pk_",
    "pk-",
    "rk_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "AIza",
    "hf_",
    "npm_",
    "eyJ",
];
/// Fewest characters of a key that begins like one.
pub(super) const KEY: usize = 16;
/// Fewest characters of a key that is known by nothing but its mix of letters and digits.
const UNKNOWN_KEY: usize = 24;

/// All of them, as ranges of characters.
pub(super) fn find(scan: &Scan) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < scan.chars.len() {
        let c = scan.get(at);
        if c == '@' {
            found.extend(mail(scan, at));
        } else if c == '-' && scan.reads(at, "-----begin ") {
            found.extend(block(scan, at));
        } else if c.is_ascii_alphanumeric() && !word(scan.before(at)) {
            found.extend(key(scan, at));
            found.extend(iban(scan, at));
        }
        at += 1;
    }
    found
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// The address around an `@`: a name before it, a name with a dot behind it.
fn mail(scan: &Scan, at: usize) -> Option<(usize, usize)> {
    let local = |c: char| letter(c) || c.is_ascii_digit() || "._%+-".contains(c);
    let mut start = at;
    while start > 0 && local(scan.before(start)) {
        start -= 1;
    }
    let mut end = scan.skip(at + 1, |c| letter(c) || c.is_ascii_digit() || matches!(c, '.' | '-'));
    while end > at && matches!(scan.before(end), '.' | '-') {
        end -= 1;
    }
    let named = scan.chars[start..at].iter().any(|c| c.is_alphanumeric());
    (named && end > at + 1 && scan.chars[at + 1..end].contains(&'.')).then_some((start, end))
}

/// A private key from its first line to its last.
fn block(scan: &Scan, at: usize) -> Option<(usize, usize)> {
    let line = scan.skip(at, |c| c != '\n');
    let private = (at..line).any(|at| scan.reads(at, "private key"));
    let end = (at + 1..scan.chars.len()).find(|&at| scan.reads(at, "-----end "));
    private.then(|| (at, end.map_or(scan.chars.len(), |end| scan.skip(end, |c| c != '\n'))))
}

/// A key by how it begins, or by its length and mix.
fn key(scan: &Scan, start: usize) -> Option<(usize, usize)> {
    let begins = |prefix: &str| prefix.chars().enumerate().all(|(at, c)| scan.get(start + at) == c);
    // A web token has parts with dots between them.
    let dotted = begins("eyJ");
    let mut end = scan.skip(start, |c| word(c) || dotted && c == '.');
    while end > start && !scan.before(end).is_ascii_alphanumeric() {
        end -= 1;
    }
    let text = &scan.chars[start..end];
    let whole = text.split(|c| matches!(c, '-' | '_')).any(|part| part.len() >= KEY);
    let mixed = text.iter().filter(|c| c.is_ascii_digit()).count() >= 4 && text.iter().any(char::is_ascii_alphabetic);
    let known = text.len() >= KEY && KEYS.iter().any(|prefix| begins(prefix));
    (known || text.len() >= UNKNOWN_KEY && whole && mixed).then_some((start, end))
}

/// An account number of 15 to 34 letters and digits, in groups or not, with its check digits.
fn iban(scan: &Scan, start: usize) -> Option<(usize, usize)> {
    let shape = scan.get(start).is_ascii_alphabetic()
        && scan.get(start + 1).is_ascii_alphabetic()
        && scan.get(start + 2).is_ascii_digit()
        && scan.get(start + 3).is_ascii_digit();
    let mut account = Vec::new();
    let mut found = None;
    let mut at = start;
    while shape && account.len() < 34 {
        let c = scan.get(at);
        if c.is_ascii_alphanumeric() {
            account.push(c);
            if account.len() >= 15 && !scan.get(at + 1).is_ascii_alphanumeric() && checks::iban(&account) {
                found = Some((start, at + 1));
            }
        } else if !matches!(c, ' ' | '-') || at >= scan.chars.len() || !scan.before(at).is_ascii_alphanumeric() {
            break;
        }
        at += 1;
    }
    found
}
