//! Adds cables while a topology is built: each port gets at most one, and both of its ends agree.

use crate::{CableKind, CableKindId, Medium, NicAttachment, Port, PortPeer, PortRole, TopologyError};
use philae_units::{EndpointId, LinkRate, NodeId, PortIndex};
use std::collections::BTreeMap;

/// Sixty times the ports of the largest Slingshot dragonfly: a typing error in a file gives an
/// error message, not a lack of memory.
pub(crate) const PORTS_MAX: u64 = 1 << 26;

/// Ports of the largest switch: the numbers of a byte.
pub(crate) const RADIX_MAX: usize = 256;

/// The ports, endpoints and nodes of a topology under construction.
pub(crate) struct WiringBuilder {
    pub radix: usize,
    pub ports: Vec<Port>,
    pub cables: Vec<CableKind>,
    cable_ids: BTreeMap<(Medium, u32, LinkRate, u8), CableKindId>,
    pub endpoints: Vec<NicAttachment>,
    /// First endpoint of each node, and the end of the last.
    pub node_first: Vec<u32>,
    pub node_compute: Vec<bool>,
}

impl WiringBuilder {
    pub fn new(switches: u64, radix: usize) -> Result<Self, TopologyError> {
        let ports = switches.saturating_mul(radix as u64);
        if switches == 0 || ports > PORTS_MAX {
            return Err(TopologyError::SwitchCount { switches, most: PORTS_MAX / radix as u64 });
        }
        Ok(Self {
            radix,
            ports: vec![Port::default(); ports as usize],
            cables: Vec::new(),
            cable_ids: BTreeMap::new(),
            endpoints: Vec::new(),
            node_first: vec![0],
            node_compute: Vec::new(),
        })
    }

    pub fn port_index(&self, switch: u32, port: u32) -> PortIndex {
        assert!((port as usize) < self.radix, "port counts are checked against the radix before cabling");
        PortIndex(switch * self.radix as u32 + port)
    }

    /// The table entry of a kind, added if it is new.
    pub fn cable(&mut self, kind: CableKind) -> Result<CableKindId, TopologyError> {
        let key = (kind.medium, kind.length_mm, kind.rate, kind.links_per_cable);
        if let Some(&known) = self.cable_ids.get(&key) {
            return Ok(known);
        }
        let full = |_| TopologyError::CableKinds { most: usize::from(u16::MAX) + 1 };
        let id = CableKindId(u16::try_from(self.cables.len()).map_err(full)?);
        self.cable_ids.insert(key, id);
        self.cables.push(kind);
        Ok(id)
    }

    pub fn is_unused(&self, port: PortIndex) -> bool {
        self.ports[port.index()].role == PortRole::Unused
    }

    pub fn join(&mut self, one: PortIndex, other: PortIndex, role: PortRole, cable: CableKindId) {
        assert!(one != other && self.is_unused(one) && self.is_unused(other), "a port has at most one cable");
        self.ports[one.index()] = Port { role, peer: PortPeer::Port(other), cable };
        self.ports[other.index()] = Port { role, peer: PortPeer::Port(one), cable };
    }

    /// Adds a node whose NICs are at these edge ports, in this order.
    pub fn add_node(&mut self, compute: bool, at: impl IntoIterator<Item = PortIndex>, cable: CableKindId) {
        let node = NodeId::from_index(self.node_compute.len());
        for (nic, port) in at.into_iter().enumerate() {
            assert!(self.is_unused(port), "a port has at most one cable");
            let endpoint = EndpointId::from_index(self.endpoints.len());
            self.ports[port.index()] = Port { role: PortRole::Edge, peer: PortPeer::Endpoint(endpoint), cable };
            self.endpoints.push(NicAttachment { node, nic: nic as u8, kind: 0, port });
        }
        self.node_first.push(self.endpoints.len() as u32);
        self.node_compute.push(compute);
    }
}
