//! What results have to be, besides close.

use std::str::FromStr;

use saidso_core::{fold, item, time::Moment};
use saidso_recall as recall;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::problem::Problem;

/// Which memories may come back; what is left out asks for nothing. Raw messages have no kind, no slot and no status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// One of these kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
    /// In one of these slots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// Standing so; what history alone has comes back if it is named here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<Status>,
    /// Last said at this time or later: RFC 3339 with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_from: Option<String>,
    /// Last said before this time: RFC 3339 with an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_before: Option<String>,
}

/// What sort of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum Kind {
    /// A durable statement.
    Fact,
    /// A recurring theme.
    Topic,
    /// Done at a point in time.
    Event,
    /// A procedure or convention.
    Instruction,
    /// Short-lived, of its session.
    Task,
}

/// How a memory stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum Status {
    /// It holds.
    Active,
    /// Not said for long: to be asked about.
    ToConfirm,
    /// Another contradicts it: to be asked about.
    PendingConfirm,
    /// A later statement took its place.
    Superseded,
    /// Nobody asked for it for long, or reviewers rejected it twice.
    Archived,
    /// Its time is over.
    Invalid,
}

/// What the words of every result must contain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// A number, in digits or in words.
    Number,
    /// A percentage.
    Percentage,
    /// A month or a day of the week.
    Date,
    /// All words of a text, in any form and order.
    Words(String),
}

/// A rule that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a rule is number, percentage, date, or words: with the words after the colon")]
pub struct NoRule;

impl FromStr for Rule {
    type Err = NoRule;

    /// As it is typed.
    fn from_str(text: &str) -> Result<Self, NoRule> {
        match text {
            "number" => Ok(Self::Number),
            "percentage" => Ok(Self::Percentage),
            "date" => Ok(Self::Date),
            _ => text.strip_prefix("words:").map(|words| Self::Words(words.to_owned())).ok_or(NoRule),
        }
    }
}

impl TryFrom<Filter> for recall::Filter {
    type Error = Problem;

    fn try_from(filter: Filter) -> Result<Self, Problem> {
        let instant = |text: Option<String>, field| match text {
            Some(text) => Moment::parse(&text, None).map(|at| Some(at.ms())).map_err(|_| Problem::Time(field)),
            None => Ok(None),
        };
        Ok(Self {
            kinds: filter.kinds.into_iter().map(item::Kind::from).collect(),
            slots: filter.slots,
            statuses: filter.statuses.into_iter().map(fold::Status::from).collect(),
            from_ms: instant(filter.said_from, "said_from")?,
            until_ms: instant(filter.said_before, "said_before")?,
        })
    }
}

impl From<Kind> for item::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Fact => Self::Fact,
            Kind::Topic => Self::Topic,
            Kind::Event => Self::Event,
            Kind::Instruction => Self::Instruction,
            Kind::Task => Self::Task,
        }
    }
}

impl From<Status> for fold::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Active => Self::Active,
            Status::ToConfirm => Self::ToConfirm,
            Status::PendingConfirm => Self::PendingConfirm,
            Status::Superseded => Self::Superseded,
            Status::Archived => Self::Archived,
            Status::Invalid => Self::Invalid,
        }
    }
}

impl From<Rule> for recall::Rule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Number => Self::Number,
            Rule::Percentage => Self::Percentage,
            Rule::Date => Self::Date,
            Rule::Words(words) => Self::Words(words),
        }
    }
}
