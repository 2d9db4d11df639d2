//! Random streams: one per component and purpose, so that adding a probe never shifts another draw.

/// A stream of random numbers derived from `(seed, component, purpose)`.
///
/// Integers only, 8 bytes of state. The generator is SplitMix64 (Steele, Lea and Flood, OOPSLA
/// 2014): a counter with a mixing function, which passes BigCrush and starts independent streams
/// cheaply.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RandomStream {
    state: u64,
}

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl RandomStream {
    /// The stream of one component for one purpose.
    #[must_use]
    pub const fn new(seed: u64, component: u64, purpose: u64) -> Self {
        let a = mix(seed.wrapping_add(GOLDEN_GAMMA));
        let b = mix(a ^ component.wrapping_mul(0xd6e8_feb8_6659_fd93).wrapping_add(GOLDEN_GAMMA));
        Self { state: mix(b ^ purpose.wrapping_mul(0xa076_1d64_78bd_642f).wrapping_add(GOLDEN_GAMMA)) }
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        mix(self.state)
    }

    /// A number in `0..bound`, by multiplication (bias below 2^-32 for the bounds used here).
    ///
    /// # Panics
    /// If `bound` is zero: there is nothing to choose from.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a choice needs at least one candidate");
        (((self.next_u64() >> 32) * bound as u64) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_different_components_and_purposes_differ() {
        let first = |seed, component, purpose| RandomStream::new(seed, component, purpose).next_u64();
        let draws = [first(1, 1, 1), first(2, 1, 1), first(1, 2, 1), first(1, 1, 2), first(1, 2, 2)];
        for (i, a) in draws.iter().enumerate() {
            for b in &draws[i + 1..] {
                assert_ne!(a, b);
            }
        }
    }

    #[test]
    fn below_reaches_every_value_about_equally() {
        let mut stream = RandomStream::new(7, 0, 0);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[stream.below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }
}
