//! The HPC Ethernet: what the network's own links change in Ethernet, and its own headers.
//!
//! The least frame shrinks from 64 to 32 bytes, IP packets may come without an Ethernet header, and there is no gap between
//! packets (De Sensi et al., SC'20, II-F). Packets of the network's own begin with a fabric header of 20 bytes in the shape
//! of IPv4, and a header of 43, 29, 13 or 11 bytes behind it; their fields and places are in the vendor's public header files
//! (HewlettPackard/shs-cassini-headers, dual licensed), which lend facts and names here and no code.
//!
//! Not published, and so ours: what tells a frame without an Ethernet header from one with, the protocol number of the
//! fabric header, the numbers of a message's operations, and the packets that answer requests.
//!
//! [`fabric`] is the 20-byte header, [`message`] what stands behind it, [`amo`] what an atomic operation adds, [`headerless`]
//! a frame without an Ethernet header, [`occupancy`] how long a frame keeps a link busy.

pub mod amo;
pub mod fabric;
pub mod headerless;
pub mod message;
pub mod occupancy;
