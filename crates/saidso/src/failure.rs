//! Why the process ends with an error: what was tried, what was found, what to do.

use std::{io, net::SocketAddr, path::PathBuf};

use saidso_core::{fault::Fault, position::Position};
use saidso_models::weights::FetchError;

use crate::{config::ConfigError, eval::EvalError, problem::Problem};

/// Why the process ends with an error.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An evaluation.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// Something in the house.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The weights of e5 are not here and cannot be had.
    #[error(
        "{0}\nor name the file with --model FILE (SAIDSO_MODEL),\nor go without meanings, on words alone: add --embedder \
         words"
    )]
    Weights(FetchError),
    /// The address is taken, or not ours.
    #[error("listened at {address}: {found}; stop what listens there, or give another address with --listen")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        found: io::Error,
    },
    /// The server could not go on.
    #[error("served HTTP: {found}")]
    Serve {
        /// What the system said.
        found: io::Error,
    },
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
    /// A request that the house refused.
    #[error("{0}")]
    Refused(Problem),
    /// The server is not there.
    #[error(
        "asked {server}: {found}; start one with `saidso up`, name another with --server URL, or name a data folder that \
         no server holds with --data DIR"
    )]
    Unreachable {
        /// Its address.
        server: String,
        /// What was found.
        found: String,
    },
    /// The server refused.
    #[error("{server} answered {status} {code}: {message}")]
    Answered {
        /// Its address.
        server: String,
        /// The HTTP status.
        status: u16,
        /// From its closed set.
        code: String,
        /// In its words.
        message: String,
    },
    /// Another process, mostly a server, holds the folder.
    #[error(
        "opened the data folder {}: another process holds it; stop that one, or, if it is a server, ask it with --server \
         URL instead of --data",
        path.display()
    )]
    Held {
        /// Which.
        path: PathBuf,
    },
    /// A part of the house needs a backend that processes can share.
    #[error(
        "a process of its own for one part needs Kafka and a CQL store; name them in a configuration file ([kafka] and \
         [cql], see deploy/saidso.toml) with --config, or run everything in one process with `saidso up`"
    )]
    NotDistributed,
    /// A command that only asks was given a folder without data.
    #[error(
        "opened the data folder {}: there is no data in it; name another with --data, or make one with `saidso up` or \
         `saidso publish`",
        path.display()
    )]
    NoData {
        /// Which.
        path: PathBuf,
    },
    /// Something else listens there.
    #[error("{server} answered {status} with something that is no answer of Saidso; check --server")]
    Strange {
        /// Its address.
        server: String,
        /// The HTTP status.
        status: u16,
    },
    /// An address this client cannot speak to.
    #[error(
        "the server {0:?} is no http:// address; this client speaks plain HTTP, put a tunnel or a proxy before TLS"
    )]
    Scheme(String),
    /// No token for the server.
    #[error(
        "looked for a token: --token and SAIDSO_TOKEN are not set and {} is not there; give one of them (`saidso up` \
         prints the development token at its first start and writes it to dev-token in its data folder)",
        path.display()
    )]
    NoToken {
        /// Where the development token would be.
        path: PathBuf,
    },
    /// Nobody takes the output.
    #[error("wrote to the standard output: {found}")]
    Output {
        /// What the system said.
        found: io::Error,
    },
    /// Some lines of a file were refused.
    #[error("{refused} of {lines} lines were refused; the others are in")]
    Lines {
        /// How many.
        refused: usize,
        /// Of how many.
        lines: usize,
    },
    /// A folder that should be new has something in it.
    #[error("the folder {} is not empty; name a new one with --data, or leave it out", path.display())]
    NotEmpty {
        /// Which.
        path: PathBuf,
    },
    /// The demo claimed something that is not so.
    #[error("the demo expected that this holds, and it does not: {what}; please report it as a defect")]
    Claim {
        /// What.
        what: String,
    },
    /// What was published did not become visible in time.
    #[error(
        "waited {seconds} s and position {position} is not visible yet; everything is in, so ask later, or with \
         --min-position {position}"
    )]
    NotVisible {
        /// How long.
        seconds: u64,
        /// The last one.
        position: Position,
    },
    /// The stages did not come to an end in time.
    #[error("waited {seconds} s and the stages are not through; start again with the same folder to go on")]
    NotIdle {
        /// How long.
        seconds: u64,
    },
}

impl From<Problem> for Failure {
    /// In one's own process there is nobody to keep the whole message from.
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Fault(fault) => Failure::Fault(fault),
            problem => Failure::Refused(problem),
        }
    }
}

impl Failure {
    /// Nobody takes the output.
    pub fn output(found: io::Error) -> Self {
        Failure::Output { found }
    }

    /// See `main`.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Config(_) | Failure::Scheme(_) => 2,
            _ => 1,
        }
    }
}
