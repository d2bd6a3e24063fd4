//! Parameters of an address, with errors of our own shape.

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::request::Parts,
};
use serde::{Deserialize, de::DeserializeOwned};
use utoipa::IntoParams;

use crate::problem::Problem;

/// What stands in the path.
pub struct InPath<T>(pub T);

/// What stands after the question mark.
pub struct InQuery<T>(pub T);

/// Every route of a space takes it.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Named {
    /// The tenant's name; must be the token's if given.
    pub tenant: Option<String>,
}

/// For a route whose parameters are in its body.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// For a list of memories.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Listed {
    /// The tenant's name; must be the token's if given.
    pub tenant: Option<String>,
    /// History too: superseded, archived and invalid ones.
    #[serde(default)]
    pub history: bool,
    /// Each with its status at this instant, rather than now: RFC 3339 with an offset. How often a memory was asked for
    /// is left apart then.
    pub at: Option<String>,
}

/// For what waits for review.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Queued {
    /// The tenant's name; must be the token's if given.
    pub tenant: Option<String>,
    /// The space's name: one customer. All of the tenant's unless given.
    pub space: Option<String>,
}

/// For a list of sessions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Newest {
    /// The tenant's name; must be the token's if given.
    pub tenant: Option<String>,
    /// How many, 1 to 10; 3 unless given.
    pub limit: Option<usize>,
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(value) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::BadParameter("the parameter in the path is not UTF-8 in percent-encoding".into()))?;
        Ok(Self(value))
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(value) = Query::from_request_parts(parts, state)
            .await
            .map_err(|rejection| Problem::BadParameter(reason(&rejection.body_text())))?;
        Ok(Self(value))
    }
}

/// The parser's text with what was sent taken out: what it says after the last "expected" are our own names.
fn reason(text: &str) -> String {
    match (text.contains("unknown field"), text.rsplit_once(", expected ")) {
        (true, Some((_, expected))) => {
            let known = expected.strip_prefix("one of ").unwrap_or(expected);
            format!("a parameter after the question mark is unknown; this address takes {known}")
        }
        (true, None) => "there are parameters after the question mark; this address takes none".to_owned(),
        (false, _) => {
            let known = "history is true or false, limit a number";
            format!("a parameter after the question mark is malformed or there twice; {known}")
        }
    }
}
