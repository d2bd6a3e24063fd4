//! The command line, as typed. Nothing here is checked beyond its shape; [`crate::config`] does that.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::wire;

/// Memory for chat agents that remembers what each customer said, and nothing they didn't.
#[derive(Debug, Parser)]
#[command(name = "saidso", version, about, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What `saidso` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run everything in this process: intake, the stages, recall, HTTP and the web console.
    Up(Up),
    /// Run one stage, or all, on Kafka and a CQL store; any number of each may run.
    Stage(Stage),
    /// Answer recalls and requests on Kafka and a CQL store, without stages; any number may run.
    RecallServer(Up),
    /// Publish a file of turns, one JSON object a line; returns when a recall sees them, and says the last position.
    Publish(Publish),
    /// Ask what is remembered about something.
    Recall(Box<Recall>),
    /// List what is remembered in a space.
    Memories(Memories),
    /// List the newest sessions of a space: what was said, what it was about, what is open.
    Sessions(Sessions),
    /// Forget for good: one memory by its id, or what words mean.
    Forget(Forget),
    /// List answers that nobody was sure of; with an id, accept or reject one.
    Review(Review),
    /// List what the stages set aside, and why; with --redrive, have the turns among it tried again.
    DeadLetters(DeadLetters),
    /// Measure it: publish question sets, ask over HTTP, and print how much of the evidence comes back.
    Eval(Eval),
    /// See it work: publish a bundled set of conversations and show what is kept, dropped, recalled and forgotten.
    Demo(Demo),
}

/// The embedders to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmbedderName {
    /// multilingual-e5-small, in this process; its weights (72 MB) are fetched once.
    E5,
    /// A lexical stand-in without weights: finds words, not meanings.
    Words,
    /// Every text has the same vector: for measurements of everything else.
    Constant,
    /// An OpenAI-compatible endpoint: the section `[remote]` of the configuration says which.
    Remote,
}

impl EmbedderName {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            EmbedderName::E5 => "e5",
            EmbedderName::Words => "words",
            EmbedderName::Constant => "constant",
            EmbedderName::Remote => "remote",
        }
    }
}

/// Which embedder, for commands that run the stages.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Model {
    /// The embedder [default: e5].
    #[arg(long, env = "SAIDSO_EMBEDDER", value_enum)]
    pub embedder: Option<EmbedderName>,
    /// The weights of e5, if they are not to be fetched.
    #[arg(long, env = "SAIDSO_MODEL", value_name = "FILE")]
    pub model: Option<PathBuf>,
}

/// `saidso up`.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Up {
    /// The folder for everything that is stored [default: saidso-data].
    #[arg(long, env = "SAIDSO_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Where to listen [default: 127.0.0.1:7600].
    #[arg(long, env = "SAIDSO_LISTEN", value_name = "ADDR")]
    pub listen: Option<String>,
    /// A configuration file (TOML). Flags and the environment win over it.
    #[arg(long, env = "SAIDSO_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What this process is called among its like, on Kafka: stable over restarts, and no two of a stage the same
    /// [default: the host's name].
    #[arg(long, env = "SAIDSO_INSTANCE", value_name = "NAME")]
    pub instance: Option<String>,
    /// Which embedder.
    #[command(flatten)]
    pub model: Model,
}

/// `saidso stage`.
#[derive(Debug, Clone, clap::Args)]
pub struct Stage {
    /// Which.
    #[arg(value_enum)]
    pub stage: StageName,
    /// How.
    #[command(flatten)]
    pub up: Up,
}

/// The stages a process can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StageName {
    /// Takes turns, from the public topic and over HTTP.
    Intake,
    /// Proposes items.
    Extract,
    /// Keeps those that stand in the customer's words.
    Ground,
    /// Gives them vectors.
    Embed,
    /// Makes observations of them.
    Write,
    /// All of these.
    All,
}

/// Whom a command asks: a running server, or a data folder that no server holds.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Whom {
    /// The server to ask [env: SAIDSO_SERVER] [default: http://127.0.0.1:7600, unless --data is given].
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub server: Option<String>,
    /// A data folder that no server holds; the stages run in this process. `publish` makes it if it is not there.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The tenant [default: the token's; `default` with --data].
    #[arg(long)]
    pub tenant: Option<String>,
    /// The bearer token for the server [default: the file dev-token in the data folder].
    #[arg(long, env = "SAIDSO_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Print JSON for programs.
    #[arg(long)]
    pub json: bool,
    /// A configuration file (TOML). Flags and the environment win over it.
    #[arg(long, env = "SAIDSO_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Which embedder, with --data.
    #[command(flatten)]
    pub model: Model,
}

/// `saidso publish`.
#[derive(Debug, Clone, clap::Args)]
pub struct Publish {
    /// The file, one turn a line; `-` for standard input.
    pub file: PathBuf,
    /// Whom to ask.
    #[command(flatten)]
    pub whom: Whom,
}

/// `saidso recall`.
#[derive(Debug, Clone, clap::Args)]
pub struct Recall {
    /// The question.
    pub query: String,
    /// The space: one customer.
    #[arg(long)]
    pub space: String,
    /// What the customer is called, where the question may name them.
    #[arg(long, value_name = "NAME")]
    pub customer: Option<String>,
    /// The session that asks; its own tasks are recalled too.
    #[arg(long)]
    pub session: Option<String>,
    /// The most results [default: 5].
    #[arg(long)]
    pub limit: Option<usize>,
    /// Wait (bounded) until this position, as a publish answered it, is visible.
    #[arg(long, value_name = "POSITION")]
    pub min_position: Option<String>,
    /// Superseded memories may come back too, marked.
    #[arg(long)]
    pub history: bool,
    /// Answer with what had been said until then: RFC 3339 with an offset.
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<String>,
    /// Answer with what was on the log until then.
    #[arg(long, value_name = "POSITION", conflicts_with = "as_of")]
    pub as_of_position: Option<String>,
    /// Only memories of this kind; may be given several times.
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<wire::Kind>,
    /// Only memories in this slot; may be given several times.
    #[arg(long = "slot", value_name = "SLOT")]
    pub slots: Vec<String>,
    /// Only memories that stand so; may be given several times.
    #[arg(long = "status", value_name = "STATUS")]
    pub statuses: Vec<wire::Status>,
    /// Only what was last said then or later: RFC 3339 with an offset.
    #[arg(long, value_name = "TIME")]
    pub said_from: Option<String>,
    /// Only what was last said before then.
    #[arg(long, value_name = "TIME")]
    pub said_before: Option<String>,
    /// Only results whose words contain a `number`, a `percentage`, a `date`, or all words of `words:TEXT`; applied last, may
    /// be given several times.
    #[arg(long, value_name = "RULE")]
    pub must_contain: Vec<wire::Rule>,
    /// Whom to ask.
    #[command(flatten)]
    pub whom: Whom,
}

/// `saidso memories`.
#[derive(Debug, Clone, clap::Args)]
pub struct Memories {
    /// The space: one customer.
    #[arg(long)]
    pub space: String,
    /// Superseded ones too.
    #[arg(long)]
    pub history: bool,
    /// What was not kept, and why, too.
    #[arg(long)]
    pub drops: bool,
    /// Whom to ask.
    #[command(flatten)]
    pub whom: Whom,
}

/// `saidso sessions`.
#[derive(Debug, Clone, clap::Args)]
pub struct Sessions {
    /// The space: one customer.
    #[arg(long)]
    pub space: String,
    /// The most sessions [default: 3].
    #[arg(long)]
    pub limit: Option<usize>,
    /// Whom to ask.
    #[command(flatten)]
    pub whom: Whom,
}

/// `saidso forget`.
#[derive(Debug, Clone, clap::Args)]
pub struct Forget {
    /// The memory's id.
    #[arg(required_unless_present = "about", conflicts_with = "about")]
    pub id: Option<String>,
    /// What is to go, in words: "my car", "that I live in Oslo". Up to 3 memories go, and are shown once.
    #[arg(long)]
    pub about: Option<String>,
    /// Only show what would go.
    #[arg(long)]
    pub dry_run: bool,
    /// The space: one customer.
    #[arg(long)]
    pub space: String,
    /// Whom to ask.
    #[command(flatten)]
    pub whom: Whom,
}

/// `saidso review`.
#[derive(Debug, Clone, clap::Args)]
pub struct Review {
    /// The question's id, as the list shows it.
    #[arg(requires = "verdict")]
    pub id: Option<String>,
    /// What is to be said of its answer: what is rejected weighs less from now on.
    #[arg(value_enum)]
    pub verdict: Option<wire::Verdict>,
    /// Only of this result, by its id; may be given several times.
    #[arg(long = "result", value_name = "ID", requires = "id")]
    pub results: Vec<String>,
    /// List those of one space alone: one customer.
    #[arg(long, conflicts_with = "id")]
    pub space: Option<String>,
    /// Whom to ask.
    #[command(flatten)]
    pub whom: Whom,
}

/// `saidso dead-letters`.
#[derive(Debug, Clone, clap::Args)]
pub struct DeadLetters {
    /// Try them again, once the cause is mended. What they say is not counted twice.
    #[arg(long)]
    pub redrive: bool,
    /// Whom to ask.
    #[command(flatten)]
    pub whom: Whom,
}

/// `saidso eval`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_long_help = include_str!("eval/help.txt"))]
pub struct Eval {
    /// The files.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// A running server to ask; its spaces `eval-…` stay [default: an instance of its own, removed at the end].
    #[arg(long, value_name = "URL", conflicts_with_all = ["embedder", "model"])]
    pub server: Option<String>,
    /// The bearer token for the server [default: the file dev-token in the data folder].
    #[arg(long, env = "SAIDSO_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Take the first rows of each file, at most so many.
    #[arg(long, value_name = "ROWS")]
    pub limit: Option<usize>,
    /// Corrections of evidence: a JSON list of {question, correct_evidence: [ids of docs]}.
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<PathBuf>,
    /// Write the figures there as JSON, too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Keep what was done in this folder, its own instance's data too; the same command again goes on from there.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Which embedder, without --server.
    #[command(flatten)]
    pub model: Model,
}

/// `saidso demo`.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Demo {
    /// Keep it up afterwards, with the web console.
    #[arg(long)]
    pub serve: bool,
    /// Keep the data in this folder, which must be new or empty [default: a temporary folder, removed at the end].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Where to listen with --serve [default: 127.0.0.1:7600].
    #[arg(long, value_name = "ADDR", requires = "serve")]
    pub listen: Option<String>,
    /// Which embedder.
    #[command(flatten)]
    pub model: Model,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Args::command().debug_assert();
    }
}
