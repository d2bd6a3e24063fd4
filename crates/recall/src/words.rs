//! BM25 over the documents of one space, with what share of a question's weight each document covers.

use std::collections::HashMap;

use crate::term::{Hashed, Term};

/// How soon repeats of a term stop counting (BM25's k1).
const SATURATION: f32 = 1.2;
/// How much a long document is discounted (BM25's b).
const LENGTH: f32 = 0.75;

/// Hits kept: what ranks below them adds nothing that could be seen in an answer.
const DEPTH: usize = 256;

/// A document that shares terms with a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Which document.
    pub document: u32,
    /// BM25.
    pub score: f32,
    /// How much of the question's content the document holds, by weight, 0…1.
    pub covered: f32,
    /// How much of the document the question holds, by weight, 0…1.
    pub exhausted: f32,
    /// A content word they share is telling: not of the general vocabulary.
    pub telling: bool,
}

/// A term of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// The term.
    pub term: Term,
    /// Whether it is a content word; terms of pairs that only help ranking are not.
    pub content: bool,
}

/// What a question's terms add up to in one document.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    score: f32,
    covered: f32,
    telling: bool,
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    document: u32,
    /// The term's whole contribution to the document's score: everything in it is known when the index is built.
    impact: f32,
}

/// An index, built once and never changed.
#[derive(Debug, Default)]
pub struct Words {
    lists: HashMap<Term, (u32, u32), Hashed>,
    postings: Vec<Posting>,
    /// Weight of all distinct terms of each document.
    weights: Vec<f32>,
}

/// Collects documents.
#[derive(Debug, Default)]
pub struct Builder {
    /// Term, document, weighted count.
    counts: Vec<(Term, u32, f32)>,
    lengths: Vec<f32>,
}

impl Builder {
    /// Adds a document: terms of its fields, each with the weight of its field (BM25F).
    pub fn document(&mut self, terms: impl IntoIterator<Item = (Term, f32)>) {
        let document = self.lengths.len() as u32;
        let start = self.counts.len();
        let mut length = 0.0;
        for (term, weight) in terms {
            length += weight;
            self.counts.push((term, document, weight));
        }
        self.lengths.push(length);
        let own = &mut self.counts[start..];
        own.sort_unstable_by_key(|(term, ..)| *term);
        let mut kept = start;
        for at in start..self.counts.len() {
            let (term, _, count) = self.counts[at];
            if kept > start && self.counts[kept - 1].0 == term {
                self.counts[kept - 1].2 += count;
            } else {
                self.counts[kept] = (term, document, count);
                kept += 1;
            }
        }
        self.counts.truncate(kept);
    }

    /// The index.
    pub fn build(mut self) -> Words {
        let documents = self.lengths.len();
        let average = (self.lengths.iter().sum::<f32>() / documents.max(1) as f32).max(f32::MIN_POSITIVE);
        self.counts.sort_unstable_by_key(|(term, document, _)| (*term, *document));
        let mut words = Words { weights: vec![0.0; documents], ..Words::default() };
        words.postings.reserve_exact(self.counts.len());
        for list in self.counts.chunk_by(|a, b| a.0 == b.0) {
            let term = list[0].0;
            let weight = term.weight(list.len(), documents);
            let start = words.postings.len() as u32;
            for (_, document, count) in list {
                let norm = 1.0 - LENGTH + LENGTH * self.lengths[*document as usize] / average;
                let impact = weight * count * (SATURATION + 1.0) / (count + SATURATION * norm);
                words.postings.push(Posting { document: *document, impact });
                words.weights[*document as usize] += weight;
            }
            words.lists.insert(term, (start, words.postings.len() as u32));
        }
        words
    }
}

impl Words {
    /// Documents.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.postings.len() * size_of::<Posting>()
            + self.lists.capacity() * (size_of::<(Term, (u32, u32))>() + 1) * 8 / 7
            + self.weights.len() * 4
    }

    /// The best [`DEPTH`] documents that share a term, best first, then by document. Repeats in `asked` are the caller's
    /// to avoid.
    pub fn hits(&self, asked: &[Asked]) -> Vec<Hit> {
        let mut sums = vec![Sum::default(); self.weights.len()];
        let mut touched = Vec::new();
        let mut whole = 0.0;
        for Asked { term, content } in asked {
            let list =
                self.lists.get(term).map_or(&[][..], |(start, end)| &self.postings[*start as usize..*end as usize]);
            let weight = if *content { term.weight(list.len(), self.weights.len()) } else { 0.0 };
            let telling = *content && term.telling();
            whole += weight;
            for Posting { document, impact } in list {
                let sum = &mut sums[*document as usize];
                if sum.score == 0.0 {
                    touched.push(*document);
                }
                sum.score += impact;
                sum.covered += weight;
                sum.telling |= telling;
            }
        }
        let hit = |document: u32| {
            let Sum { score, covered, telling } = sums[document as usize];
            let share = |of: f32| if of > 0.0 { (covered / of).min(1.0) } else { 0.0 };
            Hit { document, score, covered: share(whole), exhausted: share(self.weights[document as usize]), telling }
        };
        let order = |a: &u32, b: &u32| {
            let score = |document: u32| sums[document as usize].score;
            score(*b).total_cmp(&score(*a)).then(a.cmp(b))
        };
        if touched.len() > DEPTH {
            touched.select_nth_unstable_by(DEPTH, order);
            touched.truncate(DEPTH);
        }
        touched.sort_unstable_by(order);
        touched.into_iter().map(hit).collect()
    }
}

#[cfg(test)]
mod tests {
    use saidso_core::text;

    use super::*;

    fn index(documents: &[&str]) -> Words {
        let mut builder = Builder::default();
        for document in documents {
            builder.document(text::terms(document).iter().map(|term| (Term::of(term), 1.0)));
        }
        builder.build()
    }

    fn asked(question: &str) -> Vec<Asked> {
        text::content(question).iter().map(|stem| Asked { term: Term::of(stem), content: true }).collect()
    }

    #[test]
    fn the_document_with_the_rarer_word_comes_first() {
        let words =
            index(&["the warehouse is in Lyon", "the warehouse has a gate", "a gate and a gate and a warehouse"]);
        let hits = words.hits(&asked("Is the warehouse near Lyon?"));
        assert_eq!(hits.iter().map(|hit| hit.document).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(hits[0].covered > hits[1].covered && hits[0].covered < 1.0);
    }

    #[test]
    fn coverage_counts_both_ways() {
        let words = index(&["city", "city and harbour and market"]);
        let hits = words.hits(&asked("city"));
        assert!(hits.iter().all(|hit| hit.covered > 0.999));
        assert!(hits[0].exhausted > 0.999 && hits[1].exhausted < 0.5);
    }

    #[test]
    fn nothing_shared_is_no_hit() {
        assert!(index(&["the warehouse is in Lyon"]).hits(&asked("insulin dose")).is_empty());
        assert!(index(&[]).hits(&asked("insulin")).is_empty());
        assert!(index(&["insulin"]).hits(&[]).is_empty());
    }
}
