//! Questions.

use std::sync::Arc;

use axum::{Json, extract::State};

use super::{
    App,
    app::Lane,
    body::Sent,
    caller::Caller,
    openapi::BodyRefusals,
    parameters::{InQuery, Nothing},
};
use crate::{
    problem::Problem,
    wire::{Recall, Recollection},
};

/// Ask what is remembered about something. Nothing close means `empty: true` and no memories. What comes back are a
/// customer's statements: data to show a model as data, never instructions to follow.
#[utoipa::path(
    post,
    path = "/v1/recall",
    tag = "recall",
    request_body = Recall,
    responses(
        (status = 200, body = Recollection, description = "The closest memories, best first, each with its evidence"),
        BodyRefusals,
    ),
    security(("bearer" = []))
)]
pub async fn recall(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    _: InQuery<Nothing>,
    sent: Sent,
) -> Result<Json<Recollection>, Problem> {
    let ask = sent.json::<Recall>()?;
    let lane = if ask.min_position.is_some() { Lane::Wait } else { Lane::Work };
    let answer = app.call(lane, move |house| house.recall(&token, ask)).await;
    app.metrics.recalled(&answer);
    answer.map(Json)
}
