//! The stored turns of a space, for a request to forget: raw words of which nothing is remembered come up in recall too.

use std::{cmp::Reverse, collections::HashMap};

use saidso_core::{
    fault::Fault,
    ids::{Ids, MessageId, TurnId},
    item::{Kind, Span},
    limits,
    marks::{Cover, Mark, Marks},
    observation::Observation,
    ports::Section,
    record, retract,
    scope::Scope,
    seal::KeyId,
    turn::Turn,
};

use crate::{Ports, retract::Found};

/// What customers told, the newest first.
pub(crate) struct Told(Vec<(KeyId, Turn)>);

/// Sentences that go.
#[derive(Default)]
pub(crate) struct Sentences {
    /// Their words.
    pub marks: Vec<Mark>,
    /// How many more there are.
    pub left: u32,
}

impl Told {
    /// Of a space: every turn whose key lives.
    pub fn of(ports: &Ports, scope: &Scope) -> Result<Self, Fault> {
        let mut turns = record::turns(scope, &ports.store.turns(scope)?, ports.keys.as_ref())?;
        turns.sort_by_key(|(_, turn)| Reverse((turn.meta.at.ms(), turn.meta.id)));
        Ok(Self(turns))
    }

    /// The question that a turn answers.
    pub fn question(&self, turn: TurnId) -> Option<&str> {
        let (_, turn) = self.0.iter().find(|(_, told)| told.meta.id == turn)?;
        turn.body.question.as_deref()
    }

    /// What requests name in what was said until then, beside what is marked and what memories that stay rest on. A task is
    /// none: it lives with its session, and goes with its words.
    pub fn sentences(
        &self,
        found: &Found<'_>,
        until_ms: i64,
        observations: &[Observation],
        marks: &Marks,
        ids: &Ids,
    ) -> Sentences {
        let mut rest: HashMap<MessageId, Vec<Span>> = HashMap::new();
        let stays = |observation: &&Observation| {
            observation.body.item.kind != Kind::Task && marks.covering(observation, ids) != Cover::Whole
        };
        for observation in observations.iter().filter(stays) {
            rest.entry(observation.body.message).or_default().push(observation.body.item.evidence.span);
        }
        let mut all = Sentences::default();
        for (_, Turn { meta, body, .. }) in self.0.iter().filter(|(_, turn)| turn.meta.at.ms() <= until_ms) {
            let taken = |message: u32| {
                let Some(message) = meta.messages.get(message as usize) else { return Vec::new() };
                let rest = rest.get(message).map_or(&[][..], Vec::as_slice);
                [marks.words(*message, ids), rest].concat()
            };
            let mut spans: Vec<(u32, Span)> =
                found.words.iter().flat_map(|retraction| retract::sentences(retraction, body, taken)).collect();
            spans.sort_unstable();
            spans.dedup();
            for (message, span) in spans {
                match meta.messages.get(message as usize) {
                    Some(message) if all.marks.len() < limits::FORGET_SENTENCES => {
                        all.marks.push(Mark::Words { message: ids.mark_message(*message), span });
                    }
                    _ => all.left += 1,
                }
            }
        }
        all
    }

    /// Turns that show words which are marked, and those that a try at this very section blanked before it crashed: what
    /// was made of them is still to be sealed anew.
    pub fn shown(&self, marks: &Marks, section: &Section, ids: &Ids) -> Vec<TurnId> {
        let shows = |turn: &Turn| {
            turn.body.messages.iter().zip(&turn.meta.messages).any(|(message, id)| {
                let marked = marks.words(*id, ids).iter().filter_map(|span| span.of(&message.text));
                marked.into_iter().any(|words| !words.trim().is_empty())
            })
        };
        let version = section.position.stamp();
        let tried = |key: &KeyId| matches!(key, KeyId::Turn { version: found, .. } if *found == version);
        self.0.iter().filter(|(key, turn)| tried(key) || shows(turn)).map(|(_, turn)| turn.meta.id).collect()
    }
}
