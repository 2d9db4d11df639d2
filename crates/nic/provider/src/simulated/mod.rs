//! Endpoints in simulated time (`FI_PHILAE_WIRES=sim`): the coordinator of the run is the NIC of
//! every rank, and the fabric decides when anything arrives.
//!
//! A rank hands its operations to the coordinator as commands ([`rank`]), and waits by giving its
//! turn away. The coordinator carries out the target's part ([`nic`]) in the same areas in which
//! neighbours do it otherwise, so matching, regions, atomic operations and counters are those of
//! every other run.

mod clocks;
pub mod nic;
mod patience;
pub(crate) mod rank;
mod turn;

use philae_cosim::PeerAddress;

use crate::address::EndpointAddress;

/// The variable that names the file of the run.
pub const RUN_VARIABLE: &str = "FI_PHILAE_SIMULATION";

/// What a command's flags say.
pub mod flags {
    /// The message has a tag.
    pub const TAGGED: u64 = 1;
    /// There are data for a completion at the target.
    pub const DATA: u64 = 1 << 1;
    /// The operation ends when the message has matched.
    pub const MATCHED: u64 = 1 << 3;
    /// The old value is returned.
    pub const FETCHES: u64 = 1 << 4;
    /// The operation leaves its doorbell to a later one (`FI_MORE`).
    pub const MORE: u64 = 1 << 5;
    /// The program does not learn of its success.
    pub const SILENT: u64 = 1 << 7;
    /// The receive is a multi-receive buffer that has taken its last message, with the context in
    /// `bits`.
    pub const LAST: u64 = 1 << 6;
}

/// Marks the numbers of an address, so that those of an endpoint are never 0.
const IS_ADDRESS: u64 = 1 << 63;

/// An endpoint's address as the coordinator knows it.
#[must_use]
pub(crate) fn peer_address(address: &EndpointAddress) -> PeerAddress {
    let place = u64::from(address.device) << 32 | u64::from(address.vni) << 16 | u64::from(address.pid);
    PeerAddress { numbers: IS_ADDRESS | place, incarnation: address.incarnation }
}

/// Device, virtual network and process number of an address.
fn numbers_of(address: PeerAddress) -> (u8, u16, u16) {
    ((address.numbers >> 32) as u8, (address.numbers >> 16) as u16, address.numbers as u16)
}
