//! Receive-side scaling: how the kernel of a third-party endpoint processes what arrives.
//!
//! The NIC hashes a flow's addresses and ports, a table of 128 entries names the queue, and each
//! queue has a core of its own. A core takes in one message at a time; a flow stays with its core.
//! Over RoCEv2 the NIC places data by itself, without any of this.
//!
//! A flow is a pair of ranks. Addresses are those of captures (10.16.0.0 plus the fabric address).
//! The source's port is 49152 plus 14 bits of the sending rank, the destination's 5001 plus the
//! receiving rank. Source: ours. Status: assumed.

mod handlers;

use std::net::Ipv4Addr;

use philae_units::EndpointId;
use philae_wire::toeplitz::{KEY, flow_hash};

use crate::model::shared::Shared;

/// Entries of the table from hash to queue.
///
/// Source: Intel 82599 data sheet, 7.1.2.8: 128 entries; most later NICs have 128 or more.
/// Status: published for that NIC.
const INDIRECTION_ENTRIES: u32 = 128;

/// First of the ports that senders take. Source: RFC 6335: dynamic ports. Status: published.
const SOURCE_PORT_FIRST: u16 = 0xc000;

/// Port on which rank 0 listens. Source: iperf's. Status: assumed.
const DESTINATION_PORT_FIRST: u16 = 5_001;

/// The queue, among `queues`, of a flow between two ranks. The table assigns queues round robin, as
/// Linux does by default.
pub fn queue_of(addresses: [u32; 2], ranks: [u32; 2], queues: u32) -> usize {
    let [source, destination] = addresses.map(|address| Ipv4Addr::from(0x0a10_0000 | address));
    let from = SOURCE_PORT_FIRST | (ranks[0] & 0x3fff) as u16;
    let to = DESTINATION_PORT_FIRST.wrapping_add(ranks[1] as u16);
    let entry = flow_hash(&KEY, source, destination, from, to) % INDIRECTION_ENTRIES;
    (entry % queues) as usize
}

/// The lower bits of an endpoint's IPv4 address: its fabric address, or its number if the system is
/// too large for one.
fn address(shared: &Shared, endpoint: u32) -> u32 {
    shared.topology().address(EndpointId(endpoint)).map_or(endpoint, |address| address.nid())
}

/// The receive queues of an endpoint: when the core of each is free, in picoseconds. Empty if no
/// core works per packet.
pub fn queues(shared: &Shared, endpoint: u32) -> Vec<u64> {
    match &shared.kind(endpoint).ethernet {
        Some((parameters, _)) if parameters.receive_work(1, 0) > 0 => vec![0; parameters.receive_queues as usize],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_spread_over_queues_and_stay_with_theirs() {
        let mut held = [0; 8];
        for sender in 0..64 {
            let queue = queue_of([sender, 100], [sender, 64], 8);
            assert_eq!(queue, queue_of([sender, 100], [sender, 64], 8));
            assert_eq!(queue_of([sender, 100], [sender, 64], 1), 0);
            held[queue] += 1;
        }
        assert!(held.iter().all(|count| (2..=16).contains(count)), "64 flows over 8 queues: {held:?}");
    }
}
