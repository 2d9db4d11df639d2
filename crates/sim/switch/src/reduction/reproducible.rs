//! A sum of doubles that does not depend on the order of additions.
//!
//! The number line is divided into bins of 40 bits at fixed exponents. A double falls into two or
//! three of them, exactly. A sum keeps the four highest bins in use, as integers, and drops lower
//! ones. Whether a part of a double is kept depends on the highest bin of the whole sum, not on the
//! time of its arrival, so any order and any tree give the same bits. Four 64-bit bins are the 32
//! bytes of a payload. (After Demmel and Nguyen, 2013; the form is that of libfabric's cxi
//! provider: four integers and an exponent. Our sources do not state its bin width: 40 bits are
//! assumed.)

/// The number of bins kept.
pub const BINS: usize = 4;
/// Bits of each bin.
const WIDTH: i32 = 40;
/// The number of doubles that may be added before a bin may overflow: 2^63 / 2^40.
pub const CONTRIBUTIONS_MAX: u32 = 1 << 23;
/// Exponent of the least significant bit of a double.
const LEAST: i32 = -1074;

const NAN: u8 = 1;
const PLUS_INFINITY: u8 = 2;
const MINUS_INFINITY: u8 = 4;

/// A partial sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct ReproducibleSum {
    /// The bins, from the highest down.
    bins: [i64; BINS],
    /// Number of the highest bin; bin `i` counts in units of 2^(40 i - 1074).
    top: i16,
    /// Flags for values that are not finite.
    special: u8,
}

impl ReproducibleSum {
    /// The sum of nothing.
    pub const ZERO: Self = Self { bins: [0; BINS], top: 0, special: 0 };

    /// The sum of one double.
    #[must_use]
    pub fn of(number: f64) -> Self {
        let mut sum = Self::ZERO;
        if !number.is_finite() {
            sum.special = match number {
                _ if number.is_nan() => NAN,
                _ if number > 0.0 => PLUS_INFINITY,
                _ => MINUS_INFINITY,
            };
            return sum;
        }
        let bits = number.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        // In units of 2^LEAST: a mantissa of 53 bits and a shift.
        let (mantissa, shift) = if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
        if mantissa == 0 {
            return sum;
        }
        let sign = if bits >> 63 == 1 { -1 } else { 1 };
        let bottom = shift / WIDTH;
        let wide = u128::from(mantissa) << (shift % WIDTH);
        let part = |bin: i32| (wide >> (WIDTH * bin)) as i64 & ((1 << WIDTH) - 1);
        let parts = [part(0), part(1), part(2)];
        let highest = (0..3).rev().find(|&bin| parts[bin as usize] != 0).unwrap_or(0);
        sum.top = (bottom + highest) as i16;
        for bin in 0..=highest {
            sum.bins[(highest - bin) as usize] = sign * parts[bin as usize];
        }
        sum
    }

    /// The sum of both. Neither the order nor the grouping of sums matters.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let top = self.top.max(other.top);
        let bin = |sum: &Self, place: usize| {
            let down = usize::from(top.abs_diff(sum.top));
            place.checked_sub(down).map_or(0, |place| sum.bins[place])
        };
        let mut bins = [0; BINS];
        for (place, both) in bins.iter_mut().enumerate() {
            *both = bin(&self, place).wrapping_add(bin(&other, place));
        }
        Self { bins, top, special: self.special | other.special }
    }

    /// The value as a double: carries are propagated exactly, then the bins are rounded by at most
    /// three additions from the lowest up.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.special & NAN != 0 || self.special & (PLUS_INFINITY | MINUS_INFINITY) == PLUS_INFINITY | MINUS_INFINITY
        {
            return f64::NAN;
        }
        if self.special & PLUS_INFINITY != 0 {
            return f64::INFINITY;
        }
        if self.special & MINUS_INFINITY != 0 {
            return f64::NEG_INFINITY;
        }
        let mut bins = self.bins;
        for place in (1..BINS).rev() {
            // Round to the nearest multiple of a bin, so that the remainder is below 2^39 and exact
            // as a double.
            let carry = (bins[place] + (1 << (WIDTH - 1))) >> WIDTH;
            bins[place] -= carry << WIDTH;
            bins[place - 1] += carry;
        }
        let scaled = |place: usize| scale(bins[place] as f64, WIDTH * (i32::from(self.top) - place as i32) + LEAST);
        // Lowest first, so that large parts are rounded last.
        (0..BINS).rev().map(scaled).fold(0.0, |sum, part| sum + part)
    }
}

/// `number * 2^exponent`, by multiplications that are exact unless the result is out of range.
fn scale(mut number: f64, mut exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    while exponent > 1000 {
        number *= power(1000);
        exponent -= 1000;
    }
    while exponent < -1000 {
        // Once only: below 2^-1114 nothing is left of 40 bits. The number is an integer, so no bit
        // is lost before the last step.
        number *= power(-1000);
        exponent += 1000;
    }
    number * power(exponent)
}
