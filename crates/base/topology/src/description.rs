//! A system as described by a file: its parts by name, and their wiring.

use crate::{
    DragonflyDescription, EthernetDescription, FatTreeDescription, GraphDescription, GraphLabels, TopologyError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A figure that no source gives, with the reason for the value taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    /// The key of the description that it concerns.
    pub key: String,
    /// The value taken, in words.
    pub value: String,
    /// The reason, and the evidence that would change it.
    pub why: String,
}

/// A whole system. `switch`, `nic` and `congestion` name parts that other crates know; this crate only carries them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SystemDescription {
    /// Short name, as typed on a command line.
    pub name: String,
    /// One sentence.
    #[serde(default)]
    pub summary: String,
    /// The switch: "rosetta", "rosetta-2", "aries", ...
    #[serde(default = "default_switch")]
    pub switch: String,
    /// The NIC: "connectx-5", "cassini-1", "cassini-2", "aries", ...
    #[serde(default = "default_nic")]
    pub nic: String,
    /// The congestion law: "slingshot", "aries", "none", ...
    #[serde(default = "default_congestion")]
    pub congestion: String,
    /// Ports of a switch, 1 to 256. No preset has more than 64: `hardware.switch` sets the figures of a larger switch.
    #[serde(default = "default_radix")]
    pub radix: usize,
    /// Sources of the figures.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Figures that no source gives.
    #[serde(default)]
    pub assumed: Vec<Assumed>,
    /// Contents of another tool's file that this description ignores, one sentence each; a run repeats them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What the file of another tool calls switches, nodes and NICs; not a part of the format.
    #[serde(skip)]
    pub labels: GraphLabels,
    /// The file that it was read from, for errors; not a part of the format.
    #[serde(skip)]
    pub file: Option<String>,
    /// The wiring, of a dragonfly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dragonfly: Option<DragonflyDescription>,
    /// The wiring, of a fat tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fat_tree: Option<FatTreeDescription>,
    /// The wiring, of any graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphDescription>,
    /// Third-party Ethernet endpoints at the edge, in addition to the wiring's own or instead of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ethernet: Vec<EthernetDescription>,
    /// Values of hardware and of the law that differ from their presets, as tables of a scenario's `[hardware]`; and
    /// `congestion`. This crate only carries them.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    #[schemars(skip)]
    pub hardware: toml::Table,
}

fn default_switch() -> String {
    "rosetta".to_owned()
}

fn default_nic() -> String {
    "cassini-1".to_owned()
}

fn default_congestion() -> String {
    "slingshot".to_owned()
}

fn default_radix() -> usize {
    PRESET_PORTS_MAX
}

/// The most ports of a switch that has a preset. Source: Rosetta, 64 ports (De Sensi et al., SC'20);
/// Rosetta-2 (Slingshot 400) and Quantum-2 have as many, Aries has 48. Status: published.
const PRESET_PORTS_MAX: usize = 64;

/// The one wiring table that a description has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WiringDescription<'a> {
    /// Groups of switches, every pair of groups joined.
    Dragonfly(&'a DragonflyDescription),
    /// Leaves, spines and perhaps cores.
    FatTree(&'a FatTreeDescription),
    /// Any graph.
    Graph(&'a GraphDescription),
}

impl SystemDescription {
    /// A Slingshot-11 system (64-port Rosetta, Cassini-1) without wiring.
    fn bare(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            summary: String::new(),
            switch: default_switch(),
            nic: default_nic(),
            congestion: default_congestion(),
            radix: default_radix(),
            sources: Vec::new(),
            assumed: Vec::new(),
            warnings: Vec::new(),
            labels: GraphLabels::default(),
            file: None,
            dragonfly: None,
            fat_tree: None,
            graph: None,
            ethernet: Vec::new(),
            hardware: toml::Table::new(),
        }
    }

    /// A warning, if its switches have more ports than any switch that has a preset, and a figure
    /// that grows with the ports is still the preset's. `sets`: whether a key of `hardware.switch`
    /// has a value of its own.
    #[must_use]
    pub fn wide_switches(&self, sets: impl Fn(&str) -> bool) -> Option<String> {
        let (radix, of_size) = (self.radix, ["latency_ns", "buffer_shared_bytes"]);
        let kept: Vec<String> =
            of_size.iter().filter(|key| !sets(key)).map(|key| format!("hardware.switch.{key}")).collect();
        let wide = || {
            format!(
                "its switches have {radix} ports and those of the presets {PRESET_PORTS_MAX} at most, but {} the \
                 preset's: a larger switch has its own figures",
                match kept.as_slice() {
                    [one] => format!("{one} is"),
                    all => format!("{} are", all.join(" and ")),
                }
            )
        };
        (radix > PRESET_PORTS_MAX && !kept.is_empty()).then(wide)
    }

    /// Its wiring.
    ///
    /// # Errors
    /// [`TopologyError::Wiring`] unless exactly one of the three tables is there.
    pub fn wiring(&self) -> Result<WiringDescription<'_>, TopologyError> {
        match (&self.dragonfly, &self.fat_tree, &self.graph) {
            (Some(dragonfly), None, None) => Ok(WiringDescription::Dragonfly(dragonfly)),
            (None, Some(fat_tree), None) => Ok(WiringDescription::FatTree(fat_tree)),
            (None, None, Some(graph)) => Ok(WiringDescription::Graph(graph)),
            (dragonfly, fat_tree, graph) => Err(TopologyError::Wiring {
                system: self.name.clone(),
                found: usize::from(dragonfly.is_some())
                    + usize::from(fat_tree.is_some())
                    + usize::from(graph.is_some()),
            }),
        }
    }
}

impl From<DragonflyDescription> for SystemDescription {
    fn from(wiring: DragonflyDescription) -> Self {
        Self { dragonfly: Some(wiring), ..Self::bare("dragonfly") }
    }
}

impl From<FatTreeDescription> for SystemDescription {
    fn from(wiring: FatTreeDescription) -> Self {
        Self { fat_tree: Some(wiring), ..Self::bare("fat-tree") }
    }
}

impl From<GraphDescription> for SystemDescription {
    fn from(wiring: GraphDescription) -> Self {
        Self { graph: Some(wiring), ..Self::bare("graph") }
    }
}
