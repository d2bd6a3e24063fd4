//! `saidso publish`.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use saidso_core::position::Position;
use serde::Deserialize;

use super::{show, target::Target};
use crate::{
    args::Publish,
    failure::Failure,
    json,
    problem::{ErrorBody, ErrorDetail},
    wire::{Line, LineAnswer},
};

/// Lines sent at once, and bytes: enough to share a commit, little enough to show progress.
const BATCH_LINES: usize = 256;
const BATCH_BYTES: usize = 1024 * 1024;
/// How often the progress line moves while nothing is sent.
const TICK: Duration = Duration::from_millis(120);

#[derive(Default)]
struct Tally {
    new: usize,
    known: usize,
    refused: usize,
    /// Where the last good line stands.
    last: Option<Position>,
    /// The last position on each partition that was touched, and whose space it is.
    ends: BTreeMap<u32, (Position, String)>,
}

/// What is read of a line that was taken.
#[derive(Deserialize)]
struct Spoken {
    space: String,
}

/// Publishes a file, and waits until it is visible. Good lines are in even if others are refused; then the exit code
/// says so.
pub fn publish(args: &Publish) -> Result<(), Failure> {
    let failed = |found| Failure::File { tried: "read", path: args.file.clone(), found };
    let (mut reader, bytes) = open(&args.file).map_err(failed)?;
    let target = Target::of_new(&args.whom)?;
    let bar = bar(bytes, args.whom.json);
    let mut tally = Tally::default();
    let (mut batch, mut lines, mut before) = (Vec::new(), 0, 0);
    loop {
        let read = reader.read_until(b'\n', &mut batch).map_err(failed)?;
        lines += usize::from(read > 0);
        if read == 0 || lines - before == BATCH_LINES || batch.len() >= BATCH_BYTES {
            bar.inc(batch.len() as u64);
            let sent: Vec<Vec<u8>> = batch.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            for answer in send(&target, std::mem::take(&mut batch))? {
                tally.place(&answer, sent.get(answer.line.saturating_sub(1)));
                let answer = LineAnswer { line: answer.line + before, ..answer };
                bar.suspend(|| tally.add(&answer, args.whom.json)).map_err(Failure::output)?;
            }
            before = lines;
        }
        if read == 0 {
            break;
        }
    }
    settle(&target, &tally, &bar)?;
    bar.finish_and_clear();
    if !args.whom.json {
        let Tally { new, known, refused, last, .. } = &tally;
        let last = last.map(|position| format!("; the last is at position {position}")).unwrap_or_default();
        show::print(&format!("published {new} turns; {known} were known, {refused} refused{last}\n"))?;
    }
    match tally.refused {
        0 => Ok(()),
        refused => Err(Failure::Lines { refused, lines: tally.new + tally.known + refused }),
    }
}

/// A partition is worked through in order: when its last position is visible, all before it are.
fn settle(target: &Target, tally: &Tally, bar: &ProgressBar) -> Result<(), Failure> {
    bar.enable_steady_tick(TICK);
    for (index, (position, space)) in tally.ends.values().enumerate() {
        bar.set_message(format!("waiting until it is visible ({} of {} partitions)", index + 1, tally.ends.len()));
        target.settle(space, *position)?;
    }
    Ok(())
}

/// A batch that is too long for the server goes line by line, so that only the line that is too long is refused.
pub fn send(target: &Target, batch: Vec<u8>) -> Result<Vec<LineAnswer>, Failure> {
    let lines: Vec<Vec<u8>> = batch.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    match target.publish(batch) {
        Err(Failure::Answered { status: 413, code, message, .. }) if lines.len() == 1 => {
            let error = ErrorDetail { code, message };
            Ok(vec![LineAnswer { line: 1, outcome: Line::Refused(ErrorBody { error }) }])
        }
        Err(Failure::Answered { status: 413, .. }) => {
            let mut answers = Vec::new();
            for (index, line) in lines.into_iter().enumerate() {
                let sent = send(target, line)?;
                answers.extend(sent.into_iter().map(|answer| LineAnswer { line: index + 1, ..answer }));
            }
            Ok(answers)
        }
        other => other,
    }
}

impl Tally {
    /// Notes where a line stands.
    fn place(&mut self, answer: &LineAnswer, line: Option<&Vec<u8>>) {
        let Line::Published(published) = &answer.outcome else { return };
        let spoken = line.and_then(|line| json::parse::<Spoken>(line).ok());
        let (Ok(position), Some(Spoken { space })) = (published.position.parse::<Position>(), spoken) else { return };
        self.last = Some(position);
        let end = self.ends.entry(position.partition).or_insert_with(|| (position, space.clone()));
        if position > end.0 {
            *end = (position, space);
        }
    }

    fn add(&mut self, answer: &LineAnswer, json: bool) -> io::Result<()> {
        match &answer.outcome {
            Line::Published(published) if published.known => self.known += 1,
            Line::Published(_) => self.new += 1,
            Line::Refused(body) => {
                self.refused += 1;
                if !json {
                    eprintln!("line {}: {} ({})", answer.line, body.error.message, body.error.code);
                }
            }
        }
        if json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, answer)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// The lines, and how many bytes they are if that can be told.
fn open(path: &Path) -> io::Result<(Box<dyn BufRead>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(BufReader::new(io::stdin())), None));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let bytes = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(BufReader::new(file)), bytes))
}

/// On stderr; not there if that is no terminal.
fn bar(bytes: Option<u64>, json: bool) -> ProgressBar {
    if json {
        return ProgressBar::hidden();
    }
    let bar = bytes.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = "publishing {wide_bar} {bytes}/{total_bytes} {eta} {msg}";
    match ProgressStyle::with_template(template) {
        Ok(style) if bytes.is_some() => bar.with_style(style),
        _ => bar,
    }
}
