//! What a durable commit costs on the embedded backend, against the disk's own append and sync in the same run.
//!
//! `cargo run --release -p saidso-benches --bin commit [FOLDER]`; FOLDER (the temporary one by default) is on the disk
//! to measure. Samples of the two take turns, so that whatever else the disk does falls on both alike. Prints medians
//! and nineteenth twentieths in milliseconds, as rows of a Markdown table.

use std::{
    env,
    fs::{File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Arc, Barrier},
    thread,
    time::{Duration, Instant},
};

use saidso_core::{
    ids::{ObservationId, TurnId},
    item::Kind,
    observation::{ObservationRow, SealedObservation},
    ports::{Delivered, Effects, Entry, Section, Write},
    position::Position,
    record::Topic,
    scope::Scope,
    seal::{KeyId, Sealed},
};
use saidso_embedded::{Embedded, Options};
use saidso_testcontainers::conformance::{Desk, Ports, Seeded, after, take};

/// Sealed bytes of an observation and of its vector (384 components of two bytes).
const BODY: usize = 400;
const VECTOR: usize = 384 * 2 + 28;
/// Observations of a turn.
const OBSERVATIONS: usize = 2;
const SPACES: usize = 200;

fn main() {
    let parent = env::args_os().nth(1).map_or_else(env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(parent).expect("a folder on the disk to measure");
    let desk = open(folder.path(), 0).0;
    let raw = Raw::new(folder.path());
    println!("| what | n | embedded p50 | p95 | disk p50 | p95 | ratio |");
    println!("|---|---|---|---|---|---|---|");
    publishes(&desk, &raw);
    sections(&desk, &raw);
    println!();
    println!("| submitters, one turn each | turns/s | p50 | p95 |");
    println!("|---|---|---|---|");
    submitters(&desk);
    drop(desk);
    println!();
    println!("| opening | MB | ms |");
    println!("|---|---|---|");
    for (what, check_up_to) in [("as it is", 0), ("every page checked", u64::MAX)] {
        let (desk, took) = open(folder.path(), check_up_to);
        drop(desk);
        let bytes = folder.path().join("data/store.redb").metadata().expect("the database").len();
        println!("| {what} | {} | {:.1} |", bytes / 1_000_000, ms(took));
    }
}

fn open(folder: &Path, check_up_to: u64) -> (Desk, Duration) {
    let start = Instant::now();
    let options = Options { check_up_to, ..Options::default() };
    let embedded = Embedded::open(&folder.join("data"), Arc::new(Seeded), options).expect("the folder opens");
    let took = start.elapsed();
    (Desk::at(Ports::of(embedded.names(), Arc::new(embedded))), took)
}

/// The disk by itself.
struct Raw(File);

impl Raw {
    fn new(folder: &Path) -> Self {
        let file = OpenOptions::new().append(true).create(true).open(folder.join("raw"));
        Self(file.expect("a file on the disk to measure"))
    }

    fn append(&self, bytes: usize) -> Duration {
        let block = vec![7; bytes];
        let start = Instant::now();
        (&self.0).write_all(&block).and_then(|()| self.0.sync_data()).expect("the disk takes it");
        start.elapsed()
    }
}

fn publishes(desk: &Desk, raw: &Raw) {
    for (count, samples) in [(1, 60), (10, 40), (100, 15)] {
        let times = (0..samples).map(|sample| {
            let entries: Vec<Entry> = (0..count).map(|turn| entry(desk, &format!("{count} {sample} {turn}"))).collect();
            let bytes = entries.iter().map(|entry| 2 * entry.record.parts().sealed.bytes.len() + 128).sum();
            let start = Instant::now();
            desk.ports.head.publish(entries).expect("a publish");
            (start.elapsed(), raw.append(bytes))
        });
        row("publish, turns", count, times.collect());
    }
}

fn sections(desk: &Desk, raw: &Raw) {
    let mut consumer = desk.consume(Topic::Turns);
    for (count, samples) in [(1, 60), (10, 40), (100, 12)] {
        let times = (0..samples).map(|_| {
            let (lease, records) = take(consumer.as_mut(), count);
            let sections: Vec<Section> = records.iter().map(|record| section(desk, record)).collect();
            let bytes = sections.len() * OBSERVATIONS * (BODY + VECTOR + 120);
            let effects = Effects { sections, offsets: after(&records), ..Effects::default() };
            let start = Instant::now();
            desk.ports.commits.commit(&lease, effects).expect("a commit");
            (start.elapsed(), raw.append(bytes))
        });
        row("write, sections", count, times.collect());
    }
}

/// Callers that each publish one turn after another: how far they share a sync.
fn submitters(desk: &Desk) {
    const EACH: usize = 60;
    for callers in [1, 2, 4, 8] {
        let ready = Barrier::new(callers);
        let start = Instant::now();
        let mut times: Vec<Duration> = thread::scope(|threads| {
            let run = |caller: usize| {
                let ready = &ready;
                threads.spawn(move || {
                    ready.wait();
                    let publish = |turn| {
                        let entry = entry(desk, &format!("of {callers}, {caller} {turn}"));
                        let start = Instant::now();
                        desk.publish(entry);
                        start.elapsed()
                    };
                    (0..EACH).map(publish).collect::<Vec<_>>()
                })
            };
            let running: Vec<_> = (0..callers).map(run).collect();
            running.into_iter().flat_map(|thread| thread.join().expect("a caller")).collect()
        });
        let rate = (callers * EACH) as f64 / start.elapsed().as_secs_f64();
        let (p50, p95) = quantiles(&mut times);
        println!("| {callers} | {rate:.0} | {p50:.2} | {p95:.2} |");
    }
}

fn entry(desk: &Desk, text: &str) -> Entry {
    let space = text.bytes().map(usize::from).sum::<usize>() % SPACES;
    // As long as a customer's message tends to be.
    let text = format!("{text}: {}", "we moved the database to the new machines last week, ".repeat(4));
    desk.entry(&desk.customer(&format!("space {space}")), &text)
}

fn section(desk: &Desk, delivered: &Delivered) -> Section {
    let parts = delivered.record.parts();
    let scope = scope(desk, delivered);
    let observation = |number: usize| {
        let mut id = parts.id;
        id[0] ^= number as u8;
        let key = parts.sealed.key;
        Write::Observation(SealedObservation::stored(row_of(id, delivered.position, key)))
    };
    Section { writes: (0..OBSERVATIONS).map(observation).collect(), ..desk.section(&scope, delivered.position) }
}

fn scope(desk: &Desk, delivered: &Delivered) -> Scope {
    let parts = delivered.record.parts();
    let scopes = (0..SPACES).map(|space| desk.customer(&format!("space {space}")));
    scopes.into_iter().find(|scope| scope.key() == (parts.tenant, parts.space)).expect("a record of one of the spaces")
}

fn row_of(id: [u8; 16], position: Position, key: KeyId) -> ObservationRow {
    let sealed = |length: usize| {
        let mut bytes = vec![0; length];
        saidso_core::ports::Entropy::fill(&Seeded, &mut bytes);
        Sealed { key, bytes }
    };
    ObservationRow {
        id: ObservationId::from_bytes(id),
        turn: TurnId::from_bytes(id),
        position,
        at_ms: 0,
        kind: Kind::Fact,
        body: sealed(BODY),
        vector: Some(sealed(VECTOR)),
    }
}

fn row(what: &str, count: usize, times: Vec<(Duration, Duration)>) {
    let (mut ours, mut disk): (Vec<_>, Vec<_>) = times.into_iter().unzip();
    let ((p50, p95), (disk50, disk95)) = (quantiles(&mut ours), quantiles(&mut disk));
    println!("| {what} | {count} | {p50:.2} | {p95:.2} | {disk50:.2} | {disk95:.2} | {:.1} |", p50 / disk50);
}

/// The median and the nineteenth twentieth, in milliseconds.
fn quantiles(times: &mut [Duration]) -> (f64, f64) {
    times.sort();
    (ms(times[times.len() / 2]), ms(times[times.len() * 19 / 20]))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
