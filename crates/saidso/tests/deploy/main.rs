//! What `deploy/` says, held to what the program takes: nothing here can run it. Its configuration is loaded and its
//! command lines are read by the program's own code. Files are read into types that know only the keys they use, so a
//! misspelt one is an error.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../common/mod.rs"]
mod common;
mod compose;
mod image;
mod kubernetes;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use clap::{CommandFactory, FromArgMatches, ValueEnum, builder::Resettable};
use saidso::{
    args::{Args, Command, StageName, Up},
    config::{Config, Distributed, Embedder},
};

/// The longest that a stop takes: open requests, calls behind them and the batch in hand have 10 seconds each.
const STOP_SECONDS: u32 = 30;
/// The longest that a start waits for servers: two minutes each for the store and the log.
const START_SECONDS: u32 = 240;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file below `deploy/`.
fn text(name: &str) -> String {
    let path = root().join("deploy").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file in a container.
enum Mounted {
    /// What it says.
    Text(String),
    /// Not known here.
    Secret,
}

/// A process of ours, as a deployment starts it.
struct Process {
    name: String,
    image: String,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
    files: BTreeMap<PathBuf, Mounted>,
}

impl Process {
    /// Its command line and configuration, sound by themselves.
    fn read(&self) -> (Command, Config) {
        let name = &self.name;
        assert_eq!(self.image, format!("saidso:{}", env!("CARGO_PKG_VERSION")), "{name}");
        let command = self.command();
        let (Command::Stage(saidso::args::Stage { up, .. }) | Command::RecallServer(up)) = &command else {
            panic!("{name} is neither a stage nor recall: {command:?}")
        };
        let path = up.config.as_ref().unwrap_or_else(|| panic!("{name} has no configuration"));
        let Some(Mounted::Text(text)) = self.files.get(path) else {
            panic!("{name}: no configuration is mounted at {}", path.display())
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, text).unwrap();
        let up = Up { config: Some(file.path().to_owned()), ..up.clone() };
        let config = Config::load(&up).unwrap_or_else(|error| panic!("{name}: {error}"));

        let Some(Distributed { cql, .. }) = &config.distributed else { panic!("{name} keeps its memories to itself") };
        let kek = self.files.get(&cql.kek_file);
        assert!(matches!(kek, Some(Mounted::Secret)), "{name}: no secret is mounted at {}", cql.kek_file.display());
        let one_name = text.parse::<toml::Table>().unwrap()["kafka"].get("instance").is_some();
        assert!(!one_name, "{name}: a file that all processes read names one instance");
        assert!(!config.listen.ip().is_loopback(), "{name} listens where nobody else is: {}", config.listen);
        // Otherwise each process makes a development token of its own, in a folder that none has.
        assert!(!config.tenants.is_empty(), "{name} knows no tenant");
        // The weights of the others are not in the image.
        assert_eq!(config.embedder, Embedder::E5 { weights: None }, "{name}");
        (command, config)
    }

    /// The command line and the variables of the environment, as the program reads them.
    fn command(&self) -> Command {
        let definition = Args::command();
        let subcommand = definition.find_subcommand(&self.arguments[0]).expect("a command of ours");
        let mut line = vec!["saidso".to_owned()];
        line.extend(self.arguments.iter().cloned());
        for (variable, value) in &self.environment {
            let argument = subcommand.get_arguments().find(|argument| argument.get_env() == Some(variable.as_ref()));
            let flag = argument.and_then(|argument| argument.get_long());
            let flag = flag.unwrap_or_else(|| panic!("{}: nothing reads {variable}", self.name));
            line.push(format!("--{flag}={value}"));
        }
        // The environment of this test is not that of the process.
        let bare =
            Args::command().mut_subcommands(|command| command.mut_args(|argument| argument.env(Resettable::Reset)));
        let parsed = bare.try_get_matches_from(line).and_then(|matches| Args::from_arg_matches(&matches));
        parsed.unwrap_or_else(|error| panic!("{}: {error}", self.name)).command
    }
}

/// Whether it takes requests, besides those for its health.
fn answers(command: &Command) -> bool {
    match command {
        Command::Stage(stage) => matches!(stage.stage, StageName::Intake | StageName::All),
        _ => true,
    }
}

/// All stages are there, once each, and recall; all on one configuration.
fn whole(processes: &[Process]) -> Config {
    let (commands, configs): (Vec<_>, Vec<_>) = processes.iter().map(Process::read).unzip();
    let one: BTreeSet<String> = configs.iter().map(|config| format!("{config:?}")).collect();
    assert_eq!(one.len(), 1, "the processes are configured apart");
    let (mut stages, mut recall) = (Vec::new(), 0);
    for command in &commands {
        match command {
            Command::Stage(stage) => stages.push(stage.stage),
            _ => recall += 1,
        }
    }
    stages.sort_by_key(|stage| *stage as usize);
    let every: Vec<_> = StageName::value_variants().iter().copied().filter(|stage| *stage != StageName::All).collect();
    assert_eq!((stages, recall), (every, 1));
    configs.into_iter().next().unwrap()
}

/// `host:port`.
fn split(address: &str) -> (&str, u16) {
    let (host, port) = address.rsplit_once(':').unwrap_or_else(|| panic!("{address} has no port"));
    (host, port.parse().unwrap_or_else(|error| panic!("{address}: {error}")))
}

/// Where the servers are that a configuration names.
fn servers(config: &Config) -> Vec<(&str, u16)> {
    let Distributed { kafka, cql } = config.distributed.as_ref().unwrap();
    let registry = kafka.registry.iter().map(|registry| {
        let address = registry.url.split("://").nth(1).unwrap();
        address.split('/').next().unwrap()
    });
    kafka.brokers.split(',').chain(cql.hosts.iter().map(String::as_str)).chain(registry).map(split).collect()
}

/// An image is named by a tag that stays.
fn assert_pinned(image: &str) {
    let tag = image.rsplit('/').next().unwrap().split_once(':').map(|(_, tag)| tag);
    assert!(tag.is_some_and(|tag| !tag.is_empty() && tag != "latest"), "{image} is not pinned");
}

#[test]
fn no_secret_is_written_down() {
    let files = [root().join("deploy"), root().join("deploy/kubernetes")].into_iter().flat_map(|folder| {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.file_name() != ".env")
    });
    for path in files.map(|entry| entry.path()).filter(|path| path.is_file()) {
        let text = fs::read_to_string(&path).unwrap();
        let long = text.split(|c: char| !c.is_ascii_hexdigit()).find(|digits| digits.len() >= 32);
        assert_eq!(long, None, "{} has what looks like a key", path.display());
    }
}

#[test]
fn the_guide_names_every_file() {
    let guide = text("README.md");
    for entry in fs::read_dir(root().join("deploy")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let told = name.starts_with('.') || name == "README.md" || guide.contains(&format!("`{name}"));
        assert!(told, "README.md says nothing of {name}");
    }
}
