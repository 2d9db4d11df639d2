//! A fat tree as described by a file.

use crate::CableDescription;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A fat tree of two levels or, with `cores`, of three.
///
/// Oversubscription is `endpoints_per_leaf / (spines * links_per_pair)`: 1 is full bandwidth. A leaf-spine cable that
/// carries two links is `links_per_pair = 2` with `uplink.links_per_cable = 2`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FatTreeDescription {
    /// Leaves; with three levels, of each pod.
    pub leaves: u32,
    /// Endpoints of each leaf.
    pub endpoints_per_leaf: u32,
    /// Spines; with three levels, of each pod.
    pub spines: u32,
    /// Links between each leaf and each spine (of its pod).
    #[serde(default = "one_link")]
    pub links_per_pair: u32,
    /// The third level; absent: two levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<FatTreeCores>,
    /// NICs of each node, on the same leaf one after the other.
    #[serde(default = "one")]
    pub nics_per_node: u8,
    /// Nodes of the system; absent: one for each place. If there are fewer, the last leaves stay empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Cables of the edge links.
    #[serde(default = "CableDescription::copper_200g")]
    pub edge: CableDescription,
    /// Cables between switches.
    #[serde(default = "CableDescription::optical_200g")]
    pub uplink: CableDescription,
    /// Cables between spines and cores; absent: as `uplink`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_link: Option<CableDescription>,
}

/// The third level of a fat tree: pods of leaves and spines, joined by cores.
///
/// Spine `s` of every pod is joined to the cores of plane `s`, and to no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FatTreeCores {
    /// Pods.
    pub pods: u32,
    /// Cores of each plane; there are as many planes as a pod has spines.
    pub per_plane: u32,
    /// Links between each spine and each core of its plane.
    #[serde(default = "one_link")]
    pub links_per_pair: u32,
}

fn one_link() -> u32 {
    1
}

fn one() -> u8 {
    1
}

impl FatTreeDescription {
    /// Two levels, one link between each leaf and each spine, one NIC a node, 200 Gb/s, copper of 2
    /// m at the edge and optical of 20 m above.
    #[must_use]
    pub const fn two_level(leaves: u32, endpoints_per_leaf: u32, spines: u32) -> Self {
        Self {
            leaves,
            endpoints_per_leaf,
            spines,
            links_per_pair: 1,
            cores: None,
            nics_per_node: 1,
            nodes: None,
            edge: CableDescription::copper_200g(),
            uplink: CableDescription::optical_200g(),
            core_link: None,
        }
    }

    /// Three levels: pods of `leaves` and `spines`, and `cores_per_plane` cores for each spine of a
    /// pod.
    #[must_use]
    pub const fn three_level(
        pods: u32,
        leaves: u32,
        endpoints_per_leaf: u32,
        spines: u32,
        cores_per_plane: u32,
    ) -> Self {
        let mut tree = Self::two_level(leaves, endpoints_per_leaf, spines);
        tree.cores = Some(FatTreeCores { pods, per_plane: cores_per_plane, links_per_pair: 1 });
        tree
    }
}
