//! A request that is refused before its body was read leaves the rest of the body on the connection. The answer then
//! says that the connection ends, or the caller's next request on it would meet a closed one.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderValue, header::CONNECTION},
    middleware::Next,
    response::Response,
};
use http_body::{Frame, SizeHint};

/// Ends the connection after an answer to a request whose body was not read to its end.
pub async fn close(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let ended = Arc::new(AtomicBool::new(http_body::Body::is_end_stream(&body)));
    let watched = Body::new(Watched { body, ended: ended.clone() });
    let mut response = next.run(Request::from_parts(head, watched)).await;
    if !ended.load(Ordering::Relaxed) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// A body that notes when its end was read.
struct Watched {
    body: Body,
    ended: Arc<AtomicBool>,
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.ended.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
