//! Freedom from deadlock: the channel dependency graph has no cycle (Dally and Seitz, 1987).
//!
//! A channel is a link in one direction and a leg. It depends on every channel for which a packet
//! that holds it may ask next. The proof first considers classes of channels (role, dimension and
//! leg): if these have no cycle, no wiring can have one. Only if they have, it searches the wiring
//! itself, and names the cycle that it finds.

use std::collections::BTreeMap;

use philae_topology::{PortPeer, PortRole, Topology, TopologyShape};
use philae_units::{PortIndex, SwitchId};

/// Development of the leg along a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegRule {
    /// The router's rule: it rises on entering a group and at an intermediate switch.
    Climb,
    /// Always zero: the rule with which tests break the law.
    Flat,
}

/// A cycle of channels that may wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("routes may deadlock: these channels can wait for each other in a cycle: {}", .channels.join(" -> "))]
pub struct CycleError {
    /// The channels of the cycle, each as "switch 3 port 17 leg 0".
    pub channels: Vec<String>,
}

/// Kind of the link that a channel uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dimension {
    Row,
    Column,
    Global,
    Up(u8),
    Down(u8),
    Any,
}

type Class = (Dimension, u8);

/// Proves that routes on this topology cannot deadlock.
///
/// # Errors
/// [`CycleError`], which names a cycle of channels if there is one.
pub fn prove(topology: &Topology, legs: u8, rule: LegRule) -> Result<(), CycleError> {
    if classes_have_cycle(topology, legs, rule) { search_wiring(topology, legs, rule) } else { Ok(()) }
}

/// The channels for which a packet may ask after one of class `held`, as classes.
fn successors(topology: &Topology, held: Class, legs: u8, rule: LegRule) -> Vec<Class> {
    let (dimension, leg) = held;
    let next = match rule {
        LegRule::Climb => leg + 1,
        LegRule::Flat => leg,
    };
    let climbs = next < legs;
    let mut after = Vec::new();
    match topology.shape() {
        TopologyShape::Dragonfly(_) => {
            match dimension {
                Dimension::Row => after.extend([(Dimension::Column, leg), (Dimension::Global, leg)]),
                Dimension::Column => after.push((Dimension::Global, leg)),
                _ => {}
            }
            if climbs {
                // From an intermediate switch, or into the next group.
                after.extend([(Dimension::Row, next), (Dimension::Column, next)]);
                if dimension == Dimension::Global {
                    after.push((Dimension::Global, next));
                }
            }
            after.retain(|&(dimension, leg)| dimension != Dimension::Global || leg + 1 < legs || rule == LegRule::Flat);
        }
        TopologyShape::FatTree(tree) => match dimension {
            Dimension::Up(level) => {
                after.push((Dimension::Down(level + 1), leg));
                if level + 2 < tree.levels() {
                    after.push((Dimension::Up(level + 1), leg));
                }
            }
            Dimension::Down(level) if level > 1 => after.push((Dimension::Down(level - 1), leg)),
            _ => {}
        },
        TopologyShape::Graph(_) => {
            if climbs {
                after.push((Dimension::Any, next));
            }
        }
    }
    after
}

/// Whether a packet that holds the channel `held` (port and leg) may ask for `next`.
#[cfg(test)]
pub(crate) fn may_follow(
    topology: &Topology,
    held: (PortIndex, u8),
    next: (PortIndex, u8),
    legs: u8,
    rule: LegRule,
) -> bool {
    let class = |(port, leg)| dimension_of(topology, port).map(|dimension| (dimension, leg));
    let (Some(held), Some(next)) = (class(held), class(next)) else { return false };
    successors(topology, held, legs, rule).contains(&next)
}

/// The class of the link that leaves `port`, without the leg.
fn dimension_of(topology: &Topology, port: PortIndex) -> Option<Dimension> {
    let PortPeer::Port(peer) = topology.port(port).peer else { return None };
    let (from, to) = (topology.switch_of(port), topology.switch_of(peer));
    Some(match topology.shape() {
        TopologyShape::Dragonfly(dragonfly) => {
            if topology.port(port).role == PortRole::Global {
                Dimension::Global
            } else if dragonfly.row_and_column(from).0 == dragonfly.row_and_column(to).0 {
                Dimension::Row
            } else {
                Dimension::Column
            }
        }
        TopologyShape::FatTree(tree) => {
            let (from, to) = (tree.level_of(from), tree.level_of(to));
            if to > from { Dimension::Up(from) } else { Dimension::Down(from) }
        }
        TopologyShape::Graph(_) => Dimension::Any,
    })
}

fn all_classes(topology: &Topology, legs: u8) -> Vec<Class> {
    let dimensions: &[Dimension] = match topology.shape() {
        TopologyShape::Dragonfly(_) => &[Dimension::Row, Dimension::Column, Dimension::Global],
        TopologyShape::FatTree(_) => &[Dimension::Up(0), Dimension::Up(1), Dimension::Down(1), Dimension::Down(2)],
        TopologyShape::Graph(_) => &[Dimension::Any],
    };
    (0..legs).flat_map(|leg| dimensions.iter().map(move |&dimension| (dimension, leg))).collect()
}

fn classes_have_cycle(topology: &Topology, legs: u8, rule: LegRule) -> bool {
    let classes = all_classes(topology, legs);
    let index: BTreeMap<Class, usize> = classes.iter().enumerate().map(|(index, &class)| (class, index)).collect();
    let after = |class: usize| {
        successors(topology, classes[class], legs, rule).iter().filter_map(|next| index.get(next).copied()).collect()
    };
    find_cycle(classes.len(), after).is_some()
}

/// Searches the channels of the wiring itself.
fn search_wiring(topology: &Topology, legs: u8, rule: LegRule) -> Result<(), CycleError> {
    let ports = topology.port_count();
    let after = |channel: usize| {
        let (port, leg) = (PortIndex((channel % ports) as u32), (channel / ports) as u8);
        let (Some(dimension), PortPeer::Port(peer)) = (dimension_of(topology, port), topology.port(port).peer) else {
            return Vec::new();
        };
        let classes = successors(topology, (dimension, leg), legs, rule);
        let switch = topology.switch_of(peer);
        let mut channels = Vec::new();
        for (next, _) in topology.ports_of(switch) {
            if next == peer {
                continue;
            }
            if let Some(dimension) = dimension_of(topology, next) {
                let reached = classes.iter().filter(|class| class.0 == dimension);
                channels.extend(reached.map(|class| usize::from(class.1) * ports + next.index()));
            }
        }
        channels
    };
    match find_cycle(ports * usize::from(legs), after) {
        None => Ok(()),
        Some(cycle) => {
            let name = |channel: &usize| {
                let port = PortIndex((channel % ports) as u32);
                let switch: SwitchId = topology.switch_of(port);
                format!("switch {switch} port {} leg {}", topology.port_of(port), channel / ports)
            };
            Err(CycleError { channels: cycle.iter().chain(cycle.first()).map(name).collect() })
        }
    }
}

/// A cycle of the graph over `0..nodes`, by depth-first search without recursion.
fn find_cycle(nodes: usize, after: impl Fn(usize) -> Vec<usize>) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Unseen,
        OnPath,
        Done,
    }
    let mut marks = vec![Mark::Unseen; nodes];
    for root in 0..nodes {
        if marks[root] != Mark::Unseen {
            continue;
        }
        marks[root] = Mark::OnPath;
        let mut path = vec![(root, after(root))];
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            match rest.pop() {
                None => {
                    marks[node] = Mark::Done;
                    path.pop();
                }
                Some(next) if marks[next] == Mark::OnPath => {
                    let start = path.iter().position(|(visited, _)| *visited == next).unwrap_or(0);
                    return Some(path[start..].iter().map(|(visited, _)| *visited).collect());
                }
                Some(next) if marks[next] == Mark::Unseen => {
                    marks[next] = Mark::OnPath;
                    let following = after(next);
                    path.push((next, following));
                }
                Some(_) => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, SystemDescription};

    fn build(description: impl Into<SystemDescription>) -> Topology {
        Topology::build(&description.into()).expect("a legal system")
    }

    #[test]
    fn built_in_shapes_are_proven() {
        let dragonfly = build(DragonflyDescription::uniform(5, 4, 2, 2));
        assert_eq!(prove(&dragonfly, 3, LegRule::Climb), Ok(()));
        let tree = build(FatTreeDescription::two_level(8, 4, 4));
        assert_eq!(prove(&tree, 1, LegRule::Climb), Ok(()));
    }

    #[test]
    fn a_dragonfly_without_legs_is_caught_and_the_cycle_named() {
        let dragonfly = build(DragonflyDescription::uniform(5, 4, 2, 2));
        let cycle = prove(&dragonfly, 3, LegRule::Flat).expect_err("flat legs deadlock");
        assert!(cycle.channels.len() > 2);
        assert_eq!(cycle.channels.first(), cycle.channels.last());
        assert!(cycle.to_string().contains("switch"), "{cycle}");
    }

    #[test]
    fn a_ring_with_one_leg_is_caught() {
        let ring = build(GraphDescription::regular(5, 1, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]));
        assert!(prove(&ring, 1, LegRule::Flat).is_err());
        assert_eq!(prove(&ring, 2, LegRule::Climb), Ok(()));
    }
}
