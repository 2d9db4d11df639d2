//! The fabric template: a file that states what is installed, its names, and the cabling.
//!
//! A template either lists everything, or names a system (built in, or described in place) with
//! rules for names, and lists the differences. docs/manager/fabric-template.md describes every key.
//! [`Template::build`] makes a [`PlannedFabric`] of it, and [`Template::explicit`] the long form of
//! any fabric.

use crate::address::MacPrefix;
use crate::build::Builder;
use crate::fabric::{PlannedFabric, WiringKind};
use crate::jack::{Model, ModelDescription, Models};
use crate::parts::InventoryError;
use crate::placement::Placement;
use crate::xname::{Xname, XnameKind};
use philae_topology::{
    AddressFormat, CableDescription, CableKind, PortPeer, PortRole, SystemDescription, Topology, systems,
};
use philae_units::{NodeId, PortIndex, SwitchId};
use serde::{Deserialize, Serialize};

/// The version of the format that this crate writes, and the only one that it reads.
///
/// Source: our own format. Status: derived; incremented with every change that older programs would
/// misread.
pub const TEMPLATE_VERSION: u32 = 1;

/// The split of an address's 20 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AddressSplit {
    /// 9 group, 5 switch, 6 port.
    Dragonfly,
    /// 14 switch, 6 port.
    FatTree,
}

impl From<AddressSplit> for AddressFormat {
    fn from(split: AddressSplit) -> Self {
        match split {
            AddressSplit::Dragonfly => Self::Dragonfly,
            AddressSplit::FatTree => Self::FatTree,
        }
    }
}

impl From<AddressFormat> for AddressSplit {
    fn from(format: AddressFormat) -> Self {
        match format {
            AddressFormat::Dragonfly => Self::Dragonfly,
            AddressFormat::FatTree => Self::FatTree,
        }
    }
}

/// A switch of the list. If the template names a system, another name or model for one of its
/// switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchItem {
    /// Its module: `xXcCrR`.
    pub xname: Xname,
    pub group: u32,
    /// Its number in the group.
    pub number: u16,
    /// Its model; the default is the template's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its label in other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A link between two switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkItem {
    /// One port: `xXcCrRa0lL` or `xXcCrRjJpP`.
    pub a: Xname,
    /// The other.
    pub b: Xname,
    /// `local` or `global`; the default is local within a group and global between groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<PortRoleName>,
    /// Index in the list of cables, from 0; the default is 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub cable: u16,
    /// Name of the physical cable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// The role of a link between switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PortRoleName {
    /// Within a group.
    Local,
    /// Between groups.
    Global,
}

impl From<PortRoleName> for PortRole {
    fn from(name: PortRoleName) -> Self {
        match name {
            PortRoleName::Local => Self::Local,
            PortRoleName::Global => Self::Global,
        }
    }
}

/// A NIC and its port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeItem {
    /// The port of the switch: `xXcCrRa0lL` or `xXcCrRjJpP`.
    pub port: Xname,
    /// The NIC: `xXcCsSbBnNhH`.
    pub nic: Xname,
    /// Index in the list of cables, from 0; the default is 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub cable: u16,
    /// Name of the physical cable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the NIC is third-party Ethernet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ethernet: bool,
    /// The label of the NIC in other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A node. Nodes of NICs exist without being listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeItem {
    /// Its name: `xXcCsSbBnN`.
    pub xname: Xname,
    /// The name by the rules, if a system is named and this node has another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Xname>,
    /// Whether jobs run on it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub compute: bool,
    /// Its label in other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_first(place: &u16) -> bool {
    *place == 0
}

const fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_yes(flag: &bool) -> bool {
    *flag
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_usual(prefix: &MacPrefix) -> bool {
    *prefix == MacPrefix::default()
}

/// A fabric template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// Version of the format: 1.
    pub fabric_template: u32,
    /// Name of the fabric; the default is that of the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A built-in system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// First byte of algorithmic MACs: "02" or "06".
    #[serde(default, skip_serializing_if = "is_usual")]
    pub mac_prefix: MacPrefix,
    /// The split of addresses; the default is that of the system, otherwise that of a dragonfly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address_format: Option<AddressSplit>,
    /// The kind of wiring; the default is that of the system, otherwise any graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wiring: Option<WiringKind>,
    /// Ports of a switch, without a system; the default is 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radix: Option<u16>,
    /// The number that switches themselves give to port a0l0, where they number their ports and
    /// have no jacks of two ports, as InfiniBand's do; by default ports are in jacks. 0 or 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_port: Option<u8>,
    /// Width and speed of each kind of cable, such as "4xHDR", in the order of `cables`; empty
    /// where a kind has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<String>,
    /// Model of switches that name none, without a system; the default is "generic".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Ports whose cable, or NICs, that the system has and this fabric does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<Xname>,
    /// Names for the system's parts; the default is the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// A system, described in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<SystemDescription>,
    /// Tables of jacks; each replaces one with the same name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jacks: Vec<ModelDescription>,
    /// Kinds of cable; the default is copper of 2 m, 200 Gb/s. With a system they follow the
    /// system's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cables: Vec<CableDescription>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<SwitchItem>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeItem>,
    /// Links between switches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkItem>,
    /// NICs and their ports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edge_ports: Vec<EdgeItem>,
}

impl Template {
    /// A template with the version only.
    #[must_use]
    pub(crate) const fn empty() -> Self {
        Self {
            fabric_template: TEMPLATE_VERSION,
            name: None,
            system: None,
            mac_prefix: MacPrefix::Two,
            address_format: None,
            wiring: None,
            radix: None,
            first_port: None,
            lanes: Vec::new(),
            model: None,
            absent: Vec::new(),
            placement: None,
            description: None,
            jacks: Vec::new(),
            cables: Vec::new(),
            switches: Vec::new(),
            nodes: Vec::new(),
            links: Vec::new(),
            edge_ports: Vec::new(),
        }
    }

    /// A template of a built-in system with the usual names.
    #[must_use]
    pub fn of_built_in(system: &str) -> Self {
        Self { system: Some(system.to_owned()), ..Self::empty() }
    }

    /// A template of a described system with the usual names; an unchanged built-in one is referred
    /// to by name.
    #[must_use]
    pub fn of_system(description: &SystemDescription) -> Self {
        let known = systems().iter().find(|known| known.name == description.name);
        let same =
            known.is_some_and(|known| SystemDescription::parse(known.text).is_ok_and(|read| read == *description));
        if same {
            return Self::of_built_in(&description.name);
        }
        Self { description: Some(description.clone()), ..Self::empty() }
    }

    /// A template that lists everything in a fabric.
    #[must_use]
    pub fn explicit(fabric: &PlannedFabric) -> Self {
        let model = fabric.models().first().map(|model| model.name().to_owned());
        let switches = (0..fabric.switch_count()).map(SwitchId::from_index).map(|id| {
            let switch = fabric.switch(id);
            SwitchItem {
                xname: switch.xname,
                group: switch.group.0,
                number: switch.number,
                model: (switch.model != 0).then(|| fabric.model(id).name().to_owned()),
                label: fabric.switch_label(id).map(ToOwned::to_owned),
            }
        });
        let nodes = (0..fabric.node_count()).map(NodeId::from_index).map(|id| NodeItem {
            xname: fabric.node_xname(id),
            was: None,
            compute: fabric.nodes()[id.index()].compute,
            label: fabric.node_label(id).map(ToOwned::to_owned),
        });
        let mut template = Self {
            name: Some(fabric.name().to_owned()),
            mac_prefix: fabric.mac_prefix(),
            address_format: Some(fabric.address_format().into()),
            wiring: Some(fabric.wiring()),
            radix: Some(fabric.radix() as u16),
            first_port: fabric.first_port(),
            lanes: fabric.lanes_of_cables().to_vec(),
            model,
            jacks: fabric.models().iter().map(Model::described).collect(),
            cables: fabric.cables().iter().map(described).collect(),
            switches: switches.collect(),
            nodes: nodes.collect(),
            ..Self::empty()
        };
        for (index, port) in fabric.ports().iter().enumerate() {
            let at = PortIndex(index as u32);
            let id = fabric.cable_name(at).map(ToOwned::to_owned);
            match port.peer {
                PortPeer::Port(other) if at < other => {
                    let group = |port| fabric.switch(fabric.switch_of(port)).group;
                    let usual = if group(at) == group(other) { PortRole::Local } else { PortRole::Global };
                    let named = if port.role == PortRole::Global { PortRoleName::Global } else { PortRoleName::Local };
                    template.links.push(LinkItem {
                        a: fabric.link_xname(at),
                        b: fabric.link_xname(other),
                        role: (port.role != usual).then_some(named),
                        cable: port.cable.0,
                        id,
                    });
                }
                PortPeer::Endpoint(nic) => template.edge_ports.push(EdgeItem {
                    port: fabric.link_xname(at),
                    nic: fabric.nic_xname(nic),
                    cable: port.cable.0,
                    id,
                    ethernet: fabric.nics()[nic.index()].kind == 1,
                    label: fabric.nic_label(nic).map(ToOwned::to_owned),
                }),
                PortPeer::Port(_) | PortPeer::None => {}
            }
        }
        template
    }

    /// Reads JSON if the text starts with `{`, otherwise TOML.
    ///
    /// # Errors
    /// [`InventoryError::Parse`], with the line and the valid keys.
    pub fn parse(text: &str) -> Result<Self, InventoryError> {
        let trimmed = text.trim_start_matches('\u{feff}').trim_start();
        let (format, read) = if trimmed.starts_with('{') {
            ("JSON", serde_json::from_str::<Self>(trimmed).map_err(|error| error.to_string()))
        } else {
            let text = text.trim_start_matches('\u{feff}');
            ("TOML", toml::from_str::<Self>(text).map_err(|error| error.to_string().trim_end().to_owned()))
        };
        let template = read.map_err(|message| {
            let message = philae_units::plain(&message);
            InventoryError::Parse { what: "fabric template", format, message }
        })?;
        if template.fabric_template != TEMPLATE_VERSION {
            let found = format!("version {}", template.fabric_template);
            return Err(InventoryError::wrong("fabric_template", found, TEMPLATE_VERSION));
        }
        Ok(template)
    }

    /// The template as indented JSON.
    ///
    /// # Panics
    /// Never: every part can be serialised.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self as &dyn erased_serde::Serialize).expect("plain data")
    }

    /// The template as JSON without white space, for large explicit templates.
    ///
    /// # Panics
    /// Never: every part can be serialised.
    #[must_use]
    pub fn to_compact_json(&self) -> String {
        serde_json::to_string(self as &dyn erased_serde::Serialize).expect("plain data")
    }

    /// The template as TOML.
    ///
    /// # Panics
    /// Never: every part can be serialised.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self as &dyn erased_serde::Serialize).expect("plain data")
    }

    /// The system that it names; `None` if it lists everything.
    ///
    /// # Errors
    /// [`InventoryError::Wrong`]: a name that is not built in, or two systems.
    pub fn system(&self) -> Result<Option<SystemDescription>, InventoryError> {
        match (&self.system, &self.description) {
            (None, None) => Ok(None),
            (None, Some(description)) => Ok(Some(description.clone())),
            (Some(_), Some(_)) => {
                Err(InventoryError::wrong("system", "both a built-in system and a description", "one of them"))
            }
            (Some(name), None) => {
                let known = systems().iter().find(|system| system.name == name);
                let known = known.ok_or_else(|| {
                    let names = systems().iter().map(|system| system.name).collect::<Vec<_>>().join(", ");
                    InventoryError::wrong("system", format!("'{}'", crate::xname::quoted(name)), names)
                })?;
                SystemDescription::parse(known.text)
                    .map(Some)
                    .map_err(|error| InventoryError::wrong("system", error, "another system"))
            }
        }
    }

    /// Builds the fabric; `models` are the tables of jacks that it may name.
    ///
    /// # Errors
    /// [`InventoryError`], with the contradicting parts.
    pub fn build(&self, models: &Models) -> Result<PlannedFabric, InventoryError> {
        let mut models = models.clone();
        for jacks in &self.jacks {
            models.take(jacks.build()?);
        }
        let Some(description) = self.system()? else { return Builder::listed(self, &models)?.finish(self) };
        let given = [
            ("wiring", self.wiring.is_some()),
            ("radix", self.radix.is_some()),
            ("first_port", self.first_port.is_some()),
            ("lanes", !self.lanes.is_empty()),
        ];
        for (key, given) in given {
            if given {
                return Err(InventoryError::wrong(key, "given next to a system, which has it", format!("no {key}")));
            }
        }
        let topology = Topology::build(&description)?;
        let mut placement = self.placement.clone().unwrap_or_else(|| Placement::usual(&topology));
        if let Some(model) = &self.model {
            placement.model.clone_from(model);
        }
        let mut builder = Builder::of_system(self, &topology, &placement, &models)?;
        builder.label(&description.labels);
        builder.finish(self)
    }
}

/// A cable in the form of a file.
fn described(kind: &CableKind) -> CableDescription {
    CableDescription {
        links_per_cable: kind.links_per_cable,
        ..CableDescription::new(kind.medium, f64::from(kind.length_mm) / 1e3, kind.rate.as_gbps_f64())
    }
}

/// Checks that a name is of a kind that the key allows.
pub(crate) fn of_kind(key: &str, name: Xname, kinds: &[XnameKind]) -> Result<(), InventoryError> {
    if kinds.contains(&name.kind()) {
        return Ok(());
    }
    let works = kinds.iter().map(|kind| format!("a {} ({})", kind.name(), kind.letters())).collect::<Vec<_>>();
    Err(InventoryError::wrong(format!("{key} {name}"), format!("a {}", name.kind().name()), works.join(" or ")))
}
