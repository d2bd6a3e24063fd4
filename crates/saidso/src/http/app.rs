//! What the handlers share: the house, the tokens, the counts, and the bounded pool that calls the house.

use std::{sync::Arc, time::Duration};

use saidso_core::{access::Tokens, fault::Fault};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use crate::{config::HttpLimits, house::House, metrics::Metrics, problem::Problem};

/// How long a request queues for the pool before it is told to come back.
const QUEUE: Duration = Duration::from_secs(2);

/// Which part of the pool a request takes. Those that wait for a position have their own, so that they keep nobody
/// from the work they wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Goes through at once.
    Work,
    /// May wait for a position.
    Wait,
}

/// What the handlers share.
pub struct App {
    house: House,
    tokens: Tokens,
    limits: HttpLimits,
    /// What was counted.
    pub metrics: Metrics,
    work: Arc<Semaphore>,
    wait: Arc<Semaphore>,
}

impl App {
    /// Over an open house, for the bearers of these tokens.
    pub fn new(house: House, tokens: Tokens, limits: HttpLimits) -> Self {
        let lane = || Arc::new(Semaphore::new(limits.requests));
        Self { house, tokens, limits, metrics: Metrics::default(), work: lane(), wait: lane() }
    }

    /// Whether it answers requests, rather than only running stages.
    pub fn answers(&self) -> bool {
        self.house.answers()
    }

    /// The tokens that are known.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The bounds.
    pub fn limits(&self) -> HttpLimits {
        self.limits
    }

    /// Why the stages ended, if they did.
    pub fn fault(&self) -> Option<Fault> {
        self.house.fault()
    }

    /// Whether work would be refused just now.
    pub fn disk_refuses(&self) -> bool {
        self.house.disk_refuses()
    }

    /// [`House::behind`].
    pub fn behind(&self) -> Option<u64> {
        self.house.behind()
    }

    /// Runs a call of the house, which blocks, on the pool.
    pub async fn call<T: Send + 'static>(
        self: &Arc<Self>,
        lane: Lane,
        call: impl FnOnce(&House) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let semaphore = match lane {
            Lane::Work => self.work.clone(),
            Lane::Wait => self.wait.clone(),
        };
        let permit = match timeout(QUEUE, semaphore.acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) | Err(_) => return Err(Problem::Busy),
        };
        let app = self.clone();
        let called = spawn_blocking(move || {
            let _permit = permit;
            call(&app.house)
        });
        called.await.unwrap_or(Err(Problem::Defect))
    }

    /// Ends the house after the work in hand.
    pub fn stop(self) {
        self.house.stop();
    }
}
