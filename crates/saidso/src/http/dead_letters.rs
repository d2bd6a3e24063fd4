//! What was set aside, and having it tried again.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};

use super::{
    App,
    app::Lane,
    body::Sent,
    caller::Caller,
    openapi::{BodyRefusals, Refusals},
    parameters::{InQuery, Nothing},
};
use crate::{
    problem::{ErrorBody, Problem},
    wire::{Accepted, DeadLetters, Place},
};

/// List what the stages set aside, by reference and with the reason; the newest 1,000.
#[utoipa::path(
    get,
    path = "/v1/dead-letters",
    tag = "operations",
    responses(
        (status = 200, body = DeadLetters, description = "The newest first"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    _: InQuery<Nothing>,
) -> Result<Json<DeadLetters>, Problem> {
    app.call(Lane::Work, move |house| house.dead_letters(&token)).await.map(Json)
}

/// Drive a turn that was set aside through the stages again, once its cause is mended. What it says is not counted twice.
#[utoipa::path(
    post,
    path = "/v1/dead-letters/redrive",
    tag = "operations",
    request_body = Place,
    responses(
        (status = 202, body = Accepted, description = "The turn is on the log again"),
        (status = 404, body = ErrorBody, description = "No turn of this tenant was set aside there"),
        BodyRefusals,
    ),
    security(("bearer" = []))
)]
pub async fn redrive(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    _: InQuery<Nothing>,
    sent: Sent,
) -> Result<(StatusCode, Json<Accepted>), Problem> {
    let place = sent.json::<Place>()?;
    let accepted = app.call(Lane::Work, move |house| house.redrive(&token, &place)).await?;
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}
