//! Softmax attention of one window's tokens among themselves.

use super::math::{LANES, Lanes, softmax};

/// Queries worked on side by side: their keys and values are loaded once.
const QUERIES: usize = 4;

/// Room for one head.
#[derive(Default)]
pub(super) struct Attention {
    /// Sixteen keys side by side, dimension after dimension; then the next sixteen.
    keys: Vec<Lanes>,
    /// Sixteen dimensions of every token's value; then the next sixteen.
    values: Vec<Lanes>,
    /// For each query in work one row over all keys, padded to [`LANES`].
    shares: [Vec<f32>; QUERIES],
}

impl Attention {
    /// `triples` holds query, key and value of each token, `hidden` floats each; `out` gets `hidden` floats a token.
    /// A head's width, `hidden / heads`, is a multiple of [`LANES`].
    #[inline(always)]
    pub fn attend(&mut self, triples: &[f32], heads: usize, hidden: usize, out: &mut [f32]) {
        let width = hidden / heads;
        let tokens = out.len() / hidden;
        for head in 0..heads {
            let part = |token: usize, which: usize| &triples[(token * 3 + which) * hidden + head * width..][..width];
            self.load(tokens, width, |token| part(token, 1), |token| part(token, 2));
            for first in (0..tokens).step_by(QUERIES) {
                // A last, short group repeats its last query: simpler than a second path.
                self.share(std::array::from_fn(|i| part((first + i).min(tokens - 1), 0)), tokens);
                for (chunk, values) in self.values.chunks_exact(tokens).enumerate() {
                    let mixed = mix(values, &self.shares);
                    for (i, lanes) in mixed.iter().enumerate().take(tokens - first) {
                        out[(first + i) * hidden + head * width + chunk * LANES..][..LANES].copy_from_slice(lanes);
                    }
                }
            }
        }
    }

    /// Lays one head's keys and values out for the loops below.
    #[inline(always)]
    fn load<'a>(
        &mut self,
        tokens: usize,
        width: usize,
        key: impl Fn(usize) -> &'a [f32],
        value: impl Fn(usize) -> &'a [f32],
    ) {
        self.keys.resize(tokens.div_ceil(LANES) * width, [0.0; LANES]);
        self.values.resize(tokens * width / LANES, [0.0; LANES]);
        for token in 0..tokens {
            let keys = &mut self.keys[token / LANES * width..][..width];
            for (lanes, x) in keys.iter_mut().zip(key(token)) {
                lanes[token % LANES] = *x;
            }
            for (chunk, lanes) in value(token).as_chunks().0.iter().enumerate() {
                self.values[chunk * tokens + token] = *lanes;
            }
        }
    }

    /// How much each query takes of each key.
    #[inline(always)]
    fn share(&mut self, queries: [&[f32]; QUERIES], tokens: usize) {
        let width = queries[0].len();
        let queries = queries.map(|q| &q[..width]);
        let scale = 1.0 / (width as f32).sqrt();
        for shares in &mut self.shares {
            shares.resize(tokens.next_multiple_of(LANES), 0.0);
        }
        for (chunk, keys) in self.keys.chunks_exact(width).enumerate() {
            let mut sums = [[0.0; LANES]; QUERIES];
            for (d, keys) in keys.iter().enumerate() {
                for i in 0..QUERIES {
                    let x = queries[i][d];
                    for lane in 0..LANES {
                        sums[i][lane] += x * keys[lane];
                    }
                }
            }
            for i in 0..QUERIES {
                let shares = &mut self.shares[i][chunk * LANES..][..LANES];
                for lane in 0..LANES {
                    let inside = chunk * LANES + lane < tokens;
                    shares[lane] = if inside { sums[i][lane] * scale } else { f32::NEG_INFINITY };
                }
            }
        }
        for shares in &mut self.shares {
            softmax(shares);
        }
    }
}

/// The values of all tokens, mixed by each query's shares.
#[inline(always)]
fn mix(values: &[Lanes], shares: &[Vec<f32>; QUERIES]) -> [Lanes; QUERIES] {
    let mut sums = [[0.0; LANES]; QUERIES];
    let shares: [&[f32]; QUERIES] = std::array::from_fn(|i| &shares[i][..values.len()]);
    for (token, values) in values.iter().enumerate() {
        for i in 0..QUERIES {
            let share = shares[i][token];
            for lane in 0..LANES {
                sums[i][lane] += share * values[lane];
            }
        }
    }
    sums
}
