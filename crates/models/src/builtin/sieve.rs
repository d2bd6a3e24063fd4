//! Which of many patterns a text may match at all, by the literal words each of them needs: one pass over the text in
//! place of one for every pattern.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Most characters of a class that are looked for one by one: digits, Chinese ones among them.
const CLASS: usize = 48;

/// The literals that patterns need.
pub(super) struct Sieve {
    finder: AhoCorasick,
    /// Per literal, the patterns that need it or one of its like.
    needing: Vec<Vec<usize>>,
    /// The patterns that need none.
    open: Vec<bool>,
}

impl Sieve {
    /// Over patterns, each known by its place from now on.
    ///
    /// # Panics
    /// On a pattern that is none: they are part of the program.
    pub fn over(patterns: &[String]) -> Self {
        let mut literals: HashMap<String, Vec<usize>> = HashMap::new();
        let mut open = Vec::new();
        for (place, pattern) in patterns.iter().enumerate() {
            let parsed = regex_syntax::parse(pattern).unwrap_or_else(|error| panic!("pattern `{pattern}`: {error}"));
            let needed = needed(&parsed);
            open.push(needed.is_none());
            for literal in needed.into_iter().flatten() {
                literals.entry(literal).or_default().push(place);
            }
        }
        let (literals, needing): (Vec<String>, Vec<Vec<usize>>) = literals.into_iter().unzip();
        let finder = AhoCorasick::new(&literals).unwrap_or_else(|error| panic!("literals of patterns: {error}"));
        Self { finder, needing, open }
    }

    /// Per pattern, whether a text holds what it needs.
    pub fn may_match(&self, text: &str) -> Vec<bool> {
        let mut may = self.open.clone();
        for found in self.finder.find_overlapping_iter(text) {
            self.needing[found.pattern()].iter().for_each(|&place| may[place] = true);
        }
        may
    }
}

/// Literals of which one stands in every text that a pattern matches; `None` where none need be.
fn needed(pattern: &Hir) -> Option<Vec<String>> {
    match pattern.kind() {
        HirKind::Literal(literal) => Some(vec![std::str::from_utf8(&literal.0).ok()?.to_owned()]),
        HirKind::Class(Class::Unicode(class)) => {
            let count: usize = class.iter().map(|range| range.len()).sum();
            let each = class.iter().flat_map(|range| range.start()..=range.end());
            (count <= CLASS).then(|| each.map(String::from).collect())
        }
        HirKind::Capture(capture) => needed(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => needed(&repetition.sub),
        // All of them must stand there: the longest tell most.
        HirKind::Concat(parts) => parts.iter().filter_map(needed).max_by_key(|literals| {
            let shortest = literals.iter().map(|literal| literal.chars().count()).min();
            (shortest, std::cmp::Reverse(literals.len()))
        }),
        HirKind::Alternation(parts) => {
            let each: Option<Vec<_>> = parts.iter().map(needed).collect();
            each.map(|each| each.concat())
        }
        HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) | HirKind::Class(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn a_pattern_is_tried_only_where_its_words_stand() {
        let patterns = ["^(?:在)?(?<v>.+)工作$", "^a(?:b|c)d?$", "^.*$", "^(?:x+|[0-9]y)$"].map(String::from);
        let sieve = Sieve::over(&patterns);
        for (text, may) in [
            ("在上海工作", [true, false, true, false]),
            ("ac", [false, true, true, false]),
            ("7", [false, false, true, false]),
            ("7y", [false, false, true, true]),
        ] {
            assert_eq!(sieve.may_match(text), may, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_match_is_sifted_out(text in "[abcd017工作在 ]{0,8}", patterns in proptest::collection::vec(
            "(\\(\\?:[ab工]{1,3}\\|[cd作]{1,2}\\)|[abcd工]{1,2}|\\[ab0-7\\]|\\.|(a|工)\\+|(b|作)\\?|(c|在)\\{0,2\\}){1,4}", 1..6)
        ) {
            let may = Sieve::over(&patterns).may_match(&text);
            for (pattern, may) in patterns.iter().zip(may) {
                prop_assert!(may || !Regex::new(pattern).unwrap().is_match(&text), "{}", pattern);
            }
        }
    }
}
