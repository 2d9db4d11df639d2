//! A fabric as planned: switches, ports, NICs and nodes in columns, each with a name in every
//! naming scheme.

use crate::address::MacPrefix;
use crate::jack::{JackPort, Model, Models};
use crate::labels::Labels;
use crate::parts::{InventoryError, InventoryParts, NodeEntry, SwitchEntry};
use crate::placement::Placement;
use crate::rates::LinkRates;
use crate::xname::{Xname, XnameKind};
use philae_topology::{
    ADDRESSABLE_GROUPS_MAX, AddressError, AddressFormat, CableKind, FabricAddress, LinkCounts, NicAttachment, Port,
    PortPeer, PortRole, Topology, TopologyShape,
};
use philae_units::{EndpointId, GroupId, NodeId, PortId, PortIndex, SwitchId};
use serde::{Deserialize, Serialize};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename = "Wiring", rename_all = "kebab-case")]
pub enum WiringKind {
    /// Groups of switches, groups joined by global links.
    Dragonfly,
    /// Leaves, spines and optionally cores.
    FatTree,
    /// Any graph.
    Graph,
}

/// A fabric as planned. Columns are indexed by dense ids; names are computed, not stored.
///
/// Ids are valid for this fabric only: switches in order of group and number, NICs in order of
/// node. After a change of the fabric, names are still valid and ids are not.
#[derive(Clone, Debug)]
pub struct PlannedFabric {
    parts: InventoryParts,
    /// First switch of each group number, and the end of the last group. Groups that do not exist
    /// are empty.
    group_first: Vec<u32>,
    /// First NIC of each node, and the end of the last.
    node_first: Vec<u32>,
    /// Switches in order of xname.
    switch_order: Vec<u32>,
    /// Nodes in order of xname.
    node_order: Vec<u32>,
    labels: Labels,
    links: LinkCounts,
    rates: LinkRates,
}

impl PlannedFabric {
    /// A built system, placed in cabinets. Ids are those of the topology.
    ///
    /// # Errors
    /// [`InventoryError`]: more switches or nodes than cabinets have room for, or a model that is
    /// unknown or too small.
    pub fn of(topology: &Topology, placement: &Placement, models: &Models) -> Result<Self, InventoryError> {
        Self::assemble(InventoryParts::of(topology, placement, models)?)
    }

    pub(crate) fn assemble(parts: InventoryParts) -> Result<Self, InventoryError> {
        parts.check()?;
        let groups = parts.switches.last().map_or(0, |last| last.group.index() + 1);
        let mut group_first = Vec::with_capacity(groups + 1);
        for group in 0..=groups {
            group_first.push(parts.switches.partition_point(|switch| switch.group.index() < group) as u32);
        }
        let nodes = parts.nodes.len();
        let mut node_first = Vec::with_capacity(nodes + 1);
        let mut at = 0;
        for node in 0..=nodes {
            while parts.nics.get(at).is_some_and(|nic| nic.node.index() < node) {
                at += 1;
            }
            node_first.push(at as u32);
        }
        let switch_order = ordered(parts.switches.len(), "switches", |id| parts.switches[id].xname)?;
        let node_order = ordered(nodes, "nodes", |id| parts.nodes[id].xname)?;
        let labels = Labels::of(&parts)?;
        let mut links = LinkCounts::default();
        for (index, port) in parts.ports.iter().enumerate() {
            let first = !matches!(port.peer, PortPeer::Port(other) if other.index() < index);
            match port.role {
                PortRole::Unused => {}
                PortRole::Edge => links.edge += 1,
                PortRole::Local => links.local += u64::from(first),
                PortRole::Global => links.global += u64::from(first),
            }
        }
        let rates = LinkRates::of(&parts);
        Ok(Self { parts, group_first, node_first, switch_order, node_order, labels, links, rates })
    }

    pub(crate) fn switch_order(&self) -> &[u32] {
        &self.switch_order
    }

    pub(crate) const fn parts(&self) -> &InventoryParts {
        &self.parts
    }

    pub(crate) const fn labels(&self) -> &Labels {
        &self.labels
    }

    pub(crate) const fn rates(&self) -> &LinkRates {
        &self.rates
    }

    pub(crate) fn node_order(&self) -> &[u32] {
        &self.node_order
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// The kind of its wiring.
    #[must_use]
    pub const fn wiring(&self) -> WiringKind {
        self.parts.wiring
    }

    /// The split of addresses.
    #[must_use]
    pub const fn address_format(&self) -> AddressFormat {
        self.parts.address_format
    }

    /// The first byte of its algorithmic MACs.
    #[must_use]
    pub const fn mac_prefix(&self) -> MacPrefix {
        self.parts.mac_prefix
    }

    /// Ports of every switch in the columns, used or not: 1 to 256.
    #[must_use]
    pub const fn radix(&self) -> usize {
        self.parts.radix
    }

    /// The number of switches.
    #[must_use]
    pub fn switch_count(&self) -> usize {
        self.parts.switches.len()
    }

    /// One more than the largest group number.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.group_first.len() - 1
    }

    /// The length of the port column: switches times radix.
    #[must_use]
    pub fn port_count(&self) -> usize {
        self.parts.ports.len()
    }

    /// The number of NICs.
    #[must_use]
    pub fn nic_count(&self) -> usize {
        self.parts.nics.len()
    }

    /// The number of nodes.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.parts.nodes.len()
    }

    /// The numbers of links of each role.
    #[must_use]
    pub const fn links(&self) -> LinkCounts {
        self.links
    }

    /// The switch column.
    #[must_use]
    pub fn switches(&self) -> &[SwitchEntry] {
        &self.parts.switches
    }

    /// The port column, by [`PortIndex`].
    #[must_use]
    pub fn ports(&self) -> &[Port] {
        &self.parts.ports
    }

    /// The NIC column, by [`EndpointId`].
    #[must_use]
    pub fn nics(&self) -> &[NicAttachment] {
        &self.parts.nics
    }

    /// The node column, by [`NodeId`].
    #[must_use]
    pub fn nodes(&self) -> &[NodeEntry] {
        &self.parts.nodes
    }

    /// Kinds of cable, by `CableKindId`.
    #[must_use]
    pub fn cables(&self) -> &[CableKind] {
        &self.parts.cables
    }

    /// Models of switch.
    #[must_use]
    pub fn models(&self) -> &[Model] {
        &self.parts.models
    }

    #[must_use]
    pub fn switch(&self, switch: SwitchId) -> SwitchEntry {
        self.parts.switches[switch.index()]
    }

    #[must_use]
    pub fn port(&self, port: PortIndex) -> Port {
        self.parts.ports[port.index()]
    }

    /// The model of a switch.
    #[must_use]
    pub fn model(&self, switch: SwitchId) -> &Model {
        &self.parts.models[usize::from(self.switch(switch).model)]
    }

    /// The switches of a group, as switch numbers.
    #[must_use]
    pub fn switches_of(&self, group: GroupId) -> Range<u32> {
        let bound = |at: usize| self.group_first.get(at).copied().unwrap_or(self.switch_count() as u32);
        bound(group.index())..bound(group.index() + 1)
    }

    /// The ports of a switch, unused ones included.
    #[must_use]
    pub fn ports_of(&self, switch: SwitchId) -> Range<u32> {
        let radix = self.radix() as u32;
        switch.0 * radix..(switch.0 + 1) * radix
    }

    /// The NICs of a node.
    #[must_use]
    pub fn nics_of(&self, node: NodeId) -> Range<u32> {
        self.node_first[node.index()]..self.node_first[node.index() + 1]
    }

    /// The switch of a port.
    #[must_use]
    pub const fn switch_of(&self, port: PortIndex) -> SwitchId {
        SwitchId(port.0 / self.parts.radix as u32)
    }

    /// The number that the ASIC gives a port.
    #[must_use]
    pub const fn number_of(&self, port: PortIndex) -> PortId {
        PortId((port.0 % self.parts.radix as u32) as u8)
    }

    /// A port by its switch and the ASIC's number.
    #[must_use]
    pub const fn port_index(&self, switch: SwitchId, port: PortId) -> PortIndex {
        PortIndex(switch.0 * self.parts.radix as u32 + port.0 as u32)
    }

    /// The switch of a group with this number.
    #[must_use]
    pub fn switch_at(&self, group: GroupId, number: u16) -> Option<SwitchId> {
        let range = self.switches_of(group);
        let switches = &self.parts.switches[range.start as usize..range.end as usize];
        let at = switches.binary_search_by_key(&number, |switch| switch.number).ok()?;
        Some(SwitchId(range.start + at as u32))
    }

    /// Switches in order of xname.
    pub fn switches_by_xname(&self) -> impl ExactSizeIterator<Item = SwitchId> + '_ {
        self.switch_order.iter().map(|&id| SwitchId(id))
    }

    /// Nodes in order of xname.
    pub fn nodes_by_xname(&self) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.node_order.iter().map(|&id| NodeId(id))
    }

    /// `xXcCrR`.
    #[must_use]
    pub fn switch_xname(&self, switch: SwitchId) -> Xname {
        self.switch(switch).xname
    }

    /// `xXcCrRb0`: the controller, on which the agent runs.
    #[must_use]
    pub fn bmc_xname(&self, switch: SwitchId) -> Xname {
        part(self.switch_xname(switch), XnameKind::SwitchBmc, 0)
    }

    /// `xXcCrRa0`.
    #[must_use]
    pub fn asic_xname(&self, switch: SwitchId) -> Xname {
        part(self.switch_xname(switch), XnameKind::SwitchAsic, 0)
    }

    /// `xXcCrRa0lL`: the ASIC's name of a port.
    #[must_use]
    pub fn link_xname(&self, port: PortIndex) -> Xname {
        part(self.asic_xname(self.switch_of(port)), XnameKind::Link, self.number_of(port).0.into())
    }

    /// The jack of a port; `None` for a number that its switch's model does not have.
    #[must_use]
    pub fn jack_of(&self, port: PortIndex) -> Option<JackPort> {
        self.model(self.switch_of(port)).jack_of(self.number_of(port))
    }

    /// `xXcCrRjJpP`: the name of a port by its jack. Numbers that the model does not have keep the
    /// name by the ASIC.
    #[must_use]
    pub fn connector_port_xname(&self, port: PortIndex) -> Xname {
        let switch = self.switch_of(port);
        let by_jack = self.model(switch).connector_port(self.switch_xname(switch), self.number_of(port));
        by_jack.unwrap_or_else(|_| self.link_xname(port))
    }

    /// The number of port a0l0 on the switch itself; `None` where ports are in jacks.
    #[must_use]
    pub const fn first_port(&self) -> Option<u8> {
        self.parts.first_port
    }

    /// Width and speed of each kind of cable, such as `4xHDR`; empty where no file says.
    #[must_use]
    pub fn lanes_of_cables(&self) -> &[String] {
        &self.parts.lanes
    }

    /// Width and speed of the link at a port, such as `4xHDR`, if a file says.
    #[must_use]
    pub fn lanes_of(&self, port: PortIndex) -> Option<&str> {
        self.cable(port)?;
        let lanes = self.parts.lanes.get(usize::from(self.port(port).cable.0))?;
        Some(lanes.as_str()).filter(|lanes| !lanes.is_empty())
    }

    /// The number that stands on the switch beside a port; `None` where ports are in jacks.
    #[must_use]
    pub fn port_number(&self, port: PortIndex) -> Option<u16> {
        Some(u16::from(self.first_port()?) + u16::from(self.number_of(port).0))
    }

    /// `xXcCsSbBnN`.
    #[must_use]
    pub fn node_xname(&self, node: NodeId) -> Xname {
        self.parts.nodes[node.index()].xname
    }

    /// `xXcCsSbBnNhH`.
    #[must_use]
    pub fn nic_xname(&self, nic: EndpointId) -> Xname {
        let found = self.parts.nics[nic.index()];
        part(self.node_xname(found.node), XnameKind::Nic, found.nic.into())
    }

    /// The name of the cable in a port, if a file gave one.
    #[must_use]
    pub fn cable_name(&self, port: PortIndex) -> Option<&str> {
        let first = match self.port(port).peer {
            PortPeer::Port(other) => port.min(other),
            PortPeer::Endpoint(_) | PortPeer::None => port,
        };
        let at = self.parts.cable_names.binary_search_by_key(&first, |(port, _)| *port).ok()?;
        Some(&self.parts.cable_names[at].1)
    }

    /// The kind of cable in a port; `None` for an unused port.
    #[must_use]
    pub fn cable(&self, port: PortIndex) -> Option<&CableKind> {
        let found = self.port(port);
        (found.role != PortRole::Unused).then(|| &self.parts.cables[usize::from(found.cable.0)])
    }

    /// The address of a port with any role; behind an edge port it is also that of the NIC.
    ///
    /// # Errors
    /// [`AddressError`] if the system is too large for 20 bits; the fabric is valid nevertheless.
    pub fn address(&self, port: PortIndex) -> Result<FabricAddress, AddressError> {
        let (switch, number) = (self.switch_of(port), self.number_of(port).0.into());
        match self.address_format() {
            AddressFormat::Dragonfly => {
                let groups = self.group_count() as u32;
                if groups > ADDRESSABLE_GROUPS_MAX {
                    return Err(AddressError::Groups { groups });
                }
                let found = self.switch(switch);
                FabricAddress::dragonfly(found.group.0, found.number.into(), number)
            }
            AddressFormat::FatTree => FabricAddress::fat_tree(switch.0, number),
        }
    }

    /// The port with an address; `None` if the fabric has no such port.
    #[must_use]
    pub fn port_of_address(&self, address: FabricAddress) -> Option<PortIndex> {
        let (switch, number) = match self.address_format() {
            AddressFormat::Dragonfly => {
                if self.group_count() as u32 > ADDRESSABLE_GROUPS_MAX {
                    return None;
                }
                let (group, switch, number) = address.as_dragonfly();
                (self.switch_at(group, switch as u16)?, number)
            }
            AddressFormat::FatTree => address.as_fat_tree(),
        };
        let exists = switch.index() < self.switch_count() && number.index() < self.radix();
        exists.then(|| self.port_index(switch, number))
    }

    /// The NIC behind an edge port.
    #[must_use]
    pub fn nic_at(&self, port: PortIndex) -> Option<EndpointId> {
        match self.port(port).peer {
            PortPeer::Endpoint(nic) => Some(nic),
            PortPeer::None | PortPeer::Port(_) => None,
        }
    }
}

/// A part whose kind and range are known to be valid.
fn part(of: Xname, kind: XnameKind, number: u16) -> Xname {
    of.child(kind, number).expect("names of switches and nodes are checked, and the numbers of their parts are bytes")
}

/// Ids in order of name. Each name must occur once.
fn ordered(count: usize, what: &'static str, name: impl Fn(usize) -> Xname) -> Result<Vec<u32>, InventoryError> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_unstable_by_key(|&id| name(id as usize));
    for pair in order.windows(2) {
        let first = name(pair[0] as usize);
        if first == name(pair[1] as usize) {
            return Err(InventoryError::Twice { what, name: first.to_string() });
        }
    }
    Ok(order)
}

impl InventoryParts {
    pub(crate) fn of(topology: &Topology, placement: &Placement, models: &Models) -> Result<Self, InventoryError> {
        let (switch_names, node_names) = placement.place(topology)?;
        let model = models.get(&placement.model)?.clone();
        let ids = (0..topology.switch_count()).map(SwitchId::from_index);
        let switches = ids.zip(switch_names).map(|(id, xname)| {
            let group = topology.group_of(id);
            SwitchEntry { xname, group, number: (id.0 - topology.switches_of(group).start) as u16, model: 0 }
        });
        let nodes = (0..topology.node_count()).map(NodeId::from_index);
        let nodes = nodes.zip(node_names).map(|(id, xname)| NodeEntry { xname, compute: topology.is_compute(id) });
        let ports = (0..topology.port_count()).map(|port| topology.port(PortIndex(port as u32)));
        let nics = (0..topology.endpoint_count()).map(|nic| topology.endpoint(EndpointId::from_index(nic)));
        Ok(Self {
            name: topology.name().to_owned(),
            wiring: match topology.shape() {
                TopologyShape::Dragonfly(_) => WiringKind::Dragonfly,
                TopologyShape::FatTree(_) => WiringKind::FatTree,
                TopologyShape::Graph(_) => WiringKind::Graph,
            },
            address_format: topology.address_format(),
            mac_prefix: MacPrefix::default(),
            radix: topology.radix(),
            first_port: None,
            lanes: Vec::new(),
            models: vec![model],
            switches: switches.collect(),
            ports: ports.collect(),
            cables: topology.cables().to_vec(),
            nodes: nodes.collect(),
            nics: nics.collect(),
            switch_labels: Vec::new(),
            node_labels: Vec::new(),
            nic_labels: Vec::new(),
            cable_names: Vec::new(),
        })
    }
}
