//! The HTTP surface: routes, and around them authority, limits, headers and counts. The work itself is the house's.

mod app;
mod beside;
mod body;
mod caller;
mod connections;
mod console;
mod dead_letters;
mod forget;
mod guard;
mod health;
mod memories;
mod openapi;
mod operations;
mod parameters;
mod recall;
mod reply;
mod reviews;
mod serve;
mod sessions;
mod streamed;
mod turns;
mod unread;

use std::sync::Arc;

use axum::{Router, extract::DefaultBodyLimit, middleware};
use utoipa_axum::{router::OpenApiRouter, routes};

pub use app::App;
pub use beside::Beside;
pub use serve::{Early, serve};

/// Every route.
fn router(app: Arc<App>) -> Router {
    let operations = OpenApiRouter::with_openapi(openapi::description())
        .routes(routes!(operations::healthz))
        .routes(routes!(operations::readyz))
        .routes(routes!(operations::metrics));
    // A process that only runs stages has nothing else to say.
    let (router, api) = match app.answers() {
        false => operations,
        true => operations
            .routes(routes!(turns::publish))
            .routes(routes!(recall::recall))
            .routes(routes!(memories::list))
            .routes(routes!(memories::one, memories::forget))
            .routes(routes!(memories::drops))
            .routes(routes!(health::health))
            .routes(routes!(memories::end_session))
            .routes(routes!(sessions::list))
            .routes(routes!(sessions::open))
            .routes(routes!(forget::forget))
            .routes(routes!(forget::list))
            .routes(routes!(forget::read))
            .routes(routes!(reviews::list))
            .routes(routes!(reviews::judge))
            .routes(routes!(dead_letters::list))
            .routes(routes!(dead_letters::redrive)),
    }
    .split_for_parts();
    let console = app.answers().then(console::route).unwrap_or_default();
    router
        .merge(openapi::route(&api))
        .merge(console)
        .fallback(reply::no_such_route)
        .method_not_allowed_fallback(reply::method)
        .layer(DefaultBodyLimit::max(app.limits().body_bytes))
        .layer(middleware::from_fn(unread::close))
        .layer(middleware::from_fn_with_state(app.clone(), guard::count))
        .layer(middleware::map_response(guard::headers))
        .with_state(app)
}
