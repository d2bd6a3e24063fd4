//! Programs from Maven Central, kept under `.cache/jars/` of the workspace.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use super::java::Java;

/// Maven's goal that brings dependencies into a folder.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// A program and where it comes from.
#[derive(Debug)]
pub(super) struct Jars {
    /// What it is kept as: name and version, so that another version is another folder.
    pub name: &'static str,
    /// What is downloaded, in megabytes, for whoever waits.
    pub megabytes: u32,
    /// The dependencies of a Maven project that needs nothing else.
    pub dependencies: &'static str,
    /// What is left to do once they are in `libs/` of the folder.
    pub finish: fn(folder: &Path, java: &Java) -> Result<(), String>,
}

impl Jars {
    /// The folder that holds the program, downloaded first if it was not yet. The error says what to install.
    pub fn kept(&self, java: &Java) -> Result<PathBuf, String> {
        let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.cache/jars");
        fs::create_dir_all(&cache).map_err(|error| format!("cannot make {}: {error}", cache.display()))?;
        let cache = cache.canonicalize().map_err(|error| format!("cannot find {}: {error}", cache.display()))?;
        kept(&cache, self.name, |folder| {
            let since = Instant::now();
            eprintln!("{}: downloading {} MB from Maven Central", self.name, self.megabytes);
            self.download(folder)?;
            (self.finish)(folder, java)?;
            eprintln!("{}: ready after {} s, kept in .cache/jars", self.name, since.elapsed().as_secs());
            Ok(())
        })
    }

    fn download(&self, folder: &Path) -> Result<(), String> {
        let project = format!(
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n\
             <groupId>saidso</groupId><artifactId>test-server</artifactId><version>1</version>\n\
             <dependencies>{}</dependencies></project>\n",
            self.dependencies
        );
        fs::write(folder.join("pom.xml"), project).map_err(|error| format!("cannot write the project: {error}"))?;
        let mut maven = Command::new("mvn");
        maven.args(["--quiet", "--batch-mode", "--no-transfer-progress", COPY]);
        run(maven.arg("-DoutputDirectory=libs").current_dir(folder)).map_err(|error| match error {
            NotRun::Missing => "needs Maven to download it; install maven (Debian's package)".to_owned(),
            NotRun::Failed(said) => format!("Maven could not download {}:\n{said}", self.name),
        })
    }
}

/// Why a command came to nothing.
#[derive(Debug)]
pub(super) enum NotRun {
    /// There is no such program.
    Missing,
    /// What it said.
    Failed(String),
}

/// Runs a command to its end.
pub(super) fn run(command: &mut Command) -> Result<(), NotRun> {
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            Err(NotRun::Failed(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(NotRun::Missing),
        Err(error) => Err(NotRun::Failed(error.to_string())),
    }
}

/// The folder `name` of the cache, filled first if it is not there. One process fills it while others wait; what was
/// filled halfway is never seen, and begun again.
fn kept(cache: &Path, name: &str, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
    let folder = cache.join(name);
    let broken = |error: io::Error| format!("cannot keep {}: {error}", folder.display());
    // The lock outlives nobody: the system lets go of it with the process.
    let lock = File::create(cache.join(format!("{name}.lock"))).map_err(broken)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            eprintln!("{name}: waiting for another process that is downloading it");
            lock.lock().map_err(broken)?;
        }
        Err(TryLockError::Error(error)) => return Err(broken(error)),
    }
    if !folder.exists() {
        let part = cache.join(format!("{name}.part"));
        if part.exists() {
            fs::remove_dir_all(&part).map_err(broken)?;
        }
        fs::create_dir(&part).map_err(broken)?;
        fill(&part)?;
        fs::rename(&part, &folder).map_err(broken)?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Barrier,
            atomic::{AtomicUsize, Ordering},
        },
        thread,
    };

    use super::*;

    #[test]
    fn of_many_at_once_one_fills_and_all_see_it_whole() {
        let cache = tempfile::tempdir().expect("a folder");
        let (fills, together) = (AtomicUsize::new(0), Barrier::new(8));
        let take = || {
            together.wait();
            let folder = kept(cache.path(), "thing-1", |folder| {
                fills.fetch_add(1, Ordering::Relaxed);
                fs::write(folder.join("first"), "").map_err(|error| error.to_string())?;
                thread::yield_now();
                fs::write(folder.join("last"), "").map_err(|error| error.to_string())
            });
            assert!(folder.expect("it is filled").join("last").exists());
        };
        thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(take);
            }
        });
        assert_eq!(fills.into_inner(), 1);
    }

    #[test]
    fn what_failed_halfway_is_begun_again() {
        let cache = tempfile::tempdir().expect("a folder");
        let halfway = |folder: &Path| {
            fs::write(folder.join("half"), "").map_err(|error| error.to_string())?;
            Err("the line went dead".to_owned())
        };
        assert_eq!(kept(cache.path(), "thing-1", halfway), Err("the line went dead".to_owned()));
        assert!(!cache.path().join("thing-1").exists());
        let folder = kept(cache.path(), "thing-1", |_| Ok(())).expect("it is filled");
        assert!(!folder.join("half").exists());
    }
}
