//! The resources that a flow crosses: links, pooled as far as adaptive routing pools them.
//!
//! A dragonfly has one resource for all links between two groups, for the links out of and into a
//! group, for the links out of and into a switch within its group, and for the links within a
//! group. A detour uses the pool of all global links twice, wherever they are. A fat tree has one
//! resource up and one down at each leaf and each pod. Any other network has each link separately,
//! and a flow is spread evenly over the shortest paths. Every endpoint has its link in and its link
//! out.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_path::RoutingMode;
use philae_topology::{Dragonfly, FatTree, PortPeer, PortRole, Topology, TopologyGraph, TopologyShape};
use philae_units::{EndpointId, GroupId, PortIndex, SwitchId};

use crate::share::ResourcePart;

/// Bytes that a link of 1 Mb/s carries in a picosecond.
const BYTES_PER_PS: f64 = 1.25e-7;

/// The destination of a message, and the length of its path.
#[derive(Clone, Debug, Default)]
pub struct MessagePath {
    /// Shortest paths.
    pub first: Vec<ResourcePart>,
    /// Detours; empty where there are none.
    pub second: Vec<ResourcePart>,
    /// From the last bit's departure to its arrival over the shortest path, in picoseconds.
    pub latency: u64,
    /// The additional time over a detour.
    pub detour: u64,
    /// Switches on the shortest path.
    pub switches: u64,
    /// Whether there is no path.
    pub is_cut: bool,
}

#[derive(Clone, Debug)]
pub enum ResourceKind {
    /// From an endpoint.
    Injection,
    /// To an endpoint.
    Ejection,
    /// Packets queue here: links of one or a few switches.
    Queue,
    /// Links all over a group or the system, where packets find others' queues.
    Pool,
}

/// The resources of a system.
#[derive(Clone, Debug)]
pub struct FluidNetwork {
    topology: Arc<Topology>,
    mode: RoutingMode,
    /// How many faults hold each port down.
    down: Vec<u32>,
    /// Picoseconds that a switch takes, and a link's error correction.
    switch_ps: u64,
    fec_ps: u64,
    capacities: Vec<f64>,
    kinds: Vec<ResourceKind>,
    /// Links of each resource that is a queue or a pool.
    links: Vec<u32>,
    pairs: BTreeMap<(u32, u32), u32>,
    bundles: Vec<u32>,
    spreads: BTreeMap<(u32, u32), Vec<ResourcePart>>,
}

impl FluidNetwork {
    /// The resources of a topology.
    pub fn new(topology: Arc<Topology>, mode: RoutingMode, latency_ns: u32, fec_ns: u32) -> Self {
        let mut network = Self {
            mode,
            down: vec![0; topology.port_count()],
            switch_ps: u64::from(latency_ns) * 1_000,
            fec_ps: u64::from(fec_ns) * 1_000,
            capacities: Vec::new(),
            kinds: Vec::new(),
            links: Vec::new(),
            pairs: BTreeMap::new(),
            bundles: Vec::new(),
            spreads: BTreeMap::new(),
            topology,
        };
        network.add_all();
        network
    }

    /// A link goes down, or up again: paths change. Only paths use further resources, so those of
    /// endpoints, switches and groups keep their numbers.
    pub fn change(&mut self, ports: &[PortIndex], goes_down: bool) {
        for port in ports {
            let down = &mut self.down[port.index()];
            *down = if goes_down { *down + 1 } else { down.saturating_sub(1) };
        }
        for cleared in [&mut self.links, &mut self.bundles] {
            cleared.clear();
        }
        self.capacities.clear();
        self.kinds.clear();
        self.pairs.clear();
        self.spreads.clear();
        self.add_all();
    }

    fn add_all(&mut self) {
        let topology = Arc::clone(&self.topology);
        for kind in [ResourceKind::Injection, ResourceKind::Ejection] {
            for endpoint in 0..topology.endpoint_count() as u32 {
                self.add(kind.clone(), &[topology.endpoint(EndpointId(endpoint)).port]);
            }
        }
        match topology.shape() {
            TopologyShape::Dragonfly(shape) => self.add_dragonfly(shape),
            TopologyShape::FatTree(shape) => self.add_fat_tree(shape),
            TopologyShape::Graph(_) => self.add_ports(),
        }
    }

    fn is_dead(&self, switch: SwitchId) -> bool {
        !self
            .topology
            .ports_of(switch)
            .any(|(index, port)| matches!(port.role, PortRole::Local | PortRole::Global) && self.is_up(index))
    }

    fn is_up(&self, port: PortIndex) -> bool {
        self.down[port.index()] == 0
    }

    fn up(&self, ports: impl IntoIterator<Item = PortIndex>) -> Vec<PortIndex> {
        ports.into_iter().filter(|&port| self.is_up(port)).collect()
    }

    /// Bytes per picosecond of each resource.
    pub fn capacities(&self) -> &[f64] {
        &self.capacities
    }

    /// The kind of a resource.
    pub fn kind(&self, resource: u32) -> &ResourceKind {
        &self.kinds[resource as usize]
    }

    /// How many links a resource represents.
    pub fn links(&self, resource: u32) -> u32 {
        self.links[resource as usize]
    }

    /// Ports whose links report a resource's load: endpoints' links in, and links out of a switch
    /// or a group.
    pub fn told_by(&self, resource: u32) -> Vec<PortIndex> {
        let endpoints = self.topology.endpoint_count() as u32;
        let Some(place) = resource.checked_sub(endpoints) else { return Vec::new() };
        if place < endpoints {
            return vec![self.topology.endpoint(EndpointId(place)).port];
        }
        let place = place - endpoints;
        let (switches, groups) = (self.topology.switch_count() as u32, self.topology.group_count() as u32);
        match self.topology.shape() {
            TopologyShape::Dragonfly(_) if place < switches => self.ports(SwitchId(place), PortRole::Local),
            TopologyShape::Dragonfly(_) => match place.checked_sub(2 * switches + groups) {
                Some(group) if group < groups => {
                    let switches = self.topology.switches_of(GroupId(group));
                    switches.flat_map(|switch| self.ports(SwitchId(switch), PortRole::Global)).collect()
                }
                _ => Vec::new(),
            },
            TopologyShape::FatTree(tree) => match place.checked_sub(switches) {
                None => tree.up_ports(SwitchId(place)).iter().collect(),
                Some(switch) if switch < switches => {
                    tree.up_ports(SwitchId(switch)).iter().filter_map(|port| self.peer(port)).collect()
                }
                Some(_) => Vec::new(),
            },
            // The last resource is the pool of all links.
            TopologyShape::Graph(_) if place as usize == self.topology.port_count() => Vec::new(),
            TopologyShape::Graph(_) => vec![PortIndex(place)],
        }
    }

    fn ports(&self, switch: SwitchId, role: PortRole) -> Vec<PortIndex> {
        let found = self.topology.ports_of(switch).filter(|(index, port)| port.role == role && self.is_up(*index));
        found.map(|(index, _)| index).collect()
    }

    fn peer(&self, port: PortIndex) -> Option<PortIndex> {
        match self.topology.port(port).peer {
            PortPeer::Port(peer) => Some(peer),
            PortPeer::Endpoint(_) | PortPeer::None => None,
        }
    }

    fn add(&mut self, kind: ResourceKind, ports: &[PortIndex]) -> u32 {
        let up = self.up(ports.iter().copied());
        let rate: f64 = up.iter().map(|&port| f64::from(self.topology.rate(port).0) * BYTES_PER_PS).sum();
        self.add_of(kind, rate, up.len() as u32)
    }

    fn add_of(&mut self, kind: ResourceKind, capacity: f64, links: u32) -> u32 {
        self.capacities.push(capacity);
        self.kinds.push(kind);
        self.links.push(links);
        (self.capacities.len() - 1) as u32
    }

    /// Out of each switch, into each switch, within each group; out of each group, into each; all
    /// global links, all local.
    fn add_dragonfly(&mut self, shape: &Dragonfly) {
        let topology = Arc::clone(&self.topology);
        let switches = topology.switch_count() as u32;
        let groups = topology.group_count() as u32;
        let (mut all_local, mut all_global) = ((0.0, 0), (0.0, 0));
        for _ in 0..2 {
            for switch in 0..switches {
                let ports = self.ports(SwitchId(switch), PortRole::Local);
                self.add(ResourceKind::Queue, &ports);
            }
        }
        for group in 0..groups {
            let ports: Vec<PortIndex> = topology
                .switches_of(GroupId(group))
                .flat_map(|switch| self.ports(SwitchId(switch), PortRole::Local))
                .collect();
            let added = self.add(ResourceKind::Pool, &ports) as usize;
            all_local = (all_local.0 + self.capacities[added], all_local.1 + ports.len() as u32);
        }
        for _ in 0..2 {
            for group in 0..groups {
                let ports: Vec<PortIndex> = topology
                    .switches_of(GroupId(group))
                    .flat_map(|switch| self.ports(SwitchId(switch), PortRole::Global))
                    .collect();
                let added = self.add(ResourceKind::Pool, &ports) as usize;
                all_global = (all_global.0 + self.capacities[added] / 2.0, all_global.1 + ports.len() as u32 / 2);
            }
        }
        self.add_of(ResourceKind::Pool, all_global.0, all_global.1);
        self.add_of(ResourceKind::Pool, all_local.0, all_local.1);
        for from in 0..groups {
            for to in 0..groups {
                let ports = self.up(shape.gateways(GroupId(from), GroupId(to)).iter().copied());
                let bundle = if ports.is_empty() { u32::MAX } else { self.add(ResourceKind::Queue, &ports) };
                self.bundles.push(bundle);
            }
        }
    }

    /// Up from each switch and down to each switch; up from each group and down to each group.
    fn add_fat_tree(&mut self, tree: &FatTree) {
        let topology = Arc::clone(&self.topology);
        for _ in 0..2 {
            for switch in 0..topology.switch_count() as u32 {
                let ports: Vec<PortIndex> = tree.up_ports(SwitchId(switch)).iter().collect();
                self.add(ResourceKind::Queue, &ports);
            }
        }
        for _ in 0..2 {
            for group in 0..topology.group_count() as u32 {
                let spines =
                    topology.switches_of(GroupId(group)).filter(|&switch| tree.level_of(SwitchId(switch)) == 1);
                let ports: Vec<PortIndex> = spines.flat_map(|switch| tree.up_ports(SwitchId(switch)).iter()).collect();
                self.add(ResourceKind::Pool, &ports);
            }
        }
    }

    /// Each port separately, and a pool of all of them.
    fn add_ports(&mut self) {
        let topology = Arc::clone(&self.topology);
        let (mut all, mut links) = (0.0, 0);
        for index in 0..topology.port_count() as u32 {
            let port = PortIndex(index);
            if matches!(topology.port(port).role, PortRole::Local | PortRole::Global) {
                let added = self.add(ResourceKind::Queue, &[port]) as usize;
                (all, links) = (all + self.capacities[added], links + 1);
            } else {
                self.add_of(ResourceKind::Queue, 0.0, 0);
            }
        }
        self.add_of(ResourceKind::Pool, all, links);
    }

    /// The path from one endpoint to another.
    pub fn path(&mut self, source: u32, destination: u32) -> MessagePath {
        let topology = Arc::clone(&self.topology);
        let endpoints = topology.endpoint_count() as u32;
        let (from, to) = (EndpointId(source), EndpointId(destination));
        let (at, target) = (topology.switch_of_endpoint(from), topology.switch_of_endpoint(to));
        let edges = topology.propagation(topology.endpoint(from).port).0
            + topology.propagation(topology.endpoint(to).port).0
            + self.switch_ps
            + 2 * self.fec_ps;
        let mut path = match topology.shape() {
            _ if at == target => MessagePath::default(),
            _ if self.is_dead(at) || self.is_dead(target) => MessagePath { is_cut: true, ..MessagePath::default() },
            TopologyShape::Dragonfly(shape) => self.dragonfly_way(shape, at, target),
            TopologyShape::FatTree(tree) => self.fat_tree_way(tree, at, to),
            TopologyShape::Graph(graph) => self.graph_way(graph, at, target),
        };
        if self.mode == RoutingMode::Valiant && !path.second.is_empty() {
            let latency = path.latency + path.detour;
            path = MessagePath { first: path.second, second: Vec::new(), latency, detour: 0, ..path };
        } else if self.mode.is_minimal() && (!path.first.is_empty() || at == target) {
            path.second.clear();
        } else if at != target && path.first.is_empty() {
            let latency = path.latency + path.detour;
            path = MessagePath { first: path.second, second: Vec::new(), latency, detour: 0, ..path };
        }
        path.is_cut |= at != target && path.first.is_empty();
        path.latency += edges;
        path.switches += 1;
        let edge = |resource| ResourcePart { resource, fraction: 1.0 };
        for parts in [&mut path.first, &mut path.second] {
            parts.retain(|part| part.fraction > 0.0);
        }
        path.first.extend([edge(source), edge(endpoints + destination)]);
        if !path.second.is_empty() {
            path.second.extend([edge(source), edge(endpoints + destination)]);
        }
        path
    }

    /// A hop over a link: its cable, its error correction, and the switch that it leads to.
    fn hop(&self, port: PortIndex) -> u64 {
        self.topology.propagation(port).0 + self.fec_ps + self.switch_ps
    }

    fn hop_of(&self, switch: SwitchId, role: PortRole) -> u64 {
        let found = self.topology.ports_of(switch).find(|(_, port)| port.role == role);
        found.map_or(0, |(port, _)| self.hop(port))
    }

    fn dragonfly_way(&mut self, shape: &Dragonfly, at: SwitchId, target: SwitchId) -> MessagePath {
        let topology = Arc::clone(&self.topology);
        let (switches, groups) = (topology.switch_count() as u32, topology.group_count() as u32);
        let base = 2 * topology.endpoint_count() as u32;
        let (here, there) = (topology.group_of(at), topology.group_of(target));
        let part = |resource: u32, fraction: f64| ResourcePart { resource: base + resource, fraction };
        let (out, into) = (|fraction| part(at.0, fraction), |fraction| part(switches + target.0, fraction));
        let within = |group: GroupId, fraction| part(2 * switches + group.0, fraction);
        let leaving = |fraction| part(2 * switches + groups + here.0, fraction);
        let entering = |fraction| part(2 * switches + 2 * groups + there.0, fraction);
        let all_global = |fraction| part(2 * switches + 3 * groups, fraction);
        let all_local = |fraction| part(2 * switches + 3 * groups + 1, fraction);
        let local = self.hop_of(at, PortRole::Local);
        if here == there {
            let mut first = vec![out(1.0), into(1.0)];
            let (mut place, mut hops) = (at, 0_u32);
            while place != target {
                let ports = self.up(shape.local_next(place, target).iter());
                let Some(&port) = ports.first() else {
                    first.clear();
                    hops = hops.max(1);
                    break;
                };
                let next = self.peer(port).map_or(target, |peer| topology.switch_of(peer));
                let pair = match self.pairs.get(&(place.0, next.0)) {
                    Some(&pair) => pair,
                    None => self.add(ResourceKind::Queue, &ports),
                };
                self.pairs.insert((place.0, next.0), pair);
                first.push(ResourcePart { resource: pair, fraction: 1.0 });
                (place, hops) = (next, hops + 1);
            }
            let hops_taken = f64::from(hops);
            if !first.is_empty() {
                first.extend([within(here, hops_taken), all_local(hops_taken)]);
            }
            let roundabout = topology.switches_of(here).len() > 2;
            let second = vec![out(1.0), into(1.0), within(here, 2.0 * hops_taken), all_local(2.0 * hops_taken)];
            let second = if roundabout { second } else { Vec::new() };
            return MessagePath {
                first,
                second,
                latency: u64::from(hops) * local,
                detour: u64::from(hops) * local,
                switches: u64::from(hops),
                is_cut: false,
            };
        }
        let gateways = self.up(shape.gateways(here, there).iter().copied());
        let (near, far) = (
            self.up(shape.gateways_of(at, here, there).iter()),
            self.up(shape.gateways_of(target, there, here).iter()),
        );
        let count = gateways.len().max(1) as f64;
        let (before, after) = (1.0 - near.len() as f64 / count, 1.0 - far.len() as f64 / count);
        let joined = near.iter().any(|&port| self.peer(port).is_some_and(|peer| topology.switch_of(peer) == target));
        let local_hops = match (near.is_empty(), far.is_empty()) {
            _ if joined => 0,
            (true, true) => 2,
            _ => 1,
        };
        let global = gateways.first().map_or_else(|| self.any_global(shape, here), |&port| self.hop(port));
        let first = match self.bundles[here.index() * groups as usize + there.index()] {
            u32::MAX => Vec::new(),
            bundle => vec![
                out(before),
                into(after),
                within(here, before),
                within(there, after),
                all_local(before + after),
                leaving(1.0),
                entering(1.0),
                all_global(1.0),
                ResourcePart { resource: bundle, fraction: 1.0 },
            ],
        };
        let own = self.ports(at, PortRole::Global).len() as f64;
        let group_links = f64::from(self.links[(base + 2 * switches + groups + here.0) as usize]).max(1.0);
        let first_hop = 1.0 - own / group_links;
        let second = vec![
            out(first_hop),
            into(after),
            within(here, first_hop),
            within(there, after),
            all_local(first_hop + after + 1.0),
            leaving(1.0),
            entering(1.0),
            all_global(2.0),
        ];
        let second = if groups > 2 { second } else { Vec::new() };
        MessagePath {
            first,
            second,
            latency: global + local_hops * local,
            detour: global + local,
            switches: local_hops + 1,
            is_cut: false,
        }
    }

    fn any_global(&self, shape: &Dragonfly, here: GroupId) -> u64 {
        let groups = self.topology.group_count() as u32;
        let found = (0..groups).find_map(|group| shape.gateways(here, GroupId(group)).first().copied());
        found.map_or(0, |port| self.hop(port))
    }

    fn fat_tree_way(&self, tree: &FatTree, at: SwitchId, to: EndpointId) -> MessagePath {
        let topology = &self.topology;
        let target = topology.switch_of_endpoint(to);
        let (switches, groups) = (topology.switch_count() as u32, topology.group_count() as u32);
        let base = 2 * topology.endpoint_count() as u32;
        let part = |resource: u32| ResourcePart { resource: base + resource, fraction: 1.0 };
        let mut first = vec![part(at.0), part(switches + target.0)];
        let up = tree.up_ports(at).get(0);
        let spine = self.peer(up).map_or(at, |peer| topology.switch_of(peer));
        let (mut latency, mut switches_crossed) = (2 * self.hop(up), 2);
        if !tree.is_below(spine, topology.edge_port(to)) {
            let (here, there) = (topology.group_of(at), topology.group_of(target));
            first.extend([part(2 * switches + here.0), part(2 * switches + groups + there.0)]);
            latency += tree.up_ports(spine).first().map_or(0, |port| 2 * self.hop(port));
            switches_crossed = 4;
        }
        MessagePath { first, second: Vec::new(), latency, detour: 0, switches: switches_crossed, is_cut: false }
    }

    fn graph_way(&mut self, graph: &TopologyGraph, at: SwitchId, target: SwitchId) -> MessagePath {
        let base = 2 * self.topology.endpoint_count() as u32;
        let spread = match self.spreads.get(&(at.0, target.0)) {
            Some(found) => found.clone(),
            None => self.spread(graph, at, target),
        };
        let hops: f64 = spread.iter().map(|part| part.fraction).sum();
        let hop = spread.first().map_or(0, |part| self.hop(PortIndex(part.resource - base)));
        let all = base + self.topology.port_count() as u32;
        let second = vec![ResourcePart { resource: all, fraction: 2.0 * hops }];
        self.spreads.insert((at.0, target.0), spread.clone());
        let latency = u64::from(graph.distance(at, target)) * hop;
        let mut first = spread;
        first.push(ResourcePart { resource: all, fraction: hops });
        MessagePath {
            first,
            second,
            latency,
            detour: latency,
            switches: u64::from(graph.distance(at, target)),
            is_cut: false,
        }
    }

    /// Spreads evenly over all first hops of shortest paths, at every switch.
    fn spread(&self, graph: &TopologyGraph, at: SwitchId, target: SwitchId) -> Vec<ResourcePart> {
        let base = 2 * self.topology.endpoint_count() as u32;
        let mut parts: BTreeMap<u32, f64> = BTreeMap::new();
        let mut front: BTreeMap<u32, f64> = BTreeMap::from([(at.0, 1.0)]);
        for _ in 0..graph.distance(at, target) {
            let mut beyond: BTreeMap<u32, f64> = BTreeMap::new();
            for (switch, fraction) in front {
                let ports = graph.next(SwitchId(switch), target);
                for &port in ports {
                    let share = fraction / ports.len() as f64;
                    *parts.entry(base + port.0).or_default() += share;
                    let next = self.peer(port).map_or(target, |peer| self.topology.switch_of(peer));
                    *beyond.entry(next.0).or_default() += share;
                }
            }
            front = beyond;
        }
        parts.into_iter().map(|(resource, fraction)| ResourcePart { resource, fraction }).collect()
    }
}
