//! The wiring of a whole system, read per packet by index arithmetic on flat arrays.

use crate::edge_ports::EdgePorts;
use crate::ethernet::{EthernetPort, attach};
use crate::port::StoredPort;
use crate::radix::Radix;
use crate::wiring::RADIX_MAX;
use crate::wiring::WiringBuilder;
use crate::{
    CableKind, Dragonfly, FatTree, NicAttachment, Port, PortPeer, PortRole, SystemDescription, TopologyError,
    TopologyGraph, WiringDescription,
};
use philae_units::{EndpointId, GroupId, LinkRate, NodeId, Picoseconds, PortId, PortIndex, SwitchId};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// The structure for routing, in addition to the wiring.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a system has one")]
pub enum TopologyShape {
    /// Groups of switches, every pair of groups joined.
    Dragonfly(Dragonfly),
    /// Leaves, spines and perhaps cores.
    FatTree(FatTree),
    /// Any other graph.
    Graph(TopologyGraph),
}

/// Number of links of each role; a link has two ends and counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkCounts {
    /// NIC to switch.
    pub edge: u64,
    /// Switch to switch within a group (fat tree: all switch to switch links).
    pub local: u64,
    /// Group to group.
    pub global: u64,
}

/// The wiring: consistent (a port's peer points back) and immutable.
#[derive(Clone, Debug)]
pub struct Topology {
    name: String,
    radix: Radix,
    ports: Vec<StoredPort>,
    cables: Vec<CableKind>,
    propagation: Vec<Picoseconds>,
    endpoints: Vec<NicAttachment>,
    edge_ports: EdgePorts,
    node_first: Vec<u32>,
    node_compute: Vec<bool>,
    group_of: Vec<GroupId>,
    group_first: Vec<u32>,
    links: LinkCounts,
    shape: TopologyShape,
    ethernet: Vec<EthernetPort>,
}

impl Topology {
    /// Builds the system that a description describes.
    ///
    /// # Errors
    /// [`TopologyError`], with the part that cannot be built and what would work.
    pub fn build(description: &SystemDescription) -> Result<Self, TopologyError> {
        let wiring = description.wiring()?;
        // Before ports are counted: a wrong radix would be reported as too few of them.
        if !(1..=RADIX_MAX).contains(&description.radix) {
            return Err(TopologyError::Radix { radix: description.radix });
        }
        match wiring {
            WiringDescription::Dragonfly(dragonfly) => {
                let (mut wiring, groups, shape) = dragonfly.build(description.radix)?;
                let ethernet = attach(&mut wiring, &description.ethernet, &dragonfly.edge, &|_| true)?;
                Ok(Self::assemble(&description.name, wiring, groups, TopologyShape::Dragonfly(shape), ethernet))
            }
            WiringDescription::FatTree(fat_tree) => {
                let (mut wiring, groups, shape) = fat_tree.build(description.radix)?;
                let ethernet = attach(&mut wiring, &description.ethernet, &fat_tree.edge, &|switch| {
                    shape.level_of(SwitchId(switch)) == 0
                })?;
                Ok(Self::assemble(&description.name, wiring, groups, TopologyShape::FatTree(shape), ethernet))
            }
            WiringDescription::Graph(graph) => {
                let (mut wiring, groups, shape) = graph.build(description.radix)?;
                let ethernet = attach(&mut wiring, &description.ethernet, &graph.edge, &|_| true)?;
                Ok(Self::assemble(&description.name, wiring, groups, TopologyShape::Graph(shape), ethernet))
            }
        }
    }

    /// `group_first`: first switch of each group, and the end of the last.
    fn assemble(
        name: &str,
        wiring: WiringBuilder,
        group_first: Vec<u32>,
        shape: TopologyShape,
        ethernet: Vec<EthernetPort>,
    ) -> Self {
        let mut links = LinkCounts::default();
        for (index, port) in wiring.ports.iter().enumerate() {
            match (port.role, port.peer) {
                (PortRole::Unused, PortPeer::None) => {}
                (PortRole::Edge, PortPeer::Endpoint(endpoint)) => {
                    assert_eq!(wiring.endpoints[endpoint.index()].port.index(), index, "a peer points back");
                    links.edge += 1;
                }
                (PortRole::Local | PortRole::Global, PortPeer::Port(other)) => {
                    let back = wiring.ports[other.index()];
                    assert!(back.peer == PortPeer::Port(PortIndex(index as u32)), "a peer points back");
                    assert!(back.role == port.role && back.cable == port.cable, "both ends see the same cable");
                    if other.index() > index {
                        *(if port.role == PortRole::Local { &mut links.local } else { &mut links.global }) += 1;
                    }
                }
                (role, peer) => unreachable!("port {index}: a {} port has no peer like {peer:?}", role.name()),
            }
        }
        let group_of = group_first
            .windows(2)
            .enumerate()
            .flat_map(|(group, bounds)| (bounds[0]..bounds[1]).map(move |_| GroupId::from_index(group)))
            .collect::<Vec<_>>();
        assert_eq!(group_of.len() * wiring.radix, wiring.ports.len(), "every switch is in one group");
        let radix = wiring.radix as u32;
        // Each group may have the same pattern of endpoints, or each switch.
        let alike = |is_same: &dyn Fn(usize) -> bool| {
            wiring.endpoints.iter().take_while(|endpoint| is_same(endpoint.port.index() / wiring.radix)).count()
        };
        let first = wiring.endpoints.first().map_or(0, |endpoint| endpoint.port.index() / wiring.radix);
        let periods = [alike(&|switch| group_of[switch] == group_of[first]), alike(&|switch| switch == first)];
        let edge_ports = EdgePorts::new(&wiring.endpoints, periods);
        Self {
            name: name.to_owned(),
            radix: Radix::new(radix),
            propagation: wiring.cables.iter().map(CableKind::propagation).collect(),
            // A list of its own: what takes the builder's list over keeps its length in memory.
            ports: wiring.ports.iter().map(|port| StoredPort::of(*port)).collect(),
            cables: wiring.cables,
            endpoints: wiring.endpoints,
            edge_ports,
            node_first: wiring.node_first,
            node_compute: wiring.node_compute,
            group_of,
            group_first,
            links,
            shape,
            ethernet,
        }
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let shape = match &self.shape {
            TopologyShape::Dragonfly(dragonfly) => dragonfly.memory_bytes(),
            TopologyShape::FatTree(tree) => tree.memory_bytes(),
            TopologyShape::Graph(graph) => graph.memory_bytes(),
        };
        shape
            + self.ports.capacity() * size_of::<StoredPort>()
            + self.endpoints.capacity() * size_of::<NicAttachment>()
            + self.edge_ports.memory_bytes()
            + (self.node_first.capacity() + self.group_first.capacity()) * size_of::<u32>()
            + self.node_compute.capacity()
            + self.group_of.capacity() * size_of::<GroupId>()
    }

    /// The system's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ports of a switch, used or not. At most 256.
    #[inline]
    #[must_use]
    pub const fn radix(&self) -> usize {
        self.radix.ports() as usize
    }

    /// Switches of the system.
    #[must_use]
    pub fn switch_count(&self) -> usize {
        self.group_of.len()
    }

    /// Groups: of a dragonfly; of a three-level fat tree its pods and, last, one for the cores;
    /// otherwise 1.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.group_first.len() - 1
    }

    /// NICs that are attached.
    #[must_use]
    pub fn endpoint_count(&self) -> usize {
        self.endpoints.len()
    }

    /// Nodes, compute and service.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.node_compute.len()
    }

    /// Ports of the whole system, used or not: the length of a column that is indexed by
    /// `PortIndex`.
    #[must_use]
    pub fn port_count(&self) -> usize {
        self.ports.len()
    }

    /// A port.
    #[inline]
    #[must_use]
    pub fn port(&self, port: PortIndex) -> Port {
        self.ports[port.index()].port()
    }

    /// The ports of a switch in order of their number, unused ones included.
    pub fn ports_of(&self, switch: SwitchId) -> impl ExactSizeIterator<Item = (PortIndex, Port)> + '_ {
        let radix = self.radix.ports();
        let first = switch.0 * radix;
        let ports = &self.ports[first as usize..(first + radix) as usize];
        ports.iter().enumerate().map(move |(port, found)| (PortIndex(first + port as u32), found.port()))
    }

    /// The switch that a port belongs to.
    #[inline]
    #[must_use]
    pub fn switch_of(&self, port: PortIndex) -> SwitchId {
        SwitchId(self.radix.switch_of(port.0))
    }

    /// The number of a port on its switch.
    #[inline]
    #[must_use]
    pub fn port_of(&self, port: PortIndex) -> PortId {
        PortId(self.radix.port_of(port.0) as u8)
    }

    /// The index of a switch's port over the whole system: `switch * radix + port`.
    #[inline]
    #[must_use]
    pub fn port_index(&self, switch: SwitchId, port: PortId) -> PortIndex {
        debug_assert!(u32::from(port.0) < self.radix.ports(), "a port number is below the radix");
        PortIndex(switch.0 * self.radix.ports() + u32::from(port.0))
    }

    /// The group of a switch.
    #[inline]
    #[must_use]
    pub fn group_of(&self, switch: SwitchId) -> GroupId {
        self.group_of[switch.index()]
    }

    /// The switches of a group, as switch numbers.
    #[inline]
    #[must_use]
    pub fn switches_of(&self, group: GroupId) -> Range<u32> {
        self.group_first[group.index()]..self.group_first[group.index() + 1]
    }

    /// A place where a NIC is attached.
    #[inline]
    #[must_use]
    pub fn endpoint(&self, endpoint: EndpointId) -> NicAttachment {
        self.endpoints[endpoint.index()]
    }

    /// The edge port of an endpoint: the same as in its entry, but from less memory.
    #[inline]
    #[must_use]
    pub fn edge_port(&self, endpoint: EndpointId) -> PortIndex {
        self.edge_ports.of(endpoint)
    }

    #[cfg(test)]
    pub(crate) const fn edge_ports(&self) -> &EdgePorts {
        &self.edge_ports
    }

    /// The endpoints of a node, as endpoint numbers, in order of their NIC.
    #[inline]
    #[must_use]
    pub fn endpoints_of(&self, node: NodeId) -> Range<u32> {
        self.node_first[node.index()]..self.node_first[node.index() + 1]
    }

    /// The switch that an endpoint is attached to.
    #[inline]
    #[must_use]
    pub fn switch_of_endpoint(&self, endpoint: EndpointId) -> SwitchId {
        self.switch_of(self.edge_port(endpoint))
    }

    /// Whether jobs run on a node; service nodes (storage, management) only answer requests.
    #[must_use]
    pub fn is_compute(&self, node: NodeId) -> bool {
        self.node_compute[node.index()]
    }

    /// The kinds of cable in the system, indexed by `CableKindId`.
    #[must_use]
    pub fn cables(&self) -> &[CableKind] {
        &self.cables
    }

    /// The kind of a port's cable.
    ///
    /// # Panics
    /// If the port has no cable, here and in [`Self::rate`] and [`Self::propagation`] if no kind
    /// exists.
    #[inline]
    #[must_use]
    pub fn cable(&self, port: PortIndex) -> &CableKind {
        debug_assert!(self.port(port).role != PortRole::Unused, "an unused port has no cable");
        &self.cables[usize::from(self.ports[port.index()].cable().0)]
    }

    /// The rate of a port's link, in one direction.
    #[inline]
    #[must_use]
    pub fn rate(&self, port: PortIndex) -> LinkRate {
        self.cable(port).rate
    }

    /// The same wiring, where retiming adds `added` to every optical cable (and nothing to others).
    #[must_use]
    pub fn with_optical_retiming(self: &Arc<Self>, added: Picoseconds) -> Arc<Self> {
        let retimed: Vec<_> = self.cables.iter().map(|cable| cable.propagation_retimed(added)).collect();
        if retimed == self.propagation {
            return Arc::clone(self);
        }
        Arc::new(Self { propagation: retimed, ..Self::clone(self) })
    }

    /// The time of a signal to the other end of a port's cable, with its retiming.
    #[inline]
    #[must_use]
    pub fn propagation(&self, port: PortIndex) -> Picoseconds {
        debug_assert!(self.port(port).role != PortRole::Unused, "an unused port has no cable");
        self.propagation[usize::from(self.ports[port.index()].cable().0)]
    }

    /// Ports with third-party endpoints, in the order of the system's list.
    #[must_use]
    pub fn ethernet_ports(&self) -> &[EthernetPort] {
        &self.ethernet
    }

    /// Number of links of each role.
    #[must_use]
    pub const fn links(&self) -> LinkCounts {
        self.links
    }

    /// The structure for routing.
    #[inline]
    #[must_use]
    pub const fn shape(&self) -> &TopologyShape {
        &self.shape
    }
}
