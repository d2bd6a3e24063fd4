//! A server beside the command that asks it, in the same process.

use std::{io, net::TcpListener, sync::Arc, thread};

use tokio::sync::oneshot;

use super::{App, connections, router, serve::HEAD};
use crate::failure::Failure;

/// A server on a thread of its own; it ends, and its house with it, when this is dropped.
pub struct Beside {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Beside {
    /// Serves on the listener.
    pub fn start(app: App, listener: TcpListener) -> Result<Self, Failure> {
        let failed = |found: io::Error| Failure::Serve { found };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let listener = runtime.block_on(async { tokio::net::TcpListener::from_std(listener) }).map_err(failed)?;
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let app = Arc::new(app);
            runtime.block_on(connections::serve(listener, router(app.clone()), HEAD, stopped));
            drop(runtime);
            if let Some(app) = Arc::into_inner(app) {
                app.stop();
            }
        });
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        drop(self.stop.take());
        // Nothing in it panics, and there is nothing to do about it if it did.
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}
