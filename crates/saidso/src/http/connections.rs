//! The connections: taken, served, and brought to an end together.

use std::{net::SocketAddr, time::Duration};

use axum::{
    Router,
    extract::{ConnectInfo, Request},
    serve::Listener,
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::oneshot};

/// Serves the routes until `stop` says so or is gone; returns when the open requests are answered. A connection on
/// which a request's head takes longer than `head` to arrive is closed.
pub async fn serve(mut listener: TcpListener, router: Router, head: Duration, mut stop: oneshot::Receiver<()>) {
    let service = TowerToHyperService::new(router);
    let open = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    loop {
        let (stream, peer): (_, SocketAddr) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            _ = &mut stop => break,
        };
        let service = service.clone();
        let named = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            service.call(request)
        });
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), named));
        tokio::spawn(async move {
            // A connection that breaks off is its caller's affair.
            let _ = connection.await;
        });
    }
    drop(listener);
    open.shutdown().await;
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use axum::routing::get;

    use super::*;

    #[tokio::test]
    async fn a_head_that_does_not_come_ends_its_connection_and_no_other() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(|| async { "here" }));
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(serve(listener, router, Duration::from_millis(100), stopped));
        let said = |head: &'static [u8]| {
            tokio::task::spawn_blocking(move || {
                let mut stream = std::net::TcpStream::connect(address).unwrap();
                stream.write_all(head).unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).unwrap();
                answer
            })
        };
        // Both are read to their end: without the bound the first would never come to one.
        assert!(!said(b"GET / HTTP/1.1\r\nhost: a\r\n").await.unwrap().contains("200 OK"));
        assert!(said(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap().ends_with("here"));
        stop.send(()).unwrap();
        server.await.unwrap();
    }
}
