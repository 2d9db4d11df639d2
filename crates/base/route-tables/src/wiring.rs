//! The wiring, in the columns that route computation walks through.

use std::ops::Range;

use philae_topology::{PortPeer, PortRole, Topology, TopologyShape};
use philae_units::{GroupId, PortId, PortIndex, SwitchId};
use xxhash_rust::xxh3::Xxh3;

/// The most ports for which a mask has room.
pub const PORTS_MAX: usize = 64;

/// No port at the other end.
const NO_PORT: u32 = u32::MAX;

/// A fabric that cannot be routed at all, whatever works of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WiringError {
    /// A switch with more ports than a mask has bits.
    #[error(
        "{found} ports a switch; forwarding tables have room for {PORTS_MAX}: switches with fewer ports, or a simulation without `routes`, would work"
    )]
    Radix {
        /// Number of ports per switch.
        found: usize,
    },
    /// A link whose far end does not point back.
    #[error("port {port} of switch {switch} leads to a port that does not lead back: check the cabling")]
    OneWay { switch: SwitchId, port: PortId },
    /// Groups whose switches are not numbered consecutively.
    #[error("switch {switch} is of group {group} but is not numbered with the others of it: number switches by group")]
    Scattered { switch: SwitchId, group: GroupId },
}

/// The switches, groups and links of a fabric.
///
/// Shapes: `S` switches of `radix` ports each, in `G` groups. Switches of a group are numbered
/// consecutively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FabricWiring {
    radix: usize,
    /// (G + 1): first switch of each group.
    first: Vec<u32>,
    /// (S): group of each switch.
    group: Vec<u32>,
    /// (S x radix): the port at the other end of a switch-to-switch link.
    peer: Vec<u32>,
    /// (S): ports joined to a switch of the same group.
    local: Vec<u64>,
    /// (S): ports joined to a switch of another group.
    global: Vec<u64>,
    /// (S): ports for NICs.
    edge: Vec<u64>,
    /// (S): place in the order of channels: row in the low half, column in the high half (grids),
    /// or level (trees).
    place: Vec<u32>,
    order: Order,
}

/// The hops of one leg that may follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Along a row, then a column of the group, then out of it.
    Dragonfly,
    /// Up, then down.
    Tree,
    /// None: every hop begins a leg.
    Graph,
}

impl FabricWiring {
    /// The wiring of a topology.
    ///
    /// # Errors
    /// [`WiringError`] if a switch has more than 64 ports.
    pub fn of(topology: &Topology) -> Result<Self, WiringError> {
        let radix = topology.radix();
        let switches = (0..topology.switch_count()).map(SwitchId::from_index);
        let (order, grouped) = match topology.shape() {
            TopologyShape::Dragonfly(_) => (Order::Dragonfly, true),
            TopologyShape::FatTree(_) => (Order::Tree, false),
            TopologyShape::Graph(_) => (Order::Graph, false),
        };
        let group = |switch: SwitchId| if grouped { topology.group_of(switch) } else { GroupId(switch.0) };
        let place = |switch: SwitchId| match topology.shape() {
            TopologyShape::Dragonfly(dragonfly) => {
                let (row, column) = dragonfly.row_and_column(switch);
                u32::from(row) | u32::from(column) << 16
            }
            TopologyShape::FatTree(tree) => u32::from(tree.level_of(switch)),
            TopologyShape::Graph(_) => 0,
        };
        let mut wiring = Self::empty(radix, switches.clone().map(group), order)?;
        wiring.place = switches.clone().map(place).collect();
        for switch in switches {
            for (port, port_state) in topology.ports_of(switch) {
                let number = topology.port_of(port);
                match port_state.peer {
                    PortPeer::Port(peer) => wiring.join(port, peer),
                    PortPeer::Endpoint(_) => wiring.edge[switch.index()] |= 1 << number.0,
                    PortPeer::None if port_state.role == PortRole::Edge => wiring.edge[switch.index()] |= 1 << number.0,
                    PortPeer::None => {}
                }
            }
        }
        Ok(wiring)
    }

    /// A wiring from a list of links, of no known shape: each hop begins a new leg.
    ///
    /// `groups` gives the group of each switch; `edge` the ports of each switch that are for NICs.
    ///
    /// # Errors
    /// [`WiringError`] if a switch has more than 64 ports or a group's switches are not numbered
    /// consecutively.
    pub fn from_links(
        radix: usize,
        groups: impl IntoIterator<Item = GroupId>,
        edge: Vec<u64>,
        links: impl IntoIterator<Item = (PortIndex, PortIndex)>,
    ) -> Result<Self, WiringError> {
        let mut wiring = Self::empty(radix, groups, Order::Graph)?;
        wiring.edge = edge;
        for (one, other) in links {
            wiring.join(one, other);
            wiring.join(other, one);
        }
        for port in 0..wiring.peer.len() {
            let peer = wiring.peer[port];
            if peer != NO_PORT && wiring.peer[peer as usize] != port as u32 {
                let (switch, port) = wiring.split(PortIndex(port as u32));
                return Err(WiringError::OneWay { switch, port });
            }
        }
        Ok(wiring)
    }

    fn empty(radix: usize, groups: impl IntoIterator<Item = GroupId>, order: Order) -> Result<Self, WiringError> {
        if radix > PORTS_MAX {
            return Err(WiringError::Radix { found: radix });
        }
        let group: Vec<u32> = groups.into_iter().map(|group| group.0).collect();
        let mut first = Vec::new();
        for (switch, &of) in group.iter().enumerate() {
            if of as usize == first.len() {
                first.push(switch as u32);
            } else if of as usize + 1 != first.len() {
                return Err(WiringError::Scattered { switch: SwitchId::from_index(switch), group: GroupId(of) });
            }
        }
        let count = group.len();
        first.push(count as u32);
        Ok(Self {
            radix,
            first,
            group,
            peer: vec![NO_PORT; count * radix],
            local: vec![0; count],
            global: vec![0; count],
            edge: vec![0; count],
            place: vec![0; count],
            order,
        })
    }

    fn join(&mut self, port: PortIndex, peer: PortIndex) {
        self.peer[port.index()] = peer.0;
        let ((switch, number), peer_switch) = (self.split(port), peer.index() / self.radix);
        let same = self.group[switch.index()] == self.group[peer_switch];
        let mask = if same { &mut self.local } else { &mut self.global };
        mask[switch.index()] |= 1 << number.0;
    }

    /// Switch and number of a port.
    #[must_use]
    pub fn split(&self, port: PortIndex) -> (SwitchId, PortId) {
        (SwitchId(port.0 / self.radix as u32), PortId((port.0 % self.radix as u32) as u8))
    }

    /// The port of a switch with this number.
    #[must_use]
    pub fn port(&self, switch: SwitchId, number: PortId) -> PortIndex {
        PortIndex(switch.0 * self.radix as u32 + u32::from(number.0))
    }

    /// Number of ports per switch.
    #[must_use]
    pub const fn radix(&self) -> usize {
        self.radix
    }

    /// Number of switches.
    #[must_use]
    pub fn switch_count(&self) -> usize {
        self.group.len()
    }

    /// Number of groups. In a system without groups, each switch is one.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.first.len() - 1
    }

    /// The group of a switch.
    #[must_use]
    pub fn group_of(&self, switch: SwitchId) -> GroupId {
        GroupId(self.group[switch.index()])
    }

    /// The switches of a group, as switch numbers.
    #[must_use]
    pub fn switches_of(&self, group: GroupId) -> Range<u32> {
        self.first[group.index()]..self.first[group.index() + 1]
    }

    /// The number of a switch within its group.
    #[must_use]
    pub fn place_in_group(&self, switch: SwitchId) -> u32 {
        switch.0 - self.first[self.group[switch.index()] as usize]
    }

    /// Number of switches in the largest group.
    #[must_use]
    pub fn group_size_max(&self) -> usize {
        self.first.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
    }

    /// Whether groups have more than one switch each.
    #[must_use]
    pub fn is_grouped(&self) -> bool {
        self.group_count() < self.switch_count()
    }

    /// The port at the other end of a switch-to-switch link.
    #[inline]
    #[must_use]
    pub fn peer(&self, port: PortIndex) -> Option<PortIndex> {
        let peer = self.peer[port.index()];
        (peer != NO_PORT).then_some(PortIndex(peer))
    }

    /// The switch to which a wired port of a switch leads.
    #[inline]
    pub(crate) fn neighbour(&self, switch: usize, port: u32) -> usize {
        self.peer[switch * self.radix + port as usize] as usize / self.radix
    }

    /// Ports of a switch joined to its own group, as a mask.
    #[inline]
    #[must_use]
    pub fn local(&self, switch: SwitchId) -> u64 {
        self.local[switch.index()]
    }

    /// Ports of a switch joined to other groups, as a mask.
    #[inline]
    #[must_use]
    pub fn global(&self, switch: SwitchId) -> u64 {
        self.global[switch.index()]
    }

    /// Ports of a switch for NICs, as a mask.
    #[inline]
    #[must_use]
    pub fn edge(&self, switch: SwitchId) -> u64 {
        self.edge[switch.index()]
    }

    /// Every switch-to-switch link once, by the port of the lower number.
    pub fn links(&self) -> impl Iterator<Item = (PortIndex, PortIndex)> + '_ {
        (0..self.peer.len() as u32).filter_map(|port| {
            let peer = self.peer[port as usize];
            (peer != NO_PORT && port < peer).then_some((PortIndex(port), PortIndex(peer)))
        })
    }

    /// A hash that differs if wirings differ: 64 bits of XXH3 over ports, groups, links and the
    /// order of channels.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        let order = match self.order {
            Order::Dragonfly => 0,
            Order::Tree => 1,
            Order::Graph => 2_u64,
        };
        for word in [self.radix as u64, self.group.len() as u64, order] {
            hash.update(&word.to_le_bytes());
        }
        for column in [&self.group, &self.peer, &self.place] {
            column.iter().for_each(|number| hash.update(&number.to_le_bytes()));
        }
        self.edge.iter().for_each(|mask| hash.update(&mask.to_le_bytes()));
        hash.digest()
    }

    /// The place of the channel that leaves a switch by a port, among those of one leg. A packet
    /// stays in its leg if it continues on a channel of a higher place.
    ///
    /// Source: the same order as `philae_path::deadlock` proves free of cycles. Status: derived.
    #[inline]
    #[must_use]
    pub fn rank(&self, switch: usize, port: u32) -> u8 {
        let neighbour = self.neighbour(switch, port);
        let (here, there) = (self.place[switch], self.place[neighbour]);
        match self.order {
            Order::Graph => 0,
            Order::Tree if there > here => here as u8,
            Order::Tree => u8::MAX - here as u8,
            Order::Dragonfly if self.group[switch] != self.group[neighbour] => 2,
            Order::Dragonfly if here as u16 == there as u16 => 0,
            Order::Dragonfly => 1,
        }
    }
}
