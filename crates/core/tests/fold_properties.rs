//! What holds of every fold, whatever was said and however it arrived (requirements A10, A11, B9).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use std::collections::{BTreeSet, HashMap};

use common::{Said, on};
use proptest::{prelude::*, sample::Index};
use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fold::{Folded, Memory, Rules, Status, fold},
    ids::{MemoryId, ObservationId},
    item::{Answer, Kind},
    observation::Observation,
};

const CALIBRATION: Calibration = Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(8_000) };
const RULES: Rules = Rules::new(CALIBRATION);

fn folded(observations: &[Observation]) -> Folded {
    fold(observations, &[], &RULES)
}

fn export(observations: &[Observation]) -> Vec<String> {
    folded(observations).memories.iter().map(|memory| serde_json::to_string(memory).unwrap()).collect()
}

fn stands(memory: &Memory) -> bool {
    matches!(memory.status, Status::Active | Status::PendingConfirm)
}

/// Statements about few things, so that they meet; of every kind, some in one message, some dated, qualified or in a slot.
fn statement() -> impl Strategy<Value = Said> {
    let what = (0..5usize, 0..4usize, 0..8u8, 0..90i64, 0..2u32);
    let how = (0..6u8, 0..5u8, 0..5u8, 0..4u8, any::<bool>());
    (what, how).prop_map(|((attribute, value, kind, day, message), (denied, changed, part, slot, whole))| {
        let attribute = ["database", "city", "pet", "likes", "plan"][attribute];
        let value = ["alpha", "beta", "казань", "казани"][value];
        let kind = match kind {
            0 => Kind::Event,
            1 => Kind::Topic,
            2 => Kind::Task,
            3 => Kind::Instruction,
            _ => Kind::Fact,
        };
        let text = format!("our {attribute} is {}{value}", if denied == 0 { "not " } else { "" });
        Said {
            message,
            kind,
            many: attribute == "pet" || attribute == "likes",
            negated: denied == 0,
            changed: changed == 0,
            qualifier: (part == 0).then(|| "test".to_owned()),
            slot: (slot == 0).then(|| "slot".to_owned()),
            times: if part == 1 { vec![on("that day", day / 7)] } else { Vec::new() },
            // Statements of a day that share their message.
            whole: whole.then(|| {
                let all = ["database", "city", "pet", "likes", "plan"].iter().flat_map(|attribute| {
                    ["alpha", "beta", "казань", "казани"]
                        .map(|value| format!("our {attribute} is {value}, our {attribute} is not {value}"))
                });
                all.collect::<Vec<_>>().join("; ")
            }),
            ..Said::fact(day, &text, attribute, value)
        }
    })
}

/// Conversations: statements and confirmations, some after some of the others were recalled.
fn conversation() -> impl Strategy<Value = Vec<Observation>> {
    let confirms = (0..6u8, 0..Answer::ALL.len() as u8, 0..3u8, 0..3u8);
    let one = (statement(), confirms, prop::collection::vec(any::<Index>(), 0..3), 0..3u8);
    prop::collection::vec(one, 0..40).prop_map(|said| {
        let ids: Vec<MemoryId> = said.iter().map(|(said, ..)| said.id()).collect();
        let observe = |(said, confirms, recalled, of): (Said, (u8, u8, u8, u8), Vec<Index>, u8)| {
            let (confirms, answer, words, asks) = confirms;
            let recalled = match of {
                0 => recalled.iter().map(|index| ids[index.index(ids.len())]).collect(),
                _ => Vec::new(),
            };
            let said = match confirms {
                0 | 1 => {
                    let answer = Answer::ALL[usize::from(answer)];
                    let text = ["yes, still so", "alpha", "not beta, казань"][usize::from(words)];
                    let asked = ["Is it alpha or beta?", "Is it still beta, or казань?"];
                    let question = asked.get(usize::from(asks)).map(|asked| (*asked).to_owned());
                    Said { question, ..Said::confirms(said.day, text, answer) }
                }
                _ => said,
            };
            Said { recalled, ..said }.observation()
        };
        // One place in one message says one thing.
        let mut ids = BTreeSet::new();
        said.into_iter().map(observe).filter(|observation| ids.insert(observation.id)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Shuffled, doubled, in parts, late: the same memories, byte for byte, and under the same names.
    #[test]
    fn order_and_repeats_change_nothing(
        (observations, mut arrived) in
            conversation().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        again in prop::collection::vec(any::<Index>(), 0..5),
    ) {
        for index in again {
            if !arrived.is_empty() {
                arrived.push(arrived[index.index(arrived.len())].clone());
            }
        }
        let (due, found) = (folded(&observations), folded(&arrived));
        prop_assert_eq!(export(&observations), export(&arrived));
        prop_assert_eq!(due, found);
    }

    /// Each observation says something of one memory, is an echo of one, or is a confirmation.
    #[test]
    fn nothing_is_lost_and_nothing_is_counted_twice(observations in conversation()) {
        let folded = folded(&observations);
        let echoes: BTreeSet<ObservationId> = folded.echoes.iter().copied().collect();
        let mut counted: HashMap<MemoryId, BTreeSet<_>> = HashMap::new();
        for observation in &observations {
            let memory = folded.get(observation.id);
            prop_assert_eq!(memory.is_some(), observation.body.item.kind != Kind::Confirmation);
            if let Some(memory) = memory {
                prop_assert_eq!(memory.kind, observation.body.item.kind);
                if !echoes.contains(&observation.id) {
                    let body = &observation.body;
                    counted.entry(memory.id).or_default().insert((body.message, body.item.evidence.span));
                }
            }
        }
        for memory in &folded.memories {
            prop_assert_eq!(memory.mentions as usize, counted[&memory.id].len());
            prop_assert_eq!(folded.get(memory.id).map(|memory| memory.id), Some(memory.id));
            let span = (memory.first.ms(), memory.last.ms());
            prop_assert!(span.0 <= span.1);
        }
    }

    /// What a status says, the other fields say too; and nothing ends but by the same thing.
    #[test]
    fn statuses_are_consistent(observations in conversation()) {
        let folded = folded(&observations);
        let answers = observations.iter().filter(|one| one.body.item.kind == Kind::Confirmation);
        let answered: BTreeSet<String> = answers.map(|one| one.body.at.to_string()).collect();
        let by_id: HashMap<MemoryId, &Memory> = folded.memories.iter().map(|memory| (memory.id, memory)).collect();
        for memory in &folded.memories {
            let history = matches!(memory.status, Status::Superseded | Status::Archived);
            prop_assert_eq!(memory.valid_to.is_some(), history);
            prop_assert!(history || memory.superseded_by.is_none());
            // Only an answer ends what nothing takes the place of.
            prop_assert!(!history || memory.superseded_by.is_some() || memory.valid_to.as_ref().is_some_and(|at| answered.contains(at)));
            prop_assert_eq!(memory.status == Status::PendingConfirm, !memory.contested_by.is_empty());
            let most = if memory.status == Status::PendingConfirm { 0.6 } else { 0.9 };
            prop_assert!((memory.confidence.as_f32() - most).abs() < 1e-6);
            if let Some(by) = memory.superseded_by {
                let by = by_id[&by];
                prop_assert!(by.id != memory.id && by.last.ms() >= memory.last.ms());
                prop_assert_eq!((by.kind, &by.topic_key.attribute), (memory.kind, &memory.topic_key.attribute));
                prop_assert!(matches!(memory.kind, Kind::Fact | Kind::Instruction));
            }
            for rival in &memory.contested_by {
                let rival = by_id[rival];
                prop_assert!(rival.contested_by.contains(&memory.id));
                prop_assert_eq!((rival.kind, &rival.topic_key.attribute), (memory.kind, &memory.topic_key.attribute));
                prop_assert_eq!(&rival.qualifier, &memory.qualifier);
                prop_assert!(rival.value != memory.value && !rival.negated && !memory.negated);
            }
        }
    }

    /// Whatever was stated of a thing, something of it stands: nothing is retired without something in its place, unless an
    /// answer says that it holds no longer.
    #[test]
    fn where_something_was_stated_something_stands(mut observations in conversation()) {
        let over = [Answer::NoLonger.value(), Answer::Neither.value()];
        observations.retain(|one| !over.contains(&one.body.item.value.as_str()));
        let folded = folded(&observations);
        let key = |memory: &Memory| (memory.kind, memory.topic_key.attribute.clone());
        let standing: BTreeSet<_> = folded.memories.iter().filter(|memory| stands(memory)).map(key).collect();
        for memory in &folded.memories {
            prop_assert!(standing.contains(&key(memory)), "nothing stands of {:?}", key(memory));
        }
    }

    /// What is said of one thing does nothing to another, unless another was just read out: that may be said back under any
    /// name.
    #[test]
    fn different_things_never_touch(mut observations in conversation()) {
        observations.iter_mut().for_each(|observation| observation.body.recalled.clear());
        let alone = |attribute: &str, observations: &[Observation]| {
            let of_it = |observation: &&Observation| {
                let item = &observation.body.item;
                item.topic_key.attribute == attribute && item.kind != Kind::Confirmation
            };
            let said: Vec<Observation> = observations.iter().filter(of_it).cloned().collect();
            let mut memories = folded(&said).memories;
            memories.retain(|memory| memory.topic_key.attribute == attribute);
            memories
        };
        let statements: Vec<Observation> =
            observations.iter().filter(|one| one.body.item.kind != Kind::Confirmation).cloned().collect();
        for attribute in ["database", "city", "pet", "likes", "plan"] {
            let mut together = folded(&statements).memories;
            together.retain(|memory| memory.topic_key.attribute == attribute);
            prop_assert_eq!(together, alone(attribute, &observations));
        }
    }
}
