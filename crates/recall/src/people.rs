//! Whom a text speaks of besides the customer: wives, neighbours, friends. A question about one of them is not answered
//! by what was said of another, however alike the rest is.

use std::{collections::HashMap, sync::LazyLock};

use saidso_core::text;

use crate::term::{Hashed, Term};

/// Kinds of people, as a set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct People(u32);

/// One kind a line, in every language; who is of two kinds stands twice ("parents").
static KINDS: LazyLock<HashMap<Term, People, Hashed>> = LazyLock::new(|| {
    let mut kinds: HashMap<Term, People, Hashed> = HashMap::default();
    for (kind, line) in include_str!("people.txt").lines().enumerate() {
        let words = text::words(line).into_iter().filter(|word| !word.is_ideograph()).map(|word| word.stem);
        let pairs = line.split_whitespace().filter(|word| !word.is_ascii()).map(str::to_owned);
        for word in words.chain(pairs) {
            kinds.entry(Term::of(&word)).or_default().0 |= 1 << kind;
        }
    }
    kinds
});

impl People {
    /// Nobody.
    pub const NOBODY: People = People(0);

    /// Of the terms of a text.
    pub fn of(terms: impl IntoIterator<Item = Term>) -> Self {
        let kinds = terms.into_iter().filter_map(|term| KINDS.get(&term));
        Self(kinds.fold(0, |all, people| all | people.0))
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there is somebody, and none of them among `others`.
    pub fn unmet(self, others: Self) -> bool {
        self != Self::NOBODY && !self.meet(others)
    }

    /// Whether the two share a kind.
    pub fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(text: &str) -> People {
        People::of(text::terms(text).iter().map(|term| Term::of(term)))
    }

    #[test]
    fn people_are_told_apart_and_met_again_in_any_language() {
        for (a, b) in [
            ("What is my wife's name?", "My spouse is called Irina."),
            ("Where do my parents live?", "My mother lives in Porto."),
            ("我老婆叫什么？", "我太太叫小敏。"),
            ("Сколько лет моему ребёнку?", "Моей дочери семь."),
            ("Где живёт моя мама?", "My mum lives in Porto."),
        ] {
            assert!(people(a).meet(people(b)), "{a} / {b}");
        }
        for (a, b) in [
            ("What is my neighbour's name?", "My wife is called Irina."),
            ("What is my daughter called?", "My son is called Max."),
            ("我邻居叫什么？", "我太太叫小敏。"),
            ("Как зовут моего соседа?", "Мою жену зовут Ирина."),
            ("Where do I live?", "My mother lives in Porto."),
        ] {
            assert!(!people(a).meet(people(b)), "{a} / {b}");
        }
        assert_eq!(people("Where do I live?"), People::NOBODY);
        assert_ne!(people("Do my friends like me?"), People::NOBODY);
    }
}
