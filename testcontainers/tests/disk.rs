//! A full disk and a folder that cannot be written: a clear error, no data touched, and reads go on (field case 25).

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::Path,
    process::Command,
    sync::Arc,
};

use saidso_core::{ports::Store as _, record::Topic};
use saidso_embedded::{Embedded, Options};
use saidso_testcontainers::conformance::{Desk, Ports, Seeded, take};

const CHILD: &str = env!("CARGO_BIN_EXE_embedded_child");

fn open(folder: &Path) -> Embedded {
    Embedded::open(folder, Arc::new(Seeded), Options::default()).expect("the folder opens")
}

fn desk(folder: &Path) -> Desk {
    let embedded = open(folder);
    Desk::at(Ports::of(embedded.names(), Arc::new(embedded)))
}

/// Runs a shell line and returns what it said.
fn shell(line: &str) -> String {
    let output = Command::new("sh").args(["-ec", line]).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{line}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

fn root(folder: &Path) -> bool {
    fs::metadata(folder).expect("the folder is there").uid() == 0
}

/// After room was made, the folder opens with all that was acknowledged, `more` turns after the refusal included, and
/// takes more.
fn goes_on(folder: &Path, said: &str, more: usize) {
    let acknowledged: usize = said.trim().strip_prefix("refused after ").expect(said).parse().expect(said);
    assert!(acknowledged > 0, "{said}");
    let acknowledged = acknowledged + more;
    let desk = desk(folder);
    let customer = desk.customer("anna");
    assert_eq!(desk.ports.store.turns(&customer).expect("a read").len(), acknowledged);
    desk.say(&customer, "I bought a lamp");
    let (_, records) = take(desk.consume(Topic::Turns).as_mut(), acknowledged + 1);
    assert_eq!(records.len(), acknowledged + 1);
}

/// The largest file a process may write stands in for a full disk: that needs no rights.
#[test]
fn a_file_that_may_not_grow_is_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(open(folder.path()));
    let said = shell(&format!("trap '' XFSZ; ulimit -f 4000; exec '{CHILD}' fill '{}'", folder.path().display()));
    goes_on(folder.path(), &said, 0);
}

/// A file system of four megabytes, for whoever may mount one. Once there is room again the same process goes on.
#[test]
fn a_full_disk_refuses_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    if !root(folder.path()) {
        println!("not root: a_file_that_may_not_grow_is_a_full_disk stands for this");
        return;
    }
    let (disk, kept) = (folder.path().join("disk"), folder.path().join("kept"));
    fs::create_dir(&disk).expect("a folder");
    // In a name space of its own, so that the mount ends with the child.
    let said = shell(&format!(
        "unshare -m sh -ec \"mount -t tmpfs -o size=4m none '{0}'; head -c 1500000 /dev/zero >'{0}/ballast'; \
         '{CHILD}' fill '{0}/data' '{0}/ballast'; cp -a '{0}/data' '{1}'\"",
        disk.display(),
        kept.display()
    ));
    goes_on(&kept, &said, 1);
}

/// A folder that may only be read does not open, says why, and stays as it is.
#[test]
fn a_read_only_folder_is_refused_and_untouched() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    {
        let desk = desk(&data);
        desk.say(&desk.customer("anna"), "I moved to Lyon");
    }
    let before = contents(&data);
    let said = if root(folder.path()) {
        shell(&format!(
            "unshare -m sh -ec \"mount --bind '{0}' '{0}'; mount -o remount,bind,ro '{0}'; '{CHILD}' open '{0}'\"",
            data.display()
        ))
    } else {
        let mode = |bits| {
            for path in [data.clone(), data.join("lock"), data.join("store.redb")] {
                fs::set_permissions(path, fs::Permissions::from_mode(bits)).expect("a mode");
            }
        };
        mode(0o500);
        let said = shell(&format!("'{CHILD}' open '{}'", data.display()));
        mode(0o700);
        said
    };
    assert!(said.starts_with("disk ") && said.contains("make it writable"), "{said}");
    assert_eq!(contents(&data), before);
    let embedded = open(&data);
    let scope = Desk::at(Ports::of(embedded.names(), Arc::new(embedded.clone()))).customer("anna");
    assert_eq!(embedded.turns(&scope).expect("a read").len(), 1);
}

fn contents(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    ["format", "store.redb", "keys/kek", "keys/keys.bin"]
        .map(|name| (name.into(), fs::read(folder.join(name)).expect("a file")))
        .to_vec()
}
