//! `saidso publish`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::target::Target;
use crate::{
    args::Publish,
    failure::Failure,
    problem::{ErrorBody, ErrorDetail},
    wire::{Line, LineAnswer},
};

/// Lines sent at once, and bytes: enough to share a commit, little enough to show progress.
const BATCH_LINES: usize = 256;
const BATCH_BYTES: usize = 1024 * 1024;

#[derive(Default)]
struct Tally {
    new: usize,
    known: usize,
    refused: usize,
}

/// Publishes a file. Good lines are in even if others are refused; then the exit code says so.
pub fn publish(args: &Publish) -> Result<(), Failure> {
    let failed = |found| Failure::File { tried: "read", path: args.file.clone(), found };
    let (mut reader, bytes) = open(&args.file).map_err(failed)?;
    let target = Target::of(&args.whom)?;
    let bar = bar(bytes, args.whom.json);
    let mut tally = Tally::default();
    let (mut batch, mut lines, mut before) = (Vec::new(), 0, 0);
    loop {
        let read = reader.read_until(b'\n', &mut batch).map_err(failed)?;
        lines += usize::from(read > 0);
        if read == 0 || lines - before == BATCH_LINES || batch.len() >= BATCH_BYTES {
            bar.inc(batch.len() as u64);
            for answer in send(&target, std::mem::take(&mut batch))? {
                let answer = LineAnswer { line: answer.line + before, ..answer };
                bar.suspend(|| tally.add(&answer, args.whom.json)).map_err(Failure::output)?;
            }
            before = lines;
        }
        if read == 0 {
            break;
        }
    }
    bar.set_message("until the stages are through");
    target.settle()?;
    bar.finish_and_clear();
    if !args.whom.json {
        let Tally { new, known, refused } = tally;
        println!("published {new} turns; {known} were known, {refused} refused");
    }
    match tally.refused {
        0 => Ok(()),
        refused => Err(Failure::Lines { refused, lines: tally.new + tally.known + refused }),
    }
}

/// A batch that is too long for the server goes line by line, so that only the line that is too long is refused.
fn send(target: &Target, batch: Vec<u8>) -> Result<Vec<LineAnswer>, Failure> {
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
