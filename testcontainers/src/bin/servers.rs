//! Runs a command beside the real servers, which end when it ends:
//!
//! ```text
//! servers [kafka] [cql] [registry] -- COMMAND…
//! ```
//!
//! Those named are started, or all where none is, and the command finds their addresses in `SAIDSO_TEST_KAFKA`,
//! `SAIDSO_TEST_CQL` and `SAIDSO_TEST_REGISTRY`. One whose variable is set already is taken as it is. The servers also end
//! when this process is killed: they watch it.

use std::{
    env,
    os::unix::process::ExitStatusExt as _,
    process::{Command, ExitCode},
    thread,
};

use saidso_testcontainers::servers::{Error, Server, Service};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut parts = arguments.splitn(2, |argument| argument == "--");
    let (names, command) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let named: Option<Vec<Service>> =
        names.iter().map(|name| Service::ALL.into_iter().find(|service| service.name() == name)).collect();
    let (Some(services), [program, arguments @ ..]) = (named, command) else {
        eprintln!("usage: servers [kafka] [cql] [registry] -- COMMAND…");
        return ExitCode::from(2);
    };
    let services = if services.is_empty() { Service::ALL.to_vec() } else { services };

    let servers = match start(&services) {
        Ok(servers) => servers,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let addresses = servers.iter().map(|server| (server.service().variable(), server.address()));
    match Command::new(program).args(arguments).envs(addresses).status() {
        // As shells do: a command that a signal ended counts as 128 and the signal.
        Ok(status) => ExitCode::from(status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1) as u8),
        Err(error) => {
            eprintln!("cannot run {program}: {error}");
            ExitCode::from(127)
        }
    }
}

/// All at once, since each spends much of its start waiting.
fn start(services: &[Service]) -> Result<Vec<Server>, Error> {
    thread::scope(|threads| {
        let starts: Vec<_> = services.iter().map(|service| threads.spawn(move || Server::find(*service))).collect();
        starts.into_iter().map(|start| start.join().expect("a start does not panic")).collect()
    })
}
