//! A text as the rules read it: words, numbers and marks in normal form; of Chinese, single characters.

use crate::{
    item::Span,
    text::{Normalised, ideograph},
};

use super::{calendar::Tense, en, ru, zh};

/// The tokens of a text.
pub(super) struct Reading<'t> {
    original: &'t str,
    normalised: &'t Normalised,
    /// Words, numbers and marks in order, for slice patterns.
    pub(super) words: Vec<&'t str>,
    starts: Vec<usize>,
}

/// What one token is made of.
#[derive(PartialEq, Eq, Clone, Copy)]
pub(super) enum Script {
    Digits,
    Latin,
    Cyrillic,
    Han,
    Mark,
}

impl Script {
    fn of(c: char) -> Self {
        match c {
            '0'..='9' => Self::Digits,
            'a'..='z' => Self::Latin,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            _ if ideograph(c) => Self::Han,
            _ if c.is_alphabetic() => Self::Latin,
            _ => Self::Mark,
        }
    }
}

impl<'t> Reading<'t> {
    pub(super) fn new(original: &'t str, normalised: &'t Normalised) -> Self {
        let text = normalised.text();
        let mut reading = Self { original, normalised, words: Vec::new(), starts: Vec::new() };
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let script = Script::of(first);
            let end = match script {
                Script::Mark | Script::Han => first.len_utf8(),
                _ => rest.find(|c| Script::of(c) != script).unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            if first != ' ' {
                reading.words.push(word);
                reading.starts.push(text.len() - rest.len());
            }
            rest = after;
        }
        reading
    }

    /// What the token at `at` is made of.
    pub(super) fn script(&self, at: usize) -> Script {
        self.words.get(at).and_then(|word| word.chars().next()).map_or(Script::Mark, Script::of)
    }

    /// The token before `at`, or nothing.
    pub(super) fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).and_then(|at| self.words.get(at)).copied().unwrap_or_default()
    }

    /// The text from the token at `at` on.
    pub(super) fn rest(&self, at: usize) -> &'t str {
        self.starts.get(at).map_or("", |start| &self.normalised.text()[*start..])
    }

    /// How many tokens from `at` on `bytes` of text cover.
    pub(super) fn tokens(&self, at: usize, bytes: usize) -> usize {
        let Some(start) = self.starts.get(at) else { return 0 };
        self.starts[at..].partition_point(|token| *token < start + bytes)
    }

    /// Whether no space stands between the token at `at` and the next.
    pub(super) fn touches_next(&self, at: usize) -> bool {
        let next = self.starts.get(at + 1);
        next.is_some_and(|next| *next == self.starts[at] + self.words[at].len())
    }

    /// Whether so many tokens from `at` on stand without a space.
    pub(super) fn is_solid(&self, at: usize, tokens: usize) -> bool {
        (at..(at + tokens).saturating_sub(1)).all(|at| self.touches_next(at))
    }

    /// Whether the token at `at` was written with a capital.
    pub(super) fn is_capital(&self, at: usize) -> bool {
        self.original(at, 1).chars().next().is_some_and(char::is_uppercase)
    }

    /// So many tokens from `at` on, as they were written.
    pub(super) fn original(&self, at: usize, tokens: usize) -> &'t str {
        let (Some(start), Some(last)) = (self.starts.get(at), (at + tokens).checked_sub(1)) else { return "" };
        let Some(end) = self.starts.get(last).map(|start| start + self.words[last].len()) else { return "" };
        let (Ok(start), Ok(end)) = (u32::try_from(*start), u32::try_from(end)) else { return "" };
        let span = self.normalised.original(Span { start, end });
        self.original.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The tense of the sentence around tokens: what returns anywhere in it, else the verb next before them, else after.
    pub(super) fn tense(&self, at: usize, tokens: usize) -> Tense {
        let start = (0..at).rev().find(|i| self.ends_sentence(*i)).map_or(0, |i| i + 1);
        let end = (at + tokens..self.words.len()).find(|i| self.ends_sentence(*i)).unwrap_or(self.words.len());
        let marks = |i| match self.script(i) {
            Script::Latin => en::tense(self, i),
            Script::Cyrillic => ru::tense(self, i),
            Script::Han => zh::tense(self, i),
            Script::Digits | Script::Mark => None,
        };
        for returns in [Tense::Habit, Tense::Yearly] {
            if (start..end).any(|i| marks(i) == Some(returns)) {
                return returns;
            }
        }
        let before = (start..at).rev().find_map(marks);
        before.or_else(|| (at + tokens..end).find_map(marks)).unwrap_or(Tense::Unmarked)
    }

    fn ends_sentence(&self, at: usize) -> bool {
        match self.words[at] {
            "." => !self.touches_next(at),
            "!" | "?" | ";" | "。" | "…" => true,
            _ => false,
        }
    }
}
