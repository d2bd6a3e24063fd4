//! What is counted, and how it is shown. The names are in [`catalogue`].

pub mod catalogue;
mod lanes;
mod recalling;
mod standings;
mod text;

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use saidso_core::record::Origin;
use saidso_models::lanes::{Counts as Passed, Lane};
use saidso_pipeline::Counts;

use self::{catalogue as names, text::Page};
pub use self::{recalling::Recalling, standings::Standings};
use crate::{
    problem::Problem,
    wire::{Line, LineAnswer, Published, Recollection},
};

/// Upper bounds of the classes of a request's time, in seconds: from a recall's own millisecond to a wait's bound.
const SECONDS: [f64; 9] = [0.001, 0.002, 0.005, 0.02, 0.05, 0.2, 1.0, 5.0, 30.0];

/// Counts of the HTTP surface.
#[derive(Default)]
pub struct Metrics(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    requests: BTreeMap<(String, u16), u64>,
    seconds: BTreeMap<String, Times>,
    turns: BTreeMap<&'static str, u64>,
    recalls: BTreeMap<&'static str, u64>,
}

#[derive(Default)]
struct Times {
    /// One more than [`SECONDS`]: the last is for what took longer.
    classes: [u64; SECONDS.len() + 1],
    sum: f64,
}

/// What the stages report when a page is made.
pub struct Stages {
    /// What they did.
    pub counts: Counts,
    /// What waits for them.
    pub lag: Vec<(Origin, u64)>,
    /// Where recall is, in a process that answers.
    pub recall: Option<Recalling>,
    /// How the memories that it has loaded stand.
    pub standings: Standings,
    /// What passed the embedder's lanes, and what waits there.
    pub lanes: [(Lane, Passed); 3],
    /// Whether they run.
    pub ready: bool,
}

impl Metrics {
    /// A request was answered.
    pub fn request(&self, route: String, status: u16, took: Duration) {
        let mut inner = self.lock();
        *inner.requests.entry((route.clone(), status)).or_default() += 1;
        let seconds = took.as_secs_f64();
        let times = inner.seconds.entry(route).or_default();
        times.classes[SECONDS.iter().position(|bound| seconds <= *bound).unwrap_or(SECONDS.len())] += 1;
        times.sum += seconds;
    }

    /// Turns were answered.
    pub fn published(&self, answers: &[Result<Published, Problem>]) {
        self.turns(answers.iter().map(|answer| answer.as_ref().ok()));
    }

    /// Lines of turns were answered.
    pub fn published_lines(&self, answers: &[LineAnswer]) {
        self.turns(answers.iter().map(|answer| match &answer.outcome {
            Line::Published(published) => Some(published),
            Line::Refused(_) => None,
        }));
    }

    fn turns<'a>(&self, published: impl Iterator<Item = Option<&'a Published>>) {
        let mut inner = self.lock();
        for published in published {
            let result = match published {
                Some(Published { known: false, .. }) => "new",
                Some(Published { known: true, .. }) => "known",
                None => "refused",
            };
            *inner.turns.entry(result).or_default() += 1;
        }
    }

    /// A recall was answered; `None`: refused.
    pub fn recalled(&self, answer: Option<&Recollection>) {
        let result = match answer {
            Some(Recollection { empty: false, .. }) => "found",
            Some(Recollection { empty: true, .. }) => "empty",
            None => "refused",
        };
        *self.lock().recalls.entry(result).or_default() += 1;
    }

    /// Everything, in the Prometheus text format.
    pub fn page(&self, stages: &Stages) -> String {
        let mut page = Page::default();
        page.head(names::BUILD).sample(names::BUILD.name, &[("version", &env!("CARGO_PKG_VERSION"))], 1);
        page.head(names::READY).sample(names::READY.name, &[], u8::from(stages.ready));
        self.http(&mut page);
        pipeline(&mut page, stages);
        page.finish()
    }

    fn http(&self, page: &mut Page) {
        let inner = self.lock();
        page.head(names::REQUESTS);
        for ((route, status), count) in &inner.requests {
            page.sample(names::REQUESTS.name, &[("route", route), ("status", status)], count);
        }
        page.head(names::REQUEST_SECONDS);
        for (route, times) in &inner.seconds {
            times.show(page, route);
        }
        for (metric, counts) in [(names::TURNS, &inner.turns), (names::RECALLS, &inner.recalls)] {
            page.head(metric);
            for (result, count) in counts {
                page.sample(metric.name, &[("result", result)], count);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Times {
    fn show(&self, page: &mut Page, route: &str) {
        page.histogram(names::REQUEST_SECONDS.name, &[("route", &route)], &SECONDS, &self.classes, self.sum);
    }
}

fn pipeline(page: &mut Page, stages: &Stages) {
    let counts = &stages.counts.stages;
    page.head(names::STAGE_RECORDS);
    for (topic, stage) in counts {
        page.sample(names::STAGE_RECORDS.name, &[("topic", &topic.name())], stage.records);
    }
    page.head(names::STAGE_BATCHES);
    for (topic, stage) in counts {
        page.sample(names::STAGE_BATCHES.name, &[("topic", &topic.name())], stage.batches);
    }
    page.head(names::STAGE_BUSY);
    for (topic, stage) in counts {
        page.sample(names::STAGE_BUSY.name, &[("topic", &topic.name())], stage.busy.as_secs_f64());
    }
    page.head(names::STAGE_COMMITTING);
    for (topic, stage) in counts {
        page.sample(names::STAGE_COMMITTING.name, &[("topic", &topic.name())], stage.committing.as_secs_f64());
    }
    page.head(names::STAGE_RETRIES);
    for (topic, stage) in counts {
        for (code, count) in &stage.retries {
            page.sample(names::STAGE_RETRIES.name, &[("topic", &topic.name()), ("code", code)], count);
        }
    }
    page.head(names::DEAD_LETTERS);
    for (topic, stage) in counts {
        for (code, count) in &stage.dead {
            page.sample(names::DEAD_LETTERS.name, &[("topic", &topic.name()), ("code", code)], count);
        }
    }
    page.head(names::STAGE_LAG);
    for (topic, records) in &stages.lag {
        page.sample(names::STAGE_LAG.name, &[("topic", &topic.name())], records);
    }
    page.head(names::OBSERVATIONS).sample(names::OBSERVATIONS.name, &[], stages.counts.observations);
    page.head(names::DROPS);
    for (reason, count) in &stages.counts.drops {
        page.sample(names::DROPS.name, &[("reason", &crate::wire::name(reason))], count);
    }
    recalling::show(page, stages.recall.as_ref());
    stages.standings.show(page);
    lanes::show(page, &stages.lanes);
}

#[cfg(test)]
mod tests {
    use saidso_core::{fold::Status, record::Topic};
    use saidso_recall::Health;

    use super::*;

    #[test]
    fn a_page_shows_the_whole_catalogue_and_sums_its_classes() {
        let metrics = Metrics::default();
        metrics.request("/v1/recall".into(), 200, Duration::from_millis(3));
        metrics.request("/v1/recall".into(), 200, Duration::from_secs(60));
        let health = Health { memories: [(Status::Active, 3), (Status::ToConfirm, 1)].into() };
        let stages = Stages {
            counts: Counts::default(),
            lag: vec![(Topic::Turns.into(), 7)],
            recall: None,
            standings: Standings {
                tenants: [("a\"b".to_owned(), health)].into(),
                transitions: [(Status::Invalid, 2)].into(),
            },
            lanes: Lane::ALL.map(|lane| (lane, Passed { waiting: 3, ..Default::default() })),
            ready: true,
        };
        let page = metrics.page(&stages);
        for metric in names::ALL {
            assert!(page.contains(&format!("# TYPE {} ", metric.name)), "{}", metric.name);
        }
        for line in [
            r#"saidso_http_requests_total{route="/v1/recall",status="200"} 2"#,
            r#"saidso_http_request_seconds_bucket{route="/v1/recall",le="0.002"} 0"#,
            r#"saidso_http_request_seconds_bucket{route="/v1/recall",le="0.005"} 1"#,
            r#"saidso_http_request_seconds_bucket{route="/v1/recall",le="+Inf"} 2"#,
            r#"saidso_http_request_seconds_count{route="/v1/recall"} 2"#,
            r#"saidso_stage_lag_records{topic="turns"} 7"#,
            "saidso_ready 1",
            r#"saidso_embedder_waiting_slices{lane="replay"} 3"#,
            r#"saidso_embedder_wait_seconds_count{lane="query"} 0"#,
            r#"saidso_memories{tenant="a\"b",status="active"} 3"#,
            r#"saidso_memories{tenant="a\"b",status="to_confirm"} 1"#,
            r#"saidso_effective_share{tenant="a\"b"} 0.75"#,
            r#"saidso_memory_transitions_total{to="invalid"} 2"#,
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\n{page}");
        }
    }
}
