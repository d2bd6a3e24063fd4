//! Bodies: read within a size and a time, and parsed with errors that name the place and echo nothing.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    extract::{
        FromRequest, Request,
        rejection::{BytesRejection, FailedToBufferBody},
    },
    http::header::CONTENT_TYPE,
};
use serde::de::DeserializeOwned;

use super::{App, parameters::Nothing};
use crate::{json, problem::Problem};

/// How long a body may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(60);

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    JsonLines,
    Other,
}

/// A body that has arrived.
pub struct Sent {
    format: Format,
    bytes: Bytes,
}

/// A body by its content type.
pub enum Content {
    /// One JSON value.
    Json(Bytes),
    /// JSON Lines.
    Lines(Bytes),
}

impl Sent {
    /// JSON or JSON Lines.
    pub fn content(self) -> Result<Content, Problem> {
        match self.format {
            Format::Json => Ok(Content::Json(self.bytes)),
            Format::JsonLines => Ok(Content::Lines(self.bytes)),
            Format::Other => Err(Problem::ContentType("application/json or application/x-ndjson")),
        }
    }

    /// One JSON value.
    pub fn json<T: DeserializeOwned>(self) -> Result<T, Problem> {
        match self.format {
            Format::Json => json::parse(&self.bytes),
            Format::JsonLines | Format::Other => Err(Problem::ContentType("application/json")),
        }
    }

    /// No body, or an object without fields: the address says it all.
    pub fn nothing(self) -> Result<(), Problem> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        self.json::<Nothing>().map(drop)
    }
}

impl FromRequest<Arc<App>> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let format = format(&request);
        let bytes = tokio::time::timeout(ARRIVAL, Bytes::from_request(request, app))
            .await
            .map_err(|_| Problem::BodySlow(ARRIVAL.as_secs()))?
            .map_err(|rejection| match rejection {
                BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                    Problem::BodyBytes(app.limits().body_bytes)
                }
                _ => Problem::BodyCut,
            })?;
        Ok(Self { format, bytes })
    }
}

/// By the media type alone; without one it is taken for JSON.
fn format(request: &Request) -> Format {
    let Some(value) = request.headers().get(CONTENT_TYPE) else { return Format::Json };
    let media = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    match media.to_ascii_lowercase().as_str() {
        "application/json" => Format::Json,
        "application/x-ndjson" => Format::JsonLines,
        _ => Format::Other,
    }
}
