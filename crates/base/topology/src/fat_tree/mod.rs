//! The fat tree: leaves with the endpoints, spines above them and, with three levels, cores above
//! the spines of pods.

mod build;
mod description;
pub(crate) mod htsim;

pub use description::{FatTreeCores, FatTreeDescription};

use crate::PortRun;
use crate::radix::Radix;
use philae_units::{PortIndex, SwitchId};

/// The fat tree's structure for routing. All its links follow from a few numbers: a switch's ports
/// are computed, not looked up.
#[derive(Clone, Debug)]
pub struct FatTree {
    radix: Radix,
    /// By switch.
    places: Vec<Place>,
    levels: u8,
    /// First of a switch's ports that lead up, as its number on the switch, and how many there are;
    /// by level.
    up: [(u32, u32); 3],
    /// Links of each leaf and spine of a pod, and of each spine of a plane and core.
    leaf_links: u32,
    core_links: u32,
    description: FatTreeDescription,
}

/// The position of a switch.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// 0 for a leaf, 1 for a spine, 2 for a core.
    level: u8,
    /// The number of a leaf in its pod; 0 for others.
    leaf: u8,
    /// The pod of a leaf or a spine; for a core, one more than the last.
    pod: u16,
}

impl FatTree {
    /// Memory held, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
    }

    /// 0 for a leaf, 1 for a spine, 2 for a core.
    #[inline]
    #[must_use]
    pub fn level_of(&self, switch: SwitchId) -> u8 {
        self.places[switch.index()].level
    }

    /// Levels of switches: 2 or 3.
    #[must_use]
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// The ports of a switch that lead away from the endpoints; none at the top.
    #[inline]
    #[must_use]
    pub fn up_ports(&self, switch: SwitchId) -> PortRun {
        let (first, count) = self.up[usize::from(self.places[switch.index()].level)];
        self.ports(switch, first, count)
    }

    /// The ports of a switch that lead down to an edge port (at its leaf, the port itself); `None`
    /// if it is not below.
    #[inline]
    #[must_use]
    pub fn down_ports(&self, switch: SwitchId, target: PortIndex) -> Option<PortRun> {
        let leaf = SwitchId(self.radix.switch_of(target.0));
        let (here, there) = (self.places[switch.index()], self.places[leaf.index()]);
        match here.level {
            0 => (leaf == switch).then(|| PortRun::new(target, 1)),
            1 => (here.pod == there.pod)
                .then(|| self.ports(switch, u32::from(there.leaf) * self.leaf_links, self.leaf_links)),
            _ => Some(self.ports(switch, u32::from(there.pod) * self.core_links, self.core_links)),
        }
    }

    /// Ports of a switch, starting at a number.
    #[inline]
    const fn ports(&self, switch: SwitchId, first: u32, count: u32) -> PortRun {
        PortRun::new(PortIndex(switch.0 * self.radix.ports() + first), count)
    }

    /// Whether an edge port is below a switch.
    #[inline]
    #[must_use]
    pub fn is_below(&self, switch: SwitchId, target: PortIndex) -> bool {
        self.down_ports(switch, target).is_some()
    }

    /// The sizes of its description.
    #[must_use]
    pub const fn description(&self) -> &FatTreeDescription {
        &self.description
    }
}
