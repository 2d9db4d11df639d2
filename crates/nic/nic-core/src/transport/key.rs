//! Keys of connections: known only to the two ends, and derived from a secret, so that no state is
//! kept.

use super::NicAddress;

/// A secret that a NIC draws once at random and never sends.
pub type NicSecret = [u64; 2];

/// The key of a connection at our end; never 0. The same address, lane and generation give the same
/// key.
pub fn of(secret: NicSecret, address: &NicAddress, lane: u8, generation: u64) -> u64 {
    let mut text = [0; 37];
    text[..28].copy_from_slice(&address.0);
    text[28] = lane;
    text[29..].copy_from_slice(&generation.to_be_bytes());
    sip(secret, &text).max(1)
}

/// SipHash-2-4 (Aumasson and Bernstein, INDOCRYPT 2012).
fn sip(secret: NicSecret, text: &[u8]) -> u64 {
    let mut state = [
        secret[0] ^ 0x736f_6d65_7073_6575,
        secret[1] ^ 0x646f_7261_6e64_6f6d,
        secret[0] ^ 0x6c79_6765_6e65_7261,
        secret[1] ^ 0x7465_6462_7974_6573,
    ];
    let mut words = text.chunks_exact(8);
    for word in words.by_ref() {
        absorb(&mut state, word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
    let rest = words.remainder().iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    absorb(&mut state, rest | (text.len() as u64) << 56);
    state[2] ^= 0xff;
    (0..4).for_each(|_| round(&mut state));
    state[0] ^ state[1] ^ state[2] ^ state[3]
}

const fn absorb(state: &mut [u64; 4], word: u64) {
    state[3] ^= word;
    round(state);
    round(state);
    state[0] ^= word;
}

const fn round(state: &mut [u64; 4]) {
    let [mut a, mut b, mut c, mut d] = *state;
    a = a.wrapping_add(b);
    c = c.wrapping_add(d);
    b = b.rotate_left(13) ^ a;
    d = d.rotate_left(16) ^ c;
    a = a.rotate_left(32).wrapping_add(d);
    c = c.wrapping_add(b);
    b = b.rotate_left(17) ^ c;
    d = d.rotate_left(21) ^ a;
    c = c.rotate_left(32);
    *state = [a, b, c, d];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_its_authors() {
        // The example in the paper's appendix: key 00 01 .. 0f, text 00 01 .. 0e.
        let text: Vec<u8> = (0..15).collect();
        assert_eq!(sip([0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908], &text), 0xa129_ca61_49be_45e5);
    }

    #[test]
    fn everything_goes_into_a_key() {
        let here = NicAddress([1; 28]);
        let mut there = here;
        there.0[27] = 2;
        let keys =
            [of([1, 2], &here, 0, 0), of([1, 3], &here, 0, 0), of([1, 2], &there, 0, 0), of([1, 2], &here, 1, 0)];
        for (index, key) in keys.iter().enumerate() {
            assert!(*key != of([1, 2], &here, 0, 1) && keys[..index].iter().all(|other| other != key));
        }
    }
}
