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
#[into_params(parameter_in = Query)]
pub struct Named {
    /// The tenant's name; must be the token's if given.
    pub tenant: Option<String>,
}

/// For a list of memories.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Listed {
    /// The tenant's name; must be the token's if given.
    pub tenant: Option<String>,
    /// Superseded ones too.
    #[serde(default)]
    pub history: bool,
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(value) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::BadParameter("in the path is not UTF-8 in percent-encoding"))?;
        Ok(Self(value))
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(value) = Query::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::BadParameter("after the question mark is malformed; history is true or false"))?;
        Ok(Self(value))
    }
}
