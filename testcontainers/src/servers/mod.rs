//! The real servers that tests run against: Kafka, a CQL store, a schema registry.
//!
//! [`Server::find`] takes one from the environment, else from Docker, else starts it from Maven Central's jars as a
//! process of its own, and says which on standard error. Where none can be had it fails, and says what to install; it
//! never skips. [`shared`] is the one that all tests of a process share, each with topics and a keyspace of its own; a
//! test that stops or freezes its server takes [`Server::own`].
//!
//! A server ends with the process that started it, however that ends, and leaves nothing behind but the downloaded
//! program. `testcontainers/servers.sh COMMAND…` starts all three once for every process of a command: a test run, or a
//! shell to play in.
//!
//! CQL is proved on Cassandra where there is no Docker: ScyllaDB is on no package registry. Processes compile quickly and
//! never well (`-XX:TieredStopAtLevel=1`), which halves what a start costs; to measure a server's throughput, set
//! `_JAVA_OPTIONS=-XX:TieredStopAtLevel=4`.

mod cql;
mod docker;
mod jars;
mod java;
mod kafka;
mod local;
pub(crate) mod net;
pub(crate) mod process;
mod recipe;
mod registry;

use std::{
    env::{self, VarError},
    fmt, process as this,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use docker::Container;
use local::Local;
use recipe::Recipe;

/// What is tested against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// A Kafka broker. Its address is `host:port`.
    Kafka,
    /// A CQL store. Its address is `host:port`.
    Cql,
    /// A schema registry. Its address is the URL under which Confluent's interface is served.
    Registry,
}

impl Service {
    /// Every service.
    pub const ALL: [Service; 3] = [Service::Kafka, Service::Cql, Service::Registry];

    fn recipe(self) -> &'static Recipe {
        match self {
            Service::Kafka => &kafka::RECIPE,
            Service::Cql => &cql::RECIPE,
            Service::Registry => &registry::RECIPE,
        }
    }

    /// What it is called on a command line.
    pub fn name(self) -> &'static str {
        self.recipe().name
    }

    /// The environment variable that names one which runs already.
    pub fn variable(self) -> &'static str {
        self.recipe().variable
    }
}

/// What was tried, what was found, and what to do.
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As it is displayed: what a failed test prints is read by people.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// How long a server may take to answer: slow disks and busy cores, not the usual.
const PATIENCE: Duration = Duration::from_secs(180);

/// A server that answers, unless it was stopped or frozen. Dropping one that was started here ends it.
#[derive(Debug)]
pub struct Server {
    service: Service,
    address: String,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Given,
    Container(Container),
    Local(Local),
}

/// What can be done to a server of one's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Stop,
    Kill,
    Start,
    Freeze,
    Thaw,
}

/// The one server of a kind that this process shares.
///
/// # Panics
/// Where none can be had, with what was tried and what to install.
pub fn shared(service: Service) -> &'static Server {
    static SHARED: [OnceLock<Result<Server, Error>>; 3] = [const { OnceLock::new() }; 3];
    match SHARED[service as usize].get_or_init(|| Server::find(service)) {
        Ok(server) => server,
        Err(error) => panic!("{error}"),
    }
}

impl Server {
    /// A server from the environment, else one of this process's own.
    pub fn find(service: Service) -> Result<Server, Error> {
        match env::var(service.variable()) {
            Ok(address) => Server::given(service, address),
            Err(VarError::NotPresent) => Server::own(service),
            Err(error) => Err(Error(format!("{}: {error}", service.variable()))),
        }
    }

    /// A server that someone else runs; it has to answer now.
    pub fn given(service: Service, address: String) -> Result<Server, Error> {
        eprintln!("{}: taking the one that runs at {address}", service.name());
        let server = Server { service, address, source: Source::Given };
        server.ready()?;
        Ok(server)
    }

    /// A server of this process's own, from Docker, else from Maven Central's jars.
    pub fn own(service: Service) -> Result<Server, Error> {
        let no_docker = match docker::engine() {
            Ok(()) => match Server::contained(service) {
                Ok(server) => return Ok(server),
                Err(error) => {
                    eprintln!("{}: no container: {error}", service.name());
                    error.0
                }
            },
            Err(seen) => seen,
        };
        Server::local(service).map_err(|error| {
            let (name, variable) = (service.name(), service.variable());
            Error(format!(
                "no {name} server to test with:\n  \
                 {variable} names none that may be used;\n  \
                 Docker: {no_docker};\n  \
                 a process of its own: {error}"
            ))
        })
    }

    fn contained(service: Service) -> Result<Server, Error> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (recipe, port) = (service.recipe(), net::free_port());
        let name = format!("saidso-{}-{}-{}", recipe.name, this::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let address = (recipe.address)(port);
        eprintln!("{}: starting a container at {address}", recipe.name);
        let container = Container::start(name, &(recipe.container)(port)).map_err(Error)?;
        let server = Server { service, address, source: Source::Container(container) };
        server.ready()?;
        Ok(server)
    }

    fn local(service: Service) -> Result<Server, Error> {
        let local = Local::new(service.recipe()).map_err(Error)?;
        let address = local.address();
        eprintln!("{}: starting {} at {address}", service.name(), service.recipe().jars.name);
        let server = Server { service, address, source: Source::Local(local) };
        server.start()?;
        Ok(server)
    }

    /// What it is.
    pub fn service(&self) -> Service {
        self.service
    }

    /// Where clients find it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Ends it in good order, as an operator would, and keeps its data and address.
    pub fn stop(&self) -> Result<(), Error> {
        self.change(Change::Stop)
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&self) -> Result<(), Error> {
        self.change(Change::Kill)
    }

    /// Starts it again where it was, with the data it had, and comes back when it answers.
    pub fn start(&self) -> Result<(), Error> {
        self.change(Change::Start)?;
        self.ready()
    }

    /// [`Server::stop`] and [`Server::start`].
    pub fn restart(&self) -> Result<(), Error> {
        self.stop()?;
        self.start()
    }

    /// Stops its clock: connections stay open, and nothing answers until [`Server::thaw`].
    pub fn freeze(&self) -> Result<(), Error> {
        self.change(Change::Freeze)
    }

    /// Lets it go on from where it was frozen.
    pub fn thaw(&self) -> Result<(), Error> {
        self.change(Change::Thaw)
    }

    fn change(&self, change: Change) -> Result<(), Error> {
        let done = match &self.source {
            Source::Given => Err("someone else runs it; take Server::own where a test ends or freezes it".to_owned()),
            Source::Container(container) => container.change(change),
            Source::Local(local) => local.change(change),
        };
        let wanted = format!("{change:?}").to_lowercase();
        done.map_err(|error| Error(format!("cannot {wanted} {} at {}: {error}", self.service.name(), self.address)))
    }

    /// Comes back when it answers in its own protocol.
    fn ready(&self) -> Result<(), Error> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let Err(seen) = (self.service.recipe().probe)(&self.address) else { return Ok(()) };
            let ended = match &self.source {
                // What runs already answers now.
                Source::Given => true,
                Source::Container(container) => container.ended(),
                Source::Local(local) => local.ended(),
            };
            if ended || Instant::now() > deadline {
                let log = match &self.source {
                    Source::Given => String::new(),
                    Source::Container(container) => container.log_tail(),
                    Source::Local(local) => local.log_tail(),
                };
                let end = if ended { "" } else { " in time" };
                let name = self.service.name();
                return Err(Error(format!("{name} did not answer{end}: {seen}\n{log}")));
            }
            thread::sleep(process::POLL);
        }
    }
}
