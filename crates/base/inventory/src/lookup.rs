//! Look-up of things by name.

use crate::fabric::PlannedFabric;
use crate::xname::{Xname, XnameError, XnameKind, quoted};
use philae_units::{EndpointId, NodeId, PortId, PortIndex, SwitchId};
use thiserror::Error;

/// Why a name finds nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookupError {
    /// Not an xname.
    #[error(transparent)]
    Xname(#[from] XnameError),
    /// An xname of another kind.
    #[error("{name} is a {found}; the xname of a {wanted} would work")]
    Kind {
        name: Xname,
        /// The kind that it names.
        found: &'static str,
        /// The kind asked for.
        wanted: &'static str,
    },
    /// The fabric does not have it.
    #[error("{fabric} has no {what} {name}; {works} would work")]
    Missing {
        /// Name of the fabric.
        fabric: String,
        /// "port", "switch" and so on.
        what: &'static str,
        name: Xname,
        /// Names that would work.
        works: String,
    },
    /// Neither an xname nor a label of such a thing.
    #[error("{fabric} has no {what} '{label}': that is neither an xname nor a label there; {works}")]
    Unlabelled {
        /// Name of the fabric.
        fabric: String,
        /// "switch", "NIC" and so on.
        what: &'static str,
        /// The text asked for.
        label: String,
        /// Names that are near, or that would work.
        works: String,
    },
    /// Several things have this label.
    #[error("'{label}' is the label of {} {what}: {}; one of these would work", names.len(), first_of(names))]
    Several {
        /// "switches", "NICs".
        what: &'static str,
        label: String,
        /// Their xnames.
        names: Vec<String>,
    },
}

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Switch(SwitchId),
    /// A port of a switch.
    Port(PortIndex),
    Nic(EndpointId),
    Node(NodeId),
}

/// The first few of some names.
fn first_of(names: &[String]) -> String {
    let shown = names.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 4 { shown + ", ..." } else { shown }
}

impl PlannedFabric {
    /// A switch by the name of its module, controller (b0) or ASIC (a0).
    #[must_use]
    pub fn switch_by_xname(&self, name: Xname) -> Option<SwitchId> {
        let module = match name.kind() {
            XnameKind::SwitchModule => name,
            XnameKind::SwitchBmc if name.number('b') == Some(0) => name.parent()?,
            XnameKind::SwitchAsic if name.number('a') == Some(0) => name.parent()?,
            _ => return None,
        };
        let order = self.switch_order();
        let at = order.binary_search_by_key(&module, |&id| self.switch_xname(SwitchId(id))).ok()?;
        Some(SwitchId(order[at]))
    }

    /// A port by the ASIC's name (`xXcCrRa0lL`) or by its jack (`xXcCrRjJpP`).
    #[must_use]
    pub fn port_by_xname(&self, name: Xname) -> Option<PortIndex> {
        let (switch, number) = match name.kind() {
            XnameKind::Link => (self.switch_by_xname(name.parent()?)?, PortId(name.number('l')? as u8)),
            XnameKind::ConnectorPort => {
                let switch = self.switch_by_xname(name.ancestor(XnameKind::SwitchModule)?)?;
                let (jack, port) = (name.number('j')? as u8, name.number('p')? as u8);
                (switch, self.model(switch).port_of(jack, port)?)
            }
            _ => return None,
        };
        (number.index() < self.radix()).then(|| self.port_index(switch, number))
    }

    #[must_use]
    pub fn node_by_xname(&self, name: Xname) -> Option<NodeId> {
        let order = self.node_order();
        let at = order.binary_search_by_key(&name, |&id| self.node_xname(NodeId(id))).ok()?;
        Some(NodeId(order[at]))
    }

    #[must_use]
    pub fn nic_by_xname(&self, name: Xname) -> Option<EndpointId> {
        if name.kind() != XnameKind::Nic {
            return None;
        }
        let node = self.node_by_xname(name.parent()?)?;
        let number = name.number('h')?;
        self.nics_of(node).map(EndpointId).find(|nic| u16::from(self.nics()[nic.index()].nic) == number)
    }

    /// The switch, port, NIC or node of an xname.
    #[must_use]
    pub fn thing_by_xname(&self, name: Xname) -> Option<Thing> {
        match name.kind() {
            XnameKind::Node => self.node_by_xname(name).map(Thing::Node),
            XnameKind::Nic => self.nic_by_xname(name).map(Thing::Nic),
            XnameKind::Link | XnameKind::ConnectorPort => self.port_by_xname(name).map(Thing::Port),
            _ => self.switch_by_xname(name).map(Thing::Switch),
        }
    }

    /// The xname in a text, where this fabric has something of that name. It goes before a label of
    /// the same text, whatever is asked for.
    fn own_xname(&self, text: &str) -> Option<(Xname, Thing)> {
        let name: Xname = text.parse().ok()?;
        self.thing_by_xname(name).map(|thing| (name, thing))
    }

    /// The switch, port, NIC or node that a name in text means: by its xname, else by its label. A
    /// label of a node with one NIC means that NIC.
    ///
    /// # Errors
    /// [`LookupError`]; [`LookupError::Several`] where a label is that of several things.
    pub fn thing_by_name(&self, text: &str) -> Result<Thing, LookupError> {
        if let Some((_, thing)) = self.own_xname(text) {
            return Ok(thing);
        }
        if let Some(port) = self.port_numbered(text) {
            return port.map(Thing::Port);
        }
        let (switches, nics) = (self.switches_labelled(text), self.nics_labelled(text));
        let name = |thing: &Thing| match *thing {
            Thing::Switch(switch) => self.switch_xname(switch),
            Thing::Nic(nic) => self.nic_xname(nic),
            Thing::Port(port) => self.link_xname(port),
            Thing::Node(node) => self.node_xname(node),
        };
        let what = match (switches.is_empty(), nics.is_empty()) {
            (false, true) => "switches",
            (true, false) => "NICs",
            _ => "switches and NICs",
        };
        let found: Vec<Thing> =
            switches.into_iter().map(Thing::Switch).chain(nics.into_iter().map(Thing::Nic)).collect();
        match found[..] {
            [thing] => Ok(thing),
            [] => {
                let name = self.xname_or("switch, port or NIC", text)?;
                Err(self.missing(name))
            }
            _ => {
                let names = found.iter().map(|thing| name(thing).to_string()).collect();
                Err(LookupError::Several { what, label: quoted(text), names })
            }
        }
    }

    /// A port as texts name it where switches number their ports: `port 39 of leaf01`. `None` for
    /// any other text.
    fn port_numbered(&self, text: &str) -> Option<Result<PortIndex, LookupError>> {
        let first = self.first_port()?;
        let (number, of) = text.strip_prefix("port ")?.split_once(" of ")?;
        let number: u16 = number.parse().ok()?;
        Some(self.switch_by_name(of).and_then(|switch| {
            let index = number.checked_sub(first.into()).filter(|&index| usize::from(index) < self.radix());
            index.map(|index| self.port_index(switch, PortId(index as u8))).ok_or_else(|| LookupError::Unlabelled {
                fabric: quoted(self.name()),
                what: "port",
                label: quoted(text),
                works: format!("ports {first} to {} would work", self.radix() - 1 + usize::from(first)),
            })
        }))
    }

    /// An xname in text. For a text that is none the error names labels that are near, or else some
    /// name that would work; what begins as an xname gets the error of xnames.
    fn xname_or(&self, what: &'static str, text: &str) -> Result<Xname, LookupError> {
        text.parse().map_err(|error: XnameError| {
            let begins = |letters: &str| letters.bytes().next().is_some_and(|letter| letter.is_ascii_digit());
            if text.strip_prefix('x').is_some_and(begins) {
                return LookupError::Xname(error);
            }
            let (of_switches, of_nics) = match what {
                "switch" => (true, false),
                "NIC" | "node" => (false, true),
                "port" => (false, false),
                _ => (true, true),
            };
            let near = self.near(of_switches, of_nics, text);
            let label = [(of_switches, true), (of_nics, false)].into_iter().filter(|(asked, _)| *asked);
            let label = label.filter_map(|(_, of_switches)| self.some_label(of_switches)).next();
            let works = match (near.is_empty(), label) {
                (false, _) => format!("did you mean {}?", near.join(" or ")),
                (true, Some(label)) => format!("'{}', for one, would work", quoted(label)),
                (true, None) => format!("{}, for one, would work", self.some_xname(what)),
            };
            LookupError::Unlabelled { fabric: quoted(self.name()), what, label: quoted(text), works }
        })
    }

    /// An xname of this kind, as an example in messages.
    fn some_xname(&self, what: &str) -> String {
        let nic = (0..self.nic_count()).map(EndpointId::from_index).next().map(|nic| self.nic_xname(nic));
        let node = self.nodes_by_xname().next().map(|node| self.node_xname(node));
        let switch = self.switches_by_xname().next();
        let found = match what {
            "NIC" => nic,
            "node" => node,
            "port" => switch.and_then(|id| self.ports_of(id).next()).map(|port| self.link_xname(PortIndex(port))),
            _ => None,
        };
        let found = found.or_else(|| switch.map(|id| self.bmc_xname(id)));
        found.map_or_else(String::new, |name| name.to_string())
    }

    /// A switch by a name in text: its xname, its label, or the system name in it.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn switch_by_name(&self, text: &str) -> Result<SwitchId, LookupError> {
        match self.own_xname(text) {
            Some((_, Thing::Switch(switch))) => return Ok(switch),
            Some((name, _)) => return Err(LookupError::Kind { name, found: name.kind().name(), wanted: "switch" }),
            None => {}
        }
        if let Some(switch) = self.switch_by_label(text)? {
            return Ok(switch);
        }
        let name = self.xname_or("switch", text)?;
        match name.kind() {
            XnameKind::SwitchModule | XnameKind::SwitchBmc | XnameKind::SwitchAsic => {}
            other => return Err(LookupError::Kind { name, found: other.name(), wanted: "switch" }),
        }
        self.switch_by_xname(name).ok_or_else(|| self.missing(name))
    }

    /// A port by a name in text.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn port_by_name(&self, text: &str) -> Result<PortIndex, LookupError> {
        if let Some(port) = self.port_numbered(text) {
            return port;
        }
        let name = self.xname_or("port", text)?;
        if !matches!(name.kind(), XnameKind::Link | XnameKind::ConnectorPort) {
            let wanted = "port (xXcCrRa0lL or xXcCrRjJpP)";
            return Err(LookupError::Kind { name, found: name.kind().name(), wanted });
        }
        self.port_by_xname(name).ok_or_else(|| self.missing(name))
    }

    /// A NIC by a name in text: its xname, its label, or the label of a node that has no other NIC.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn nic_by_name(&self, text: &str) -> Result<EndpointId, LookupError> {
        let wanted = "NIC (xXcCsSbBnNhH)";
        match self.own_xname(text) {
            Some((_, Thing::Nic(nic))) => return Ok(nic),
            Some((name, _)) => return Err(LookupError::Kind { name, found: name.kind().name(), wanted }),
            None => {}
        }
        if let Some(nic) = self.nic_by_label(text)? {
            return Ok(nic);
        }
        let name = self.xname_or("NIC", text)?;
        if name.kind() != XnameKind::Nic {
            return Err(LookupError::Kind { name, found: name.kind().name(), wanted });
        }
        self.nic_by_xname(name).ok_or_else(|| self.missing(name))
    }

    /// A node by a name in text: its xname, else its label.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn node_by_name(&self, text: &str) -> Result<NodeId, LookupError> {
        let wanted = "node (xXcCsSbBnN)";
        match self.own_xname(text) {
            Some((_, Thing::Node(node))) => return Ok(node),
            Some((name, _)) => return Err(LookupError::Kind { name, found: name.kind().name(), wanted }),
            None => {}
        }
        if let Some(node) = self.node_by_label(text) {
            return Ok(node);
        }
        let name = self.xname_or("node", text)?;
        if name.kind() != XnameKind::Node {
            return Err(LookupError::Kind { name, found: name.kind().name(), wanted });
        }
        self.node_by_xname(name).ok_or_else(|| self.missing(name))
    }

    /// An xname that the fabric does not have, with names of the same kind that it has.
    fn missing(&self, name: Xname) -> LookupError {
        let first = self.switches_by_xname().next();
        let switch = first.map_or_else(String::new, |id| format!("{}, for one,", self.bmc_xname(id)));
        let nic = (0..self.nic_count()).map(EndpointId::from_index).next();
        let of_switch = name.ancestor(XnameKind::SwitchModule).and_then(|module| self.switch_by_xname(module));
        let (what, works) = match (name.kind(), of_switch) {
            (XnameKind::Link | XnameKind::ConnectorPort, Some(switch)) => {
                let model = self.model(switch);
                let (ports, jacks) = (model.port_count().min(self.radix()), model.port_count() / 2);
                let works = match self.first_port() {
                    Some(_) => format!("a0l0 to a0l{}", self.radix() - 1),
                    None => format!("a0l0 to a0l{}, or jacks j1 to j{jacks} with p0 and p1,", ports - 1),
                };
                ("port", works)
            }
            (XnameKind::Link | XnameKind::ConnectorPort, None) => {
                let port = first.and_then(|id| self.ports_of(id).next()).map(|port| self.link_xname(PortIndex(port)));
                ("port", port.map_or_else(String::new, |port| format!("{port}, for one,")))
            }
            (XnameKind::Nic, _) => {
                let works = nic.map(|nic| format!("{}, for one,", self.nic_xname(nic)));
                ("NIC", works.unwrap_or_else(|| "a fabric with NICs".to_owned()))
            }
            (XnameKind::Node, _) => {
                let works = self.nodes_by_xname().next().map(|node| format!("{}, for one,", self.node_xname(node)));
                ("node", works.unwrap_or_else(|| "a fabric with nodes".to_owned()))
            }
            (XnameKind::SwitchModule | XnameKind::SwitchBmc | XnameKind::SwitchAsic, _) => ("switch", switch),
            (other, _) => {
                return LookupError::Kind { name, found: other.name(), wanted: "switch, a port, a node or a NIC" };
            }
        };
        LookupError::Missing { fabric: quoted(self.name()), what, name, works }
    }

    /// Labels that differ little from a text, the nearest first.
    fn near(&self, of_switches: bool, of_nics: bool, text: &str) -> Vec<String> {
        let asked = text.to_lowercase();
        let switches = self.switches_by_xname().filter(|_| of_switches).filter_map(|id| self.switch_system(id));
        let nodes = self.nodes_by_xname().filter(|_| of_nics).filter_map(|node| self.node_label(node));
        let nics = (0..if of_nics { self.nic_count() } else { 0 }).map(EndpointId::from_index);
        let labels = switches.chain(nodes).chain(nics.filter_map(|nic| self.nic_label(nic)));
        let mut near: Vec<(usize, &str)> =
            labels.map(|label| (strsim::osa_distance(&asked, &label.to_lowercase()), label)).collect();
        near.retain(|(distance, _)| *distance <= (text.chars().count() / 3).max(1));
        near.sort_unstable();
        near.dedup();
        near.into_iter().take(NEAR).map(|(_, label)| format!("'{}'", quoted(label))).collect()
    }
}

/// Near names in a message.
const NEAR: usize = 3;
