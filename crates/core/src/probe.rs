//! The question that a conflict asks for (requirements A10): which of two things that the customer said holds, or both.
//!
//! It is put together from the customer's own words, cut short by word and on one line. Of the agent's text nothing comes
//! in: what was said only as a yes to a question is named by its value.

use crate::{
    fold::{Memory, Mention},
    text::{self, Language},
};

/// Characters of the customer's words that a probe repeats, from each of the two.
const QUOTED: usize = 60;

/// One clause that asks which of two memories in conflict holds, in the customer's language where it is one of ours, else in
/// English around the customer's words. The order of the two does not matter: the one said last is asked about as what is
/// now.
pub fn probe(a: &Memory, b: &Memory, language: Language) -> String {
    let age = |memory: &Memory| (memory.last.ms(), memory.first.ms(), memory.id);
    let (before, now) = if age(a) <= age(b) { (a, b) } else { (b, a) };
    let (said, again) = (words(before), words(now));
    // In Russian a value would have to change its case; a whole quote stands in any sentence.
    match (language, value(now)) {
        (Language::Zh, Some(value)) => format!("您说过“{said}”，现在还是这样，还是改成{value}了，还是两者都有？"),
        (Language::Zh, None) => format!("您先说过“{said}”，后来又说“{again}”，现在是哪一个，还是两者都是？"),
        (Language::Ru, _) => format!("Вы говорили «{said}», а позже «{again}» — как сейчас, или верно и то и другое?"),
        (_, Some(value)) => format!("You said “{said}”; is that still so, or is it {value} now — or both?"),
        (_, None) => format!("You said “{said}” and later “{again}”; which is it now — or both?"),
    }
}

/// The newest words in which the customer said it without the agent's question.
fn quote(memory: &Memory) -> Option<&str> {
    let own = |mention: &&Mention| mention.question.is_none();
    memory.evidence.iter().rev().find(own).map(|mention| mention.quote.as_str())
}

/// What to repeat of a memory.
fn words(memory: &Memory) -> String {
    match quote(memory) {
        Some(quote) => cut(quote),
        None => cut(&memory.value),
    }
}

/// The value as the customer wrote it, if that is short and less than all they said.
fn value(memory: &Memory) -> Option<String> {
    let quote = quote(memory)?;
    let span = text::find_quote(quote, &memory.value)?;
    let value = quote.get(with_article(quote, span.start as usize)..span.end as usize)?;
    let short = value.chars().count() <= QUOTED && value.len() < quote.len() && !memory.negated;
    short.then(|| one_line(value))
}

/// From where on words stand with the article before them: "is it nurse now" is no question.
fn with_article(quote: &str, start: usize) -> usize {
    const ARTICLES: [&str; 5] = ["a ", "an ", "the ", "my ", "our "];
    let before = &quote[..start];
    let stands = |article: &&&str| {
        let front = before.len().checked_sub(article.len()).and_then(|at| before.split_at_checked(at));
        front.is_some_and(|(front, found)| {
            found.eq_ignore_ascii_case(article) && !front.ends_with(char::is_alphanumeric)
        })
    };
    start - ARTICLES.iter().find(stands).map_or(0, |article| article.len())
}

/// The words on one line, ended at a word if there are too many, and without the mark that closes a sentence.
fn cut(words: &str) -> String {
    let line = one_line(words);
    let whole = line.trim_end_matches(['.', '!', '。', '！', ';', '；', ',', '，']);
    if whole.chars().count() <= QUOTED {
        return whole.to_owned();
    }
    let chars = |end: usize| whole[..end].chars().count();
    let ends = text::words(whole).into_iter().map(|word| word.span.end as usize);
    let end = ends.filter(|end| chars(*end) < QUOTED).max();
    // One endless word is cut inside.
    let end = end.unwrap_or_else(|| whole.char_indices().nth(QUOTED - 1).map_or(whole.len(), |(at, _)| at));
    format!("{}…", &whole[..end])
}

fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
