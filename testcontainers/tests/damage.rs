//! Damaged files: every opening is whole or a clear error, and never a panic (field case 25, design §10).

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ids::MarkId,
    marks::Mark,
    ports::{Delivered, Effects, Entry, Section, SpaceRows, TurnRow, Write},
    record::Topic,
    seal::{Generation, KeyId},
};
use saidso_embedded::{Embedded, Options};
use saidso_testcontainers::{
    conformance::{Desk, Ports, Seeded, after, destroyed, take},
    crash,
};
use tempfile::TempDir;

const SPACES: [&str; 4] = ["anna", "ben", "cleo", "dev"];
const TURNS: usize = 30;

/// A folder with something of everything in it.
struct Whole {
    folder: TempDir,
    database: Vec<u8>,
    keys: Vec<u8>,
    picture: Picture,
}

/// All there is to read.
#[derive(Debug, PartialEq)]
struct Picture {
    spaces: Vec<(SpaceRows, Vec<TurnRow>, Vec<Mark>)>,
    keys: Vec<Option<[u8; 32]>>,
    waiting: Vec<(u64, saidso_core::record::Record)>,
    dead: usize,
}

fn open(folder: &Path, options: Options) -> Result<Desk, Fault> {
    let embedded = Embedded::open(folder, Arc::new(Seeded), options)?;
    Ok(Desk::at(Ports::of(embedded.names(), Arc::new(embedded))))
}

impl Whole {
    fn new() -> Self {
        let folder = crash::folder();
        let desk = open(folder.path(), Options::default()).expect("a new folder opens");
        for number in 0..TURNS {
            for name in SPACES {
                let marks = vec![Mark::Statement { about: MarkId::from_bytes([number as u8; 16]), said_ms: 7 }];
                desk.publish(Entry { marks, ..desk.entry(&desk.customer(name), &format!("I own {number} books")) });
            }
        }
        let mut consumer = desk.consume(Topic::Turns);
        let (lease, records) = take(consumer.as_mut(), TURNS * SPACES.len() - 20);
        for delivered in &records {
            let effects = effects(&desk, delivered);
            desk.ports.commits.commit(&lease, effects).expect("a commit");
        }
        drop((consumer, lease));
        let picture = picture(&desk).expect("a whole folder is read");
        assert!(picture.waiting.len() >= 20 && picture.dead > 0 && picture.keys.iter().any(Option::is_none));
        drop(desk);
        let read = |path: PathBuf| fs::read(path).expect("a file");
        let (database, keys) = (read(folder.path().join("store.redb")), read(folder.path().join("keys/keys.bin")));
        Self { folder, database, keys, picture }
    }

    /// Puts files in place of the whole ones, opens, and reads everything.
    fn with(&self, database: &[u8], keys: &[u8], options: Options) -> Result<Picture, Fault> {
        let path = self.folder.path();
        fs::write(path.join("store.redb"), database).expect("a file");
        fs::write(path.join("keys/keys.bin"), keys).expect("a file");
        picture(&open(path, options)?)
    }

    /// Whole, or a fault that stops and says why.
    fn check(&self, what: &str, result: Result<Picture, Fault>) -> bool {
        match result {
            Ok(picture) => {
                assert!(picture == self.picture, "{what}: it opened, but not whole");
                true
            }
            Err(fault) => {
                let expected = [Code::Damaged, Code::NewerFormat, Code::WrongKey].contains(&fault.code);
                assert!(expected && fault.remedy == Remedy::Stop, "{what}: {fault:?}");
                assert!(
                    fault.message.contains("store.redb")
                        || fault.message.contains("keys.bin")
                        || fault.code == Code::Damaged
                );
                false
            }
        }
    }
}

/// What a stage makes of a record: an observation, now and then a destroyed key or a dead letter.
fn effects(desk: &Desk, delivered: &Delivered) -> Effects {
    let Delivered { partition, offset, position, record } = delivered;
    let (tenant, space) = (record.parts().tenant, record.parts().space);
    let scope = SPACES.map(|name| desk.customer(name)).into_iter().find(|scope| scope.key() == (tenant, space));
    let scope = scope.expect("a record is of one of the spaces");
    let mut effects = Effects { offsets: after(std::slice::from_ref(delivered)), ..Effects::default() };
    let destroy = if offset.is_multiple_of(7) { vec![destroyed(record.parts().sealed.key)] } else { Vec::new() };
    let writes = vec![Write::Observation(desk.observation(*position, (*offset % 250) as u8))];
    effects.sections.push(Section { writes, destroy, ..desk.section(&scope, *position) });
    if offset.is_multiple_of(11) {
        let letter =
            saidso_core::record::DeadLetter::new(record, Topic::Turns, *partition, *offset, *position, Code::Poison);
        effects.dead.push(letter);
    }
    effects
}

fn picture(desk: &Desk) -> Result<Picture, Fault> {
    let (mut spaces, mut keys) = (Vec::new(), Vec::new());
    for name in SPACES {
        let customer = desk.customer(name);
        let turns = desk.ports.store.turns(&customer)?;
        for id in turns.iter().map(|row| row.sealed.key).chain([KeyId::Space { version: 0, attempt: 0 }]) {
            keys.push(desk.ports.keys.key(&customer, id)?.map(|key| *key.bytes()));
        }
        let rows = desk.ports.store.rows(&customer, Generation(1))?;
        spaces.push((rows, turns, desk.ports.store.marks(&customer)?));
    }
    let mut consumer = desk.ports.topics.consume(Topic::Turns)?;
    let mut waiting = Vec::new();
    loop {
        let (_, records) = consumer.poll(1000, Duration::ZERO)?;
        if records.is_empty() {
            break;
        }
        waiting.extend(records.into_iter().map(|delivered| (delivered.offset, delivered.record)));
    }
    waiting.sort_by_key(|(offset, record)| (record.parts().space, *offset));
    Ok(Picture { spaces, keys, waiting, dead: desk.ports.dead.list(usize::MAX)?.len() })
}

/// Damages of one file: bits flipped, sectors zeroed, the tail cut off.
fn damages(whole: &[u8], dense: usize, count: usize) -> Vec<(String, Vec<u8>)> {
    let mut dice = 20_260_301_u64;
    let mut roll = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
    let mut out = Vec::new();
    let places: Vec<usize> = (0..dense).step_by(3).chain((0..count).map(|_| roll(whole.len()))).collect();
    for at in places {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 1 << roll(8);
        out.push((format!("a bit at {at}"), bytes));
    }
    for _ in 0..count / 4 {
        let at = roll(whole.len() / 512) * 512;
        let mut bytes = whole.to_vec();
        bytes[at..at + 512].fill(0);
        out.push((format!("512 zeros at {at}"), bytes));
    }
    for _ in 0..count / 8 {
        let at = roll(whole.len());
        out.push((format!("cut at {at}"), whole[..at].to_vec()));
    }
    out.push(("nothing left".into(), Vec::new()));
    out
}

/// With its pages checked, a damaged database is whole or refused.
#[test]
fn a_damaged_database_is_whole_or_refused() {
    let whole = Whole::new();
    let (mut opened, mut refused) = (0, 0);
    for (what, bytes) in damages(&whole.database, 512, 400) {
        let result = whole.with(&bytes, &whole.keys, Options { check_up_to: u64::MAX, ..Options::default() });
        *(if whole.check(&what, result) { &mut opened } else { &mut refused }) += 1;
    }
    println!("{opened} opened whole, {refused} were refused");
    assert!(opened > 0 && refused > 0);
}

/// Places in and around the stored rows: what a database that is too large to be checked at the start cannot see coming.
fn rows_of(whole: &Whole) -> Vec<usize> {
    let spaces = whole.picture.spaces.iter();
    let blobs = spaces.flat_map(|(rows, turns, _)| {
        let observations = rows.observations.iter().map(|observation| observation.row().body.bytes.as_slice());
        observations.chain(turns.iter().map(|row| row.sealed.bytes.as_slice())).collect::<Vec<_>>()
    });
    let mut places = Vec::new();
    for blob in blobs {
        let copies = whole.database.windows(24).enumerate().filter(|(_, window)| *window == &blob[..24]);
        places.extend(copies.flat_map(|(at, _)| (at - 32..at + blob.len() + 8).step_by(41)));
    }
    places
}

/// Not checked at the start, it opens; then no read panics, and what is read is what was written.
#[test]
fn an_unchecked_damaged_row_never_reads_wrong() {
    let whole = Whole::new();
    let (mut read, mut refused) = (0, 0);
    for at in rows_of(&whole).into_iter().step_by(3) {
        let mut bytes = whole.database.clone();
        bytes[at] ^= 1 << (at % 8);
        match whole.with(&bytes, &whole.keys, Options { check_up_to: 0, ..Options::default() }) {
            Ok(picture) => {
                read += 1;
                assert!(picture == whole.picture, "a bit at {at}: it was read, but wrong");
            }
            Err(fault) => {
                refused += 1;
                assert_eq!((fault.code, fault.remedy), (Code::Damaged, Remedy::Stop), "a bit at {at}: {fault}");
            }
        }
    }
    println!("{read} were read, {refused} were refused");
    assert!(read > 0 && refused > 0);
}

/// A damaged key file is whole or refused.
#[test]
fn a_damaged_key_file_is_whole_or_refused() {
    let whole = Whole::new();
    let (mut opened, mut refused) = (0, 0);
    for (what, bytes) in damages(&whole.keys, 1100, 400) {
        let result = whole.with(&whole.database, &bytes, Options::default());
        *(if whole.check(&what, result) { &mut opened } else { &mut refused }) += 1;
    }
    println!("{opened} opened whole, {refused} were refused");
    assert!(opened > 0 && refused > 0);
}

/// Who accepts the loss gets everything but what was sealed under the lost key.
#[test]
fn a_lost_key_can_be_accepted() {
    let whole = Whole::new();
    let slot = 4096 + 128 * 9;
    let mut keys = whole.keys.clone();
    keys[slot + 70] ^= 1;
    let fault = whole.with(&whole.database, &keys, Options::default()).expect_err("a key is lost");
    assert_eq!(fault.code, Code::Damaged);
    let accepted = Options { accept_lost_keys: true, ..Options::default() };
    let picture = whole.with(&whole.database, &keys, accepted).expect("the loss is accepted");
    assert_eq!(picture.spaces, whole.picture.spaces);
    let lost = picture.keys.iter().zip(&whole.picture.keys).filter(|(now, before)| now != before).count();
    assert_eq!(lost, 1);
    let desk = open(whole.folder.path(), accepted).expect("it opens again");
    desk.say(&desk.customer("anna"), "I bought a shelf");
    drop(desk);
    open(whole.folder.path(), Options::default()).map(drop).expect("once written, the loss needs no more accepting");
}
