//! The HPC Ethernet: what the network's own links change in Ethernet, and its own headers.
//!
//! Published: the least frame shrinks from 64 to 32 bytes, IP packets may come without an Ethernet header, and there is no
//! gap between packets (De Sensi et al., SC'20, II-F). The fabric header is 20 bytes, shaped like IPv4, with a VNI of 16
//! bits, an SPT index of 11, a try count of 3, TTL and ECN, and fabric addresses of 20 bits; the headers behind it have 29,
//! 43, 11, 13 and 40 bytes (HewlettPackard/shs-cassini-headers; libfabric `prov/cxi`).
//!
//! **Not published: where the bits are.** The layouts here are ours. They have the published lengths and widths, so sizes
//! on the wire are right, and no device speaks them. Sources: those above. Status: assumed for every position.
//!
//! [`fabric`] is the 20-byte header, [`message`] what stands behind it, [`headerless`] a frame without an Ethernet header,
//! [`occupancy`] how long a frame keeps a link busy.

pub mod fabric;
pub mod headerless;
pub mod message;
pub mod occupancy;
