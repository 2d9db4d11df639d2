//! Divides a system into partitions of whole groups.

use philae_topology::{Peer, Topology};
use philae_units::{EndpointId, GroupId, NodeId, PortIndex, SwitchId};

/// Switches and endpoints of one partition, or of a block of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRange {
    /// Switches.
    pub switches: std::ops::Range<u32>,
    /// Endpoints.
    pub endpoints: std::ops::Range<u32>,
}

/// Divides a system into up to `asked` partitions of whole groups, with about equally many ports in use: under even traffic
/// each forwards about as many packets.
///
/// Endpoints must be numbered group by group, and a node's NICs lie in one group; where that is not so, and in systems
/// with one group, there is one partition.
pub fn divide(topology: &Topology, asked: u32) -> (Vec<u16>, Vec<PartRange>) {
    let switches = topology.switch_count() as u32;
    let endpoints = topology.endpoint_count() as u32;
    let groups = topology.group_count() as u32;
    if asked <= 1 || !may_be_divided(topology) {
        return (vec![0; switches as usize], vec![PartRange { switches: 0..switches, endpoints: 0..endpoints }]);
    }
    let group_of = |endpoint| topology.group_of(topology.switch_of_endpoint(EndpointId(endpoint)));
    let parts = asked.min(groups);
    let mut of_switch = vec![0_u16; switches as usize];
    let mut ranges = Vec::new();
    let mut first_endpoint = 0;
    let bounds = bounds(&ports_in_use(topology), parts);
    for part in 0..parts {
        let (from, to) = (bounds[part as usize], bounds[part as usize + 1]);
        let range = topology.switches_of(GroupId(from)).start..topology.switches_of(GroupId(to - 1)).end;
        of_switch[range.start as usize..range.end as usize].fill(part as u16);
        let end = (first_endpoint..endpoints).find(|&endpoint| group_of(endpoint).0 >= to).unwrap_or(endpoints);
        ranges.push(PartRange { switches: range, endpoints: first_endpoint..end });
        first_endpoint = end;
    }
    (of_switch, ranges)
}

/// Whether endpoints are numbered group by group, the NICs of a node lie in one group, and there is more than one.
pub fn may_be_divided(topology: &Topology) -> bool {
    let group_of = |endpoint| topology.group_of(topology.switch_of_endpoint(EndpointId(endpoint)));
    let is_ordered =
        || (1..topology.endpoint_count() as u32).all(|endpoint| group_of(endpoint - 1) <= group_of(endpoint));
    let are_together = |node| {
        let nics = topology.endpoints_of(NodeId(node));
        nics.clone().all(|endpoint| group_of(endpoint) == group_of(nics.start))
    };
    topology.group_count() > 1 && is_ordered() && (0..topology.node_count() as u32).all(are_together)
}

/// Divides a partition into blocks of at least `ports_min` ports, but for the last: whole groups, and switches that have no
/// links among each other wherever it suits.
pub fn blocks(topology: &Topology, part: &PartRange, ports_min: u32) -> Vec<PartRange> {
    let radix = topology.radix() as u32;
    let group_of = |switch| topology.group_of(SwitchId(switch));
    let is_loose = |group: GroupId| {
        let switches = topology.switches_of(group);
        let mut ports = (switches.start * radix..switches.end * radix).map(PortIndex);
        ports.all(|port| match topology.port(port).peer {
            Peer::Port(peer) => topology.group_of(topology.switch_of(peer)) != group,
            Peer::Endpoint(_) => false,
            Peer::None => true,
        })
    };
    let mut starts = Vec::new();
    let mut ports = ports_min;
    let mut loose = (GroupId(u32::MAX), false);
    for switch in part.switches.clone() {
        let group = group_of(switch);
        if loose.0 != group {
            loose = (group, is_loose(group));
        }
        let may_begin = loose.1 || switch == part.switches.start || group_of(switch - 1) != group;
        if may_begin && ports >= ports_min {
            starts.push(switch);
            ports = 0;
        }
        ports += radix;
    }
    let mut endpoint = part.endpoints.start;
    let ends = starts.iter().skip(1).chain([&part.switches.end]);
    let range = |(&start, &end): (&u32, &u32)| {
        let first = endpoint;
        while endpoint < part.endpoints.end && topology.switch_of_endpoint(EndpointId(endpoint)).0 < end {
            endpoint += 1;
        }
        PartRange { switches: start..end, endpoints: first..endpoint }
    };
    starts.iter().zip(ends).map(range).collect()
}

/// Ports of each group that have something at their far end.
fn ports_in_use(topology: &Topology) -> Vec<u64> {
    let mut used = vec![0; topology.group_count()];
    for port in (0..topology.port_count() as u32).map(PortIndex) {
        let is_used = topology.port(port).peer != Peer::None;
        used[topology.group_of(topology.switch_of(port)).index()] += u64::from(is_used);
    }
    used
}

/// First group of each of `parts` runs of neighbours of about equal weight, none of them empty, and the end of the last.
fn bounds(weights: &[u64], parts: u32) -> Vec<u32> {
    let groups = weights.len() as u32;
    let (total, mut before, mut group) = (weights.iter().sum::<u64>(), 0, 0);
    let mut bounds = vec![0];
    for part in 1..parts {
        let wanted = total * u64::from(part) * 2;
        let most = groups - (parts - part);
        // One group at least, and as long as the next brings it nearer to its share than it is.
        loop {
            before += weights[group as usize];
            group += 1;
            if group == most || (2 * before + weights[group as usize]) * u64::from(parts) >= wanted {
                break;
            }
        }
        bounds.push(group);
    }
    bounds.push(groups);
    bounds
}

#[cfg(test)]
mod tests {
    use super::{PartRange, blocks, bounds, may_be_divided};
    use philae_topology::{DragonflyDescription, FatTreeDescription, Topology};

    fn whole(topology: &Topology) -> PartRange {
        PartRange { switches: 0..topology.switch_count() as u32, endpoints: 0..topology.endpoint_count() as u32 }
    }

    #[test]
    fn blocks_are_whole_groups_and_hold_everything_once() {
        // Five groups of four switches.
        let dragonfly = Topology::build(&DragonflyDescription::uniform(5, 4, 4, 1).into()).expect("it builds");
        let all = whole(&dragonfly);
        let group = 4 * dragonfly.radix() as u32;
        for (ports_min, count) in [(0, 5), (group, 5), (group + 1, 3), (2 * group, 3), (100 * group, 1)] {
            let found = blocks(&dragonfly, &all, ports_min);
            assert_eq!(found.len(), count, "{ports_min} ports");
            assert!(found.iter().all(|block| block.switches.start % 4 == 0), "{found:?}");
            assert!(found.windows(2).all(|pair| {
                pair[0].switches.end == pair[1].switches.start && pair[0].endpoints.end == pair[1].endpoints.start
            }));
            let (first, last) = (&found[0], &found[count - 1]);
            assert_eq!((first.switches.start, first.endpoints.start), (0, 0));
            assert_eq!((last.switches.end, last.endpoints.end), (all.switches.end, all.endpoints.end));
        }
    }

    #[test]
    fn cores_of_a_tree_are_divided_where_it_suits() {
        // Four pods of eight switches, and sixteen cores that are not linked to each other.
        let tree = Topology::build(&FatTreeDescription::three_level(4, 4, 4, 4, 4).into()).expect("it builds");
        assert!(may_be_divided(&tree));
        let sizes: Vec<u32> =
            blocks(&tree, &whole(&tree), 0).iter().map(|block| block.switches.end - block.switches.start).collect();
        assert_eq!(sizes, [&[8; 4][..], &[1; 16][..]].concat());
    }

    #[test]
    fn equal_groups_are_divided_evenly_and_a_heavy_one_counts_for_what_it_is() {
        assert_eq!(bounds(&[1; 8], 2), [0, 4, 8]);
        assert_eq!(bounds(&[1; 7], 3), [0, 2, 5, 7]);
        assert_eq!(bounds(&[1; 3], 3), [0, 1, 2, 3]);
        // Eight pods, and their cores as heavy as two of them.
        assert_eq!(bounds(&[2, 2, 2, 2, 2, 2, 2, 2, 4], 2), [0, 5, 9]);
        assert_eq!(bounds(&[100, 1, 1], 3), [0, 1, 2, 3], "nobody is left without a group");
        assert_eq!(bounds(&[1, 1, 100], 3), [0, 1, 2, 3]);
        assert_eq!(bounds(&[5], 1), [0, 1]);
    }
}
