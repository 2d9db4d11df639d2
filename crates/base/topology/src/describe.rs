//! The figures of a system: counts, cables, bandwidths, diameter.

mod bisection;

use crate::{
    Assumed, Dragonfly, EthernetEndpoint, FatTree, GlobalWiring, LinkCounts, Medium, PortRole, Purpose,
    SystemDescription, Topology, TopologyShape,
};
use philae_units::{EndpointId, GroupId, NodeId, PortIndex, SwitchId};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A system in figures. Rates are in Gb/s; the first ten keys are a contract with scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SystemFigures {
    /// Name of the system.
    pub name: String,
    /// Groups (dragonfly), pods and one for the cores (three-level fat tree), otherwise 1.
    pub groups: usize,
    /// Switches.
    pub switches: usize,
    /// NICs.
    pub endpoints: usize,
    /// Nodes.
    pub nodes: usize,
    /// Links by role.
    pub links: LinkCounts,
    /// Switch-to-switch hops of the longest minimal route. Dragonfly: over all pairs of switches
    /// and with at most one global hop, as its minimal routes are. Fat tree: leaf to leaf. Graph:
    /// over all pairs of switches.
    pub diameter_switch_hops: u32,
    /// Rate of the links across the worst balanced cut, both directions: no switch is divided, so
    /// the sides differ by at most the endpoints of one switch. `bisection_method` names the
    /// method.
    pub bisection_gbps: f64,
    /// Rate of all global links, both directions; 0 if there are none.
    pub global_gbps: f64,
    /// Rate out over rate in, the smallest of all compute groups: global links of a group to other
    /// compute groups over its edge links, one direction each. Fat tree: that of a leaf or pod (1
    /// is full bandwidth). Absent for one group, or a graph.
    pub taper: Option<f64>,
    /// The method for `bisection_gbps`, whether it is exact, and the sides of the cut if they are
    /// not equal.
    pub bisection_method: String,
    /// Rate of all local links, both directions.
    pub local_gbps: f64,
    /// Rate of all edge links, one direction.
    pub injection_gbps: f64,
    /// Ports of a switch.
    pub radix: usize,
    /// Ports of all switches by role.
    pub ports_by_role: PortCounts,
    /// Dragonfly of several groups: which switch has which global link, and what depends on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global_wiring: Option<String>,
    /// Cables by role and medium.
    pub cables: Vec<CableSummary>,
    /// Nodes that jobs run on.
    pub compute_nodes: usize,
    /// NICs of these nodes.
    pub compute_endpoints: usize,
    /// Third-party endpoints, with the ports that they are on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ethernet: Vec<EthernetEndpoint>,
    /// "all" if every endpoint has a 20-bit fabric address; otherwise the reason why not.
    pub addresses: String,
    /// One sentence.
    pub summary: String,
    /// The switch, by name.
    pub switch: String,
    /// The NIC, by name.
    pub nic: String,
    /// The congestion law, by name.
    pub congestion: String,
    /// Sources of the figures.
    pub sources: Vec<String>,
    /// Figures that no source gives.
    pub assumed: Vec<Assumed>,
    /// Statements of the file that the system does not support, and reasons why jobs cannot run:
    /// sentences.
    pub warnings: Vec<String>,
}

/// Ports of all switches by role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PortCounts {
    /// Towards NICs.
    pub edge: u64,
    /// Towards switches of the same group.
    pub local: u64,
    /// Towards other groups.
    pub global: u64,
    /// Nothing attached.
    pub unused: u64,
}

/// The cables of one role and one medium.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CableSummary {
    /// Their role.
    pub role: PortRole,
    /// Their medium.
    pub medium: Medium,
    /// Links in them.
    pub links: u64,
    /// Cables; fewer than links if a cable carries several.
    pub cables: u64,
    /// Length of the shortest, in metres.
    pub length_m_min: f64,
    /// Length of the longest, in metres.
    pub length_m_max: f64,
    /// Length of all together, in metres.
    pub length_m_total: f64,
}

impl SystemFigures {
    /// Describes a topology that was built from this description.
    #[must_use]
    pub fn of(system: &SystemDescription, topology: &Topology) -> Self {
        let ports = ports_by_role(topology);
        let (bisection_gbps, bisection_method) = bisection::bisection(topology, &system.labels.groups);
        let addresses = match topology.endpoint_count().checked_sub(1).map(EndpointId::from_index) {
            None => "no endpoints".to_owned(),
            Some(last) => topology.address(last).map_or_else(|error| error.to_string(), |_| "all".to_owned()),
        };
        let compute = (0..topology.node_count()).map(NodeId::from_index).filter(|node| topology.is_compute(*node));
        let (compute_nodes, compute_endpoints) =
            compute.fold((0, 0), |(nodes, nics), node| (nodes + 1, nics + topology.endpoints_of(node).len()));
        Self {
            name: system.name.clone(),
            groups: topology.group_count(),
            switches: topology.switch_count(),
            endpoints: topology.endpoint_count(),
            nodes: topology.node_count(),
            links: topology.links(),
            diameter_switch_hops: diameter(topology),
            bisection_gbps,
            global_gbps: rate_of(topology, PortRole::Global),
            taper: taper(topology),
            bisection_method,
            local_gbps: rate_of(topology, PortRole::Local),
            injection_gbps: rate_of(topology, PortRole::Edge),
            radix: topology.radix(),
            ports_by_role: ports,
            global_wiring: global_wiring(topology),
            cables: cables(topology),
            compute_nodes,
            compute_endpoints,
            ethernet: topology.ethernet_endpoints(),
            addresses,
            summary: system.summary.clone(),
            switch: system.switch.clone(),
            nic: system.nic.clone(),
            congestion: system.congestion.clone(),
            sources: system.sources.clone(),
            assumed: system.assumed.clone(),
            warnings: warnings(system, topology),
        }
    }
}

/// See [`SystemFigures::global_wiring`].
fn global_wiring(topology: &Topology) -> Option<String> {
    let TopologyShape::Dragonfly(dragonfly) = topology.shape() else { return None };
    if dragonfly.group_count() < 2 {
        return None;
    }
    let (order, shifts) = match dragonfly.wiring() {
        GlobalWiring::RoundRobin => {
            ("one link to each switch of a group in turn", "that are no multiple of a group's switches")
        }
        GlobalWiring::Absolute | GlobalWiring::Consecutive => {
            ("blocks of links, to group 0, 1, 2, ...", "that are a multiple of a switch's global ports")
        }
        GlobalWiring::Relative => {
            ("blocks of links, to the next groups around the ring", "that are a multiple of a switch's global ports")
        }
        GlobalWiring::Palmtree => {
            ("blocks of links, to the groups before around the ring", "that are a multiple of a switch's global ports")
        }
        GlobalWiring::Circulant => (
            "blocks of links, to the nearest groups on both sides",
            "that are a multiple of half a switch's global ports",
        ),
        GlobalWiring::Listed => {
            let listed = "listed: every link as the file says. Which traffic crowds a local link depends on it.";
            return Some(listed.to_owned());
        }
    };
    Some(format!(
        "{}: {order}. Where a pair of groups has one link, nonminimal paths crowd local links of intermediate groups \
         under shifts by numbers of groups {shifts}.",
        dragonfly.wiring().name()
    ))
}

/// See [`SystemFigures::warnings`].
fn warnings(system: &SystemDescription, topology: &Topology) -> Vec<String> {
    let mut warnings = system.warnings.clone();
    let switch = system.hardware.get("switch").and_then(toml::Value::as_table);
    let wide = system.wide_switches(|key| switch.is_some_and(|switch| switch.contains_key(key)));
    warnings.extend(wide.filter(|wide| !system.warnings.contains(wide)));
    if topology.endpoint_count() == 0 {
        let mut warning = "the system has no endpoints, so no job can run on it".to_owned();
        if let Some(graph) = &system.graph {
            let works = "`endpoints_per_switch`, or nodes of the kind `endpoint` in a file of another tool, would work";
            let _ = write!(warning, " (it has {} switches); {works}", graph.switches);
        }
        warnings.push(warning);
    }
    warnings
}

/// Every port of the system that has a cable.
fn cabled(topology: &Topology) -> impl Iterator<Item = (PortIndex, PortRole)> + '_ {
    (0..topology.port_count())
        .map(PortIndex::from_index)
        .map(|port| (port, topology.port(port).role))
        .filter(|(_, role)| *role != PortRole::Unused)
}

fn ports_by_role(topology: &Topology) -> PortCounts {
    let mut counts = PortCounts { unused: topology.port_count() as u64, ..PortCounts::default() };
    for (_, role) in cabled(topology) {
        counts.unused -= 1;
        *match role {
            PortRole::Edge => &mut counts.edge,
            PortRole::Local => &mut counts.local,
            PortRole::Global => &mut counts.global,
            PortRole::Unused => unreachable!("ports without a cable are not listed"),
        } += 1;
    }
    counts
}

/// Rate of all ports of a role, in Gb/s: a link between switches has two, hence both directions.
fn rate_of(topology: &Topology, role: PortRole) -> f64 {
    let ports = cabled(topology).filter(|(_, found)| *found == role);
    ports.map(|(port, _)| u64::from(topology.rate(port).0)).sum::<u64>() as f64 / 1e3
}

fn cables(topology: &Topology) -> Vec<CableSummary> {
    // Ends of links by role and kind of cable; an edge link has one end at a switch, the others
    // have two.
    let mut ends = BTreeMap::new();
    for (port, role) in cabled(topology) {
        *ends.entry((role, topology.port(port).cable)).or_insert(0_u64) += if role == PortRole::Edge { 2 } else { 1 };
    }
    let mut found = BTreeMap::<(PortRole, Medium), CableSummary>::new();
    for ((role, kind), ends) in ends {
        let kind = &topology.cables()[usize::from(kind.0)];
        let (links, length_m) = (ends / 2, f64::from(kind.length_mm) / 1e3);
        let cables = links.div_ceil(u64::from(kind.links_per_cable));
        let sum = found.entry((role, kind.medium)).or_insert(CableSummary {
            role,
            medium: kind.medium,
            links: 0,
            cables: 0,
            length_m_min: length_m,
            length_m_max: length_m,
            length_m_total: 0.0,
        });
        sum.links += links;
        sum.cables += cables;
        sum.length_m_min = sum.length_m_min.min(length_m);
        sum.length_m_max = sum.length_m_max.max(length_m);
        sum.length_m_total += length_m * cables as f64;
    }
    found.into_values().collect()
}

fn diameter(topology: &Topology) -> u32 {
    match topology.shape() {
        TopologyShape::Dragonfly(dragonfly) => dragonfly_diameter(topology, dragonfly),
        TopologyShape::FatTree(tree) => fat_tree_diameter(topology, tree),
        TopologyShape::Graph(graph) => {
            let switches = 0..topology.switch_count() as u32;
            let from_each = |from| {
                let reached = switches.clone().filter(move |&to| graph.reaches(SwitchId(from), SwitchId(to)));
                reached.map(move |to| u32::from(graph.distance(SwitchId(from), SwitchId(to))))
            };
            switches.clone().flat_map(from_each).max().unwrap_or(0)
        }
    }
}

/// Exact; skips a pair of groups, or stops, once no longer route is possible.
fn dragonfly_diameter(topology: &Topology, dragonfly: &Dragonfly) -> u32 {
    let groups = (0..topology.group_count()).map(GroupId::from_index);
    let within = |group: GroupId| {
        let switches = topology.switches_of(group);
        let first = SwitchId(switches.start);
        // Rows and columns are alike, so the switches most distant from the first have the largest
        // distance of any two.
        switches.map(|to| u32::from(dragonfly.local_distance(first, SwitchId(to)))).max().unwrap_or(0)
    };
    let within = groups.clone().map(within).collect::<Vec<_>>();
    let mut longest = within.iter().copied().max().unwrap_or(0);
    for from in groups.clone() {
        for to in groups.clone().filter(|to| *to > from) {
            let bound = within[from.index()] + 1 + within[to.index()];
            if bound > longest {
                longest = longest.max(longest_between(topology, dragonfly, from, to, bound));
            }
        }
    }
    longest
}

/// The longest minimal route from any switch of one group to any of another; never more than
/// `bound`.
fn longest_between(topology: &Topology, dragonfly: &Dragonfly, from: GroupId, to: GroupId, bound: u32) -> u32 {
    let ends = |from, to| dragonfly.gateways(from, to).iter().map(|port| topology.switch_of(*port)).collect::<Vec<_>>();
    let (out, into) = (ends(from, to), ends(to, from));
    let mut longest = 0;
    for source in topology.switches_of(from).map(SwitchId) {
        for target in topology.switches_of(to).map(SwitchId) {
            let routes = out.iter().zip(&into).map(|(out, into)| {
                u32::from(dragonfly.local_distance(source, *out))
                    + 1
                    + u32::from(dragonfly.local_distance(*into, target))
            });
            longest = longest.max(routes.min().expect("every pair of groups is joined"));
            if longest == bound {
                return bound;
            }
        }
    }
    longest
}

fn fat_tree_diameter(topology: &Topology, tree: &FatTree) -> u32 {
    let (sizes, one_pod) = (tree.description(), topology.group_count() <= 2);
    match (sizes.leaves, tree.levels()) {
        (1, _) if one_pod => 0,
        (_, 2) => 2,
        (_, _) if one_pod => 2,
        _ => 4,
    }
}

/// See [`SystemFigures::taper`].
fn taper(topology: &Topology) -> Option<f64> {
    match topology.shape() {
        TopologyShape::Graph(_) => None,
        TopologyShape::FatTree(tree) => {
            let sizes = tree.description();
            let (uplink, edge) = (sizes.uplink.rate_gbps, sizes.edge.rate_gbps);
            let injection = f64::from(sizes.endpoints_per_leaf) * edge;
            let leaf = f64::from(sizes.spines * sizes.links_per_pair) * uplink / injection;
            let pod = sizes.cores.map_or(f64::INFINITY, |cores| {
                let out = f64::from(sizes.spines * cores.per_plane * cores.links_per_pair) * uplink;
                out / (injection * f64::from(sizes.leaves))
            });
            (injection > 0.0).then(|| leaf.min(pod))
        }
        TopologyShape::Dragonfly(dragonfly) => {
            let compute = |group: &GroupId| dragonfly.kind(*group).purpose == Purpose::Compute;
            let groups = || (0..topology.group_count()).map(GroupId::from_index).filter(compute);
            let mut injection = vec![0_u64; topology.group_count()];
            for endpoint in (0..topology.endpoint_count()).map(EndpointId::from_index) {
                let port = topology.endpoint(endpoint).port;
                injection[topology.group_of(topology.switch_of(port)).index()] += u64::from(topology.rate(port).0);
            }
            if groups().count() < 2 {
                return None;
            }
            let out = |from: GroupId| {
                let ports = groups().flat_map(move |to| dragonfly.gateways(from, to));
                ports.map(|port| u64::from(topology.rate(*port).0)).sum::<u64>()
            };
            let filled = groups().filter(|group| injection[group.index()] > 0);
            filled.map(|group| out(group) as f64 / injection[group.index()] as f64).reduce(f64::min)
        }
    }
}
