//! Writes a fabric as a netlist for `ibsim`.

use super::LinkWidth;
use super::hosts::host_and_device;
use crate::fabric::PlannedFabric;
use crate::xname::quoted;
use philae_topology::{CarriedLabels, PortPeer};
use philae_units::{EndpointId, NodeId, PortIndex, SwitchId, counted};
use std::collections::BTreeSet;
use std::fmt::Write;

impl PlannedFabric {
    /// The wiring as a netlist that `ibsim` reads, so that OpenSM can route it: switches by xname,
    /// and for each NIC an adapter of one port, by its xname. Comments have the labels, as
    /// `ibnetdiscover` writes descriptions, and width and speed: those of the file that the fabric
    /// came from, or else a combination that has exactly the link's rate.
    ///
    /// The description of a node's NIC is `HOST HCA-2`, as the system of a host writes it, if the
    /// node has several and they have no labels: a netlist has no nodes.
    #[must_use]
    pub fn to_netlist(&self) -> String {
        let NetlistLabels { switches, nics } = NetlistLabels::of(self);
        let mut out = format!("# {}, for ibsim\n", self.name().replace(['\n', '\r'], " "));
        for switch in (0..self.switch_count()).map(SwitchId::from_index) {
            // ibsim counts ports from 1 and supports up to 254.
            let label = described(switches.get(switch.index()));
            let _ = writeln!(out, "\nSwitch {} \"{}\"{label}", self.radix(), self.switch_xname(switch));
            for port in self.ports_of(switch).map(PortIndex) {
                let number = u16::from(self.number_of(port).0) + 1;
                match self.port(port).peer {
                    PortPeer::None => {}
                    PortPeer::Endpoint(nic) => {
                        let _ = writeln!(out, "[{number}] \"{}\"[1]{}", self.nic_xname(nic), self.lanes(port));
                    }
                    PortPeer::Port(far) => {
                        let far_switch = self.switch_xname(self.switch_of(far));
                        let far_number = u16::from(self.number_of(far).0) + 1;
                        let _ = writeln!(out, "[{number}] \"{far_switch}\"[{far_number}]{}", self.lanes(port));
                    }
                }
            }
        }
        for nic in (0..self.nic_count()).map(EndpointId::from_index) {
            let port = self.nics()[nic.index()].port;
            let number = u16::from(self.number_of(port).0) + 1;
            let switch = self.switch_xname(self.switch_of(port));
            let (name, label, lanes) = (self.nic_xname(nic), described(nics.get(nic.index())), self.lanes(port));
            let _ = writeln!(out, "\nHca 1 \"{name}\"{label}\n[1] \"{switch}\"[{number}]{lanes}");
        }
        out
    }

    /// What a netlist cannot hold of the fabric: characters of labels, nodes of several NICs whose
    /// labels are no host names, rates that no width and speed has, roles and groups.
    #[must_use]
    pub fn netlist_warnings(&self) -> Vec<String> {
        let NetlistLabels { switches, nics } = NetlistLabels::of(self);
        let mut warnings: Vec<String> =
            [switches, nics].iter().flat_map(|labels| labels.warnings("a netlist")).collect();
        let is_apart = |node: &NodeId| {
            let nics = self.nics_of(*node);
            nics.len() > 1
                && nics.clone().any(|nic| {
                    let host = host_and_device(&self.description(EndpointId(nic))).map(|(host, _)| host.to_owned());
                    host.is_none_or(|host| host != self.host(*node))
                })
        };
        let apart: Vec<NodeId> = (0..self.node_count()).map(NodeId::from_index).filter(is_apart).collect();
        if let Some(&first) = apart.first() {
            let (name, nodes) = (quoted(self.host(first).as_str()).to_string(), counted(apart.len(), "node"));
            warnings.push(format!(
                "{nodes} of several NICs, such as '{name}': a netlist has no nodes, and their descriptions name no host, so \
                 each NIC is a host of its own there"
            ));
        }
        let links = (0..self.port_count()).map(|port| PortIndex(port as u32));
        let odd: Vec<PortIndex> = links
            .filter(|port| match self.port(*port).peer {
                PortPeer::None => false,
                PortPeer::Endpoint(_) => self.lanes(*port).is_empty(),
                PortPeer::Port(far) => *port < far && self.lanes(*port).is_empty(),
            })
            .collect();
        if let Some(&first) = odd.first() {
            let (links, name) = (counted(odd.len(), "link"), self.connector_port_xname(first));
            warnings.push(format!(
                "the rate of {links}, such as that at {name}, is no width and speed of InfiniBand and left out"
            ));
        }
        warnings.extend(self.lost_roles());
        warnings
    }

    /// A sentence about roles of links and groups of switches, which a netlist does not have.
    fn lost_roles(&self) -> Option<String> {
        let global = self.links().global;
        let groups: BTreeSet<u32> = self.switches().iter().map(|switch| switch.group.0).collect();
        let roles = (global > 0).then(|| format!("the role of {}", counted(global as usize, "global link")));
        let groups = (groups.len() > 1).then(|| format!("the {} groups of switches", groups.len()));
        let lost: Vec<String> = roles.into_iter().chain(groups).collect();
        (!lost.is_empty()).then(|| {
            let lost = lost.join(" and ");
            format!("{lost} left out: a netlist has neither, and where it is read all links are local, in one group")
        })
    }

    /// The name by which a netlist knows a node.
    fn host(&self, node: NodeId) -> String {
        self.node_label(node).map_or_else(|| self.node_xname(node).to_string(), str::to_owned)
    }

    /// The description of a NIC.
    fn description(&self, nic: EndpointId) -> String {
        let node = self.nics()[nic.index()].node;
        let nics = self.nics_of(node);
        match (self.nic_label(nic), self.node_label(node)) {
            (Some(label), _) => label.to_owned(),
            (None, label) if nics.len() > 1 => {
                let described = format!("{} HCA-{}", self.host(node), nic.0 - nics.start + 1);
                let is_host = host_and_device(&described).is_some();
                if is_host { described } else { label.unwrap_or_default().to_owned() }
            }
            (None, label) => label.unwrap_or_default().to_owned(),
        }
    }

    /// Width and speed of a link, as a comment.
    fn lanes(&self, port: PortIndex) -> String {
        let of_rate =
            || self.cable(port).and_then(|cable| LinkWidth::of_rate(cable.rate)).map(|lanes| lanes.to_string());
        let lanes = self.lanes_of(port).map(str::to_owned).or_else(of_rate);
        lanes.map_or_else(String::new, |lanes| format!("  # {lanes}"))
    }
}

/// The labels of switches and NICs as a netlist has them.
struct NetlistLabels {
    switches: CarriedLabels,
    nics: CarriedLabels,
}

impl NetlistLabels {
    fn of(fabric: &PlannedFabric) -> Self {
        let switches = (0..fabric.switch_count()).map(SwitchId::from_index);
        let switches = switches.map(|switch| fabric.switch_label(switch).unwrap_or_default());
        let nics = (0..fabric.nic_count()).map(EndpointId::from_index);
        let nics: Vec<String> = nics.map(|nic| fabric.description(nic)).collect();
        Self {
            switches: CarriedLabels::new(switches, in_quotes),
            nics: CarriedLabels::new(nics.iter().map(String::as_str), in_quotes),
        }
    }
}

/// A label as it can stand in quotes on one line.
fn in_quotes(label: &str) -> String {
    label.replace(|letter: char| letter == '"' || letter.is_control(), " ").trim().to_owned()
}

/// A label as a comment behind a name, as `ibnetdiscover` writes a description.
fn described(label: Option<&str>) -> String {
    label.map_or_else(String::new, |label| format!("\t\t# \"{label}\""))
}
