//! What an endpoint answers.

use serde::Deserialize;

/// The vectors, each with the place of its text.
#[derive(Deserialize)]
pub(super) struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    index: usize,
    embedding: Vec<f32>,
}

impl Answer {
    /// `None` if it is anything else.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The vectors in the order of the texts; `None` unless there is one for each.
    pub fn rows(mut self, texts: usize) -> Option<Vec<Vec<f32>>> {
        self.data.sort_by_key(|row| row.index);
        let each = self.data.iter().map(|row| row.index).eq(0..texts);
        each.then(|| self.data.into_iter().map(|row| row.embedding).collect())
    }
}
