//! The built-in extractor: rules per language, deterministic and extractive.
//!
//! An item's wording is the customer's own clause, so it is grounded by construction. The way in is [`Builtin`]; the
//! path of a turn is `driver` (messages → sentences → candidates), which asks [`saidso_core::text::Shield`] what is not
//! the customer's own word, `retract` what is to be forgotten, the language's [`rules::Rules`] what a sentence says,
//! `sensitive` what must not be kept, `confirm` what a reply says of the agent's question, and `slots` where it belongs;
//! `likeness` reads the languages that have no rules. No clock, no randomness, no I/O; a model is asked only where the
//! rules end.

use std::sync::Arc;

use saidso_core::{
    fault::Fault,
    item::Extraction,
    ports::{Embedder, Extractor},
    slots::SlotSchema,
    text::Language,
    turn::TurnBody,
};

mod about;
mod confirm;
mod driver;
mod en;
mod ever;
mod lexicon;
mod likeness;
mod listed;
mod retract;
mod ru;
mod rules;
mod sensitive;
mod sieve;
mod slots;
mod stated;
mod table;
mod technology;
mod zh;

/// The built-in extractor.
pub struct Builtin {
    slots: Option<slots::Fitting>,
    likeness: Option<likeness::Likeness>,
}

impl Builtin {
    /// With the tenant's slots, if it names any, and the embedder that is asked where the rules end: about a statement
    /// that no rule can place in a slot, and about sentences of a language without rules. Asks it once about the slots'
    /// meanings.
    pub fn new(slots: Option<SlotSchema>, embedder: Option<Arc<dyn Embedder>>) -> Result<Self, Fault> {
        let slots = slots.map(|schema| slots::Fitting::new(schema, embedder.clone())).transpose()?;
        Ok(Self { slots, likeness: embedder.map(likeness::Likeness::new) })
    }
}

impl Extractor for Builtin {
    fn id(&self) -> &str {
        "builtin/3"
    }

    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault> {
        driver::extract(turn, self.slots.as_ref(), self.likeness.as_ref())
    }
}

/// The rules of a language; `None` for one without rules of its own.
fn rules_of(language: Language) -> Option<&'static dyn rules::Rules> {
    match language {
        Language::En => Some(&en::English),
        Language::Zh => Some(&zh::Chinese),
        Language::Ru => Some(&ru::Russian),
        Language::Other => None,
    }
}
