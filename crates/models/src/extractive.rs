//! The built-in synthesizer: it words nothing. It picks, of each result, the sentence nearest to the question.

use saidso_core::{
    fault::Fault,
    ports::Synthesizer,
    synthesis::{Cited, Source},
    text,
};

/// Sentences of the results, in their order; one that several say is said once and cites them all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extractive;

impl Synthesizer for Extractive {
    fn id(&self) -> &str {
        "extractive/1"
    }

    fn synthesize(&self, question: &str, sources: &[Source<'_>]) -> Result<Vec<Cited>, Fault> {
        let asked = text::content(question);
        let shared = |sentence: &str| text::content(sentence).intersection(&asked).count();
        let mut answer: Vec<Cited> = Vec::new();
        for source in sources {
            let sentences = text::sentences(source.text).into_iter().filter_map(|span| span.of(source.text));
            // Of equals the first.
            let Some(nearest) = sentences.rev().max_by_key(|sentence| shared(sentence)) else { continue };
            match answer.iter_mut().find(|said| said.text == nearest) {
                Some(said) => said.cites.push(source.id.to_owned()),
                None => answer.push(Cited { text: nearest.to_owned(), cites: vec![source.id.to_owned()] }),
            }
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_gives_its_sentence_nearest_to_the_question_and_is_cited() {
        let sources = [
            Source { id: "m1", text: "I live in Oslo." },
            Source { id: "p1", text: "Good morning! I live in Oslo. The flat has no lift." },
            Source { id: "p2", text: "Hello there. How are you?" },
            Source { id: "p3", text: " " },
        ];
        let answer = Extractive.synthesize("Where do I live, in Oslo?", &sources).unwrap();
        let cited = |text: &str, cites: &[&str]| Cited {
            text: text.into(),
            cites: cites.iter().map(|id| (*id).to_owned()).collect(),
        };
        assert_eq!(answer, [cited("I live in Oslo.", &["m1", "p1"]), cited("Hello there.", &["p2"])]);
        assert!(Extractive.synthesize("Where do I live?", &[]).unwrap().is_empty());
    }
}
