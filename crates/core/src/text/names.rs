//! Likely names and identifiers.

use std::collections::BTreeSet;

use super::{Language, Normalised, Word, normal, sentences, stops, words};

/// What in a text is likely a name or an identifier, in normal form. A Russian name is in the case it stands in; cases
/// agree by their stems ([`super::words()`]).
///
/// Names are capitalised words inside a sentence, words with digits or inner capitals, Latin words in Chinese or Russian
/// text, and what stands in «», “” or 《》. A capitalised word that opens a sentence is not taken: it may be any word.
pub fn names(text: &str) -> BTreeSet<String> {
    let language = Language::of(text);
    let mut names = BTreeSet::new();
    for sentence in sentences(text) {
        let Some(part) = sentence.of(text) else { continue };
        // In a shouted sentence capitals say nothing.
        let shouted = part.chars().filter(|c| c.is_uppercase()).count()
            > part.chars().filter(|c| c.is_lowercase()).count()
            && part.split_whitespace().count() > 2
            && !part.chars().any(normal::han);
        let words = words::words_in(&Normalised::new(part), language);
        for (at, word) in words.iter().enumerate() {
            let Some(written) = word.span.of(part) else { continue };
            if named(written, word, at == 0 || quoted_start(part, word), shouted, language) {
                names.insert(form(word));
            }
        }
        for title in titles(part) {
            names.insert(title);
        }
    }
    names
}

fn named(written: &str, word: &Word, first: bool, shouted: bool, language: Language) -> bool {
    let mut letters = written.chars().filter(|c| c.is_alphanumeric());
    let Some(initial) = letters.next() else { return false };
    if word.is_ideograph() || !word.text.chars().any(char::is_alphabetic) || ordinary(&word.text) {
        return false;
    }
    let has_digit = word.text.chars().any(|c| c.is_ascii_digit());
    let unit = initial.is_ascii_digit() && !word.text.contains(['-', '_', '.']);
    let inner_capital = !shouted && letters.any(char::is_uppercase);
    let latin = word.text.chars().any(normal::latin);
    let foreign_script = latin && matches!(language, Language::Zh | Language::Ru);
    let technical = word.text.contains(['@', '_', '+', '#']) || (latin && word.text.contains('.'));
    (has_digit && !unit)
        || inner_capital
        || foreign_script
        || technical
        || (!first && !shouted && initial.is_uppercase())
}

/// Words that are written with a capital without being names, and shouted function words.
fn ordinary(word: &str) -> bool {
    stops::EN.contains(word)
        || stops::RU.contains(word)
        || matches!(word, "not" | "no" | "never" | "не" | "нет" | "ни")
        || word.starts_with("i'")
        || word.ends_with("n't")
        || word.chars().count() == 1
}

/// A capital after an opening quote or bracket may just open a quoted sentence.
fn quoted_start(sentence: &str, word: &Word) -> bool {
    sentence[..word.span.start as usize].trim_end().ends_with([':', '"', '“', '«', '(', '-', '—', '•', '*'])
}

fn form(word: &Word) -> String {
    word.text.strip_suffix("'s").unwrap_or(&word.text).to_owned()
}

/// Short texts in title marks.
fn titles(sentence: &str) -> Vec<String> {
    let mut titles = Vec::new();
    for (open, close) in [('«', '»'), ('“', '”'), ('《', '》'), ('「', '」')] {
        let mut rest = sentence;
        while let Some((_, behind)) = rest.split_once(open) {
            let Some((inside, after)) = behind.split_once(close) else { break };
            let title = Normalised::new(inside).text().trim().to_owned();
            if !title.is_empty() && title.split(' ').count() < 5 && title.chars().count() < 40 {
                titles.push(title);
            }
            rest = after;
        }
    }
    titles
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_and_identifiers_are_found() {
        for (text, expected) in [
            ("I live in Oslo with Anna's dog.", vec!["anna", "oslo"]),
            ("Dogs are fun. We use PostgreSQL and node.js", vec!["node.js", "postgresql"]),
            ("My X-200 and iPhone, but I'm not 5kg", vec!["iphone", "x-200"]),
            ("AWS is what I use", vec!["aws"]),
            ("I REALLY DO NOT LIKE IT", vec![]),
            ("Я живу в Москве и люблю Анну", vec!["анну", "москве"]),
            ("Москва. Мы используем mysql и «Битрикс»", vec!["mysql", "битрикс"]),
            ("Я НЕ ПРОДАЮ НИЧЕГО", vec![]),
            ("我用 MySQL 8.0，喜欢《三体》", vec!["mysql", "三体"]),
            ("我们的s3在aws", vec!["aws", "s3"]),
            ("我有2台", vec![]),
        ] {
            assert_eq!(names(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC*|[A-Za-zА-Яа-я «»“”《》我们0-9._'@-]{0,40}") {
            let _ = names(&text);
        }
    }
}
