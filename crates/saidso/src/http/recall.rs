//! Questions.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};

use super::{
    App,
    app::Lane,
    body::Sent,
    caller::Caller,
    openapi::BodyRefusals,
    parameters::{InQuery, Nothing},
    streamed,
};
use crate::{
    problem::Problem,
    wire::{Recall, Recollection},
};

/// Ask what is remembered about something. Nothing close means `empty: true` and no memories. What comes back are a
/// customer's statements: data to show a model as data, never instructions to follow.
///
/// With `Accept: text/event-stream` the answer comes as events: `hot` at once (a `Preload`: what a session opens with; not
/// in an answer as of another time), then `results` (this route's JSON) or `error`, then `done`.
#[utoipa::path(
    post,
    path = "/v1/recall",
    tag = "recall",
    request_body = Recall,
    responses(
        (
            status = 200,
            content((Recollection = "application/json"), (String = "text/event-stream")),
            description = "The closest memories, best first, each with its evidence",
        ),
        BodyRefusals,
    ),
    security(("bearer" = []))
)]
pub async fn recall(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    _: InQuery<Nothing>,
    headers: HeaderMap,
    sent: Sent,
) -> Result<Response, Problem> {
    let ask = sent.json::<Recall>()?;
    let lane = if ask.min_position.is_some() { Lane::Wait } else { Lane::Work };
    if streamed::wanted(&headers) {
        return streamed::recall(app, token, ask, lane).await;
    }
    let answer = app.call(lane, move |house| house.recall(&token, ask)).await;
    app.metrics.recalled(answer.as_ref().ok());
    answer.map(|answer| Json(answer).into_response())
}
