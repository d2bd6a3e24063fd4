//! Why a request was not done: named problems, each with its HTTP status and code. None echoes what was sent.

use saidso_core::{
    access::Denied,
    fault::{Code, Fault, Remedy},
    limits,
    turn::Refusal,
};
use saidso_pipeline::Refused;
use saidso_recall::RecallError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body of every error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: ErrorDetail,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// From a closed set, for programs.
    pub code: String,
    /// For people: what was found, and what to do.
    pub message: String,
}

/// Why a request was not done.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// No token, another's tenant, or a bad space name.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// A turn breaks a rule.
    #[error(transparent)]
    Turn(#[from] Refusal),
    /// Not the JSON that is expected.
    #[error("{0}")]
    BadJson(String),
    /// A parameter of the address is not what is expected.
    #[error("{0}")]
    BadParameter(String),
    /// The body is neither JSON nor JSON Lines.
    #[error("the body's content type is not {0}")]
    ContentType(&'static str),
    /// The body is too long.
    #[error("the body is longer than {0} bytes; send it in parts")]
    BodyBytes(usize),
    /// The body did not arrive in time.
    #[error("the body did not arrive within {0} seconds")]
    BodySlow(u64),
    /// The body broke off.
    #[error("the body broke off before its end")]
    BodyCut,
    /// No such memory in this space.
    #[error("this space has no memory with that id")]
    NoSuchMemory,
    /// Read already, or there never was one.
    #[error(
        "there is nothing to read back under that id: it was read, its session ended, or the request is not through"
    )]
    NoSuchReadBack,
    /// Nothing waits under that id, or it was not answered with that.
    #[error("nothing of that id waits for review, or it was not answered with that; GET /v1/reviews lists what waits")]
    NoSuchReview,
    /// Neither words nor ids, or both.
    #[error("say what is to be forgotten in either text or ids")]
    ForgetWhat,
    /// No ids, or too many.
    #[error("ids names 1 to {max} memories", max = limits::FORGET_MOST)]
    ForgetMost,
    /// No such dead letter, or not one of a turn.
    #[error("no turn of this tenant was set aside there; GET /v1/dead-letters lists what was")]
    NoSuchDeadLetter,
    /// No such address.
    #[error("there is nothing at this address; /openapi.json lists what there is")]
    NoSuchRoute,
    /// The address takes other methods.
    #[error("this address does not take that method; /openapi.json lists what it takes")]
    Method,
    /// Nothing to look for.
    #[error("query is empty; ask something")]
    QueryEmpty,
    /// Too much to look for.
    #[error("query is longer than {max} bytes; shorten it", max = limits::QUERY_BYTES)]
    QueryTooLong,
    /// An impossible number of results.
    #[error("limit is 1 to {0}")]
    Limit(usize),
    /// Not a position.
    #[error("{0} is three numbers, like 1-0-42, as a publish answered it")]
    Position(&'static str),
    /// Not a time, or a time and a position at once.
    #[error("as_of is an RFC 3339 time with an offset, and does not go together with as_of_position")]
    AsOf,
    /// Not a time.
    #[error("{0} is an RFC 3339 time with an offset")]
    Time(&'static str),
    /// The position was not visible in time.
    #[error("waited {waited_ms} ms and min_position is not visible yet; ask again, or without it")]
    NotYetVisible {
        /// How long was waited.
        waited_ms: u64,
    },
    /// Too many requests at once.
    #[error("too many requests are in work; try again in a second")]
    Busy,
    /// Something in the house failed.
    #[error("{}", fault_message(.0))]
    Fault(#[from] Fault),
    /// The process is about to end.
    #[error("the server cannot go on ({}) and is about to stop; its log has the reason", .0.code.label())]
    NotReady(Fault),
    /// The last write was refused by the disk.
    #[error("the disk refuses writes, so nothing new is taken; reads go on; its operator makes room")]
    DiskRefuses,
    /// A defect of this program.
    #[error("the server failed at this request; its log has the reason")]
    Defect,
}

/// A caller learns the cause and what to do, not the folder or file it happened in; the log has the whole message.
fn fault_message(fault: &Fault) -> String {
    let code = fault.code.label();
    match fault.remedy {
        Remedy::Retry | Remedy::Yield => format!("the server could not do it just now ({code}); try again"),
        Remedy::DeadLetter => format!("the server cannot do it with this input ({code})"),
        Remedy::Stop => format!("the server cannot go on ({code}); its operator finds the reason in its log"),
    }
}

impl Problem {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Problem::Denied(Denied::Unknown) => 401,
            Problem::Denied(Denied::OtherTenant | Denied::NoTenant | Denied::Unnamed) => 403,
            Problem::NoSuchMemory | Problem::NoSuchReadBack | Problem::NoSuchReview => 404,
            Problem::NoSuchDeadLetter | Problem::NoSuchRoute => 404,
            Problem::Method => 405,
            Problem::BodySlow(_) => 408,
            Problem::BodyBytes(_) => 413,
            Problem::ContentType(_) => 415,
            Problem::BadJson(_) | Problem::BadParameter(_) | Problem::BodyCut => 400,
            Problem::Denied(Denied::SpaceName) | Problem::Turn(_) => 422,
            Problem::QueryEmpty | Problem::QueryTooLong | Problem::Limit(_) => 422,
            Problem::Position(_) | Problem::AsOf | Problem::Time(_) => 422,
            Problem::ForgetWhat | Problem::ForgetMost => 422,
            Problem::NotYetVisible { .. } | Problem::Busy | Problem::NotReady(_) | Problem::DiskRefuses => 503,
            Problem::Fault(fault) if matches!(fault.remedy, Remedy::Retry | Remedy::Yield) => 503,
            Problem::Fault(_) | Problem::Defect => 500,
        }
    }

    /// The code, from a closed set.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::Denied(denied) => denied.code(),
            Problem::Turn(refusal) => refusal.code(),
            Problem::BadJson(_) => "bad_json",
            Problem::BadParameter(_) => "bad_parameter",
            Problem::ContentType(_) => "content_type",
            Problem::BodyBytes(_) => "body_too_long",
            Problem::BodySlow(_) => "body_too_slow",
            Problem::BodyCut => "body_cut",
            Problem::NoSuchMemory => "no_such_memory",
            Problem::NoSuchReadBack => "no_such_read_back",
            Problem::NoSuchReview => "no_such_review",
            Problem::ForgetWhat => "forget_what",
            Problem::ForgetMost => "too_many_ids",
            Problem::NoSuchDeadLetter => "no_such_dead_letter",
            Problem::NoSuchRoute => "no_such_route",
            Problem::Method => "method",
            Problem::QueryEmpty => "query_empty",
            Problem::QueryTooLong => "query_too_long",
            Problem::Limit(_) => "limit_out_of_range",
            Problem::Position(field) | Problem::Time(field) => field,
            Problem::AsOf => "as_of",
            Problem::NotYetVisible { .. } => "not_yet_visible",
            Problem::Busy => "busy",
            Problem::Fault(fault) | Problem::NotReady(fault) => fault.code.label(),
            Problem::DiskRefuses => Code::Disk.label(),
            Problem::Defect => "defect",
        }
    }

    /// The body.
    pub fn body(&self) -> ErrorBody {
        ErrorBody { error: ErrorDetail { code: self.code().to_owned(), message: self.to_string() } }
    }
}

impl Problem {
    /// Tells the operator what the caller is not told.
    pub fn log(&self) {
        if let Problem::Fault(fault) = self {
            crate::telemetry::error("request failed", &[("code", &fault.code.label()), ("message", &fault.message)]);
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Denied(denied) => denied.into(),
            Refused::Turn(refusal) => refusal.into(),
            Refused::Fault(fault) => fault.into(),
        }
    }
}

impl From<RecallError> for Problem {
    fn from(error: RecallError) -> Self {
        match error {
            RecallError::Fault(fault) => fault.into(),
            RecallError::QueryEmpty => Problem::QueryEmpty,
            RecallError::QueryTooLong { .. } => Problem::QueryTooLong,
            RecallError::NameTooLong => Problem::Turn(Refusal::Name("customer")),
            RecallError::Limit { .. } => Problem::Limit(limits::RECALL_RESULTS_MAX),
            RecallError::Sessions { .. } => Problem::Limit(limits::SESSIONS),
            RecallError::NotYetVisible { waited_ms, .. } => Problem::NotYetVisible { waited_ms },
        }
    }
}
