//! A dragonfly as described by a file: kinds of group, links per pair, cables, port numbers.

use crate::CableDescription;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A dragonfly: groups of switches, every pair of groups joined by at least one link.
///
/// Groups, switches and nodes are numbered in the order of `groups`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragonflyDescription {
    /// The kinds of group; each has its own sizes.
    pub groups: Vec<GroupKind>,
    /// Global links between each pair of groups, unless `global_links` has the pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links_per_pair: Option<u32>,
    /// Global links between pairs of groups of two kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub global_links: Vec<GlobalLinks>,
    /// Which switch of a group has which of its global links.
    #[serde(default, skip_serializing_if = "GlobalWiring::is_round_robin")]
    pub wiring: GlobalWiring,
    /// With `round-robin` wiring, the order of the links.
    #[serde(default)]
    pub arrangement: Arrangement,
    /// With `listed` wiring, every global link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed_links: Vec<ListedLink>,
    /// Numbers of the ports of each role; absent: edge from 0, then local, then global, without gaps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_ranges: Option<PortRanges>,
    /// Cables of the edge links.
    #[serde(default = "CableDescription::copper_200g")]
    pub edge: CableDescription,
    /// Cables of the local links; in a grid, of its rows.
    #[serde(default = "CableDescription::copper_200g")]
    pub local: CableDescription,
    /// Cables of a grid's columns; absent: as the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_column: Option<CableDescription>,
    /// Cables of the global links.
    #[serde(default = "CableDescription::optical_200g")]
    pub global: CableDescription,
}

/// Groups of equal size and purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupKind {
    /// Name of the kind: "compute", "storage", ...
    pub name: String,
    /// Groups of this kind.
    pub count: u32,
    /// Switches of each group.
    pub switches: u32,
    /// Edge ports of each switch.
    pub endpoints_per_switch: u32,
    /// NICs of each node.
    #[serde(default = "one")]
    pub nics_per_node: u8,
    /// Where the NICs of a node are attached.
    #[serde(default)]
    pub nic_spread: NicSpread,
    /// Nodes of all groups of this kind together; absent: one for each place.
    ///
    /// If there are fewer, `fill` distributes them to the groups; within a group the last places stay empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Distribution of nodes to groups, if they do not fill all places.
    #[serde(default)]
    pub fill: Fill,
    /// Whether jobs run here.
    #[serde(default)]
    pub purpose: Purpose,
    /// How the switches of a group are joined.
    #[serde(default)]
    pub local: LocalWiring,
    /// Highest rate of the ports of these switches, in Gb/s: a link between two switches, or to a NIC, runs at the lesser
    /// rate of its ends. Absent: that of the cables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch_rate_gbps: Option<f64>,
    /// Highest rate of the NICs of these nodes, in Gb/s. Absent: that of the cables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nic_rate_gbps: Option<f64>,
}

fn one() -> u8 {
    1
}

/// Whether jobs run on a group's nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Jobs run here.
    #[default]
    Compute,
    /// Storage, management, gateways: serves jobs, runs none.
    Service,
}

/// Where the NICs of a node are attached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NicSpread {
    /// Each on another switch: nodes fill blocks of as many neighbouring switches as a node has NICs.
    #[default]
    DifferentSwitches,
    /// All on one switch.
    SameSwitch,
}

/// Distribution of nodes to the groups of their kind, if they do not fill all places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// Evenly: counts differ by at most one, the first groups have the larger.
    #[default]
    Even,
    /// Group by group: only the last ones have empty places.
    InOrder,
}

/// How the switches of a group are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "wiring", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LocalWiring {
    /// Each with each other.
    FullMesh {
        /// Links between each pair.
        #[serde(default = "one_link")]
        parallel: u32,
    },
    /// Rows and columns, each with each other in the same row and in the same column. Switch `row * columns + column`.
    /// Aries: 16 columns (a chassis is a row: rank-1), 6 rows (rank-2), 1 link in a row and 3 in a column.
    Grid {
        /// Switches of a row.
        columns: u32,
        /// Switches of a column.
        rows: u32,
        /// Links between each pair of a row (rank-1).
        row_links: u32,
        /// Links between each pair of a column (rank-2).
        column_links: u32,
    },
}

fn one_link() -> u32 {
    1
}

impl Default for LocalWiring {
    fn default() -> Self {
        Self::FullMesh { parallel: 1 }
    }
}

/// Global links between pairs of groups of two kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GlobalLinks {
    /// The two kinds; the same one twice for pairs of that kind.
    pub between: [String; 2],
    /// Links between each pair of groups.
    pub per_pair: u32,
}

/// Which switch of a group has which of its global links.
///
/// Except with `round-robin` and `listed`, each switch in turn takes as many links as it has global ports, in the order
/// that the value names. If a pair of groups has several links, the order begins again with the second link of each pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GlobalWiring {
    /// One link to each switch in turn, in the order of `arrangement`.
    #[default]
    RoundRobin,
    /// Blocks of links, to group 0, 1, 2, ... (Hastings et al., CLUSTER 2015).
    Absolute,
    /// Another name of `absolute` (Camarero et al., TACO 2014).
    Consecutive,
    /// Blocks of links, to the next group, the one after it, ..., around the ring of groups (Hastings et al.).
    Relative,
    /// Blocks of links, to the group before, the one before that, ...: `relative` in a mirror (Camarero et al.).
    Palmtree,
    /// Blocks of links, to the next group, the one before, the second next, the second before, ... (Hastings et al.).
    Circulant,
    /// As `listed_links` says.
    Listed,
}

impl GlobalWiring {
    /// The word that files use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Absolute => "absolute",
            Self::Consecutive => "consecutive",
            Self::Relative => "relative",
            Self::Palmtree => "palmtree",
            Self::Circulant => "circulant",
            Self::Listed => "listed",
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_round_robin(&self) -> bool {
        *self == Self::RoundRobin
    }

    /// The group to which the link number `step` of a block order leads, of `groups`; `None` if there
    /// is no such order.
    pub(super) const fn peer(self, from: usize, step: usize, groups: usize) -> Option<usize> {
        match self {
            Self::RoundRobin | Self::Listed => None,
            Self::Absolute | Self::Consecutive => Some(if step < from { step } else { step + 1 }),
            Self::Relative => Some((from + 1 + step) % groups),
            Self::Palmtree => Some((from + groups - 1 - step) % groups),
            Self::Circulant => {
                let distance = step / 2 + 1;
                Some(if step.is_multiple_of(2) { from + distance } else { from + groups - distance } % groups)
            }
        }
    }
}

/// A global link of a dragonfly whose links are listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListedLink {
    /// The two groups.
    pub between: [u32; 2],
    /// The switch of each, counted within its group.
    pub switches: [u32; 2],
    /// The port of each, counted within its switch; absent: the lowest that is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ports: Option<[u8; 2]>,
}

/// Order in which a group distributes its global links to its switches, one at a time in turn.
///
/// The links of a pair follow each other, so they are on different switches (up to the number of switches), and counts
/// per switch differ by at most one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrangement {
    /// To group 0, 1, 2, ...
    #[default]
    Absolute,
    /// To the next group, the one after it, ..., around the ring of groups.
    Relative,
}

/// Numbers of the ports of each role, each `[first, last]`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PortRanges {
    /// Of edge ports.
    pub edge: [u8; 2],
    /// Of local ports.
    pub local: [u8; 2],
    /// Of global ports.
    pub global: [u8; 2],
}

impl DragonflyDescription {
    /// Equal groups, fully joined inside, one NIC a node, 200 Gb/s everywhere, copper of 2 m and
    /// optical of 20 m.
    #[must_use]
    pub fn uniform(groups: u32, switches: u32, endpoints_per_switch: u32, links_per_pair: u32) -> Self {
        Self {
            groups: vec![GroupKind::uniform(groups, switches, endpoints_per_switch)],
            links_per_pair: Some(links_per_pair),
            global_links: Vec::new(),
            wiring: GlobalWiring::default(),
            arrangement: Arrangement::default(),
            listed_links: Vec::new(),
            port_ranges: None,
            edge: CableDescription::copper_200g(),
            local: CableDescription::copper_200g(),
            local_column: None,
            global: CableDescription::optical_200g(),
        }
    }
}

impl GroupKind {
    /// Compute groups, fully joined inside, one NIC a node, every place filled.
    #[must_use]
    pub fn uniform(count: u32, switches: u32, endpoints_per_switch: u32) -> Self {
        Self {
            name: "compute".to_owned(),
            count,
            switches,
            endpoints_per_switch,
            nics_per_node: 1,
            nic_spread: NicSpread::default(),
            nodes: None,
            fill: Fill::default(),
            purpose: Purpose::default(),
            local: LocalWiring::default(),
            switch_rate_gbps: None,
            nic_rate_gbps: None,
        }
    }
}
