//! A question's vector, and what its nearness to a text says.

use saidso_core::{fault::Fault, ports::Embedder, text::Language};

use crate::{
    cohort::{Background, Cohorts, stands_out},
    kernel::Kernel,
    matrix::Near,
    space::Space,
    vectors::Vectors,
};

/// A question's vector, ready to be compared with what a space holds.
#[derive(Debug)]
pub struct Meaning<'a> {
    vector: &'a [f32],
    /// What unrelated statements' cosines with it are, by their language.
    backgrounds: Vec<(Language, Background)>,
    /// Below this cosine (of a language) a vector alone finds nothing.
    related: Vec<(Language, f32)>,
    /// The space's memories.
    pub(crate) memories: Side<'a>,
    /// Its passages.
    pub(crate) passages: Side<'a>,
}

/// What a question is compared with.
#[derive(Debug)]
pub(crate) struct Side<'a> {
    vectors: &'a Vectors,
    /// Per text, what unrelated questions' cosines with it are.
    backgrounds: &'a [Option<Background>],
}

impl<'a> Side<'a> {
    fn of(vectors: &'a Vectors, embedder: &dyn Embedder, cohorts: &Cohorts) -> Result<Self, Fault> {
        Ok(Self { vectors, backgrounds: vectors.backgrounds(embedder, cohorts)? })
    }

    /// The texts nearest to a question, nearest first.
    pub(crate) fn nearest(&self, meaning: &Meaning<'_>) -> Vec<Near> {
        self.vectors.matrix.nearest(Kernel::best(), meaning.vector)
    }
}

impl<'a> Meaning<'a> {
    /// Of a question's vector, in a space.
    pub fn of(vector: &'a [f32], space: &'a Space, embedder: &dyn Embedder, cohorts: &Cohorts) -> Result<Self, Fault> {
        let calibration = embedder.calibration();
        let background = |language| Ok((language, cohorts.question(vector, language, embedder)?));
        let related = |language| (language, calibration.related.get(language) as f32 / 10_000.0);
        Ok(Self {
            vector,
            backgrounds: space.languages().map(background).collect::<Result<_, Fault>>()?,
            related: space.languages().map(related).collect(),
            memories: Side::of(&space.vectors, embedder, cohorts)?,
            passages: Side::of(&space.raw_vectors, embedder, cohorts)?,
        })
    }

    /// How far a text's cosine stands out; `None` if that says nothing.
    pub(crate) fn stands_out(&self, side: &Side<'_>, text: u32, cosine: f32) -> Option<f32> {
        let language = side.vectors.language(text);
        let (_, question) = self.backgrounds.iter().find(|(of, _)| *of == language)?;
        stands_out(cosine, *question, side.backgrounds[text as usize]?)
    }

    /// Below this cosine a text's vector alone finds nothing.
    pub(crate) fn related(&self, side: &Side<'_>, text: u32) -> f32 {
        let language = side.vectors.language(text);
        self.related.iter().find(|(of, _)| *of == language).map_or(1.0, |(_, cosine)| *cosine)
    }
}
