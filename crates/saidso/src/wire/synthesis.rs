//! Answers in sentences.

use saidso_core::synthesis;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The answer in sentences, each from results it cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Synthesis {
    /// In the order they are to be read; none if all were refused.
    pub sentences: Vec<Sentence>,
    /// Sentences that were refused because they cited nothing, or something that is no result.
    pub refused: usize,
    /// Who worded it.
    pub synthesizer: String,
}

/// One sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sentence {
    /// The words.
    pub text: String,
    /// Ids of the results it rests on.
    pub cites: Vec<String>,
}

impl Synthesis {
    /// What passed.
    pub fn of(synthesis: &synthesis::Synthesis, synthesizer: &str) -> Self {
        let sentence = |said: &synthesis::Cited| Sentence { text: said.text.clone(), cites: said.cites.clone() };
        Self {
            sentences: synthesis.sentences().iter().map(sentence).collect(),
            refused: synthesis.refused(),
            synthesizer: synthesizer.to_owned(),
        }
    }
}
