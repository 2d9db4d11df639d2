//! Divides nodes into canaries and congestors.

use philae_engine::RandomStream;
use philae_units::NodeId;

/// Smallest number of nodes: two canaries and two nodes for each congestor. Source: GPCNeT v1.3.
/// Status: published.
pub const NODES_MIN: u32 = 10;

/// The nodes of a load test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadNodes {
    /// Nodes that congest: four fifths of all, rounded down.
    pub congestors: Vec<NodeId>,
    /// Nodes whose communication is measured: the rest.
    pub canaries: Vec<NodeId>,
}

impl LoadNodes {
    /// Shuffles `nodes` and divides them.
    ///
    /// The shuffle is GPCNeT's: from the last place down, the node of place `i` is swapped with
    /// that of `draw % i`. Draws come from a stream of ours instead of the C library's `rand()`,
    /// whose sequence differs between libraries.
    #[must_use]
    pub fn draw(nodes: &[NodeId], seed: u64) -> Self {
        /// Purpose of the draws.
        const NODES: u64 = u64::from_be_bytes(*b"gpc-node");
        let mut shuffled = nodes.to_vec();
        let mut stream = RandomStream::new(seed, 0, NODES);
        for place in (1..shuffled.len()).rev() {
            shuffled.swap(place, (stream.next_u64() % place as u64) as usize);
        }
        let canaries = shuffled.split_off(congestors_of(shuffled.len()));
        Self { congestors: shuffled, canaries }
    }
}

/// Four fifths, rounded down.
const fn congestors_of(nodes: usize) -> usize {
    nodes * 4 / 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_one_part_and_the_shares_are_right_whatever_the_seed() {
        for count in [10, 11, 14, 15, 99, 484, 1_024] {
            let nodes: Vec<NodeId> = (0..count).map(|node| NodeId(3 * node + 7)).collect();
            let mut orders = Vec::new();
            for seed in 0..20 {
                let shares = LoadNodes::draw(&nodes, seed);
                assert_eq!(shares.congestors.len(), count as usize * 4 / 5);
                assert!(shares.canaries.len() >= 2);
                let mut all = [shares.congestors.clone(), shares.canaries.clone()].concat();
                assert_eq!(shares, LoadNodes::draw(&nodes, seed), "the seed decides");
                orders.push(all.clone());
                all.sort_unstable();
                assert_eq!(all, nodes, "every node once");
            }
            orders.sort_unstable();
            orders.dedup();
            assert_eq!(orders.len(), 20, "seeds differ");
        }
    }

    #[test]
    fn no_node_keeps_its_place() {
        // The effect of `draw % i` instead of `draw % (i + 1)`: the order is always one cycle.
        let nodes: Vec<NodeId> = (0..50).map(NodeId).collect();
        for seed in 0..50 {
            let LoadNodes { congestors, canaries } = LoadNodes::draw(&nodes, seed);
            assert!([congestors, canaries].concat().iter().zip(&nodes).all(|(now, before)| now != before));
        }
    }
}
