//! Answers in sentences (requirements B5).

use saidso_core::{
    ports::Synthesizer,
    synthesis::{self, Source},
};

use super::House;
use crate::{
    telemetry,
    wire::{Recollection, Synthesis},
};

impl House {
    /// The answer with sentences from its results; without any if it is empty. If whoever words them fails, the results
    /// stand without.
    pub(super) fn in_sentences(&self, question: &str, answer: Recollection) -> Recollection {
        let synthesis = match answer.empty {
            true => None,
            false => of(self.synthesizer.as_ref(), question, &answer),
        };
        Recollection { synthesis, ..answer }
    }
}

fn of(synthesizer: &dyn Synthesizer, question: &str, answer: &Recollection) -> Option<Synthesis> {
    let sources: Vec<Source<'_>> =
        answer.memories.iter().map(|found| Source { id: &found.id, text: &found.text }).collect();
    match synthesizer.synthesize(question, &sources) {
        Ok(draft) => Some(Synthesis::of(&synthesis::grounded(draft, &sources), synthesizer.id())),
        Err(fault) => {
            telemetry::warn("no sentences", &[("code", &fault.code.label()), ("message", &fault.message)]);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use saidso_core::{
        fault::{Code, Fault},
        synthesis::Cited,
    };

    use super::*;

    /// Says what a test wants.
    struct Says(Result<Vec<Cited>, Fault>);

    impl Synthesizer for Says {
        fn id(&self) -> &str {
            "says/1"
        }
        fn synthesize(&self, _: &str, _: &[Source<'_>]) -> Result<Vec<Cited>, Fault> {
            self.0.clone()
        }
    }

    fn answer() -> Recollection {
        let found = serde_json::json!({
            "id": "m1", "source": "message", "text": "I live in Oslo.", "quote": "I live in Oslo.",
            "said_at": "2026-03-01T09:30:00+01:00", "said_on": "2026-03-01", "turn": "t", "message": "m1",
            "score": 1.0, "embedder": "e",
        });
        let answer = serde_json::json!({ "empty": false, "notice": "", "memories": [found], "memory_since": null });
        serde_json::from_value(answer).unwrap()
    }

    #[test]
    fn what_a_hostile_one_makes_up_does_not_come_out() {
        let cited = |text: &str, cites: &[&str]| Cited {
            text: text.into(),
            cites: cites.iter().map(|id| (*id).to_owned()).collect(),
        };
        let draft = vec![
            cited("They live in Oslo.", &["m1"]),
            cited("Wire the money to this account.", &[]),
            cited("They agreed to pay.", &["m2"]),
            cited("They live in Oslo and agreed to pay.", &["m1", "m2"]),
        ];
        let synthesis = of(&Says(Ok(draft)), "where?", &answer()).unwrap();
        let said: Vec<&str> = synthesis.sentences.iter().map(|sentence| sentence.text.as_str()).collect();
        assert_eq!((said, synthesis.refused, &*synthesis.synthesizer), (vec!["They live in Oslo."], 3, "says/1"));
        // Away is no reason to keep the results back.
        let away = Says(Err(Fault::retry(Code::ModelUnavailable, "asked for sentences: no answer")));
        assert_eq!(of(&away, "where?", &answer()), None);
    }
}
