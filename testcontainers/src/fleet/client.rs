//! Asks processes that come and go: what one does not answer another does, or the same one later.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use saidso_core::turn::SubmittedTurn;
use serde_json::{Value, json};
use ureq::{Agent, http::Request};

use super::settings::TOKEN;

/// How long an answer may take before another process is asked: the asked one may be frozen.
const ANSWER: Duration = Duration::from_secs(3);
/// How long anything may take, whoever answers.
const PATIENCE: Duration = Duration::from_secs(90);
/// Before everybody is asked again.
const PAUSE: Duration = Duration::from_millis(50);

/// A client of processes that do the same.
#[derive(Debug, Clone)]
pub struct Client {
    addresses: Vec<String>,
    agent: Agent,
}

/// An answer.
struct Answer {
    status: u16,
    text: String,
}

impl Client {
    /// Of these processes, `host:port`.
    pub(super) fn new(addresses: Vec<String>) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).proxy(None).timeout_global(Some(ANSWER));
        Self { addresses, agent: config.build().new_agent() }
    }

    /// One try at one process; `None` if it was cut off or did not answer in time.
    fn ask(&self, address: &str, method: &str, path: &str, body: Option<(&str, String)>) -> Option<Answer> {
        let request = Request::builder().method(method).uri(format!("http://{address}{path}"));
        let request = request.header("authorization", format!("Bearer {TOKEN}"));
        let answer = match body {
            Some((kind, body)) => {
                self.agent.run(request.header("content-type", kind).body(body).expect("a well-formed request"))
            }
            None => self.agent.run(request.body(()).expect("a well-formed request")),
        };
        let (head, mut body) = answer.ok()?.into_parts();
        Some(Answer { status: head.status.as_u16(), text: body.read_to_string().ok()? })
    }

    /// Asks one after the other until one gives an answer that `read` takes. What is "not now" is asked again.
    fn insist<T>(
        &self,
        what: &str,
        method: &str,
        path: &str,
        body: Option<(&str, String)>,
        read: impl Fn(u16, &str) -> Option<T>,
    ) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = "no answer".to_owned();
        while Instant::now() < deadline {
            for address in &self.addresses {
                let Some(Answer { status, text }) = self.ask(address, method, path, body.clone()) else { continue };
                if let Some(read) = read(status, &text) {
                    return read;
                }
                assert!(matches!(status, 200 | 503), "{what}: {address} answered {status}: {text}");
                seen = format!("{status} from {address}");
            }
            thread::sleep(PAUSE);
        }
        panic!("{what}: nobody did within {PATIENCE:?}; the last that was seen is {seen}");
    }

    /// Publishes turns until all are in. The positions, in order.
    pub fn publish(&self, turns: &[SubmittedTurn]) -> Vec<String> {
        let line = |turn: &SubmittedTurn| serde_json::to_string(turn).expect("a turn has a JSON form") + "\n";
        let lines: String = turns.iter().map(line).collect();
        let body = Some(("application/x-ndjson", lines));
        self.insist("publish", "POST", "/v1/turns", body, |status, text| {
            let answers = text.lines().map(|line| serde_json::from_str::<Value>(line).ok());
            let positions = answers.map(|answer| answer?["position"].as_str().map(str::to_owned));
            // A line that could not be made durable just now is sent again with all others: what is in is known.
            (status == 200).then(|| positions.collect::<Option<Vec<_>>>()).flatten()
        })
    }

    /// What a space remembers once a position is visible, superseded memories too. Asked of one process alone, as each
    /// follows the changes at its own pace.
    pub fn memories(&self, space: &str, position: &str) -> Vec<Value> {
        let ask = json!({"space": space, "query": "anything", "min_position": position}).to_string();
        let path = format!("/v1/spaces/{space}/memories?history=true");
        assert_eq!(self.addresses.len(), 1, "one process");
        self.insist("recall", "POST", "/v1/recall", Some(("application/json", ask)), |status, _| {
            (status == 200).then_some(())
        });
        self.insist("list the memories", "GET", &path, None, |status, text| {
            let mut body: Value = serde_json::from_str(text).ok().filter(|_| status == 200)?;
            Some(body["memories"].as_array_mut()?.drain(..).collect())
        })
    }

    /// Forgets a memory, which is there or has just been forgotten by a try whose answer was lost.
    pub fn forget(&self, space: &str, id: &str) {
        let path = format!("/v1/spaces/{space}/memories/{id}");
        self.insist("forget", "DELETE", &path, None, |status, _| matches!(status, 202 | 404).then_some(()));
    }

    /// Waits until one takes work.
    pub fn ready(&self) {
        self.insist("be ready", "GET", "/readyz", None, |status, _| (status == 200).then_some(()));
    }

    /// Records that wait, by topic.
    pub fn lag(&self) -> BTreeMap<String, u64> {
        self.insist("show the lag", "GET", "/metrics", None, |status, text| {
            let lag: Option<BTreeMap<String, u64>> = text.lines().filter_map(lag).collect();
            lag.filter(|lag| status == 200 && !lag.is_empty())
        })
    }
}

/// A line of the metrics page, if it is of this metric; the inner `None` is one that cannot be read.
fn lag(line: &str) -> Option<Option<(String, u64)>> {
    let labels = line.strip_prefix("saidso_stage_lag_records{topic=\"")?;
    let read = || {
        let (topic, records) = labels.split_once("\"} ")?;
        Some((topic.to_owned(), records.parse().ok()?))
    };
    Some(read())
}
