//! The networks of the comparison: switches, NICs and cables of the second generation.

use philae_scenario::System;
use philae_topology::{CableDescription, DragonflyDescription, FatTreeDescription, SystemDescription};

use crate::runner::StudyError;

/// Rate of every link, in Gb/s. Source: Slingshot 400 paper, section III. Status: published.
const RATE_GBPS: f64 = 400.0;

/// A network that all columns share.
#[derive(Clone, Debug)]
pub struct Network {
    /// Its name in tables.
    pub name: &'static str,
    /// Its wiring in words.
    pub about: &'static str,
    pub system: System,
    /// Endpoints of a group, or of a leaf: the distance of a group shift.
    pub group: u32,
    /// Links between switches that fail in the load of failures.
    pub fragile: Vec<String>,
}

impl Network {
    /// A network of these parts at 400 Gb/s.
    fn build(
        (name, about): (&'static str, &'static str),
        wiring: impl Into<SystemDescription>,
        group: u32,
        fragile: Vec<String>,
    ) -> Result<Self, StudyError> {
        let mut description: SystemDescription = wiring.into();
        name.clone_into(&mut description.name);
        "rosetta-2".clone_into(&mut description.switch);
        "cassini-2".clone_into(&mut description.nic);
        let fast = |cable: &mut CableDescription| cable.rate_gbps = RATE_GBPS;
        if let Some(dragonfly) = &mut description.dragonfly {
            [&mut dragonfly.edge, &mut dragonfly.local, &mut dragonfly.global].into_iter().for_each(fast);
        }
        if let Some(tree) = &mut description.fat_tree {
            [&mut tree.edge, &mut tree.uplink].into_iter().for_each(fast);
        }
        let system = System::build(description).map_err(Box::new)?;
        Ok(Self { name, about, system, group, fragile })
    }

    /// A dragonfly of groups that are fully joined inside.
    pub fn dragonfly(
        names: (&'static str, &'static str),
        (groups, switches, endpoints, links): (u32, u32, u32, u32),
        failing: u32,
    ) -> Result<Self, StudyError> {
        let wiring = DragonflyDescription::uniform(groups, switches, endpoints, links);
        let fragile = (0..failing).map(|pair| format!("groups:{}-{}", 2 * pair, 2 * pair + 1)).collect();
        Self::build(names, wiring, switches * endpoints, fragile)
    }

    /// A fat tree of two levels.
    pub fn fat_tree(
        names: (&'static str, &'static str),
        (leaves, endpoints, spines): (u32, u32, u32),
        failing: u32,
    ) -> Result<Self, StudyError> {
        let wiring = FatTreeDescription::two_level(leaves, endpoints, spines);
        let fragile = (0..failing).map(|leaf| format!("switches:{leaf}-{}", leaves + leaf % spines)).collect();
        Self::build(names, wiring, endpoints, fragile)
    }

    /// Its nodes; each has one NIC.
    pub fn nodes(&self) -> u32 {
        self.system.topology.node_count() as u32
    }
}

/// Links that fail in mid-run. Source: ours. Status: assumed.
const FAILING: u32 = 8;

/// All networks.
///
/// # Errors
/// If one cannot be built.
pub fn networks() -> Result<Vec<Network>, StudyError> {
    Ok(vec![
        Network::dragonfly(
            (
                "dragonfly-1056",
                "a balanced dragonfly: 33 groups of 8 switches with 4 endpoints, one link between each two groups",
            ),
            (33, 8, 4, 1),
            FAILING,
        )?,
        Network::dragonfly(
            (
                "tapered-1056",
                "a tapered dragonfly: 24 groups of 11 switches with 4 endpoints, one link between each two groups: 23 global \
                 links of a group for its 44 endpoints",
            ),
            (24, 11, 4, 1),
            FAILING,
        )?,
        Network::fat_tree(
            ("fat-tree-1024", "a fat tree of two levels: 32 leaves with 32 endpoints, 32 spines, no taper"),
            (32, 32, 32),
            FAILING,
        )?,
        Network::dragonfly(
            (
                "dragonfly-8448",
                "a balanced dragonfly: 66 groups of 16 switches with 8 endpoints, two links between each two groups",
            ),
            (66, 16, 8, 2),
            FAILING,
        )?,
    ])
}
