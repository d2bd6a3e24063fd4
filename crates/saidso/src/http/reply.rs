//! Problems as responses.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::problem::Problem;

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        self.log();
        let status = StatusCode::from_u16(self.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self.body())).into_response();
        let (name, value) = match status {
            StatusCode::UNAUTHORIZED => (header::WWW_AUTHENTICATE, "Bearer"),
            StatusCode::SERVICE_UNAVAILABLE => (header::RETRY_AFTER, "1"),
            _ => return response,
        };
        response.headers_mut().insert(name, HeaderValue::from_static(value));
        response
    }
}

/// No such address.
pub async fn no_such_route() -> Problem {
    Problem::NoSuchRoute
}

/// The address takes other methods.
pub async fn method() -> Problem {
    Problem::Method
}
