//! One process of a fleet.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::servers::process::{Process, Signal};

/// How long a process may take to end in good order.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a process of the fleet does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Takes turns and commands, from the public topic and over HTTP.
    Intake,
    /// Proposes items.
    Extract,
    /// Grounds them.
    Ground,
    /// Gives them vectors.
    Embed,
    /// Writes observations.
    Write,
    /// Answers recalls.
    Recall,
}

impl Role {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Role::Intake => &["stage", "intake"],
            Role::Extract => &["stage", "extract"],
            Role::Ground => &["stage", "ground"],
            Role::Embed => &["stage", "embed"],
            Role::Write => &["stage", "write"],
            Role::Recall => &["recall-server"],
        }
    }

    fn name(self) -> &'static str {
        self.arguments().last().copied().unwrap_or_default()
    }
}

/// A process: it runs, or it is frozen, or it was retired.
#[derive(Debug)]
pub(super) struct Member {
    pub role: Role,
    /// The role and a number: its name on Kafka, the same after each start.
    pub name: String,
    /// Where it listens: `127.0.0.1:port`, the same after each start.
    pub address: String,
    command: Command,
    state: State,
}

#[derive(Debug)]
struct Command {
    program: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
}

#[derive(Debug)]
enum State {
    Running(Process),
    Frozen(Process),
    Retired,
}

impl Member {
    /// Starts the `number`th process of a role; `folder` has the configuration, and gets one for it.
    pub fn start(program: &Path, folder: &Path, role: Role, number: usize, port: u16) -> Self {
        let name = format!("{}-{number}", role.name());
        let address = format!("127.0.0.1:{port}");
        let own = folder.join(&name);
        fs::create_dir_all(&own).expect("a process has a folder of its own");
        let config = folder.join("saidso.toml");
        let flags = [("--config", &*config.to_string_lossy()), ("--instance", &*name), ("--listen", &*address)]
            .map(|(flag, value)| [flag.to_owned(), value.to_owned()]);
        // What the environment says of a data folder or an embedder is not for a test.
        let given = [("--data", &*own.to_string_lossy()), ("--embedder", "constant")]
            .map(|(flag, value)| [flag.to_owned(), value.to_owned()]);
        let words = role.arguments().iter().map(|word| (*word).to_owned());
        let arguments = words.chain(flags.into_iter().chain(given).flatten()).collect();
        let command = Command { program: program.to_owned(), arguments, folder: own };
        let state = State::Running(command.run());
        Self { role, name, address, command, state }
    }

    /// Kills it, as a crash would, and starts it again.
    pub fn kill(&mut self) {
        // The old process is gone before the new one begins.
        self.state = State::Retired;
        self.state = State::Running(self.command.run());
    }

    /// Stops its clock: its connections stay open, and it does nothing until [`Member::thaw`].
    pub fn freeze(&mut self) {
        self.signal(Signal::Stop, State::Frozen);
    }

    /// Lets it go on from where it was frozen.
    pub fn thaw(&mut self) {
        self.signal(Signal::Cont, State::Running);
    }

    fn signal(&mut self, signal: Signal, then: fn(Process) -> State) {
        self.state = match std::mem::replace(&mut self.state, State::Retired) {
            State::Running(mut process) | State::Frozen(mut process) => {
                process.signal(signal).expect("a process that runs is signalled");
                then(process)
            }
            State::Retired => State::Retired,
        };
    }

    /// Asks it to end, as an init system does, and waits for that.
    pub fn retire(&mut self) {
        let State::Running(process) = &mut self.state else { panic!("{} does not run", self.name) };
        process.stop(PATIENCE);
        assert!(process.ended(), "{} did not end when it was asked to:\n{}", self.name, process.log_tail());
        let log = process.log_tail();
        assert!(log.lines().any(|line| line == "info stopped"), "{} did not end in good order:\n{log}", self.name);
        self.state = State::Retired;
    }

    /// It runs: neither frozen nor retired.
    pub fn runs(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    /// What it logged last.
    pub fn log(&self) -> String {
        match &self.state {
            State::Running(process) | State::Frozen(process) => process.log_tail(),
            State::Retired => String::new(),
        }
    }

    /// What it logged last, if it ended by itself, which none may.
    pub fn ended(&mut self) -> Option<String> {
        match &mut self.state {
            State::Running(process) | State::Frozen(process) => process.ended().then(|| process.log_tail()),
            State::Retired => None,
        }
    }
}

impl Command {
    fn run(&self) -> Process {
        Process::start(&self.program, &self.arguments, &self.folder).expect("the program starts")
    }
}
