//! An answer in sentences, each resting on results that it cites (requirements B5). Who words it is not trusted: what
//! cites nothing, or something that was not found, is refused here.

use std::collections::BTreeSet;

use crate::limits;

/// A result that may be cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// The memory's id, or the message's.
    pub id: &'a str,
    /// The statement, or the customer's words.
    pub text: &'a str,
}

/// A sentence, and what it says it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The sentence.
    pub text: String,
    /// Ids of results.
    pub cites: Vec<String>,
}

/// Sentences of which each cites results of the answer. Only [`grounded`] makes one.
///
/// ```compile_fail
/// let forged = saidso_core::synthesis::Synthesis { sentences: Vec::new(), refused: 0 };
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synthesis {
    sentences: Vec<Cited>,
    refused: usize,
}

impl Synthesis {
    /// The sentences; each cites at least one result, none twice.
    pub fn sentences(&self) -> &[Cited] {
        &self.sentences
    }

    /// Sentences that were refused.
    pub fn refused(&self) -> usize {
        self.refused
    }
}

/// Keeps the sentences that cite something, and nothing but sources: one id that is none refuses the sentence, since what
/// it was made from is unknown. So is one that says nothing, or more than [`limits::QUOTE_BYTES`]; of the others the first
/// [`limits::SYNTHESIS_SENTENCES`] are kept.
pub fn grounded(draft: Vec<Cited>, sources: &[Source<'_>]) -> Synthesis {
    let known: BTreeSet<&str> = sources.iter().map(|source| source.id).collect();
    let drafted = draft.len();
    let sentences: Vec<Cited> = draft
        .into_iter()
        .filter_map(|Cited { text, cites }| {
            let text = text.trim();
            let says = (1..=limits::QUOTE_BYTES).contains(&text.len());
            let rests = !cites.is_empty() && cites.iter().all(|id| known.contains(id.as_str()));
            let mut seen = BTreeSet::new();
            let once = |id: &String| seen.insert(id.clone());
            (says && rests).then(|| Cited { text: text.to_owned(), cites: cites.into_iter().filter(once).collect() })
        })
        .take(limits::SYNTHESIS_SENTENCES)
        .collect();
    Synthesis { refused: drafted - sentences.len(), sentences }
}
