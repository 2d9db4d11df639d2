//! Multicast trees: from a root's switch to every switch that has members, one copy per link.
//!
//! Invariant: downwards, a path of the tree climbs as every route does; no link is used twice;
//! groups are entered through one link each (copies for a group's members are made inside the
//! group). Upwards, no path needs to climb, because an engine at each switch takes in what goes up,
//! so that no buffer waits for another.

use std::collections::BTreeMap;

use philae_topology::{Dragonfly, FatTree, PortPeer, Topology, TopologyGraph, TopologyShape};
use philae_units::{EndpointId, PortIndex, SwitchId};

use crate::route::Router;

/// A switch of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHop {
    /// Output towards the root; at the root's switch, the root's own edge port.
    pub up: PortIndex,
    /// Leg of upward packets on it.
    pub up_leg: u8,
    /// Outputs towards members, in order of their numbers, without the root's edge port.
    pub down: Vec<TreePort>,
}

/// An output of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreePort {
    pub port: PortIndex,
    /// Leg whose channel a copy uses on its link.
    pub leg: u8,
}

/// The static table of one multicast id in all switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MulticastTable {
    pub root: EndpointId,
    /// Members, including the root.
    pub members: Vec<EndpointId>,
    switches: BTreeMap<SwitchId, TreeHop>,
}

/// Members that no tree can join.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// No members.
    #[error("a tree needs at least one member")]
    Empty,
    /// One endpoint twice.
    #[error("endpoint {endpoint} is in the tree twice: one rank per NIC would work")]
    Twice { endpoint: EndpointId },
    /// Groups without a link between them.
    #[error(
        "groups {from} and {to} share no link, and a tree goes from the root's group straight to every other: a job inside groups that do would work"
    )]
    NoLink {
        /// Group of the root.
        from: u32,
        /// Group of a member.
        to: u32,
    },
    /// More children at one switch than an engine hears.
    #[error(
        "{found} ports of switch {switch} lead to members or further switches of the tree, and a reduction engine \
         hears {CHILDREN_MAX}: fewer members below the switch, or an algorithm of software, would work"
    )]
    Children {
        /// The switch.
        switch: SwitchId,
        /// Its children.
        found: usize,
    },
}

/// The most children of a switch in a tree. Source: Rosetta's 64 ports (De Sensi et al., SC'20):
/// an engine has a bit for each. Status: assumed for switches with more.
const CHILDREN_MAX: usize = 64;

impl MulticastTable {
    /// The tree of `members`, the first of which is the root.
    ///
    /// # Errors
    /// [`TreeError`] if there are no members, one is named twice, the groups of a dragonfly are not
    /// joined directly, or a switch has more than 64 children.
    pub fn new(router: &Router, members: &[EndpointId]) -> Result<Self, TreeError> {
        let topology = router.topology();
        let &root = members.first().ok_or(TreeError::Empty)?;
        let mut sorted = members.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(TreeError::Twice { endpoint: pair[0] });
        }
        let top = topology.switch_of_endpoint(root);
        let up = topology.endpoint(root).port;
        let at_root = TreeHop { up, up_leg: 0, down: Vec::new() };
        let mut tree = Self { root, members: members.to_vec(), switches: BTreeMap::from([(top, at_root)]) };
        for &member in &sorted {
            tree.join(topology, router.legs(), member)?;
            if member != root {
                let port = topology.endpoint(member).port;
                let own = tree.switches.get_mut(&topology.switch_of_endpoint(member)).expect("it has just joined");
                own.down.push(TreePort { port, leg: 0 });
            }
        }
        tree.switches.values_mut().for_each(|switch| switch.down.sort_unstable());
        if let Some((&switch, hop)) = tree.switches.iter().find(|(_, hop)| hop.down.len() > CHILDREN_MAX) {
            return Err(TreeError::Children { switch, found: hop.down.len() });
        }
        Ok(tree)
    }

    /// The table entry of switch `at`.
    #[must_use]
    pub fn switch(&self, id: SwitchId) -> Option<&TreeHop> {
        self.switches.get(&id)
    }

    /// Every switch of the tree.
    pub fn switches(&self) -> impl Iterator<Item = (SwitchId, &TreeHop)> {
        self.switches.iter().map(|(id, switch)| (*id, switch))
    }

    /// Adds the path from the root's switch to a member's, as far as it is missing.
    fn join(&mut self, topology: &Topology, legs: u8, member: EndpointId) -> Result<(), TreeError> {
        let mut current = topology.switch_of_endpoint(self.root);
        let goal = topology.switch_of_endpoint(member);
        let mut climb = Climb::default();
        let mut path = Vec::new();
        while current != goal {
            let hop = match topology.shape() {
                TopologyShape::Dragonfly(shape) => climb.in_dragonfly(topology, shape, current, goal)?,
                TopologyShape::FatTree(shape) => in_fat_tree(shape, current, topology.edge_port(member)),
                TopologyShape::Graph(shape) => climb.in_graph(shape, current, goal),
            };
            path.push((current, hop));
            current = next_switch(topology, hop.port);
        }
        // If two paths lead to a switch, the first is kept. From the last switch that is in the
        // tree, the rest is new.
        let known = path.iter().rposition(|(_, hop)| self.switches.contains_key(&next_switch(topology, hop.port)));
        let first_new = known.map_or(0, |index| index + 1);
        for &(from, hop) in &path[first_new..] {
            let PortPeer::Port(back) = topology.port(hop.port).peer else { unreachable!("a hop leads to a switch") };
            let home = topology.group_of(topology.switch_of_endpoint(self.root));
            let climbed = matches!(topology.shape(), TopologyShape::Dragonfly(_)) && topology.group_of(from) == home;
            let inside = topology.group_of(next_switch(topology, hop.port)) == home;
            let up_leg = u8::from(climbed && inside).min(legs - 1);
            self.switches.get_mut(&from).expect("the path begins in the tree").down.push(hop);
            self.switches.insert(next_switch(topology, hop.port), TreeHop { up: back, up_leg, down: Vec::new() });
        }
        Ok(())
    }
}

fn next_switch(topology: &Topology, port: PortIndex) -> SwitchId {
    match topology.port(port).peer {
        PortPeer::Port(peer) => topology.switch_of(peer),
        PortPeer::Endpoint(_) | PortPeer::None => unreachable!("a hop leads to a switch: the topology checks it"),
    }
}

/// How far a path has climbed.
#[derive(Default)]
struct Climb {
    leg: u8,
}

impl Climb {
    /// Local, global, local, through one gateway for all members of a group: the first of those
    /// nearest to `at`.
    fn in_dragonfly(
        &mut self,
        topology: &Topology,
        shape: &Dragonfly,
        current: SwitchId,
        goal: SwitchId,
    ) -> Result<TreePort, TreeError> {
        let (here, there) = (topology.group_of(current), topology.group_of(goal));
        let leg = self.leg;
        if here == there {
            return Ok(TreePort { port: shape.local_next(current, goal).get(0), leg });
        }
        let gateways = shape.gateways(here, there);
        let nearest =
            gateways.iter().min_by_key(|&&port| (shape.local_distance(current, topology.switch_of(port)), port));
        let Some(&gateway) = nearest else { return Err(TreeError::NoLink { from: here.0, to: there.0 }) };
        let gate = topology.switch_of(gateway);
        if gate == current {
            self.leg += 1;
            return Ok(TreePort { port: gateway, leg });
        }
        Ok(TreePort { port: shape.local_next(current, gate).get(0), leg })
    }

    /// A hop of a shortest path. The leg is the number of hops taken.
    fn in_graph(&mut self, shape: &TopologyGraph, current: SwitchId, goal: SwitchId) -> TreePort {
        self.leg += 1;
        TreePort { port: shape.next(current, goal)[0], leg: self.leg - 1 }
    }
}

/// Up by the first uplink until the member is below, then down.
fn in_fat_tree(shape: &FatTree, current: SwitchId, target: PortIndex) -> TreePort {
    let port = shape.down_ports(current, target).unwrap_or_else(|| shape.up_ports(current)).get(0);
    TreePort { port, leg: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlock::{LegRule, may_follow};
    use crate::parameters::RoutingParameters;
    use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, SystemDescription, Topology};
    use std::collections::BTreeSet;
    use std::sync::Arc;

    fn router(description: impl Into<SystemDescription>) -> Router {
        let topology = Topology::build(&description.into()).expect("a legal system");
        Router::new(Arc::new(topology), RoutingParameters::slingshot()).expect("proven")
    }

    /// Follows the copies from the root: checks which members get one, over which links, and that
    /// each climbs.
    fn check(router: &Router, members: &[EndpointId]) {
        let topology = router.topology();
        let tree = MulticastTable::new(router, members).expect("a tree");
        let mut reached = BTreeSet::from([tree.root]);
        let mut links = BTreeSet::new();
        let mut entered = BTreeSet::new();
        let mut visited = 0;
        let mut todo = vec![(topology.switch_of_endpoint(tree.root), None::<TreePort>)];
        while let Some((current, by)) = todo.pop() {
            visited += 1;
            let switch = tree.switch(current).expect("a copy comes to switches of the tree only");
            for &hop in &switch.down {
                assert_eq!(topology.switch_of(hop.port), current);
                assert!(links.insert(hop.port), "one copy per link");
                match topology.port(hop.port).peer {
                    PortPeer::Endpoint(endpoint) => assert!(reached.insert(endpoint), "one copy per member"),
                    PortPeer::Port(peer) => {
                        if let Some(by) = by {
                            let legs = router.legs();
                            assert!(
                                may_follow(topology, (by.port, by.leg), (hop.port, hop.leg), legs, LegRule::Climb),
                                "from {by:?} to {hop:?} does not climb"
                            );
                        }
                        let next = topology.switch_of(peer);
                        assert_eq!(tree.switch(next).map(|next| next.up), Some(peer), "up is the path back");
                        if matches!(topology.shape(), TopologyShape::Dragonfly(_))
                            && topology.group_of(next) != topology.group_of(current)
                        {
                            assert!(entered.insert(topology.group_of(next)), "a group is entered once");
                        }
                        todo.push((next, Some(hop)));
                    }
                    PortPeer::None => panic!("a copy into nothing"),
                }
            }
        }
        assert_eq!(visited, tree.switches().count(), "every switch of the tree is reached, once");
        let wanted: BTreeSet<EndpointId> = members.iter().copied().collect();
        assert_eq!(reached, wanted);
    }

    #[test]
    fn copies_reach_every_member_once_and_climb_on_every_shape() {
        // Its groups are grids.
        let crystal = SystemDescription::load("crystal").expect("a built-in system");
        let routers = [
            router(crystal),
            router(DragonflyDescription::uniform(5, 4, 2, 2)),
            router(FatTreeDescription::two_level(8, 4, 4)),
            router(GraphDescription::regular(5, 1, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]])),
        ];
        for router in &routers {
            let count = router.topology().endpoint_count() as u32;
            for step in [1, 2, 3, 7] {
                for root in [0, 1, count / 2] {
                    let others = (0..count).step_by(step).filter(|&endpoint| endpoint != root);
                    let members: Vec<EndpointId> = std::iter::once(root).chain(others).map(EndpointId).collect();
                    check(router, &members);
                }
            }
        }
    }

    #[test]
    fn two_ranks_of_one_nic_are_refused() {
        let router = router(DragonflyDescription::uniform(5, 4, 2, 2));
        let twice = MulticastTable::new(&router, &[EndpointId(3), EndpointId(3)]);
        assert_eq!(twice, Err(TreeError::Twice { endpoint: EndpointId(3) }));
        assert_eq!(MulticastTable::new(&router, &[]), Err(TreeError::Empty));
    }
}
