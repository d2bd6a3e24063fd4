//! A registry in a thread, with as much of Confluent's interface as is asked of it, that fails when told to.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};

/// What it says on every failure.
pub const WORDS: &str = "the medlars are not ripe";

#[derive(Debug, Clone, Copy)]
pub enum Failure {
    HangUp,
    Silence,
    Status(u16),
}

#[derive(Default)]
struct State {
    failure: Option<Failure>,
    asked: Vec<String>,
    authorization: Option<String>,
    choices: BTreeMap<String, String>,
    subjects: BTreeMap<String, usize>,
    /// The number of a schema is its place, from 1.
    schemas: Vec<String>,
    silenced: Vec<TcpStream>,
}

pub struct Fake {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Fake {
    /// It ends with the process.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, state) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(State::default())));
        let shared = state.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &mut shared.lock().unwrap());
            }
        });
        Self { address, state }
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub fn fail(&self, failure: Option<Failure>) {
        self.state.lock().unwrap().failure = failure;
    }

    pub fn asked(&self) -> Vec<String> {
        self.state.lock().unwrap().asked.clone()
    }

    pub fn authorization(&self) -> Option<String> {
        self.state.lock().unwrap().authorization.clone()
    }

    pub fn choose(&self, subject: &str, compatibility: &str) {
        self.state.lock().unwrap().choices.insert(subject.into(), compatibility.into());
    }

    pub fn chosen(&self, subject: &str) -> String {
        self.state.lock().unwrap().choices[subject].clone()
    }

    pub fn schema(&self, subject: &str) -> String {
        let state = self.state.lock().unwrap();
        state.schemas[state.subjects[subject] - 1].clone()
    }

    /// Somebody else's schema; its number.
    pub fn publish(&self, schema: &str) -> u32 {
        let mut state = self.state.lock().unwrap();
        state.schemas.push(schema.into());
        state.schemas.len() as u32
    }
}

fn answer(stream: TcpStream, state: &mut State) {
    let mut request = BufReader::new(&stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if request.read_line(&mut line).unwrap() <= 2 {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        let named = |line: &String| {
            line.split_once(": ").filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
        };
        lines.iter().find_map(named)
    };
    let mut body = vec![0; header("content-length").map_or(0, |length| length.parse().unwrap())];
    request.read_exact(&mut body).unwrap();
    state.authorization = header("authorization");
    let asked = lines[0].trim_end_matches(" HTTP/1.1").to_owned();
    state.asked.push(asked.clone());

    let (status, answer) = match state.failure {
        Some(Failure::HangUp) => return,
        Some(Failure::Silence) => return state.silenced.push(stream),
        Some(Failure::Status(status)) => (status, json!({ "error_code": status, "message": WORDS })),
        None => state.answer(&asked, &serde_json::from_slice(&body).unwrap_or_default()),
    };
    let answer = answer.to_string();
    let length = answer.len();
    write!(&stream, "HTTP/1.1 {status} -\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{answer}").unwrap();
}

impl State {
    fn answer(&mut self, asked: &str, body: &Value) -> (u16, Value) {
        let words: Vec<&str> = asked.split([' ', '/']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            ["GET", "config", subject] => match self.choices.get(subject) {
                Some(choice) => (200, json!({ "compatibilityLevel": choice })),
                None => (404, json!({ "error_code": 40408 })),
            },
            ["PUT", "config", subject] => {
                self.choices.insert(subject.into(), body["compatibility"].as_str().unwrap().into());
                (200, body.clone())
            }
            ["POST", "subjects", subject, "versions"] => {
                let schema = body["schema"].as_str().unwrap();
                let known = self.schemas.iter().position(|known| known == schema);
                let index = known.unwrap_or_else(|| {
                    self.schemas.push(schema.into());
                    self.schemas.len() - 1
                });
                self.subjects.insert(subject.into(), index + 1);
                (200, json!({ "id": index + 1 }))
            }
            ["GET", "schemas", "ids", number] => match self.schemas.get(number.parse::<usize>().unwrap() - 1) {
                Some(schema) => (200, json!({ "schema": schema })),
                None => (404, json!({ "error_code": 40403 })),
            },
            _ => panic!("it is asked for {asked}"),
        }
    }
}
