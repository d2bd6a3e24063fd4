//! The description of the HTTP surface, made from the handlers.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, http::header::CONTENT_TYPE, routing::get};
use utoipa::{
    IntoResponses, Modify, OpenApi, ToSchema,
    openapi::{
        Components, Content, Ref, RefOr, Response, ResponseBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::App;
use crate::problem::{ErrorBody, ErrorDetail};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Saidso",
        description = "Memory for chat agents that remembers what each customer said, and nothing they didn't. \
            Another address is answered 404 `no_such_route`, another method 405 `method`; a field or parameter that is \
            not described is refused.",
    ),
    components(schemas(ErrorBody, ErrorDetail)),
    modifiers(&Bearer),
    tags(
        (name = "turns", description = "What was said goes in"),
        (name = "recall", description = "What is remembered comes out"),
        (name = "memories", description = "One customer's memory: read, forget"),
        (name = "reviews", description = "Answers that nobody was sure of: accept, reject"),
        (name = "operations", description = "For operators"),
    )
)]
struct Description;

/// What any answer may be that asks for something in the house.
pub struct Failures;

/// What any request with a token may be answered, besides.
pub struct Refusals;

/// What any request with a body may be answered, besides.
pub struct BodyRefusals;

type Described = BTreeMap<String, RefOr<Response>>;

impl IntoResponses for Failures {
    fn responses() -> Described {
        errors(&[(500, "The server failed; its log has the reason"), (503, "Try again in a second; the code says why")])
    }
}

impl IntoResponses for Refusals {
    fn responses() -> Described {
        let ours = errors(&[
            (400, "Not the JSON or the parameters that are expected; says where"),
            (401, "No token, or an unknown one"),
            (403, "The tenant is not the token's"),
            (422, "A value breaks a rule, such as a name that is too long or a time without an offset"),
        ]);
        ours.into_iter().chain(Failures::responses()).collect()
    }
}

impl IntoResponses for BodyRefusals {
    fn responses() -> Described {
        let ours = errors(&[
            (408, "The body did not arrive in time"),
            (413, "The body is too long"),
            (415, "Another content type"),
        ]);
        ours.into_iter().chain(Refusals::responses()).collect()
    }
}

fn errors(errors: &[(u16, &str)]) -> Described {
    let content = || Content::new(Some(Ref::from_schema_name(ErrorBody::name())));
    let error = |(status, description): &(u16, &str)| {
        let response = ResponseBuilder::new().description(*description).content("application/json", content());
        (status.to_string(), response.build().into())
    };
    errors.iter().map(error).collect()
}

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
