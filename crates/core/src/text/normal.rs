//! One spelling for what people type in many, with the way back to the original bytes.

use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

use crate::item::Span;

/// One normalised character: where it starts in the normalised text, and the original bytes it stands for.
#[derive(Debug, Clone, Copy)]
struct Piece {
    at: u32,
    original: Span,
}

/// A text in normal form that still knows where each character came from.
///
/// Compatibility forms are composed (NFKC: full-width letters and digits become ASCII), letters are lower-case, `ё` is
/// `е`, curly quotes and long dashes are plain, zero-width and direction marks are gone, and a run of white space or
/// control characters is one space.
#[derive(Debug, Clone)]
pub struct Normalised {
    text: String,
    /// `None` where every character stands where it stood.
    pieces: Option<Vec<Piece>>,
    /// Bytes of the original text.
    original_len: u32,
}

impl Normalised {
    /// Normalises a text. Texts are far below 4 GiB (`limits`); bytes beyond the range of a span are left out.
    pub fn new(text: &str) -> Self {
        let original_len = u32::try_from(text.len()).unwrap_or(u32::MAX);
        match in_place(text) {
            Some(text) => Self { text, pieces: None, original_len },
            None => {
                let Builder { text, pieces } = Builder::over(text);
                Self { text, pieces: Some(pieces), original_len }
            }
        }
    }

    /// The text in normal form.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The original bytes behind a range of the normalised text, widened to whole characters and cut to what exists.
    pub fn original(&self, span: Span) -> Span {
        let (start, end) = match &self.pieces {
            None => (self.floor(span.start), self.ceil(span.end)),
            Some(pieces) => {
                let start = self.piece(pieces, span.start).map_or(self.original_len, |piece| piece.original.start);
                let last = span.end.checked_sub(1).and_then(|last| self.piece(pieces, last)).or(pieces.last());
                (start, last.map_or(0, |piece| piece.original.end))
            }
        };
        if span.end <= span.start {
            return Span { start, end: start };
        }
        Span { start, end: end.max(start) }
    }

    fn floor(&self, at: u32) -> u32 {
        self.text.floor_char_boundary(at as usize) as u32
    }

    fn ceil(&self, at: u32) -> u32 {
        self.text.ceil_char_boundary(at as usize) as u32
    }

    fn piece<'a>(&self, pieces: &'a [Piece], at: u32) -> Option<&'a Piece> {
        if at as usize >= self.text.len() {
            return None;
        }
        let after = pieces.partition_point(|piece| piece.at <= at);
        pieces.get(after.checked_sub(1)?)
    }
}

/// The normal form of a text that in it has every character where it had it: plain letters, digits and marks, one space
/// between words. Most texts are such, and need no way back.
fn in_place(text: &str) -> Option<String> {
    let mut normal = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        let c = match c {
            '!'..='~' => c.to_ascii_lowercase(),
            'а'..='я' | '\u{4e00}'..='\u{9fff}' => c,
            'А'..='Я' => c.to_lowercase().next()?,
            'Ё' | 'ё' => 'е',
            c if c.is_ascii() && !space => ' ',
            _ => return None,
        };
        space = c == ' ';
        normal.push(c);
    }
    Some(normal)
}

/// A normal form being made, character by character.
struct Builder {
    text: String,
    pieces: Vec<Piece>,
}

impl Builder {
    fn over(text: &str) -> Self {
        let mut normalised = Self { text: String::with_capacity(text.len()), pieces: Vec::with_capacity(text.len()) };
        let mut characters = text.char_indices().peekable();
        while let Some((start, first)) = characters.next() {
            let mut end = start + first.len_utf8();
            if invisible(first) {
                continue;
            }
            // A letter and the accents that follow it are composed together: "и" + breve is "й", not two characters.
            while let Some(&(at, mark)) = characters.peek() {
                if mark.is_ascii() || canonical_combining_class(mark) == 0 {
                    break;
                }
                end = at + mark.len_utf8();
                characters.next();
            }
            let (Ok(from), Ok(to)) = (u32::try_from(start), u32::try_from(end)) else { break };
            normalised.push(&text[start..end], first, Span { start: from, end: to });
        }
        normalised
    }

    fn push(&mut self, cluster: &str, first: char, original: Span) {
        if blank(first) {
            if self.text.ends_with(' ') {
                if let Some(last) = self.pieces.last_mut() {
                    last.original.end = original.end;
                }
            } else {
                self.push_char(' ', original);
            }
        } else if composed(first) && cluster.len() == first.len_utf8() {
            self.push_folded(first, original);
        } else {
            for c in cluster.nfkc() {
                self.push_folded(c, original);
            }
        }
    }

    fn push_folded(&mut self, c: char, original: Span) {
        if c.is_ascii() {
            return self.push_char(if blank(c) { ' ' } else { c.to_ascii_lowercase() }, original);
        }
        for lower in c.to_lowercase() {
            self.push_char(plain(lower), original);
        }
    }

    fn push_char(&mut self, c: char, original: Span) {
        self.pieces.push(Piece { at: self.text.len() as u32, original });
        self.text.push(c);
    }
}

/// Where a quote stands in a text, both taken in normal form; the span is of the original text.
///
/// A quote that begins or ends inside a word or a number does not stand there: "like" is no quote of "dislike".
pub fn find_quote(text: &str, quote: &str) -> Option<Span> {
    let quote = Normalised::new(quote);
    let quote = quote.text().trim();
    if quote.is_empty() {
        return None;
    }
    let normalised = Normalised::new(text);
    let whole = normalised.text();
    whole
        .match_indices(quote)
        .map(|(start, _)| (start, start + quote.len()))
        .find(|&(start, end)| !inside_word(whole, start) && !inside_word(whole, end))
        .map(|(start, end)| normalised.original(Span { start: start as u32, end: end as u32 }))
}

/// Whether a position falls inside a word or a number.
pub(crate) fn inside_word(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    let mut after = text[at..].chars();
    let (Some(left), Some(right)) = (before.next(), after.next()) else { return false };
    if unicode_normalization::char::is_combining_mark(right) {
        return true;
    }
    let point = |c: char| c == '.' || c == ',';
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    (left.is_alphanumeric() && right.is_alphanumeric() && !ideograph(left) && !ideograph(right))
        || (left.is_ascii_digit() && point(right) && digit(after.next()))
        || (point(left) && right.is_ascii_digit() && digit(before.next()))
}

/// Characters that are written one by one without spaces: Han and kana.
pub(crate) fn ideograph(c: char) -> bool {
    han(c) || matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
}

/// A Han character.
pub(super) fn han(c: char) -> bool {
    matches!(c, '々' | '〇' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// A Cyrillic letter.
pub(super) fn cyrillic(c: char) -> bool {
    matches!(c, '\u{0400}'..='\u{052f}')
}

/// A Latin letter, plain or accented.
pub(super) fn latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '\u{00c0}'..='\u{024f}' if c.is_alphabetic())
}

/// Ranges that NFKC leaves alone, so that most text skips the tables.
fn composed(c: char) -> bool {
    c.is_ascii() || cyrillic(c) || matches!(c, '\u{4e00}'..='\u{9fff}')
}

/// White space and control characters, NUL among them.
fn blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Marks without width or ink: joiners, direction marks, soft hyphens, variation selectors, byte-order marks.
pub(super) fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The plain form of a letter or mark that people write in several ways.
fn plain(c: char) -> char {
    match c {
        'ё' => 'е',
        '‘' | '’' | '‚' | '‛' | '′' | '´' | '｀' => '\'',
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '〝' | '〞' | '「' | '」' | '『' | '』' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        '。' => '.',
        '、' => ',',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quoted<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
        find_quote(text, quote).and_then(|span| span.of(text))
    }

    #[test]
    fn spellings_meet_in_one_form() {
        for (written, normal) in [
            ("Ёлка – «Ёж»", "елка - \"еж\""),
            ("ＭｙＳＱＬ　８．０，好。", "mysql 8.0,好."),
            ("I\u{2019}m\u{a0} \t\nhere", "i'm here"),
            ("a\u{200b}b\u{200f}c\u{feff}", "abc"),
            ("и\u{306} е\u{308} Café CAFE\u{301}", "й е café café"),
            ("a\0b", "a b"),
        ] {
            assert_eq!(Normalised::new(written).text(), normal, "{written:?}");
        }
    }

    #[test]
    fn quotes_are_found_modulo_spelling_and_given_as_written() {
        assert_eq!(quoted("Да, моя Ёлка  большая.", "моя елка большая"), Some("моя Ёлка  большая"));
        assert_eq!(quoted("我有１２台服务器。", "12台服务器"), Some("１２台服务器"));
        assert_eq!(
            quoted("I\u{2019}m a don\u{200b}key \u{202e}ok", "i'm a donkey"),
            Some("I\u{2019}m a don\u{200b}key")
        );
        assert_eq!(quoted("I like tea", ""), None);
        assert_eq!(quoted("I like tea", "coffee"), None);
    }

    #[test]
    fn a_quote_does_not_begin_or_end_inside_a_word_or_number() {
        assert_eq!(quoted("I dislike tea", "like tea"), None);
        assert_eq!(quoted("MySQL 18.0", "8.0"), None);
        assert_eq!(quoted("MySQL 8.0", "8"), None);
        assert_eq!(quoted("I dislike tea but like cats", "like"), Some("like"));
        assert_eq!(quoted("我不喜欢猫", "喜欢"), Some("喜欢"));
    }

    proptest! {
        #[test]
        fn the_way_back_is_monotone_and_in_range(text in "\\PC*|[\\x00-\\x7fа-яё我们１２\u{200b}\u{306}…️👍 ]{0,40}") {
            let normalised = Normalised::new(&text);
            let mut last = Span { start: 0, end: 0 };
            for (at, c) in normalised.text().char_indices() {
                let span = normalised.original(Span { start: at as u32, end: (at + c.len_utf8()) as u32 });
                prop_assert!(span.of(&text).is_some_and(|t| !t.is_empty()));
                prop_assert!(span.start >= last.start && span.end >= last.end);
                last = span;
            }
            for (start, end) in [(0, u32::MAX), (5, 2), (u32::MAX, u32::MAX), (1, 9)] {
                let range = Span { start, end };
                prop_assert!(normalised.original(range).of(&text).is_some());
            }
        }

        #[test]
        fn in_place_or_not_it_is_the_same_form(text in "[\\x00-\\x7fа-яА-ЯёЁ我们 ]{0,30}") {
            let (normalised, built) = (Normalised::new(&text), Builder::over(&text));
            prop_assert_eq!(normalised.text(), &built.text);
            let built = Normalised { text: built.text, pieces: Some(built.pieces), original_len: text.len() as u32 };
            for (start, end) in (0..40).flat_map(|start| (0..40).map(move |end| (start, end))) {
                let span = Span { start, end };
                prop_assert_eq!(normalised.original(span), built.original(span), "{:?}", span);
            }
        }

        #[test]
        fn whatever_is_found_reads_the_same(text in "[a-cа-я我 ё.,’'１1]{0,30}", quote in "[a-cа-я我 .,'1]{1,3}") {
            if let Some(found) = quoted(&text, &quote) {
                let (found, quote) = (Normalised::new(found), Normalised::new(&quote));
                prop_assert_eq!(found.text().trim(), quote.text().trim());
            }
        }
    }
}
