//! Who asks: the bearer of a token.

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header::AUTHORIZATION, request::Parts},
};
use saidso_core::access::{Denied, Token};

use super::App;
use crate::problem::Problem;

/// A caller with a known token.
pub struct Caller(pub Token);

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        authorise(&parts.headers, app).map(Caller)
    }
}

/// The token of a request's one `Authorization: Bearer …`.
pub fn authorise(headers: &HeaderMap, app: &App) -> Result<Token, Problem> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return Err(Denied::Unknown.into()) };
    let (scheme, secret) = value.to_str().ok().and_then(|value| value.split_once(' ')).ok_or(Denied::Unknown)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Denied::Unknown.into());
    }
    Ok(app.tokens().verify(secret.trim())?)
}
