//! `saidso up`, `saidso stage` and `saidso recall-server`: a process that runs until it is asked to stop.

use std::{net::TcpListener, sync::Arc};

use saidso_pipeline::Stage;

use crate::{
    args::StageName,
    cli::show,
    config::{Config, DEFAULT_TENANT},
    failure::Failure,
    house::{House, Roles},
    http::{self, App, Early},
    telemetry, tokens,
};

/// Opens the house and serves it.
pub fn up(config: &Config, roles: &Roles) -> Result<(), Failure> {
    // An address that is taken is found out before anything is opened.
    let listener = listen(config)?;
    let early = Early::watch()?;
    let house = House::open(config, roles)?;
    serve(config, house, listener, early)
}

/// The same for a part of it, which takes a backend that processes can share.
pub fn part(config: &Config, roles: &Roles) -> Result<(), Failure> {
    match config.distributed {
        Some(_) => up(config, roles),
        None => Err(Failure::NotDistributed),
    }
}

/// What a stage's process does.
pub fn roles(stage: StageName) -> Roles {
    match stage {
        StageName::Intake => Roles::intake(),
        StageName::Extract => Roles::stage(Stage::Extract),
        StageName::Ground => Roles::stage(Stage::Ground),
        StageName::Embed => Roles::stage(Stage::Embed),
        StageName::Write => Roles::stage(Stage::Write),
        StageName::All => Roles::all(),
    }
}

/// Takes the address.
pub fn listen(config: &Config) -> Result<TcpListener, Failure> {
    TcpListener::bind(config.listen).map_err(|found| Failure::Listen { address: config.listen, found })
}

/// Serves an open house; says where, and with which token.
pub fn serve(config: &Config, house: House, listener: TcpListener, early: Early) -> Result<(), Failure> {
    let (known, development) = tokens::known(config)?;
    let address = listener.local_addr().map_err(|found| Failure::Serve { found })?;
    if !address.ip().is_loopback() {
        telemetry::info("listening beyond this machine in plain http, put tls before it", &[("address", &address)]);
    }
    if house.answers() {
        if let Some(development) = &development {
            if development.new {
                show::print(&format!("development token for tenant {DEFAULT_TENANT}: {}\n", development.secret))?;
            }
            show::print(&format!("the token is in {}\n", development.path.display()))?;
        }
        show::print(&format!("the console and the API are at http://{address}\n"))?;
    }
    let backend: &dyn std::fmt::Display = match &config.distributed {
        Some(distributed) => &distributed.kafka.brokers,
        None => &config.data.display(),
    };
    telemetry::info("up", &[("address", &address), ("data", backend), ("embedder", &config.embedder.name())]);
    let app = Arc::new(App::new(house, known, config.http));
    let served = http::serve(app.clone(), listener, early);
    if let Some(app) = Arc::into_inner(app) {
        app.stop();
    }
    telemetry::info("stopped", &[]);
    served
}
