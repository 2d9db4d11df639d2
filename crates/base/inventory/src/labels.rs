//! Labels: the names of switches, nodes and NICs in other programs, such as host names,
//! descriptions and GUIDs.

use crate::fabric::PlannedFabric;
use crate::lookup::{LookupError, Thing};
use crate::parts::{InventoryError, InventoryParts};
use crate::xname::{Xname, quoted};
use philae_units::{EndpointId, NodeId, PortIndex, SwitchId};
use std::collections::BTreeMap;

/// Indices from labels to their owners.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// Switches by their labels, and by the system names in those.
    switches: BTreeMap<Box<str>, Vec<SwitchId>>,
    nodes: BTreeMap<Box<str>, NodeId>,
    /// NICs by their labels, given as their ports.
    nics: BTreeMap<Box<str>, Vec<PortIndex>>,
}

impl Labels {
    pub(crate) fn of(parts: &InventoryParts) -> Result<Self, InventoryError> {
        let mut labels = Self::default();
        let given = parts.switch_labels.iter().enumerate().filter(|(_, label)| !label.is_empty());
        for (switch, label) in given {
            let switch = SwitchId::from_index(switch);
            labels.switches.entry(label.clone()).or_default().push(switch);
            let short = system_name(label);
            if short != &**label {
                labels.switches.entry(short.into()).or_default().push(switch);
            }
        }
        for (node, label) in parts.node_labels.iter().enumerate().filter(|(_, label)| !label.is_empty()) {
            if labels.nodes.insert(label.clone(), NodeId::from_index(node)).is_some() {
                return Err(InventoryError::Twice { what: "nodes", name: quoted(label) });
            }
        }
        for (port, label) in &parts.nic_labels {
            labels.nics.entry(label.clone()).or_default().push(*port);
        }
        Ok(labels)
    }
}

/// The system name in a description, as one vendor's managed switches have it: `leaf01` in
/// `MF0;leaf01:MQM8700/U1`.
///
/// Source: descriptions that MLNX-OS writes, in public dumps. Status: published. Any other
/// description is itself the name.
fn system_name(label: &str) -> &str {
    let (Some(rest), true) = (label.strip_prefix("MF0;"), label.contains(':')) else { return label };
    let name = rest.rsplit_once(':').map_or(rest, |(name, _)| name);
    if name.is_empty() { label } else { name }
}

fn shown(name: Xname, label: Option<&str>) -> String {
    label.map_or_else(|| name.to_string(), |label| format!("{name} ({label})"))
}

impl PlannedFabric {
    /// The label of a switch in another program, such as a host name, a description or a GUID.
    #[must_use]
    pub fn switch_label(&self, switch: SwitchId) -> Option<&str> {
        let labels = &self.parts().switch_labels;
        labels.get(switch.index()).map(AsRef::as_ref).filter(|label: &&str| !label.is_empty())
    }

    /// The readable name of a switch: the system name in its label if no other switch has it,
    /// otherwise the label.
    #[must_use]
    pub fn switch_system(&self, switch: SwitchId) -> Option<&str> {
        let label = self.switch_label(switch)?;
        let short = system_name(label);
        let is_alone = self.labels().switches.get(short).is_some_and(|switches| switches.len() == 1);
        Some(if is_alone { short } else { label })
    }

    /// A switch in readable form: its controller's xname, and its name in other programs.
    #[must_use]
    pub fn switch_text(&self, switch: SwitchId) -> String {
        shown(self.bmc_xname(switch), self.switch_system(switch))
    }

    /// Where a cable is plugged in, in readable form: `x1000c0r1j16p1`, or `port 39 of leaf01`
    /// where switches number their ports.
    #[must_use]
    pub fn plug_text(&self, port: PortIndex) -> String {
        let Some(number) = self.port_number(port) else { return self.connector_port_xname(port).to_string() };
        let switch = self.switch_of(port);
        let name = self.switch_system(switch).map_or_else(|| self.bmc_xname(switch).to_string(), str::to_owned);
        format!("port {number} of {name}")
    }

    /// A port in readable form: `x1000c0r1a0l31 (j16p1)`, or `port 39 of leaf01 (x3000c0r1a0l38)`
    /// where switches number their ports.
    #[must_use]
    pub fn port_text(&self, port: PortIndex) -> String {
        let name = self.link_xname(port).to_string();
        if self.first_port().is_some() {
            return format!("{} ({name})", self.plug_text(port));
        }
        let (jack, switch) = (self.connector_port_xname(port).to_string(), self.switch_of(port));
        let of = self.switch_system(switch);
        let short = jack.strip_prefix(&self.switch_xname(switch).to_string()).filter(|_| jack != name);
        match (short, of) {
            (Some(short), Some(of)) => format!("{name} ({short} of {of})"),
            (Some(short), None) => format!("{name} ({short})"),
            (None, Some(of)) => format!("{name} (of {of})"),
            (None, None) => name,
        }
    }

    /// A NIC in readable form: its xname, and its label or otherwise that of its node.
    #[must_use]
    pub fn nic_text(&self, nic: EndpointId) -> String {
        let label = self.nic_label(nic).or_else(|| self.node_label(self.nics()[nic.index()].node));
        shown(self.nic_xname(nic), label)
    }

    /// A node in readable form: its xname, and its label.
    #[must_use]
    pub fn node_text(&self, node: NodeId) -> String {
        shown(self.node_xname(node), self.node_label(node))
    }

    /// Passes the label of a switch and the system name in it to `look`, until `look` returns true.
    pub fn look_at_switch(&self, switch: SwitchId, look: &mut dyn FnMut(&str) -> bool) -> bool {
        let Some(label) = self.switch_label(switch) else { return false };
        let short = system_name(label);
        look(label) || short != label && look(short)
    }

    /// Passes the labels of the NIC at a port and of its node to `look`, until `look` returns true.
    pub fn look_at_end(&self, port: PortIndex, look: &mut dyn FnMut(&str) -> bool) -> bool {
        let Some(nic) = self.nic_at(port) else { return false };
        let node = self.nics()[nic.index()].node;
        self.nic_label(nic).is_some_and(&mut *look) || self.node_label(node).is_some_and(look)
    }

    /// The label of a node in another program.
    #[must_use]
    pub fn node_label(&self, node: NodeId) -> Option<&str> {
        let labels = &self.parts().node_labels;
        labels.get(node.index()).map(AsRef::as_ref).filter(|label: &&str| !label.is_empty())
    }

    /// The label of a NIC in another program.
    #[must_use]
    pub fn nic_label(&self, nic: EndpointId) -> Option<&str> {
        let (labels, port) = (&self.parts().nic_labels, self.nics()[nic.index()].port);
        let at = labels.binary_search_by_key(&port, |(port, _)| *port).ok()?;
        Some(&labels[at].1)
    }

    #[must_use]
    pub fn node_by_label(&self, label: &str) -> Option<NodeId> {
        self.labels().nodes.get(label).copied()
    }

    /// Switches with a label, or with the name of a system in theirs.
    pub(crate) fn switches_labelled(&self, label: &str) -> Vec<SwitchId> {
        let mut found = self.labels().switches.get(label).cloned().unwrap_or_default();
        found.dedup();
        found
    }

    /// NICs with a label, or else those of the node with it.
    pub(crate) fn nics_labelled(&self, label: &str) -> Vec<EndpointId> {
        match (self.labels().nics.get(label), self.node_by_label(label)) {
            (Some(ports), _) => ports.iter().filter_map(|&port| self.nic_at(port)).collect(),
            (None, Some(node)) => self.nics_of(node).map(EndpointId).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Labels that are the xname of something else, in words: by such a name the other thing is
    /// meant, everywhere.
    #[must_use]
    pub fn misleading_labels(&self) -> Vec<String> {
        let labels = self.labels();
        let switches = labels.switches.iter().flat_map(|(label, all)| all.iter().map(move |one| (label, *one)));
        let switches = switches.map(|(label, one)| (&**label, "switch", self.switch_xname(one), Thing::Switch(one)));
        let nodes =
            labels.nodes.iter().map(|(label, one)| (&**label, "node", self.node_xname(*one), Thing::Node(*one)));
        let nics = labels.nics.iter().flat_map(|(label, ports)| ports.iter().map(move |port| (label, *port)));
        let nics = nics.filter_map(|(label, port)| self.nic_at(port).map(|nic| (label, nic)));
        let nics = nics.map(|(label, nic)| (&**label, "NIC", self.nic_xname(nic), Thing::Nic(nic)));
        let told = |(label, what, own, thing): (&str, &str, Xname, Thing)| {
            let other = label.parse::<Xname>().ok().and_then(|name| self.thing_by_xname(name))?;
            (other != thing).then(|| {
                format!(
                    "{what} {own} has the label '{label}', which is the xname of another part: the name selects that part"
                )
            })
        };
        switches.chain(nodes).chain(nics).filter_map(told).collect()
    }

    /// The switch with a label, or with the name of a system that only its label has; `None` where
    /// no switch has it.
    ///
    /// # Errors
    /// [`LookupError::Several`].
    pub fn switch_by_label(&self, label: &str) -> Result<Option<SwitchId>, LookupError> {
        match self.switches_labelled(label)[..] {
            [] => Ok(None),
            [switch] => Ok(Some(switch)),
            ref several => {
                let names = several.iter().map(|&switch| self.switch_xname(switch).to_string()).collect();
                Err(LookupError::Several { what: "switches", label: quoted(label), names })
            }
        }
    }

    /// The NIC with a label, or the only NIC of the node with the label; `None` if there is none.
    ///
    /// # Errors
    /// [`LookupError::Several`].
    pub fn nic_by_label(&self, label: &str) -> Result<Option<EndpointId>, LookupError> {
        let nics = self.nics_labelled(label);
        match nics[..] {
            [] => Ok(None),
            [nic] => Ok(Some(nic)),
            _ => {
                let names = nics.iter().map(|&nic| self.nic_xname(nic).to_string()).collect();
                Err(LookupError::Several { what: "NICs", label: quoted(label), names })
            }
        }
    }

    /// A label of a switch or a node, as an example in messages.
    pub(crate) fn some_label(&self, of_switches: bool) -> Option<&str> {
        if of_switches {
            return self.switches_by_xname().find_map(|switch| self.switch_system(switch));
        }
        self.nodes_by_xname().find_map(|node| self.node_label(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_named_in_what_managed_switches_say() {
        assert_eq!(system_name("MF0;leaf01:MQM8700/U1"), "leaf01");
        assert_eq!(system_name("MF0;dir1:SX6536/L01/U1"), "dir1");
        assert_eq!(system_name("Quantum Mellanox Technologies"), "Quantum Mellanox Technologies");
        assert_eq!(system_name("MF0;:X/U1"), "MF0;:X/U1");
        assert_eq!(system_name("leaf:1"), "leaf:1");
    }
}
