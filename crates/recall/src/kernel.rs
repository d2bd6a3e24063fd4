//! Dot products and Hamming distances of one query with many rows, on what the processor has: AVX-512 with VNNI and
//! VPOPCNTDQ, AVX2, or plain Rust.
//!
//! Everything is integers, so every path gives the same numbers on every processor. One call scans a whole matrix: the
//! path is chosen once per scan.

/// Components of a [`Block`].
pub const LANES: usize = 64;
/// Rows of a [`Signs`] group.
pub const GROUP: usize = 8;
/// Bits of a query's component where it meets signs.
pub const PLANES: usize = 3;

/// Components of a row or a query, −127…127, never −128. A row is padded with zeros to whole blocks, so no kernel has a
/// tail; blocks start where cache lines do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub [i8; LANES]);

/// The signs of one [`Block`] of each of [`GROUP`] rows, side by side, so that distances of eight rows add up at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Signs(pub [u64; GROUP]);

/// A set of kernels this processor can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Path);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Path {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// Plain Rust, on any processor.
    pub const PORTABLE: Kernel = Kernel(Path::Portable);

    /// All that this processor can run, the fastest last.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Kernel::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                all.push(Kernel(Path::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
                && is_x86_feature_detected!("avx512vpopcntdq")
            {
                all.push(Kernel(Path::Avx512));
            }
        }
        all
    }

    /// The fastest of this processor.
    pub fn best() -> Self {
        static BEST: std::sync::LazyLock<Kernel> =
            std::sync::LazyLock::new(|| Kernel::all().pop().unwrap_or(Kernel::PORTABLE));
        *BEST
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.0 {
            Path::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => "AVX-512",
        }
    }

    /// Appends `query · row` for every row, each of the query's length.
    pub fn dots<'a>(self, query: &[Block], rows: impl Iterator<Item = &'a [Block]>, out: &mut Vec<i32>) {
        match self.0 {
            Path::Portable => out.extend(rows.map(|row| portable_dot(query, row))),
            // SAFETY: `all` made this path after the processor said it has these features.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::dots(query, rows, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { avx512::dots(query, rows, out) },
        }
    }

    /// Appends for every row in how many signs it differs from each plane of the query, the next plane counting double.
    /// The query has [`PLANES`] words a block; `groups` holds whole groups of rows of that length.
    pub fn distances(self, query: &[[u64; PLANES]], groups: &[Signs], out: &mut Vec<u32>) {
        match self.0 {
            Path::Portable => distances(query, groups, out),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::distances(query, groups, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { avx512::distances(query, groups, out) },
        }
    }
}

fn portable_dot(query: &[Block], row: &[Block]) -> i32 {
    let products = |(Block(q), Block(r)): (&Block, &Block)| -> i32 {
        q.iter().zip(r).map(|(q, r)| i32::from(*q) * i32::from(*r)).sum()
    };
    query.iter().zip(row).map(products).sum()
}

/// One source for every path: the compiler makes of it what the features of its caller allow.
#[inline(always)]
fn distances(query: &[[u64; PLANES]], groups: &[Signs], out: &mut Vec<u32>) {
    for group in groups.chunks_exact(query.len()) {
        let mut sums = [0u64; GROUP];
        for (planes, Signs(rows)) in query.iter().zip(group) {
            for (plane, bits) in planes.iter().enumerate() {
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum += u64::from((bits ^ row).count_ones()) << plane;
                }
            }
        }
        out.extend(sums.map(|sum| sum as u32));
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Block, PLANES, Signs};

    #[target_feature(enable = "avx2")]
    pub fn dots<'a>(query: &[Block], rows: impl Iterator<Item = &'a [Block]>, out: &mut Vec<i32>) {
        let ones = _mm256_set1_epi16(1);
        for row in rows {
            let mut sums = [_mm256_setzero_si256(); 2];
            for (Block(q), Block(r)) in query.iter().zip(row) {
                for (half, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: a block is aligned and holds two halves of 32 bytes.
                    let (q, r) = unsafe {
                        (
                            _mm256_load_si256(q.as_ptr().cast::<__m256i>().add(half)),
                            _mm256_load_si256(r.as_ptr().cast::<__m256i>().add(half)),
                        )
                    };
                    // |q| · (r with q's sign) = q · r. Two products are at most 2·127², which fits 16 bits.
                    let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(q), _mm256_sign_epi8(r, q));
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
                }
            }
            let sum = _mm256_add_epi32(sums[0], sums[1]);
            let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
            let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
            out.push(_mm_cvtsi128_si32(sum));
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn distances(query: &[[u64; PLANES]], groups: &[Signs], out: &mut Vec<u32>) {
        super::distances(query, groups, out);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{Block, PLANES, Signs};

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub fn dots<'a>(query: &[Block], rows: impl Iterator<Item = &'a [Block]>, out: &mut Vec<i32>) {
        let flip = _mm512_set1_epi8(i8::MIN);
        // VNNI multiplies unsigned by signed bytes. A row's byte with its sign bit flipped is the byte plus 128, unsigned:
        // every row's dot product then is too large by the same.
        let mut excess = _mm512_setzero_si512();
        for Block(q) in query {
            // SAFETY: a block is aligned and holds 64 bytes.
            excess = _mm512_dpbusd_epi32(excess, flip, unsafe { _mm512_load_si512(q.as_ptr().cast()) });
        }
        let excess = _mm512_reduce_add_epi32(excess);
        for row in rows {
            let mut sum = _mm512_setzero_si512();
            for (Block(q), Block(r)) in query.iter().zip(row) {
                // SAFETY: a block is aligned and holds 64 bytes.
                let (q, r) = unsafe { (_mm512_load_si512(q.as_ptr().cast()), _mm512_load_si512(r.as_ptr().cast())) };
                sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(r, flip), q);
            }
            out.push(_mm512_reduce_add_epi32(sum) - excess);
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,popcnt")]
    pub fn distances(query: &[[u64; PLANES]], groups: &[Signs], out: &mut Vec<u32>) {
        super::distances(query, groups, out);
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn blocks(count: usize) -> impl Strategy<Value = Vec<Block>> {
        vec(vec(-127i8..=127, LANES), count)
            .prop_map(|rows| rows.into_iter().map(|row| Block(row.try_into().unwrap())).collect())
    }

    proptest! {
        #[test]
        fn paths_agree_on_dots(
            (query, rows) in (1usize..5, 0usize..9).prop_flat_map(|(width, rows)| (blocks(width), blocks(width * rows)))
        ) {
            let plain: Vec<i32> = rows
                .chunks(query.len())
                .map(|row| {
                    let components = |blocks: &[Block]| blocks.iter().flat_map(|Block(b)| *b).collect::<Vec<i8>>();
                    components(&query).iter().zip(components(row)).map(|(q, r)| i32::from(*q) * i32::from(r)).sum()
                })
                .collect();
            for kernel in Kernel::all() {
                let mut dots = Vec::new();
                kernel.dots(&query, rows.chunks(query.len()), &mut dots);
                prop_assert_eq!(&dots, &plain, "{}", kernel.name());
            }
        }

        #[test]
        fn paths_agree_on_distances(
            (query, groups) in (1usize..9, 0usize..5)
                .prop_flat_map(|(words, groups)| (vec(any::<[u64; PLANES]>(), words), vec(any::<[u64; GROUP]>(), words * groups)))
        ) {
            let groups: Vec<Signs> = groups.into_iter().map(Signs).collect();
            let distance = |group: &[Signs], row: usize| -> u32 {
                let differ = |(planes, Signs(rows)): (&[u64; PLANES], &Signs)| -> u32 {
                    planes.iter().zip([1, 2, 4]).map(|(plane, weight)| weight * (plane ^ rows[row]).count_ones()).sum()
                };
                query.iter().zip(group).map(differ).sum()
            };
            let plain: Vec<u32> =
                groups.chunks(query.len()).flat_map(|group| (0..GROUP).map(move |row| (group, row))).map(|(g, r)| distance(g, r)).collect();
            for kernel in Kernel::all() {
                let mut distances = Vec::new();
                kernel.distances(&query, &groups, &mut distances);
                prop_assert_eq!(&distances, &plain, "{}", kernel.name());
            }
        }
    }

    #[test]
    fn extreme_bytes_do_not_saturate() {
        let (query, row) = ([Block([127; LANES]); 6], [Block([-127; LANES]); 6]);
        for kernel in Kernel::all() {
            let mut out = Vec::new();
            kernel.dots(&query, [&row[..]].into_iter(), &mut out);
            kernel.dots(&row, [&row[..]].into_iter(), &mut out);
            let most = 127 * 127 * 6 * LANES as i32;
            assert_eq!(out, [-most, most], "{}", kernel.name());
        }
    }
}
