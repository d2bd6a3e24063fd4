//! The vectors of a space in contiguous memory, scanned whole. No graph, no filter: a space is small, and up to several
//! hundred thousand rows a scan beats building an index (`benches/`).
//!
//! A row is held as 16-bit integers, finer than the halves it comes from, in two planes: the high bytes of all rows, then
//! the low bytes. So the high bytes alone are the 8-bit code that a first pass scans, and nothing is held twice. Of
//! very many rows the signs are held too, one bit a component.

use saidso_core::vector::Vector;

use crate::kernel::{Block, GROUP, Kernel, LANES, PLANES, Signs};

/// Rows from which a pass over the high bytes picks what is compared exactly.
const CODED_ROWS: usize = 200;
/// How many of that pass are compared exactly.
const RESCORED: usize = 96;
/// Rows from which a pass over signs picks what the pass over the high bytes sees.
const SIGNED_ROWS: usize = 20_000;
/// How many rows of the pass over signs the next one sees.
const SHORTLIST: usize = 2_000;

/// What the largest component of a row is as an integer: high byte 127, low byte 127.
const LARGEST: f32 = 127.0 * 256.0 + 127.0;

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
    dimension: usize,
    owners: Vec<u32>,
    codes: Codes,
    signed: Option<Signed>,
}

/// Vectors as integers in two planes, each with what one stands for. A row is `blocks` blocks in each plane.
#[derive(Debug, Default)]
struct Codes {
    blocks: usize,
    high: Vec<Block>,
    low: Vec<Block>,
    scales: Vec<f32>,
}

/// The signs of rows around their mean. Cosines of a real model crowd together: all rows point the same way, and without
/// their mean taken off most signs would be the same in all of them.
///
/// From the signs of what is left of a row its product with any vector can be estimated without bias (RaBitQ, Gao and Long
/// 2024), to which the product with the mean is added. A random rotation, which the paper has, gains nothing on vectors of a
/// sentence model.
#[derive(Debug)]
struct Signed {
    dimension: usize,
    mean: Vec<f32>,
    groups: Vec<Signs>,
    /// Per row.
    estimates: Vec<Estimate>,
}

/// How signs become a product.
#[derive(Debug)]
struct Estimate {
    /// What a unit of agreement of signs comes to.
    unit: f32,
    /// The product of what is left of the row with the mean.
    along: f32,
}

impl Matrix {
    /// From vectors and their owners. A vector of another dimension than the first is left out: the generation pins
    /// the embedder, so there is none.
    pub fn new<'a>(vectors: impl Iterator<Item = (u32, &'a Vector)>) -> Self {
        let mut matrix = Self::default();
        for (owner, vector) in vectors {
            let components = vector.to_f32();
            if matrix.owners.is_empty() {
                matrix.dimension = components.len();
                matrix.codes.blocks = components.len().div_ceil(LANES);
            }
            if components.len() == matrix.dimension {
                matrix.owners.push(owner);
                matrix.codes.push(&components);
            }
        }
        matrix.owners.shrink_to_fit();
        matrix.codes.shrink();
        if matrix.len() > SIGNED_ROWS {
            matrix.signed = Some(Signed::of(&matrix.codes, matrix.dimension));
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

    /// Every row with its owner.
    pub fn rows(&self) -> impl Iterator<Item = (u32, Vec<f32>)> + '_ {
        let row = |(row, owner): (usize, &u32)| (*owner, self.codes.components(row).take(self.dimension).collect());
        self.owners.iter().enumerate().map(row)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let signed = self
            .signed
            .as_ref()
            .map_or(0, |signed| size_of_val(&*signed.groups) + (signed.mean.len() + 2 * signed.estimates.len()) * 4);
        self.owners.len() * 4 + self.codes.bytes() + signed
    }

    /// The rows nearest to a unit vector, nearest first, then by owner: all of a small matrix, of a large one the
    /// best [`RESCORED`]. Nothing if the dimensions differ.
    pub fn nearest(&self, kernel: Kernel, query: &[f32]) -> Vec<Near> {
        if self.is_empty() || query.len() != self.dimension {
            return Vec::new();
        }
        let mut code = Codes { blocks: self.codes.blocks, ..Codes::default() };
        code.push(query);
        let rows: Vec<usize> = match &self.signed {
            Some(signed) => {
                let shortlist = signed.shortlist(kernel, query);
                self.codes.best(kernel, &code, shortlist.into_iter())
            }
            None if self.len() > CODED_ROWS => self.codes.best(kernel, &code, 0..self.len()),
            None => (0..self.len()).collect(),
        };
        let cosines = self.codes.cosines(kernel, &code, &rows);
        let near = rows.iter().zip(cosines).map(|(row, cosine)| Near { owner: self.owners[*row], cosine });
        let mut near: Vec<Near> = near.collect();
        near.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.owner.cmp(&b.owner)));
        near
    }
}

impl Codes {
    /// Appends a vector.
    fn push(&mut self, components: &[f32]) {
        let largest = components.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let scale = if largest > 0.0 { largest / LARGEST } else { 1.0 };
        self.scales.push(scale);
        for part in components.chunks(LANES) {
            let (mut high, mut low) = (Block([0; LANES]), Block([0; LANES]));
            for ((high, low), component) in high.0.iter_mut().zip(&mut low.0).zip(part) {
                // To the nearest: the cast cuts off, and unlike `round` it is no call.
                let whole = (component / scale + 0.5f32.copysign(*component)) as i32;
                // To the nearest, so that a low byte is as often below zero as above.
                let nearest = (whole + 128) >> 8;
                *high = nearest as i8;
                // −128 is left to nobody: see `Block`.
                *low = (whole - (nearest << 8)).max(-127) as i8;
            }
            self.high.push(high);
            self.low.push(low);
        }
    }

    fn shrink(&mut self) {
        self.high.shrink_to_fit();
        self.low.shrink_to_fit();
        self.scales.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.high) + size_of_val(&*self.low) + self.scales.len() * 4
    }

    fn row<'a>(&self, plane: &'a [Block], row: usize) -> &'a [Block] {
        &plane[row * self.blocks..][..self.blocks]
    }

    /// The components of a row, padded with zeros to whole blocks.
    fn components(&self, row: usize) -> impl Iterator<Item = f32> + '_ {
        let scale = self.scales[row];
        let bytes = |plane| self.row(plane, row).iter().flat_map(|Block(bytes)| bytes);
        let whole = bytes(&self.high).zip(bytes(&self.low));
        whole.map(move |(high, low)| (i32::from(*high) * 256 + i32::from(*low)) as f32 * scale)
    }

    /// The [`RESCORED`] rows whose high bytes look nearest, in no order.
    fn best(&self, kernel: Kernel, query: &Self, rows: impl Iterator<Item = usize> + Clone) -> Vec<usize> {
        let mut dots = Vec::with_capacity(rows.size_hint().0);
        kernel.dots(&query.high, rows.clone().map(|row| self.row(&self.high, row)), &mut dots);
        // The query's own scale is common to all rows and does not change their order.
        let scored = dots.iter().zip(rows).map(|(dot, row)| (*dot as f32 * self.scales[row], row));
        highest(scored, RESCORED)
    }

    /// The cosines of rows with a query, of both planes of both.
    fn cosines(&self, kernel: Kernel, query: &Self, rows: &[usize]) -> Vec<f32> {
        let products = |query: &[Block], plane: &[Block]| {
            let mut dots = Vec::with_capacity(rows.len());
            kernel.dots(query, rows.iter().map(|row| self.row(plane, *row)), &mut dots);
            dots
        };
        let (high, low) = (products(&query.high, &self.high), products(&query.low, &self.low));
        let (across, back) = (products(&query.high, &self.low), products(&query.low, &self.high));
        let cosine = |(at, row): (usize, &usize)| {
            let middle = i64::from(across[at]) + i64::from(back[at]);
            let whole = (i64::from(high[at]) << 16) + (middle << 8) + i64::from(low[at]);
            whole as f32 * self.scales[*row] * query.scales[0]
        };
        rows.iter().enumerate().map(cosine).collect()
    }
}

impl Signed {
    fn of(codes: &Codes, dimension: usize) -> Self {
        let rows = codes.scales.len();
        let mut mean = vec![0.0; dimension];
        for row in 0..rows {
            mean.iter_mut().zip(codes.components(row)).for_each(|(sum, x)| *sum += x);
        }
        mean.iter_mut().for_each(|sum| *sum /= rows as f32);
        let mut groups = vec![Signs([0; GROUP]); rows.div_ceil(GROUP) * codes.blocks];
        let mut estimates = Vec::with_capacity(rows);
        for row in 0..rows {
            let (mut squared, mut absolute, mut along) = (0.0, 0.0, 0.0);
            for (at, (component, mean)) in codes.components(row).zip(&mean).enumerate() {
                let left = component - mean;
                squared += left * left;
                absolute += left.abs();
                along += left * mean;
                groups[row / GROUP * codes.blocks + at / LANES].0[row % GROUP] |= u64::from(left > 0.0) << (at % LANES);
            }
            let unit = if absolute > 0.0 { squared / absolute } else { 0.0 };
            estimates.push(Estimate { unit, along });
        }
        Self { dimension, mean, groups, estimates }
    }

    /// The [`SHORTLIST`] rows whose estimated products with the query are the highest, in the order in which they are held.
    fn shortlist(&self, kernel: Kernel, query: &[f32]) -> Vec<usize> {
        let left: Vec<f32> = query.iter().zip(&self.mean).map(|(x, mean)| x - mean).collect();
        let spread = (left.iter().map(|x| x * x).sum::<f32>() / self.dimension as f32).sqrt();
        // The components as odd multiples of half a step, −MOST…MOST: the best quantiser of a normal distribution into
        // eight levels has steps of .586 of its spread (Max 1960). MOST is 1 + 2 + 4; the bits of a level say which of these
        // are added, and which taken off.
        let step = (0.586 * spread).max(f32::MIN_POSITIVE);
        let mut planes = vec![[0; PLANES]; self.dimension.div_ceil(LANES)];
        for (at, x) in left.iter().enumerate() {
            let level = (x / step + (MOST + 1.0) / 2.0).clamp(0.0, MOST) as u64;
            for (plane, word) in planes[at / LANES].iter_mut().enumerate() {
                *word |= (level >> plane & 1) << (at % LANES);
            }
        }
        let mut distances = Vec::with_capacity(self.estimates.len().next_multiple_of(GROUP));
        kernel.distances(&planes, &self.groups, &mut distances);
        let agreement = MOST * self.dimension as f32;
        let product = |(row, (distance, Estimate { unit, along })): (usize, (&u32, &Estimate))| {
            ((agreement - 2.0 * *distance as f32) * (step / 2.0) * unit + along, row)
        };
        let mut rows = highest(distances.iter().zip(&self.estimates).enumerate().map(product), SHORTLIST);
        // Rows are read in the order in which they lie in memory.
        rows.sort_unstable();
        rows
    }
}

/// The largest component of a query where it meets signs: every plane's weight added.
const MOST: f32 = ((1 << PLANES) - 1) as f32;

/// The rows with the highest scores, at most so many, in no order; of equal ones the first.
fn highest(scored: impl Iterator<Item = (f32, usize)>, most: usize) -> Vec<usize> {
    let order = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    let mut best: Vec<(f32, usize)> = Vec::with_capacity(2 * most);
    // What every one that is kept reaches, once there are enough: nearly all rows fall short of it and cost a comparison.
    let mut needed = f32::NEG_INFINITY;
    for (score, row) in scored {
        if score > needed {
            best.push((score, row));
            if best.len() == 2 * most {
                needed = best.select_nth_unstable_by(most - 1, order).1.0;
                best.truncate(most);
            }
        }
    }
    if best.len() > most {
        best.select_nth_unstable_by(most - 1, order);
        best.truncate(most);
    }
    best.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uniform in −0.5…0.5, the same in every run.
    fn noise() -> impl FnMut() -> f32 {
        let mut state = 7u64;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        }
    }

    fn vectors(count: usize, dimension: usize) -> Vec<Vector> {
        let mut next = noise();
        (0..count).map(|_| Vector::new(&(0..dimension).map(|_| next()).collect::<Vec<_>>()).unwrap()).collect()
    }

    /// Vectors as a sentence model makes them: all near one direction (cosines of unrelated ones about .8), near those of
    /// their subject, most of what is left in a few components.
    fn crowded(count: usize, dimension: usize, subjects: usize) -> Vec<Vector> {
        let mut next = noise();
        let mut direction = |size: f32| (0..dimension).map(|_| next() * size).collect::<Vec<f32>>();
        let common = direction(2.0);
        let subjects: Vec<Vec<f32>> = (0..subjects).map(|_| direction(0.8)).collect();
        let mut vector = |at: usize| {
            let own = direction(0.8);
            let sums = common.iter().zip(&subjects[at % subjects.len()]).zip(own).enumerate();
            let component = |(place, ((common, subject), own)): (usize, ((&f32, &f32), f32))| {
                common + (subject + own) * 8.0 / (8.0 + place as f32).sqrt() / 2.0
            };
            Vector::new(&sums.map(component).collect::<Vec<_>>()).unwrap()
        };
        (0..count).map(&mut vector).collect()
    }

    fn exact(vectors: &[Vector], query: &[f32], first: usize) -> Vec<(f32, u32)> {
        let cosine = |v: &Vector| v.to_f32().iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
        let mut all: Vec<(f32, u32)> = vectors.iter().map(cosine).zip(0..).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.truncate(first);
        all
    }

    fn first(near: &[Near]) -> Vec<u32> {
        near.iter().take(20).map(|near| near.owner).collect()
    }

    #[test]
    fn coded_and_exact_scans_agree_on_the_nearest() {
        let vectors = vectors(1_500, 50);
        let matrix = Matrix::new((0..).zip(&vectors));
        for query in vectors.iter().step_by(97).map(Vector::to_f32) {
            let expected = exact(&vectors, &query, 20);
            for kernel in Kernel::all() {
                let near = matrix.nearest(kernel, &query);
                assert_eq!(first(&near), expected.iter().map(|(_, owner)| *owner).collect::<Vec<_>>());
                assert!((near[0].cosine - expected[0].0).abs() < 1e-4);
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
    fn signs_of_crowded_vectors_find_the_nearest() {
        let vectors = crowded(SIGNED_ROWS + 1 + 40, 384, 400);
        let (rows, questions) = vectors.split_at(SIGNED_ROWS + 1);
        let crowding = exact(rows, &questions[0].to_f32(), rows.len());
        assert!(crowding[rows.len() / 2].0 > 0.7, "{}", crowding[rows.len() / 2].0);
        let matrix = Matrix::new((0..).zip(rows));
        assert!(matrix.signed.is_some());
        let mut found = 0;
        for question in questions.iter().map(Vector::to_f32) {
            let near = first(&matrix.nearest(Kernel::best(), &question));
            assert!(near == first(&matrix.nearest(Kernel::PORTABLE, &question)));
            found += exact(rows, &question, 20).iter().filter(|(_, row)| near.contains(row)).count();
        }
        assert!(found >= questions.len() * 20 * 99 / 100, "{found} of {}", questions.len() * 20);
    }

    #[test]
    fn the_shortlist_is_full_and_in_order() {
        let vectors = crowded(SIGNED_ROWS + 5, 64, 3);
        let matrix = Matrix::new((0..).zip(&vectors));
        let signed = matrix.signed.as_ref().unwrap();
        let list = signed.shortlist(Kernel::best(), &vectors[9].to_f32());
        assert_eq!(list.len(), SHORTLIST);
        assert!(list.is_sorted() && list.contains(&9));
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let vectors = vectors(3, 70);
        let matrix = Matrix::new((5..).zip(&vectors));
        for ((owner, row), (expected, vector)) in matrix.rows().zip((5..).zip(&vectors)) {
            assert_eq!((owner, row.len()), (expected, 70));
            // Half a step of the finest, or a whole one where −128 was left out.
            assert!(row.iter().zip(vector.to_f32()).all(|(a, b)| (a - b).abs() < 2e-5));
        }
    }

    #[test]
    fn a_query_of_another_dimension_finds_nothing() {
        let matrix = Matrix::new((0..).zip(&vectors(3, 64)));
        assert!(matrix.nearest(Kernel::best(), &[1.0; 384]).is_empty());
        assert!(Matrix::default().nearest(Kernel::best(), &[1.0; 384]).is_empty());
    }
}
