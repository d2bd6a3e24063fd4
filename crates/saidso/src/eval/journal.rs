//! What a run has done so far, a line a step, so that a run that was cut short goes on. Ids, counts and times: no words.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::EvalError;

const FILE: &str = "run.jsonl";

/// A space, published and visible.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// Its turns.
    pub turns: usize,
    /// Those that were refused.
    pub refused: usize,
    /// Memories made of them, past ones too.
    pub memories: usize,
    /// Turns that some memory quotes.
    pub telling: usize,
    /// What was said and not kept, by reason.
    pub drops: BTreeMap<String, usize>,
    /// Milliseconds from the start of a publish until a recall showed the turn; of turns published one by one.
    pub visible_ms: Vec<f64>,
}

/// A question, asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// For each result, best first, the messages of the space it quotes.
    pub results: Vec<Vec<String>>,
    /// Results that quote something which was not said in the space they came from.
    pub foreign: usize,
    /// Tokens of the texts of the first five.
    pub tokens: usize,
    /// Milliseconds of each recall over HTTP.
    pub recall_ms: Vec<f64>,
}

/// One line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Note {
    /// The first: whom the run asks, and since when, in milliseconds since 1970.
    Began {
        asked: String,
        at_ms: i64,
    },
    Published {
        space: String,
        published: Published,
    },
    Answered {
        question: String,
        answer: Answer,
    },
}

/// The notes of a run.
pub struct Journal {
    path: PathBuf,
    file: File,
    began_ms: i64,
    published: HashMap<String, Published>,
    answered: HashMap<String, Answer>,
}

impl Journal {
    /// Goes on with the run in a folder, or begins one there. A line that was cut short is taken back.
    pub fn open(folder: &Path, asked: &str, now_ms: i64) -> Result<Self, EvalError> {
        let path = folder.join(FILE);
        let failed = |found| EvalError::File { tried: "read", path: path.clone(), found };
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(failed)?,
        };
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let open = || -> io::Result<File> {
            let file = OpenOptions::new().create(true).append(true).open(&path)?;
            file.set_len(whole as u64)?;
            Ok(file)
        };
        let file = open().map_err(failed)?;
        let (published, answered) = (HashMap::new(), HashMap::new());
        let mut journal = Self { path: path.clone(), file, began_ms: now_ms, published, answered };
        if whole == 0 {
            journal.note(&Note::Began { asked: asked.to_owned(), at_ms: now_ms })?;
            return Ok(journal);
        }
        for (at, line) in text[..whole].lines().enumerate() {
            let note = serde_json::from_str(line);
            match note.map_err(|_| EvalError::Journal { path: path.clone(), line: at + 1 })? {
                Note::Began { asked: found, .. } if found != asked => {
                    let wanted = asked.to_owned();
                    return Err(EvalError::OtherRun { path: folder.to_owned(), found, wanted });
                }
                Note::Began { at_ms, .. } => journal.began_ms = at_ms,
                Note::Published { space, published } => drop(journal.published.insert(space, published)),
                Note::Answered { question, answer } => drop(journal.answered.insert(question, answer)),
            }
        }
        Ok(journal)
    }

    /// When the run began, in milliseconds since 1970: what the times of its turns are reckoned from.
    pub fn began_ms(&self) -> i64 {
        self.began_ms
    }

    /// What became of a space.
    pub fn published(&self, space: &str) -> Option<&Published> {
        self.published.get(space)
    }

    /// What came back of a question.
    pub fn answered(&self, question: &str) -> Option<&Answer> {
        self.answered.get(question)
    }

    /// Notes that a space is in.
    pub fn publish(&mut self, space: &str, published: Published) -> Result<(), EvalError> {
        self.note(&Note::Published { space: space.to_owned(), published: published.clone() })?;
        self.published.insert(space.to_owned(), published);
        Ok(())
    }

    /// Notes an answer.
    pub fn answer(&mut self, question: &str, answer: Answer) -> Result<(), EvalError> {
        self.note(&Note::Answered { question: question.to_owned(), answer: answer.clone() })?;
        self.answered.insert(question.to_owned(), answer);
        Ok(())
    }

    fn note(&mut self, note: &Note) -> Result<(), EvalError> {
        let mut line = serde_json::to_vec(note).unwrap_or_default();
        line.push(b'\n');
        let failed = |found| EvalError::File { tried: "wrote", path: self.path.clone(), found };
        self.file.write_all(&line).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_run_goes_on_where_it_was_cut_short() {
        let folder = tempfile::tempdir().unwrap();
        let published = Published { turns: 3, visible_ms: vec![1.5], ..Published::default() };
        let answer = Answer { results: vec![vec!["0/a".to_owned()]], tokens: 7, ..Answer::default() };
        let mut journal = Journal::open(folder.path(), "somebody", 5).unwrap();
        journal.publish("space", published.clone()).unwrap();
        journal.answer("question", answer.clone()).unwrap();
        let mut file = OpenOptions::new().append(true).open(folder.path().join(FILE)).unwrap();
        file.write_all(b"{\"answered\":{\"question\":\"other\",\"ans").unwrap();

        let mut again = Journal::open(folder.path(), "somebody", 9).unwrap();
        assert_eq!(again.began_ms(), 5);
        assert_eq!(again.published("space"), Some(&published));
        assert_eq!((again.answered("question"), again.answered("other")), (Some(&answer), None));
        again.answer("other", answer.clone()).unwrap();
        assert_eq!(Journal::open(folder.path(), "somebody", 9).unwrap().answered("other"), Some(&answer));
    }

    #[test]
    fn a_run_that_asked_somebody_else_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        Journal::open(folder.path(), "somebody", 5).unwrap();
        let other = Journal::open(folder.path(), "nobody", 5).err().unwrap();
        assert!(matches!(other, EvalError::OtherRun { .. }), "{other}");
        fs::write(folder.path().join(FILE), "notes of my own\n").unwrap();
        let strange = Journal::open(folder.path(), "somebody", 5).err().unwrap();
        assert!(matches!(strange, EvalError::Journal { line: 1, .. }), "{strange}");
    }
}
