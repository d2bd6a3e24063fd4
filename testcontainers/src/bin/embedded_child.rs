//! A process of its own on a data folder, for tests that kill it or take the disk from it.
//!
//! `embedded_child work FOLDER NUMBER` does [`saidso_testcontainers::crash::work`] until it is killed;
//! `embedded_child open FOLDER` says `open`, or the code of the fault;
//! `embedded_child fill FOLDER [BALLAST]` does [`saidso_testcontainers::full::fill`].

use std::{env, path::Path, process::ExitCode, sync::Arc};

use saidso_embedded::{Embedded, Options};
use saidso_testcontainers::{
    conformance::{Ports, Seeded},
    crash, full,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["work", folder, number] => {
            let entropy = Arc::new(Seeded::of_process(number.parse().unwrap_or(0)));
            match Embedded::open(Path::new(folder), entropy, Options::default()) {
                Ok(embedded) => crash::work(Ports::of(embedded.names(), Arc::new(embedded))),
                Err(fault) => {
                    eprintln!("{fault}");
                    return ExitCode::FAILURE;
                }
            }
        }
        ["open", folder] => match Embedded::open(Path::new(folder), Arc::new(Seeded), Options::default()) {
            Ok(_) => println!("open"),
            Err(fault) => println!("{} {fault}", fault.code.label()),
        },
        ["fill", folder, ref ballast @ ..] => {
            match Embedded::open(Path::new(folder), Arc::new(Seeded), Options::default()) {
                Ok(embedded) => {
                    let ports = Ports::of(embedded.names(), Arc::new(embedded));
                    println!("{}", full::fill(ports, ballast.first().map(Path::new)));
                }
                Err(fault) => println!("{} {fault}", fault.code.label()),
            }
        }
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}
