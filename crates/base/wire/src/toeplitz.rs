//! The Toeplitz hash with which a NIC spreads flows over its receive queues (receive-side scaling).
//!
//! Each set bit of the input adds (exclusive or) the 32 bits of the key that begin at its place.
//!
//! ```
//! use philae_wire::toeplitz::{KEY, flow_hash};
//! use std::net::Ipv4Addr;
//!
//! let (source, destination) = (Ipv4Addr::new(66, 9, 149, 187), Ipv4Addr::new(161, 142, 100, 80));
//! assert_eq!(flow_hash(&KEY, source, destination, 2_794, 1_766), 0x51cc_c178);
//! ```
//!
//! Source: Microsoft, Receive Side Scaling, "Verifying the RSS Hash Calculation": key and test
//! vectors; the Intel 82599 data sheet, 7.1.2.8.3, has the same. Status: published.

use std::net::Ipv4Addr;

/// Bytes of a key: enough for 36 bytes of input. Source: the RSS specification. Status: published.
pub const KEY_LEN: usize = 40;

/// The key of the specification's test vectors. Source: the RSS specification. Status: published.
pub const KEY: [u8; KEY_LEN] = [
    0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b,
    0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac,
    0x01, 0xfa,
];

/// The hash of `input` under `key`, which repeats if the input is longer than 36 bytes.
#[must_use]
pub fn hash(key: &[u8; KEY_LEN], input: &[u8]) -> u32 {
    let mut window = u32::from_be_bytes([key[0], key[1], key[2], key[3]]);
    let mut sum = 0;
    for (place, byte) in input.iter().enumerate() {
        let next = key[(place + 4) % KEY_LEN];
        for bit in (0..8).rev() {
            if byte >> bit & 1 == 1 {
                sum ^= window;
            }
            window = window << 1 | u32::from(next >> bit & 1);
        }
    }
    sum
}

/// The hash of a TCP or UDP flow over IPv4: addresses, then ports, source first.
#[must_use]
pub fn flow_hash(
    key: &[u8; KEY_LEN],
    source: Ipv4Addr,
    destination: Ipv4Addr,
    source_port: u16,
    destination_port: u16,
) -> u32 {
    let mut input = [0; 12];
    input[..4].copy_from_slice(&source.octets());
    input[4..8].copy_from_slice(&destination.octets());
    input[8..10].copy_from_slice(&source_port.to_be_bytes());
    input[10..].copy_from_slice(&destination_port.to_be_bytes());
    hash(key, &input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Source, destination, ports, hash of the addresses, hash with ports: the specification's
    /// table for IPv4.
    type Vector = ([u8; 4], [u8; 4], u16, u16, u32, u32);
    const VECTORS: [Vector; 5] = [
        ([66, 9, 149, 187], [161, 142, 100, 80], 2_794, 1_766, 0x323e_8fc2, 0x51cc_c178),
        ([199, 92, 111, 2], [65, 69, 140, 83], 14_230, 4_739, 0xd718_262a, 0xc626_b0ea),
        ([24, 19, 198, 95], [12, 22, 207, 184], 12_898, 38_024, 0xd2d0_a5de, 0x5c2b_394a),
        ([38, 27, 205, 30], [209, 142, 163, 6], 48_228, 2_217, 0x8298_9176, 0xafc7_327f),
        ([153, 39, 163, 191], [202, 188, 127, 2], 44_251, 1_303, 0x5d18_09c5, 0x10e8_28a2),
    ];

    #[test]
    fn the_published_vectors() {
        for (source, destination, from, to, addresses, flow) in VECTORS {
            assert_eq!(hash(&KEY, &[source, destination].concat()), addresses);
            assert_eq!(flow_hash(&KEY, source.into(), destination.into(), from, to), flow);
        }
    }

    #[test]
    fn long_inputs_go_round_the_key() {
        let mut input = [0; 41];
        input[40] = 0x80;
        assert_eq!(hash(&KEY, &input), 0x6d5a_56da, "after 40 bytes, the key begins again");
    }

    proptest! {
        #[test]
        fn it_is_linear(one in any::<[u8; 12]>(), other in any::<[u8; 12]>()) {
            let both: Vec<u8> = one.iter().zip(other).map(|(one, other)| one ^ other).collect();
            prop_assert_eq!(hash(&KEY, &both), hash(&KEY, &one) ^ hash(&KEY, &other));
        }
    }
}
