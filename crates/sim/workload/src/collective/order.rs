//! Orders of the partners of an alltoall other than MPICH's.

/// A permutation of `0..count` that a key chooses: a Feistel network on as many bits as the numbers
/// need, walked until it is back in the range. Nothing is stored, and it can be inverted.
///
/// Source: Black, Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002 (cycle walking).
/// Status: published; four rounds of a 64-bit mixer are ours, and need not resist anyone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shuffle {
    count: u32,
    half_bits: u32,
    key: u64,
}

/// Rounds of the network.
const ROUNDS: u64 = 4;

impl Shuffle {
    pub const fn new(count: u32, key: u64) -> Self {
        let bits = if count <= 2 { 2 } else { u32::BITS - (count - 1).leading_zeros() };
        Self { count, half_bits: bits.div_ceil(2), key }
    }

    /// The place of a number.
    pub fn place_of(self, number: u32) -> u32 {
        self.walk(number, 0..ROUNDS)
    }

    /// The number at a place.
    pub fn number_at(self, place: u32) -> u32 {
        let swapped = |value: u32| (value >> self.half_bits) | ((value & self.mask()) << self.half_bits);
        let mut value = place;
        loop {
            // Backwards: the same rounds in reverse order, with the halves swapped.
            value = swapped(self.rounds(swapped(value), (0..ROUNDS).rev()));
            if value < self.count {
                return value;
            }
        }
    }

    fn walk(self, number: u32, rounds: std::ops::Range<u64>) -> u32 {
        let mut value = number;
        loop {
            value = self.rounds(value, rounds.clone());
            if value < self.count {
                return value;
            }
        }
    }

    const fn mask(self) -> u32 {
        (1 << self.half_bits) - 1
    }

    fn rounds(self, value: u32, rounds: impl Iterator<Item = u64>) -> u32 {
        let (mut left, mut right) = (value >> self.half_bits, value & self.mask());
        for round in rounds {
            let mixed = mix(self.key ^ (round << 56) ^ u64::from(right)) as u32 & self.mask();
            (left, right) = (right, left ^ mixed);
        }
        (left << self.half_bits) | right
    }
}

/// Mixes 64 bits. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014 (SplitMix64). Status: published.
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// The stride of `spread`: near the golden section of the ranks, without a common divisor, so that
/// consecutive distances lie far apart and all of them occur.
pub(super) fn spread_stride(ranks: u32) -> u32 {
    let golden = (f64::from(ranks) * 0.618_033_988_749_895) as u32;
    (golden.max(1)..ranks).chain(1..golden.max(1)).find(|stride| divisor(*stride, ranks) == 1).unwrap_or(1)
}

const fn divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_shuffle_is_a_permutation_and_can_be_inverted() {
        for count in (1..70).chain([1_000, 1_024, 1_025]) {
            for key in [0, 1, 0xfeed] {
                let shuffle = Shuffle::new(count, key);
                let places: BTreeSet<u32> = (0..count).map(|number| shuffle.place_of(number)).collect();
                assert_eq!(places.len(), count as usize, "{count}");
                assert!(places.iter().all(|&place| place < count));
                assert!(
                    (0..count).all(|number| shuffle.number_at(shuffle.place_of(number)) == number),
                    "{count} {key}"
                );
            }
        }
        let of = |key| (0..64).map(|number| Shuffle::new(64, key).place_of(number)).collect::<Vec<_>>();
        assert_ne!(of(1), of(2), "the key chooses it");
    }

    #[test]
    fn a_stride_reaches_every_distance() {
        for ranks in 2..300_u32 {
            let stride = u64::from(spread_stride(ranks));
            let met: BTreeSet<u64> = (1..u64::from(ranks)).map(|step| step * stride % u64::from(ranks)).collect();
            assert_eq!(met.len() as u32, ranks - 1, "{ranks}");
            assert!(!met.contains(&0));
        }
    }
}
