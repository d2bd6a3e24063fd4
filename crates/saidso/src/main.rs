//! The `saidso` command. Everything it does is in the library; here is only how it ends.

use std::process::ExitCode;

use clap::Parser;

/// Exit codes: 0 when what was asked is done; 1 when it failed or was refused, with the reason on stderr; 2 when the
/// command line or the configuration is wrong and nothing was touched.
fn main() -> ExitCode {
    saidso::telemetry::take_on_libraries();
    match saidso::run(saidso::args::Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("saidso: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
