//! The worst balanced cut.
//!
//! A cut is balanced if its sides' endpoints differ by no more than the largest part that moves as
//! one (a group, a leaf, a pod, a switch). Its rate counts both directions.

use crate::{Dragonfly, FatTree, LocalWiring, PortPeer, PortRole, PortRun, Topology, TopologyGraph, TopologyShape};
use philae_units::{EndpointId, GroupId, LinkRate, SwitchId};

/// Maximum number of cuts that are checked one by one.
const CUTS_MAX: u64 = 20_000_000;

/// For graphs of at most this many switches every cut is checked.
const EXACT_SWITCHES_MAX: usize = 18;

/// The rate of the worst balanced cut in Gb/s, both directions, and the method.
pub(super) fn bisection(topology: &Topology) -> (f64, String) {
    match topology.shape() {
        TopologyShape::Dragonfly(dragonfly) if topology.group_count() == 1 => one_group(topology, dragonfly),
        TopologyShape::Dragonfly(dragonfly) => groups(topology, dragonfly),
        TopologyShape::FatTree(tree) => fat_tree(topology, tree),
        TopologyShape::Graph(graph) => any_graph(topology, graph),
    }
}

/// Gb/s of links of this rate, both directions.
fn both_directions(links: u64, rate: LinkRate) -> f64 {
    (links * u64::from(rate.0) * 2) as f64 / 1e3
}

/// Links between halves of `places` if `links` join each pair.
fn halves(places: u32, links: u32) -> u64 {
    u64::from(places / 2) * u64::from(places.div_ceil(2)) * u64::from(links)
}

fn one_group(topology: &Topology, dragonfly: &Dragonfly) -> (f64, String) {
    let group = GroupId(0);
    let last = SwitchId(topology.switches_of(group).end - 1);
    let rate = |ports: PortRun| ports.first().map_or(LinkRate(0), |port| topology.rate(port));
    match dragonfly.local_links(group) {
        LocalWiring::FullMesh { parallel } => {
            let links = halves(last.0 + 1, parallel);
            let gbps = both_directions(links, rate(dragonfly.local_next(SwitchId(0), last)));
            (gbps, "exact: half the switches of the one group against the other half".to_owned())
        }
        LocalWiring::Grid { columns, rows, row_links, column_links } => {
            let by_columns = u64::from(rows) * halves(columns, row_links);
            let by_rows = u64::from(columns) * halves(rows, column_links);
            let along = |to: u32| rate(dragonfly.local_next(SwitchId(0), SwitchId(to.min(last.0))));
            let cuts = [
                (columns > 1, both_directions(by_columns, along(1))),
                (rows > 1, both_directions(by_rows, along(columns))),
            ];
            let gbps = cuts.into_iter().filter(|(exists, _)| *exists).map(|(_, gbps)| gbps).reduce(f64::min);
            (
                gbps.unwrap_or(0.0),
                "upper bound: the worse of half the columns and half the rows of the one group".to_owned(),
            )
        }
    }
}

/// Groups of a kind are alike, so a cut is the number of groups of each kind on one side: few
/// enough to try all.
fn groups(topology: &Topology, dragonfly: &Dragonfly) -> (f64, String) {
    let kinds = dragonfly.kinds();
    let counts = kinds.iter().map(|kind| u64::from(kind.count)).collect::<Vec<_>>();
    let mut endpoints = vec![0_u64; kinds.len()];
    let mut kind_of_group = Vec::new();
    for (kind, count) in counts.iter().enumerate() {
        kind_of_group.extend((0..*count).map(|_| kind));
    }
    for endpoint in (0..topology.endpoint_count()).map(EndpointId::from_index) {
        endpoints[kind_of_group[topology.group_of(topology.switch_of_endpoint(endpoint)).index()]] += 1;
    }
    if topology.endpoint_count() == 0 {
        endpoints.clone_from(&counts);
    }
    // Endpoints of one group, averaged over its kind if the last places are empty.
    let each = endpoints.iter().zip(&counts).map(|(all, count)| *all as f64 / *count as f64).collect::<Vec<_>>();
    let largest = each.iter().copied().fold(0.0, f64::max);
    let total = endpoints.iter().sum::<u64>() as f64;
    let cut = |side: &[u64]| {
        let mut links = 0;
        for one in 0..kinds.len() {
            links += u64::from(dragonfly.links_between_kinds(one, one)) * side[one] * (counts[one] - side[one]);
            for other in one + 1..kinds.len() {
                let crossing = side[one] * (counts[other] - side[other]) + (counts[one] - side[one]) * side[other];
                links += u64::from(dragonfly.links_between_kinds(one, other)) * crossing;
            }
        }
        links
    };
    let balanced = |side: &[u64]| {
        let on_side = side.iter().zip(&each).map(|(groups, each)| *groups as f64 * each).sum::<f64>();
        (total - 2.0 * on_side).abs() <= largest * (1.0 + 1e-9)
    };
    let gbps = |links| {
        let port = dragonfly.gateways(GroupId(0), GroupId(1))[0];
        both_directions(links, topology.rate(port))
    };

    let all = counts.iter().try_fold(1_u64, |product, count| product.checked_mul(count + 1));
    if all.is_none_or(|all| all > CUTS_MAX) {
        let side = counts.iter().map(|count| count / 2).collect::<Vec<_>>();
        return (gbps(cut(&side)), "upper bound: half the groups of each kind against the other half".to_owned());
    }
    let mut side = vec![0; kinds.len()];
    let mut worst = None;
    loop {
        if balanced(&side) {
            let links = cut(&side);
            worst = Some(worst.map_or(links, |worst: u64| worst.min(links)));
        }
        // The next number whose digits are the groups of each kind.
        let Some(digit) = (0..side.len()).find(|digit| side[*digit] < counts[*digit]) else { break };
        side[..digit].fill(0);
        side[digit] += 1;
    }
    let worst = worst.expect("moving one group at a time passes the balance");
    (gbps(worst), "exact: every balanced cut by whole groups, groups of a kind being alike".to_owned())
}

/// Half the leaves, or half the pods, on one side. Spines and cores are on the side that cuts less.
fn fat_tree(topology: &Topology, tree: &FatTree) -> (f64, String) {
    let sizes = tree.description();
    let rate = topology.ports_of(SwitchId(0)).find(|(_, port)| port.role == PortRole::Local);
    let rate = rate.map_or(LinkRate(0), |(port, _)| topology.rate(port));
    let leaf_links = u64::from(sizes.links_per_pair);
    let (spines, leaves) = (u64::from(sizes.spines), u64::from(sizes.leaves));
    match sizes.cores {
        Some(cores) if topology.group_count() > 2 => {
            let up = u64::from(cores.per_plane) * u64::from(cores.links_per_pair);
            let links = spines * u64::from(cores.pods / 2) * up.min(leaves * leaf_links);
            (both_directions(links, rate), "exact: half the pods against the rest".to_owned())
        }
        _ => {
            let links = spines * (leaves / 2) * leaf_links;
            (both_directions(links, rate), "exact: half the leaves against the rest".to_owned())
        }
    }
}

/// Small graphs: every cut. Others: the best of the cuts that grow breadth first from each switch.
fn any_graph(topology: &Topology, graph: &TopologyGraph) -> (f64, String) {
    let count = topology.switch_count();
    let mut weight = vec![0_u64; count];
    for endpoint in (0..topology.endpoint_count()).map(EndpointId::from_index) {
        weight[topology.switch_of_endpoint(endpoint).index()] += 1;
    }
    if topology.endpoint_count() == 0 {
        weight.fill(1);
    }
    let total = weight.iter().sum::<u64>();
    let largest = weight.iter().copied().max().unwrap_or(0);
    let balanced = |on_side: u64| total.abs_diff(2 * on_side) <= largest;
    let mut links = Vec::new();
    for switch in (0..count).map(SwitchId::from_index) {
        for (port, found) in topology.ports_of(switch) {
            if let PortPeer::Port(other) = found.peer {
                links.push((switch.index(), topology.switch_of(other).index(), u64::from(topology.rate(port).0)));
            }
        }
    }
    // Each link is listed from both of its ends, so only those that leave the side count: once per
    // direction below.
    let cut = |inside: &dyn Fn(usize) -> bool| {
        links.iter().filter(|(from, to, _)| inside(*from) != inside(*to)).map(|(_, _, rate)| rate).sum::<u64>()
    };
    let mut worst = u64::MAX;
    let method = if count <= EXACT_SWITCHES_MAX {
        // The last switch stays outside: the other half of the cuts are their mirror images.
        for side in 1_u32..1 << (count - 1) {
            let on_side = (0..count).filter(|switch| side >> switch & 1 == 1).map(|switch| weight[switch]).sum();
            if balanced(on_side) {
                worst = worst.min(cut(&|switch| side >> switch & 1 == 1));
            }
        }
        "exact: every balanced cut"
    } else {
        for start in 0..count {
            let mut order = (0..count).collect::<Vec<_>>();
            order.sort_by_key(|to| graph.distance(SwitchId::from_index(start), SwitchId::from_index(*to)));
            let (mut inside, mut on_side) = (vec![false; count], 0);
            for switch in order {
                if 2 * on_side >= total {
                    break;
                }
                inside[switch] = true;
                on_side += weight[switch];
            }
            worst = worst.min(cut(&|switch| inside[switch]));
        }
        "upper bound: the best balanced cut that grows breadth first from a switch"
    };
    (if worst == u64::MAX { 0.0 } else { worst as f64 / 1e3 }, method.to_owned())
}
