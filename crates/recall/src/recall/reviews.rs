//! Answers that nobody is sure of: which are flagged, where their questions wait, and what a reviewer is shown.

use saidso_core::{
    decay::DAY_MS,
    fault::Fault,
    ids::ResultId,
    passages::Passage,
    review::{Doubtful, ReviewRow},
    scope::Scope,
};

use super::{Inner, Recall};
use crate::{
    Source,
    answer::probability,
    search::{Found, Item},
    space::Space,
    waiting::Writing,
};

/// A result as a reviewer sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    /// The memory's id as it is called now, or the message's.
    pub id: ResultId,
    /// Which of the two.
    pub source: Source,
    /// The statement, or the raw words.
    pub text: String,
    /// The customer's own words, as last said.
    pub quote: String,
    /// When, RFC 3339.
    pub said_at: String,
    /// How likely it belongs to the question, 0…1.
    pub confidence: f32,
}

impl Recall {
    /// Puts what this process holds for review into the queue at once.
    pub fn put_waiting(&self) -> Result<(), Fault> {
        self.inner.waiting.write(&self.inner.writing())
    }

    /// What a question that waits was answered with; `None` if any of it is gone: the question's own words may be of what
    /// was forgotten.
    pub fn reviewed(&self, scope: &Scope, row: &ReviewRow) -> Result<Option<Vec<Reviewed>>, Fault> {
        let space = self.space(scope)?;
        Ok(row.results.iter().map(|doubtful| reviewed(&space, doubtful)).collect())
    }
}

fn reviewed(space: &Space, &Doubtful { result, confidence }: &Doubtful) -> Option<Reviewed> {
    if let Some(memory) = space.memory_of(result) {
        let last = memory.evidence.last()?;
        return Some(Reviewed {
            id: memory.id.into(),
            source: Source::Memory,
            text: memory.text.clone(),
            quote: last.quote.clone(),
            said_at: last.at.clone(),
            confidence,
        });
    }
    let of_it = |(_, passage): &(u32, &Passage)| ResultId::from(passage.message) == result;
    let passages: Vec<(u32, &Passage)> = (0..).zip(&space.passages).filter(of_it).collect();
    let said_at = space.turn_of(passages.first()?.0).at.clone();
    let text = passages.iter().map(|(_, passage)| passage.text.as_str()).collect::<Vec<_>>().join(" ");
    Some(Reviewed { id: result, source: Source::Message, quote: text.clone(), text, said_at, confidence })
}

impl Inner {
    /// Whether a flagged answer stays flagged: not if a reviewer has accepted one of its results for the question. If it
    /// does, it waits for one.
    pub(super) fn doubts(&self, scope: &Scope, space: &Space, question: &str, found: &[Found], now_ms: i64) -> bool {
        let doubtful = |found: &Found| {
            let result = match found.item {
                Item::Memory(index) => space.memories[index as usize].id.into(),
                Item::Passage(index) => space.passages[index as usize].message.into(),
            };
            Doubtful { result, confidence: probability(found.evidence) }
        };
        let results: Vec<Doubtful> = found.iter().map(doubtful).collect();
        if space.verdicts.accept_any() {
            let review = self.sources.names.ids(scope).review(question);
            if results.iter().any(|doubtful| space.verdicts.accept(review, doubtful.result)) {
                return false;
            }
        }
        self.waiting.add(scope, question, now_ms, results);
        true
    }

    /// Writes what waits and, once a day, lets go of what has waited too long; `swept_ms` is when it last did.
    pub(super) fn keep_reviews(&self, swept_ms: &mut Option<i64>) -> Result<(), Fault> {
        let writing = self.writing();
        self.waiting.write(&writing)?;
        if swept_ms.is_none_or(|last| writing.now_ms.saturating_sub(last) >= DAY_MS) {
            writing.trim_all()?;
            *swept_ms = Some(writing.now_ms);
        }
        Ok(())
    }

    fn writing(&self) -> Writing<'_> {
        let sources = &self.sources;
        Writing {
            reviews: sources.reviews.as_ref(),
            keys: sources.keys.as_ref(),
            names: &sources.names,
            entropy: sources.entropy.as_ref(),
            now_ms: sources.clock.now_ms(),
        }
    }
}
