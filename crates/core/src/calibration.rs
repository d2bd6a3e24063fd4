//! What an embedder's cosines mean. They crowd together and shift with the language, so no absolute cosine decides
//! anything alone: words decide with it.

use crate::text::Language;

/// Thresholds of one embedder, as cosines in ten-thousandths, by language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calibration {
    /// At or above: two passages may say the same.
    pub duplicate: ByLanguage,
    /// At or above: a passage may answer a query.
    pub related: ByLanguage,
}

/// One number per language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByLanguage {
    /// English.
    pub en: i32,
    /// Chinese.
    pub zh: i32,
    /// Russian.
    pub ru: i32,
    /// Any other, and pairs of different languages.
    pub other: i32,
}

impl ByLanguage {
    /// The same for every language.
    pub const fn all(value: i32) -> Self {
        Self { en: value, zh: value, ru: value, other: value }
    }

    /// For a language.
    pub fn get(&self, language: Language) -> i32 {
        match language {
            Language::En => self.en,
            Language::Zh => self.zh,
            Language::Ru => self.ru,
            Language::Other => self.other,
        }
    }
}
