//! Kill −9 at any moment, and start again: nothing acknowledged is missing, and nothing is halved (field case 22).

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use saidso_embedded::{Embedded, Options};
use saidso_testcontainers::{
    conformance::{Ports, Seeded},
    crash::{self, Ledger},
};

const ROUNDS: u64 = 60;

/// Runs the work, kills it a moment after it has acknowledged so many things, and notes all it said.
fn round(folder: &Path, number: u64, lines: usize, moment: Duration, ledger: &mut Ledger) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_embedded_child"))
        .args(["work", &folder.to_string_lossy(), &number.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the child starts");
    let mut said = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    for _ in 0..lines {
        ledger.note(&said.next().expect("the child goes on").expect("it writes text"));
    }
    thread::park_timeout(moment);
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    // What it said before the end was acknowledged all the same. A line is written at once, so none is cut.
    said.map_while(Result::ok).for_each(|line| ledger.note(&line));
}

#[test]
fn nothing_acknowledged_is_missing_after_kill_9() {
    let folder = crash::folder();
    let mut ledger = Ledger::default();
    let mut seed: u64 = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_260_301);
    println!("SEED={seed}");
    let mut dice = |sides: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % sides
    };
    for number in 1..=ROUNDS {
        let (lines, moment) = (dice(40) as usize, Duration::from_micros(dice(20_000)));
        round(folder.path(), number, lines, moment, &mut ledger);
        let check_up_to = if number % 5 == 0 { u64::MAX } else { 0 };
        let options = Options { check_up_to, ..Options::default() };
        let embedded = Embedded::open(folder.path(), Arc::new(Seeded), options).expect("the folder opens again");
        ledger.check(Ports::of(embedded.names(), Arc::new(embedded)));
    }
    let (published, committed) = ledger.len();
    println!("{published} publishes and {committed} commits were acknowledged over {ROUNDS} kills");
    assert!(published > ROUNDS as usize && committed > ROUNDS as usize, "there was something to lose");
}
