//! Finds what a session is about.

use std::collections::{BTreeSet, HashSet};

use super::{
    Said, announced,
    entity::{Anchor, Entity},
    figures,
};
use crate::{
    limits, privacy,
    text::{self, Language, Word},
    time::Moment,
    turn::{Message, Turn},
    when,
};

/// Bytes of a message in which somebody's name or an order's number is looked for to tell how long a session stays open.
const BEGINNING: usize = 2_000;

/// What the messages of a session name, the newest first, each once.
pub(super) fn anchors(said: &[Said<'_>]) -> Vec<Anchor> {
    let (mut seen, mut anchors) = (HashSet::new(), Vec::new());
    for Said { at, message, text, .. } in said.iter().rev() {
        for entity in entities(text, at) {
            let value = entity.value().map(|value| text::same_key(&value.to_lowercase()));
            if anchors.len() < limits::SESSION_ANCHORS && seen.insert((entity.kind(), value)) {
                anchors.push(Anchor { entity, message: *message });
            }
        }
    }
    anchors
}

/// Whether a turn tells who somebody is.
pub(super) fn identifies(turn: &Turn) -> bool {
    turn.body.messages.iter().any(|Message { text }| {
        // People say who they are at the beginning; a mask is seen anywhere.
        let beginning = &text[..text.floor_char_boundary(BEGINNING)];
        privacy::redacted(text) || identities(beginning, &text::words(beginning)).next().is_some()
    })
}

/// What a text names, by sort and then by place.
fn entities(text: &str, at: &Moment) -> Vec<Entity> {
    let words = text::words(text);
    let times = when::times(text, Language::of(text), at);
    let in_time = |words: &str| times.iter().any(|time| time.words.contains(words));
    let mut entities: Vec<Entity> = identities(text, &words).collect();
    let taken: Vec<String> = entities.iter().filter_map(Entity::value).map(str::to_owned).collect();
    let other = names(text, &words).into_iter().chain(figures::quantities(text, &words).map(Entity::Quantity));
    entities.extend(other.filter(|entity| {
        entity.value().is_some_and(|value| !in_time(value) && !taken.iter().any(|taken| taken.contains(value)))
    }));
    entities.extend(times.into_iter().map(Entity::Time));
    entities
}

/// What tells who somebody is.
fn identities<'a>(text: &'a str, words: &'a [Word]) -> impl Iterator<Item = Entity> + 'a {
    let withheld = privacy::masks(text).into_iter().map(|mask| Entity::Withheld(announced::withheld(text, mask)));
    let persons = announced::persons(text, words).into_iter().map(Entity::Person);
    withheld.chain(persons).chain(announced::references(text, words).map(Entity::Reference))
}

/// Likely names, as they are written; neighbours are one.
fn names(text: &str, words: &[Word]) -> Vec<Entity> {
    let known = text::names(text);
    let foreign = matches!(Language::of(text), Language::Zh | Language::Ru);
    let form = |word: &Word| word.text.strip_suffix("'s").unwrap_or(&word.text).to_owned();
    let (mut names, mut found) = (Vec::new(), BTreeSet::new());
    let named = |word: &Word| known.contains(&form(word));
    let goes_on = |a: &Word, b: &Word| touch(text, a, b) && (named(b) || version(b));
    let mut start = 0;
    while start < words.len() {
        if !named(&words[start]) {
            start += 1;
            continue;
        }
        let more = words[start..].windows(2).take_while(|pair| goes_on(&pair[0], &pair[1])).count();
        let run = &words[start..=start + more];
        start += run.len();
        found.extend(run.iter().map(form));
        let (first, last) = (run[0].span.start as usize, run[more].span.end as usize);
        let Some(name) = text.get(first..last) else { continue };
        let name = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s")).unwrap_or(name).to_owned();
        names.push(if technical(&name, foreign) { Entity::Product(name) } else { Entity::Name(name) });
    }
    // What stands in title marks, more words or ideographs than one.
    let titles = known.iter().filter(|name| !found.contains(*name));
    names.extend(
        titles.filter_map(|title| text::find_quote(text, title)?.of(text)).map(|title| Entity::Name(title.into())),
    );
    names
}

/// "8.0".
fn version(word: &Word) -> bool {
    word.text.contains('.') && word.text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Whether two words stand side by side with one space between them.
fn touch(text: &str, a: &Word, b: &Word) -> bool {
    text.get(a.span.end as usize..b.span.start as usize) == Some(" ")
}

/// Digits, capitals inside a word, marks that only technical names have, or a script other than the text's.
fn technical(name: &str, foreign: bool) -> bool {
    let inner = |part: &str| part.chars().skip(1).any(char::is_uppercase);
    name.contains(|c: char| c.is_ascii_digit() || "._+#@".contains(c))
        || name.split(' ').any(inner)
        || foreign && name.contains(|c: char| c.is_ascii_alphabetic())
}
