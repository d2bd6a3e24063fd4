//! Whether a wording says no more than the words it rests on.

use std::{collections::BTreeSet, sync::LazyLock};

use crate::text::{self, Whose};

/// Stems of words for the one who speaks that a model may put into a wording; they claim nothing.
static SPEAKER: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    text::content("customer user client speaker клиент клиентка пользователь пользовательница заказчик cliente usuario")
});
/// The same in Chinese, where words do not stand apart.
const SPEAKER_ZH: [&str; 5] = ["客户", "用户", "顾客", "该客", "客人"];

/// Whether the wording claims only what the words say: stems, numbers, dates, names, and how each clause says it.
pub(super) fn supported(wording: &str, words: &str) -> bool {
    let wording = &SPEAKER_ZH.iter().fold(wording.to_owned(), |text, speaker| text.replace(speaker, "我"));
    let said = text::content(words);
    claims(wording).iter().all(|claim| stands(claim, &said))
        && text::numbers(wording).is_subset(&text::numbers(words))
        && text::dates(wording).is_subset(&text::dates(words))
        && text::names(wording).iter().all(|name| named(name, words))
        && parts(wording).iter().all(|part| as_said(part, words, wording))
}

/// What a text claims by its words; numbers are compared as such ("25" is "twenty-five").
fn claims(text: &str) -> BTreeSet<String> {
    let mut claims = text::content(text);
    let numerals = text::words(text).into_iter().filter(|word| !text::numbers(&word.text).is_empty());
    let numerals: BTreeSet<String> = numerals.map(|word| word.stem).collect();
    claims.retain(|word| !SPEAKER.contains(word) && !numerals.contains(word));
    claims
}

/// Whether a name stands in the words, in whatever case it is written or declined.
fn named(name: &str, words: &str) -> bool {
    text::find_quote(words, name).is_some() || {
        let said: BTreeSet<String> = text::words(words).into_iter().map(|word| word.stem).collect();
        text::words(name).into_iter().all(|word| said.contains(&word.stem))
    }
}

/// Whether two Russian stems are one verb in two persons: "жив(у)" and "живет", "любл(ю)" and "люб(ит)".
fn one_verb(a: &str, b: &str) -> bool {
    const ENDINGS: [&str; 18] =
        ["", "л", "ет", "ит", "ят", "ют", "ут", "ат", "ем", "им", "у", "ю", "ла", "ли", "ть", "ает", "ают", "ешь"];
    let shared = a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y).count();
    let rest = |word: &str| word.chars().skip(shared).collect::<String>();
    shared >= 3 && [rest(a), rest(b)].iter().all(|rest| ENDINGS.contains(&rest.as_str()))
}

/// A part of a text that a negation or a modality reaches over.
struct Part<'a> {
    said: &'a str,
    denied: bool,
}

/// The parts of a text: clauses, cut at every mark and "and" between words. A negation reaches on over an "and" to what
/// has no subject of its own: "I don't smoke and drink" denies both.
fn parts(text: &str) -> Vec<Part<'_>> {
    let sentences = text::sentences(text);
    let clauses = sentences.iter().flat_map(|sentence| text::clauses(text, *sentence));
    let mut parts: Vec<Part<'_>> = Vec::new();
    for clause in clauses.filter_map(|clause| clause.of(text)) {
        for (index, said) in cut(clause).into_iter().enumerate() {
            let reaches = index > 0 && text::whose(said.said) == Whose::Unsaid && said.joined;
            let before = parts.last().is_some_and(|part| part.denied);
            let denied = text::negations(said.said) > 0 || reaches && before;
            parts.push(Part { said: said.said, denied });
        }
    }
    parts
}

/// A piece of a clause, and whether an "and" joins it to the one before.
struct Piece<'a> {
    said: &'a str,
    joined: bool,
}

fn cut(clause: &str) -> Vec<Piece<'_>> {
    const MARKS: [&str; 8] = [",", "，", ";", "；", "、", "(", ")", "\n"];
    const AND: [&str; 4] = [" and ", " и ", " y ", " or "];
    let mut pieces = Vec::new();
    let (mut rest, mut joined) = (clause, false);
    while !rest.is_empty() {
        // "1,000" stays whole.
        let mark = MARKS.iter().filter_map(|mark| {
            let at = rest
                .match_indices(mark)
                .find(|(at, _)| !rest[at + mark.len()..].starts_with(|c: char| c.is_ascii_digit()));
            at.map(|(at, mark)| (at, mark.len(), false))
        });
        let and = AND.iter().filter_map(|and| rest.find(and).map(|at| (at, and.len(), true)));
        let (at, length, and) = mark.chain(and).min().unwrap_or((rest.len(), 0, false));
        if rest[..at].chars().any(char::is_alphanumeric) {
            pieces.push(Piece { said: &rest[..at], joined });
        }
        (rest, joined) = (&rest[at + length..], and);
    }
    pieces
}

/// Whether a part of a wording is denied, wished, due, over or to come just where the words it comes from are.
///
/// It comes from the parts of the words that share most of its content. Where several do, one that denies decides: "I like
/// cats, not dogs" does not support "likes dogs".
fn as_said(part: &Part<'_>, words: &str, wording: &str) -> bool {
    let claimed = claims(part.said);
    let shared = |source: &Part<'_>| {
        let said = text::content(source.said);
        claimed.iter().filter(|claim| stands(claim, &said)).count()
    };
    let sources = parts(words);
    let most = sources.iter().map(shared).max().unwrap_or(0);
    // A part that claims nothing by its words ("so I will") comes from any.
    let near: Vec<&Part<'_>> = sources.iter().filter(|source| shared(source) == most).collect();
    let modes = near.first().filter(|_| most > 0).map(|source| text::modalities(source.said)).unwrap_or_default();
    let denied = near.iter().any(|source| source.denied);
    denied == part.denied && modes.is_subset(&text::modalities(wording))
}

/// Whether a claim is among the words said, in Russian in whatever person of the verb.
fn stands(claim: &str, said: &BTreeSet<String>) -> bool {
    let russian = claim.chars().all(|c| matches!(c, 'а'..='я'));
    said.contains(claim) || russian && said.iter().any(|word| one_verb(claim, word))
}
