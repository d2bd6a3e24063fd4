//! A schema registry with Confluent's interface (Confluent, Apicurio, Karapace, Redpanda).

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use apache_avro::Schema;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use saidso_core::fault::{Code, Fault};
use serde_json::{Value, json};
use ureq::{
    Agent, Body,
    http::{HeaderValue, Method, Request, Response, Uri, header, uri::Authority},
};

use super::avro::{Format, Writer, nests_itself};

/// Where the schema registry is. It is asked in plain HTTP.
#[derive(Debug, Clone)]
pub struct Registry {
    /// The root of Confluent's interface: `http://registry:8081`, or `http://registry:8080/apis/ccompat/v7` of Apicurio.
    pub url: String,
    /// Who asks, if it wants to know.
    pub credentials: Option<Credentials>,
    /// How long one request may take.
    pub timeout: Duration,
}

/// What a registry knows the asker by. Never printed.
#[derive(Clone)]
pub enum Credentials {
    /// A user's name and password.
    Basic {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// A bearer token.
    Bearer(String),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(..)")
    }
}

impl Credentials {
    fn header(&self) -> Result<HeaderValue, Fault> {
        let text = match self {
            Self::Basic { user, password } => format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{password}"))),
            Self::Bearer(token) => format!("Bearer {token}"),
        };
        HeaderValue::from_str(&text).map_err(|_| {
            let message = "the schema registry's token has a character that no header holds, like the end of a line";
            Fault::stop(Code::StoreUnavailable, message)
        })
    }
}

/// The error code by which a registry says that it has no schema of a number. A 404 without it comes from something else.
const NO_SUCH_SCHEMA: u64 = 40403;

/// A registry, and all that was ever learnt from it: neither the schema of a number nor the number of a schema changes,
/// so what was asked once goes on working when the registry is away.
pub(super) struct Client {
    agent: Agent,
    url: String,
    authorization: Option<HeaderValue>,
    /// Our schema's number on each topic.
    numbers: Mutex<HashMap<String, u32>>,
    /// For each number what it means for reading a format.
    writers: Mutex<HashMap<(u32, &'static str), Arc<Writer>>>,
}

impl Client {
    /// Asks nothing yet.
    pub(super) fn new(options: &Registry) -> Result<Self, Fault> {
        let url = options.url.trim_end_matches('/').to_owned();
        let plain = |uri: &Uri| {
            let nobody_in_it =
                |authority: &Authority| !authority.host().is_empty() && !authority.as_str().contains('@');
            uri.scheme_str() == Some("http") && uri.authority().is_some_and(nobody_in_it)
        };
        if !url.parse().is_ok_and(|uri| plain(&uri)) {
            // It is not shown: there may be a password in it.
            let message =
                "the schema registry's URL has to be plain HTTP, with credentials apart: http://registry:8081";
            return Err(Fault::stop(Code::StoreUnavailable, message));
        }
        let config = Agent::config_builder().timeout_global(Some(options.timeout)).http_status_as_error(false);
        Ok(Self {
            agent: config.build().into(),
            url,
            authorization: options.credentials.as_ref().map(Credentials::header).transpose()?,
            numbers: Mutex::default(),
            writers: Mutex::default(),
        })
    }

    /// The number of a format's schema, which is registered for the topic unless that was done before.
    pub(super) fn number(&self, topic: &str, format: &Format) -> Result<u32, Fault> {
        if let Some(number) = lock(&self.numbers).get(topic) {
            return Ok(*number);
        }
        let number = self.register(&format!("{topic}-value"), format)?;
        lock(&self.numbers).insert(topic.to_owned(), number);
        Ok(number)
    }

    /// Who writes under a number. `unknown` makes the fault where the registry has no such schema.
    pub(super) fn writer(
        &self,
        number: u32,
        format: &Format,
        unknown: fn(Code, String) -> Fault,
    ) -> Result<Arc<Writer>, Fault> {
        let key = (number, format.name());
        if let Some(writer) = lock(&self.writers).get(&key) {
            return Ok(writer.clone());
        }
        let answer = self.ask(Method::GET, &format!("/schemas/ids/{number}"), None)?;
        if answer.status == 404 && answer.body["error_code"] == NO_SUCH_SCHEMA {
            let message = format!("a record was written by schema {number}, which the registry at {} lacks", self.url);
            return Err(unknown(Code::Undecodable, message));
        }
        let body = self.accepted(answer, "asked for a schema")?;
        let schema = body["schema"].as_str().and_then(|text| Schema::parse_str(text).ok());
        let Some(schema) = schema.filter(|schema| !nests_itself(schema)) else {
            let message = format!(
                "a record was written by schema {number} of the registry at {}: it is no Avro, or nests without an end",
                self.url
            );
            return Err(Fault::dead_letter(Code::Undecodable, message));
        };
        let writer = Arc::new(format.writer(schema));
        lock(&self.writers).insert(key, writer.clone());
        Ok(writer)
    }

    fn register(&self, subject: &str, format: &Format) -> Result<u32, Fault> {
        // What the operator chose for the subject stands.
        let choice = format!("/config/{subject}");
        if self.ask(Method::GET, &choice, None)?.status == 404 {
            let backward = self.ask(Method::PUT, &choice, Some(json!({ "compatibility": "BACKWARD" })))?;
            self.accepted(backward, &format!("asked for backward compatibility of {subject}"))?;
        }
        let versions = format!("/subjects/{subject}/versions");
        let answer = self.ask(Method::POST, &versions, Some(json!({ "schema": format.text() })))?;
        let body = self.accepted(answer, &format!("registered the schema of {} as {subject}", format.name()))?;
        let number = body["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        number.ok_or_else(|| self.stop("registered a schema", "an answer without its number"))
    }

    /// Whatever the registry answers, unless it is not there just now or does not let us in.
    fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Answer, Fault> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.url));
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let answer = match body {
            None => request.body(()).map_err(ureq::Error::from).and_then(|request| self.agent.run(request)),
            Some(body) => request
                .header(header::CONTENT_TYPE, "application/vnd.schemaregistry.v1+json")
                .body(body.to_string())
                .map_err(ureq::Error::from)
                .and_then(|request| self.agent.run(request)),
        };
        let away = |seen: &str| {
            let message = format!("asked the schema registry at {}: {seen}; it is tried again", self.url);
            Fault::retry(Code::StoreUnavailable, message)
        };
        let answer = Answer::from(answer.map_err(|error| away(&error.to_string()))?);
        match answer.status {
            401 | 403 => Err(self.stop("asked with the credentials given", &answer.reason())),
            408 | 429 | 500.. => Err(away(&answer.reason())),
            _ => Ok(answer),
        }
    }

    fn accepted(&self, answer: Answer, tried: &str) -> Result<Value, Fault> {
        if answer.status == 200 { Ok(answer.body) } else { Err(self.stop(tried, &answer.reason())) }
    }

    fn stop(&self, tried: &str, found: &str) -> Fault {
        let message = format!("{tried} at the schema registry {}: {found}", self.url);
        Fault::stop(Code::StoreUnavailable, message)
    }
}

struct Answer {
    status: u16,
    /// Null where it is no JSON.
    body: Value,
}

impl Answer {
    /// The registry's own words, if it has any.
    fn reason(&self) -> String {
        let words =
            self.body["message"].as_str().unwrap_or("no Confluent-compatible registry answers so; check its URL");
        format!("status {}, {words}", self.status)
    }
}

impl From<Response<Body>> for Answer {
    fn from(mut answer: Response<Body>) -> Self {
        let body = answer.body_mut().read_json().unwrap_or(Value::Null);
        Self { status: answer.status().as_u16(), body }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
