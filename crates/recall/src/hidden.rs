//! What of the customer's raw messages is not shown: forgotten and superseded words.

use std::collections::HashMap;

use saidso_core::{
    fold::{Memory, Status},
    ids::{Ids, MarkId, MessageId, ObservationId},
    item::Span,
    marks::Mark,
    observation::Observation,
    passages::{self, Passage},
    turn::{Message, Turn},
};

/// Which parts of messages are not to be shown raw.
pub struct Hidden {
    /// Evidence of superseded memories, unless a current one rests on the same words.
    superseded: HashMap<MessageId, Vec<Span>>,
    /// Marked words.
    forgotten: HashMap<MarkId, Vec<Span>>,
}

impl Hidden {
    /// From what a space's memories rest on and what is forgotten. `memory_of` gives an observation's memory.
    pub fn new<'a>(
        observations: &[Observation],
        memory_of: impl Fn(ObservationId) -> Option<&'a Memory>,
        marks: &[Mark],
    ) -> Self {
        let mut current: HashMap<MessageId, Vec<Span>> = HashMap::new();
        let mut superseded: HashMap<MessageId, Vec<Span>> = HashMap::new();
        for Observation { id, body, .. } in observations {
            if let Some(memory) = memory_of(*id) {
                let spans = if !matches!(memory.status, Status::Active | Status::ToConfirm | Status::PendingConfirm) {
                    &mut superseded
                } else {
                    &mut current
                };
                spans.entry(body.message).or_default().push(body.item.evidence.span);
            }
        }
        for (message, spans) in &mut superseded {
            if let Some(current) = current.get(message) {
                spans.retain(|span| !current.iter().any(|other| other.overlaps(*span)));
            }
        }
        let mut forgotten: HashMap<MarkId, Vec<Span>> = HashMap::new();
        for mark in marks {
            if let Mark::Words { message, span } = mark {
                forgotten.entry(*message).or_default().push(*span);
            }
        }
        Self { superseded, forgotten }
    }

    /// The passages of a turn's messages, of which forgotten words are blanked.
    pub fn passages(&self, turn: &Turn) -> Vec<Passage> {
        passages::of(&turn.meta, &turn.body, |message| self.superseded(message))
    }

    fn superseded(&self, message: MessageId) -> &[Span] {
        self.superseded.get(&message).map_or(&[], Vec::as_slice)
    }

    /// A forget writes its marks at once and blanks the stored words a little later; in between they are blanked here.
    pub fn blank_forgotten(&self, turn: &mut Turn, ids: &Ids) {
        if self.forgotten.is_empty() {
            return;
        }
        for (message, id) in turn.body.messages.iter_mut().zip(&turn.meta.messages) {
            blank(message, self.forgotten.get(&ids.mark_message(*id)).map_or(&[], Vec::as_slice));
        }
    }

    /// Blanks what a later statement took the place of.
    pub fn blank_superseded(&self, turn: &mut Turn) {
        for (message, id) in turn.body.messages.iter_mut().zip(&turn.meta.messages) {
            blank(message, self.superseded(*id));
        }
    }
}

fn blank(message: &mut Message, spans: &[Span]) {
    spans.iter().for_each(|span| span.blank(&mut message.text));
}
