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

    /// Cosine in ten-thousandths, from components rounded to multiples of 1/4096 and summed as integers: the same
    /// on every machine. `None` if the dimensions differ.
    pub fn cosine(&self, other: &Self) -> Option<i32> {
        if self.0.len() != other.0.len() {
            return None;
        }
        let fixed = |x: &f16| (x.to_f32() * 4096.0).round() as i64;
        let (mut dot, mut a, mut b) = (0i64, 0i64, 0i64);
        for (x, y) in self.0.iter().zip(&other.0) {
            let (x, y) = (fixed(x), fixed(y));
            dot += x * y;
            a += x * x;
            b += y * y;
        }
        if a == 0 || b == 0 {
            return Some(0);
        }
        // One correctly rounded square root and division, by IEEE 754 equal everywhere.
        let norm = ((a as f64) * (b as f64)).sqrt();
        Some(((dot as f64) / norm * 10_000.0).round() as i32)
    }
}
