//! The HPC Ethernet: the changes of the network's own links to Ethernet, and its own headers.
//!
//! The smallest frame shrinks from 64 to 32 bytes, IP packets may come without an Ethernet header,
//! and there is no gap between packets (De Sensi et al., SC'20, II-F). Native packets of the
//! network begin with a fabric header of 20 bytes in the shape of IPv4, followed by a header of 43,
//! 29, 13 or 11 bytes. Their fields and places are in the vendor's public header files
//! (HewlettPackard/shs-cassini-headers, dual licensed), from which this crate takes facts and names
//! but no code.
//!
//! Not published, and so ours: the mark of a frame without an Ethernet header, the protocol number
//! of the fabric header, the numbers of a message's operations, and the packets that answer
//! requests.
//!
//! [`fabric`] is the 20-byte header, [`message`] the header behind it, [`amo`] the addition of an
//! atomic operation, [`headerless`] a frame without an Ethernet header, [`occupancy`] how long a
//! frame keeps a link busy.

pub mod amo;
pub mod fabric;
pub mod headerless;
pub mod message;
pub mod occupancy;
