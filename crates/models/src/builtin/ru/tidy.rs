//! Clauses and phrases in a form that patterns can count on.

use saidso_core::text::{self, Normalised};

/// A clause in lower case, dashes between words and quotation marks gone, one space between words.
pub(super) fn clause(raw: &str) -> String {
    let normalised = Normalised::new(raw);
    let mut out = normalised.text().replace(" - ", " ").replace(": ", ", ").replace(['"', '(', ')', '*', STRESS], "");
    for emoji in [":)", ":(", ";)", "))", "=)"] {
        out = out.replace(emoji, "");
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    out.trim_matches(|c: char| ",.;:!~…- ".contains(c) || !c.is_alphanumeric() && !c.is_ascii()).to_owned()
}

/// The mark over a stressed vowel, which spells no other word.
const STRESS: char = '\u{301}';

/// A phrase as a value: its words as said, function words at its ends gone; the fold compares them without their
/// endings. `None` for a pronoun, a filler or nothing.
pub(super) fn phrase(said: &str) -> Option<String> {
    let words = text::words(said);
    // "Том" alone is a name.
    let name = words.len() == 1 && words[0].text == "том";
    if !name && words.first().is_some_and(|word| POINTING.contains(&word.text.as_str())) {
        return None;
    }
    let first = words.iter().position(|word| !word.stop && !EMPTY.contains(&word.text.as_str()))?;
    let last = words.iter().rposition(|word| !word.stop)?;
    let words: Vec<&str> = words.get(first..=last)?.iter().map(|word| word.text.as_str()).take(WORDS).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Words that point at something said before: a phrase that begins with one says nothing alone.
const POINTING: [&str; 25] = [
    "это",
    "этот",
    "эту",
    "этого",
    "этом",
    "этой",
    "этим",
    "эти",
    "этих",
    "его",
    "ее",
    "их",
    "него",
    "нее",
    "них",
    "нем",
    "ней",
    "ним",
    "ними",
    "вас",
    "вам",
    "том",
    "той",
    "там",
    "тебя",
];

/// The most words of a value.
const WORDS: usize = 6;

/// Words that are content elsewhere and no value alone.
const EMPTY: [&str; 17] = [
    "ни",
    "вещи",
    "вопрос",
    "вопросы",
    "проблема",
    "проблемы",
    "время",
    "дело",
    "дела",
    "все",
    "нечто",
    "чтото",
    "раз",
    "такое",
    "хорошо",
    "нормально",
    "возможность",
];
