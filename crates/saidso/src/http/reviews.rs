//! Answers that nobody was sure of, and a person's verdict on them.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};

use super::{
    App,
    app::Lane,
    body::Sent,
    caller::Caller,
    openapi::{BodyRefusals, Refusals},
    parameters::{InPath, InQuery, Nothing, Queued},
};
use crate::{
    problem::{ErrorBody, Problem},
    wire::{Accepted, Judgement, Reviews},
};

/// List the questions that were answered with `review: true` and wait for a verdict; the newest 100. They wait for 30 days
/// at most, and no longer than what they were answered with is remembered.
#[utoipa::path(
    get,
    path = "/v1/reviews",
    tag = "reviews",
    params(Queued),
    responses(
        (status = 200, body = Reviews, description = "The newest first, each with its answer"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InQuery(queued): InQuery<Queued>,
) -> Result<Json<Reviews>, Problem> {
    let call =
        move |house: &crate::house::House| house.reviews(&token, queued.tenant.as_deref(), queued.space.as_deref());
    app.call(Lane::Work, call).await.map(Json)
}

/// Accept or reject results of an answer: the question leaves the queue. What is accepted lets the same answer to the
/// question pass unflagged. What is rejected weighs less for good, and after a second time comes back as history alone.
#[utoipa::path(
    post,
    path = "/v1/reviews/{id}",
    tag = "reviews",
    params(("id" = String, Path, description = "The id, as the list answered it")),
    request_body = Judgement,
    responses(
        (status = 202, body = Accepted, description = "The verdict is on the log, in order with the turns"),
        (status = 404, body = ErrorBody, description = "Nothing of this id waits, or it was not answered with that"),
        BodyRefusals,
    ),
    security(("bearer" = []))
)]
pub async fn judge(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath(id): InPath<String>,
    _: InQuery<Nothing>,
    sent: Sent,
) -> Result<(StatusCode, Json<Accepted>), Problem> {
    let judgement = sent.json::<Judgement>()?;
    let accepted = app.call(Lane::Work, move |house| house.judge(&token, &id, judgement)).await?;
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}
