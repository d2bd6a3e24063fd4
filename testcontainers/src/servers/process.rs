//! A server as a process of its own that cannot outlive its owner.

use std::{
    ffi::OsStr,
    fs,
    io::{self, BufRead as _, BufReader, Write as _},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How often something is looked at that nothing tells us of: an open port, a process that has ended.
pub(super) const POLL: Duration = Duration::from_millis(25);

/// Starts the server and keeps watch over it. The watch takes signals to pass on, one name a line, and answers each once
/// it is delivered. When the pipe closes, however the owner ended, it kills the server, and the folder goes too.
///
/// A pipe rather than the kernel's parent-death signal: that one fires when the *thread* that started the child ends,
/// and a test's thread ends with the test. The watch is ended by SIGTERM once the server is gone, unless it is the one
/// that killed it.
const KEEPER: &str = r#"
exec 3<&0 </dev/null
folder=$1 log=$2; shift 2
"$@" >>"$log" 2>&1 3<&- & server=$!
(
    while read -r signal <&3; do kill -s "$signal" "$server"; echo; done
    trap '' TERM
    kill -s KILL "$server"
) & watch=$!
exec 3<&- >/dev/null
wait "$server"
kill "$watch"
wait "$watch" && rm -rf "$folder"
"#;

/// A signal that a server can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Term,
    Kill,
    Stop,
    Cont,
}

impl Signal {
    fn name(self) -> &'static str {
        match self {
            Signal::Term => "TERM",
            Signal::Kill => "KILL",
            Signal::Stop => "STOP",
            Signal::Cont => "CONT",
        }
    }
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Process {
    keeper: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    log: PathBuf,
}

impl Process {
    /// Starts a program that works in `folder` and writes to `folder/server.log`. The folder is the server's own: it is
    /// removed if this process ends without dropping the server.
    pub fn start(program: &Path, arguments: &[impl AsRef<OsStr>], folder: &Path) -> io::Result<Process> {
        let log = folder.join("server.log");
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .args([folder, &log, program])
            .args(arguments)
            .current_dir(folder)
            // A group of its own, so that Ctrl-C reaches the owner alone and servers end in one way only.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(orders), Some(answers)) = (keeper.stdin.take(), keeper.stdout.take()) else {
            unreachable!("both were asked to be piped")
        };
        Ok(Process { keeper, orders, answers: BufReader::new(answers), log })
    }

    /// Sends a signal, and comes back when it is delivered.
    pub fn signal(&mut self, signal: Signal) -> io::Result<()> {
        writeln!(self.orders, "{}", signal.name())?;
        // The end of the pipe means that the server is gone, which a signal to it can well lead to.
        self.answers.read_line(&mut String::new()).map(drop)
    }

    /// Whether the server is gone.
    pub fn ended(&mut self) -> bool {
        !matches!(self.keeper.try_wait(), Ok(None))
    }

    /// Asks the server to end, and waits for that as long as `patience`.
    pub fn stop(&mut self, patience: Duration) {
        // A frozen server hears nothing else. One that cannot be signalled is gone.
        let asked = self.signal(Signal::Cont).and_then(|()| self.signal(Signal::Term));
        let deadline = Instant::now() + patience;
        while asked.is_ok() && !self.ended() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
    }

    /// The last lines that the server wrote.
    pub fn log_tail(&self) -> String {
        const LINES: usize = 15;
        const LINE_CHARS: usize = 300;
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        last.iter().flat_map(|line| line.chars().take(LINE_CHARS).chain(['\n'])).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Where nothing can be sent there is nobody to wait for.
        let _ = self.signal(Signal::Kill).and_then(|()| self.keeper.wait().map(drop));
    }
}
