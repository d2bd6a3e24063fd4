//! What verdicts come to in a space (requirements B4).

use saidso_core::{
    decay::{REJECTED_OUT, REJECTED_WEIGHT},
    fold::Memory,
    ids::{ObservationId, ResultId},
    passages::Passage,
    review::{VerdictRow, Verdicts},
};

use crate::space::Space;

impl Space {
    /// The space with the verdicts on what is in it.
    pub(crate) fn judged(mut self, rows: &[VerdictRow]) -> Self {
        let named = |result: ResultId| self.memory_of(result).map_or(result, |memory| memory.id.into());
        self.verdicts = Verdicts::of(rows, named);
        self
    }

    /// The memory that a result is, by any of its observations'.
    pub(crate) fn memory_of(&self, result: ResultId) -> Option<&Memory> {
        self.memory(ObservationId::from_bytes(*result.as_bytes()))
    }

    /// What rejections leave of a raw passage's weight, 0…1; 0 if it comes back only as history.
    pub(crate) fn unrejected(&self, passage: &Passage, history: bool) -> f32 {
        match self.verdicts.rejections(passage.message.into()) {
            0 => 1.0,
            times if times >= REJECTED_OUT && !history => 0.0,
            times => REJECTED_WEIGHT.powf(times as f32),
        }
    }
}
