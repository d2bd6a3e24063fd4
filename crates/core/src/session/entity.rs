//! What a session is about, as structured anchors.

use crate::{ids::MessageId, when::Time};

/// Something a session is about, and the newest message that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// What.
    pub entity: Entity,
    /// Where the customer said it last.
    pub message: MessageId,
}

/// What the customer named. Values are their own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entity {
    /// A name that somebody gave as their own.
    Person(String),
    /// What is likely a name: of a person, a firm or a place.
    Name(String),
    /// What is likely a product, a model or a technical name.
    Product(String),
    /// A number and what it counts.
    Quantity(String),
    /// The number of an order, a contract or the like.
    Reference(String),
    /// A time, made absolute.
    Time(Time),
    /// What must not enter memory (requirements E3): that it was there is all that is known.
    Withheld(Withheld),
}

/// What sort of thing was masked, by the words before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Withheld {
    /// A mail address.
    Mail,
    /// A telephone number.
    Phone,
    /// A card's number.
    Card,
    /// An account's number.
    Account,
    /// A passport or another document.
    Document,
    /// A password, a key, a code.
    Credential,
    /// The number of an order, a contract or the like, if it looks like something worse.
    Reference,
    /// Some number; nothing says which.
    Number,
}

impl Entity {
    /// The type, from a closed set.
    pub fn kind(&self) -> &'static str {
        match self {
            Entity::Person(_) => "person",
            Entity::Name(_) => "name",
            Entity::Product(_) => "product",
            Entity::Quantity(_) => "quantity",
            Entity::Reference(_) | Entity::Withheld(Withheld::Reference) => "reference",
            Entity::Time(_) => "time",
            Entity::Withheld(Withheld::Mail) => "mail",
            Entity::Withheld(Withheld::Phone) => "phone",
            Entity::Withheld(Withheld::Card) => "card",
            Entity::Withheld(Withheld::Account) => "account",
            Entity::Withheld(Withheld::Document) => "document",
            Entity::Withheld(Withheld::Credential) => "credential",
            Entity::Withheld(Withheld::Number) => "number",
        }
    }

    /// The customer's words for it; `None` for what was masked.
    pub fn value(&self) -> Option<&str> {
        match self {
            Entity::Person(words)
            | Entity::Name(words)
            | Entity::Product(words)
            | Entity::Quantity(words)
            | Entity::Reference(words) => Some(words),
            Entity::Time(time) => Some(&time.words),
            Entity::Withheld(_) => None,
        }
    }

    /// Whether it tells who somebody is: it keeps a session open for longer (requirements C2).
    pub fn identifies(&self) -> bool {
        match self {
            Entity::Person(_) | Entity::Reference(_) | Entity::Withheld(_) => true,
            Entity::Name(_) | Entity::Product(_) | Entity::Quantity(_) | Entity::Time(_) => false,
        }
    }
}
