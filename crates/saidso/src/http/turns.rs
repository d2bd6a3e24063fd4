//! Turns in.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use saidso_core::access::Denied;

use super::{
    App,
    app::Lane,
    body::{Content, Sent},
    caller::Caller,
    openapi::BodyRefusals,
    parameters::{InQuery, Named},
};
use crate::{
    json,
    problem::Problem,
    wire::{LineAnswer, Published, Turn},
};

/// Publish one turn (`application/json`), or many (`application/x-ndjson`), which are answered line by line: good
/// lines are in, bad ones are named. Sending a turn again adds nothing and answers with its first position.
#[utoipa::path(
    post,
    path = "/v1/turns",
    tag = "turns",
    params(Named),
    request_body(content((Turn = "application/json"), (String = "application/x-ndjson"))),
    responses(
        (status = 200, content(
            (Published = "application/json"),
            (LineAnswer = "application/x-ndjson"),
        ), description = "The turn is in, durably; for JSON Lines one answer a line"),
        BodyRefusals,
    ),
    security(("bearer" = []))
)]
pub async fn publish(
    State(app): State<Arc<App>>,
    Caller(token): Caller,
    InQuery(named): InQuery<Named>,
    sent: Sent,
) -> Result<Response, Problem> {
    if named.tenant.is_some_and(|tenant| tenant != token.tenant()) {
        return Err(Denied::OtherTenant.into());
    }
    match sent.content()? {
        Content::Json(bytes) => {
            let turn = json::parse::<Turn>(&bytes)?;
            let published = app.call(Lane::Work, move |house| house.publish(&token, turn)).await;
            app.metrics.published(std::slice::from_ref(&published));
            Ok(Json(published?).into_response())
        }
        Content::Lines(bytes) => {
            let answers = app.call(Lane::Work, move |house| Ok(house.publish_lines(&token, &bytes))).await?;
            app.metrics.published_lines(&answers);
            Ok(([(CONTENT_TYPE, "application/x-ndjson")], lines(&answers)).into_response())
        }
    }
}

fn lines(answers: &[LineAnswer]) -> String {
    let mut text = String::new();
    for answer in answers {
        // A struct of strings and numbers always has a JSON form.
        text.push_str(&serde_json::to_string(answer).unwrap_or_default());
        text.push('\n');
    }
    text
}
