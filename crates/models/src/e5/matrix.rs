//! A 4-bit weight matrix laid out for the kernels, activations in 8 bits, and their product.

use half::f16;

use super::{
    file::{BLOCK, BLOCK_BYTES},
    kernel::{Dot, prefetch},
    math::{LANES, Lanes, round_to_whole},
};

/// Inputs one step of a kernel takes from each of [`LANES`] outputs.
pub(super) const STEP: usize = 4;
/// Bytes of one block of [`LANES`] outputs, a byte per weight.
const WIDE_BLOCK: usize = BLOCK * LANES;
/// Bytes of the same, a nibble per weight.
const NIBBLE_BLOCK: usize = WIDE_BLOCK / 2;

/// A matrix of 4-bit weights, `outputs × inputs`, in tiles of [`LANES`] outputs.
///
/// Within a tile, a block of 32 inputs is eight rows of 64 bytes, row `g` holding for each output the weights of
/// inputs `4g .. 4g + 4`: so one vector load feeds 16 outputs, and no sum ever crosses lanes. Two rows share their
/// bytes, `g` in the low nibbles and `g + 4` in the high ones.
pub(super) struct Matrix {
    blocks_per_row: usize,
    /// Per tile, per block.
    nibbles: Vec<[u8; NIBBLE_BLOCK]>,
    /// Per tile, per block: the scale of each output.
    scales: Vec<Lanes>,
    /// Per tile.
    bias: Vec<Lanes>,
}

impl Matrix {
    /// From blocks as in the file: rows of outputs, `inputs / 32` blocks of 18 bytes each. Both widths are multiples
    /// of 32 and there is a bias for each output (checked where the file is).
    pub fn new(rows: &[u8], inputs: usize, bias: &[f32]) -> Self {
        let blocks_per_row = inputs / BLOCK;
        let bias = bias.as_chunks().0.to_vec();
        let blocks = rows.len() / BLOCK_BYTES / LANES;
        let (mut nibbles, mut scales) = (Vec::with_capacity(blocks), Vec::with_capacity(blocks));
        for tile in rows.chunks_exact(LANES * blocks_per_row * BLOCK_BYTES) {
            for block in 0..blocks_per_row {
                let source = |lane: usize| &tile[(lane * blocks_per_row + block) * BLOCK_BYTES..][..BLOCK_BYTES];
                scales
                    .push(std::array::from_fn(|lane| f16::from_le_bytes([source(lane)[0], source(lane)[1]]).to_f32()));
                // In the file a byte holds inputs j and j + 16, which are rows g and g + 4 of four inputs here too.
                nibbles.push(std::array::from_fn(|i| {
                    let (row, lane, step) = (i / (LANES * STEP), i / STEP % LANES, i % STEP);
                    source(lane)[2 + row * STEP + step]
                }));
            }
        }
        Self { blocks_per_row, nibbles, scales, bias }
    }

    /// `out[t] = matrix · activations[t] + bias` for every token `t`; `out` is `tokens × outputs`.
    ///
    /// Each tile is widened to bytes once, into a panel that stays in the first-level cache over all tokens.
    #[inline(always)]
    pub fn multiply<D: Dot>(&self, activations: &Activations, panel: &mut Vec<[u8; WIDE_BLOCK]>, out: &mut [f32]) {
        let blocks = self.blocks_per_row;
        let tiles = self.nibbles.chunks_exact(blocks).zip(self.scales.chunks_exact(blocks));
        for (tile, (nibbles, scales)) in tiles.enumerate() {
            widen(nibbles, panel);
            // The weights of a whole pass do not fit the second-level cache: the next tile comes while this one works.
            let next = self.nibbles.get((tile + 1) * blocks..(tile + 2) * blocks).unwrap_or_default();
            prefetch(next.as_flattened());
            let panel = Panel { weights: panel, scales };
            let mut token = 0;
            while token < activations.tokens {
                let place = Place { token, tile, bias: &self.bias };
                token += match activations.tokens - token {
                    8.. if D::WIDE => place.put(&D::tile::<8>(&panel, activations, token), out),
                    4.. => place.put(&D::tile::<4>(&panel, activations, token), out),
                    2.. => place.put(&D::tile::<2>(&panel, activations, token), out),
                    _ => place.put(&D::tile::<1>(&panel, activations, token), out),
                };
            }
        }
    }
}

/// Where a kernel's sums belong in a product.
struct Place<'a> {
    token: usize,
    tile: usize,
    bias: &'a [Lanes],
}

impl Place<'_> {
    /// Adds the bias and stores; returns how many tokens that were.
    #[inline(always)]
    fn put<const TOKENS: usize>(&self, sums: &[Lanes; TOKENS], out: &mut [f32]) -> usize {
        let out = out.as_chunks_mut::<LANES>().0;
        let bias = &self.bias[self.tile];
        for i in 0..TOKENS {
            let place = &mut out[(self.token + i) * self.bias.len() + self.tile];
            for lane in 0..LANES {
                place[lane] = sums[i][lane] + bias[lane];
            }
        }
        TOKENS
    }
}

/// One tile with a byte per weight: 0 … 15, the −8 is the activations' affair.
pub(super) struct Panel<'a> {
    /// Per block.
    pub weights: &'a [[u8; WIDE_BLOCK]],
    /// Per block.
    pub scales: &'a [Lanes],
}

/// A byte for each nibble.
#[inline(always)]
fn widen(nibbles: &[[u8; NIBBLE_BLOCK]], bytes: &mut Vec<[u8; WIDE_BLOCK]>) {
    bytes.resize(nibbles.len(), [0; WIDE_BLOCK]);
    for (from, to) in nibbles.iter().zip(bytes) {
        let (low, high) = to.split_at_mut(NIBBLE_BLOCK);
        for i in 0..NIBBLE_BLOCK {
            low[i] = from[i] & 0x0f;
            high[i] = from[i] >> 4;
        }
    }
}

/// Rows of activations, each block of 32 rounded to 8 bits with a scale of its own. Kept block by block, so that the
/// tokens a kernel takes side by side are neighbours.
#[derive(Default)]
pub(super) struct Activations {
    pub tokens: usize,
    /// Per block, per token: each value in −127 … 127.
    pub values: Vec<[i8; BLOCK]>,
    /// Per block, per token.
    pub scales: Vec<f32>,
    /// Per block, per token: −8 times the sum of the values. Weights are nibble − 8; this is that −8, added once.
    pub offsets: Vec<i32>,
}

impl Activations {
    /// Takes rows of `width` floats; `width` is a multiple of 32.
    #[inline(always)]
    pub fn set(&mut self, rows: &[f32], width: usize) {
        let blocks = rows.len() / BLOCK;
        self.tokens = rows.len() / width;
        self.values.resize(blocks, [0; BLOCK]);
        self.scales.resize(blocks, 0.0);
        self.offsets.resize(blocks, 0);
        for (token, row) in rows.chunks_exact(width).enumerate() {
            for (b, block) in row.as_chunks::<BLOCK>().0.iter().enumerate() {
                let i = b * self.tokens + token;
                (self.scales[i], self.offsets[i]) = quantise(block, &mut self.values[i]);
            }
        }
    }
}

/// Rounds a block to 8 bits; returns its scale and its offset.
#[inline(always)]
fn quantise(block: &[f32; BLOCK], values: &mut [i8; BLOCK]) -> (f32, i32) {
    // The bits of floats without sign are in the order of the floats, and whole numbers reduce in any order.
    let mut largest = 0;
    for x in block {
        largest = largest.max(x.to_bits() & 0x7fff_ffff);
    }
    let scale = f32::from_bits(largest) / 127.0;
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let mut sum = 0;
    for j in 0..BLOCK {
        values[j] = round_to_whole(block[j] * inverse) as i8;
        sum += i32::from(values[j]);
    }
    (scale, -8 * sum)
}
