//! The HTTP client: the same operations as the house, asked of a running server.

use std::time::Duration;

use serde::de::DeserializeOwned;
use ureq::{Agent, Body, http::Response};

use crate::{
    failure::Failure,
    problem::ErrorBody,
    wire::{
        Accepted, DeadLetters, Drops, Forget, Forgotten, Judgement, LineAnswer, Memories, Place, ReadBack, Recall,
        Recollection, Reviews, Sessions,
    },
};

const CONNECT: Duration = Duration::from_secs(5);
/// A batch of lines may wait for the disk, a recall for a position.
const ANSWER: Duration = Duration::from_secs(120);
/// Bytes of an answer at most.
const ANSWER_BYTES: u64 = 256 * 1024 * 1024;

/// A server and a token for it.
pub struct Client {
    agent: Agent,
    server: String,
    token: String,
    tenant: Option<String>,
}

impl Client {
    /// For an `http://` address. With a tenant, the server checks that it is the token's.
    pub fn new(server: &str, token: String, tenant: Option<String>) -> Result<Self, Failure> {
        if !server.starts_with("http://") {
            return Err(Failure::Scheme(server.to_owned()));
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            // A proxy of the environment would be asked for this machine's own address.
            .proxy(None)
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(ANSWER))
            .build()
            .new_agent();
        Ok(Self { agent, server: server.trim_end_matches('/').to_owned(), token, tenant })
    }

    /// Publishes JSON Lines.
    pub fn publish(&self, lines: Vec<u8>) -> Result<Vec<LineAnswer>, Failure> {
        let request = self
            .agent
            .post(self.address("/v1/turns"))
            .header("authorization", self.bearer())
            .content_type("application/x-ndjson");
        let (status, text) = self.text(request.send(lines))?;
        text.lines().map(|line| serde_json::from_str(line).map_err(|_| self.strange(status))).collect()
    }

    /// Asks a question.
    pub fn recall(&self, ask: Recall) -> Result<Recollection, Failure> {
        let ask = Recall { tenant: self.tenant.clone(), ..ask };
        let request = self.agent.post(format!("{}/v1/recall", self.server)).header("authorization", self.bearer());
        self.json(request.send_json(&ask))
    }

    /// Lists memories.
    pub fn memories(&self, space: &str, history: bool) -> Result<Memories, Failure> {
        let address = self.address(&format!("/v1/spaces/{}/memories", encoded(space)));
        let request = self.agent.get(address).query("history", if history { "true" } else { "false" });
        self.json(request.header("authorization", self.bearer()).call())
    }

    /// Lists the newest sessions.
    pub fn sessions(&self, space: &str, limit: Option<usize>) -> Result<Sessions, Failure> {
        let mut request = self.agent.get(self.address(&format!("/v1/spaces/{}/sessions", encoded(space))));
        if let Some(limit) = limit {
            request = request.query("limit", limit.to_string());
        }
        self.json(request.header("authorization", self.bearer()).call())
    }

    /// Lists what was dropped.
    pub fn drops(&self, space: &str) -> Result<Drops, Failure> {
        let address = self.address(&format!("/v1/spaces/{}/drops", encoded(space)));
        self.json(self.agent.get(address).header("authorization", self.bearer()).call())
    }

    /// Forgets a memory.
    pub fn forget(&self, space: &str, id: &str) -> Result<Accepted, Failure> {
        let address = self.address(&format!("/v1/spaces/{}/memories/{}", encoded(space), encoded(id)));
        self.json(self.agent.delete(address).header("authorization", self.bearer()).call())
    }

    /// Has what words mean forgotten, or asks what would be.
    pub fn forget_said(&self, space: &str, ask: &Forget) -> Result<Forgotten, Failure> {
        let address = self.address(&format!("/v1/spaces/{}/forget", encoded(space)));
        self.json(self.agent.post(address).header("authorization", self.bearer()).send_json(ask))
    }

    /// Reads once what a request took.
    pub fn read_back(&self, space: &str, id: &str) -> Result<ReadBack, Failure> {
        let address = self.address(&format!("/v1/spaces/{}/read-backs/{}", encoded(space), encoded(id)));
        self.json(self.agent.post(address).header("authorization", self.bearer()).send_empty())
    }

    /// Lists what waits for review, in one space or all.
    pub fn reviews(&self, space: Option<&str>) -> Result<Reviews, Failure> {
        let mut request = self.agent.get(self.address("/v1/reviews"));
        if let Some(space) = space {
            request = request.query("space", space);
        }
        self.json(request.header("authorization", self.bearer()).call())
    }

    /// Gives a verdict.
    pub fn judge(&self, id: &str, judgement: &Judgement) -> Result<Accepted, Failure> {
        let address = format!("{}/v1/reviews/{}", self.server, encoded(id));
        self.json(self.agent.post(address).header("authorization", self.bearer()).send_json(judgement))
    }

    /// Lists what was set aside.
    pub fn dead_letters(&self) -> Result<DeadLetters, Failure> {
        let address = format!("{}/v1/dead-letters", self.server);
        self.json(self.agent.get(address).header("authorization", self.bearer()).call())
    }

    /// Has a turn that was set aside tried again.
    pub fn redrive(&self, place: &Place) -> Result<Accepted, Failure> {
        let address = format!("{}/v1/dead-letters/redrive", self.server);
        self.json(self.agent.post(address).header("authorization", self.bearer()).send_json(place))
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    fn address(&self, path: &str) -> String {
        match &self.tenant {
            Some(tenant) => format!("{}{path}?tenant={}", self.server, encoded(tenant)),
            None => format!("{}{path}", self.server),
        }
    }

    fn json<T: DeserializeOwned>(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<T, Failure> {
        let (status, text) = self.text(answer)?;
        serde_json::from_str(&text).map_err(|_| self.strange(status))
    }

    /// The text of a good answer.
    fn text(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<(u16, String), Failure> {
        let unreachable =
            |error: ureq::Error| Failure::Unreachable { server: self.server.clone(), found: error.to_string() };
        let mut answer = answer.map_err(unreachable)?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().with_config().limit(ANSWER_BYTES).read_to_string().map_err(unreachable)?;
        if answer.status().is_success() {
            return Ok((status, text));
        }
        match serde_json::from_str::<ErrorBody>(&text) {
            Ok(ErrorBody { error }) => {
                let server = self.server.clone();
                Err(Failure::Answered { server, status, code: error.code, message: error.message })
            }
            Err(_) => Err(self.strange(status)),
        }
    }

    fn strange(&self, status: u16) -> Failure {
        Failure::Strange { server: self.server.clone(), status }
    }
}

/// Percent-encoding of everything but letters, digits and `-._~`.
fn encoded(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(byte.into()),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
