//! The encoder: token ids in, one mean vector per window out. A pure function of weights and ids; threads are its
//! caller's affair.

use half::f16;

use super::{
    attention::Attention,
    file::{BLOCK, BLOCK_BYTES, BadFile, File, Shape},
    kernel::{Dot, Instructions, Kernel, Portable},
    math::{gelu, layer_norm},
    matrix::{Activations, Matrix},
};

/// A layer norm's parameters.
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

/// One post-norm transformer layer.
struct Layer {
    /// Query, key and value in one matrix: they share their input.
    attend: Matrix,
    attended: Matrix,
    attention_norm: Norm,
    widen: Matrix,
    narrow: Matrix,
    output_norm: Norm,
}

/// All weights.
pub(super) struct Encoder {
    shape: Shape,
    /// The 4-bit rows of the words, as in the file.
    words: Vec<u8>,
    positions: Vec<f32>,
    /// The embedding of token type 0, the only one used.
    token_type: Vec<f32>,
    embedding_norm: Norm,
    layers: Vec<Layer>,
}

impl Encoder {
    pub fn new(file: File) -> Result<Self, BadFile> {
        let shape = file.shape;
        let hidden = shape.hidden;
        let norm = |name: String| -> Result<Norm, BadFile> {
            Ok(Norm {
                weight: file.floats(&format!("{name}.w"), hidden)?,
                bias: file.floats(&format!("{name}.b"), hidden)?,
            })
        };
        let layer = |i: usize| -> Result<Layer, BadFile> {
            let stacked = |names: &[&str], outputs: usize, inputs: usize| -> Result<Matrix, BadFile> {
                let (mut blocks, mut bias) = (Vec::new(), Vec::new());
                for name in names {
                    blocks.extend_from_slice(file.blocks(&format!("l{i}.{name}.w"), outputs, inputs)?);
                    bias.extend(file.floats(&format!("l{i}.{name}.b"), outputs)?);
                }
                Ok(Matrix::new(&blocks, inputs, &bias))
            };
            Ok(Layer {
                attend: stacked(&["q", "k", "v"], hidden, hidden)?,
                attended: stacked(&["ao"], hidden, hidden)?,
                attention_norm: norm(format!("l{i}.aln"))?,
                widen: stacked(&["fi"], shape.feed_forward, hidden)?,
                narrow: stacked(&["fo"], hidden, shape.feed_forward)?,
                output_norm: norm(format!("l{i}.oln"))?,
            })
        };
        let elements =
            |rows: usize| rows.checked_mul(hidden).ok_or_else(|| BadFile::new("a table is too large to address"));
        let mut token_type = file.floats("emb.type", elements(shape.types)?)?;
        token_type.truncate(hidden);
        let positions = file.floats("emb.pos", elements(shape.max_positions)?)?;
        let embedding_norm = norm("emb.ln".into())?;
        let layers = (0..shape.layers).map(layer).collect::<Result<_, _>>()?;
        let words = file.into_blocks("emb.word", shape.vocabulary, hidden)?;
        Ok(Self { shape, words, positions, token_type, embedding_norm, layers })
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The mean of the last layer over each window's positions, not scaled: one row of `hidden` floats per window.
    /// Ids are below the vocabulary, windows no longer than the positions: those of the file's tokenizer.
    pub fn forward(&self, kernel: Kernel, windows: &[&[u32]]) -> Vec<f32> {
        match kernel.instructions() {
            Instructions::Portable => self.forward_with::<Portable>(windows),
            // SAFETY: a `Kernel` says that this processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { self.forward_avx2(windows) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { self.forward_avx512(windows) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn forward_avx2(&self, windows: &[&[u32]]) -> Vec<f32> {
        self.forward_with::<super::kernel::Avx2>(windows)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn forward_avx512(&self, windows: &[&[u32]]) -> Vec<f32> {
        self.forward_with::<super::kernel::Avx512>(windows)
    }

    /// Inlined into each of the above, so that all of it is compiled for their instructions.
    #[inline(always)]
    fn forward_with<D: Dot>(&self, windows: &[&[u32]]) -> Vec<f32> {
        let Shape { hidden, feed_forward, epsilon, .. } = self.shape;
        let tokens: usize = windows.iter().map(|w| w.len()).sum();
        let mut state = vec![0.0; tokens * hidden];
        let mut triples = vec![0.0; tokens * 3 * hidden];
        let mut wide = vec![0.0; tokens * feed_forward];
        let mut delta = vec![0.0; tokens * hidden];
        let mut activations = Activations::default();
        let mut panel = Vec::new();
        let mut attention = Attention::default();

        self.embed(windows, &mut state);
        for layer in &self.layers {
            activations.set(&state, hidden);
            layer.attend.multiply::<D>(&activations, &mut panel, &mut triples);
            let mut at = 0;
            for window in windows {
                let range = at * hidden..(at + window.len()) * hidden;
                attention.attend(&triples[range.start * 3..range.end * 3], self.shape.heads, hidden, &mut delta[range]);
                at += window.len();
            }
            activations.set(&delta, hidden);
            layer.attended.multiply::<D>(&activations, &mut panel, &mut delta);
            add_and_norm(&mut state, &delta, &layer.attention_norm, epsilon);

            activations.set(&state, hidden);
            layer.widen.multiply::<D>(&activations, &mut panel, &mut wide);
            gelu(&mut wide);
            activations.set(&wide, feed_forward);
            layer.narrow.multiply::<D>(&activations, &mut panel, &mut delta);
            add_and_norm(&mut state, &delta, &layer.output_norm, epsilon);
        }
        means(&state, windows, hidden)
    }

    /// Word, position and type embeddings, summed and normed.
    #[inline(always)]
    fn embed(&self, windows: &[&[u32]], state: &mut [f32]) {
        let hidden = self.shape.hidden;
        let bytes = hidden / BLOCK * BLOCK_BYTES;
        let placed = windows.iter().flat_map(|window| window.iter().enumerate());
        for ((position, id), row) in placed.zip(state.chunks_exact_mut(hidden)) {
            let word = &self.words[*id as usize * bytes..][..bytes];
            for (block, out) in word.chunks_exact(BLOCK_BYTES).zip(row.as_chunks_mut::<BLOCK>().0) {
                let scale = f16::from_le_bytes([block[0], block[1]]).to_f32();
                for (j, byte) in block[2..].iter().enumerate() {
                    out[j] = (f32::from(byte & 0x0f) - 8.0) * scale;
                    out[j + BLOCK / 2] = (f32::from(byte >> 4) - 8.0) * scale;
                }
            }
            let place = &self.positions[position * hidden..][..hidden];
            for ((x, p), t) in row.iter_mut().zip(place).zip(&self.token_type) {
                *x += p + t;
            }
            layer_norm(row, &self.embedding_norm.weight, &self.embedding_norm.bias, self.shape.epsilon);
        }
    }
}

/// `state ← norm(state + delta)`, row by row.
#[inline(always)]
fn add_and_norm(state: &mut [f32], delta: &[f32], norm: &Norm, epsilon: f32) {
    let hidden = norm.weight.len();
    for (row, delta) in state.chunks_exact_mut(hidden).zip(delta.chunks_exact(hidden)) {
        for (x, d) in row.iter_mut().zip(delta) {
            *x += d;
        }
        layer_norm(row, &norm.weight, &norm.bias, epsilon);
    }
}

/// The mean row of each window.
#[inline(always)]
fn means(state: &[f32], windows: &[&[u32]], hidden: usize) -> Vec<f32> {
    let mut means = vec![0.0; windows.len() * hidden];
    let mut rows = state.chunks_exact(hidden);
    for (window, mean) in windows.iter().zip(means.chunks_exact_mut(hidden)) {
        for row in rows.by_ref().take(window.len()) {
            for (m, x) in mean.iter_mut().zip(row) {
                *m += x;
            }
        }
        let count = window.len() as f32;
        for m in mean {
            *m /= count;
        }
    }
    means
}
