//! Divides a system into partitions of whole groups.

use philae_topology::{Peer, Topology};
use philae_units::PortIndex;

/// Switches and endpoints of one partition.
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
    let whole = || (vec![0; switches as usize], vec![PartRange { switches: 0..switches, endpoints: 0..endpoints }]);
    let group_of = |endpoint| topology.group_of(topology.switch_of_endpoint(philae_units::EndpointId(endpoint)));
    let ordered = (1..endpoints).all(|endpoint| group_of(endpoint - 1) <= group_of(endpoint));
    let together = (0..topology.node_count() as u32).all(|node| {
        let nics = topology.endpoints_of(philae_units::NodeId(node));
        nics.clone().all(|endpoint| group_of(endpoint) == group_of(nics.start))
    });
    let groups = topology.group_count() as u32;
    if asked <= 1 || groups <= 1 || !ordered || !together {
        return whole();
    }
    let parts = asked.min(groups);
    let mut of_switch = vec![0_u16; switches as usize];
    let mut ranges = Vec::new();
    let mut first_endpoint = 0;
    let bounds = bounds(&ports_in_use(topology), parts);
    for part in 0..parts {
        let (from, to) = (bounds[part as usize], bounds[part as usize + 1]);
        let range = topology.switches_of(philae_units::GroupId(from)).start
            ..topology.switches_of(philae_units::GroupId(to - 1)).end;
        of_switch[range.start as usize..range.end as usize].fill(part as u16);
        let end = (first_endpoint..endpoints).find(|&endpoint| group_of(endpoint).0 >= to).unwrap_or(endpoints);
        ranges.push(PartRange { switches: range, endpoints: first_endpoint..end });
        first_endpoint = end;
    }
    (of_switch, ranges)
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
    use super::bounds;

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
