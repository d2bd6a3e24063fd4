//! Whom a command asks: a running server, or a data folder that no server holds, with the stages in this process.

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use saidso_core::{access::Token, position::Position};

use crate::{
    args::{Up, Whom},
    client::Client,
    config::{Config, DEFAULT_TENANT},
    failure::Failure,
    house::{House, Roles},
    tokens,
    wire::{
        Accepted, DeadLetters, Drops, Forget, Forgotten, Judgement, LineAnswer, Memories, Place, ReadBack, Recall,
        Recollection, Reviews, Sessions,
    },
};

const SERVER: &str = "http://127.0.0.1:7600";
/// How long a command waits until what it published is visible.
const PATIENCE: Duration = Duration::from_secs(600);
/// Between two questions to a server that has too much to do.
const PAUSE: Duration = Duration::from_millis(500);

/// Whom a command asks.
pub enum Target {
    /// A running server.
    Server(Client),
    /// A data folder, opened in this process.
    Folder(Box<Folder>),
}

/// An opened data folder, and the tenant it is opened for. Who may write to the folder may act for any tenant.
pub struct Folder {
    house: House,
    token: Token,
    tenant: Option<String>,
}

impl Target {
    /// By the flags, then the environment, then the defaults. A folder without data is refused.
    pub fn of(whom: &Whom) -> Result<Self, Failure> {
        Self::open(whom, House::stands)
    }

    /// The same, but a folder without data gets some.
    pub fn of_new(whom: &Whom) -> Result<Self, Failure> {
        Self::open(whom, |_| true)
    }

    fn open(whom: &Whom, may: impl FnOnce(&Path) -> bool) -> Result<Self, Failure> {
        // A folder that is named wins over a server in the environment, and the other way round.
        let up = Up {
            data: whom.data.clone().or_else(|| std::env::var_os("SAIDSO_DATA").map(PathBuf::from)),
            config: whom.config.clone(),
            model: whom.model.clone(),
            ..Up::default()
        };
        let config = Config::load(&up)?;
        if whom.data.is_some() {
            // The folder that is named, whatever else the file names.
            let config = Config { distributed: None, ..config };
            if !may(&config.data) {
                return Err(Failure::NoData { path: config.data });
            }
            let house = House::open(&config, &Roles::all())?;
            let tenant = whom.tenant.as_deref().unwrap_or(DEFAULT_TENANT);
            let token = tokens::for_tenant(tenant)?;
            let folder = Folder { house, token, tenant: whom.tenant.clone() };
            folder.settle()?;
            return Ok(Target::Folder(Box::new(folder)));
        }
        let server = whom.server.clone().or_else(|| std::env::var("SAIDSO_SERVER").ok());
        let token = match &whom.token {
            Some(token) => token.clone(),
            None => {
                let path = tokens::development_path(&config.data);
                tokens::read(&path)?.ok_or(Failure::NoToken { path })?
            }
        };
        let client = Client::new(server.as_deref().unwrap_or(SERVER), token, whom.tenant.clone())?;
        Ok(Target::Server(client))
    }

    /// Publishes JSON Lines; in a folder, until the stages are through.
    pub fn publish(&self, lines: Vec<u8>) -> Result<Vec<LineAnswer>, Failure> {
        match self {
            Target::Server(client) => client.publish(lines),
            Target::Folder(folder) => Ok(folder.house.publish_lines(&folder.token, &lines)),
        }
    }

    /// Waits until what was published in a space, up to a position, is visible.
    pub fn settle(&self, space: &str, position: Position) -> Result<(), Failure> {
        match self {
            Target::Server(client) => visible(client, space, position),
            Target::Folder(folder) => folder.settle(),
        }
    }

    /// Asks a question.
    pub fn recall(&self, ask: Recall) -> Result<Recollection, Failure> {
        match self {
            Target::Server(client) => client.recall(ask),
            Target::Folder(folder) => {
                let ask = Recall { tenant: folder.tenant.clone(), ..ask };
                Ok(folder.house.recall(&folder.token, ask)?)
            }
        }
    }

    /// Lists memories.
    pub fn memories(&self, space: &str, history: bool) -> Result<Memories, Failure> {
        match self {
            Target::Server(client) => client.memories(space, history),
            Target::Folder(folder) => {
                let scope = folder.house.scope(&folder.token, None, space)?;
                Ok(folder.house.memories(&scope, history)?)
            }
        }
    }

    /// Lists the newest sessions.
    pub fn sessions(&self, space: &str, limit: Option<usize>) -> Result<Sessions, Failure> {
        match self {
            Target::Server(client) => client.sessions(space, limit),
            Target::Folder(folder) => {
                let scope = folder.house.scope(&folder.token, None, space)?;
                Ok(folder.house.sessions(&scope, limit)?)
            }
        }
    }

    /// Lists what was dropped.
    pub fn drops(&self, space: &str) -> Result<Drops, Failure> {
        match self {
            Target::Server(client) => client.drops(space),
            Target::Folder(folder) => {
                let scope = folder.house.scope(&folder.token, None, space)?;
                Ok(folder.house.drops(&scope)?)
            }
        }
    }

    /// Lists what waits for review, in one space or all.
    pub fn reviews(&self, space: Option<&str>) -> Result<Reviews, Failure> {
        match self {
            Target::Server(client) => client.reviews(space),
            Target::Folder(folder) => Ok(folder.house.reviews(&folder.token, None, space)?),
        }
    }

    /// Gives a verdict; in a folder, until it weighs.
    pub fn judge(&self, id: &str, judgement: &Judgement) -> Result<Accepted, Failure> {
        match self {
            Target::Server(client) => client.judge(id, judgement),
            Target::Folder(folder) => {
                let accepted = folder.house.judge(&folder.token, id, judgement.clone())?;
                folder.settle()?;
                Ok(accepted)
            }
        }
    }

    /// Lists what was set aside.
    pub fn dead_letters(&self) -> Result<DeadLetters, Failure> {
        match self {
            Target::Server(client) => client.dead_letters(),
            Target::Folder(folder) => Ok(folder.house.dead_letters(&folder.token)?),
        }
    }

    /// Has a turn that was set aside tried again; in a folder, until it is through.
    pub fn redrive(&self, place: &Place) -> Result<Accepted, Failure> {
        match self {
            Target::Server(client) => client.redrive(place),
            Target::Folder(folder) => {
                let accepted = folder.house.redrive(&folder.token, place)?;
                folder.settle()?;
                Ok(accepted)
            }
        }
    }

    /// Has what words mean forgotten, or asks what would be; in a folder, until it is through.
    pub fn forget_said(&self, space: &str, ask: Forget) -> Result<Forgotten, Failure> {
        match self {
            Target::Server(client) => client.forget_said(space, &ask),
            Target::Folder(folder) => {
                let forgotten = folder.house.forget_said(&folder.token, None, space, ask)?;
                folder.settle()?;
                Ok(forgotten)
            }
        }
    }

    /// Reads once what a request took; in a folder, until its key is gone.
    pub fn read_back(&self, space: &str, id: &str) -> Result<ReadBack, Failure> {
        match self {
            Target::Server(client) => client.read_back(space, id),
            Target::Folder(folder) => {
                let scope = folder.house.scope(&folder.token, None, space)?;
                let read_back = folder.house.read_back(&scope, id)?;
                folder.settle()?;
                Ok(read_back)
            }
        }
    }

    /// Forgets a memory; in a folder, until the clean-up is through.
    pub fn forget(&self, space: &str, id: &str) -> Result<Accepted, Failure> {
        match self {
            Target::Server(client) => client.forget(space, id),
            Target::Folder(folder) => {
                let scope = folder.house.scope(&folder.token, None, space)?;
                let accepted = folder.house.forget(&scope, id)?;
                folder.settle()?;
                Ok(accepted)
            }
        }
    }
}

/// A server waits only so long for a position: it is asked again.
fn visible(client: &Client, space: &str, position: Position) -> Result<(), Failure> {
    let started = Instant::now();
    let ask = || Recall {
        space: space.to_owned(),
        query: "-".to_owned(),
        limit: Some(1),
        min_position: Some(position.to_string()),
        ..Recall::default()
    };
    while started.elapsed() < PATIENCE {
        match client.recall(ask()) {
            Err(Failure::Answered { status: 503, .. }) => thread::sleep(PAUSE),
            answered => return answered.map(drop),
        }
    }
    Err(Failure::NotVisible { seconds: PATIENCE.as_secs(), position })
}

impl Folder {
    fn settle(&self) -> Result<(), Failure> {
        self.house.settle(PATIENCE)
    }
}
