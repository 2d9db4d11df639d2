//! Two texts of one grammar: what `ibnetdiscover` prints, and the netlist that `ibsim` reads.
//!
//! ```text
//! Switch  24 "S-005442ba00003080"    # "ISR9024" base port 0 lid 6 lmc 0
//! [22]    "H-00188b00003ab0"[1](188b00003ab1)    # "hca" lid 5 4xSDR
//! Ca      2 "H-00188b00003ab0"       # "MT23108"
//! [1](188b00003ab1)   "S-005442ba00003080"[22]   # lid 5 lmc 0
//! ```
//! Numbers of ports start at 1; ours are one less. `key=value` lines and comments say nothing that a fabric keeps. `Ca` and
//! `Hca` are nodes, routers (`Rt`) are not taken. Source: the manual pages of infiniband-diags and ibsim. Status: published.

use crate::fabric::{Fabric, Wiring};
use crate::parts::FabricError;
use crate::placement::{Cabinets, Placement};
use crate::template::{AddressSplit, EdgeItem, LinkItem, NodeItem, SwitchItem, Template};
use crate::xname::{Xname, XnameKind, quoted};
use philae_topology::Peer;
use philae_units::{EndpointId, PortIndex, SwitchId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A switch or an adapter of the text.
struct Device {
    name: String,
    is_switch: bool,
    ports: u16,
    label: String,
}

/// One end of a link: device, port from 1.
type Plug = (usize, u16);

struct Netlist {
    devices: Vec<Device>,
    /// Both directions, with the line that says so first.
    links: BTreeMap<Plug, (Plug, usize)>,
}

fn wrong(line: usize, found: impl ToString, works: impl ToString) -> FabricError {
    FabricError::wrong(format!("line {line} of the netlist"), found, works)
}

/// The text between the first two quotes, and what follows.
fn between_quotes(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = text.split_once('"')?;
    rest.split_once('"')
}

/// A number in brackets at the front, and what follows.
fn bracketed(text: &str) -> Option<(u16, &str)> {
    let (number, rest) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    Some((number.trim().parse().ok()?, rest))
}

/// What stands before a comment, and the comment; a `#` within quotes is none.
fn without_comment(line: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'#' if !quoted => return (&line[..at], &line[at + 1..]),
            _ => {}
        }
    }
    (line, "")
}

impl Netlist {
    fn parse(text: &str) -> Result<Self, FabricError> {
        let mut devices: Vec<Device> = Vec::new();
        let mut place: BTreeMap<String, usize> = BTreeMap::new();
        let mut plugs: Vec<(Plug, String, u16, usize)> = Vec::new();
        let mut current: Option<usize> = None;
        for (at, line) in text.lines().enumerate() {
            let number = at + 1;
            let (line, comment) = without_comment(line);
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            if line.starts_with('[') {
                let owner = current.ok_or_else(|| wrong(number, "a port before any device", "Switch or Ca first"))?;
                let works = "[port] \"device\"[port]";
                let (port, rest) = bracketed(line).ok_or_else(|| wrong(number, "a port without its number", works))?;
                let Some((far, rest)) = between_quotes(rest) else {
                    if rest.trim().is_empty() || rest.trim_start().starts_with('(') {
                        // ibsim takes ports that lead nowhere.
                        continue;
                    }
                    return Err(wrong(number, "a port without its neighbour", works));
                };
                let (far_port, _) =
                    bracketed(rest).ok_or_else(|| wrong(number, "a neighbour without its port", works))?;
                let most = devices[owner].ports;
                if port == 0 || port > most {
                    return Err(wrong(number, format!("port {port}"), format!("ports 1 to {most}")));
                }
                plugs.push(((owner, port), far.to_owned(), far_port, number));
                continue;
            }
            let word = line.split_whitespace().next().unwrap_or_default();
            let is_switch = match word.to_ascii_lowercase().as_str() {
                "switch" => true,
                "ca" | "hca" => false,
                other if other.contains('=') => continue,
                "module" | "include" | "do" => {
                    return Err(wrong(number, format!("'{word}'"), "a netlist without modules, includes and commands"));
                }
                _ => {
                    return Err(wrong(number, format!("'{}'", quoted(word)), "Switch, Ca, Hca, [port] or key=value"));
                }
            };
            let count = line[word.len()..].split_whitespace().next().and_then(|count| count.parse::<u16>().ok());
            let ports = count.filter(|count| (1..=255).contains(count));
            let ports = ports.ok_or_else(|| wrong(number, "no count of ports", "1 to 255 ports after the word"))?;
            let (name, _) =
                between_quotes(line).ok_or_else(|| wrong(number, "no name", "a name in quotes after the ports"))?;
            let label = between_quotes(comment).map_or("", |(label, _)| label).to_owned();
            if place.insert(name.to_owned(), devices.len()).is_some() {
                return Err(wrong(number, format!("a second '{}'", quoted(name)), "one device of each name"));
            }
            current = Some(devices.len());
            devices.push(Device { name: name.to_owned(), is_switch, ports, label });
        }
        let mut netlist = Self { devices, links: BTreeMap::new() };
        for (own, far, far_port, line) in plugs {
            let &far_at = place.get(&far).ok_or_else(|| {
                wrong(line, format!("a neighbour '{}' that is not listed", quoted(&far)), "a listed device")
            })?;
            let most = netlist.devices[far_at].ports;
            if far_port == 0 || far_port > most || own == (far_at, far_port) {
                let found = format!("port {far_port} of '{}'", quoted(&far));
                return Err(wrong(line, found, format!("ports 1 to {most}, and not itself")));
            }
            netlist.add(own, (far_at, far_port), line)?;
            netlist.add((far_at, far_port), own, line)?;
        }
        Ok(netlist)
    }

    fn add(&mut self, from: Plug, to: Plug, line: usize) -> Result<(), FabricError> {
        let (known, first) = *self.links.entry(from).or_insert((to, line));
        if known == to {
            return Ok(());
        }
        let told = |plug: Plug| format!("\"{}\"[{}]", quoted(&self.devices[plug.0].name), plug.1);
        let found = format!("{} leads to {}, and by line {first} to {}", told(from), told(to), told(known));
        Err(wrong(line, found, "one cable for each port"))
    }
}

impl Template {
    /// Reads what `ibnetdiscover` printed, or a netlist of `ibsim`.
    ///
    /// Devices that are called or described by xnames keep them. Otherwise switches are placed in racks in the order of the text, adapters
    /// are nodes of their own, and their descriptions (where two share one: their names) are labels. Everything is one group of any graph; addresses are split 14 and 6.
    ///
    /// # Errors
    /// [`FabricError::Wrong`], with the line.
    pub fn from_netlist(text: &str, name: &str) -> Result<Self, FabricError> {
        let netlist = Netlist::parse(text)?;
        let names = netlist.xnames()?;
        let switches = netlist.devices.iter().zip(&names).filter(|(device, _)| device.is_switch);
        let radix = switches.clone().map(|(device, _)| device.ports).max().unwrap_or(64);
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        netlist.devices.iter().for_each(|device| *count.entry(&device.label).or_default() += 1);
        let label = |device: &Device, xname: Xname| {
            let alone = !device.label.is_empty() && count.get(device.label.as_str()) == Some(&1);
            let told = if alone { &device.label } else { &device.name };
            (*told != xname.to_string()).then(|| told.clone())
        };
        let mut template = Self {
            name: Some(name.to_owned()),
            wiring: Some(Wiring::Graph),
            address_format: Some(AddressSplit::FatTree),
            radix: Some(radix),
            switches: switches
                .enumerate()
                .map(|(number, (device, &xname))| SwitchItem {
                    xname,
                    group: 0,
                    number: number as u16,
                    model: None,
                    label: label(device, xname),
                })
                .collect(),
            ..Self::empty()
        };
        let mut nodes = BTreeMap::new();
        for (device, &xname) in netlist.devices.iter().zip(&names).filter(|(device, _)| !device.is_switch) {
            let node = xname.ancestor(XnameKind::Node).unwrap_or(xname);
            let label = if xname.kind() == XnameKind::Node { label(device, xname) } else { None };
            nodes.entry(node).or_insert(NodeItem { xname: node, was: None, compute: true, label });
        }
        template.nodes = nodes.into_values().collect();
        for (&one, &(other, line)) in netlist.links.iter().filter(|(one, (other, _))| *one < other) {
            let end = |(device, port): Plug| -> Result<Xname, FabricError> {
                let name = names[device];
                let child = |of: Xname, kind, number: u16| Ok(of.child(kind, number)?);
                match name.kind() {
                    XnameKind::Nic => Ok(name),
                    XnameKind::Node => child(name, XnameKind::Nic, port - 1),
                    _ => child(child(name, XnameKind::SwitchAsic, 0)?, XnameKind::Link, port - 1),
                }
            };
            let (a, b) = (end(one)?, end(other)?);
            match (netlist.devices[one.0].is_switch, netlist.devices[other.0].is_switch) {
                (true, true) => template.links.push(LinkItem { a, b, role: None, cable: 0, id: None }),
                (true, false) => {
                    template.edge_ports.push(EdgeItem { port: a, nic: b, cable: 0, id: None, ethernet: false })
                }
                (false, true) => {
                    template.edge_ports.push(EdgeItem { port: b, nic: a, cable: 0, id: None, ethernet: false })
                }
                (false, false) => return Err(wrong(line, "two adapters joined", "a switch between them")),
            }
        }
        Ok(template)
    }
}

impl Netlist {
    /// A name for each device: its own, or its description, where all of them are xnames; otherwise by place.
    fn xnames(&self) -> Result<Vec<Xname>, FabricError> {
        let xname = |device: &Device, text: &str| {
            let name: Xname = text.parse().ok()?;
            let fits = match name.kind() {
                XnameKind::SwitchModule => device.is_switch,
                XnameKind::Node => !device.is_switch,
                XnameKind::Nic => !device.is_switch && device.ports == 1,
                _ => false,
            };
            fits.then_some(name)
        };
        let names = |own: fn(&Device) -> &str| -> Option<Vec<Xname>> {
            self.devices.iter().map(|device| xname(device, own(device))).collect()
        };
        if let Some(names) = names(|device| &device.name).or_else(|| names(|device| &device.label)) {
            return Ok(names);
        }
        let switches = self.devices.iter().filter(|device| device.is_switch).count();
        let nodes = vec![0; self.devices.len() - switches];
        let (switches, nodes) = Placement::of(Cabinets::Rack, 0).place_groups(&[switches as u32], &nodes)?;
        let (mut switches, mut nodes) = (switches.into_iter(), nodes.into_iter());
        let next = |device: &Device| if device.is_switch { switches.next() } else { nodes.next() };
        Ok(self.devices.iter().filter_map(next).collect())
    }
}

impl Fabric {
    /// The wiring as a netlist that `ibsim` reads, so that OpenSM can route it: switches by xname, an adapter of one port for
    /// each NIC, by its xname.
    #[must_use]
    pub fn to_netlist(&self) -> String {
        let mut out = format!("# {}, for ibsim\n", self.name().replace(['\n', '\r'], " "));
        for switch in (0..self.switch_count()).map(SwitchId::from_index) {
            // ibsim counts ports from 1, and has none beyond 254.
            let _ = writeln!(out, "\nSwitch {} \"{}\"", self.radix(), self.switch_xname(switch));
            for port in self.ports_of(switch).map(PortIndex) {
                let number = u16::from(self.number_of(port).0) + 1;
                match self.port(port).peer {
                    Peer::None => {}
                    Peer::Endpoint(nic) => {
                        let _ = writeln!(out, "[{number}] \"{}\"[1]", self.nic_xname(nic));
                    }
                    Peer::Port(far) => {
                        let far_switch = self.switch_xname(self.switch_of(far));
                        let far_number = u16::from(self.number_of(far).0) + 1;
                        let _ = writeln!(out, "[{number}] \"{far_switch}\"[{far_number}]");
                    }
                }
            }
        }
        for nic in (0..self.nic_count()).map(EndpointId::from_index) {
            let port = self.nics()[nic.index()].port;
            let number = u16::from(self.number_of(port).0) + 1;
            let switch = self.switch_xname(self.switch_of(port));
            let _ = writeln!(out, "\nHca 1 \"{}\"\n[1] \"{switch}\"[{number}]", self.nic_xname(nic));
        }
        out
    }
}
