//! `saidso eval`: question sets go through the product as it is, over HTTP, and what comes back is measured.
//!
//! [`read`] finds out what the rows of a file are and makes [`talk::Talk`]s of them; [`set`] makes customers and questions
//! of talks; [`run`] publishes, waits and asks, noting each step in the [`journal`], so that a run that was cut short goes
//! on; [`score`] and [`report`] make figures of what was noted. Only `run` asks anybody, and only `read` and `journal`
//! touch files. Nothing that is noted or printed has words of a customer: documents are named by the file's own ids.

mod dates;
mod evidence;
mod journal;
mod named;
mod read;
mod report;
mod run;
mod score;
mod set;
mod shapes;
mod talk;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use saidso_core::ports::Clock as _;
use tempfile::TempDir;

use self::{journal::Journal, report::Report, run::Run, set::Set};
use crate::{
    args::{self, Whom},
    cli::{Target, show},
    client::Client,
    clock::SystemClock,
    config::Config,
    failure::Failure,
    house::{House, Roles},
    http::{App, Beside},
    tokens, up,
};

/// Why an evaluation did not begin, or could not be noted.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A file could not be read or written.
    #[error("{tried} {}: {found}", path.display())]
    File {
        /// Reading or writing, as a past tense.
        tried: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system said.
        found: io::Error,
    },
    /// The first row is of no shape that is known.
    #[error(
        "read {}: its first row has none of the shapes that can be measured: docs with qa, context with qa, preference or \
         t with question or q, turns, dialogue, or text; see `saidso eval --help`",
        path.display()
    )]
    Shape {
        /// Which.
        path: PathBuf,
    },
    /// A row is not what the first row is.
    #[error("read {} line {line}: {found}; mend the row, or leave it out", path.display())]
    Row {
        /// Which.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What was found, without the row's text.
        found: String,
    },
    /// Nothing to measure.
    #[error("read {}: there is no row with words of a customer in it; name another file", path.display())]
    Nothing {
        /// Which.
        path: PathBuf,
    },
    /// The corrections of evidence.
    #[error(
        "read the corrections in {}: {found}; each needs a question and its correct_evidence, a list of ids",
        path.display()
    )]
    Evidence {
        /// Which.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The notes of another run.
    #[error(
        "went on with the run in {}: it is of {found}, and this one of {wanted}; name another folder with --resume, or ask \
         as before",
        path.display()
    )]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// Whom that run asked.
        found: String,
        /// Whom this one asks.
        wanted: String,
    },
    /// The notes cannot be read.
    #[error("went on with the run in {}: line {line} is no note of a run; remove the file to begin anew", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
}

/// Runs every set, prints a table and, if asked, writes the figures as JSON.
pub fn eval(args: &args::Eval) -> Result<(), Failure> {
    let folder = Folder::of(args.resume.as_deref())?;
    let wanted = match &args.server {
        Some(server) => server.clone(),
        None => format!("its own instance, embedder {}", args.model.embedder.unwrap_or(args::EmbedderName::E5).name()),
    };
    let mut journal = Journal::open(folder.path(), &wanted, SystemClock.now_ms())?;
    let mut files = read::files(&args.files, args.limit)?;
    let corrections = args.evidence.as_deref().map(|path| evidence::correct(path, &mut files)).transpose()?;
    let sets: Vec<Set> = files.into_iter().map(|talks| Set::of(talks, journal.began_ms())).collect();
    let asked = Asked::of(args, folder.path())?;
    let mut reports = Vec::new();
    for set in &sets {
        Run { target: &asked.target, journal: &mut journal, set }.run()?;
        reports.push(report::of_set(set, &journal));
    }
    let report = Report { saidso: env!("CARGO_PKG_VERSION").to_owned(), asked: wanted, corrections, sets: reports };
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report).unwrap_or_default();
        let failed = |found| EvalError::File { tried: "wrote", path: path.clone(), found };
        fs::write(path, text + "\n").map_err(failed)?;
    }
    show::print(&report::table(&report))
}

/// Where the notes of the run and the data of its own instance are.
enum Folder {
    Temporary(TempDir),
    Kept(PathBuf),
}

impl Folder {
    fn of(resume: Option<&Path>) -> Result<Self, EvalError> {
        let Some(path) = resume else {
            let failed = |found| EvalError::File { tried: "made a folder in", path: std::env::temp_dir(), found };
            return tempfile::Builder::new().prefix("saidso-eval-").tempdir().map(Folder::Temporary).map_err(failed);
        };
        let failed = |found| EvalError::File { tried: "made the folder", path: path.to_owned(), found };
        fs::create_dir_all(path).map_err(failed)?;
        Ok(Folder::Kept(path.to_owned()))
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Temporary(folder) => folder.path(),
            Folder::Kept(path) => path,
        }
    }
}

/// Whom to ask.
struct Asked {
    target: Target,
    /// Its own instance, which ends with it.
    _own: Option<Beside>,
}

impl Asked {
    fn of(args: &args::Eval, folder: &Path) -> Result<Self, Failure> {
        if let Some(server) = &args.server {
            let whom = Whom { server: Some(server.clone()), token: args.token.clone(), ..Whom::default() };
            return Ok(Self { target: Target::of(&whom)?, _own: None });
        }
        let config = Config::of_folder(&folder.join("data"), Some("127.0.0.1:0"), &args.model)?;
        let listener = up::listen(&config)?;
        let address = listener.local_addr().map_err(|found| Failure::Serve { found })?;
        let house = House::open(&config, &Roles::all())?;
        let (known, _) = tokens::known(&config)?;
        let path = tokens::development_path(&config.data);
        let token = tokens::read(&path)?.ok_or(Failure::NoToken { path })?;
        let own = Beside::start(App::new(house, known, config.http), listener)?;
        let client = Client::new(&format!("http://{address}"), token, None)?;
        Ok(Self { target: Target::Server(client), _own: Some(own) })
    }
}
