//! What an embedder's cosines look like between statements and questions that have nothing to do with each other.
//!
//! Cosines crowd together and shift with the language, the question and the passage, so a single one says nothing. A
//! cosine is therefore measured against two backgrounds: the same question against a fixed set of neutral statements,
//! and the same passage against a fixed set of neutral questions (symmetric score normalisation, "s-norm", Auckenthaler
//! et al. 2000, with a cohort of our own writing). It works the same in a space of one memory.

use std::sync::OnceLock;

use saidso_core::{
    fault::Fault,
    ports::{Embedder, Purpose},
    text::Language,
};

use crate::{kernel::Kernel, matrix::Matrix};

/// Statement | question, one pair a line, of our own writing.
const PAIRS: [&str; 3] = [include_str!("cohort/en.txt"), include_str!("cohort/zh.txt"), include_str!("cohort/ru.txt")];

/// Spread below which a background counts as having none: an embedder that answers the same for everything.
const SPREAD_MIN: f32 = 1e-3;

/// Mean and spread of a text's cosines with texts that have nothing to do with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Background {
    mean: f32,
    spread: f32,
}

impl Background {
    /// How far a cosine stands out, in spreads. `None` where there is no spread, so that no cosine says anything.
    fn over(self, cosine: f32) -> Option<f32> {
        (self.spread >= SPREAD_MIN).then(|| (cosine - self.mean) / self.spread)
    }
}

/// How far a cosine stands out of the backgrounds of its question and of its passage, in spreads.
pub fn stands_out(cosine: f32, question: Background, passage: Background) -> Option<f32> {
    Some((question.over(cosine)? + passage.over(cosine)?) / 2.0)
}

/// The neutral texts of all languages, embedded on first use.
#[derive(Debug, Default)]
pub struct Cohorts([OnceLock<Cohort>; 3]);

#[derive(Debug)]
struct Cohort {
    statements: Matrix,
    questions: Matrix,
}

impl Cohorts {
    /// Embeds every language now. About a second with the built-in embedder.
    pub fn warm(&self, embedder: &dyn Embedder) -> Result<(), Fault> {
        [Language::En, Language::Zh, Language::Ru].into_iter().try_for_each(|l| self.of(l, embedder).map(|_| ()))
    }

    /// A question's background among statements in a language.
    pub fn question(&self, vector: &[f32], language: Language, embedder: &dyn Embedder) -> Result<Background, Fault> {
        Ok(background(&self.of(language, embedder)?.statements, vector))
    }

    /// A passage's background among questions in its language.
    pub fn passage(&self, vector: &[f32], language: Language, embedder: &dyn Embedder) -> Result<Background, Fault> {
        Ok(background(&self.of(language, embedder)?.questions, vector))
    }

    fn of(&self, language: Language, embedder: &dyn Embedder) -> Result<&Cohort, Fault> {
        let index = match language {
            // Other languages of the Latin script behave most like English.
            Language::En | Language::Other => 0,
            Language::Zh => 1,
            Language::Ru => 2,
        };
        let cell = &self.0[index];
        if let Some(cohort) = cell.get() {
            return Ok(cohort);
        }
        let cohort = Cohort::embed(PAIRS[index], embedder)?;
        Ok(cell.get_or_init(|| cohort))
    }
}

impl Cohort {
    fn embed(pairs: &str, embedder: &dyn Embedder) -> Result<Self, Fault> {
        let (statements, questions): (Vec<&str>, Vec<&str>) =
            pairs.lines().filter_map(|line| line.split_once('|')).unzip();
        let statements = embedder.embed(Purpose::Passage, &statements)?;
        let questions = embedder.embed(Purpose::Query, &questions)?;
        Ok(Self { statements: Matrix::new((0..).zip(&statements)), questions: Matrix::new((0..).zip(&questions)) })
    }
}

fn background(cohort: &Matrix, vector: &[f32]) -> Background {
    let near = cohort.nearest(Kernel::best(), vector);
    let count = near.len().max(1) as f32;
    let mean = near.iter().map(|near| near.cosine).sum::<f32>() / count;
    let variance = near.iter().map(|near| (near.cosine - mean).powi(2)).sum::<f32>() / count;
    Background { mean, spread: variance.sqrt() }
}
