//! The parts of a fabric before the check, and possible errors.

use crate::address::MacPrefix;
use crate::fabric::WiringKind;
use crate::jack::{JackError, Model};
use crate::placement::FloorPlanError;
use crate::xname::{Xname, XnameError};
use philae_topology::{AddressFormat, CableKind, NicAttachment, Port, PortPeer, PortRole, TopologyError};
use philae_units::{EndpointId, GroupId, PortIndex};
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchEntry {
    /// Its module: `xXcCrR`. A module holds one ASIC (a0) and one controller (b0).
    pub xname: Xname,
    pub group: GroupId,
    /// Its number in the group, as in its address.
    pub number: u16,
    /// Index of its model in [`crate::PlannedFabric::models`].
    pub model: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEntry {
    /// Its name: `xXcCsSbBnN`.
    pub xname: Xname,
    /// Whether jobs run on it.
    pub compute: bool,
}

/// Why a description is not a valid fabric.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InventoryError {
    /// An invalid xname, or one of the wrong kind.
    #[error(transparent)]
    Xname(#[from] XnameError),
    /// An error in a table of jacks.
    #[error(transparent)]
    Jack(#[from] JackError),
    /// The system cannot be placed in cabinets.
    #[error(transparent)]
    Placement(#[from] FloorPlanError),
    /// The system cannot be built.
    #[error("the system cannot be built: {0}")]
    Topology(#[from] TopologyError),
    /// The text does not have the expected form.
    #[error("not a {what} ({format}): {message}")]
    Parse {
        /// The expected content.
        what: &'static str,
        /// "JSON", "TOML", "CSV" or the name of a program's output.
        format: &'static str,
        /// The parser's message, with the line.
        message: String,
    },
    /// Two things have the same name.
    #[error("two {what} are called {name}; a name for each would work")]
    Twice {
        /// "switches", "nodes", "NICs".
        what: &'static str,
        name: String,
    },
    /// Any other contradiction.
    #[error("{place}: {found}; {works} would work")]
    Wrong {
        /// The switch, port, link or key.
        place: String,
        /// The value found.
        found: String,
        /// The values that would work.
        works: String,
    },
}

impl InventoryError {
    pub(crate) fn wrong(place: impl ToString, found: impl ToString, works: impl ToString) -> Self {
        Self::Wrong { place: place.to_string(), found: found.to_string(), works: works.to_string() }
    }
}

/// The parts of a [`crate::PlannedFabric`]. Switches are in order of group and number, NICs in
/// order of their node.
#[derive(Clone, Debug)]
pub(crate) struct InventoryParts {
    pub name: String,
    pub wiring: WiringKind,
    pub address_format: AddressFormat,
    pub mac_prefix: MacPrefix,
    pub radix: usize,
    /// The number of port a0l0 on the switch itself, if ports are numbered and not in jacks.
    pub first_port: Option<u8>,
    /// Width and speed of each kind of cable; empty, or one text for each.
    pub lanes: Vec<String>,
    pub models: Vec<Model>,
    pub switches: Vec<SwitchEntry>,
    /// By `switch * radix + port`.
    pub ports: Vec<Port>,
    pub cables: Vec<CableKind>,
    pub nodes: Vec<NodeEntry>,
    pub nics: Vec<NicAttachment>,
    /// Labels of switches; empty, or one for each.
    pub switch_labels: Vec<Box<str>>,
    /// Labels of nodes; empty, or one for each.
    pub node_labels: Vec<Box<str>>,
    /// Labels of NICs, at their ports, in order.
    pub nic_labels: Vec<(PortIndex, Box<str>)>,
    /// Names of cables, at the first port of each, in order.
    pub cable_names: Vec<(PortIndex, Box<str>)>,
}

/// The limit of groups, to catch typing errors: 16 bits.
const GROUPS_MAX: u32 = 1 << 16;

impl InventoryParts {
    /// Checks that every port has at most one peer which points back, that columns fit each other,
    /// and that they are sorted.
    pub fn check(&self) -> Result<(), InventoryError> {
        if !(1..=256).contains(&self.radix) || self.switches.is_empty() {
            let found = format!("{} switches of {} ports", self.switches.len(), self.radix);
            return Err(InventoryError::wrong(&self.name, found, "at least one switch, of 1 to 256 ports,"));
        }
        if self.ports.len() != self.switches.len() * self.radix {
            return Err(InventoryError::wrong(
                &self.name,
                "ports that are not the switches'",
                "one entry for each port",
            ));
        }
        for pair in self.switches.windows(2) {
            if (pair[0].group, pair[0].number) == (pair[1].group, pair[1].number) {
                let place = format!("{} and {}", pair[0].xname, pair[1].xname);
                let found = format!("both are switch {} of group {}", pair[0].number, pair[0].group);
                return Err(InventoryError::wrong(place, found, "a number for each"));
            }
            assert!((pair[0].group, pair[0].number) < (pair[1].group, pair[1].number), "switches are sorted");
        }
        for switch in &self.switches {
            let model = self.models.get(usize::from(switch.model)).ok_or_else(|| {
                InventoryError::wrong(
                    switch.xname,
                    format!("model {} of {}", switch.model, self.models.len()),
                    "a known model",
                )
            })?;
            if switch.group.0 >= GROUPS_MAX {
                let works = format!("0 to {}", GROUPS_MAX - 1);
                return Err(InventoryError::wrong(switch.xname, format!("group {}", switch.group), works));
            }
            debug_assert!(model.port_count() > 0);
        }
        for (index, port) in self.ports.iter().enumerate() {
            self.check_port(PortIndex(index as u32), *port)?;
        }
        for (index, pair) in self.nics.windows(2).enumerate() {
            let sorted = (pair[0].node, pair[0].nic) < (pair[1].node, pair[1].nic);
            if !sorted {
                let node = self.nodes.get(pair[1].node.index()).map(|node| node.xname.to_string());
                let name = format!("{}h{}", node.unwrap_or_else(|| format!("NIC {index}, ")), pair[1].nic);
                return Err(InventoryError::Twice { what: "NICs", name });
            }
        }
        for (index, nic) in self.nics.iter().enumerate() {
            let port = self.ports.get(nic.port.index()).map(|port| port.peer);
            if nic.node.index() >= self.nodes.len() || port != Some(PortPeer::Endpoint(EndpointId(index as u32))) {
                return Err(InventoryError::wrong(
                    format!("NIC {index}"),
                    "no edge port leads to it",
                    "one edge port for each NIC",
                ));
            }
        }
        Ok(())
    }

    fn check_port(&self, index: PortIndex, port: Port) -> Result<(), InventoryError> {
        let fits = match (port.role, port.peer) {
            (PortRole::Unused, PortPeer::None) => true,
            (PortRole::Edge, PortPeer::Endpoint(nic)) => {
                self.nics.get(nic.index()).is_some_and(|nic| nic.port == index)
            }
            (PortRole::Local | PortRole::Global, PortPeer::Port(other)) => {
                self.ports.get(other.index()).is_some_and(|back| {
                    other != index
                        && back.peer == PortPeer::Port(index)
                        && back.role == port.role
                        && back.cable == port.cable
                })
            }
            _ => false,
        };
        let (switch, number) = (index.index() / self.radix, index.index() % self.radix);
        let place = || format!("{}a0l{number}", self.switches[switch].xname);
        if !fits {
            let found = format!("a {} port whose peer does not point back", port.role.name());
            return Err(InventoryError::wrong(place(), found, "one cable with two ends that agree"));
        }
        if port.role == PortRole::Unused {
            return Ok(());
        }
        if usize::from(port.cable.0) >= self.cables.len() {
            let found = format!("cable kind {} of {}", port.cable.0, self.cables.len());
            return Err(InventoryError::wrong(place(), found, "a known kind of cable"));
        }
        let model = &self.models[usize::from(self.switches[switch].model)];
        if number >= model.port_count() {
            let found = format!("a cable at port {number} of model '{}'", model.name());
            return Err(InventoryError::wrong(place(), found, format!("ports 0 to {}", model.port_count() - 1)));
        }
        Ok(())
    }
}
