//! Work that can be cut off anywhere, and the check that nothing is missing or halved afterwards.
//!
//! [`work`] publishes turns and commits what comes of them, and says on standard output what was acknowledged.
//! [`Ledger`] collects those lines, and [`Ledger::check`] holds them against what the backend has after the cut.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write as _},
    path::Path,
    thread,
    time::Duration,
};

use saidso_core::{
    fault::Code,
    ids::{ObservationId, TurnId},
    item::Kind,
    observation::{ObservationRow, SealedObservation},
    ports::{Delivered, Effects, Section, Write},
    position::Position,
    record::{self, DeadLetter, Opened, Topic},
    seal::{Field, Generation, KeyId},
    turn::Turn,
};

use tempfile::TempDir;

use crate::conformance::{Desk, Ports, after, destroyed, take};

const SPACES: [&str; 5] = ["anna", "ben", "cleo", "dev", "eli"];
const G: Generation = Generation(1);

/// A folder in memory where there is one: what a killed process wrote outlives it there as on any disk, and a sync
/// costs nothing.
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}

/// Every third record has its turn sealed anew, as a forget does; every fifth leaves a dead letter.
fn sealed_anew(position: Position) -> bool {
    position.offset.is_multiple_of(3)
}

fn set_aside(position: Position) -> bool {
    position.offset.is_multiple_of(5)
}

/// Publishes and commits until the process ends.
pub fn work(ports: Ports) {
    let desk = Desk::at(ports);
    thread::scope(|threads| {
        threads.spawn(|| publish(&desk));
        threads.spawn(|| stage(&desk));
    });
}

fn say(line: String) {
    let mut out = io::stdout().lock();
    // Who listens has killed this process already if this fails.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn publish(desk: &Desk) {
    let done: usize =
        SPACES.iter().map(|name| desk.ports.store.turns(&desk.customer(name)).expect("a read").len()).sum();
    for number in done.. {
        let space = number % SPACES.len();
        let position = desk.say(&desk.customer(SPACES[space]), &text(number));
        say(format!("published {number} {position}"));
    }
}

fn text(number: usize) -> String {
    format!("I own {number} books")
}

fn stage(desk: &Desk) {
    let mut consumer = desk.ports.topics.consume(Topic::Turns).expect("a consumer");
    loop {
        let (lease, records) = consumer.poll(3, Duration::from_secs(60)).expect("a poll");
        if records.is_empty() {
            continue;
        }
        let mut effects = Effects { offsets: after(&records), ..Effects::default() };
        for delivered in &records {
            effects.sections.push(section(desk, delivered));
            effects.outputs.push((Topic::Candidates, delivered.record.forward(delivered.position)));
            if set_aside(delivered.position) {
                let Delivered { partition, offset, position, record } = delivered;
                effects.dead.push(DeadLetter::new(record, Topic::Turns, *partition, *offset, *position, Code::Poison));
            }
        }
        desk.ports.commits.commit(&lease, effects).expect("a commit");
        for delivered in &records {
            say(format!("committed {}", delivered.position));
        }
    }
}

fn section(desk: &Desk, delivered: &Delivered) -> Section {
    let opened = record::open::<Turn>(&delivered.record, &*desk.ports.keys).expect("it opens");
    let Opened::Body(scope, key, turn) = opened else { panic!("the key of a record that was not committed is there") };
    let mut section = desk.section(&scope, delivered.position);
    section.writes.push(Write::Observation(SealedObservation::stored(ObservationRow {
        id: observation(delivered.position),
        turn: turn.meta.id,
        position: delivered.position,
        at_ms: 0,
        kind: Kind::Fact,
        body: delivered.record.parts().sealed.clone(),
        vector: None,
    })));
    if sealed_anew(delivered.position) {
        let anew = desk.turn_key(turn.meta.id, 1);
        let sealed = desk.sealed(&scope, &turn, Field::Turn, &anew);
        section.writes.push(Write::Turn { turn: turn.meta.id, sealed });
        section.new_keys.push(anew);
        section.destroy.push(destroyed(key.id));
    }
    section
}

fn observation(position: Position) -> ObservationId {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&position.partition.to_be_bytes());
    id[8..].copy_from_slice(&position.offset.to_be_bytes());
    ObservationId::from_bytes(id)
}

/// What was acknowledged so far.
#[derive(Debug, Default)]
pub struct Ledger {
    published: BTreeMap<usize, Position>,
    committed: BTreeSet<Position>,
}

impl Ledger {
    /// Notes one line of [`work`].
    pub fn note(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["published", number, position] => {
                let number = number.parse().expect("a number");
                self.published.insert(number, position.parse().expect("a position"));
            }
            ["committed", position] => {
                self.committed.insert(position.parse().expect("a position"));
            }
            _ => panic!("not a line of the work: {line}"),
        }
    }

    /// How much was acknowledged.
    pub fn len(&self) -> (usize, usize) {
        (self.published.len(), self.committed.len())
    }

    /// Holds the ledger against the backend: nothing acknowledged is missing, and every record is either done, with all
    /// that comes of it, or waits, with nothing of it.
    pub fn check(&self, ports: Ports) {
        let desk = Desk::at(ports);
        let mut turns: BTreeMap<Position, (usize, TurnId, KeyId)> = BTreeMap::new();
        for (space, name) in SPACES.iter().enumerate() {
            for row in desk.ports.store.turns(&desk.customer(name)).expect("a read") {
                let position = row.position.expect("a turn that is stored is published");
                turns.insert(position, (space, row.turn, row.sealed.key));
            }
        }
        for (number, position) in &self.published {
            let turn = desk.turn(&desk.customer(SPACES[number % SPACES.len()]), &text(*number)).meta.id;
            assert_eq!(turns.get(position).map(|found| found.1), Some(turn), "turn {number} was acknowledged");
        }

        let mut waiting = BTreeSet::new();
        let lag = desk.ports.topics.lag(Topic::Turns).expect("a lag") as usize;
        let mut consumer = desk.ports.topics.consume(Topic::Turns).expect("a consumer");
        for delivered in take(consumer.as_mut(), lag).1 {
            let opened = record::open::<Turn>(&delivered.record, &*desk.ports.keys).expect("it opens");
            assert!(matches!(opened, Opened::Body(..)), "the key of what waits is there");
            assert!(waiting.insert(delivered.position), "a record waits once");
        }
        let done: BTreeSet<Position> = turns.keys().filter(|position| !waiting.contains(position)).copied().collect();
        assert_eq!(done.len() + waiting.len(), turns.len(), "whatever waits is a turn that is stored");
        assert!(self.committed.is_subset(&done), "what was acknowledged as committed is done");

        let outputs = desk.ports.topics.lag(Topic::Candidates).expect("a lag") as usize;
        let mut consumer = desk.ports.topics.consume(Topic::Candidates).expect("a consumer");
        let outputs: Vec<Position> = take(consumer.as_mut(), outputs).1.iter().map(|record| record.position).collect();
        assert_eq!(outputs.len(), done.len(), "every record that is done has its output once");
        assert_eq!(outputs.into_iter().collect::<BTreeSet<_>>(), done);

        let dead = desk.ports.dead.list(usize::MAX).expect("a list");
        let dead: Vec<Position> = dead.iter().filter_map(|letter| letter.about).map(|about| about.position).collect();
        assert_eq!(dead.len(), done.iter().filter(|position| set_aside(**position)).count());
        assert!(dead.into_iter().all(|position| done.contains(&position) && set_aside(position)));

        let mut observations = BTreeSet::new();
        for (space, name) in SPACES.iter().enumerate() {
            let rows = desk.ports.store.rows(&desk.customer(name), G).expect("a read");
            let of_it = |position: &&Position| turns.get(position).is_some_and(|found| found.0 == space);
            assert_eq!(rows.applied, done.iter().filter(of_it).max().copied(), "applied is the last that is done");
            observations.extend(rows.observations.iter().map(|observation| observation.row().id));
        }
        assert_eq!(observations, done.iter().map(|position| observation(*position)).collect());

        for (position, (space, turn, key)) in turns {
            let customer = desk.customer(SPACES[space]);
            let stands = |id| desk.ports.keys.key(&customer, id).expect("a read").is_some();
            assert!(stands(key), "the key that a turn stands under is there");
            let version = if done.contains(&position) && sealed_anew(position) { 1 } else { 0 };
            let as_due =
                matches!(key, KeyId::Turn { turn: named, version: found, .. } if (named, found) == (turn, version));
            assert!(as_due, "{position} stands under {key:?}");
        }
    }
}
