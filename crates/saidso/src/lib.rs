//! The program: command line, configuration, wiring, HTTP, web console, metrics and demo.
//!
//! **What it is.** [`house`] opens the backends and starts the stages; everything that can be asked of it goes through
//! its operations, whether it comes by HTTP ([`http`]), from a command ([`cli`]) or from the [`demo`]; [`eval`] measures
//! what comes back. [`wire`] has one type per body, for both ends. **What it is not.** It decides nothing about memories:
//! that is `core`, `pipeline` and `recall`.
//!
//! Invariants:
//! - Only [`house`] names concrete backends and models.
//! - Nothing here logs a customer's text, a query or a token.
//! - Every error is a [`problem::Problem`] (of a request) or a [`failure::Failure`] (of the process); none echoes what
//!   was sent.

pub mod args;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod demo;
pub mod entropy;
pub mod eval;
pub mod failure;
pub mod house;
pub mod http;
mod json;
pub mod metrics;
pub mod problem;
pub mod telemetry;
pub mod tokens;
mod up;
pub mod wire;

use crate::{args::Command, failure::Failure};

/// Does what the command line says.
pub fn run(args: args::Args) -> Result<(), Failure> {
    match args.command {
        Command::Up(args) => up::up(&config::Config::load(&args)?, &house::Roles::all()),
        Command::Stage(args) => up::part(&config::Config::load(&args.up)?, &up::roles(args.stage)),
        Command::RecallServer(args) => up::part(&config::Config::load(&args)?, &house::Roles::recall()),
        Command::Publish(args) => cli::publish(&args),
        Command::Recall(args) => cli::recall(&args),
        Command::Memories(args) => cli::memories(&args),
        Command::Sessions(args) => cli::sessions(&args),
        Command::Forget(args) => cli::forget(&args),
        Command::Review(args) => cli::review(&args),
        Command::DeadLetters(args) => cli::dead_letters(&args),
        Command::Eval(args) => eval::eval(&args),
        Command::Demo(args) => demo::demo(&args),
    }
}
