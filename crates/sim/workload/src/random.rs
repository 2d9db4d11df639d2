//! Draws of workloads from random streams: orders, permutations, gaps. Only integers.
//!
//! The results do not depend on the platform: no floating point, no library mathematics, no hash
//! order.

use philae_engine::RandomStream;

/// The purpose of a stream; part of its name. As text, so that no other crate's purpose is the
/// same.
pub mod purpose {
    /// Nodes of a job.
    pub const PLACEMENT: u64 = u64::from_be_bytes(*b"wl-place");
    /// Destinations of messages.
    pub const DESTINATION: u64 = u64::from_be_bytes(*b"wl-destn");
    /// Start times of messages.
    pub const GAP: u64 = u64::from_be_bytes(*b"wl-gap--");
    /// Service times of requests.
    pub const SERVICE: u64 = u64::from_be_bytes(*b"wl-servc");
    /// Sizes of uneven blocks.
    pub const BLOCKS: u64 = u64::from_be_bytes(*b"wl-block");
    /// Pairs of ranks.
    pub const PERMUTATION: u64 = u64::from_be_bytes(*b"wl-permu");
    /// The order in which operations complete in [`simulate_semantics`](crate::simulate_semantics).
    pub const SEMANTICS: u64 = u64::from_be_bytes(*b"wl-seman");
}

/// SplitMix64's output function: a bijection of 64 bits.
const fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A number in `0..bound` from a source of 64 random bits.
fn below(bound: u64, source: &mut impl FnMut() -> u64) -> u64 {
    assert!(bound > 0, "a choice has at least one alternative");
    ((u128::from(source()) * u128::from(bound)) >> 64) as u64
}

/// Shuffles in place (Fisher-Yates, from the last element down).
pub fn shuffle<T>(items: &mut [T], source: &mut impl FnMut() -> u64) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, source) as usize);
    }
}

/// A pseudo-random order of `0..size` without a table: any position is computed from its number,
/// and back.
///
/// A six-round Feistel network over the next even number of bits, repeated until the result lies in
/// `0..size`. So every rank can find its partner in a random permutation of a hundred thousand
/// ranks in constant memory.
#[derive(Clone, Copy, Debug)]
pub struct Scrambled {
    size: u64,
    half_bits: u32,
    key: u64,
}

impl Scrambled {
    const ROUNDS: u64 = 6;

    /// The order of `0..size` that belongs to `key`.
    ///
    /// # Panics
    /// If the size is zero or above 2^62.
    #[must_use]
    pub fn new(size: u64, key: u64) -> Self {
        assert!(size > 0 && size <= 1 << 62, "an order has between 1 and 2^62 elements");
        let bits = u64::BITS - (size - 1).leading_zeros();
        Self { size, half_bits: bits.div_ceil(2).max(1), key }
    }

    /// The image of `position`, in `0..size`.
    #[must_use]
    pub fn forward(&self, position: u64) -> u64 {
        self.walk(position, |value| {
            (0..Self::ROUNDS).fold(value, |(left, right), round| (right, left ^ self.round(round, right)))
        })
    }

    /// The inverse of [`forward`](Self::forward).
    #[must_use]
    pub fn backward(&self, position: u64) -> u64 {
        self.walk(position, |value| {
            (0..Self::ROUNDS).rev().fold(value, |(left, right), round| (right ^ self.round(round, left), left))
        })
    }

    fn walk(&self, position: u64, permute: impl Fn((u64, u64)) -> (u64, u64)) -> u64 {
        assert!(position < self.size, "position {position} is outside an order of {}", self.size);
        let mut value = position;
        loop {
            let (left, right) = permute((value >> self.half_bits, value & self.mask()));
            value = (left << self.half_bits) | right;
            if value < self.size {
                return value;
            }
        }
    }

    const fn mask(&self) -> u64 {
        (1 << self.half_bits) - 1
    }

    const fn round(&self, round: u64, half: u64) -> u64 {
        mix(mix(self.key ^ round) ^ half) & self.mask()
    }
}

/// One draw from the exponential distribution of mean 1, as a fixed-point number with 32 fractional
/// bits.
///
/// `-ln u` for `u = 2^-k * m` with `m` in (1/2, 1] is `k ln 2 - ln m`: the leading zeros of the
/// random word give `k`, and a table of 257 points with linear interpolation gives the rest, to
/// within 2e-6 of the mean: the table's step is 1/512 and the second derivative at most 4, so the
/// error is at most (1/512)^2 / 8 * 4.
pub fn exponential(stream: &mut RandomStream) -> u64 {
    let halvings = u64::from(stream.next_u64().leading_zeros());
    let fraction = stream.next_u64() >> 32; // 32 bits: how far m is below 1, in halves
    let cell = (fraction >> 24) as usize;
    let within = fraction & 0xff_ffff;
    let (low, high) = (MINUS_LN[cell], MINUS_LN[cell + 1]);
    halvings * MINUS_LN[256] + low + (((high - low) * within) >> 24)
}

/// `-ln(1 - i / 512) * 2^32` for `i` in `0..=256`; the last entry is `ln 2`.
const MINUS_LN: [u64; 257] = {
    let mut table = [0; 257];
    let mut i = 0;
    while i <= 256 {
        // -ln(1 - x) = x + x^2/2 + x^3/3 + ..., x = i / 512 <= 1/2, in fixed point with 48
        // fractional bits.
        let mut power: u64 = 1 << 48;
        let mut sum: u64 = 0;
        let mut exponent = 1;
        while exponent <= 50 {
            power = power * i / 512;
            sum += power / exponent;
            exponent += 1;
        }
        table[i as usize] = sum >> 16;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_different_purpose_differ() {
        let mut gap = RandomStream::new(1, 2, purpose::GAP);
        let mut destination = RandomStream::new(1, 2, purpose::DESTINATION);
        assert_ne!(gap.next_u64(), destination.next_u64());
    }

    #[test]
    fn a_scrambled_order_is_a_bijection_with_an_inverse() {
        for size in [1, 2, 3, 7, 64, 100, 1_000] {
            let order = Scrambled::new(size, 42);
            let mut seen = vec![false; size as usize];
            for position in 0..size {
                let image = order.forward(position);
                assert!(!std::mem::replace(&mut seen[image as usize], true));
                assert_eq!(order.backward(image), position);
            }
        }
    }

    #[test]
    fn exponential_gaps_have_mean_and_variance_one() {
        let mut stream = RandomStream::new(3, 0, purpose::GAP);
        let draws = 1_000_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..draws {
            let gap = exponential(&mut stream) as f64 / 4_294_967_296.0;
            sum += gap;
            squares += gap * gap;
        }
        let mean = sum / f64::from(draws);
        let variance = squares / f64::from(draws) - mean * mean;
        assert!((mean - 1.0).abs() < 0.005, "mean {mean}");
        assert!((variance - 1.0).abs() < 0.02, "variance {variance}");
    }

    #[test]
    fn the_logarithm_table_ends_at_ln_2() {
        assert!((MINUS_LN[256] as f64 / 4_294_967_296.0 - std::f64::consts::LN_2).abs() < 1e-9);
    }

    #[test]
    fn a_shuffle_keeps_every_element() {
        let mut stream = RandomStream::new(9, 0, purpose::PLACEMENT);
        let mut items: Vec<u32> = (0..100).collect();
        shuffle(&mut items, &mut || stream.next_u64());
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
