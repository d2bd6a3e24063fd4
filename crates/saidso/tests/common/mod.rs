//! Drives the real program: a server on a port of its own, asked over HTTP.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use serde_json::{Value, json};
use ureq::{Agent, http::Response};

/// The program, with nothing of this machine's own settings.
pub fn saidso() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saidso"));
    for name in ["DATA", "LISTEN", "EMBEDDER", "MODEL", "CONFIG", "TOKEN", "SERVER"] {
        command.env_remove(format!("SAIDSO_{name}"));
    }
    command
}

/// Runs it to its end.
pub fn run(args: &[&str]) -> Output {
    saidso().args(args).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A running server. Ends with SIGKILL if a test fails before it is stopped.
pub struct Server {
    child: Child,
    log: PathBuf,
    pub address: String,
    pub token: String,
    agent: Agent,
}

/// An answer: status, headers and body.
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub text: String,
    pub head: Response<()>,
}

impl Server {
    pub fn up(data: &Path) -> Self {
        Self::with(data, &[])
    }

    pub fn with(data: &Path, more: &[&str]) -> Self {
        Self::start(saidso(), data, "words", more)
    }

    /// With an endpoint as its embedder, as the configuration says.
    pub fn remote(data: &Path, configuration: &Path) -> Self {
        Self::start(saidso(), data, "remote", &["--config", configuration.to_str().unwrap()])
    }

    /// With a bound on the size of its files, in bytes: a full disk that needs no rights.
    pub fn cramped(data: &Path, bytes: u32) -> Self {
        let mut shell = Command::new("sh");
        // `ulimit` counts in blocks of 512 bytes.
        let line = format!(r#"trap '' XFSZ; ulimit -f {}; exec "$@""#, bytes / 512);
        let program = saidso();
        shell.args(["-ec", &line, "sh"]).arg(program.get_program());
        for (name, value) in program.get_envs() {
            assert!(value.is_none(), "only removals");
            shell.env_remove(name);
        }
        Self::start(shell, data, "words", &[])
    }

    fn start(mut program: Command, data: &Path, embedder: &str, more: &[&str]) -> Self {
        std::fs::create_dir_all(data).unwrap();
        let log = data.join("server.log");
        let mut child = program
            .args(["up", "--listen", "127.0.0.1:0", "--embedder", embedder, "--data"])
            .arg(data)
            .args(more)
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the server says where it is").unwrap();
            if let Some((_, address)) = line.split_once(" at http://") {
                break format!("http://{address}");
            }
        };
        let token = std::fs::read_to_string(data.join("dev-token")).unwrap().trim().to_owned();
        let agent = Agent::config_builder().http_status_as_error(false).proxy(None).build().new_agent();
        Self { child, log, address, token, agent }
    }

    /// A request with the development token.
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.send(method, path, &[("authorization", &format!("Bearer {}", self.token))], body.map(Value::to_string))
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<String>) -> Answer {
        self.bytes(method, path, headers, body.map(String::into_bytes))
    }

    pub fn bytes(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<Vec<u8>>) -> Answer {
        self.try_bytes(method, path, headers, body).expect("the server answers")
    }

    /// `None` if the server went away.
    pub fn try_bytes(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Option<Answer> {
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.address));
        if body.is_some() && !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = match body {
            Some(body) => self.agent.run(request.body(body).unwrap()),
            None => self.agent.run(request.body(()).unwrap()),
        };
        let (head, mut body) = answer.ok()?.into_parts();
        let text = body.read_to_string().ok()?;
        Some(Answer {
            status: head.status.as_u16(),
            body: serde_json::from_str(&text).unwrap_or(Value::Null),
            text,
            head: Response::from_parts(head, ()),
        })
    }

    /// To kill it from another thread, without a chance to clean up.
    pub fn killer(&mut self) -> Killer {
        Killer(self.child.id())
    }

    /// Publishes a turn and returns its position.
    pub fn publish(&self, turn: &Value) -> String {
        let answer = self.ask("POST", "/v1/turns", Some(turn));
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body["position"].as_str().unwrap().to_owned()
    }

    /// Waits until a position is visible, by asking for it.
    pub fn wait(&self, space: &str, position: &str) {
        let ask = json!({"space": space, "query": "anything", "min_position": position});
        let answer = self.ask("POST", "/v1/recall", Some(&ask));
        assert_eq!(answer.status, 200, "{}", answer.text);
    }

    pub fn memories(&self, space: &str) -> Vec<Value> {
        let answer = self.ask("GET", &format!("/v1/spaces/{space}/memories"), None);
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body["memories"].as_array().unwrap().clone()
    }

    /// Waits until it ends by itself. Its exit code, and what it logged.
    pub fn ended(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        (status.code(), std::fs::read_to_string(&self.log).unwrap())
    }

    /// Asks it to stop, as an init system does, and waits for it.
    pub fn stop(mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {}", std::fs::read_to_string(&self.log).unwrap());
    }
}

/// Sends SIGKILL.
pub struct Killer(u32);

impl Killer {
    pub fn kill(&self) {
        assert!(Command::new("kill").args(["-KILL", &self.0.to_string()]).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A turn in which a customer says one thing.
pub fn said(space: &str, at: &str, text: &str) -> Value {
    json!({"space": space, "occurred_at": at, "messages": [{"role": "customer", "text": text}]})
}
