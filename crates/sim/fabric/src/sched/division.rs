//! Divides a system into partitions of whole groups.

use std::ops::Range;

use philae_topology::{PortPeer, Topology};
use philae_units::{EndpointId, GroupId, NodeId, PortIndex, SwitchId};

/// Switches and endpoints of one partition, or of a block of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRange {
    pub switches: Range<u32>,
    pub endpoints: Range<u32>,
}

/// Divides a system into up to `asked` partitions of whole groups, with about equal numbers of
/// ports in use: under even traffic each forwards about as many packets.
///
/// The cores of a tree have no links to each other and may run independently as groups may. If an
/// even number of partitions is asked for, four or more, the cores are divided as the pods are.
/// Partitions then alternate between a run of pods and a run of cores, so that any two neighbours
/// have as much to do as any other two.
///
/// Endpoints must be numbered group by group, and a node's NICs must lie in one group. Otherwise,
/// and in systems with one group, there is one partition.
pub fn divide(topology: &Topology, asked: u32) -> (Vec<u16>, Vec<PartRange>) {
    let switches = topology.switch_count() as u32;
    if asked <= 1 || !may_be_divided(topology) {
        let endpoints = topology.endpoint_count() as u32;
        return (vec![0; switches as usize], vec![PartRange { switches: 0..switches, endpoints: 0..endpoints }]);
    }
    let groups = topology.group_count() as u32;
    let weights = ports_in_use(topology);
    let of_groups = |bounds: Vec<u32>| bounds.windows(2).map(|pair| pair[0]..pair[1]).collect::<Vec<_>>();
    let whole = |run: &Range<u32>| whole_groups(topology, run.clone());
    let pods = groups - 1;
    let cores = topology.switches_of(GroupId(pods));
    let pairs = (asked / 2).min(pods).min(cores.end - cores.start);
    let ranges: Vec<PartRange> = if asked.is_multiple_of(2) && pairs >= 2 && has_only_uplinks(topology, GroupId(pods)) {
        let bound =
            |part: u32| cores.start + ((cores.end - cores.start) as u64 * u64::from(part) / u64::from(pairs)) as u32;
        let end = topology.endpoint_count() as u32;
        let of_cores = (0..pairs).map(|part| PartRange { switches: bound(part)..bound(part + 1), endpoints: end..end });
        let of_pods = of_groups(bounds(&weights[..pods as usize], pairs));
        of_pods.iter().map(whole).zip(of_cores).flat_map(|(pods, cores)| [pods, cores]).collect()
    } else {
        of_groups(bounds(&weights, asked.min(groups))).iter().map(whole).collect()
    };
    let mut of_switch = vec![0_u16; switches as usize];
    for (part, range) in (0..).zip(&ranges) {
        of_switch[range.switches.start as usize..range.switches.end as usize].fill(part);
    }
    (of_switch, ranges)
}

/// The partitions of a division, from the partition of each switch.
///
/// To divide again by the number of partitions may give others: an even number of them divides the
/// cores of a tree, an odd number that is larger than the number of groups does not.
pub fn ranges_of(topology: &Topology, of_switch: &[u16]) -> Vec<PartRange> {
    let count = of_switch.iter().max().map_or(0, |&last| usize::from(last) + 1);
    let end = topology.endpoint_count() as u32;
    let mut ranges = vec![PartRange { switches: 0..0, endpoints: end..end }; count];
    let extend = |range: &mut Range<u32>, number: u32| {
        *range = if range.start == range.end { number..number + 1 } else { range.start..number + 1 };
    };
    for (switch, &part) in (0..).zip(of_switch) {
        extend(&mut ranges[usize::from(part)].switches, switch);
    }
    for endpoint in 0..end {
        let part = of_switch[topology.switch_of_endpoint(EndpointId(endpoint)).index()];
        extend(&mut ranges[usize::from(part)].endpoints, endpoint);
    }
    ranges
}

/// Least number of ports of a partition, if a thread has several. With smaller partitions more
/// crosses from one to another, which is copied. Source: ours, alternating runs at 8,192 endpoints
/// (docs/simulate/scale.md). Status: measured.
const PORTS_MIN: u32 = 4_096;

/// The most partitions per thread. At the end of a window threads wait for about half of a
/// partition's time, which is a sixteenth of what each has done. With more partitions, what they
/// send each other falls into too many small boxes. Source: ours, alternating runs at 65,536
/// endpoints (docs/simulate/scale.md). Status: measured.
const PARTITIONS_PER_THREAD: u32 = 8;

/// The default number of partitions for `threads` threads. Each thread gets as many, so that one
/// that is done with its own can take another's; twice as many if the cores are divided separately.
pub fn partitions_for(topology: &Topology, threads: u32) -> u32 {
    if threads <= 1 || !may_be_divided(topology) {
        return threads;
    }
    let groups = topology.group_count() as u32;
    let cores = GroupId(groups - 1);
    let (large, kinds) = if has_only_uplinks(topology, cores) {
        let switches = topology.switches_of(cores);
        ((switches.end - switches.start) * topology.radix() as u32 / PORTS_MIN, 2)
    } else {
        let ports_of_group = topology.port_count() as u32 / groups;
        (groups / PORTS_MIN.div_ceil(ports_of_group), 1)
    };
    threads.saturating_mul((large / threads).clamp(1, PARTITIONS_PER_THREAD) * kinds)
}

/// A run of whole groups, in a system whose endpoints are numbered by group.
fn whole_groups(topology: &Topology, groups: Range<u32>) -> PartRange {
    let first_endpoint = |group: u32| {
        let (mut low, mut high) = (0, topology.endpoint_count() as u32);
        while low < high {
            let middle = low.midpoint(high);
            if topology.group_of(topology.switch_of_endpoint(EndpointId(middle))).0 < group {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    };
    PartRange {
        switches: topology.switches_of(GroupId(groups.start)).start..topology.switches_of(GroupId(groups.end - 1)).end,
        endpoints: first_endpoint(groups.start)..first_endpoint(groups.end),
    }
}

/// Whether a group has no endpoints and no links among its switches, as the cores of a tree.
fn has_only_uplinks(topology: &Topology, group: GroupId) -> bool {
    let (switches, radix) = (topology.switches_of(group), topology.radix() as u32);
    let mut ports = (switches.start * radix..switches.end * radix).map(PortIndex);
    ports.all(|port| match topology.port(port).peer {
        PortPeer::Port(peer) => topology.group_of(topology.switch_of(peer)) != group,
        PortPeer::Endpoint(_) => false,
        PortPeer::None => true,
    })
}

/// Whether endpoints are numbered group by group, the NICs of a node lie in one group, and there is
/// more than one.
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

/// Divides a partition into blocks of at least `ports_min` ports, except the last. Blocks are of
/// whole groups; switches without links to each other are divided anywhere.
pub fn blocks(topology: &Topology, part: &PartRange, ports_min: u32) -> Vec<PartRange> {
    let radix = topology.radix() as u32;
    let group_of = |switch| topology.group_of(SwitchId(switch));
    let mut starts = Vec::new();
    let mut ports = ports_min;
    let mut loose = (GroupId(u32::MAX), false);
    for switch in part.switches.clone() {
        let group = group_of(switch);
        if loose.0 != group {
            loose = (group, has_only_uplinks(topology, group));
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

/// Number of ports of each group that have something at their far end.
fn ports_in_use(topology: &Topology) -> Vec<u64> {
    let mut used = vec![0; topology.group_count()];
    for port in (0..topology.port_count() as u32).map(PortIndex) {
        let is_used = topology.port(port).peer != PortPeer::None;
        used[topology.group_of(topology.switch_of(port)).index()] += u64::from(is_used);
    }
    used
}

/// First group of each of `parts` runs of neighbours of about equal weight, none of them empty, and
/// the end of the last.
fn bounds(weights: &[u64], parts: u32) -> Vec<u32> {
    let groups = weights.len() as u32;
    let (total, mut before, mut group) = (weights.iter().sum::<u64>(), 0, 0);
    let mut bounds = vec![0];
    for part in 1..parts {
        let wanted = total * u64::from(part) * 2;
        let most = groups - (parts - part);
        // A run has at least one group. It grows while the next group brings it nearer to its
        // share.
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
    use super::{PORTS_MIN, PartRange, blocks, bounds, divide, may_be_divided, partitions_for, ranges_of};
    use philae_topology::{DragonflyDescription, FatTreeDescription, Topology};
    use std::ops::Range;

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
            let divided = blocks(&dragonfly, &all, ports_min);
            assert_eq!(divided.len(), count, "{ports_min} ports");
            assert!(divided.iter().all(|block| block.switches.start % 4 == 0), "{divided:?}");
            assert!(divided.windows(2).all(|pair| {
                pair[0].switches.end == pair[1].switches.start && pair[0].endpoints.end == pair[1].endpoints.start
            }));
            let (first, last) = (&divided[0], &divided[count - 1]);
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
    fn runs_of_pods_and_runs_of_cores_alternate_for_an_even_number_of_partitions() {
        // Four pods of eight switches and sixteen endpoints, and sixteen cores.
        let tree = Topology::build(&FatTreeDescription::three_level(4, 4, 4, 4, 4).into()).expect("it builds");
        let switches = |asked| {
            let (of_switch, ranges) = divide(&tree, asked);
            assert_eq!(ranges_of(&tree, &of_switch), ranges, "{asked}");
            for (switch, &part) in (0..).zip(&of_switch) {
                assert!(
                    ranges[usize::from(part)].switches.contains(&switch),
                    "switch {switch} is in {part} of {asked}"
                );
            }
            let ports: u32 = ranges.iter().map(|range| range.switches.len() as u32).sum();
            let endpoints: u32 = ranges.iter().map(|range| range.endpoints.len() as u32).sum();
            assert_eq!((ports, endpoints), (48, 64), "each is in one of {asked}");
            ranges.into_iter().map(|range| range.switches).collect::<Vec<_>>()
        };
        assert_eq!(switches(2), [0..16, 16..48]);
        assert_eq!(switches(4), [0..16, 32..40, 16..32, 40..48]);
        assert_eq!(switches(5), [0..8, 8..16, 16..24, 24..32, 32..48]);
        assert_eq!(switches(8).len(), 8);
        assert_eq!(switches(100), switches(8), "there are four pods");
        assert_eq!([1, 2, 3].map(|threads| partitions_for(&tree, threads)), [1, 4, 6]);
        let dragonfly = Topology::build(&DragonflyDescription::uniform(5, 4, 4, 1).into()).expect("it builds");
        assert_eq!(partitions_for(&dragonfly, 2), 2);
        assert_eq!(divide(&dragonfly, 4).1.len(), 4);
    }

    #[test]
    fn a_thread_has_several_partitions_of_a_large_system_all_of_them_large() {
        let ports = |topology: &Topology, switches: &Range<u32>| switches.len() as u32 * topology.radix() as u32;
        let dragonfly = Topology::build(&DragonflyDescription::uniform(100, 32, 16, 1).into()).expect("it builds");
        let tree = Topology::build(&FatTreeDescription::three_level(32, 32, 32, 32, 32).into()).expect("it builds");
        for (topology, threads, expected) in [
            (&dragonfly, 1, 1),
            (&dragonfly, 2, 16),
            (&dragonfly, 3, 24),
            (&dragonfly, 9, 45),
            (&tree, 2, 32),
            (&tree, 3, 30),
        ] {
            assert_eq!(partitions_for(topology, threads), expected, "{threads} threads");
            let parts = divide(topology, expected).1;
            assert_eq!(parts.len(), expected as usize);
            assert!(parts.iter().all(|part| ports(topology, &part.switches) >= PORTS_MIN), "{parts:?}");
        }
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
