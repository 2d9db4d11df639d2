//! Functions of numbers with 32 fractional bits, computed with tables of integers: the same on any
//! machine.

use philae_engine::RandomStream;

use crate::random::exponential;

/// One, with 32 fractional bits.
pub(crate) const ONE: i64 = 1 << 32;

/// pi / 2 with 60 fractional bits.
const HALF_PI: i128 = 1_811_004_864_519_280_710;

/// ln 2 with 60 fractional bits.
const LN_2: i128 = 799_144_290_325_165_978;

/// `cos(pi / 2 * i / 256)` for `i` in `0..=256`, with 32 fractional bits.
const COSINE: [i64; 257] = {
    let mut table = [0; 257];
    let mut i = 0;
    while i <= 256 {
        // 1 - x^2/2 + x^4/24 - ..., with 60 fractional bits.
        let x = HALF_PI * i / 256;
        let square = (x * x) >> 60;
        let (mut term, mut sum, mut n) = (1_i128 << 60, 1_i128 << 60, 1);
        while n <= 12 {
            term = -((term * square) >> 60) / ((2 * n - 1) * (2 * n));
            sum += term;
            n += 1;
        }
        table[i as usize] = (sum >> 28) as i64;
        i += 1;
    }
    table
};

/// `2^(i / 256)` for `i` in `0..=256`, with 32 fractional bits.
const POWER: [i64; 257] = {
    let mut table = [0; 257];
    let mut i = 0;
    while i <= 256 {
        // exp(x) = 1 + x + x^2/2 + ..., x = ln 2 * i / 256, with 60 fractional bits.
        let x = LN_2 * i / 256;
        let (mut term, mut sum, mut n) = (1_i128 << 60, 1_i128 << 60, 1);
        while n <= 24 {
            term = ((term * x) >> 60) / n;
            sum += term;
            n += 1;
        }
        table[i as usize] = (sum >> 28) as i64;
        i += 1;
    }
    table
};

/// A table's value between two of its points: `at` has 8 bits for the point and 24 for the distance
/// to the next.
const fn between(table: &[i64; 257], at: u32) -> i64 {
    let (cell, within) = ((at >> 24) as usize, (at & 0xff_ffff) as i64);
    table[cell] + (((table[cell + 1] - table[cell]) * within) >> 24)
}

/// One draw from the normal distribution of mean 0 and variance 1 (Box and Muller), to within 1e-5
/// of a deviation.
pub(crate) fn normal(stream: &mut RandomStream) -> i64 {
    // sqrt(2 E) for an exponential E, times the cosine of a random angle.
    let radius = ((u128::from(exponential(stream)) << 33).isqrt()) as i64;
    let word = stream.next_u64();
    let cosine = between(&COSINE, (word >> 32) as u32);
    let sign = if word & 1 == 0 { 1 } else { -1 };
    sign * (((i128::from(radius) * i128::from(cosine)) >> 32) as i64)
}

/// `value` times `e^exponent`, rounded down; at most the largest number.
pub(crate) fn times_exp(value: u64, exponent: i64) -> u64 {
    // e^x = 2^(x / ln 2): whole halvings or doublings, and a rest from the table.
    let binary = (i128::from(exponent) << 60) / LN_2;
    let (whole, rest) = ((binary >> 32) as i64, (binary & 0xffff_ffff) as u32);
    let scaled = u128::from(value) * between(&POWER, rest) as u128;
    match whole - 32 {
        shift @ 0.. => {
            scaled.checked_mul(1_u128.checked_shl(shift as u32).unwrap_or(u128::MAX)).map_or(u64::MAX, capped)
        }
        shift @ -127..0 => capped(scaled >> -shift),
        _ => 0,
    }
}

fn capped(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

/// `ln(numerator / denominator)` for a ratio of 1 to 2^20, rounded.
pub(crate) fn ln_ratio(numerator: u64, denominator: u64) -> i64 {
    // Halve until below 2, then ln x = 2 atanh((x - 1) / (x + 1)) with 60 fractional bits.
    let mut ratio = (i128::from(numerator) << 60) / i128::from(denominator);
    let mut halvings = 0;
    while ratio >= 2 << 60 {
        ratio >>= 1;
        halvings += 1;
    }
    let one = 1_i128 << 60;
    let t = ((ratio - one) << 60) / (ratio + one);
    let square = (t * t) >> 60;
    let (mut power, mut sum, mut n) = (t, 0_i128, 1);
    while n < 40 {
        sum += power / n;
        power = (power * square) >> 60;
        n += 2;
    }
    ((2 * sum + halvings * LN_2 + (1 << 27)) >> 28) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(fixed: i64) -> f64 {
        fixed as f64 / 4_294_967_296.0
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the platform's functions are what the tables are compared with")]
    fn functions_agree_with_floating_point() {
        for at in 0..1_000_u32 {
            let x = f64::from(at) / 1_000.0;
            let word = (x * 4_294_967_296.0) as u32;
            assert!((float(between(&COSINE, word)) - (x * std::f64::consts::FRAC_PI_2).cos()).abs() < 6e-6);
            assert!((float(between(&POWER, word)) - x.exp2()).abs() < 4e-6);
            let exponent = (x - 0.5) * 30.0;
            let found = times_exp(1 << 40, (exponent * 4_294_967_296.0) as i64) as f64 / (1_u64 << 40) as f64;
            assert!((found / exponent.exp() - 1.0).abs() < 1e-5, "e^{exponent} is not {found}");
            let ratio = 1 + u64::from(at) * u64::from(at);
            assert!((float(ln_ratio(ratio, 1)) - (ratio as f64).ln()).abs() < 1e-8);
        }
        assert_eq!((times_exp(u64::MAX, 100 * ONE), times_exp(u64::MAX, -100 * ONE)), (u64::MAX, 0));
        assert_eq!((times_exp(77, 0), ln_ratio(5, 5)), (77, 0));
    }

    #[test]
    fn normal_draws_have_the_moments_and_tails_of_the_law() {
        let mut stream = RandomStream::new(1, 0, 5);
        let draws: Vec<f64> = (0..1_000_000).map(|_| float(normal(&mut stream))).collect();
        let mean = |of: fn(f64) -> f64| draws.iter().map(|&draw| of(draw)).sum::<f64>() / draws.len() as f64;
        assert!(mean(|draw| draw).abs() < 0.004 && (mean(|draw| draw * draw) - 1.0).abs() < 0.006);
        assert!((mean(|draw| draw * draw * draw * draw) - 3.0).abs() < 0.06);
        let above = |limit: f64| draws.iter().filter(|&&draw| draw > limit).count() as f64 / draws.len() as f64;
        assert!((above(2.326_35) - 0.01).abs() < 0.0004 && (above(3.090_23) - 0.001).abs() < 0.00015);
    }
}
