//! Forgetting by saying so, and reading back once what went.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};

use super::{
    App,
    app::Lane,
    body::Sent,
    caller::Caller,
    openapi::{BodyRefusals, Refusals},
    parameters::{InPath, InQuery, Named},
};
use crate::{
    house::House,
    problem::{ErrorBody, Problem},
    wire::{Forget, Forgotten, ReadBack, ReadBacks},
};

/// Forget what a text means, or memories by their ids: up to 3 a request, for good. What a text took can be read once.
/// A dry run says what would go and changes nothing.
#[utoipa::path(
    post,
    path = "/v1/spaces/{space}/forget",
    tag = "memories",
    params(("space" = String, Path, description = "The space's name: one customer"), Named),
    request_body = Forget,
    responses(
        (status = 200, body = Forgotten, description = "A dry run: what would go"),
        (status = 202, body = Forgotten, description = "The request is on the log, in order with the turns"),
        (status = 404, body = ErrorBody, description = "This space has no memory of one of the ids"),
        BodyRefusals,
    ),
    security(("bearer" = []))
)]
pub async fn forget(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath(space): InPath<String>,
    InQuery(named): InQuery<Named>,
    sent: Sent,
) -> Result<(StatusCode, Json<Forgotten>), Problem> {
    let ask: Forget = sent.json()?;
    let status = if ask.dry_run { StatusCode::OK } else { StatusCode::ACCEPTED };
    let call = move |house: &House| house.forget_said(&token, named.tenant.as_deref(), &space, ask);
    let forgotten = app.call(Lane::Work, call).await?;
    Ok((status, Json(forgotten)))
}

/// List what requests to forget took and nobody has read yet, without its content.
#[utoipa::path(
    get,
    path = "/v1/spaces/{space}/read-backs",
    tag = "memories",
    params(("space" = String, Path, description = "The space's name: one customer"), Named),
    responses(
        (status = 200, body = ReadBacks, description = "Ids and counts"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath(space): InPath<String>,
    InQuery(named): InQuery<Named>,
) -> Result<Json<ReadBacks>, Problem> {
    let call = move |house: &House| {
        let scope = house.scope(&token, named.tenant.as_deref(), &space)?;
        house.read_backs(&scope)
    };
    app.call(Lane::Work, call).await.map(Json)
}

/// Read what a request to forget took. It can be read once: with the answer its key is destroyed.
#[utoipa::path(
    post,
    path = "/v1/spaces/{space}/read-backs/{id}",
    tag = "memories",
    params(
        ("space" = String, Path, description = "The space's name: one customer"),
        ("id" = String, Path, description = "The id, as the request or the list answered it"),
        Named,
    ),
    responses(
        (status = 200, body = ReadBack, description = "What went"),
        (status = 404, body = ErrorBody, description = "It was read, its session ended, or the request is not through"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn read(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath((space, id)): InPath<(String, String)>,
    InQuery(named): InQuery<Named>,
) -> Result<Json<ReadBack>, Problem> {
    let call = move |house: &House| {
        let scope = house.scope(&token, named.tenant.as_deref(), &space)?;
        house.read_back(&scope, &id)
    };
    app.call(Lane::Work, call).await.map(Json)
}
