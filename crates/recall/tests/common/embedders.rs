//! Embedders named by how they behave.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fault::{Code, Fault},
    ports::{Embedder, Purpose},
    vector::Vector,
};

/// Words that mean about the same. Texts about one line are near, whatever words they use.
const MEANINGS: [&[&str]; 4] = [
    &["vegetarian", "cook", "dinner", "吃素", "做什么菜"],
    &["insulin", "diabetes", "медикамент", "инсулин"],
    &["warehouse", "storage", "hall"],
    &["violin", "instrument", "orchestra"],
];

/// A vector that crowds with all others, like a real model's, and leans towards what the text is about.
pub fn concepts(text: &str) -> Vector {
    let lower = text.to_lowercase();
    let mut components = vec![0.0f32; 16];
    components[0] = 1.0;
    for (axis, words) in MEANINGS.iter().enumerate() {
        if words.iter().any(|word| lower.contains(word)) {
            components[1 + axis] = 0.8;
        }
    }
    // Some scatter of every text's own, so that a background has a spread.
    for (at, byte) in lower.bytes().enumerate() {
        components[6 + (at * 7 + usize::from(byte)) % 10] += 0.02;
    }
    Vector::new(&components).unwrap()
}

/// Knows a few meanings, and counts what it is asked.
#[derive(Clone, Default)]
pub struct Concepts {
    /// Queries embedded beyond the fixed neutral texts.
    pub queries: Arc<AtomicUsize>,
}

impl Embedder for Concepts {
    fn id(&self) -> &str {
        "concepts/1"
    }
    fn dimension(&self) -> usize {
        16
    }
    fn calibration(&self) -> Calibration {
        Calibration { duplicate: ByLanguage::all(9_900), related: ByLanguage::all(8_000) }
    }
    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        if purpose == Purpose::Query && texts.len() == 1 {
            self.queries.fetch_add(1, Ordering::Relaxed);
        }
        Ok(texts.iter().map(|text| concepts(text)).collect())
    }
}

/// The same vector for every text.
pub struct Constant;

impl Embedder for Constant {
    fn id(&self) -> &str {
        "constant/1"
    }
    fn dimension(&self) -> usize {
        16
    }
    fn calibration(&self) -> Calibration {
        Calibration { duplicate: ByLanguage::all(10_000), related: ByLanguage::all(10_000) }
    }
    fn embed(&self, _: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        Ok(texts.iter().map(|_| Vector::new(&[1.0; 16]).unwrap()).collect())
    }
}

/// Never answers.
pub struct Away;

impl Embedder for Away {
    fn id(&self) -> &str {
        "away/1"
    }
    fn dimension(&self) -> usize {
        16
    }
    fn calibration(&self) -> Calibration {
        Concepts::default().calibration()
    }
    fn embed(&self, _: Purpose, _: &[&str]) -> Result<Vec<Vector>, Fault> {
        Err(Fault::retry(Code::ModelUnavailable, "embedding: the fake is away"))
    }
}
