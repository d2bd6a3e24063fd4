//! Closed slots (requirements A4): the few things a tenant wants remembered, named in advance.
//!
//! Off unless a tenant names a schema. With slots on, a fact or instruction that fits no slot is dropped, never bent
//! to fit; topics, events and tasks stay open.

use serde::{Deserialize, Serialize};

use crate::item::Kind;

/// What a new value does to the one that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conflict {
    /// The later statement is current, the earlier becomes history.
    TimeWin,
    /// Values add up.
    Merge,
}

/// Who may see a memory (requirements E4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// May be shared across agents under a grant.
    Public,
    /// For its own agent, numbers cut to their last four characters.
    Restricted,
    /// Never to a model endpoint, an export or another agent.
    Private,
}

/// How a memory fades (requirements D4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decay {
    /// Stands whole until `ttl_days` have passed.
    Ttl,
    /// Fades by e^(−0.1·days): orders, tickets, deliveries.
    Transactional,
    /// Never fades: it ends by an event ("no longer a customer").
    ByEvent,
}

/// One closed slot.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Its name, unique in the schema: `tech_env`.
    pub name: String,
    /// What belongs in it, in a sentence; extractors compare statements with it.
    pub meaning: String,
    /// The kind of item that fills it: a fact or an instruction.
    pub kind: Kind,
    /// Days a value lives from its last mention or verification.
    pub ttl_days: u16,
    /// What a new value does to the one that stands.
    pub conflict: Conflict,
    /// Several values may stand at once; [`Conflict::TimeWin`] then acts per qualifier.
    pub multi: bool,
    /// A single value per qualifier ("on-premises in test, cloud in production").
    #[serde(default)]
    pub per_qualifier: bool,
    /// How a value fades.
    pub decay: Decay,
    /// The values it may take; empty for any.
    #[serde(default)]
    pub allowed: Vec<String>,
    /// Whether it may be promoted to the organisation's memory.
    #[serde(default)]
    pub shareable: bool,
    /// Who may see it.
    pub level: Level,
}

/// A tenant's slots.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Slot>", into = "Vec<Slot>")]
pub struct SlotSchema(Vec<Slot>);

/// Why a list of slots is no schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// No slot at all would drop every fact.
    #[error("a slot schema needs at least one slot; leave the schema out to remember without slots")]
    Empty,
    /// Two slots share a name.
    #[error("the slot `{0}` is named twice; give each slot a name of its own")]
    Twice(String),
    /// A slot is for facts and instructions; the other kinds stay open.
    #[error("the slot `{0}` has a kind other than fact or instruction; topics, events and tasks need no slot")]
    Kind(String),
    /// Nothing to compare a statement with.
    #[error("the slot `{0}` has no name or no meaning; say in a sentence what belongs in it")]
    Meaningless(String),
}

impl SlotSchema {
    /// A checked schema.
    pub fn new(slots: Vec<Slot>) -> Result<Self, SlotError> {
        if slots.is_empty() {
            return Err(SlotError::Empty);
        }
        for (index, slot) in slots.iter().enumerate() {
            if slot.name.trim().is_empty() || slot.meaning.trim().is_empty() {
                return Err(SlotError::Meaningless(slot.name.clone()));
            }
            if !matches!(slot.kind, Kind::Fact | Kind::Instruction) {
                return Err(SlotError::Kind(slot.name.clone()));
            }
            if slots[..index].iter().any(|other| other.name == slot.name) {
                return Err(SlotError::Twice(slot.name.clone()));
            }
        }
        Ok(Self(slots))
    }

    /// The slots, in the tenant's order.
    pub fn slots(&self) -> &[Slot] {
        &self.0
    }

    /// The slot of that name.
    pub fn get(&self, name: &str) -> Option<&Slot> {
        self.0.iter().find(|slot| slot.name == name)
    }

    /// The shipped preset for customer service of business software: eleven slots (requirements A4).
    pub fn customer_service() -> Self {
        use {Conflict::*, Level::*};
        let slot = |name: &str, ttl_days, conflict, multi, level, meaning: &str| Slot {
            name: name.into(),
            meaning: meaning.into(),
            kind: Kind::Fact,
            ttl_days,
            conflict,
            multi,
            per_qualifier: false,
            decay: Decay::Ttl,
            allowed: Vec::new(),
            shareable: false,
            level,
        };
        let shared = |slot: Slot| Slot { shareable: true, ..slot };
        Self(vec![
            shared(slot(
                "tech_env",
                180,
                TimeWin,
                true,
                Public,
                "the customer's technology: database, operating system, cloud, programming language, versions",
            )),
            shared(slot(
                "industry",
                730,
                TimeWin,
                false,
                Public,
                "the industry or line of business the customer is in",
            )),
            slot(
                "focus_module",
                90,
                Merge,
                true,
                Public,
                "the module or feature of the product the customer works with",
            ),
            Slot {
                kind: Kind::Instruction,
                ..slot(
                    "comm_style",
                    365,
                    TimeWin,
                    false,
                    Public,
                    "how the customer wants to be answered: language, tone, length, format, channel",
                )
            },
            shared(slot(
                "known_issue",
                60,
                Merge,
                true,
                Public,
                "a problem, error or bug the customer has with the product",
            )),
            slot("role", 365, TimeWin, false, Public, "the customer's job, position or responsibility"),
            shared(slot(
                "region",
                730,
                TimeWin,
                true,
                Public,
                "the city, country or region the customer is in or serves",
            )),
            shared(slot(
                "product_in_use",
                365,
                TimeWin,
                true,
                Public,
                "a product, edition, plan or tool the customer uses",
            )),
            Slot {
                per_qualifier: true,
                ..shared(slot(
                    "deployment_mode",
                    365,
                    TimeWin,
                    false,
                    Public,
                    "how the product is deployed: on premises, private cloud, public cloud, hybrid",
                ))
            },
            slot(
                "contract_cycle",
                400,
                TimeWin,
                false,
                Restricted,
                "the contract, subscription, renewal date or billing cycle",
            ),
            slot("preference", 365, TimeWin, true, Public, "what the customer likes, dislikes, prefers or avoids"),
        ])
    }
}

impl TryFrom<Vec<Slot>> for SlotSchema {
    type Error = SlotError;

    fn try_from(slots: Vec<Slot>) -> Result<Self, SlotError> {
        Self::new(slots)
    }
}

impl From<SlotSchema> for Vec<Slot> {
    fn from(schema: SlotSchema) -> Self {
        schema.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preset_is_a_schema_of_eleven() {
        let preset = SlotSchema::customer_service();
        assert_eq!(preset.slots().len(), 11);
        assert_eq!(SlotSchema::new(preset.slots().to_vec()), Ok(preset.clone()));
        let json = serde_json::to_string(&preset).unwrap();
        assert_eq!(serde_json::from_str::<SlotSchema>(&json).unwrap(), preset);
    }

    #[test]
    fn a_list_that_is_no_schema_says_why() {
        let slot = SlotSchema::customer_service().slots()[0].clone();
        assert_eq!(SlotSchema::new(vec![]), Err(SlotError::Empty));
        assert_eq!(SlotSchema::new(vec![slot.clone(), slot.clone()]), Err(SlotError::Twice("tech_env".into())));
        let event = Slot { kind: Kind::Event, ..slot.clone() };
        assert_eq!(SlotSchema::new(vec![event]), Err(SlotError::Kind("tech_env".into())));
        let blank = Slot { meaning: " ".into(), ..slot };
        assert_eq!(SlotSchema::new(vec![blank]), Err(SlotError::Meaningless("tech_env".into())));
    }
}
