//! What a predicate comes to, before it has a span.

use saidso_core::item::{DropReason, Kind, Unit};

use super::super::rules::{sure, weight};

/// A durable statement.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub kind: Kind,
    /// Another subject than the clause's.
    pub subject: Option<String>,
    pub attribute: String,
    pub many: bool,
    pub value: String,
    pub negated: bool,
    pub changed: bool,
    pub qualifier: Option<String>,
    pub importance: Unit,
    pub confidence: Unit,
}

/// What a clause comes to.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    /// Something lasting; two claims when an event also sets a new state ("we migrated to Postgres in March").
    Found(Vec<Claim>),
    /// Nearly, but for this.
    Refused(DropReason),
    /// Nothing near.
    Nothing,
}

impl Claim {
    /// A fact with one current value.
    pub fn one(attribute: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            kind: Kind::Fact,
            subject: None,
            attribute: attribute.into(),
            many: false,
            value: value.into(),
            negated: false,
            changed: false,
            qualifier: None,
            importance: weight::DETAIL,
            confidence: sure::CLOSED,
        }
    }

    /// A fact beside which others of its attribute may stand.
    pub fn many(attribute: impl Into<String>, value: impl Into<String>) -> Self {
        Self { many: true, ..Self::one(attribute, value) }
    }

    /// An opinion of something.
    pub fn opinion(of: &str, value: &str, strong: bool) -> Self {
        let importance = if strong { weight::STRONG } else { weight::PREFERENCE };
        Self { importance, ..Self::one(format!("opinion of {of}"), value) }
    }

    /// With another weight.
    pub fn weighing(self, importance: Unit) -> Self {
        Self { importance, ..self }
    }

    /// With another confidence.
    pub fn sure(self, confidence: Unit) -> Self {
        Self { confidence, ..self }
    }

    /// As another kind.
    pub fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }
}

impl From<Claim> for Verdict {
    fn from(claim: Claim) -> Self {
        // A claim about nothing is none: its object was only a pronoun or a filler.
        match claim.value.is_empty() || claim.attribute.ends_with(' ') {
            true => Verdict::Nothing,
            false => Verdict::Found(vec![claim]),
        }
    }
}
