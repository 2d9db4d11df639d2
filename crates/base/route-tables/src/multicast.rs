//! Multicast trees over the live links of a plan: from a root's switch to every switch that has
//! members, one copy per link.
//!
//! Every path of a tree is one that the plan's tables take, up to where it joins the tree, so that
//! copies climb channel classes as packets do. Each switch takes in what goes up, so that no buffer
//! waits for another.

use std::collections::{BTreeMap, BTreeSet};

use philae_units::{PortId, PortIndex, SwitchId};

use crate::links::ports;
use crate::plan::RoutePlan;

/// A switch's part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSwitch {
    /// Port towards the root; at the root's switch the root's own.
    pub up: PortId,
    /// Ports towards the other members, as a mask.
    pub down: u64,
}

/// One tree, in all its switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MulticastTree {
    switches: BTreeMap<SwitchId, TreeSwitch>,
    unreached: Vec<PortIndex>,
}

impl MulticastTree {
    /// The tree of edge ports, the first of which is the root. The order of the others does not
    /// matter, and naming one twice changes nothing.
    #[must_use]
    pub fn new(plan: &RoutePlan, members: &[PortIndex]) -> Self {
        let wiring = plan.wiring();
        let mut tree = Self::default();
        let Some(&root) = members.first() else { return tree };
        let (top, up) = wiring.split(root);
        tree.switches.insert(top, TreeSwitch { up, down: 0 });
        for member in members.iter().copied().collect::<BTreeSet<_>>() {
            let (goal, number) = wiring.split(member);
            if !tree.join(plan, top, goal) {
                tree.unreached.push(member);
            } else if member != root {
                tree.switches.get_mut(&goal).expect("it has just joined").down |= 1 << number.0;
            }
        }
        tree
    }

    /// Adds the path from the root's switch to another one, as far as it is missing. Returns
    /// whether there is one.
    fn join(&mut self, plan: &RoutePlan, top: SwitchId, goal: SwitchId) -> bool {
        let wiring = plan.wiring();
        let mut path: Vec<(SwitchId, PortIndex)> = Vec::new();
        let mut current = top;
        while current != goal {
            let candidates = plan.tables().toward(wiring, current, goal) & plan.links().of(current);
            // A port that the tree uses already saves a copy.
            let taken = candidates & self.switches.get(&current).map_or(0, |known| known.down);
            let Some(port) = ports(if taken == 0 { candidates } else { taken }).next() else { return false };
            let port = wiring.port(current, PortId(port as u8));
            path.push((current, port));
            current = wiring.split(wiring.peer(port).expect("live links have two ends")).0;
            if path.len() > wiring.switch_count() {
                // Proven tables have no circle; those of a file may have any content.
                return false;
            }
        }
        let end = |port: PortIndex| wiring.split(wiring.peer(port).expect("it was followed")).0;
        // If two paths lead to a switch, the first is kept. From the last switch that is in the
        // tree, the rest is new.
        let first_new =
            path.iter().rposition(|&(_, port)| self.switches.contains_key(&end(port))).map_or(0, |current| current + 1);
        for &(from, port) in &path[first_new..] {
            let (next, up) = wiring.split(wiring.peer(port).expect("it was followed"));
            self.switches.get_mut(&from).expect("the path begins in the tree").down |= 1 << wiring.split(port).1.0;
            self.switches.insert(next, TreeSwitch { up, down: 0 });
        }
        true
    }

    /// The tree's part in each switch.
    pub fn switches(&self) -> impl Iterator<Item = (SwitchId, TreeSwitch)> + '_ {
        self.switches.iter().map(|(&switch, &part)| (switch, part))
    }

    /// Members to which no live path leads.
    #[must_use]
    pub fn unreached(&self) -> &[PortIndex] {
        &self.unreached
    }

    /// Whether every link of the tree works.
    #[must_use]
    pub fn is_live(&self, plan: &RoutePlan) -> bool {
        let wiring = plan.wiring();
        self.switches.iter().all(|(&switch, part)| {
            let links = (wiring.local(switch) | wiring.global(switch)) & part.down;
            links & !plan.links().of(switch) == 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::LinkChange;
    use crate::plan::Parameters;
    use crate::wiring::FabricWiring;
    use philae_topology::{DragonflyDescription, FatTreeDescription, SystemDescription, Topology};

    fn plan(description: impl Into<SystemDescription>) -> RoutePlan {
        let topology = Topology::build(&description.into()).expect("a legal system");
        RoutePlan::new(FabricWiring::of(&topology).expect("64 ports at most"), None, Parameters::default())
    }

    fn edges(plan: &RoutePlan) -> Vec<PortIndex> {
        let wiring = plan.wiring();
        let switches = (0..wiring.switch_count()).map(SwitchId::from_index);
        switches
            .flat_map(|switch| ports(wiring.edge(switch)).map(move |port| wiring.port(switch, PortId(port as u8))))
            .collect()
    }

    /// Follows the copies from the root: each member gets one, and each switch of the tree is
    /// entered once, by its port towards the root.
    fn check(plan: &RoutePlan, members: &[PortIndex]) -> usize {
        let wiring = plan.wiring();
        let tree = MulticastTree::new(plan, members);
        let parts: BTreeMap<SwitchId, TreeSwitch> = tree.switches().collect();
        let (top, up) = wiring.split(members[0]);
        assert_eq!(parts[&top].up, up);
        let mut got = BTreeSet::from([members[0]]);
        let mut seen = BTreeSet::from([top]);
        let mut todo = vec![top];
        while let Some(current) = todo.pop() {
            for port in ports(parts[&current].down) {
                let port = wiring.port(current, PortId(port as u8));
                let Some(peer) = wiring.peer(port) else {
                    assert!(got.insert(port), "one copy for each member");
                    continue;
                };
                assert!(plan.links().is_live(wiring, port), "no copy into a dead link");
                let (next, up) = wiring.split(peer);
                assert!(seen.insert(next), "each switch is entered once");
                assert_eq!(parts[&next].up, up, "up is the path back");
                todo.push(next);
            }
        }
        assert_eq!(seen.len(), parts.len(), "nothing of the tree lies apart");
        let unreached: BTreeSet<PortIndex> = tree.unreached().iter().copied().collect();
        let wanted: BTreeSet<PortIndex> = members.iter().copied().collect();
        assert_eq!(got, &wanted - &unreached);
        assert!(tree.is_live(plan));
        unreached.len()
    }

    #[test]
    fn every_member_gets_one_copy_whole_or_degraded() {
        for mut plan in [plan(DragonflyDescription::uniform(5, 4, 2, 2)), plan(FatTreeDescription::two_level(8, 4, 4))]
        {
            let edges = edges(&plan);
            for step in [1, 3, 7] {
                let members: Vec<PortIndex> = edges.iter().copied().step_by(step).collect();
                assert_eq!(check(&plan, &members), 0);
            }
            let dead: Vec<PortIndex> = plan.wiring().links().map(|(port, _)| port).step_by(4).collect();
            for port in dead {
                plan.update(&[LinkChange { port, up: false }]);
                check(&plan, &edges);
            }
        }
    }

    #[test]
    fn a_tree_reports_a_dead_link_and_a_new_one_avoids_it() {
        let mut plan = plan(DragonflyDescription::uniform(4, 4, 2, 2));
        let edges = edges(&plan);
        let tree = MulticastTree::new(&plan, &edges);
        let (id, part) = tree.switches().next().expect("it has switches");
        let port = ports(part.down & !plan.wiring().edge(id)).next().expect("the root's switch sends to others");
        let port = plan.wiring().port(id, PortId(port as u8));
        plan.update(&[LinkChange { port, up: false }]);
        assert!(!tree.is_live(&plan));
        assert_eq!(check(&plan, &edges), 0, "a dragonfly has ways around one link");
    }

    #[test]
    fn a_member_that_is_cut_off_is_named_and_the_others_are_served() {
        let mut plan = plan(DragonflyDescription::uniform(4, 4, 2, 2));
        let edges = edges(&plan);
        let lost = *edges.last().expect("it has endpoints");
        let switch = plan.wiring().split(lost).0;
        let joined: Vec<LinkChange> = ports(plan.links().of(switch))
            .map(|port| LinkChange { port: plan.wiring().port(switch, PortId(port as u8)), up: false })
            .collect();
        plan.update(&joined);
        let alone = edges.iter().filter(|port| plan.wiring().split(**port).0 == switch).count();
        assert_eq!(check(&plan, &edges), alone);
        assert_eq!(MulticastTree::new(&plan, &[]), MulticastTree::default());
    }
}
