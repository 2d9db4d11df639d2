//! A graph as described by a file.

use crate::{CableDescription, Medium, PortRole};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// Any graph of switches with endpoints: connected, or in `fabrics` separate parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphDescription {
    /// Switches, numbered from 0.
    pub switches: u32,
    /// Links between switches.
    pub links: Vec<GraphLink>,
    /// Endpoints, in order of their node.
    #[serde(default)]
    pub endpoints: Vec<GraphEndpoint>,
    /// Endpoints on every switch, after those of `endpoints`; each on its own node.
    #[serde(default, skip_serializing_if = "is_none")]
    pub endpoints_per_switch: u32,
    /// Cables of the edge links, unless an endpoint has its own.
    #[serde(default = "CableDescription::copper_200g")]
    pub edge: CableDescription,
    /// Cables between switches, unless a link has its own.
    #[serde(default = "CableDescription::optical_200g")]
    pub link: CableDescription,
    /// Fabrics that share no switch. Two of them exchange messages through gateways: nodes with a NIC in each.
    #[serde(default = "one_fabric", skip_serializing_if = "is_one_fabric")]
    pub fabrics: u32,
}

/// A link may be written as a list by mistake: the error says what a link looks like.
fn two_switches<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u32; 2], D::Error> {
    let works = "a link needs two switches by their numbers, such as { between = [0, 1] }";
    <[u32; 2]>::deserialize(deserializer).map_err(|_| D::Error::custom(works))
}

const fn one_fabric() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_one_fabric(fabrics: &u32) -> bool {
    *fabrics == 1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_none(count: &u32) -> bool {
    *count == 0
}

/// Another tool's names and groups of the parts of a graph. Each list is empty, or has an item for
/// each part; an empty text means no name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphLabels {
    /// Switches, by number.
    pub switches: Vec<String>,
    /// Nodes, by number; names are unique.
    pub nodes: Vec<String>,
    /// NICs, in order of the endpoints.
    pub nics: Vec<String>,
    /// The group of each switch, if there are several. Routing does not use them.
    pub groups: Vec<u32>,
}

impl GraphLabels {
    /// Whether no part has a name.
    #[must_use]
    pub const fn is_unnamed(&self) -> bool {
        self.switches.is_empty() && self.nodes.is_empty() && self.nics.is_empty()
    }
}

/// A link between two switches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphLink {
    /// The two switches.
    #[serde(deserialize_with = "two_switches")]
    pub between: [u32; 2],
    /// Port number at either end; absent: the lowest that no part of the file uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ports: Option<[u8; 2]>,
    /// Length in metres; absent: as `link`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_m: Option<f64>,
    /// Rate in Gb/s, one direction; absent: as `link`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_gbps: Option<f64>,
    /// Medium of the cable; absent: as `link`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub medium: Option<Medium>,
    /// Whether the link counts as a global one; it matters to reports only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub global: bool,
}

/// A NIC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphEndpoint {
    /// The switch it is attached to.
    pub switch: u32,
    /// Port number; absent: the lowest that no part of the file uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u8>,
    /// Its node; absent: a new node. Endpoints of a node follow each other, nodes are counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Rate in Gb/s, one direction; absent: as `edge`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_gbps: Option<f64>,
    /// Length in metres; absent: as `edge`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_m: Option<f64>,
    /// Medium of the cable; absent: as `edge`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub medium: Option<Medium>,
}

impl GraphLink {
    /// A link with all defaults.
    #[must_use]
    pub const fn new(one: u32, other: u32) -> Self {
        Self { between: [one, other], ports: None, length_m: None, rate_gbps: None, medium: None, global: false }
    }

    /// Its role.
    #[must_use]
    pub const fn role(&self) -> PortRole {
        if self.global { PortRole::Global } else { PortRole::Local }
    }
}

impl GraphEndpoint {
    /// An endpoint on a switch, a node of its own, with all other defaults.
    #[must_use]
    pub const fn on(switch: u32) -> Self {
        Self { switch, port: None, node: None, rate_gbps: None, length_m: None, medium: None }
    }
}

impl GraphDescription {
    /// `switches` joined by `links`, with `endpoints_per_switch` on each, 200 Gb/s everywhere.
    #[must_use]
    pub fn regular(switches: u32, endpoints_per_switch: u32, links: &[[u32; 2]]) -> Self {
        let on_each = |switch| (0..endpoints_per_switch).map(move |_| GraphEndpoint::on(switch));
        Self {
            switches,
            links: links.iter().map(|[one, other]| GraphLink::new(*one, *other)).collect(),
            endpoints: (0..switches).flat_map(on_each).collect(),
            endpoints_per_switch: 0,
            edge: CableDescription::copper_200g(),
            link: CableDescription::optical_200g(),
            fabrics: 1,
        }
    }
}
