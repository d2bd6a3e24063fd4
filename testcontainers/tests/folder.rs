//! The data folder: who may open it, with what, and what is said otherwise (field case 25).

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ports::{Effects, Entry, Keys as _, Section},
    record::Topic,
};
use saidso_embedded::{Embedded, Options};
use saidso_testcontainers::{
    conformance::{Desk, Ports, Seeded, after, destroyed, take},
    crash,
};
use tempfile::TempDir;

const PARTS: [&str; 4] = ["format", "store.redb", "keys/kek", "keys/keys.bin"];

fn open_with(folder: &Path, options: Options) -> Result<Embedded, Fault> {
    Embedded::open(folder, Arc::new(Seeded), options)
}

fn open(folder: &Path) -> Result<Embedded, Fault> {
    open_with(folder, Options::default())
}

fn desk(folder: &Path) -> Desk {
    let embedded = open(folder).expect("the folder opens");
    Desk::at(Ports::of(embedded.names(), Arc::new(embedded)))
}

/// A folder with a turn of anna's in it.
fn with_a_turn() -> TempDir {
    let folder = crash::folder();
    let desk = desk(folder.path());
    desk.say(&desk.customer("anna"), "I moved to Lyon");
    folder
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    PARTS.iter().filter_map(|name| Some((name.into(), fs::read(folder.join(name)).ok()?))).collect()
}

fn put(folder: &Path, contents: &BTreeMap<PathBuf, Vec<u8>>, name: &str) {
    fs::write(folder.join(name), &contents[Path::new(name)]).expect("a file");
}

/// The opening stops with this code, says all these words, and leaves every file as it was.
fn refused(folder: &Path, code: Code, words: &[&str]) {
    let before = contents(folder);
    let fault = open(folder).err().expect("it is refused");
    assert_eq!((fault.code, fault.remedy), (code, Remedy::Stop), "{fault}");
    for word in words {
        assert!(fault.message.contains(word), "{fault} does not say {word}");
    }
    assert!(contents(folder) == before, "{fault}: something was changed");
}

/// The folder as it was opens, and anna's turn is there.
fn opens_whole(folder: &Path) {
    let desk = desk(folder);
    assert_eq!(desk.ports.store.turns(&desk.customer("anna")).expect("a read").len(), 1);
}

#[test]
fn only_one_process_holds_a_folder() {
    let folder = crash::folder();
    let held = open(folder.path()).expect("a new folder opens");
    refused(folder.path(), Code::Held, &[&folder.path().to_string_lossy(), "another process"]);
    let child = Command::new(env!("CARGO_BIN_EXE_embedded_child"));
    let said = { child }.args(["open", &folder.path().to_string_lossy()]).output().expect("a child");
    assert!(String::from_utf8_lossy(&said.stdout).starts_with("held "));
    drop(held);
    open(folder.path()).map(drop).expect("it is free again");
}

/// A handle that is gone gives the folder back even while a consumer of it lives on, which then gets a fault.
#[test]
fn a_left_over_consumer_holds_nothing() {
    let folder = crash::folder();
    let first = desk(folder.path());
    let mut left_over = first.consume(Topic::Turns);
    drop(first);
    let second = desk(folder.path());
    second.say(&second.customer("anna"), "I moved to Lyon");
    let fault = left_over.poll(1, std::time::Duration::from_secs(30)).expect_err("its folder was closed");
    assert_eq!(fault.remedy, Remedy::Stop);
    take(second.consume(Topic::Turns).as_mut(), 1);
}

#[test]
fn every_file_is_for_the_owner_only() {
    let folder = with_a_turn();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).expect("a file").permissions().mode() & 0o777;
    assert_eq!((mode("keys/kek"), mode("keys/keys.bin"), mode("keys")), (0o600, 0o600, 0o700));
    assert_eq!((mode("store.redb"), mode("lock"), mode("format")), (0o600, 0o600, 0o600));
    for readable in [0o640, 0o604] {
        fs::set_permissions(folder.path().join("keys/kek"), fs::Permissions::from_mode(readable)).expect("a mode");
        refused(folder.path(), Code::WrongKey, &["keys/kek", "chmod 600"]);
    }
    fs::set_permissions(folder.path().join("keys/kek"), fs::Permissions::from_mode(0o600)).expect("a mode");
    opens_whole(folder.path());
}

#[test]
fn a_wrong_missing_or_broken_kek_is_refused() {
    let folder = with_a_turn();
    let whole = contents(folder.path());
    let kek = folder.path().join("keys/kek");
    fs::write(&kek, format!("{}\n", "ab".repeat(32))).expect("a file");
    refused(folder.path(), Code::WrongKey, &["keys.bin", "put the right one back"]);
    fs::write(&kek, "not a key").expect("a file");
    refused(folder.path(), Code::WrongKey, &["keys/kek", "64 hexadecimal digits"]);
    fs::remove_file(&kek).expect("it was there");
    refused(folder.path(), Code::WrongKey, &["keys/kek", "missing", "put it back"]);
    fs::write(&kek, "").expect("a file");
    fs::set_permissions(&kek, fs::Permissions::from_mode(0o600)).expect("a mode");
    put(folder.path(), &whole, "keys/kek");
    opens_whole(folder.path());
}

#[test]
fn another_format_is_refused() {
    let folder = with_a_turn();
    let whole = contents(folder.path());
    for format in ["2", "4"] {
        fs::write(folder.path().join("format"), format!("{format}\n")).expect("a file");
        let found = format!("format {format}");
        refused(folder.path(), Code::NewerFormat, &[&found, "use the build that wrote it"]);
    }
    fs::write(folder.path().join("format"), "new").expect("a file");
    refused(folder.path(), Code::Damaged, &["format"]);
    fs::remove_file(folder.path().join("format")).expect("it was there");
    refused(folder.path(), Code::Damaged, &["format", "missing"]);
    put(folder.path(), &whole, "format");
    opens_whole(folder.path());
}

#[test]
fn a_missing_part_is_refused() {
    for (name, words) in [("store.redb", "there are keys"), ("keys/keys.bin", "there is a database")] {
        let folder = with_a_turn();
        let whole = contents(folder.path());
        fs::remove_file(folder.path().join(name)).expect("it was there");
        refused(folder.path(), Code::Damaged, &[name, "missing", words]);
        put(folder.path(), &whole, name);
        opens_whole(folder.path());
    }
}

/// A database that ends before what was acknowledged, or keys that do, are never taken for the whole.
#[test]
fn an_older_part_is_refused() {
    let folder = crash::folder();
    drop(open(folder.path()).expect("a new folder opens"));
    let mut states = vec![contents(folder.path())];
    for number in 0..3 {
        let desk = desk(folder.path());
        desk.say(&desk.customer("ben"), &format!("I own {number} books"));
        drop(desk);
        states.push(contents(folder.path()));
    }
    let (now, olds) = states.split_last().expect("there are some");
    for old in olds {
        PARTS.iter().for_each(|name| put(folder.path(), now, name));
        put(folder.path(), old, "store.redb");
        let fault = open(folder.path()).err().expect("its tail is lost");
        assert_eq!(fault.code, Code::Damaged);
        assert!(fault.message.contains("commit 3 was acknowledged"), "{fault}");
    }
    for old in olds {
        PARTS.iter().for_each(|name| put(folder.path(), now, name));
        put(folder.path(), old, "keys/keys.bin");
        let fault = open(folder.path()).err().expect("its keys are older");
        assert_eq!(fault.code, Code::Damaged, "{fault}");
    }
    PARTS.iter().for_each(|name| put(folder.path(), now, name));
    let desk = desk(folder.path());
    assert_eq!(desk.ports.store.turns(&desk.customer("ben")).expect("a read").len(), 3);
}

#[test]
fn a_key_file_of_another_folder_is_refused() {
    let (folder, other) = (with_a_turn(), with_a_turn());
    let (whole, others) = (contents(folder.path()), contents(other.path()));
    put(folder.path(), &others, "keys/kek");
    put(folder.path(), &others, "keys/keys.bin");
    let fault = open(folder.path()).err().expect("they are of different stores");
    assert_eq!(fault.code, Code::Damaged);
    assert!(fault.message.contains("different stores"), "{fault}");
    put(folder.path(), &whole, "keys/kek");
    put(folder.path(), &whole, "keys/keys.bin");
    opens_whole(folder.path());
}

#[test]
fn the_number_of_partitions_is_pinned() {
    let folder = crash::folder();
    for (partitions, fits) in [(0, false), (1025, false), (1024, true)] {
        let folder = crash::folder();
        let opened = open_with(folder.path(), Options { partitions, ..Options::default() });
        assert_eq!(opened.as_ref().err().map(|fault| fault.code), (!fits).then_some(Code::Limit), "{partitions}");
    }
    drop(open_with(folder.path(), Options { partitions: 3, ..Options::default() }).expect("a new folder opens"));
    let fault = open(folder.path()).err().expect("it has three");
    assert_eq!((fault.code, fault.remedy), (Code::Generation, Remedy::Stop));
    assert!(fault.message.contains("3 partitions, 4 were asked for"), "{fault}");
    drop(open_with(folder.path(), Options { partitions: 3, ..Options::default() }).expect("it has three"));
}

/// Neither the key nor its wrapped form is left in the file once it is destroyed, and the file does not grow for keys
/// that take the places of destroyed ones.
#[test]
fn a_destroyed_key_leaves_the_file() {
    let folder = crash::folder();
    let desk = desk(folder.path());
    let customer = desk.customer("anna");
    let file = || fs::read(folder.path().join("keys/keys.bin")).expect("a file");
    let mut sizes = Vec::new();
    for number in 0..700 {
        let entry = desk.entry(&customer, &format!("I own {number} books"));
        let key = entry.key.clone().expect("the entry has a key");
        let before = file();
        let position = desk.publish(entry);
        let with = file();
        desk.apply(Section { destroy: vec![destroyed(key.id)], ..desk.section(&customer, position) });
        let after = file();
        assert!(desk.ports.keys.key(&customer, key.id).expect("a read").is_none());
        let turn = desk.turn(&customer, &format!("I own {number} books")).meta.id;
        let names = |bytes: &[u8]| bytes.windows(16).filter(|window| window == turn.as_bytes()).count();
        assert_eq!((names(&before), names(&with), names(&after)), (0, 1, 0));
        sizes.push(after.len());
    }
    assert_eq!(sizes.first(), sizes.last());
}

/// A key that a crash left without its turn is destroyed by the next boot; here by putting back the database of before.
#[test]
fn a_key_that_was_never_acknowledged_is_swept() {
    let folder = with_a_turn();
    let before = contents(folder.path());
    let turn = {
        let desk = desk(folder.path());
        let customer = desk.customer("anna");
        desk.say(&customer, "I sold the van");
        desk.turn(&customer, "I sold the van").meta.id
    };
    // The acknowledgement is taken back too: both marks stand in the first page, and slots begin after it.
    let mut keys = fs::read(folder.path().join("keys/keys.bin")).expect("a file");
    keys[..4096].copy_from_slice(&before[Path::new("keys/keys.bin")][..4096]);
    fs::write(folder.path().join("keys/keys.bin"), &keys).expect("a file");
    put(folder.path(), &before, "store.redb");
    let names = || {
        let bytes = fs::read(folder.path().join("keys/keys.bin")).expect("a file");
        bytes.windows(16).filter(|window| window == turn.as_bytes()).count()
    };
    assert_eq!(names(), 1);
    opens_whole(folder.path());
    assert_eq!(names(), 0);
}

/// A crash after the commit that orders a key's destruction, and before the key is overwritten: the next boot does it.
#[test]
fn a_destruction_that_was_cut_off_is_done_again() {
    let folder = with_a_turn();
    let before = contents(folder.path());
    let key = {
        let desk = desk(folder.path());
        let customer = desk.customer("anna");
        let turn = desk.turn(&customer, "I moved to Lyon").meta.id;
        let row = desk.ports.store.turn(&customer, turn).expect("a read").expect("the turn is stored");
        let section = desk.section(&customer, row.position.expect("it is published"));
        desk.apply(Section { destroy: vec![destroyed(row.sealed.key)], ..section });
        row.sealed.key
    };
    put(folder.path(), &before, "keys/keys.bin");
    let desk = desk(folder.path());
    assert!(desk.ports.keys.key(&desk.customer("anna"), key).expect("a read").is_none());
    let bytes = fs::read(folder.path().join("keys/keys.bin")).expect("a file");
    let turn = desk.turn(&desk.customer("anna"), "I moved to Lyon").meta.id;
    assert!(!bytes.windows(16).any(|window| window == turn.as_bytes()));
}

/// The log is transport: what every stage is done with makes room for what comes.
#[test]
fn what_is_committed_makes_room() {
    let folder = crash::folder();
    let desk = desk(folder.path());
    let customer = desk.customer("anna");
    for number in 0..60 {
        let text = format!("{number} {}", "we moved to the new machines ".repeat(300));
        // Without a row and a key, only the log holds it.
        let entry = || Entry { key: None, turn: None, ..desk.entry(&customer, &text) };
        desk.ports.head.publish((0..20).map(|_| entry()).collect()).expect("a publish");
        let mut consumer = desk.consume(Topic::Turns);
        let (lease, records) = take(consumer.as_mut(), 20);
        let effects = Effects { offsets: after(&records), ..Effects::default() };
        desk.ports.commits.commit(&lease, effects).expect("a commit");
    }
    let bytes = fs::metadata(folder.path().join("store.redb")).expect("a file").len();
    assert!(bytes < 3_000_000, "10 MB passed through, {bytes} bytes stayed");
}

/// A power cut may take back what was noted as acknowledged since the key file was last synced: that is no damage.
#[test]
fn a_note_that_was_not_synced_is_no_alarm() {
    let folder = with_a_turn();
    let desk = desk(folder.path());
    let customer = desk.customer("anna");
    let position = desk.say(&customer, "I sold the van");
    let noted = contents(folder.path());
    desk.apply(desk.section(&customer, position));
    desk.apply(desk.section(&customer, position));
    drop(desk);
    let mut keys = fs::read(folder.path().join("keys/keys.bin")).expect("a file");
    assert!(keys[..4096] != noted[Path::new("keys/keys.bin")][..4096], "the commits were noted");
    keys[..4096].copy_from_slice(&noted[Path::new("keys/keys.bin")][..4096]);
    fs::write(folder.path().join("keys/keys.bin"), &keys).expect("a file");
    let embedded = open(folder.path()).expect("it is whole");
    let desk = Desk::at(Ports::of(embedded.names(), Arc::new(embedded)));
    assert_eq!(desk.ports.store.turns(&desk.customer("anna")).expect("a read").len(), 2);
    assert_eq!(desk.ports.topics.lag(Topic::Turns).expect("a lag"), 0);
}

/// The folder alone reads as noise: no word of a turn, and no name, stands in any file.
#[test]
fn nothing_readable_is_in_the_folder() {
    let folder = with_a_turn();
    for (name, bytes) in contents(folder.path()) {
        for word in ["moved", "Lyon", "anna", "north"] {
            let found = bytes.windows(word.len()).any(|window| window == word.as_bytes());
            assert!(!found, "{word} stands in {}", name.display());
        }
    }
    let embedded = open(folder.path()).expect("the folder opens");
    let scope = Desk::at(Ports::of(embedded.names(), Arc::new(embedded.clone()))).customer("anna");
    let key = embedded.space_key(&scope).expect("a key");
    for (name, bytes) in contents(folder.path()) {
        let found = bytes.windows(32).any(|window| window == key.key.bytes());
        assert!(!found, "a key stands in {}", name.display());
    }
}
