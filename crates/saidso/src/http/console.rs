//! The web console: one page without anything from elsewhere. Its policy allows its own script and style, told apart by
//! a number used once, and talk to this server alone.

use std::sync::Arc;

use axum::{
    Router,
    http::header::CONTENT_SECURITY_POLICY,
    response::{Html, IntoResponse},
    routing::get,
};

use super::App;
use crate::entropy::{SystemEntropy, secret};

const PAGE: &str = include_str!("console.html");

/// `/`.
pub fn route() -> Router<Arc<App>> {
    Router::new().route("/", get(page))
}

async fn page() -> impl IntoResponse {
    let nonce = secret(&SystemEntropy);
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    ([(CONTENT_SECURITY_POLICY, policy)], Html(PAGE.replace("{nonce}", &nonce)))
}
