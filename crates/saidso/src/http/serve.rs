//! Serving until asked to stop, or until the house cannot go on.

use std::{io, sync::Arc, thread, time::Duration};

use saidso_core::fault::Fault;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
    sync::oneshot,
    time::{sleep, timeout},
};

use super::{App, connections, router};
use crate::{failure::Failure, telemetry};

/// How long a request's head may take to arrive.
pub(super) const HEAD: Duration = Duration::from_secs(30);
/// How long answers may take after the end was asked for.
const GRACE: Duration = Duration::from_secs(10);
/// How often it is looked whether the house can go on.
const WATCH: Duration = Duration::from_millis(200);
/// How long `/readyz` says that the end is near before it is: a probe's usual period.
const NOTICE: Duration = Duration::from_secs(5);

/// Ends the process if that is asked for before it serves: while it waits for a server, say. As the first process of a
/// container it would otherwise not hear it.
pub struct Early {
    done: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Early {
    /// Listens for SIGTERM and SIGINT until the value is dropped.
    pub fn watch() -> Result<Self, Failure> {
        let failed = |found: io::Error| Failure::Serve { found };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let mut signals = runtime.block_on(async { Signals::new() }).map_err(failed)?;
        let (done, served) = oneshot::channel();
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = signals.asked() => {
                        telemetry::info("stopped before it served", &[]);
                        std::process::exit(0);
                    }
                    _ = served => {}
                }
            });
        });
        Ok(Self { done: Some(done), thread: Some(thread) })
    }
}

impl Drop for Early {
    fn drop(&mut self) {
        drop(self.done.take());
        // It cannot panic, and there is nothing to do about it if it did.
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

/// Serves on the listener until SIGTERM, SIGINT, or a fault that nothing may go on after.
pub fn serve(app: Arc<App>, listener: std::net::TcpListener, early: Early) -> Result<(), Failure> {
    let failed = |found: io::Error| Failure::Serve { found };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(2 * app.limits().requests + 1)
        .enable_all()
        .build()
        .map_err(failed)?;
    let served = runtime.block_on(async {
        listener.set_nonblocking(true).map_err(failed)?;
        let listener = TcpListener::from_std(listener).map_err(failed)?;
        run(app, listener, early).await
    });
    runtime.shutdown_timeout(GRACE);
    served
}

async fn run(app: Arc<App>, listener: TcpListener, early: Early) -> Result<(), Failure> {
    // Before anything is answered, so that whoever has an answer can ask for the end.
    let mut signals = Signals::new().map_err(|found| Failure::Serve { found })?;
    drop(early);
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(connections::serve(listener, router(app.clone()), HEAD, stopped));
    let ended = tokio::select! {
        () = signals.asked() => Ok(()),
        fault = fault(&app) => {
            telemetry::error("cannot go on", &[("code", &fault.code.label()), ("message", &fault.message)]);
            sleep(NOTICE).await;
            Err(Failure::Fault(fault))
        }
    };
    telemetry::info("stopping", &[]);
    drop(stop);
    if timeout(GRACE, server).await.is_err() {
        telemetry::info("gave up waiting for open requests", &[("seconds", &GRACE.as_secs())]);
    }
    ended
}

/// The signals that ask for the end.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// From now on they are noticed.
    fn new() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn asked(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Resolves when the house cannot go on.
async fn fault(app: &App) -> Fault {
    loop {
        if let Some(fault) = app.fault() {
            return fault;
        }
        sleep(WATCH).await;
    }
}
