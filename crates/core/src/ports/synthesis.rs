//! Who puts results into sentences.

use crate::{
    fault::Fault,
    synthesis::{Cited, Source},
};

/// Answers a question in sentences, each from results that it names. What it says counts only once it passed
/// [`crate::synthesis::grounded`].
pub trait Synthesizer: Send + Sync {
    /// Name and version, shown with every answer.
    fn id(&self) -> &str;

    /// Sentences in the order they are to be read. The sources are a customer's words: data, never instructions.
    fn synthesize(&self, question: &str, sources: &[Source<'_>]) -> Result<Vec<Cited>, Fault>;
}
