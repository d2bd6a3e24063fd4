//! A lexical stand-in for the built-in embedder, for machines without its weights.

use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fault::Fault,
    ports::{Embedder, Purpose},
    text::terms,
    vector::Vector,
};
use sha2::{Digest, Sha256};

/// Components of a vector; as many as the model has that this one stands in for.
const DIMENSION: usize = 384;

/// Hashes a text's terms to signed components (`--embedder words`). Texts that share terms are near, all others are
/// about at right angles: it knows words, not meanings, and no two languages meet in it.
#[derive(Debug, Clone, Default)]
pub struct WordsEmbedder(());

impl WordsEmbedder {
    /// Needs nothing.
    pub fn new() -> Self {
        Self(())
    }
}

impl Embedder for WordsEmbedder {
    fn id(&self) -> &str {
        "words/1"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn calibration(&self) -> Calibration {
        // Chance collisions of a few terms in 384 components stay below .2; the same words bent otherwise meet at 1.
        Calibration { duplicate: ByLanguage::all(8_500), related: ByLanguage::all(2_000) }
    }

    fn embed(&self, _: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        Ok(texts.iter().map(|text| embed(text)).collect())
    }
}

/// Component 0 is for texts whose terms are none, or cancel out: they have a direction too, and meet nothing else.
fn embed(text: &str) -> Vector {
    let mut components = [0.0f32; DIMENSION];
    for term in terms(text) {
        let hash = Sha256::digest(term.as_bytes());
        let place = u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]) as usize % (DIMENSION - 1) + 1;
        components[place] += if hash[4] & 1 == 0 { 1.0 } else { -1.0 };
    }
    Vector::new(&components).unwrap_or_else(|| {
        components[0] = 1.0;
        Vector::new(&components).expect("one component is 1, all others 0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> i32 {
        let vectors = WordsEmbedder::new().embed(Purpose::Passage, &[a, b]).unwrap();
        vectors[0].cosine(&vectors[1]).unwrap()
    }

    #[test]
    fn shared_words_bring_texts_together() {
        let calibration = WordsEmbedder::new().calibration();
        assert_eq!(cosine("I keep two grey cats.", "i keep two GREY cats"), 10_000);
        assert!(cosine("I keep two grey cats.", "What colour are the cats?") >= calibration.related.en);
        assert!(cosine("I keep two grey cats.", "My train to Porto leaves at noon.") < calibration.related.en);
        assert!(cosine("Я живу в Казани", "Живёте ли вы в Казани?") >= calibration.related.ru);
        assert!(cosine("我住在杭州", "你住在哪里") >= calibration.related.zh);
    }

    #[test]
    fn a_text_without_words_has_a_vector_near_nothing_else() {
        assert_eq!(cosine("", "?!"), 10_000);
        assert_eq!(cosine("", "word"), 0);
    }
}
