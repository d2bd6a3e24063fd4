//! Dot products of one query with many rows, on what the processor has: AVX2 with FMA and F16C, or plain Rust.
//!
//! Own kernels because they match the crates measured against them (`benches/`), and one call scans a whole matrix, so
//! the choice of path is made once per scan.

use half::f16;

/// Rows and queries are padded with zeros to a multiple of this many components, so that no kernel has a tail.
pub const LANES: usize = 32;

/// A set of kernels this processor can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Path);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Path {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Kernel {
    /// Plain Rust, on any processor.
    pub const PORTABLE: Kernel = Kernel(Path::Portable);

    /// The fastest of this processor.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c") {
            return Kernel(Path::Avx2);
        }
        Kernel::PORTABLE
    }

    /// Appends `query · row` for every row. `rows` holds whole rows of the query's length, a multiple of [`LANES`].
    pub fn halves(self, query: &[f32], rows: &[f16], out: &mut Vec<f32>) {
        debug_assert!(query.len().is_multiple_of(LANES) && rows.len().is_multiple_of(query.len().max(1)));
        match self.0 {
            Path::Portable => out.extend(rows.chunks_exact(query.len()).map(|row| portable_halves(query, row))),
            // SAFETY: `Path::Avx2` is made only by `best`, after the processor said it has all three features.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::halves(query, rows, out) },
        }
    }

    /// Appends `query · row` for every row of signed bytes, exactly. Components are −127…127, never −128.
    pub fn bytes(self, query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
        debug_assert!(query.len().is_multiple_of(LANES) && rows.len().is_multiple_of(query.len().max(1)));
        match self.0 {
            Path::Portable => out.extend(rows.chunks_exact(query.len()).map(|row| portable_bytes(query, row))),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::bytes(query, rows, out) },
        }
    }
}

fn portable_halves(query: &[f32], row: &[f16]) -> f32 {
    // Eight running sums let the compiler use whatever vector unit there is.
    let mut sums = [0.0f32; 8];
    for (q, r) in query.chunks_exact(8).zip(row.chunks_exact(8)) {
        for lane in 0..8 {
            sums[lane] += q[lane] * r[lane].to_f32();
        }
    }
    sums.iter().sum()
}

fn portable_bytes(query: &[i8], row: &[i8]) -> i32 {
    query.iter().zip(row).map(|(q, r)| i32::from(*q) * i32::from(*r)).sum()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use half::f16;

    use super::LANES;

    #[target_feature(enable = "avx2,fma,f16c")]
    pub fn halves(query: &[f32], rows: &[f16], out: &mut Vec<f32>) {
        for row in rows.chunks_exact(query.len()) {
            let mut sums = [_mm256_setzero_ps(); 4];
            for (q, r) in query.chunks_exact(LANES).zip(row.chunks_exact(LANES)) {
                for (part, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: both chunks hold 32 components and a part is eight of them.
                    let (q, r) = unsafe {
                        let at = part * 8;
                        (_mm256_loadu_ps(q.as_ptr().add(at)), _mm_loadu_si128(r.as_ptr().add(at).cast()))
                    };
                    *sum = _mm256_fmadd_ps(q, _mm256_cvtph_ps(r), *sum);
                }
            }
            let sum = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
            let mut lanes = [0.0f32; 8];
            // SAFETY: eight lanes into eight floats.
            unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), sum) };
            out.push(lanes.iter().sum());
        }
    }

    #[target_feature(enable = "avx2")]
    pub fn bytes(query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
        let ones = _mm256_set1_epi16(1);
        for row in rows.chunks_exact(query.len()) {
            let mut sum = _mm256_setzero_si256();
            for (q, r) in query.chunks_exact(LANES).zip(row.chunks_exact(LANES)) {
                // SAFETY: both chunks hold 32 bytes.
                let (q, r) = unsafe { (_mm256_loadu_si256(q.as_ptr().cast()), _mm256_loadu_si256(r.as_ptr().cast())) };
                // |q| · (r with q's sign) = q · r. Two products are at most 2·127², which fits 16 bits.
                let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(q), _mm256_sign_epi8(r, q));
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
            }
            let mut lanes = [0i32; 8];
            // SAFETY: eight lanes into eight integers.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
            out.push(lanes.iter().sum());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn paths_agree(rows in 0usize..9, blocks in 1usize..5, seed in any::<u64>()) {
            let width = blocks * LANES;
            let mut state = seed | 1;
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 40) as i32 % 255 - 127
            };
            let query: Vec<i8> = (0..width).map(|_| next() as i8).collect();
            let matrix: Vec<i8> = (0..rows * width).map(|_| next() as i8).collect();
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            Kernel::best().bytes(&query, &matrix, &mut fast);
            Kernel::PORTABLE.bytes(&query, &matrix, &mut plain);
            prop_assert_eq!(&fast, &plain);
            prop_assert_eq!(plain.len(), rows);

            let query: Vec<f32> = query.iter().map(|x| f32::from(*x) / 127.0).collect();
            let matrix: Vec<f16> = matrix.iter().map(|x| f16::from_f32(f32::from(*x) / 127.0)).collect();
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            Kernel::best().halves(&query, &matrix, &mut fast);
            Kernel::PORTABLE.halves(&query, &matrix, &mut plain);
            prop_assert_eq!(plain.len(), rows);
            for (a, b) in fast.iter().zip(&plain) {
                prop_assert!((a - b).abs() < 1e-4 * width as f32, "{} and {}", a, b);
            }
        }
    }

    #[test]
    fn extreme_bytes_do_not_saturate() {
        let (query, row) = ([127i8; LANES], [-127i8; LANES]);
        for kernel in [Kernel::best(), Kernel::PORTABLE] {
            let mut out = Vec::new();
            kernel.bytes(&query, &row, &mut out);
            assert_eq!(out, [-127 * 127 * LANES as i32]);
        }
    }
}
