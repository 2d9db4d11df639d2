//! The random numbers of Python's `random`, which SST's generators of node lists use.
//!
//! Source: Matsumoto and Nishimura, ACM TOMACS 1998 (MT19937, with its initialisation by an array);
//! CPython 3, `Lib/random.py`, for the derivation of whole numbers, shuffles and samples. Status:
//! published.

/// Words of the state.
const STATE: usize = 624;
/// Distance between words that are combined.
const MIDDLE: usize = 397;

/// A generator.
#[derive(Debug)]
pub struct PythonRandom {
    state: [u32; STATE],
    next: usize,
}

impl PythonRandom {
    /// As `random.seed(seed)` for a whole number of at most 64 bits.
    pub fn new(seed: u64) -> Self {
        let key: Vec<u32> = if seed >> 32 == 0 { vec![seed as u32] } else { vec![seed as u32, (seed >> 32) as u32] };
        let mut state = [0_u32; STATE];
        state[0] = 19_650_218;
        for at in 1..STATE {
            let before = state[at - 1];
            state[at] = (before ^ (before >> 30)).wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        let (mut at, mut of_key) = (1, 0);
        let step = |state: &mut [u32; STATE], at: &mut usize| {
            *at += 1;
            if *at == STATE {
                state[0] = state[STATE - 1];
                *at = 1;
            }
        };
        for _ in 0..STATE.max(key.len()) {
            let mixed = (state[at - 1] ^ (state[at - 1] >> 30)).wrapping_mul(1_664_525);
            state[at] = (state[at] ^ mixed).wrapping_add(key[of_key]).wrapping_add(of_key as u32);
            of_key = (of_key + 1) % key.len();
            step(&mut state, &mut at);
        }
        for _ in 0..STATE - 1 {
            let mixed = (state[at - 1] ^ (state[at - 1] >> 30)).wrapping_mul(1_566_083_941);
            state[at] = (state[at] ^ mixed).wrapping_sub(at as u32);
            step(&mut state, &mut at);
        }
        state[0] = 0x8000_0000;
        Self { state, next: STATE }
    }

    fn word(&mut self) -> u32 {
        if self.next == STATE {
            for at in 0..STATE {
                let joined = (self.state[at] & 0x8000_0000) | (self.state[(at + 1) % STATE] & 0x7fff_ffff);
                let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[at] = self.state[(at + MIDDLE) % STATE] ^ (joined >> 1) ^ odd;
            }
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// A number below `bound`, which is at least 1 and below 2^32.
    fn below(&mut self, bound: u32) -> usize {
        let bits = u32::BITS - bound.leading_zeros();
        loop {
            let drawn = self.word() >> (u32::BITS - bits);
            if drawn < bound {
                return drawn as usize;
            }
        }
    }

    /// As `random.shuffle`.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last as u32 + 1);
            list.swap(last, other);
        }
    }

    /// As `random.sample(list, len(list))`: the whole list in another order.
    pub fn sample_all(&mut self, mut list: Vec<u32>) -> Vec<u32> {
        let count = list.len();
        (0..count)
            .map(|taken| {
                let left = count - taken;
                let drawn = self.below(left as u32);
                let value = list[drawn];
                list[drawn] = list[left - 1];
                value
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_python() {
        // CPython 3.11: random.seed(0xf00dbeef); random.sample(list(range(12)), 12)
        let sampled = PythonRandom::new(0xf00d_beef).sample_all((0..12).collect());
        assert_eq!(sampled, SAMPLED);
        // CPython 3.11: random.seed(1); x = list(range(10)); random.shuffle(x)
        let mut shuffled: Vec<u32> = (0..10).collect();
        PythonRandom::new(1).shuffle(&mut shuffled);
        assert_eq!(shuffled, SHUFFLED);
        // CPython 3.11: random.seed(2**40 + 5); x = list(range(6)); random.shuffle(x)
        let mut wide: Vec<u32> = (0..6).collect();
        PythonRandom::new((1 << 40) + 5).shuffle(&mut wide);
        assert_eq!(wide, WIDE);
    }

    const SAMPLED: [u32; 12] = [10, 3, 0, 4, 9, 5, 6, 8, 1, 7, 2, 11];
    const SHUFFLED: [u32; 10] = [6, 8, 9, 7, 5, 3, 0, 4, 1, 2];
    const WIDE: [u32; 6] = [1, 0, 3, 2, 5, 4];
}
