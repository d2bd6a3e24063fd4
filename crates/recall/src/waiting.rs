//! Questions whose answers nobody is sure of, on their way into the queue: kept in memory and written now and then, so that
//! no recall waits for it. What a crash loses, or what is too much, are a few questions.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use saidso_core::{
    fault::Fault,
    ids::Names,
    limits,
    ports::{Entropy, Keys, Reviews},
    review::{self, Doubtful, Question, ReviewRow},
    scope::Scope,
};

use crate::tally::SPACES_AT_ONCE;

/// What it takes to write them.
pub(crate) struct Writing<'a> {
    pub reviews: &'a dyn Reviews,
    pub keys: &'a dyn Keys,
    pub names: &'a Names,
    pub entropy: &'a dyn Entropy,
    pub now_ms: i64,
}

/// What was answered, and when.
struct Answered {
    at_ms: i64,
    results: Vec<Doubtful>,
}

/// Questions by their words, of each space.
#[derive(Default)]
struct Held {
    spaces: HashMap<Scope, HashMap<String, Answered>>,
    questions: usize,
}

/// What is not written yet.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<Held>);

impl Waiting {
    /// To be written with the next, in place of the same question asked before.
    pub fn add(&self, scope: &Scope, question: &str, at_ms: i64, results: Vec<Doubtful>) {
        let mut held = self.lock();
        let room = held.questions < limits::REVIEWS_UNWRITTEN;
        let space = held.spaces.entry(scope.clone()).or_default();
        match space.get_mut(question) {
            Some(answered) => *answered = Answered { at_ms, results },
            None if room => {
                space.insert(question.to_owned(), Answered { at_ms, results });
                held.questions += 1;
            }
            None => {}
        }
    }

    /// Writes all of them. What the store does not take is not tried again: it will be asked again, if it matters.
    pub fn write(&self, with: &Writing<'_>) -> Result<(), Fault> {
        let spaces: Vec<_> = std::mem::take(&mut *self.lock()).spaces.into_iter().collect();
        for spaces in spaces.chunks(SPACES_AT_ONCE) {
            let sealed = |(scope, questions): &(Scope, _)| Ok((scope.clone(), with.seal(scope, questions)?));
            let spaces = spaces.iter().map(sealed).collect::<Result<Vec<_>, Fault>>()?;
            with.reviews.put_reviews(&spaces)?;
            for (scope, _) in &spaces {
                with.trim(scope, with.reviews.reviews(scope)?)?;
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writing<'_> {
    fn seal(&self, scope: &Scope, questions: &HashMap<String, Answered>) -> Result<Vec<ReviewRow>, Fault> {
        let (key, ids) = (self.keys.space_key(scope)?, self.names.ids(scope));
        let row = |(words, Answered { at_ms, results }): (&String, &Answered)| {
            let question = Question(words.clone());
            ReviewRow::seal(scope, ids.review(words), *at_ms, results.clone(), &question, &key, self.entropy)
        };
        Ok(questions.iter().map(row).collect())
    }

    /// Lets go of what may not wait in a space.
    fn trim(&self, scope: &Scope, rows: Vec<ReviewRow>) -> Result<(), Fault> {
        let gone = review::surplus(rows, self.now_ms);
        if gone.is_empty() { Ok(()) } else { self.reviews.remove_reviews(scope, &gone) }
    }

    /// Lets go of what may not wait in any space.
    pub fn trim_all(&self) -> Result<(), Fault> {
        self.reviews.each_queue(&|_| true, &mut |queue| match review::open(&queue, self.keys)? {
            Some((scope, _)) => self.trim(&scope, queue.rows),
            None => Ok(()),
        })
    }
}
