//! The built-in embedder: multilingual-e5-small (384 dimensions, 100 languages) at 4 bits, in this process.
//!
//! The way in is [`E5::load`]. The path of a text: `tokenizer` (windows of piece ids) → `encoder` (a mean vector per
//! window, on the `kernel` the processor has) → windows averaged, scaled to length 1.
//!
//! It works on its caller's thread; [`crate::lanes`] shares a batch out among several.
//!
//! *Invariant:* a text's vector is the same bit for bit whatever stands beside it in a batch, and on any processor.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays are indexed side by side")]

mod attention;
mod encoder;
mod file;
mod kernel;
mod math;
mod matrix;
mod tokenizer;

use std::path::Path;

use saidso_core::{
    calibration::{ByLanguage, Calibration},
    fault::{Code, Fault},
    ports::{Embedder, Purpose},
    vector::Vector,
};
use sha2::{Digest, Sha256};

pub use file::BadFile;
pub use kernel::Kernel;

use encoder::Encoder;
use file::File;
use tokenizer::Tokenizer;

/// Positions one pass of the encoder takes at most (a longer window goes alone): enough to spread the cost of reading
/// the weights, little enough for the second-level cache.
const SLICE_POSITIONS: usize = 256;

/// What the model expects before a stored text, and before a question.
const PASSAGE: &str = "passage: ";
const QUERY: &str = "query: ";

/// Cosines of this model crowd together, Chinese and Russian ones higher than English ones. `duplicate` is below
/// 30 own pairs of paraphrases and above 99 % of random pairs of short first-person facts (97 % in Russian); `related` is
/// below 19 of 20 true pairs of question and statement, and cuts off half of the random ones: a necessary condition, no
/// more. Across languages paraphrases lie lower (.82 … .94). `tests/e5_reference.rs` holds the pairs.
const CALIBRATION: Calibration = Calibration {
    duplicate: ByLanguage { en: 9_200, zh: 9_400, ru: 9_150, other: 8_600 },
    related: ByLanguage { en: 7_600, zh: 8_500, ru: 8_150, other: 7_850 },
};

/// The model, ready to embed.
pub struct E5 {
    id: String,
    tokenizer: Tokenizer,
    encoder: Encoder,
    kernel: Kernel,
}

/// A window of a text: piece ids between begin and end.
struct Window {
    /// Which text.
    text: usize,
    ids: Vec<u32>,
    /// Positions of all windows before it.
    before: usize,
}

impl Window {
    /// How much the window counts in its text's average: its pieces.
    fn weight(&self) -> f64 {
        (self.ids.len() - 2).max(1) as f64
    }
}

impl E5 {
    /// Loads the weights (`e5-small-q4.bin`, about 72 MB).
    ///
    /// Fails with `Stop` if the file cannot be read or is not usable weights.
    pub fn load(path: &Path) -> Result<Self, Fault> {
        let file = std::fs::read(path).map_err(|e| {
            Fault::stop(Code::ModelUnavailable, format!("reading the embedder's weights at {}: {e}", path.display()))
        })?;
        Self::from_bytes(file).map_err(|e| {
            let message = format!(
                "the embedder's weights at {}: {e}; delete the file to have it fetched again, or name another",
                path.display()
            );
            Fault::stop(Code::Damaged, message)
        })
    }

    /// From a file's bytes; any bytes that are not usable weights are an error.
    pub fn from_bytes(file: Vec<u8>) -> Result<Self, BadFile> {
        let digest = Sha256::digest(&file);
        let version: String = digest[..4].iter().map(|b| format!("{b:02x}")).collect();
        let (file, tokenizer) = File::parse(file)?;
        Ok(Self {
            id: format!("multilingual-e5-small-q4/{version}"),
            tokenizer,
            encoder: Encoder::new(file)?,
            kernel: Kernel::best(),
        })
    }

    /// The same model on another kernel; vectors do not change, only speed.
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// Positions that a text takes as a passage, its windows together: what embedding it costs.
    pub fn tokens(&self, text: &str) -> usize {
        self.tokenizer.windows(PASSAGE, text, self.window()).iter().map(Vec::len).sum()
    }

    /// Pieces of a window at most.
    fn window(&self) -> usize {
        self.encoder.shape().max_positions - 2
    }

    fn windows(&self, purpose: Purpose, texts: &[&str]) -> Vec<Window> {
        let prefix = match purpose {
            Purpose::Passage => PASSAGE,
            Purpose::Query => QUERY,
        };
        let mut before = 0;
        let mut windows = Vec::with_capacity(texts.len());
        for (text, content) in texts.iter().enumerate() {
            for ids in self.tokenizer.windows(prefix, content, self.window()) {
                let positions = ids.len();
                windows.push(Window { text, ids, before });
                before += positions;
            }
        }
        windows
    }

    /// The encoder's mean for each window, in order.
    fn encode(&self, windows: &[Window]) -> Vec<f32> {
        let encode = |slice: &[Window]| {
            let ids: Vec<&[u32]> = slice.iter().map(|w| w.ids.as_slice()).collect();
            self.encoder.forward(self.kernel, &ids)
        };
        slices(windows).flat_map(encode).collect()
    }
}

/// Neighbouring windows in slices of about equal work, of about [`SLICE_POSITIONS`] at most.
fn slices(windows: &[Window]) -> impl Iterator<Item = &[Window]> {
    let total = windows.last().map_or(0, |last| last.before + last.ids.len());
    let count = total.div_ceil(SLICE_POSITIONS);
    // A window belongs where its middle falls.
    let slice = move |window: &Window| (window.before + window.ids.len() / 2) * count / total;
    windows.chunk_by(move |a, b| slice(a) == slice(b))
}

impl Embedder for E5 {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimension(&self) -> usize {
        self.encoder.shape().hidden
    }

    fn calibration(&self) -> Calibration {
        CALIBRATION
    }

    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        let hidden = self.dimension();
        let windows = self.windows(purpose, texts);
        let means = self.encode(&windows);
        let mut sums = vec![0.0f64; texts.len() * hidden];
        for (window, mean) in windows.iter().zip(means.chunks_exact(hidden)) {
            for (sum, x) in sums[window.text * hidden..][..hidden].iter_mut().zip(mean) {
                *sum += window.weight() * f64::from(*x);
            }
        }
        sums.chunks_exact(hidden)
            .map(|sum| {
                let components: Vec<f32> = sum.iter().map(|x| *x as f32).collect();
                // Weights were checked to be finite, so only a model that overflows gets here.
                Vector::new(&components)
                    .ok_or_else(|| Fault::stop(Code::ModelOutput, "the embedder's weights give no usable vector"))
            })
            .collect()
    }
}
