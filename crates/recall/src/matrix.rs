//! The vectors of a space in contiguous memory, scanned whole. No graph, no filter: a space is small, and up to several
//! hundred thousand rows a scan beats building an index (`benches/`).

use half::f16;
use saidso_core::vector::Vector;

use crate::kernel::{Kernel, LANES};

/// Rows from which a first pass over 8-bit codes picks what is compared exactly.
const CODED_ROWS: usize = 200;
/// How many of the first pass are compared exactly. The 8-bit order is exact in the first twenty on our measurements.
const RESCORED: usize = 96;

/// A row that is near a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The owner of the row.
    pub owner: u32,
    /// Cosine, −1…1.
    pub cosine: f32,
}

/// Unit vectors and whose they are.
#[derive(Debug, Default)]
pub struct Matrix {
    width: usize,
    owners: Vec<u32>,
    halves: Vec<f16>,
    codes: Option<Codes>,
}

/// Rows as signed bytes with one scale each.
#[derive(Debug)]
struct Codes {
    bytes: Vec<i8>,
    scales: Vec<f32>,
}

impl Matrix {
    /// From vectors and their owners. A vector of another dimension than the first is left out: the generation pins
    /// the embedder, so there is none.
    pub fn new<'a>(vectors: impl Iterator<Item = (u32, &'a Vector)>) -> Self {
        let mut matrix = Self::default();
        let mut dimension = 0;
        for (owner, vector) in vectors {
            let components = vector.components();
            if matrix.owners.is_empty() {
                dimension = components.len();
                matrix.width = dimension.next_multiple_of(LANES);
            }
            if components.len() == dimension {
                matrix.owners.push(owner);
                matrix.halves.extend_from_slice(components);
                matrix.halves.resize(matrix.owners.len() * matrix.width, f16::ZERO);
            }
        }
        if matrix.owners.len() > CODED_ROWS {
            matrix.codes = Some(Codes::of(&matrix.halves, matrix.width));
        }
        matrix
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// Every row with its owner, padded with zeros.
    pub fn rows(&self) -> impl Iterator<Item = (u32, Vec<f32>)> + '_ {
        let rows = self.halves.chunks_exact(self.width.max(1));
        self.owners.iter().copied().zip(rows.map(|row| row.iter().map(|x| x.to_f32()).collect()))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let codes = self.codes.as_ref().map_or(0, |codes| codes.bytes.len() + codes.scales.len() * 4);
        self.halves.len() * 2 + self.owners.len() * 4 + codes
    }

    /// The rows nearest to a unit vector, nearest first, then by owner: all of a small matrix, of a large one the
    /// best [`RESCORED`]. Nothing if the dimensions differ.
    pub fn nearest(&self, kernel: Kernel, query: &[f32]) -> Vec<Near> {
        if self.is_empty() || query.len().next_multiple_of(LANES) != self.width {
            return Vec::new();
        }
        let mut padded = query.to_vec();
        padded.resize(self.width, 0.0);
        let mut cosines = Vec::with_capacity(self.len().min(CODED_ROWS));
        let mut near: Vec<Near> = match &self.codes {
            None => {
                kernel.halves(&padded, &self.halves, &mut cosines);
                self.owners.iter().zip(cosines).map(|(owner, cosine)| Near { owner: *owner, cosine }).collect()
            }
            Some(codes) => {
                let rescore = |row: u32| {
                    let row = row as usize;
                    cosines.clear();
                    kernel.halves(&padded, &self.halves[row * self.width..][..self.width], &mut cosines);
                    Near { owner: self.owners[row], cosine: cosines[0] }
                };
                codes.best(kernel, &padded).into_iter().map(rescore).collect()
            }
        };
        near.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.owner.cmp(&b.owner)));
        near
    }
}

impl Codes {
    fn of(halves: &[f16], width: usize) -> Self {
        let mut codes =
            Self { bytes: Vec::with_capacity(halves.len()), scales: Vec::with_capacity(halves.len() / width) };
        let mut row_f32 = vec![0.0; width];
        for row in halves.chunks_exact(width) {
            for (wide, half) in row_f32.iter_mut().zip(row) {
                *wide = half.to_f32();
            }
            codes.scales.push(quantise(&row_f32, &mut codes.bytes));
        }
        codes
    }

    /// The rows that look nearest, in no order.
    fn best(&self, kernel: Kernel, query: &[f32]) -> Vec<u32> {
        let mut code = Vec::with_capacity(query.len());
        // The query's own scale is common to all rows and does not change their order.
        quantise(query, &mut code);
        let mut dots = Vec::with_capacity(self.scales.len());
        kernel.bytes(&code, &self.bytes, &mut dots);
        let mut scored: Vec<(f32, u32)> =
            dots.iter().zip(&self.scales).zip(0u32..).map(|((dot, scale), row)| (*dot as f32 * scale, row)).collect();
        if scored.len() > RESCORED {
            scored.select_nth_unstable_by(RESCORED, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            scored.truncate(RESCORED);
        }
        scored.into_iter().map(|(_, row)| row).collect()
    }
}

/// Appends the components as multiples of the returned scale, −127…127.
fn quantise(components: &[f32], out: &mut Vec<i8>) -> f32 {
    let largest = components.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    out.extend(components.iter().map(|x| (x / scale).round() as i8));
    scale
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(count: usize, dimension: usize) -> Vec<Vector> {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        (0..count).map(|_| Vector::new(&(0..dimension).map(|_| next()).collect::<Vec<_>>()).unwrap()).collect()
    }

    #[test]
    fn coded_and_exact_scans_agree_on_the_nearest() {
        let vectors = vectors(1_500, 50);
        let matrix = Matrix::new((0..).zip(&vectors));
        for query in vectors.iter().step_by(97).map(Vector::to_f32) {
            let exact = |v: &Vector| v.to_f32().iter().zip(&query).map(|(a, b)| a * b).sum::<f32>();
            let mut expected: Vec<(f32, u32)> = (0..).zip(&vectors).map(|(owner, v)| (exact(v), owner)).collect();
            expected.sort_by(|a, b| b.0.total_cmp(&a.0));
            for kernel in [Kernel::best(), Kernel::PORTABLE] {
                let near = matrix.nearest(kernel, &query);
                let found: Vec<u32> = near.iter().take(20).map(|near| near.owner).collect();
                assert_eq!(found, expected.iter().take(20).map(|(_, owner)| *owner).collect::<Vec<_>>());
                assert!((near[0].cosine - expected[0].0).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn small_matrices_are_compared_whole() {
        let vectors = vectors(CODED_ROWS, 40);
        let matrix = Matrix::new((0..).zip(&vectors));
        assert_eq!(matrix.nearest(Kernel::best(), &vectors[3].to_f32()).len(), CODED_ROWS);
        assert_eq!(matrix.nearest(Kernel::best(), &vectors[3].to_f32())[0].owner, 3);
    }

    #[test]
    fn a_query_of_another_dimension_finds_nothing() {
        let matrix = Matrix::new((0..).zip(&vectors(3, 64)));
        assert!(matrix.nearest(Kernel::best(), &[1.0; 384]).is_empty());
        assert!(Matrix::default().nearest(Kernel::best(), &[1.0; 384]).is_empty());
    }
}
