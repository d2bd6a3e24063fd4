//! The data folder: its lock, its format, and the key-encryption key.
//!
//! | path | what |
//! |---|---|
//! | `lock` | held by the process that uses the folder |
//! | `format` | one number |
//! | `keys/kek` | the key-encryption key: 64 hexadecimal digits, for the owner only |
//! | `keys/keys.bin` | every other key, wrapped |
//! | `store.redb` | everything else, sealed |

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use saidso_core::{
    fault::{Code, Fault, Remedy},
    ports::Entropy,
    seal::Key,
};

use zeroize::Zeroizing;

use crate::trouble::{damaged, disk};

/// What this build reads and writes.
const FORMAT: u32 = 3;
const FORMAT_FILE: &str = "format";

/// The format is the first file that a new folder gets, the lock aside.
pub(crate) fn stands(folder: &Path) -> bool {
    folder.join(FORMAT_FILE).is_file()
}

/// A data folder, held.
pub(crate) struct Folder {
    path: PathBuf,
    lock: File,
}

impl Folder {
    /// Makes the folder if there is none, and takes its lock.
    pub(crate) fn hold(path: &Path) -> Result<Self, Fault> {
        let what = format!("opened the data folder {}", path.display());
        let stop = |error: io::Error| starting(disk(&what, &error));
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(stop)?;
        let lock = path.join("lock");
        let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(lock).map_err(stop)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), lock }),
            Err(TryLockError::WouldBlock) => Err(Fault::stop(
                Code::Held,
                format!("{what}: another process holds it; stop that one, or talk to it over HTTP"),
            )),
            Err(TryLockError::Error(error)) => Err(stop(error)),
        }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.path.join("store.redb")
    }

    pub(crate) fn key_file(&self) -> PathBuf {
        self.path.join("keys").join("keys.bin")
    }

    fn kek_file(&self) -> PathBuf {
        self.path.join("keys").join("kek")
    }

    /// Compares the folder's format with this build's, or writes it into a new folder.
    pub(crate) fn check_format(&self) -> Result<(), Fault> {
        let path = self.path.join(FORMAT_FILE);
        let what = format!("read {}", path.display());
        match fs::read_to_string(&path) {
            Ok(text) => match text.trim().parse::<u32>() {
                Ok(FORMAT) => Ok(()),
                Ok(other) if other > 0 => Err(Fault::stop(
                    Code::NewerFormat,
                    format!(
                        "{what}: the data has format {other}, this build knows {FORMAT}; use the build that wrote it"
                    ),
                )),
                _ => Err(damaged(&what, "it holds no format number")),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if self.database().exists() || self.key_file().exists() {
                    return Err(damaged(&what, "it is missing, though there is data"));
                }
                write_new(&path, format!("{FORMAT}\n").as_bytes())
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(damaged(&what, "it holds no format number"))
            }
            Err(error) => Err(starting(disk(&what, &error))),
        }
    }

    /// The key-encryption key; made if the folder has no keys yet.
    pub(crate) fn kek(&self, entropy: &dyn Entropy) -> Result<Key, Fault> {
        let path = self.kek_file();
        let what = format!("read the key-encryption key {}", path.display());
        let text = match fs::read_to_string(&path) {
            Ok(text) => Zeroizing::new(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if self.key_file().exists() {
                    let found = "it is missing, though there are keys that only it opens; put it back";
                    return Err(Fault::stop(Code::WrongKey, format!("{what}: {found}")));
                }
                return self.make_kek(&path, entropy);
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(not_a_key(&what)),
            Err(error) => return Err(starting(disk(&what, &error))),
        };
        let mode = fs::metadata(&path).map_err(|error| starting(disk(&what, &error)))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(Fault::stop(
                Code::WrongKey,
                format!("{what}: others may read it (mode {:o}); run chmod 600 on it", mode & 0o777),
            ));
        }
        Key::from_hex(text.trim()).ok_or_else(|| not_a_key(&what))
    }

    fn make_kek(&self, path: &Path, entropy: &dyn Entropy) -> Result<Key, Fault> {
        let what = format!("made {}", path.display());
        let keys = self.path.join("keys");
        DirBuilder::new().recursive(true).mode(0o700).create(keys).map_err(|error| starting(disk(&what, &error)))?;
        let kek = Key::random(entropy);
        let mut text = Zeroizing::new(String::with_capacity(65));
        kek.bytes().iter().for_each(|byte| text.push_str(&format!("{byte:02x}")));
        text.push('\n');
        write_new(path, text.as_bytes())?;
        Ok(kek)
    }

    /// Lets others have the folder.
    pub(crate) fn release(&self) {
        // Nothing is left to do if this fails: the lock ends with the process at the latest.
        let _ = self.lock.unlock();
    }
}

fn not_a_key(what: &str) -> Fault {
    Fault::stop(Code::WrongKey, format!("{what}: it is not 64 hexadecimal digits; put the right key back"))
}

/// At the start there is no input to hold back: whatever the disk refuses ends it.
pub(crate) fn starting(fault: Fault) -> Fault {
    Fault { remedy: Remedy::Stop, ..fault }
}

/// Writes a file for the owner only, whole or not at all.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let write = || -> io::Result<()> {
        let unfinished = path.with_extension("new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)?;
        sync_folder(path)
    };
    write().map_err(|error| starting(disk(&format!("made {}", path.display()), &error)))
}

/// Makes a new name in the folder of `path` durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
