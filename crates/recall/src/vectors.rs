//! The vectors of some texts of a space, and what their cosines with unrelated questions are.

use std::sync::OnceLock;

use saidso_core::{fault::Fault, ports::Embedder, text::Language, vector::Vector};

use crate::{
    cohort::{Background, Cohorts},
    matrix::Matrix,
};

/// Texts by index, some with a vector.
#[derive(Debug)]
pub struct Vectors {
    pub(crate) matrix: Matrix,
    languages: Vec<Language>,
    /// Made by the first question: a list or an export needs no embedder.
    backgrounds: OnceLock<Vec<Option<Background>>>,
}

impl Vectors {
    /// Of texts in order, each with its language and its vector, if it has one.
    pub fn of<'a>(texts: impl Iterator<Item = (Language, Option<&'a Vector>)>) -> Self {
        let (languages, vectors): (Vec<Language>, Vec<Option<&Vector>>) = texts.unzip();
        let matrix = Matrix::new((0..).zip(vectors).filter_map(|(index, vector)| Some((index, vector?))));
        Self { matrix, languages, backgrounds: OnceLock::new() }
    }

    /// The language of a text.
    pub fn language(&self, text: u32) -> Language {
        self.languages[text as usize]
    }

    /// The languages of all texts.
    pub fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        self.languages.iter().copied()
    }

    /// Per text, its background among questions; none for a text without a vector.
    pub(crate) fn backgrounds(
        &self,
        embedder: &dyn Embedder,
        cohorts: &Cohorts,
    ) -> Result<&[Option<Background>], Fault> {
        if let Some(backgrounds) = self.backgrounds.get() {
            return Ok(backgrounds);
        }
        let mut backgrounds = vec![None; self.languages.len()];
        for (owner, vector) in self.matrix.rows() {
            backgrounds[owner as usize] = Some(cohorts.passage(&vector, self.language(owner), embedder)?);
        }
        Ok(self.backgrounds.get_or_init(|| backgrounds))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let each = size_of::<Language>() + size_of::<Option<Background>>();
        self.matrix.bytes() + self.languages.len() * each
    }
}
