//! A server as a process of its own, with a folder and ports that outlive its restarts.

use std::{
    env,
    ffi::OsString,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rustix::fs::{StatVfs, statvfs};
use tempfile::TempDir;

use super::{
    Change,
    java::{self, Java},
    net,
    process::{Process, Signal},
    recipe::{Place, Recipe},
};

/// How long a server may take to end in good order.
const PATIENCE: Duration = Duration::from_secs(60);

/// Every server here is small and short-lived: one collector thread, and the quick compiler alone. What Java or a
/// library of it puts into a temporary folder goes with the server's own.
const JVM: [&str; 5] = [
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-XX:+ExitOnOutOfMemoryError",
    "-Djava.awt.headless=true",
];

/// A temporary folder; in memory, if that helps the server and there is room. What a killed process wrote outlives it
/// there as on any disk.
fn home(recipe: &Recipe) -> io::Result<TempDir> {
    const MEMORY: &str = "/dev/shm";
    const ROOM_BYTES: u64 = 4 << 30;
    let room = |found: &StatVfs| found.f_bavail * found.f_frsize >= ROOM_BYTES;
    let parent = match statvfs(MEMORY) {
        Ok(found) if recipe.syncs_often && room(&found) => MEMORY.into(),
        _ => env::temp_dir(),
    };
    tempfile::Builder::new().prefix(&format!("saidso-{}-", recipe.name)).tempdir_in(parent)
}

fn gone(error: io::Error) -> String {
    format!("its process is gone: {error}")
}

/// A server's home, whether it runs at the moment or not.
#[derive(Debug)]
pub(super) struct Local {
    recipe: &'static Recipe,
    java: Java,
    place: Place,
    // In this order: the process is gone before its folder is removed.
    process: Mutex<Option<Process>>,
    _folder: TempDir,
}

impl Local {
    /// Makes the home of a server that does not run yet. The error says what to install.
    pub fn new(recipe: &'static Recipe) -> Result<Local, String> {
        let java = java::find(&recipe.java, recipe.java_package)?;
        let jars = recipe.jars.kept(&java)?;
        let folder = home(recipe).map_err(|error| format!("cannot make a temporary folder: {error}"))?;
        let (port, inner_port) = (net::free_port(), net::free_port());
        let place = Place { jars, folder: folder.path().to_owned(), port, inner_port };
        Ok(Local { recipe, java, place, process: Mutex::new(None), _folder: folder })
    }

    /// Where clients find it.
    pub fn address(&self) -> String {
        (self.recipe.address)(self.place.port)
    }

    fn process(&self) -> MutexGuard<'_, Option<Process>> {
        // Nothing here leaves it half changed.
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts, ends or freezes it. Whether it answers after a start is another question.
    pub fn change(&self, change: Change) -> Result<(), String> {
        let mut process = self.process();
        if process.as_mut().is_some_and(Process::ended) {
            *process = None;
        }
        match (change, process.as_mut()) {
            (Change::Start, Some(_)) => Err("it runs already".to_owned()),
            (Change::Start, None) => {
                *process = Some(self.launch().map_err(|error| format!("its process did not start: {error}"))?);
                Ok(())
            }
            (_, None) => Err("it does not run".to_owned()),
            (Change::Stop | Change::Kill, Some(running)) => {
                if change == Change::Stop {
                    running.stop(PATIENCE);
                }
                *process = None;
                Ok(())
            }
            (Change::Freeze, Some(running)) => running.signal(Signal::Stop).map_err(gone),
            (Change::Thaw, Some(running)) => running.signal(Signal::Cont).map_err(gone),
        }
    }

    fn launch(&self) -> io::Result<Process> {
        let mut arguments: Vec<OsString> = JVM.map(OsString::from).to_vec();
        arguments.push(format!("-Djava.io.tmpdir={}", self.place.folder.display()).into());
        arguments.extend((self.recipe.launch)(&self.place)?);
        Process::start(&self.java.program, &arguments, &self.place.folder)
    }

    /// Whether it is gone.
    pub fn ended(&self) -> bool {
        self.process().as_mut().is_none_or(Process::ended)
    }

    /// The last lines it wrote.
    pub fn log_tail(&self) -> String {
        self.process().as_ref().map(Process::log_tail).unwrap_or_default()
    }
}
