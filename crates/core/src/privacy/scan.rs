//! A text as a row of characters that are compared easily.

use crate::item::Span;

/// A text's characters, full-width forms and foreign digits as ASCII, one for one with the original's.
pub(super) struct Scan {
    /// The characters.
    pub chars: Vec<char>,
    /// The same in lower case.
    pub lower: Vec<char>,
    /// Where each starts in the original, and where the text ends.
    at: Vec<usize>,
}

impl Scan {
    /// Over a text.
    pub fn over(text: &str) -> Self {
        let chars: Vec<char> = text.chars().map(plain).collect();
        let lower = chars.iter().map(|c| match c {
            c if c.is_ascii() => c.to_ascii_lowercase(),
            'а'..='я' | '\u{4e00}'..='\u{9fff}' => *c,
            c => c.to_lowercase().next().unwrap_or(*c),
        });
        let lower = lower.collect();
        let at = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        Self { chars, lower, at }
    }

    /// The character at an index; a space before and behind the text.
    pub fn get(&self, index: usize) -> char {
        self.chars.get(index).copied().unwrap_or(' ')
    }

    /// The character before an index.
    pub fn before(&self, index: usize) -> char {
        index.checked_sub(1).map_or(' ', |index| self.get(index))
    }

    /// The first index from `from` on that does not hold, at most the text's end.
    pub fn skip(&self, from: usize, holds: impl Fn(char) -> bool) -> usize {
        self.chars.iter().skip(from).position(|&c| !holds(c)).map_or(self.chars.len(), |count| from + count)
    }

    /// Whether the lower-case text has `word` at an index.
    pub fn reads(&self, index: usize, word: &str) -> bool {
        let mut rest = self.lower.iter().skip(index);
        word.chars().all(|c| rest.next() == Some(&c))
    }

    /// The byte in the original at which a character starts.
    pub fn byte(&self, index: usize) -> usize {
        self.at[index]
    }

    /// The original's span of the characters from `start` to before `end`.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { start: self.at[start] as u32, end: self.at[end] as u32 }
    }
}

/// A letter of a script that is written with spaces between words.
pub(super) fn letter(c: char) -> bool {
    c.is_alphabetic() && !crate::text::ideograph(c)
}

/// The ASCII character that a full-width form, a digit of another script, an odd space or dash stands for.
fn plain(c: char) -> char {
    let digit = |zero: u32| char::from_digit(c as u32 - zero, 10).unwrap_or(c);
    match c {
        '!'..='~' => c,
        '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '٠'..='٩' => digit('٠' as u32),
        '۰'..='۹' => digit('۰' as u32),
        '०'..='९' => digit('०' as u32),
        '\n' | '\r' => '\n',
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => ' ',
        '‐' | '‑' | '−' => '-',
        '—' => '–',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}
