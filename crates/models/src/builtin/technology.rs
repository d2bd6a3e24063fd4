//! Technologies and their categories, one list for all languages.

use std::{collections::HashMap, sync::LazyLock};

use saidso_core::text;

/// What a name stands for.
struct Technology {
    category: &'static str,
    canonical: String,
}

static KNOWN: LazyLock<HashMap<String, Technology>> = LazyLock::new(|| {
    let lines = include_str!("technology.txt").lines();
    let mut known = HashMap::new();
    for (category, names) in lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": ")) {
        for entry in names.split_whitespace() {
            let (name, canonical) = entry.split_once('>').unwrap_or((entry, entry));
            let canonical = canonical.replace('_', " ");
            let name = name.replace('_', " ");
            // Values come as stems in Russian.
            let stems: Vec<String> = text::words(&name).into_iter().map(|word| word.stem).collect();
            if !name.is_ascii() {
                known.entry(stems.join(" ")).or_insert(Technology { category, canonical: canonical.clone() });
            }
            known.entry(name).or_insert(Technology { category, canonical });
        }
    }
    known
});

/// The category of a technology's name in lower case, and its one canonical name.
pub(super) fn lookup(name: &str) -> Option<(&'static str, &'static str)> {
    KNOWN.get(name).map(|technology| (technology.category, technology.canonical.as_str()))
}

/// A pattern that any known name matches, the longest first.
pub(super) fn pattern() -> String {
    let mut names: Vec<&String> = KNOWN.keys().collect();
    names.sort_by_key(|name| (std::cmp::Reverse(name.chars().count()), *name));
    names.iter().map(|name| regex::escape(name)).collect::<Vec<_>>().join("|")
}

/// The category of the first technology a normalised text names, and its name with the version behind it.
pub(super) fn named(phrase: &str) -> Option<(&'static str, String)> {
    let words = text::words(phrase);
    for (at, word) in words.iter().enumerate() {
        // Up to four words or characters may be one name: "sql server", "阿里云".
        for taken in (1..=4.min(words.len() - at)).rev() {
            let last = &words[at + taken - 1];
            let Some(name) = phrase.get(word.span.start as usize..last.span.end as usize) else { continue };
            let Some(technology) = KNOWN.get(name) else { continue };
            let version = words.get(at + taken).filter(|next| next.text.starts_with(|c: char| c.is_ascii_digit()));
            let name = match version {
                Some(version) => format!("{} {}", technology.canonical, version.text),
                None => technology.canonical.clone(),
            };
            return Some((technology.category, name));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_are_known_in_every_script() {
        for (phrase, category, name) in [
            ("mysql 8.0的", "database", "mysql 8.0"),
            ("部署在阿里云上", "cloud", "alibaba cloud"),
            ("на постгрес 15", "database", "postgresql 15"),
            ("sql server", "database", "sql server"),
            ("k8s", "container platform", "kubernetes"),
        ] {
            assert_eq!(named(phrase), Some((category, name.to_owned())), "{phrase}");
        }
        assert_eq!(named("一只猫"), None);
    }
}
