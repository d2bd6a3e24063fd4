//! The embedder of load measurements.

use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fault::Fault,
    ports::{Embedder, Purpose},
    vector::Vector,
};

/// The same unit vector for each text (`--embedder constant`): every cosine is 1, so rules and words alone decide, and
/// a measurement shows what everything but the model costs.
#[derive(Debug, Clone)]
pub struct ConstantEmbedder {
    vector: Vector,
}

impl ConstantEmbedder {
    /// With vectors of `dimension` components; at least one is made.
    pub fn new(dimension: usize) -> Self {
        let vector = Vector::new(&vec![1.0; dimension.max(1)]).expect("ones are finite and not zero");
        Self { vector }
    }
}

impl Embedder for ConstantEmbedder {
    fn id(&self) -> &str {
        "constant/1"
    }

    fn dimension(&self) -> usize {
        self.vector.components().len()
    }

    fn calibration(&self) -> Calibration {
        Calibration { duplicate: ByLanguage::all(10_000), related: ByLanguage::all(10_000) }
    }

    fn embed(&self, _: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        Ok(vec![self.vector.clone(); texts.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_at_its_thresholds() {
        let embedder = ConstantEmbedder::new(384);
        let vectors = embedder.embed(Purpose::Query, &["one thing", "another"]).unwrap();
        assert_eq!(vectors.len(), 2);
        assert_eq!(vectors[0].components().len(), embedder.dimension());
        assert!(vectors[0].cosine(&vectors[1]).unwrap() >= embedder.calibration().duplicate.en);
    }
}
