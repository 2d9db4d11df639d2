//! The parts into which the live links divide a fabric.

use std::collections::BTreeMap;

use philae_units::SwitchId;

use crate::links::{LiveLinks, ports};
use crate::wiring::FabricWiring;

/// Which switches reach each other. [`crate::verify`] proves that tables have a path exactly if
/// these are in one part.
///
/// ```
/// use philae_route_tables::{LinkChange, LiveLinks, FabricParts, FabricWiring};
/// use philae_topology::{DragonflyDescription, Topology};
///
/// let topology = Topology::build(&DragonflyDescription::uniform(2, 4, 2, 1).into()).expect("fits 64 ports");
/// let wiring = FabricWiring::of(&topology).expect("64 ports at most");
/// let mut links = LiveLinks::all(&wiring);
/// assert!(FabricParts::of(&wiring, &links).is_whole());
/// for (port, far) in wiring.links() {
///     let between = wiring.group_of(wiring.split(port).0) != wiring.group_of(wiring.split(far).0);
///     links.set(&wiring, LinkChange { port, up: !between });
/// }
/// let count = FabricParts::of(&wiring, &links).count(&wiring, |_| false);
/// assert_eq!((count.parts.len(), count.switch_pairs, count.nic_pairs), (2, 4 * 4, 8 * 8));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FabricParts {
    /// (S): the part of each switch, named by the number of its first switch.
    of: Vec<u32>,
}

/// A part with NICs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FabricPart {
    /// Its first switch.
    pub first: SwitchId,
    /// Number of its switches with ports to NICs.
    pub switches: usize,
    /// Number of its ports to NICs.
    pub nics: usize,
}

/// Number of parts, and of pairs without a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartCount {
    /// Parts with NICs, most NICs first.
    pub parts: Vec<FabricPart>,
    /// Pairs of switches with ports to NICs, each counted once, between which there is no path.
    pub switch_pairs: u64,
    /// Pairs of ports to NICs, each counted once, between which there is no path.
    pub nic_pairs: u64,
}

impl FabricParts {
    /// The parts into which some live links divide a fabric.
    #[must_use]
    pub fn of(wiring: &FabricWiring, links: &LiveLinks) -> Self {
        let mut of = vec![u32::MAX; wiring.switch_count()];
        let mut stack = Vec::new();
        for start in 0..wiring.switch_count() {
            if of[start] != u32::MAX {
                continue;
            }
            of[start] = start as u32;
            stack.push(start);
            while let Some(switch) = stack.pop() {
                for port in ports(links.of(SwitchId(switch as u32))) {
                    let neighbour = wiring.neighbour(switch, port);
                    if of[neighbour] == u32::MAX {
                        of[neighbour] = start as u32;
                        stack.push(neighbour);
                    }
                }
            }
        }
        Self { of }
    }

    /// The part of a switch, named by its first switch.
    #[must_use]
    pub fn part_of(&self, switch: SwitchId) -> SwitchId {
        SwitchId(self.of[switch.index()])
    }

    /// Whether two switches reach each other.
    #[must_use]
    pub fn join(&self, one: SwitchId, other: SwitchId) -> bool {
        self.part_of(one) == self.part_of(other)
    }

    /// Whether all switches reach each other.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.of.iter().all(|&part| part == 0)
    }

    /// Counts parts with NICs and the pairs without a path, without the switches for which
    /// `is_left_out` is true.
    #[must_use]
    pub fn count(&self, wiring: &FabricWiring, is_left_out: impl Fn(SwitchId) -> bool) -> PartCount {
        let mut parts: BTreeMap<u32, FabricPart> = BTreeMap::new();
        for (switch, &part) in self.of.iter().enumerate() {
            let switch = SwitchId::from_index(switch);
            let nics = wiring.edge(switch).count_ones() as usize;
            if nics == 0 || is_left_out(switch) {
                continue;
            }
            let part = parts.entry(part).or_insert(FabricPart { first: switch, switches: 0, nics: 0 });
            part.switches += 1;
            part.nics += nics;
        }
        let mut parts: Vec<FabricPart> = parts.into_values().collect();
        parts.sort_by_key(|part| (std::cmp::Reverse(part.nics), part.first));
        let pairs = |of: &dyn Fn(&FabricPart) -> usize| {
            let all: u64 = parts.iter().map(|part| of(part) as u64).sum();
            (all * all - parts.iter().map(|part| (of(part) as u64).pow(2)).sum::<u64>()) / 2
        };
        PartCount { switch_pairs: pairs(&|part| part.switches), nic_pairs: pairs(&|part| part.nics), parts }
    }
}
