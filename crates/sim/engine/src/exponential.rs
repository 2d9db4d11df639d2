//! Exponential draws that are the same on every platform.

use crate::RandomStream;

/// Fractional bits of [`exponential`].
const FRACTION: u32 = 40;

/// One draw from the exponential distribution of mean 1, in fixed point with [`FRACTION`]
/// fractional bits; below 45.
///
/// `-ln u` for `u = 2^-k * m` with `m` in (1/2, 1] is `k ln 2 - ln m`: the leading zeros of a
/// random word give `k`.
fn exponential(stream: &mut RandomStream) -> u64 {
    let halvings = u64::from(stream.next_u64().leading_zeros());
    halvings * MINUS_LN[256] + minus_ln(stream.next_u64() >> 24)
}

/// `-ln(1 - fraction / 2^41)` for a fraction below 2^40, with [`FRACTION`] fractional bits.
///
/// A table with second-order interpolation: the third derivative is at most 16 and the table's step
/// 1/512. So the value is right within 16 (1/512)^3 / (9 sqrt 3) = 8e-9 and the density within
/// 3e-5. Two errors close together, which decide whether a codeword can be corrected, have the
/// right probability.
fn minus_ln(fraction: u64) -> u64 {
    let cell = (fraction >> 32) as usize;
    let within = i128::from(fraction & 0xffff_ffff);
    let point = |index: usize| i128::from(MINUS_LN[index]);
    let first = point(cell + 1) - point(cell);
    let second = point(cell + 2) - 2 * point(cell + 1) + point(cell);
    let bent = second * within * ((1 << 32) - within) / 2;
    let rest = point(cell) + ((first * within) >> 32) - (bent >> 64);
    u64::try_from(rest).expect("the interpolation of a rising table from 0 is not negative")
}

/// `mean` times a draw from the exponential distribution of mean 1, at most `u64::MAX`. `mean` has
/// 16 fractional bits and is below 2^80.
#[must_use]
pub fn exponential_of_mean(stream: &mut RandomStream, mean: u128) -> u64 {
    let drawn = (u128::from(exponential(stream)) * mean) >> (FRACTION + 16);
    u64::try_from(drawn).unwrap_or(u64::MAX)
}

/// `-ln(1 - i / 512)` for `i` in `0..=257`, with [`FRACTION`] fractional bits; entry 256 is `ln 2`.
const MINUS_LN: [u64; 258] = {
    let mut table = [0; 258];
    let mut i = 0;
    while i < table.len() {
        // -ln(1 - x) = x + x^2/2 + x^3/3 + ..., x = i / 512, in fixed point with 60 fractional
        // bits.
        let mut power: u128 = 1 << 60;
        let mut sum: u128 = 0;
        let mut exponent = 1;
        while exponent <= 64 {
            power = power * i as u128 / 512;
            sum += power / exponent;
            exponent += 1;
        }
        table[i] = (sum >> (60 - FRACTION)) as u64;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_ends_at_ln_2() {
        assert!((MINUS_LN[256] as f64 / (1_u64 << FRACTION) as f64 - std::f64::consts::LN_2).abs() < 1e-11);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test may use the platform's logarithm: it compares within bounds")]
    fn the_logarithm_is_right_within_its_bounds() {
        let scale = (1_u64 << FRACTION) as f64;
        let step = (1 << 24) - 3;
        let mut before = 0.0;
        for fraction in (0..1 << 40).step_by(step) {
            let computed = minus_ln(fraction) as f64 / scale;
            let x = fraction as f64 / 2.0 / scale;
            assert!((computed + (-x).ln_1p()).abs() < 1e-8, "{fraction}: {computed}");
            // The slope is the density: 1 / (1 - x), here between two points a step apart.
            if fraction > 0 {
                let slope = (computed - before) / (step as f64 / 2.0 / scale) * (1.0 - x);
                assert!((slope - 1.0).abs() < 2e-4, "{fraction}: slope off by {}", slope - 1.0);
            }
            before = computed;
        }
    }

    #[test]
    fn draws_have_mean_and_variance_one_and_are_dense_enough_near_zero() {
        let mut stream = RandomStream::new(3, 0, 0);
        let (draws, mut sum, mut squares, mut small) = (1_000_000, 0.0, 0.0, 0);
        for _ in 0..draws {
            let drawn = exponential(&mut stream) as f64 / (1_u64 << FRACTION) as f64;
            sum += drawn;
            squares += drawn * drawn;
            small += u32::from(drawn < 0.01);
        }
        let mean = sum / f64::from(draws);
        let variance = squares / f64::from(draws) - mean * mean;
        assert!((mean - 1.0).abs() < 0.005, "mean {mean}");
        assert!((variance - 1.0).abs() < 0.02, "variance {variance}");
        // 1 - exp(-0.01) = 0.00995: 9,950 draws, standard deviation 100.
        assert!((9_550..10_350).contains(&small), "{small} draws below 0.01");
    }
}
