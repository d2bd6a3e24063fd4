//! `saidso demo`: a bundled set of conversations goes in, and what comes of it is shown.
//!
//! The conversations are turns as any gateway sends them (`conversations.jsonl` can be published as it is); what is
//! asked of them is the script.

mod script;
mod show;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use saidso_core::{access::Token, ports::Clock as _};
use tempfile::TempDir;

use self::{
    script::{ECHO, FORGET, PEOPLE},
    show::Show,
};
use crate::{
    args::{Demo, EmbedderName, Model},
    cli,
    clock::SystemClock,
    config::{Config, DEFAULT_TENANT},
    failure::Failure,
    house::{House, Roles},
    http::Early,
    problem::Problem,
    tokens, up,
    wire::{Line, Published, Recall, Recollection},
};

/// How long the stages may take over some dozens of turns.
const PATIENCE: Duration = Duration::from_secs(120);

/// Turns published at once.
const BATCH: usize = 8;

/// Runs it; with `--serve` it stays up until it is asked to stop.
pub fn demo(args: &Demo) -> Result<(), Failure> {
    let folder = Folder::of(args)?;
    let show = Show::new();
    let (config, house) = open(args, folder.path(), &show)?;
    // With --serve, an address that is taken is found out before the show.
    let listener = match args.serve {
        true => Some(up::listen(&config)?),
        false => None,
    };
    let (token, now_ms) = (tokens::for_tenant(DEFAULT_TENANT)?, SystemClock.now_ms());
    let stage = Stage { house, token, show, now_ms, conversations: script::conversations(now_ms) };
    stage.play()?;
    let Some(listener) = listener else {
        stage.house.stop();
        return Ok(());
    };
    stage.show.heading("Now look yourself")?;
    let spaces: Vec<&str> = PEOPLE.iter().map(|person| person.space).collect();
    stage.show.say(&format!("open the console below, with the token and one of the spaces {}", spaces.join(", ")))?;
    up::serve(&config, stage.house, listener, Early::watch()?)
}

/// Opens the house; without weights and without a way to them it says so and goes on with words.
fn open(args: &Demo, data: &Path, show: &Show) -> Result<(Config, House), Failure> {
    let config = Config::of_folder(data, args.listen.as_deref(), &args.model)?;
    match House::open(&config, &Roles::all()) {
        Ok(house) => Ok((config, house)),
        Err(missing @ Failure::Weights(_)) => {
            show.heading("Without the embedding model")?;
            show.say(&format!(
                "{missing}\n\nThe demo goes on with --embedder words: words are found, meanings are not."
            ))?;
            let model = Model { embedder: Some(EmbedderName::Words), model: None };
            let config = Config::of_folder(data, args.listen.as_deref(), &model)?;
            let house = House::open(&config, &Roles::all())?;
            Ok((config, house))
        }
        Err(failure) => Err(failure),
    }
}

/// Where it keeps its data.
enum Folder {
    Temporary(TempDir),
    Kept(PathBuf),
}

impl Folder {
    fn of(args: &Demo) -> Result<Self, Failure> {
        let Some(path) = &args.data else {
            let failed = |found| Failure::File { tried: "made a folder in", path: std::env::temp_dir(), found };
            return tempfile::Builder::new().prefix("saidso-demo-").tempdir().map(Folder::Temporary).map_err(failed);
        };
        match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
            Ok(true) => Ok(Folder::Kept(path.clone())),
            Ok(false) => Err(Failure::NotEmpty { path: path.clone() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Folder::Kept(path.clone())),
            Err(found) => Err(Failure::File { tried: "read the folder", path: path.clone(), found }),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Temporary(folder) => folder.path(),
            Folder::Kept(path) => path,
        }
    }
}

struct Stage {
    house: House,
    token: Token,
    show: Show,
    /// When it began, in milliseconds since 1970.
    now_ms: i64,
    /// The bundled turns, a JSON object each.
    conversations: Vec<String>,
}

impl Stage {
    fn play(&self) -> Result<(), Failure> {
        self.publish()?;
        for person in &PEOPLE {
            self.kept(person)?;
        }
        self.echo()?;
        for person in &PEOPLE {
            self.recalls(person)?;
        }
        self.forget()
    }

    fn publish(&self) -> Result<(), Failure> {
        let lines = &self.conversations;
        self.show.heading("Conversations go in")?;
        let sessions = script::sessions(lines);
        let people = PEOPLE.len();
        self.show.say(&format!("{} turns in {sessions} sessions of {people} customers", lines.len()))?;
        let bar = ProgressBar::new(lines.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} turns") {
            bar.set_style(style);
        }
        for batch in lines.chunks(BATCH) {
            self.send(&batch.join("\n"))?;
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Publishes lines and waits until they are through.
    fn send(&self, lines: &str) -> Result<Vec<Published>, Failure> {
        let mut all = Vec::new();
        for answer in self.house.publish_lines(&self.token, lines.as_bytes()) {
            match answer.outcome {
                Line::Published(published) => all.push(published),
                Line::Refused(_) => return Err(Failure::Lines { refused: 1, lines: 1 }),
            }
        }
        self.house.settle(PATIENCE)?;
        Ok(all)
    }

    /// Waits until a space shows a position, as any caller does: by a recall that asks for it.
    fn see(&self, space: &str, position: &str) -> Result<(), Failure> {
        let (space, query) = (space.to_owned(), ECHO.query.to_owned());
        let ask = Recall { space, query, min_position: Some(position.to_owned()), ..Recall::default() };
        self.house.recall(&self.token, ask)?;
        Ok(())
    }

    fn kept(&self, person: &script::Person) -> Result<(), Failure> {
        let scope = self.house.scope(&self.token, None, person.space)?;
        let all = self.house.memories(&scope, true)?.memories;
        let (now, past): (Vec<_>, Vec<_>) = all.into_iter().partition(|memory| memory.status == "active");
        self.show
            .heading(&format!("{} ({}): what is kept, with the words it rests on", person.space, person.language))?;
        self.show.print(&cli::show::memories(&now))?;
        self.show.part("history, superseded by something said later")?;
        self.show.print(&cli::show::memories(&past))?;
        self.show.part("what was said and not kept, and why")?;
        self.show.print(&cli::show::drops(&self.house.drops(&scope)?.turns))
    }

    /// A memory that was recalled into the agent's prompt comes back from the customer; nothing grows.
    fn echo(&self) -> Result<(), Failure> {
        let scope = self.house.scope(&self.token, None, ECHO.space)?;
        let count = || -> Result<usize, Failure> { Ok(self.house.memories(&scope, true)?.memories.len()) };
        let before = count()?;
        let recalled = self.ask(ECHO.space, ECHO.query)?;
        let ids: Vec<&str> = recalled.memories.iter().map(|memory| memory.id.as_str()).collect();
        for published in self.send(&script::echo(&ids, self.now_ms))? {
            self.see(ECHO.space, &published.position)?;
        }
        let after = count()?;
        let drops = self.house.drops(&scope)?.turns;
        let dropped: Vec<_> =
            drops.into_iter().filter(|turn| turn.turn_name.as_deref() == Some(script::ECHO_TURN)).collect();
        self.show.heading("A recalled memory is said back")?;
        self.show.say(&format!(
            "{} recalled for the agent's next answer; then the customer says “{}”",
            ids.len(),
            ECHO.says
        ))?;
        self.show.print(&cli::show::drops(&dropped))?;
        self.show.check(&format!("{before} memories before, {after} after"), before == after)
    }

    fn recalls(&self, person: &script::Person) -> Result<(), Failure> {
        self.show.heading(&format!("{}: recalls", person.space))?;
        for query in person.asks {
            self.show.part(query)?;
            self.show.print(&cli::show::recollection(&self.ask(person.space, query)?))?;
        }
        Ok(())
    }

    fn ask(&self, space: &str, query: &str) -> Result<Recollection, Failure> {
        let ask = Recall { space: space.to_owned(), query: query.to_owned(), ..Recall::default() };
        Ok(self.house.recall(&self.token, ask)?)
    }

    /// Forgets what was said of one thing, and proves it.
    fn forget(&self) -> Result<(), Failure> {
        let scope = self.house.scope(&self.token, None, FORGET.space)?;
        self.show.heading(&format!("{}: “{}” is forgotten", FORGET.space, FORGET.what))?;
        let memories = self.house.memories(&scope, true)?.memories;
        let target = memories.iter().find(|memory| memory.text.contains(FORGET.what)).ok_or(Problem::NoSuchMemory)?;
        let accepted = self.house.forget(&scope, &target.id)?;
        self.see(FORGET.space, &accepted.position)?;
        self.show.say(&format!("asked for at position {}", accepted.position))?;

        let gone = matches!(self.house.memory(&scope, &target.id), Err(Problem::NoSuchMemory));
        self.show.check("its id is unknown", gone)?;
        let listed = self.house.memories(&scope, true)?.memories;
        let shown = |text: &str| text.contains(FORGET.what);
        let absent = !listed
            .iter()
            .any(|memory| shown(&memory.text) || memory.evidence.iter().any(|mention| shown(&mention.quote)));
        self.show.check("no memory, current or past, shows it", absent)?;
        let answer = self.ask(FORGET.space, FORGET.query)?;
        let silent = !answer.memories.iter().any(|memory| shown(&memory.text) || shown(&memory.quote));
        self.show.check(&format!("asked “{}”, recall does not name it", FORGET.query), silent)?;

        let known = self.send(&self.conversations.join("\n"))?.iter().all(|published| published.known);
        let after = self.house.memories(&scope, true)?.memories;
        self.show.check("all conversations are sent again: each turn is known, and nothing comes back", {
            known && after == listed
        })
    }
}
