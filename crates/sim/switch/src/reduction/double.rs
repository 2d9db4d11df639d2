//! Arithmetic on doubles in payloads: the only floating-point code of the engine's function.
//!
//! Model crates avoid floating point because its results may differ between platforms. The
//! operations here do not differ: comparison, and addition, which IEEE 754 rounds identically
//! everywhere.

use std::cmp::Ordering;

/// An order of doubles in which every number comes before every NaN, and -0 before +0.
fn order(one: f64, other: f64) -> Ordering {
    one.is_nan().cmp(&other.is_nan()).then_with(|| one.total_cmp(&other))
}

/// The lesser; a number is preferred to a NaN. The order of the arguments does not matter.
pub fn min(one: u64, other: u64) -> u64 {
    if order(f64::from_bits(one), f64::from_bits(other)).is_le() { one } else { other }
}

/// The greater; a number is preferred to a NaN. The order of the arguments does not matter.
pub fn max(one: u64, other: u64) -> u64 {
    let (left, right) = (f64::from_bits(one), f64::from_bits(other));
    let greater = match (left.is_nan(), right.is_nan()) {
        (false, true) => true,
        (true, false) => false,
        _ => left.total_cmp(&right).is_ge(),
    };
    if greater { one } else { other }
}

/// The rounded sum. A sum of several depends on the order of additions, as on the hardware.
pub fn sum(one: u64, other: u64) -> u64 {
    (f64::from_bits(one) + f64::from_bits(other)).to_bits()
}

/// The lesser of two (value, index) pairs; the lower index of equal values.
pub fn min_at(one: (u64, u64), other: (u64, u64)) -> (u64, u64) {
    at(one, other, min(one.0, other.0))
}

/// The greater of two (value, index) pairs; the lower index of equal values.
pub fn max_at(one: (u64, u64), other: (u64, u64)) -> (u64, u64) {
    at(one, other, max(one.0, other.0))
}

fn at(one: (u64, u64), other: (u64, u64), chosen: u64) -> (u64, u64) {
    match (one.0 == chosen, other.0 == chosen) {
        (true, true) => (chosen, one.1.min(other.1)),
        (true, false) => one,
        (false, _) => other,
    }
}
