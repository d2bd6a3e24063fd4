//! Servers as containers, through the `docker` command: three runs of known images need no client library.

use std::{
    os::unix::process::CommandExt as _,
    process::{Child, Command, Stdio},
};

use super::{
    Change,
    jars::{NotRun, run},
};

/// Whether an engine answers; the error says what was seen instead.
pub(super) fn engine() -> Result<(), String> {
    docker(&["version", "--format", "{{.Server.Version}}"])
}

fn docker(arguments: &[&str]) -> Result<(), String> {
    run(Command::new("docker").args(arguments)).map_err(|error| match error {
        NotRun::Missing => "no docker command".to_owned(),
        NotRun::Failed(said) => format!("docker {}: {}", arguments[0], said.trim()),
    })
}

/// A container that cannot outlive its owner.
#[derive(Debug)]
pub(super) struct Container {
    name: String,
    remover: Child,
}

impl Container {
    /// Starts a container. `arguments` are those of `docker run` after the container's name.
    pub fn start(name: String, arguments: &[String]) -> Result<Container, String> {
        // As for processes: the end of the pipe, however it comes, is the end of the server.
        let remover = Command::new("sh")
            .args(["-c", "read -r _; docker rm --force --volumes \"$1\"", "remover", &name])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot run sh: {error}"))?;
        let container = Container { name, remover };
        let mut all = vec!["run", "--detach", "--name", &container.name];
        all.extend(arguments.iter().map(String::as_str));
        docker(&all)?;
        Ok(container)
    }

    /// Starts, ends or freezes it.
    pub fn change(&self, change: Change) -> Result<(), String> {
        let word = match change {
            Change::Stop => "stop",
            Change::Kill => "kill",
            Change::Start => "start",
            Change::Freeze => "pause",
            Change::Thaw => "unpause",
        };
        docker(&[word, &self.name])
    }

    /// Whether the container has ended by itself.
    pub fn ended(&self) -> bool {
        let state = Command::new("docker").args(["inspect", "--format", "{{.State.Running}}", &self.name]).output();
        state.is_ok_and(|output| output.stdout.starts_with(b"false"))
    }

    /// The last lines that the server wrote.
    pub fn log_tail(&self) -> String {
        let output = Command::new("docker").args(["logs", "--tail", "15", &self.name]).output();
        output
            .map(|output| String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
            .unwrap_or_default()
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        drop(self.remover.stdin.take());
        let _ = self.remover.wait();
    }
}
