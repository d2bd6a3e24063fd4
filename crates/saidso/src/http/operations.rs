//! For operators: is it alive, does it take work, what did it do.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Json,
    extract::{ConnectInfo, FromRequestParts, State},
    http::{header, request::Parts},
    response::IntoResponse,
};

use super::{App, app::Lane, caller::authorise, openapi::Failures};
use crate::{
    problem::{ErrorBody, Problem},
    wire::{Health, Ready},
};

/// The process is alive. Needs no token.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "operations",
    responses((status = 200, body = Health, description = "It is alive")),
    security(())
)]
pub async fn healthz() -> Json<Health> {
    Json(Health { status: "ok".into(), version: env!("CARGO_PKG_VERSION").into() })
}

/// The stages run, and it takes work. Needs no token.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operations",
    responses(
        (status = 200, body = Ready, description = "It takes work"),
        (status = 503, body = ErrorBody, description = "It is about to stop, or the disk refuses writes (`disk`); the code says why"),
    ),
    security(())
)]
pub async fn readyz(State(app): State<Arc<App>>) -> Result<Json<Ready>, Problem> {
    match app.fault() {
        Some(fault) => Err(Problem::NotReady(fault)),
        None if app.disk_refuses() => Err(Problem::DiskRefuses),
        None => Ok(Json(Ready { ready: true, behind: app.behind() })),
    }
}

/// Counts, in the Prometheus text format. Open to this machine; from elsewhere it takes a token.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "operations",
    responses(
        (status = 200, body = String, content_type = "text/plain", description = "The counts"),
        (status = 401, body = ErrorBody, description = "Not from this machine, and without a known token"),
        Failures,
    ),
    security((), ("bearer" = []))
)]
pub async fn metrics(State(app): State<Arc<App>>, _: Operator) -> Result<impl IntoResponse, Problem> {
    let stages = app.call(Lane::Work, |house| house.stages()).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.page(&stages)))
}

/// Somebody on this machine, or with a known token.
pub struct Operator;

impl FromRequestParts<Arc<App>> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        // A proxy on this machine speaks for somebody who need not be on it.
        let proxied =
            ["forwarded", "x-forwarded-for", "x-real-ip"].iter().any(|name| parts.headers.contains_key(*name));
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let here = peer.is_some_and(|ConnectInfo(peer)| peer.ip().to_canonical().is_loopback());
        if !here || proxied {
            authorise(&parts.headers, app)?;
        }
        Ok(Self)
    }
}
