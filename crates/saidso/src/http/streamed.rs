//! A recall as a stream of server-sent events: what is at hand at once, the results once they are found.

use std::{convert::Infallible, sync::Arc};

use axum::{
    http::{HeaderMap, header::ACCEPT},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::{StreamExt, stream};
use saidso_core::access::Token;
use serde::Serialize;

use super::{App, app::Lane};
use crate::{problem::Problem, wire::Recall};

/// The media type that asks for it.
const EVENTS: &str = "text/event-stream";

/// Whether a request wants its answer as events.
pub fn wanted(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let media =
        accepted.flat_map(|value| value.split(',')).map(|range| range.split(';').next().unwrap_or_default().trim());
    media.into_iter().any(|media| media.eq_ignore_ascii_case(EVENTS))
}

/// `hot`, as a session's opening shows it, at once, unless the question is as of another time; then `results`, as the
/// route answers, or `error`; then `done`. What is wrong with the question is answered before any of them, as ever.
pub async fn recall(app: Arc<App>, token: Token, ask: Recall, lane: Lane) -> Result<Response, Problem> {
    let first = move |house: &crate::house::House| {
        let asked = house.asked(&token, ask)?;
        let hot = house.hot(&asked)?;
        Ok((asked, hot))
    };
    let (asked, hot) = match app.call(Lane::Work, first).await {
        Ok(first) => first,
        Err(problem) => {
            app.metrics.recalled(None);
            return Err(problem);
        }
    };
    let results = async move {
        let answer = app.call(lane, move |house| house.answer(&asked)).await;
        app.metrics.recalled(answer.as_ref().ok());
        match answer {
            Ok(results) => event("results", &results),
            Err(problem) => {
                problem.log();
                event("error", &problem.body())
            }
        }
    };
    let hot = stream::iter(hot.map(|hot| event("hot", &hot)));
    let done = stream::iter([event("done", &serde_json::json!({}))]);
    let events = hot.chain(stream::once(results)).chain(done).map(Ok::<_, Infallible>);
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

fn event(name: &str, data: &impl Serialize) -> Event {
    // Our own types serialise, and their JSON has no line break.
    Event::default().event(name).data(serde_json::to_string(data).unwrap_or_default())
}
