//! Components, and the distances between them.
//!
//! A component is the part of a group whose switches reach each other by the group's own links. A
//! whole group is one component with the group's number. A switch without any working link is in no
//! component of its own and does not divide its group.
//!
//! If a group has come apart, the largest part (of those with edge ports, if there are any) keeps
//! the group's number, and the others get numbers after the groups'. Only global links lead from
//! one component to another, so that paths between components are paths in a small graph.

use philae_units::{GroupId, SwitchId};

use crate::links::{LiveLinks, ports};
use crate::wiring::FabricWiring;

/// No path.
pub const UNREACHED: u8 = u8::MAX;

/// The components of a fabric, and the graph of live global links between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// (S): component of each switch.
    of: Vec<u32>,
    /// Switches of each component after the groups' own, ascending.
    extra: Vec<Vec<u32>>,
    groups: usize,
    words: usize,
    /// (C x words): components joined by a live link, as bits.
    joined: Vec<u64>,
}

/// The switches of a group by the parts that they form, largest with edge ports first. Switches
/// without any working link are in no part.
pub fn parts(wiring: &FabricWiring, links: &LiveLinks, group: GroupId) -> Vec<Vec<u32>> {
    let switches = wiring.switches_of(group);
    let first = switches.start as usize;
    let mut seen = vec![false; switches.len()];
    let mut parts = Vec::new();
    for start in switches.clone() {
        if std::mem::replace(&mut seen[start as usize - first], true) || links.of(SwitchId(start)) == 0 {
            continue;
        }
        let mut part = vec![start];
        let mut next = 0;
        while next < part.len() {
            let switch = part[next] as usize;
            next += 1;
            for port in ports(links.local(wiring, switch)) {
                let neighbour = wiring.neighbour(switch, port);
                if !std::mem::replace(&mut seen[neighbour - first], true) {
                    part.push(neighbour as u32);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    let has_edge = |part: &Vec<u32>| part.iter().any(|&switch| wiring.edge(SwitchId(switch)) != 0);
    parts.sort_by_key(|part| (!has_edge(part), usize::MAX - part.len(), part[0]));
    parts
}

impl Components {
    /// The components that the live links leave.
    pub fn of(wiring: &FabricWiring, links: &LiveLinks) -> Self {
        let groups = wiring.group_count();
        let mut of: Vec<u32> =
            (0..wiring.switch_count()).map(|switch| wiring.group_of(SwitchId(switch as u32)).0).collect();
        let mut extra: Vec<Vec<u32>> = Vec::new();
        if wiring.is_grouped() {
            for group in (0..groups).map(GroupId::from_index) {
                for part in parts(wiring, links, group).into_iter().skip(1) {
                    for &switch in &part {
                        of[switch as usize] = (groups + extra.len()) as u32;
                    }
                    extra.push(part);
                }
            }
        }
        let count = groups + extra.len();
        let words = count.div_ceil(64);
        let mut components = Self { of, extra, groups, words, joined: vec![0; count * words] };
        for switch in 0..wiring.switch_count() {
            for port in ports(links.global(wiring, switch)) {
                components.set(
                    components.component(switch),
                    components.component(wiring.neighbour(switch, port)),
                    true,
                );
            }
        }
        components
    }

    /// The component of a switch.
    #[inline]
    pub fn component(&self, switch: usize) -> usize {
        self.of[switch] as usize
    }

    /// Number of components.
    pub fn count(&self) -> usize {
        self.groups + self.extra.len()
    }

    /// Switches of the components after the groups' own.
    pub fn extra(&self) -> &[Vec<u32>] {
        &self.extra
    }

    /// Whether every group is whole.
    pub fn are_groups(&self) -> bool {
        self.extra.is_empty()
    }

    /// Whether a live link joins two components.
    #[inline]
    pub fn are_joined(&self, one: usize, other: usize) -> bool {
        self.joined[one * self.words + other / 64] >> (other % 64) & 1 == 1
    }

    /// The components joined to one.
    pub fn joined(&self, component: usize) -> impl Iterator<Item = usize> + '_ {
        let row = &self.joined[component * self.words..(component + 1) * self.words];
        row.iter().enumerate().flat_map(|(word, &bits)| ports(bits).map(move |bit| word * 64 + bit as usize))
    }

    fn set(&mut self, one: usize, other: usize, joined: bool) {
        let bit = 1 << (other % 64);
        let word = &mut self.joined[one * self.words + other / 64];
        *word = if joined { *word | bit } else { *word & !bit };
    }

    /// Joins two components, or separates them.
    pub fn join(&mut self, one: usize, other: usize, joined: bool) {
        self.set(one, other, joined);
        self.set(other, one, joined);
    }

    /// Writes the global hops from every component to `target` to `distance` (C).
    pub fn distances_to(&self, target: usize, distance: &mut [u8]) {
        distance.fill(UNREACHED);
        distance[target] = 0;
        let mut missing = vec![u64::MAX; self.words];
        let beyond = self.words * 64 - self.count();
        if beyond > 0 {
            missing[self.words - 1] >>= beyond;
        }
        missing[target / 64] &= !(1 << (target % 64));
        let mut frontier = vec![target];
        let mut hops = 0;
        while !frontier.is_empty() && hops < UNREACHED - 1 && missing.iter().any(|&word| word != 0) {
            hops += 1;
            let mut reached = Vec::new();
            for &component in &frontier {
                let row = &self.joined[component * self.words..(component + 1) * self.words];
                let mut left = 0;
                for (word, (missing, &bits)) in missing.iter_mut().zip(row).enumerate() {
                    for bit in ports(*missing & bits) {
                        let next = word * 64 + bit as usize;
                        distance[next] = hops;
                        reached.push(next);
                    }
                    *missing &= !bits;
                    left |= *missing;
                }
                if left == 0 {
                    break;
                }
            }
            frontier = reached;
        }
    }
}

/// Global hops between components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    components: usize,
    /// (T x C): for each component that is a destination, hops from each component.
    hops: Vec<u8>,
    /// (C): row of each destination in `hops`; components that are no destination have none.
    row: Vec<u32>,
}

impl Distances {
    /// Distances from every component to each of `targets`.
    pub fn of(components: &Components, targets: impl IntoIterator<Item = usize>) -> Self {
        let count = components.count();
        let mut row = vec![u32::MAX; count];
        let mut hops = Vec::new();
        for (position, target) in targets.into_iter().enumerate() {
            row[target] = position as u32;
            let start = hops.len();
            hops.resize(start + count, UNREACHED);
            components.distances_to(target, &mut hops[start..]);
        }
        Self { components: count, hops, row }
    }

    /// The most hops between two components that reach each other.
    pub fn most(&self) -> u8 {
        self.hops.iter().copied().filter(|&hops| hops != UNREACHED).max().unwrap_or(0)
    }

    /// Hops to a destination from every component.
    #[inline]
    pub fn to(&self, target: usize) -> &[u8] {
        let start = self.row[target] as usize * self.components;
        &self.hops[start..start + self.components]
    }

    /// The same, for writing.
    pub fn to_mut(&mut self, target: usize) -> &mut [u8] {
        let start = self.row[target] as usize * self.components;
        &mut self.hops[start..start + self.components]
    }
}
