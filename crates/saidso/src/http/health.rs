//! How a space's memories stand.

use std::sync::Arc;

use axum::{Json, extract::State};

use super::{
    App,
    app::Lane,
    caller::Caller,
    openapi::Refusals,
    parameters::{InPath, InQuery, Named},
};
use crate::{problem::Problem, wire::SpaceHealth};

/// See how much of what is remembered can be relied on.
#[utoipa::path(
    get,
    path = "/v1/spaces/{space}/health",
    tag = "memories",
    params(("space" = String, Path, description = "The space's name: one customer"), Named),
    responses(
        (status = 200, body = SpaceHealth, description = "The memories by status, as of now"),
        Refusals,
    ),
    security(("bearer" = []))
)]
pub async fn health(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InPath(space): InPath<String>,
    InQuery(named): InQuery<Named>,
) -> Result<Json<SpaceHealth>, Problem> {
    let call = move |house: &crate::house::House| {
        let scope = house.scope(&token, named.tenant.as_deref(), &space)?;
        house.health(&scope)
    };
    app.call(Lane::Work, call).await.map(Json)
}
