//! Files of rows, and what the rows are: found from the fields of the first, whatever the file is called.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek},
    path::{Path, PathBuf},
};

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{
    EvalError,
    shapes::{self, Dialogue, Documents, Exchanges, Paragraph, Statement, Text},
    talk::{Talk, Talks},
};
use crate::json;

/// Rows without names of speakers that are one customer together: one alone is too easy to be told from the others.
const POOLED_ROWS: usize = 100;
/// Statements that are one customer's together.
const POOLED_STATEMENTS: usize = 1_000;

/// A line that is a row, and its number from 1.
struct Line {
    number: usize,
    bytes: Vec<u8>,
}

/// What a file comes to.
enum Content {
    /// What is said and asked, and how many rows are left out.
    Talks(Vec<Talk>, usize),
    /// Paragraphs, which other files may have in other languages.
    Paragraphs(Vec<Paragraph>),
}

/// Of each file its talks; of all files of paragraphs theirs together, since they may be parallel. Of each file the first
/// rows are taken, at most `limit`.
pub fn files(files: &[PathBuf], limit: Option<usize>) -> Result<Vec<Talks>, EvalError> {
    let (mut all, mut paragraphs) = (Vec::new(), Vec::new());
    for path in files {
        match content(path, &lines(path, limit.unwrap_or(usize::MAX))?)? {
            Content::Paragraphs(rows) => paragraphs.push((name(path), rows)),
            Content::Talks(talks, left_out) => {
                let talks = Talks { name: name(path), talks, left_out };
                if !talks.says_something() {
                    return Err(EvalError::Nothing { path: path.clone() });
                }
                all.push(talks);
            }
        }
    }
    if !paragraphs.is_empty() {
        let name = paragraphs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("+");
        all.push(Talks { name, talks: shapes::parallel(&paragraphs), left_out: 0 });
    }
    Ok(all)
}

fn content(path: &Path, lines: &[Line]) -> Result<Content, EvalError> {
    let first: Map<String, Value> = match lines.first() {
        Some(line) => parsed(path, line)?,
        None => return Err(EvalError::Nothing { path: path.to_owned() }),
    };
    let has = |field: &str| first.contains_key(field);
    let each = |talks| Ok(Content::Talks(talks, 0));
    if has("docs") && has("qa") {
        let rows: Vec<(usize, Documents)> = rows(path, lines)?.into_iter().enumerate().collect();
        let named = rows.iter().any(|(_, row)| row.has_speakers());
        each(rows.chunks(if named { 1 } else { POOLED_ROWS }).map(shapes::documents).collect())
    } else if has("context") && has("qa") {
        Ok(Content::Paragraphs(rows(path, lines)?))
    } else if (has("preference") || has("t")) && (has("question") || has("q")) {
        let all = rows::<Statement>(path, lines)?;
        let count = all.len();
        let stated: Vec<Statement> = all.into_iter().filter(Statement::is_said).collect();
        let talks = stated.chunks(POOLED_STATEMENTS).map(shapes::statements).collect();
        Ok(Content::Talks(talks, count - stated.len()))
    } else if has("turns") {
        each(rows::<Dialogue>(path, lines)?.into_iter().map(Dialogue::talk).collect())
    } else if has("dialogue") {
        each(rows::<Exchanges>(path, lines)?.into_iter().map(Exchanges::talk).collect())
    } else if has("text") {
        each(rows::<Text>(path, lines)?.into_iter().map(Text::talk).collect())
    } else {
        Err(EvalError::Shape { path: path.to_owned() })
    }
}

fn rows<T: DeserializeOwned>(path: &Path, lines: &[Line]) -> Result<Vec<T>, EvalError> {
    lines.iter().map(|line| parsed(path, line)).collect()
}

fn parsed<T: DeserializeOwned>(path: &Path, line: &Line) -> Result<T, EvalError> {
    json::parse(&line.bytes).map_err(|problem| EvalError::Row {
        path: path.to_owned(),
        line: line.number,
        found: problem.to_string(),
    })
}

/// JSON Lines, gzipped or not; empty lines are nothing.
fn lines(path: &Path, limit: usize) -> Result<Vec<Line>, EvalError> {
    let read = || -> io::Result<Vec<Line>> {
        let mut file = File::open(path)?;
        let mut magic = [0; 2];
        let zipped = file.read(&mut magic)? == 2 && magic == [0x1f, 0x8b];
        file.rewind()?;
        let reader: Box<dyn BufRead> = match zipped {
            true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
            false => Box::new(BufReader::new(file)),
        };
        let lines = reader.split(b'\n').enumerate().map(|(at, bytes)| Ok(Line { number: at + 1, bytes: bytes? }));
        lines.filter(|line| !matches!(line, Ok(line) if line.bytes.trim_ascii().is_empty())).take(limit).collect()
    };
    read().map_err(|found| EvalError::File { tried: "read", path: path.to_owned(), found })
}

/// A file's name without its endings.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
