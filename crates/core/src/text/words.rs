//! Words with their stems, and the terms and content made of them.

use std::{collections::BTreeSet, sync::LazyLock};

use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::{Language, Normalised, normal, stops};
use crate::item::Span;

static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));
static RUSSIAN: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::Russian));

/// One word, number, version, identifier or address of a text; of Chinese and kana, one character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Where it stands in the original text.
    pub span: Span,
    /// It in normal form ([`Normalised`]).
    pub text: String,
    /// Its Snowball stem, by its own script; the text itself where a stem makes no sense.
    pub stem: String,
    /// A function word. Negations are none.
    pub stop: bool,
}

impl Word {
    /// Whether it is a character of a script written without spaces.
    pub fn is_ideograph(&self) -> bool {
        self.text.chars().next().is_some_and(normal::ideograph)
    }
}

/// The words of a text in order.
pub fn words(text: &str) -> Vec<Word> {
    words_in(&Normalised::new(text), Language::of(text))
}

/// The words of a text whose normal form and language are known already.
pub(super) fn words_in(normalised: &Normalised, language: Language) -> Vec<Word> {
    let read = |(start, end): (usize, usize)| {
        let word = &normalised.text()[start..end];
        let span = normalised.original(Span { start: start as u32, end: end as u32 });
        Word { span, text: word.to_owned(), stem: stem(word), stop: stop(word, language) }
    };
    tokens(normalised.text()).map(read).collect()
}

/// Where the words of a normalised text stand in it.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let c = text[rest..].chars().next()?;
            let start = rest;
            rest = start + c.len_utf8();
            if matches!(c, 'а'..='я' | '\u{4e00}'..='\u{9fff}') || c.is_alphanumeric() {
                if !normal::ideograph(c) {
                    rest = token_end(text, start);
                }
                return Some((start, rest));
            }
        }
    })
}

/// Where the word that starts at `start` ends: letters, digits and what joins them into one name or number.
fn token_end(text: &str, start: usize) -> usize {
    let mut end = start;
    while let Some(c) = text[end..].chars().next() {
        let after = end + c.len_utf8();
        if letter(c) || (joins(text, start, end, c) && text[after..].chars().next().is_some_and(letter)) {
            end = after;
        } else if c == '+' && text[end..].starts_with("++") && text[start..end].is_ascii() && ends(text, end + 2) {
            return end + 2;
        } else if c == '#' && end - start == 1 && text[start..end].is_ascii() && ends(text, after) {
            return after;
        } else {
            break;
        }
    }
    end
}

fn ends(text: &str, at: usize) -> bool {
    !text[at..].chars().next().is_some_and(|c| c.is_alphanumeric() && !normal::ideograph(c))
}

fn letter(c: char) -> bool {
    match c {
        // The tables are slow, and most letters need none.
        'a'..='z' | '0'..='9' | 'а'..='я' => true,
        c if c.is_ascii() => c.is_ascii_uppercase(),
        c => !normal::ideograph(c) && (c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)),
    }
}

/// Whether a mark between two letters or digits joins them: "don't", "8.0", "1,000", "x-200", "a_b", "me@here.org".
fn joins(text: &str, start: usize, at: usize, mark: char) -> bool {
    let Some(left) = text[start..at].chars().next_back() else { return false };
    let Some(right) = text[at + mark.len_utf8()..].chars().next() else { return false };
    match mark {
        '\'' => left.is_alphabetic() && right.is_alphabetic(),
        '_' | '@' => true,
        '.' => {
            (left.is_ascii_digit() && right.is_ascii_digit())
                || (left.is_ascii_alphanumeric() && right.is_ascii_alphanumeric())
        }
        ',' => left.is_ascii_digit() && right.is_ascii_digit(),
        '-' => {
            let part = &text[start..at];
            let next = text[at + 1..].split(|c| !letter(c)).next().unwrap_or_default();
            let technical = |part: &str| {
                part.chars().any(|c| c.is_ascii_digit()) || part.chars().count() == 1 || part.contains(['@', '_'])
            };
            technical(part) || technical(next)
        }
        _ => false,
    }
}

fn stem(word: &str) -> String {
    if word.chars().all(normal::cyrillic) {
        return RUSSIAN.stem(word).into_owned();
    }
    if word.bytes().all(|b| b.is_ascii_lowercase() || b == b'\'') {
        return ENGLISH.stem(word).into_owned();
    }
    word.replace(',', "")
}

fn stop(word: &str, language: Language) -> bool {
    let mut characters = word.chars();
    if let (Some(c), None) = (characters.next(), characters.next())
        && normal::han(c)
    {
        return stops::zh(c);
    }
    let known = if word.is_ascii() { &stops::EN } else { &stops::RU };
    known.contains(word) || (language == Language::Other && stops::ES.contains(word))
}

/// Index terms for ranking by words: content stems, Han characters and pairs of neighbouring ones; repeats are kept.
pub fn terms(text: &str) -> Vec<String> {
    let words = words(text);
    let mut terms = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        if !word.stop {
            terms.push(word.stem.clone());
        }
        if let Some(pair) = words.get(at + 1).and_then(|next| pair(word, next)) {
            terms.push(pair);
        }
    }
    terms
}

/// The content stems of a text, for agreement by words. Of Han characters between function characters, the pairs of
/// neighbours, and a character alone where it stands alone.
pub fn content(text: &str) -> BTreeSet<String> {
    let words: Vec<Word> = words(text).into_iter().filter(|word| !word.stop).collect();
    let joined = |at: usize| words.get(at).zip(words.get(at + 1)).and_then(|(a, b)| pair(a, b));
    let mut content = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let after = joined(at);
        let before = at.checked_sub(1).and_then(joined);
        if after.is_none() && before.is_none() {
            content.insert(word.stem.clone());
        }
        content.extend(after);
    }
    content
}

/// Letters that [`kin`] words share at least.
const KIN: usize = 5;

/// Whether two stems are of one word in two parts of speech, which differ by a letter at the end: "allergy", "allergic".
pub fn kin(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let rest = long.strip_prefix(short).map(|rest| rest.chars().count());
    rest == Some(1) && short.chars().count() >= KIN
}

/// What values, qualifiers and attributes are compared by: Russian words without their endings, so that "Казань" and
/// "в Казани" are one; anything else as it is.
pub fn same_key(value: &str) -> String {
    if !value.contains(|c| matches!(c, 'А'..='я' | 'Ё' | 'ё')) {
        return value.to_owned();
    }
    words(value).iter().map(ending_off).collect::<Vec<_>>().join(" ")
}

/// The stem of a Russian word, the text of any other. A vowel that comes and goes is left out: "кошек" is one of "кошки".
fn ending_off(word: &Word) -> String {
    if word.text.is_ascii() {
        return word.text.clone();
    }
    let fleeting = word.stem.strip_suffix("ек").or_else(|| word.stem.strip_suffix("ок"));
    match fleeting.filter(|front| front.chars().count() > 2) {
        Some(front) => format!("{front}к"),
        None => word.stem.clone(),
    }
}

/// Two characters that touch, unless both are function words.
fn pair(a: &Word, b: &Word) -> Option<String> {
    let touching = a.span.end == b.span.start && a.is_ideograph() && b.is_ideograph();
    (touching && !(a.stop && b.stop)).then(|| format!("{}{}", a.text, b.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn cases_share_a_key_and_other_words_keep_theirs() {
        assert_eq!(same_key("казань"), same_key("казани"));
        assert_eq!(same_key("opinion of кошки"), same_key("opinion of кошек"));
        assert_ne!(same_key("казань"), same_key("самара"));
        for kept in ["opinion of dogs", "北京", ""] {
            assert_eq!(same_key(kept), kept);
        }
    }

    #[test]
    fn words_are_cut_as_people_read_them() {
        for (text, expected) in [
            ("I don't like C++ or node.js.", vec!["i", "don't", "like", "c++", "or", "node.js"]),
            ("MySQL 8.0, X-200 and a_b; 1,000 of c#", vec!["mysql", "8.0", "x-200", "and", "a_b", "1,000", "of", "c#"]),
            ("write to Ann.Lee@example.org!", vec!["write", "to", "ann.lee@example.org"]),
            ("well-known e-mail", vec!["well", "known", "e-mail"]),
            ("我用MySQL 8.0。", vec!["我", "用", "mysql", "8.0"]),
            ("１２台ｉＰｈｏｎｅ", vec!["12", "台", "iphone"]),
            ("Моя ёлка по-русски, привет.Как", vec!["моя", "елка", "по", "русски", "привет", "как"]),
            ("a\u{200b}b\0c 👍", vec!["ab", "c"]),
        ] {
            assert_eq!(texts(text), expected, "{text}");
        }
    }

    #[test]
    fn stems_follow_the_script_of_the_word() {
        let stems = |text: &str| words(text).into_iter().map(|word| word.stem).collect::<Vec<_>>();
        assert_eq!(stems("dogs running PostgreSQL"), ["dog", "run", "postgresql"]);
        assert_eq!(stems("собаки собаку Москве servers"), ["собак", "собак", "москв", "server"]);
        assert_eq!(stems("Ёлкой"), stems("елкой"));
    }

    #[test]
    fn negations_are_content() {
        for text in ["not never no without don't", "не нет ни никогда без нельзя", "不没别无未"]
        {
            assert!(words(text).iter().all(|word| !word.stop), "{text}");
        }
        assert!(words("the of у на 的了").iter().all(|word| word.stop));
        assert!(words("Me gusta el café de la mañana").iter().any(|word| word.text == "de" && word.stop));
    }

    #[test]
    fn terms_keep_repeats_and_content_does_not() {
        assert_eq!(terms("The dog and the dogs"), ["dog", "dog"]);
        assert_eq!(terms("我喜欢猫"), ["我喜", "喜", "喜欢", "欢", "欢猫", "猫"]);
        assert_eq!(content("У меня две собаки").into_iter().collect::<Vec<_>>(), ["две", "собак"]);
        assert_eq!(content("我的猫喜欢MySQL").into_iter().collect::<Vec<_>>(), ["mysql", "喜欢", "猫喜"]);
        assert_eq!(content("我有 猫").into_iter().collect::<Vec<_>>(), ["有", "猫"]);
    }

    proptest! {
        #[test]
        fn spans_are_valid_and_in_order(text in "\\PC*|[\\x00-\\x7fа-яё我们１２\u{200b}\u{306}👍'@._+#-]{0,40}") {
            let mut last = 0;
            for word in words(&text) {
                prop_assert!(word.span.of(&text).is_some_and(|t| !t.is_empty()));
                prop_assert!(word.span.start >= last || word.span.end >= last);
                prop_assert!(!word.text.is_empty() && !word.stem.is_empty());
                last = word.span.end;
            }
            let _ = (terms(&text), content(&text));
        }
    }
}
