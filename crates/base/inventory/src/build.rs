//! Builds the parts of a fabric from a template.

use crate::fabric::{PlannedFabric, WiringKind};
use crate::jack::{Model, Models};
use crate::parts::{InventoryError, InventoryParts, NodeEntry, SwitchEntry};
use crate::placement::Placement;
use crate::template::{EdgeItem, LinkItem, Template, of_kind};
use crate::xname::{Xname, XnameKind};
use philae_topology::{
    AddressFormat, CableDescription, CableKind, CableKindId, GraphLabels, NicAttachment, Port, PortPeer, PortRole,
    Topology,
};
use philae_units::{EndpointId, GroupId, NodeId, PortIndex};
use std::collections::BTreeMap;

/// Marks the port of a NIC that was removed.
const GONE: PortIndex = PortIndex(u32::MAX);

/// Parts, with indices by name.
pub(crate) struct Builder {
    parts: InventoryParts,
    /// The number of cable kinds of the system, which precede those of the template.
    cable_base: usize,
    switch_at: BTreeMap<Xname, u32>,
    node_at: BTreeMap<Xname, u32>,
}

const PORT_KINDS: [XnameKind; 2] = [XnameKind::Link, XnameKind::ConnectorPort];

/// A label without control characters. Files of other tools may contain escape sequences, and
/// terminals show labels.
fn plain(label: &str) -> Box<str> {
    label.chars().map(|letter| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter }).collect()
}

impl Builder {
    /// The parts of the template's system, with the template's changes of names.
    pub fn of_system(
        template: &Template,
        topology: &Topology,
        placement: &Placement,
        models: &Models,
    ) -> Result<Self, InventoryError> {
        let parts = InventoryParts::of(topology, placement, models)?;
        let cable_base = parts.cables.len();
        let mut builder = Self { parts, cable_base, switch_at: BTreeMap::new(), node_at: BTreeMap::new() };
        if let Some(split) =
            template.address_format.filter(|split| AddressFormat::from(*split) != topology.address_format())
        {
            return Err(InventoryError::wrong("address_format", format!("{split:?}"), "that of the system, or none,"));
        }
        for item in &template.switches {
            builder.rename_switch(item, topology, models)?;
        }
        let names_matter = !(template.nodes.is_empty()
            && template.absent.is_empty()
            && template.links.is_empty()
            && template.edge_ports.is_empty());
        if names_matter {
            builder.index()?;
        }
        for item in &template.nodes {
            builder.rename_node(item)?;
        }
        for &name in &template.absent {
            builder.take_away(name)?;
        }
        Ok(builder)
    }

    /// Gives the parts of a system the labels of another tool, except where the template sets them.
    pub fn label(&mut self, labels: &GraphLabels) {
        let parts = &mut self.parts;
        if labels.switches.len() == parts.switches.len() {
            parts.switch_labels.resize(parts.switches.len(), "".into());
            for (own, label) in parts.switch_labels.iter_mut().zip(&labels.switches).filter(|(own, _)| own.is_empty()) {
                *own = plain(label);
            }
        }
        if labels.nodes.len() <= parts.nodes.len() && !labels.nodes.is_empty() {
            parts.node_labels.resize(parts.nodes.len(), "".into());
            for (own, label) in parts.node_labels.iter_mut().zip(&labels.nodes).filter(|(own, _)| own.is_empty()) {
                *own = plain(label);
            }
        }
        for (nic, label) in
            parts.nics.iter().zip(&labels.nics).filter(|(nic, label)| nic.port != GONE && !label.is_empty())
        {
            parts.nic_labels.push((nic.port, plain(label)));
        }
    }

    /// The parts that the template lists.
    pub fn listed(template: &Template, models: &Models) -> Result<Self, InventoryError> {
        for (key, given) in [("absent", !template.absent.is_empty()), ("placement", template.placement.is_some())] {
            if given {
                return Err(InventoryError::wrong(key, "given without a system", "a system, or a list without it"));
            }
        }
        let radix = usize::from(template.radix.unwrap_or(64));
        let usual = template.model.as_deref().unwrap_or("generic");
        let mut used = vec![models.get(usual)?.clone()];
        let mut switches = Vec::with_capacity(template.switches.len());
        let mut order: Vec<usize> = (0..template.switches.len()).collect();
        order.sort_by_key(|&at| (template.switches[at].group, template.switches[at].number));
        let mut switch_labels = Vec::new();
        for &at in &order {
            let item = &template.switches[at];
            of_kind("switch", item.xname, &[XnameKind::SwitchModule])?;
            let model = model_place(&mut used, models, item.model.as_deref().unwrap_or(usual))?;
            let group = GroupId(item.group);
            switches.push(SwitchEntry { xname: item.xname, group, number: item.number, model });
            switch_labels.push(plain(item.label.as_deref().unwrap_or_default()));
        }
        if template.switches.iter().all(|item| item.label.is_none()) {
            switch_labels.clear();
        }
        if let Some(first) = template.first_port.filter(|first| *first > 1) {
            return Err(InventoryError::wrong("first_port", first, "0 or 1"));
        }
        if !template.lanes.is_empty() && template.lanes.len() != template.cables.len() {
            let found = format!("{} of {} cables", template.lanes.len(), template.cables.len());
            return Err(InventoryError::wrong("lanes", found, "one for each kind of cable, or none"));
        }
        if !(1..=256).contains(&radix) {
            return Err(InventoryError::wrong("radix", radix, "1 to 256"));
        }
        let parts = InventoryParts {
            name: template.name.clone().unwrap_or_else(|| "fabric".to_owned()),
            wiring: template.wiring.unwrap_or(WiringKind::Graph),
            address_format: template.address_format.map_or(AddressFormat::Dragonfly, Into::into),
            mac_prefix: template.mac_prefix,
            radix,
            first_port: template.first_port,
            lanes: template.lanes.clone(),
            models: used,
            ports: vec![Port::default(); switches.len() * radix],
            switches,
            cables: Vec::new(),
            nodes: Vec::new(),
            nics: Vec::new(),
            switch_labels,
            node_labels: Vec::new(),
            nic_labels: Vec::new(),
            cable_names: Vec::new(),
        };
        let mut builder = Self { parts, cable_base: 0, switch_at: BTreeMap::new(), node_at: BTreeMap::new() };
        builder.index()?;
        for item in &template.nodes {
            if item.was.is_some() {
                let works = "the name alone, or a system whose node it renames";
                return Err(InventoryError::wrong(format!("node {}", item.xname), "`was` without a system", works));
            }
            builder.add_node(item.xname, item.compute)?;
            builder.label_node(item.xname, item.label.as_deref());
        }
        Ok(builder)
    }

    /// Adds the links and NICs of the template, and checks the whole.
    pub fn finish(mut self, template: &Template) -> Result<PlannedFabric, InventoryError> {
        if let Some(name) = &template.name {
            self.parts.name.clone_from(name);
        }
        self.parts.mac_prefix = template.mac_prefix;
        for cable in &template.cables {
            let kind = cable.kind("listed", 1, 1)?;
            self.parts.cables.push(kind);
        }
        if self.parts.cables.is_empty() && !(template.links.is_empty() && template.edge_ports.is_empty()) {
            self.parts.cables.push(usual_cable()?);
        }
        for (place, link) in template.links.iter().enumerate() {
            self.join(place, link)?;
        }
        for edge in &template.edge_ports {
            self.attach(edge)?;
        }
        if !(template.edge_ports.is_empty() && template.absent.is_empty()) {
            self.renumber_nics();
        }
        let labels = &mut self.parts.node_labels;
        if !labels.is_empty() {
            labels.resize(self.parts.nodes.len(), "".into());
        }
        self.parts.cable_names.sort_by_key(|(port, _)| *port);
        self.parts.nic_labels.sort_by_key(|(port, _)| *port);
        PlannedFabric::assemble(self.parts)
    }

    fn index(&mut self) -> Result<(), InventoryError> {
        for (id, switch) in self.parts.switches.iter().enumerate() {
            if self.switch_at.insert(switch.xname, id as u32).is_some() {
                return Err(InventoryError::Twice { what: "switches", name: switch.xname.to_string() });
            }
        }
        for (id, node) in self.parts.nodes.iter().enumerate() {
            self.node_at.insert(node.xname, id as u32);
        }
        Ok(())
    }

    fn rename_switch(
        &mut self,
        item: &crate::template::SwitchItem,
        topology: &Topology,
        models: &Models,
    ) -> Result<(), InventoryError> {
        of_kind("switch", item.xname, &[XnameKind::SwitchModule])?;
        let group = GroupId(item.group);
        let range = if group.index() < topology.group_count() { topology.switches_of(group) } else { 0..0 };
        let id = range.start + u32::from(item.number);
        if !range.contains(&id) {
            let found = format!("switch {} of group {}", item.number, item.group);
            let works = match range.is_empty() {
                true => format!("groups 0 to {}", topology.group_count() - 1),
                false => format!("switches 0 to {} of this group", range.len() - 1),
            };
            return Err(InventoryError::wrong(format!("switch {}", item.xname), found, works));
        }
        if let Some(model) = &item.model {
            self.parts.switches[id as usize].model = model_place(&mut self.parts.models, models, model)?;
        }
        self.parts.switches[id as usize].xname = item.xname;
        if let Some(label) = &item.label {
            self.parts.switch_labels.resize(self.parts.switches.len(), "".into());
            self.parts.switch_labels[id as usize] = plain(label);
        }
        Ok(())
    }

    fn rename_node(&mut self, item: &crate::template::NodeItem) -> Result<(), InventoryError> {
        of_kind("node", item.xname, &[XnameKind::Node])?;
        let old = item.was.unwrap_or(item.xname);
        match self.node_at.remove(&old) {
            Some(id) => {
                self.parts.nodes[id as usize] = NodeEntry { xname: item.xname, compute: item.compute };
                if self.node_at.insert(item.xname, id).is_some() {
                    return Err(InventoryError::Twice { what: "nodes", name: item.xname.to_string() });
                }
            }
            None if item.was.is_none() => self.add_node(item.xname, item.compute).map(|_| ())?,
            None => {
                let works = "a node that the rules name, and each once";
                return Err(InventoryError::wrong(
                    format!("node {}", item.xname),
                    format!("was = {old}, which is not a node"),
                    works,
                ));
            }
        }
        self.label_node(item.xname, item.label.as_deref());
        Ok(())
    }

    fn label_node(&mut self, name: Xname, label: Option<&str>) {
        if let (Some(label), Some(&id)) = (label, self.node_at.get(&name)) {
            self.parts.node_labels.resize(self.parts.nodes.len(), "".into());
            self.parts.node_labels[id as usize] = plain(label);
        }
    }

    fn add_node(&mut self, name: Xname, compute: bool) -> Result<u32, InventoryError> {
        of_kind("node", name, &[XnameKind::Node])?;
        let id = self.parts.nodes.len() as u32;
        if self.node_at.insert(name, id).is_some() {
            return Err(InventoryError::Twice { what: "nodes", name: name.to_string() });
        }
        self.parts.nodes.push(NodeEntry { xname: name, compute });
        Ok(id)
    }

    fn port(&self, key: &str, name: Xname) -> Result<PortIndex, InventoryError> {
        of_kind(key, name, &PORT_KINDS)?;
        let place = || format!("{key} {name}");
        let module = name.ancestor(XnameKind::SwitchModule);
        let asic = name.number('a').unwrap_or(0);
        if asic != 0 {
            return Err(InventoryError::wrong(place(), format!("ASIC a{asic}"), "a0, the one ASIC of a module,"));
        }
        let Some(&switch) = module.and_then(|module| self.switch_at.get(&module)) else {
            return Err(InventoryError::wrong(place(), "a switch that is not listed", "a port of a listed switch"));
        };
        let model = &self.parts.models[usize::from(self.parts.switches[switch as usize].model)];
        let number = match (name.number('l'), name.number('j'), name.number('p')) {
            (Some(number), ..) => Some(number as usize),
            (None, Some(jack), Some(port)) => model.port_of(jack as u8, port as u8).map(|port| port.index()),
            _ => None,
        };
        let radix = self.parts.radix;
        let number = number.filter(|number| *number < radix && *number < model.port_count()).ok_or_else(|| {
            let ports = radix.min(model.port_count());
            let works = format!("a0l0 to a0l{} (model '{}', radix {radix})", ports - 1, model.name());
            InventoryError::wrong(place(), "a port that the switch does not have", works)
        })?;
        Ok(PortIndex((switch as usize * radix + number) as u32))
    }

    fn take_away(&mut self, name: Xname) -> Result<(), InventoryError> {
        let nowhere =
            || InventoryError::wrong(format!("absent {name}"), "nothing in the system", "a cabled port or a NIC");
        let port = if name.kind() == XnameKind::Nic {
            let node = name.parent().and_then(|node| self.node_at.get(&node).copied()).ok_or_else(nowhere)?;
            let nic = self.parts.nics.iter().find(|nic| nic.node.0 == node && name.number('h') == Some(nic.nic.into()));
            nic.map(|nic| nic.port).filter(|port| *port != GONE).ok_or_else(nowhere)?
        } else {
            self.port("absent", name)?
        };
        match self.parts.ports[port.index()].peer {
            PortPeer::None => return Err(nowhere()),
            PortPeer::Port(other) => self.parts.ports[other.index()] = Port::default(),
            PortPeer::Endpoint(nic) => self.parts.nics[nic.index()].port = GONE,
        }
        self.parts.ports[port.index()] = Port::default();
        Ok(())
    }

    fn free(&self, key: &str, name: Xname, port: PortIndex) -> Result<(), InventoryError> {
        if self.parts.ports[port.index()].role == PortRole::Unused {
            return Ok(());
        }
        let works =
            "one cable for each port (a port of the system that has another cable is listed under `absent`, too)";
        Err(InventoryError::wrong(format!("{key} {name}"), "a port that has a cable already", works))
    }

    fn cable(&self, key: &str, name: Xname, place: u16) -> Result<CableKindId, InventoryError> {
        let at = self.cable_base + usize::from(place);
        if at < self.parts.cables.len() {
            return Ok(CableKindId(at as u16));
        }
        if self.cable_base > 0 && place == 0 {
            return Ok(CableKindId(0));
        }
        let listed = self.parts.cables.len() - self.cable_base;
        let works = if listed == 0 { "a list of cables".to_owned() } else { format!("0 to {}", listed - 1) };
        Err(InventoryError::wrong(format!("{key} {name}"), format!("cable {place}"), works))
    }

    fn join(&mut self, place: usize, link: &LinkItem) -> Result<(), InventoryError> {
        let key = format!("link {place}:");
        let (one, other) = (self.port(&key, link.a)?, self.port(&key, link.b)?);
        if one == other {
            return Err(InventoryError::wrong(format!("{key} {}", link.a), "both ends are one port", "two ports"));
        }
        self.free(&key, link.a, one)?;
        self.free(&key, link.b, other)?;
        let cable = self.cable(&key, link.a, link.cable)?;
        let group = |port: PortIndex| self.parts.switches[port.index() / self.parts.radix].group;
        let usual = if group(one) == group(other) { PortRole::Local } else { PortRole::Global };
        let role = link.role.map_or(usual, Into::into);
        self.parts.ports[one.index()] = Port { role, peer: PortPeer::Port(other), cable };
        self.parts.ports[other.index()] = Port { role, peer: PortPeer::Port(one), cable };
        if let Some(id) = &link.id {
            self.parts.cable_names.push((one.min(other), id.as_str().into()));
        }
        Ok(())
    }

    fn attach(&mut self, edge: &EdgeItem) -> Result<(), InventoryError> {
        of_kind("edge port: NIC", edge.nic, &[XnameKind::Nic])?;
        let port = self.port("edge port", edge.port)?;
        self.free("edge port", edge.port, port)?;
        let cable = self.cable("edge port", edge.port, edge.cable)?;
        let node = edge.nic.parent().expect("a NIC is a part of a node");
        let node = match self.node_at.get(&node) {
            Some(&node) => node,
            None => self.add_node(node, true)?,
        };
        let nic = EndpointId::from_index(self.parts.nics.len());
        let number = edge.nic.number('h').expect("a NIC has a number") as u8;
        self.parts.nics.push(NicAttachment { node: NodeId(node), nic: number, kind: u8::from(edge.ethernet), port });
        self.parts.ports[port.index()] = Port { role: PortRole::Edge, peer: PortPeer::Endpoint(nic), cable };
        if let Some(id) = &edge.id {
            self.parts.cable_names.push((port, id.as_str().into()));
        }
        if let Some(label) = &edge.label {
            self.parts.nic_labels.push((port, plain(label)));
        }
        Ok(())
    }

    /// Sorts NICs by node, and removes those that are marked.
    fn renumber_nics(&mut self) {
        self.parts.nics.retain(|nic| nic.port != GONE);
        self.parts.nics.sort_by_key(|nic| (nic.node, nic.nic));
        for (id, nic) in self.parts.nics.iter().enumerate() {
            self.parts.ports[nic.port.index()].peer = PortPeer::Endpoint(EndpointId::from_index(id));
        }
    }
}

fn usual_cable() -> Result<CableKind, InventoryError> {
    Ok(CableDescription::copper_200g().kind("listed", 1, 1)?)
}

fn model_place(used: &mut Vec<Model>, models: &Models, name: &str) -> Result<u8, InventoryError> {
    if let Some(place) = used.iter().position(|model| model.name() == name) {
        return Ok(place as u8);
    }
    used.push(models.get(name)?.clone());
    u8::try_from(used.len() - 1).map_err(|_| InventoryError::wrong("model", "more than 256 models", "fewer"))
}
