//! Unit vectors, stored as halves. Comparisons that decide something are made on integers, so that every CPU decides alike.

use half::f16;
use serde::{Deserialize, Serialize};

/// A unit vector in half precision, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vector(Vec<f16>);

impl Vector {
    /// From a model's output; scaled to length 1. `None` if empty, all zero, or not finite.
    pub fn new(components: &[f32]) -> Option<Self> {
        let norm = components.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
        if !norm.is_finite() || norm == 0.0 {
            return None;
        }
        Some(Self(components.iter().map(|x| f16::from_f64(f64::from(*x) / norm)).collect()))
    }

    /// The components.
    pub fn components(&self) -> &[f16] {
        &self.0
    }

    /// The components as single precision.
    pub fn to_f32(&self) -> Vec<f32> {
        self.0.iter().map(|x| x.to_f32()).collect()
    }

    /// Cosine in ten-thousandths; to compare one with many, keep its [`Vector::fixed`]. `None` if the dimensions differ.
    pub fn cosine(&self, other: &Self) -> Option<i32> {
        self.fixed().cosine(&other.fixed())
    }

    /// The components rounded to multiples of 1/4096, to compare with.
    pub fn fixed(&self) -> Fixed {
        let components: Vec<i16> = self.0.iter().map(|x| (x.to_f32() * 4096.0).round() as i16).collect();
        let squared = dot(&components, &components);
        Fixed { components, squared }
    }
}

/// A vector in fixed point: what it decides is the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    components: Vec<i16>,
    squared: i64,
}

impl Fixed {
    /// Cosine in ten-thousandths. `None` if the dimensions differ.
    pub fn cosine(&self, other: &Self) -> Option<i32> {
        if self.components.len() != other.components.len() {
            return None;
        }
        if self.squared == 0 || other.squared == 0 {
            return Some(0);
        }
        // One correctly rounded square root and division, by IEEE 754 equal everywhere.
        let norm = ((self.squared as f64) * (other.squared as f64)).sqrt();
        Some((dot(&self.components, &other.components) as f64 / norm * 10_000.0).round() as i32)
    }
}

/// Sums in pieces that cannot overflow 32 bits (64 products of at most 2^24 each), which the compiler vectorises.
fn dot(a: &[i16], b: &[i16]) -> i64 {
    let piece =
        |(a, b): (&[i16], &[i16])| i64::from(a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum::<i32>());
    a.chunks(64).zip(b.chunks(64)).map(piece).sum()
}
