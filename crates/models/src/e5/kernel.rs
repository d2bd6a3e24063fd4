//! Which instructions the processor has, and the one product that is written for each of them by hand.
//!
//! The integer part of a product is exact and its float part keeps one order, so all kernels give the same bits.

use super::{
    file::BLOCK,
    math::{LANES, Lanes},
    matrix::{Activations, Panel, STEP},
};

/// A set of instructions this processor has. Can only be had by asking the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Instructions);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// Every kernel that runs here, the slowest (the portable one) first.
    pub fn all() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut all = vec![Self(Instructions::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Self(Instructions::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                all.push(Self(Instructions::Avx512));
            }
        }
        all
    }

    /// The fastest kernel that runs here.
    pub fn best() -> Self {
        Self::all().pop().unwrap_or(Self(Instructions::Portable))
    }

    /// A plain name: `portable`, `avx2`, `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Instructions::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
        }
    }

    pub(super) fn instructions(self) -> Instructions {
        self.0
    }
}

/// Asks for bytes that will be read soon; changes nothing else.
#[inline(always)]
pub(super) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(64) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every x86-64 processor has it, and it may be given any address.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// The product of a panel with some tokens: `Σ blocks (Σ nibble · value + offset) · (weight scale · activation scale)`.
pub(super) trait Dot {
    /// Whether there are registers enough for eight tokens at once.
    const WIDE: bool;

    /// For tokens `first .. first + TOKENS`. Callers run on a processor that has the instructions.
    fn tile<const TOKENS: usize>(panel: &Panel<'_>, activations: &Activations, first: usize) -> [Lanes; TOKENS];
}

/// One block of some neighbouring tokens.
struct Block<'a, const TOKENS: usize> {
    values: &'a [[i8; BLOCK]; TOKENS],
    scales: &'a [f32; TOKENS],
    offsets: &'a [i32; TOKENS],
}

impl<'a, const TOKENS: usize> Block<'a, TOKENS> {
    #[inline(always)]
    fn new(activations: &'a Activations, block: usize, first: usize) -> Self {
        let at = block * activations.tokens + first;
        Self {
            values: neighbours(&activations.values, at),
            scales: neighbours(&activations.scales, at),
            offsets: neighbours(&activations.offsets, at),
        }
    }

    /// The values of one step of one token.
    #[inline(always)]
    fn step(&self, token: usize, step: usize) -> [i8; STEP] {
        self.values[token].as_chunks().0[step]
    }
}

#[inline(always)]
fn neighbours<T, const N: usize>(items: &[T], at: usize) -> &[T; N] {
    &items[at..at + N].as_chunks().0[0]
}

/// Plain Rust.
pub(super) struct Portable;

impl Dot for Portable {
    const WIDE: bool = false;

    #[inline(always)]
    fn tile<const TOKENS: usize>(panel: &Panel<'_>, activations: &Activations, first: usize) -> [Lanes; TOKENS] {
        let mut sums = [[0.0; LANES]; TOKENS];
        for (b, (weights, scales)) in panel.weights.iter().zip(panel.scales).enumerate() {
            let block = Block::<TOKENS>::new(activations, b, first);
            for t in 0..TOKENS {
                let mut whole = [block.offsets[t]; LANES];
                for (s, row) in weights.as_chunks::<{ LANES * STEP }>().0.iter().enumerate() {
                    let [a, b, c, d] = block.step(t, s).map(i32::from);
                    for lane in 0..LANES {
                        let weights = &row[lane * STEP..][..STEP];
                        whole[lane] += i32::from(weights[0]) * a
                            + i32::from(weights[1]) * b
                            + i32::from(weights[2]) * c
                            + i32::from(weights[3]) * d;
                    }
                }
                for lane in 0..LANES {
                    sums[t][lane] += whole[lane] as f32 * (scales[lane] * block.scales[t]);
                }
            }
        }
        sums
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Block, Dot, LANES, Lanes, Panel, STEP};
    use crate::e5::matrix::Activations;

    /// Steps in a block.
    const STEPS: usize = BLOCK / STEP;

    /// AVX2.
    pub struct Avx2;

    impl Dot for Avx2 {
        const WIDE: bool = false;

        #[inline(always)]
        fn tile<const TOKENS: usize>(panel: &Panel<'_>, activations: &Activations, first: usize) -> [Lanes; TOKENS] {
            // SAFETY: this code only runs below `forward_avx2`, on a processor with AVX2. Loads and stores are
            // unaligned ones, through references to arrays of just their size.
            unsafe {
                let ones = _mm256_set1_epi16(1);
                let mut sums = [[_mm256_setzero_ps(); 2]; TOKENS];
                for (b, (weights, scales)) in panel.weights.iter().zip(panel.scales).enumerate() {
                    let block = Block::<TOKENS>::new(activations, b, first);
                    // Eight steps of two products of at most 15 · 128 each: below 2¹⁵, so 16 bits hold a whole block.
                    let mut pairs = [[_mm256_setzero_si256(); 2]; TOKENS];
                    let rows = weights.as_chunks::<32>().0;
                    for s in 0..STEPS {
                        let row = [load(&rows[2 * s]), load(&rows[2 * s + 1])];
                        for t in 0..TOKENS {
                            let values = _mm256_set1_epi32(as_i32(block.step(t, s)));
                            for half in 0..2 {
                                let products = _mm256_maddubs_epi16(row[half], values);
                                pairs[t][half] = _mm256_add_epi16(pairs[t][half], products);
                            }
                        }
                    }
                    let scales = scales.as_chunks::<8>().0;
                    for t in 0..TOKENS {
                        let offset = _mm256_set1_epi32(block.offsets[t]);
                        let scale = _mm256_set1_ps(block.scales[t]);
                        for half in 0..2 {
                            let whole = _mm256_add_epi32(_mm256_madd_epi16(pairs[t][half], ones), offset);
                            let scale = _mm256_mul_ps(_mm256_loadu_ps(scales[half].as_ptr()), scale);
                            let part = _mm256_mul_ps(_mm256_cvtepi32_ps(whole), scale);
                            sums[t][half] = _mm256_add_ps(sums[t][half], part);
                        }
                    }
                }
                let mut lanes = [[0.0; LANES]; TOKENS];
                for t in 0..TOKENS {
                    for (half, to) in lanes[t].as_chunks_mut::<8>().0.iter_mut().enumerate() {
                        _mm256_storeu_ps(to.as_mut_ptr(), sums[t][half]);
                    }
                }
                lanes
            }
        }
    }

    #[inline(always)]
    unsafe fn load(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: as in the caller.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn as_i32(values: [i8; STEP]) -> i32 {
        i32::from_ne_bytes([values[0] as u8, values[1] as u8, values[2] as u8, values[3] as u8])
    }

    /// AVX-512 with byte products (VNNI).
    pub struct Avx512;

    impl Dot for Avx512 {
        const WIDE: bool = true;

        #[inline(always)]
        fn tile<const TOKENS: usize>(panel: &Panel<'_>, activations: &Activations, first: usize) -> [Lanes; TOKENS] {
            // SAFETY: as in `Avx2`, below `forward_avx512`.
            unsafe {
                let mut sums = [_mm512_setzero_ps(); TOKENS];
                for (b, (weights, scales)) in panel.weights.iter().zip(panel.scales).enumerate() {
                    let block = Block::<TOKENS>::new(activations, b, first);
                    let mut whole = [_mm512_setzero_si512(); TOKENS];
                    for t in 0..TOKENS {
                        whole[t] = _mm512_set1_epi32(block.offsets[t]);
                    }
                    let rows = weights.as_chunks::<64>().0;
                    for s in 0..STEPS {
                        let row = _mm512_loadu_si512(rows[s].as_ptr().cast());
                        for t in 0..TOKENS {
                            whole[t] = _mm512_dpbusd_epi32(whole[t], row, _mm512_set1_epi32(as_i32(block.step(t, s))));
                        }
                    }
                    let scales = _mm512_loadu_ps(scales.as_ptr());
                    for t in 0..TOKENS {
                        let scale = _mm512_mul_ps(scales, _mm512_set1_ps(block.scales[t]));
                        sums[t] = _mm512_add_ps(sums[t], _mm512_mul_ps(_mm512_cvtepi32_ps(whole[t]), scale));
                    }
                }
                let mut lanes = [[0.0; LANES]; TOKENS];
                for t in 0..TOKENS {
                    _mm512_storeu_ps(lanes[t].as_mut_ptr(), sums[t]);
                }
                lanes
            }
        }
    }
}
