//! Element-wise arithmetic of the encoder, in one source for every instruction set.
//!
//! *Invariant:* every result is the same bit for bit on every CPU. Operations are single IEEE 754 additions,
//! multiplications, divisions and square roots in a fixed order (reductions go over [`LANES`] partial sums, then over
//! the lanes); nothing is fused and nothing comes from the platform's libm. The compiler may widen such code to
//! whatever vectors the caller's target features allow, but never changes its results. So a memory is folded alike
//! wherever its vectors were made.

/// Partial sums in a reduction, and floats worked on side by side.
pub(super) const LANES: usize = 16;

/// Floats worked on side by side.
pub(super) type Lanes = [f32; LANES];

/// Adding and taking away 1.5 · 2²³ rounds a float below 2²² to the nearest integer, ties to even.
const ROUND: f32 = 12_582_912.0;

/// The nearest whole number, ties to even, of an `x` with |x| below 2²²; of any other x, some number.
#[inline(always)]
pub(super) fn round_to_whole(x: f32) -> i32 {
    // Where the last bit counts one, the bits count like whole numbers do.
    (x + ROUND).to_bits().wrapping_sub(ROUND.to_bits()) as i32
}

#[inline(always)]
fn polynomial<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut y = coefficients[0];
    for c in &coefficients[1..] {
        y = y * x + c;
    }
    y
}

/// e to the `x`, for `x ≤ 0`; below −80 the result is that of −80 (1.8e-35), so that no denormal slows a softmax. Relative error below 2e-7: reduction by
/// powers of two and the degree-6 polynomial of the Cephes library's `expf`.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let x = x.max(-80.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let twos = shifted - ROUND;
    // ln 2 in two parts, so that the reduction loses nothing.
    let rest = (x - twos * 0.693_359_4) - twos * -2.121_944_4e-4;
    let tail = polynomial(rest, [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5]);
    let y = tail * (rest * rest) + rest + 1.0;
    // `shifted` holds the whole number in its lowest bits; with the bias added and moved up it is the exponent.
    y * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// The error function, absolute error below 4e-7: the odd rational approximation over [−4, 4] used by Eigen.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let above = polynomial(
        square,
        [
            -2.726_142_3e-10,
            2.770_681_4e-8,
            -2.101_024e-6,
            -5.692_506_4e-5,
            -7.349_906_3e-4,
            -2.954_6e-3,
            -1.609_603_3e-2,
        ],
    );
    let below = polynomial(square, [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2]);
    x * above / below
}

/// x · Φ(x), the exact (not the tanh) Gaussian error linear unit, in place.
#[inline(always)]
pub(super) fn gelu(values: &mut [f32]) {
    for x in values {
        *x = 0.5 * *x * (1.0 + erf(*x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// The sum of the lanes, in halves.
#[inline(always)]
pub(super) fn sum_lanes(mut lanes: Lanes) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// `row ← (row − mean) / √(variance + epsilon) · weight + bias`. Lengths are equal and multiples of [`LANES`].
#[inline(always)]
pub(super) fn layer_norm(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mut sums = [0.0; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        for i in 0..LANES {
            sums[i] += chunk[i];
        }
    }
    let mean = sum_lanes(sums) / count;
    let mut squares = [0.0; LANES];
    for chunk in row.as_chunks_mut::<LANES>().0 {
        for i in 0..LANES {
            chunk[i] -= mean;
            squares[i] += chunk[i] * chunk[i];
        }
    }
    let scale = 1.0 / (sum_lanes(squares) / count + epsilon).sqrt();
    for ((x, w), b) in row.iter_mut().zip(weight).zip(bias) {
        *x = *x * scale * w + b;
    }
}

/// Turns scores into shares that sum to 1. The length is a multiple of [`LANES`]; unused places hold −∞ and end as
/// (practically) nothing.
#[inline(always)]
pub(super) fn softmax(scores: &mut [f32]) {
    let mut highest = [f32::NEG_INFINITY; LANES];
    for chunk in scores.as_chunks::<LANES>().0 {
        for i in 0..LANES {
            highest[i] = if chunk[i] > highest[i] { chunk[i] } else { highest[i] };
        }
    }
    let highest = highest.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sums = [0.0; LANES];
    for chunk in scores.as_chunks_mut::<LANES>().0 {
        for i in 0..LANES {
            chunk[i] = exp(chunk[i] - highest);
            sums[i] += chunk[i];
        }
    }
    let scale = 1.0 / sum_lanes(sums);
    for x in scores {
        *x *= scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_accurate_where_softmax_uses_it() {
        for i in 0..=80_000 {
            let x = -(i as f32) / 1000.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) - exact).abs() / exact;
            assert!(error < 2e-7, "exp({x}) is off by {error}");
        }
        assert!(exp(f32::NEG_INFINITY) < 2e-35);
    }

    #[test]
    fn erf_meets_known_values() {
        // Abramowitz & Stegun, table 7.1.
        for (x, y) in [(0.0, 0.0), (0.1, 0.112_462_916), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3)] {
            assert!((erf(x) - y).abs() < 4e-7 && (erf(-x) + y).abs() < 4e-7, "erf({x}) = {}", erf(x));
        }
        assert!((erf(50.0) - 1.0).abs() < 4e-7);
    }

    #[test]
    fn softmax_shares_sum_to_one_and_keep_order() {
        let mut scores = [f32::NEG_INFINITY; 32];
        scores[..3].copy_from_slice(&[1.0, 3.0, 2.0]);
        softmax(&mut scores);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((scores[1] - 0.665_241).abs() < 1e-5 && scores[2] > scores[0] && scores[3] < 1e-34);
    }

    #[test]
    fn layer_norm_centres_and_scales() {
        let mut row: Vec<f32> = (0..32).map(|i| i as f32).collect();
        layer_norm(&mut row, &[2.0; 32], &[1.0; 32], 1e-12);
        // Uniform integers 0..32: mean 15.5, variance (32² − 1) / 12.
        let deviation = (1023.0f32 / 12.0).sqrt();
        assert!((row[0] - (2.0 * -15.5 / deviation + 1.0)).abs() < 1e-5);
        assert!((row[31] - (2.0 * 15.5 / deviation + 1.0)).abs() < 1e-5);
    }
}
