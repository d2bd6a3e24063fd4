//! One space: its memories, what was dropped, and commands.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};

use super::{
    App,
    app::Lane,
    body::Sent,
    caller::Caller,
    openapi::{BodyRefusals, Refusals},
    parameters::{InPath, InQuery, Listed, Named},
};
use crate::{
    problem::{ErrorBody, Problem},
    wire::{Accepted, Drops, Memories, Memory},
};

/// List what is remembered in a space.
#[utoipa::path(
    get,
    path = "/v1/spaces/{space}/memories",
    tag = "memories",
    params(("space" = String, Path, description = "The space's name: one customer"), Listed),
    responses(
        (status = 200, body = Memories, description = "By when they were first said"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath(space): InPath<String>,
    InQuery(listed): InQuery<Listed>,
) -> Result<Json<Memories>, Problem> {
    let call = move |house: &crate::house::House| {
        let scope = house.scope(&token, listed.tenant.as_deref(), &space)?;
        match &listed.at {
            Some(at) => house.memories_at(&scope, listed.history, at),
            None => house.memories(&scope, listed.history),
        }
    };
    app.call(Lane::Work, call).await.map(Json)
}

/// Read one memory, by its id or the id of any of its observations.
#[utoipa::path(
    get,
    path = "/v1/spaces/{space}/memories/{id}",
    tag = "memories",
    params(
        ("space" = String, Path, description = "The space's name: one customer"),
        ("id" = String, Path, description = "The memory's id"),
        Named,
    ),
    responses(
        (status = 200, body = Memory, description = "The memory, with its evidence"),
        (status = 404, body = ErrorBody, description = "This space has no such memory"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn one(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath((space, id)): InPath<(String, String)>,
    InQuery(named): InQuery<Named>,
) -> Result<Json<Memory>, Problem> {
    let call = move |house: &crate::house::House| {
        let scope = house.scope(&token, named.tenant.as_deref(), &space)?;
        house.memory(&scope, &id)
    };
    app.call(Lane::Work, call).await.map(Json)
}

/// Forget one memory, for good. A recall with the answer's position as `min_position` comes back when it is gone from
/// everywhere and every copy of its words is dark.
#[utoipa::path(
    delete,
    path = "/v1/spaces/{space}/memories/{id}",
    tag = "memories",
    params(
        ("space" = String, Path, description = "The space's name: one customer"),
        ("id" = String, Path, description = "The memory's id"),
        Named,
    ),
    responses(
        (status = 202, body = Accepted, description = "The forget is on the log"),
        (status = 404, body = ErrorBody, description = "This space has no such memory"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn forget(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath((space, id)): InPath<(String, String)>,
    InQuery(named): InQuery<Named>,
) -> Result<(StatusCode, Json<Accepted>), Problem> {
    let call = move |house: &crate::house::House| {
        let scope = house.scope(&token, named.tenant.as_deref(), &space)?;
        house.forget(&scope, &id)
    };
    let accepted = app.call(Lane::Work, call).await?;
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}

/// List what was said and not kept, turn by turn, and why.
#[utoipa::path(
    get,
    path = "/v1/spaces/{space}/drops",
    tag = "memories",
    params(("space" = String, Path, description = "The space's name: one customer"), Named),
    responses(
        (status = 200, body = Drops, description = "Turns that had something to drop, oldest first"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn drops(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath(space): InPath<String>,
    InQuery(named): InQuery<Named>,
) -> Result<Json<Drops>, Problem> {
    let call = move |house: &crate::house::House| {
        let scope = house.scope(&token, named.tenant.as_deref(), &space)?;
        house.drops(&scope)
    };
    app.call(Lane::Work, call).await.map(Json)
}

/// End a session: its tasks are over.
#[utoipa::path(
    post,
    path = "/v1/spaces/{space}/sessions/{session}/end",
    tag = "memories",
    params(
        ("space" = String, Path, description = "The space's name: one customer"),
        ("session" = String, Path, description = "The session's name"),
        Named,
    ),
    responses(
        (status = 202, body = Accepted, description = "The end is on the log"),
        BodyRefusals,
    ),
    security(("bearer" = []))
)]
pub async fn end_session(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath((space, session)): InPath<(String, String)>,
    InQuery(named): InQuery<Named>,
    sent: Sent,
) -> Result<(StatusCode, Json<Accepted>), Problem> {
    let call = move |house: &crate::house::House| {
        let scope = house.scope(&token, named.tenant.as_deref(), &space)?;
        sent.nothing()?;
        house.end_session(&scope, &session)
    };
    let accepted = app.call(Lane::Work, call).await?;
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}
