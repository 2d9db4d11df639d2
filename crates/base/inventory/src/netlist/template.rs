//! Converts a netlist to a template.

use super::{DeviceKind, LinkWidth, Netlist, Plug, hosts, wrong};
use crate::fabric::WiringKind;
use crate::parts::InventoryError;
use crate::placement::{Cabinets, Placement};
use crate::template::{AddressSplit, EdgeItem, LinkItem, NodeItem, SwitchItem, Template};
use crate::xname::{Xname, XnameKind, quoted};
use philae_topology::{CableDescription, Medium};
use philae_units::LinkRate;
use std::collections::BTreeMap;

/// The rate of links without a stated rate.
///
/// Source: 64 ports of 200 Gb/s, De Sensi et al., SC'20, as for all files without rates. Status:
/// assumed.
pub(super) const USUAL_RATE: LinkRate = LinkRate::from_gbps(200);

/// Length of all cables, in metres.
///
/// Source: none. Status: assumed.
const LENGTH_M: f64 = 2.0;

/// The names of a netlist's parts in the fabric.
struct Names {
    /// Modules of switches, by device.
    modules: BTreeMap<usize, Xname>,
    /// Nodes, in order, with their labels.
    nodes: Vec<NodeItem>,
    /// NICs, by plug, with their labels.
    nics: BTreeMap<Plug, (Xname, Option<String>)>,
}

impl Template {
    /// Reads the output of `ibnetdiscover`, or a netlist of `ibsim`, as [`Netlist`] describes.
    ///
    /// # Errors
    /// [`InventoryError::Wrong`], with the line.
    pub fn from_netlist(text: &str, name: &str) -> Result<Self, InventoryError> {
        Netlist::parse(text)?.to_template(name)
    }
}

impl Netlist {
    /// The template of the fabric that the netlist describes.
    ///
    /// Devices whose names or descriptions are xnames keep them. Otherwise switches are placed in
    /// racks in the order of the text, and so are hosts: one node for each, with a NIC for each
    /// linked port of its adapters. Labels are the descriptions, or the names if two devices share
    /// a description. All devices form one group of any graph; addresses are split 14 and 6.
    ///
    /// # Errors
    /// [`InventoryError::Wrong`], with the line.
    pub fn to_template(&self, name: &str) -> Result<Template, InventoryError> {
        let labels = self.labels();
        let names = match self.xnames() {
            Some(xnames) => self.named(&xnames, &labels)?,
            None => self.placed(&labels)?,
        };
        let switches = || self.devices.iter().enumerate().filter(|(_, device)| device.is_switch());
        let mut template = Template {
            name: Some(name.to_owned()),
            wiring: Some(WiringKind::Graph),
            address_format: Some(AddressSplit::FatTree),
            first_port: Some(1),
            radix: Some(switches().map(|(_, device)| device.ports).max().unwrap_or(64)),
            ..Template::empty()
        };
        for (number, (at, _)) in switches().enumerate() {
            let xname = names.modules[&at];
            let label = Some(labels[at]).filter(|label| *label != xname.to_string()).map(str::to_owned);
            template.switches.push(SwitchItem { xname, group: 0, number: number as u16, model: None, label });
        }
        template.nodes = names.nodes;
        let mut cables: BTreeMap<(LinkRate, Option<LinkWidth>), u16> = BTreeMap::new();
        for (one, far) in self.each_link() {
            let rate = far.lanes.map_or(USUAL_RATE, LinkWidth::rate);
            let cable = *cables.entry((rate, far.lanes)).or_insert_with(|| {
                template.lanes.push(far.lanes.map_or_else(String::new, |lanes| lanes.to_string()));
                template.cables.push(CableDescription::new(Medium::Copper, LENGTH_M, rate.as_gbps_f64()));
                (template.cables.len() - 1) as u16
            });
            let port = |(at, port): Plug| -> Result<Xname, InventoryError> {
                Ok(names.modules[&at].child(XnameKind::SwitchAsic, 0)?.child(XnameKind::Link, port - 1)?)
            };
            let (switch, edge) = match (self.devices[one.0].is_switch(), self.devices[far.plug.0].is_switch()) {
                (true, true) => {
                    let (a, b) = (port(one)?, port(far.plug)?);
                    template.links.push(LinkItem { a, b, role: None, cable, id: None });
                    continue;
                }
                (true, false) => (one, far.plug),
                (false, true) => (far.plug, one),
                (false, false) => return Err(wrong(far.line, "two adapters joined", "a switch between them")),
            };
            let (port, (nic, label)) = (port(switch)?, names.nics[&edge].clone());
            template.edge_ports.push(EdgeItem { port, nic, cable, id: None, ethernet: false, label });
        }
        Ok(template)
    }

    /// An xname for each device, if the names or descriptions of all of them are xnames.
    fn xnames(&self) -> Option<Vec<Xname>> {
        let xname = |device: &super::Device, text: &str| {
            let name: Xname = text.parse().ok()?;
            let fits = match name.kind() {
                XnameKind::SwitchModule => device.is_switch(),
                XnameKind::Node => !device.is_switch(),
                XnameKind::Nic => !device.is_switch() && device.ports == 1,
                _ => false,
            };
            fits.then_some(name)
        };
        let names = |own: fn(&super::Device) -> &str| -> Option<Vec<Xname>> {
            self.devices.iter().map(|device| xname(device, own(device))).collect()
        };
        names(|device| &device.name).or_else(|| names(|device| &device.label))
    }

    fn named(&self, xnames: &[Xname], labels: &[&str]) -> Result<Names, InventoryError> {
        let mut names = Names { modules: BTreeMap::new(), nodes: Vec::new(), nics: BTreeMap::new() };
        let mut nodes = BTreeMap::new();
        for (at, (device, &xname)) in self.devices.iter().zip(xnames).enumerate() {
            if device.is_switch() {
                names.modules.insert(at, xname);
                continue;
            }
            let node = xname.ancestor(XnameKind::Node).unwrap_or(xname);
            let label = (xname.kind() == XnameKind::Node).then(|| labels[at]);
            let label = label.filter(|label| *label != node.to_string()).map(str::to_owned);
            let compute = device.kind != DeviceKind::Router;
            nodes.entry(node).or_insert(NodeItem { xname: node, was: None, compute, label });
            for (&plug, _) in self.links.range((at, 0)..=(at, u16::MAX)) {
                let nic = match xname.kind() {
                    XnameKind::Nic => xname,
                    _ => xname.child(XnameKind::Nic, plug.1 - 1)?,
                };
                let label =
                    Some(labels[at]).filter(|label| xname.kind() == XnameKind::Nic && *label != self.devices[at].name);
                names.nics.insert(plug, (nic, label.map(str::to_owned)));
            }
        }
        // Descriptions of adapters name their host.
        for host in hosts::hosts(&self.devices).0 {
            let node = host.adapters.first().and_then(|&at| xnames[at].ancestor(XnameKind::Node));
            if let (Some(name), Some(item)) = (host.name, node.and_then(|node| nodes.get_mut(&node)))
                && item.label.is_none()
            {
                item.label = Some(name);
            }
        }
        names.nodes = nodes.into_values().collect();
        Ok(names)
    }

    fn placed(&self, labels: &[&str]) -> Result<Names, InventoryError> {
        let (hosts, _) = hosts::hosts(&self.devices);
        let switches: Vec<usize> = (0..self.devices.len()).filter(|&at| self.devices[at].is_switch()).collect();
        let groups = vec![0; hosts.len()];
        let (modules, nodes) = Placement::of(Cabinets::Rack, 0).place_groups(&[switches.len() as u32], &groups)?;
        let mut names = Names {
            modules: switches.into_iter().zip(modules).collect(),
            nodes: Vec::with_capacity(nodes.len()),
            nics: BTreeMap::new(),
        };
        for (host, xname) in hosts.iter().zip(nodes) {
            let first = host.adapters[0];
            let label = host.name.clone().unwrap_or_else(|| labels[first].to_owned());
            let compute = host.adapters.iter().any(|&at| self.devices[at].kind != DeviceKind::Router);
            names.nodes.push(NodeItem { xname, was: None, compute, label: Some(label) });
            let mut number = 0;
            for &at in &host.adapters {
                for (&plug, far) in self.links.range((at, 0)..=(at, u16::MAX)) {
                    let nic = xname.child(XnameKind::Nic, number).map_err(|_| {
                        let name = quoted(labels[at]);
                        wrong(far.line, format!("more than 256 linked ports of the host of '{name}'"), "256 at most")
                    })?;
                    let label = match self.devices[at].ports {
                        1 => labels[at].to_owned(),
                        _ => format!("{} port {}", labels[at], plug.1),
                    };
                    names.nics.insert(plug, (nic, Some(label)));
                    number += 1;
                }
            }
        }
        Ok(names)
    }
}
