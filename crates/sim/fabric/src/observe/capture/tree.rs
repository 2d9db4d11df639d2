//! Frames of collective trees: Ethernet, the fabric header, 16 bytes of a header of the tree,
//! operands.
//!
//! ```text
//! 0            2           3       4          6           7        8            12             16
//! [multicast id][reduction][flags ][sequence ][operation ][words  ][cookie      ][count, number][operands, 8 bytes each]
//! ```
//! Flags: 1 towards the root, 2 partial, 4 with a result (downwards). The last field counts the
//! endpoints in a contribution; downwards it is the number of the operation. Operation: its index
//! in the list of the reduction engine's operations, 255 for none. All fields are in network order.
//! A downward packet has a group address with the multicast id in its low 13 bits, and that id
//! instead of a fabric address in the fabric header.
//!
//! Source: patents US12393530, US12244489 name tree, reduction, cookie, sequence and count; the
//! layout is ours, as the real one is not public. Status: assumed.

use philae_switch::reduction::{OffloadOperation, Operands};
use philae_wire::hpc_ethernet::fabric;
use philae_wire::{
    Dfa, Ecn, EndpointIndex, EtherType, Framing, MacAddress, SptIndex, TryCount, WireError, WireLayer, ethernet,
};

use super::frame::{Frames, HOPS_MAX, emit, switch_mac};
use crate::model::collective::TreeLoad;

/// Bytes of the header. Source: `switch/src/reduction/parameters.rs`, `header_bytes`.
/// Status:
/// assumed.
pub const HEADER_LEN: usize = 16;
const NO_OPERATION: u8 = u8::MAX;

const UP: u8 = 1;
const PARTIAL: u8 = 2;
const RESULT: u8 = 4;

/// The header of a tree.
struct Header([u8; HEADER_LEN]);

impl WireLayer for Header {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let (found, wanted) = (buffer.len(), HEADER_LEN + payload_len);
        let room = buffer.get_mut(..HEADER_LEN).filter(|_| found >= wanted);
        room.ok_or(WireError::NoRoom { format: "tree header", wanted, found })?.copy_from_slice(&self.0);
        Ok(())
    }
}

/// The header and the operands of a packet's contents.
fn body(load: &TreeLoad) -> (Header, Vec<u8>) {
    let (key, sequence) = load.key();
    let (number, content) = load.content();
    let (mut flags, cookie, last) = match load {
        TreeLoad::Up(up) => (UP | if up.partial { PARTIAL } else { 0 }, up.cookie, up.count),
        TreeLoad::Down(down) => (0, down.cookie(), number.unwrap_or(0)),
    };
    if number.is_some() && content.is_some() {
        flags |= RESULT;
    }
    let (operation, words) = match content {
        None => (NO_OPERATION, Vec::new()),
        Some((operation, Operands::Words { words, count })) => {
            (code(operation), words.iter().take(count.into()).copied().collect())
        }
        // A reproducible sum takes the room of four words, whose content is not shown.
        Some((operation, Operands::Sum(_))) => (code(operation), vec![0; 4]),
    };
    let mut bytes = [0; HEADER_LEN];
    bytes[..2].copy_from_slice(&key.tree.to_be_bytes());
    (bytes[2], bytes[3]) = (key.reduction, flags);
    bytes[4..6].copy_from_slice(&sequence.to_be_bytes());
    (bytes[6], bytes[7]) = (operation, words.len() as u8);
    bytes[8..12].copy_from_slice(&cookie.to_be_bytes());
    bytes[12..].copy_from_slice(&last.to_be_bytes());
    (Header(bytes), words.iter().flat_map(|word| word.to_be_bytes()).collect())
}

fn code(operation: OffloadOperation) -> u8 {
    OffloadOperation::ALL.iter().position(|&one| one == operation).map_or(NO_OPERATION, |index| index as u8)
}

/// The sender of a packet of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeSource {
    /// A NIC; for downward packets the root's.
    Nic(u32),
    /// The engine of this port.
    Engine(u32),
}

impl Frames {
    /// Writes a packet of a tree between a source and the root, in a class, after `hops` switches.
    pub fn tree(&self, load: &TreeLoad, (source, root): (TreeSource, u32), class: u8, hops: u8, buffer: &mut Vec<u8>) {
        let tree = load.key().0.tree;
        let (header, operands) = body(load);
        let place = |address: u32| fabric::ProcessAddress {
            address: Dfa::from_low_bits(address),
            endpoint: EndpointIndex::from_low_bits(0),
        };
        let [high, low] = tree.to_be_bytes();
        let (to, destination, cookie) = match load {
            TreeLoad::Up(up) => (self.mac(root), place(self.address(root)), up.cookie),
            TreeLoad::Down(down) => (MacAddress([3, 0, 0, 0, high & 0x1f, low]), place(tree.into()), down.cookie()),
        };
        let (from, source) = match source {
            TreeSource::Nic(endpoint) => (self.mac(endpoint), place(self.address(endpoint))),
            TreeSource::Engine(port) => (switch_mac(port), place(0)),
        };
        let ethernet = ethernet::EthernetRepr {
            destination: to,
            source: from,
            ethertype: EtherType::IPV4,
            framing: Framing::Bare,
        };
        let network = fabric::FabricRepr {
            dscp: self.dscp(class),
            ecn: Ecn::NotCapable,
            // The cookie is the job's number.
            vni: (cookie as u16).wrapping_add(1),
            try_count: TryCount::default(),
            spt_index: SptIndex::default(),
            time_to_live: HOPS_MAX.saturating_sub(hops),
            source,
            destination,
        };
        emit(&[&ethernet, &network, &header], &operands, buffer);
    }
}
