//! `saidso up`: everything in one process, until it is asked to stop.

use std::{net::TcpListener, sync::Arc};

use crate::{
    cli::show,
    config::{Config, DEFAULT_TENANT},
    failure::Failure,
    house::House,
    http::{self, App},
    telemetry, tokens,
};

/// Opens the house and serves it.
pub fn up(config: &Config) -> Result<(), Failure> {
    // An address that is taken is found out before anything is opened.
    let listener = listen(config)?;
    let house = House::open(config)?;
    serve(config, house, listener)
}

/// Takes the address.
pub fn listen(config: &Config) -> Result<TcpListener, Failure> {
    TcpListener::bind(config.listen).map_err(|found| Failure::Listen { address: config.listen, found })
}

/// Serves an open house; says where, and with which token.
pub fn serve(config: &Config, house: House, listener: TcpListener) -> Result<(), Failure> {
    let (known, development) = tokens::known(config)?;
    let address = listener.local_addr().map_err(|found| Failure::Serve { found })?;
    if !address.ip().is_loopback() {
        telemetry::info("listening beyond this machine in plain http, put tls before it", &[("address", &address)]);
    }
    if development.new {
        show::print(&format!("development token for tenant {DEFAULT_TENANT}: {}\n", development.secret))?;
    }
    show::print(&format!(
        "the token is in {}\nthe console and the API are at http://{address}\n",
        development.path.display()
    ))?;
    telemetry::info(
        "up",
        &[("address", &address), ("data", &config.data.display()), ("embedder", &config.embedder.name())],
    );
    let app = Arc::new(App::new(house, known, config.http));
    let served = http::serve(app.clone(), listener);
    if let Some(app) = Arc::into_inner(app) {
        app.stop();
    }
    telemetry::info("stopped", &[]);
    served
}
