//! From a name to the thing.

use crate::fabric::Fabric;
use crate::xname::{Xname, XnameError, XnameKind, quoted};
use philae_units::{EndpointId, NodeId, PortId, PortIndex, SwitchId};
use thiserror::Error;

/// Why a name leads to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookupError {
    /// Not an xname.
    #[error(transparent)]
    Xname(#[from] XnameError),
    /// An xname of something else.
    #[error("{name} is a {found}; the xname of a {wanted} would work")]
    Kind {
        /// The name.
        name: Xname,
        /// What it names.
        found: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The fabric has no such thing.
    #[error("{fabric} has no {what} {name}; {works} would work")]
    Missing {
        /// Name of the fabric.
        fabric: String,
        /// "port", "switch" and so on.
        what: &'static str,
        /// The name.
        name: Xname,
        /// What would work.
        works: String,
    },
}

impl Fabric {
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

    /// A node.
    #[must_use]
    pub fn node_by_xname(&self, name: Xname) -> Option<NodeId> {
        let order = self.node_order();
        let at = order.binary_search_by_key(&name, |&id| self.node_xname(NodeId(id))).ok()?;
        Some(NodeId(order[at]))
    }

    /// A NIC.
    #[must_use]
    pub fn nic_by_xname(&self, name: Xname) -> Option<EndpointId> {
        if name.kind() != XnameKind::Nic {
            return None;
        }
        let node = self.node_by_xname(name.parent()?)?;
        let number = name.number('h')?;
        self.nics_of(node).map(EndpointId).find(|nic| u16::from(self.nics()[nic.index()].nic) == number)
    }

    /// A switch by a name in text.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn switch_by_name(&self, text: &str) -> Result<SwitchId, LookupError> {
        let name: Xname = text.parse()?;
        match name.kind() {
            XnameKind::SwitchModule | XnameKind::SwitchBmc | XnameKind::SwitchAsic => {}
            other => return Err(LookupError::Kind { name, found: other.name(), wanted: "switch" }),
        }
        self.switch_by_xname(name).ok_or_else(|| {
            let first = self.switches_by_xname().next().map(|id| self.switch_xname(id).to_string());
            self.missing("switch", name, first.map(|first| format!("{first}, for one,")))
        })
    }

    /// A port by a name in text.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn port_by_name(&self, text: &str) -> Result<PortIndex, LookupError> {
        let name: Xname = text.parse()?;
        if !matches!(name.kind(), XnameKind::Link | XnameKind::ConnectorPort) {
            let wanted = "port (xXcCrRa0lL or xXcCrRjJpP)";
            return Err(LookupError::Kind { name, found: name.kind().name(), wanted });
        }
        self.port_by_xname(name).ok_or_else(|| {
            let module = name.ancestor(XnameKind::SwitchModule);
            let works = module.and_then(|module| self.switch_by_xname(module)).map(|switch| {
                let model = self.model(switch);
                let (ports, jacks) = (model.port_count().min(self.radix()), model.port_count() / 2);
                format!("a0l0 to a0l{}, or jacks j1 to j{jacks} with p0 and p1,", ports - 1)
            });
            self.missing("port", name, works)
        })
    }

    /// A NIC by a name in text.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn nic_by_name(&self, text: &str) -> Result<EndpointId, LookupError> {
        let name: Xname = text.parse()?;
        if name.kind() != XnameKind::Nic {
            return Err(LookupError::Kind { name, found: name.kind().name(), wanted: "NIC (xXcCsSbBnNhH)" });
        }
        self.nic_by_xname(name).ok_or_else(|| self.missing("NIC", name, None))
    }

    /// A node by a name in text.
    ///
    /// # Errors
    /// [`LookupError`].
    pub fn node_by_name(&self, text: &str) -> Result<NodeId, LookupError> {
        let name: Xname = text.parse()?;
        if name.kind() != XnameKind::Node {
            return Err(LookupError::Kind { name, found: name.kind().name(), wanted: "node (xXcCsSbBnN)" });
        }
        self.node_by_xname(name).ok_or_else(|| self.missing("node", name, None))
    }

    fn missing(&self, what: &'static str, name: Xname, works: Option<String>) -> LookupError {
        let works = works.unwrap_or_else(|| format!("a {what} of its template"));
        LookupError::Missing { fabric: quoted(self.name()), what, name, works }
    }
}
