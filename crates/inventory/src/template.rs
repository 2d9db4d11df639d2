//! The fabric template: a file that says what is installed, what it is called and what is plugged into what.
//!
//! A template either lists everything, or names a system (built in, or described in place) with rules for names, and lists
//! what differs. docs/fabric-template.md describes every key. [`Template::build`] makes a [`Fabric`] of it, and
//! [`Template::explicit`] the long form of any fabric.

use crate::address::MacPrefix;
use crate::build::Builder;
use crate::fabric::{Fabric, Wiring};
use crate::jack::{Model, ModelDescription, Models};
use crate::parts::FabricError;
use crate::placement::Placement;
use crate::xname::{Xname, XnameKind};
use philae_topology::{
    AddressFormat, CableDescription, CableKind, Peer, PortRole, SystemDescription, Topology, systems,
};
use philae_units::{NodeId, PortIndex, SwitchId};
use serde::{Deserialize, Serialize};

/// The version of the format that this crate writes, and the only one that it reads.
///
/// Source: our own format. Status: derived, counted up with every change that older programs would misread.
pub const TEMPLATE_VERSION: u32 = 1;

/// How the 20 bits of an address are split.
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

/// A switch: of the list, or, where a system is named, another name or model for one of its switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchItem {
    /// Its module: `xXcCrR`.
    pub xname: Xname,
    /// Its group.
    pub group: u32,
    /// Its number in the group.
    pub number: u16,
    /// Its model; absent: the template's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What other programs call it.
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
    /// `local` or `global`; absent: local within a group, global between groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<PortRoleName>,
    /// Place in the list of cables, from 0; absent: 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub cable: u16,
    /// Name of the physical cable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// What a link between switches is for.
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
    /// Place in the list of cables, from 0; absent: 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub cable: u16,
    /// Name of the physical cable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the NIC is third-party Ethernet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ethernet: bool,
    /// What other programs call the NIC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A node. Those of NICs are there without being listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeItem {
    /// Its name: `xXcCsSbBnN`.
    pub xname: Xname,
    /// The name that the rules give it, where a system is named and this node has another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Xname>,
    /// Whether jobs run on it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub compute: bool,
    /// What other programs call it.
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
    /// Name of the fabric; absent: that of the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A built-in system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// First byte of algorithmic MACs: "02" or "06".
    #[serde(default, skip_serializing_if = "is_usual")]
    pub mac_prefix: MacPrefix,
    /// How addresses are split; absent: as the system says, otherwise as a dragonfly's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address_format: Option<AddressSplit>,
    /// What the wiring is; absent: as the system says, otherwise any graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wiring: Option<Wiring>,
    /// Ports of a switch, without a system; absent: 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radix: Option<u16>,
    /// Model of switches that name none, without a system; absent: "generic".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Ports without their cable, or NICs, that the system has and this fabric has not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<Xname>,
    /// Names for the system's parts; absent: the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// A system, described in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<SystemDescription>,
    /// Tables of jacks, in place of those with the same name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jacks: Vec<ModelDescription>,
    /// Kinds of cable; empty: copper of 2 m, 200 Gb/s. With a system they follow the system's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cables: Vec<CableDescription>,
    /// Switches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<SwitchItem>,
    /// Nodes.
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
    /// Nothing but the version.
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

    /// Of a built-in system, under the usual names.
    #[must_use]
    pub fn of_built_in(system: &str) -> Self {
        Self { system: Some(system.to_owned()), ..Self::empty() }
    }

    /// Of a described system, under the usual names; a built-in one that was not changed is only named.
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

    /// Everything that a fabric has, listed.
    #[must_use]
    pub fn explicit(fabric: &Fabric) -> Self {
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
                Peer::Port(other) if at < other => {
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
                Peer::Endpoint(nic) => template.edge_ports.push(EdgeItem {
                    port: fabric.link_xname(at),
                    nic: fabric.nic_xname(nic),
                    cable: port.cable.0,
                    id,
                    ethernet: fabric.nics()[nic.index()].kind == 1,
                    label: fabric.nic_label(nic).map(ToOwned::to_owned),
                }),
                Peer::Port(_) | Peer::None => {}
            }
        }
        template
    }

    /// Reads JSON where the text starts with `{`, otherwise TOML.
    ///
    /// # Errors
    /// [`FabricError::Parse`], with the line and the keys that would work.
    pub fn parse(text: &str) -> Result<Self, FabricError> {
        let trimmed = text.trim_start_matches('\u{feff}').trim_start();
        let (format, read) = if trimmed.starts_with('{') {
            ("JSON", serde_json::from_str::<Self>(trimmed).map_err(|error| error.to_string()))
        } else {
            let text = text.trim_start_matches('\u{feff}');
            ("TOML", toml::from_str::<Self>(text).map_err(|error| error.to_string().trim_end().to_owned()))
        };
        let template = read.map_err(|message| {
            let message = philae_units::plain(&message);
            FabricError::Parse { what: "fabric template", format, message }
        })?;
        if template.fabric_template != TEMPLATE_VERSION {
            let found = format!("version {}", template.fabric_template);
            return Err(FabricError::wrong("fabric_template", found, TEMPLATE_VERSION));
        }
        Ok(template)
    }

    /// As JSON, on lines.
    ///
    /// # Panics
    /// Never: every part can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data")
    }

    /// As JSON without white space: for large explicit templates.
    ///
    /// # Panics
    /// Never: every part can be written.
    #[must_use]
    pub fn to_compact_json(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    /// As TOML.
    ///
    /// # Panics
    /// Never: every part can be written.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("plain data")
    }

    /// The system that it names; `None` where it lists everything.
    ///
    /// # Errors
    /// [`FabricError::Wrong`]: a name that is not built in, or two systems.
    pub fn system(&self) -> Result<Option<SystemDescription>, FabricError> {
        match (&self.system, &self.description) {
            (None, None) => Ok(None),
            (None, Some(description)) => Ok(Some(description.clone())),
            (Some(_), Some(_)) => {
                Err(FabricError::wrong("system", "both a built-in system and a description", "one of them"))
            }
            (Some(name), None) => {
                let known = systems().iter().find(|system| system.name == name);
                let known = known.ok_or_else(|| {
                    let names = systems().iter().map(|system| system.name).collect::<Vec<_>>().join(", ");
                    FabricError::wrong("system", format!("'{}'", crate::xname::quoted(name)), names)
                })?;
                SystemDescription::parse(known.text)
                    .map(Some)
                    .map_err(|error| FabricError::wrong("system", error, "another system"))
            }
        }
    }

    /// The fabric; `models` are the tables of jacks that it may name.
    ///
    /// # Errors
    /// [`FabricError`], saying which part contradicts what.
    pub fn build(&self, models: &Models) -> Result<Fabric, FabricError> {
        let mut models = models.clone();
        for jacks in &self.jacks {
            models.take(jacks.build()?);
        }
        let Some(description) = self.system()? else { return Builder::listed(self, &models)?.finish(self) };
        for (key, given) in [("wiring", self.wiring.is_some()), ("radix", self.radix.is_some())] {
            if given {
                return Err(FabricError::wrong(key, "given beside a system, which says it", format!("no {key}")));
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

/// A cable as a file has it.
fn described(kind: &CableKind) -> CableDescription {
    CableDescription {
        links_per_cable: kind.links_per_cable,
        ..CableDescription::new(kind.medium, f64::from(kind.length_mm) / 1e3, kind.rate.as_gbps_f64())
    }
}

/// That a name is of the kind which a key asks for.
pub(crate) fn of_kind(key: &str, name: Xname, kinds: &[XnameKind]) -> Result<(), FabricError> {
    if kinds.contains(&name.kind()) {
        return Ok(());
    }
    let works = kinds.iter().map(|kind| format!("a {} ({})", kind.name(), kind.letters())).collect::<Vec<_>>();
    Err(FabricError::wrong(format!("{key} {name}"), format!("a {}", name.kind().name()), works.join(" or ")))
}
