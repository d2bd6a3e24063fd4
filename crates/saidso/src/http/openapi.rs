//! The description of the HTTP surface, made from the handlers.

use std::sync::Arc;

use axum::{Router, http::header::CONTENT_TYPE, routing::get};
use utoipa::{
    Modify, OpenApi,
    openapi::{
        Components,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::App;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Saidso",
        description = "Memory for chat agents that remembers what each customer said, and nothing they didn't.",
    ),
    modifiers(&Bearer),
    tags(
        (name = "turns", description = "What was said goes in"),
        (name = "recall", description = "What is remembered comes out"),
        (name = "memories", description = "One customer's memory: read, forget"),
        (name = "operations", description = "For operators"),
    )
)]
struct Description;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The token carries the tenant; a tenant named in a request must be the token's."))
            .build();
        api.components.get_or_insert_with(Components::new).add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// What is not in the handlers.
pub fn description() -> utoipa::openapi::OpenApi {
    Description::openapi()
}

/// `/openapi.json`, open to all: it says nothing of what is stored.
pub fn route(api: &utoipa::openapi::OpenApi) -> Router<Arc<App>> {
    let text: Arc<str> = serde_json::to_string_pretty(api).unwrap_or_default().into();
    Router::new()
        .route("/openapi.json", get(move || async move { ([(CONTENT_TYPE, "application/json")], text.to_string()) }))
}
