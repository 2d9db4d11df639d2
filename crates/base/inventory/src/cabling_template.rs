//! Converts a cabling file to a template, and a fabric to a cabling file.

use crate::cabling::{Cable, CablePurpose, Cabling};
use crate::fabric::{PlannedFabric, WiringKind};
use crate::parts::InventoryError;
use crate::template::{EdgeItem, LinkItem, PortRoleName, SwitchItem, Template};
use crate::xname::{Xname, XnameKind, quoted};
use philae_topology::{Assumed, CableDescription, Medium, PortPeer, PortRole};
use philae_units::{EndpointId, NodeId, PortIndex, SwitchId, counted};
use std::collections::{BTreeMap, BTreeSet};

/// The longest copper cable, in millimetres; longer ones are optical.
///
/// Source: De Sensi et al., SC'20: copper up to 2.6 m. Status: published.
const COPPER_MAX_MM: u32 = 2_600;

/// The rate of links, which cabling files do not state, in Gb/s.
///
/// Source: 64 ports of 200 Gb/s, De Sensi et al., SC'20. Status: assumed for every system whose
/// cabling is read; a template may set another rate.
const RATE_GBPS: f64 = 200.0;

/// The length of cables without a stated length, in millimetres.
///
/// Source: none. Status: assumed.
const LENGTH_MM: u32 = 2_000;

/// Jacks of a switch in our tables.
///
/// Source: 64 ports, two to a jack. Status: derived.
const JACKS: u16 = 32;

/// Cabinets in this range are racks: x3000c0r41 is a rack switch, x1001c6r3 and x9000c1r3 are
/// blades.
///
/// Source: CSM's documentation shows both. Status: assumed for all others.
const RACKS: std::ops::Range<u16> = 3_000..9_000;

impl Cabling {
    /// The template of a fabric with these cables.
    ///
    /// Assumed, because the file does not state it: the port at each end of a jack
    /// ([`Cable::lanes`]); the model of a switch, by its cabinet; its number in the group, in order
    /// of xnames; 200 Gb/s; copper up to 2.6 m, optics beyond.
    ///
    /// # Errors
    /// [`InventoryError::Wrong`]: no cable; a switch in two groups or in no group.
    pub fn to_template(&self, name: &str) -> Result<Template, InventoryError> {
        if self.cables.is_empty() {
            return Err(InventoryError::wrong("the cabling", "no row of a cable", "a row for each cable"));
        }
        let mut group_of: BTreeMap<Xname, u32> = BTreeMap::new();
        let mut switches = BTreeSet::new();
        for cable in &self.cables {
            for (ends, group) in [(cable.source, cable.source_group), (cable.destination, cable.destination_group)] {
                for module in ends.iter().flatten().filter_map(|end| end.ancestor(XnameKind::SwitchModule)) {
                    switches.insert(module);
                    let Some(group) = group else { continue };
                    let before = *group_of.entry(module).or_insert(group);
                    if before != group {
                        let found = format!("groups {before} and {group}, by cable '{}'", cable.cable_id);
                        return Err(InventoryError::wrong(format!("switch {module}"), found, "one group"));
                    }
                }
            }
        }
        let inner = self.inner_jacks()?;
        let mut template =
            Template { name: Some(name.to_owned()), wiring: Some(WiringKind::Dragonfly), ..Template::empty() };
        let mut next_number: BTreeMap<u32, u16> = BTreeMap::new();
        for &xname in &switches {
            let group = *group_of.get(&xname).ok_or_else(|| {
                InventoryError::wrong(format!("switch {xname}"), "no cable has its group", "src_group and dst_group")
            })?;
            let number = next_number.entry(group).or_default();
            let model = model_of(xname);
            template.switches.push(SwitchItem {
                xname,
                group,
                number: *number,
                model: Some(model.to_owned()),
                label: None,
            });
            *number = number.saturating_add(1);
        }
        let mut kinds: BTreeMap<u32, u16> = BTreeMap::new();
        for cable in &self.cables {
            let length_mm = cable.length_mm().unwrap_or(LENGTH_MM);
            let kind = *kinds.entry(length_mm).or_insert_with(|| {
                let medium = if length_mm <= COPPER_MAX_MM { Medium::Copper } else { Medium::Optical };
                template.cables.push(CableDescription::new(medium, f64::from(length_mm) / 1e3, RATE_GBPS));
                (template.cables.len() - 1) as u16
            });
            add(&mut template, &with_jacks(cable, &inner), kind);
        }
        Ok(template)
    }

    /// Maps jacks that our tables do not have, such as j100 to j107 towards the blades of a
    /// liquid-cooled cabinet, to jacks that they do have: in order, the last jacks of the switch
    /// that no cable of the file uses.
    fn inner_jacks(&self) -> Result<BTreeMap<Xname, Xname>, InventoryError> {
        let mut jacks: BTreeMap<Xname, BTreeSet<u16>> = BTreeMap::new();
        for end in self.cables.iter().flat_map(|cable| cable.source.iter().chain(&cable.destination)).flatten() {
            if let (Some(module), Some(jack)) = (end.ancestor(XnameKind::SwitchModule), end.number('j')) {
                jacks.entry(module).or_default().insert(jack);
            }
        }
        let mut taken = BTreeMap::new();
        for (module, jacks) in jacks {
            let inner: Vec<u16> = jacks.iter().copied().filter(|jack| *jack > JACKS).collect();
            let free: Vec<u16> = (1..=JACKS).rev().filter(|jack| !jacks.contains(jack)).take(inner.len()).collect();
            if free.len() < inner.len() {
                let found = format!("{} jacks", jacks.len());
                return Err(InventoryError::wrong(format!("switch {module}"), found, format!("{JACKS} at most")));
            }
            for (inner, free) in inner.into_iter().zip(free.into_iter().rev()) {
                let jack = |number| module.child(XnameKind::Connector, number);
                taken.insert(jack(inner)?, jack(free)?);
            }
        }
        Ok(taken)
    }
}

/// The same cable, with such jacks replaced.
fn with_jacks(cable: &Cable, inner: &BTreeMap<Xname, Xname>) -> Cable {
    let end = |end: Xname| {
        let jack = end.ancestor(XnameKind::Connector)?;
        let other = inner.get(&jack)?;
        match end.number('p') {
            Some(port) => other.child(XnameKind::ConnectorPort, port).ok(),
            None => Some(*other),
        }
    };
    let ends = |ends: [Option<Xname>; 2]| ends.map(|name| name.map(|name| end(name).unwrap_or(name)));
    Cable { source: ends(cable.source), destination: ends(cable.destination), ..cable.clone() }
}

impl Cabling {
    /// Values that the file does not state, and the assumptions used instead.
    #[must_use]
    pub fn assumed(&self) -> Vec<Assumed> {
        let entry = |key: String, value: String, why: &str| Assumed { key, value, why: why.to_owned() };
        let mut assumed = vec![
            entry("rate_gbps of all cables".to_owned(), format!("{RATE_GBPS} Gb/s"), "the file does not say"),
            entry(
                "medium of all cables".to_owned(),
                format!("copper up to {} m, optical beyond", f64::from(COPPER_MAX_MM) / 1e3),
                "the file does not say",
            ),
            entry(
                "ports of jacks".to_owned(),
                "p0 to p0 and p1 to p1; one jack to two ends: p0 to the first, p1 to the second".to_owned(),
                "the file has jacks only",
            ),
        ];
        if let Ok(inner) = self.inner_jacks()
            && let (Some((from, to)), Some((_, last))) = (inner.first_key_value(), inner.last_key_value())
        {
            let count = inner.len();
            assumed.push(entry(
                format!("{count} jacks above j{JACKS}"),
                format!("{from} is read as {to}, and so on to {last}"),
                "the built-in tables have no such jacks; a table in a template would define their ports",
            ));
        }
        let silent = self.cables.iter().filter(|cable| cable.length_mm().is_none()).count();
        if silent > 0 {
            let metres = format!("{} m", f64::from(LENGTH_MM) / 1e3);
            assumed.push(entry(format!("length_m of {silent} cables"), metres, "the file does not say"));
        }
        assumed
    }
}

/// The assumed model of a switch, by its cabinet.
pub(crate) fn model_of(switch: Xname) -> &'static str {
    let rack = switch.number('x').is_some_and(|cabinet| RACKS.contains(&cabinet));
    if rack { "columbia" } else { "colorado" }
}

fn add(template: &mut Template, cable: &Cable, kind: u16) {
    let id = (!cable.cable_id.is_empty()).then(|| cable.cable_id.clone());
    for (one, other) in cable.lanes() {
        let role = match cable.link_type {
            CablePurpose::Edge => {
                let (port, nic) = if one.kind() == XnameKind::Nic { (other, one) } else { (one, other) };
                template.edge_ports.push(EdgeItem {
                    port,
                    nic,
                    cable: kind,
                    id: id.clone(),
                    ethernet: false,
                    label: None,
                });
                continue;
            }
            CablePurpose::Local => PortRoleName::Local,
            CablePurpose::Global => PortRoleName::Global,
        };
        template.links.push(LinkItem { a: one, b: other, role: Some(role), cable: kind, id: id.clone() });
    }
}

impl PlannedFabric {
    /// What a cabling file cannot hold of the fabric: labels, and rates other than the one that is
    /// assumed where such a file is read.
    #[must_use]
    pub fn cabling_warnings(&self) -> Vec<String> {
        let switches =
            (0..self.switch_count()).map(SwitchId::from_index).filter_map(|switch| self.switch_label(switch));
        let nodes = (0..self.node_count()).map(NodeId::from_index).filter_map(|node| self.node_label(node));
        let nics = (0..self.nic_count()).map(EndpointId::from_index).filter_map(|nic| self.nic_label(nic));
        let labels: Vec<&str> = switches.chain(nodes).chain(nics).collect();
        let mut warnings = Vec::new();
        if let Some(first) = labels.first() {
            let (count, first) = (counted(labels.len(), "label"), quoted(first).escape_debug().to_string());
            warnings.push(format!("{count} left out, such as '{first}': cabling names things by their xnames only"));
        }
        let is_odd = |port: &PortIndex| {
            let is_first = match self.port(*port).peer {
                PortPeer::None => false,
                PortPeer::Endpoint(_) => true,
                PortPeer::Port(far) => *port < far,
            };
            is_first && self.cable(*port).is_some_and(|cable| cable.rate.as_gbps_f64() != RATE_GBPS)
        };
        let odd: Vec<PortIndex> = (0..self.port_count()).map(|port| PortIndex(port as u32)).filter(is_odd).collect();
        if let Some(&first) = odd.first() {
            let (name, count) = (self.connector_port_xname(first), counted(odd.len(), "link"));
            let rate = self.cable(first).map_or_else(String::new, |cable| cable.rate.to_string());
            warnings.push(format!(
                "the rate of {count} left out, such as {rate} at {name}: cabling has no rates, and {RATE_GBPS} Gb/s are \
                 assumed where it is read"
            ));
        }
        warnings
    }

    /// The fabric's cables as a cabling file. Two jacks that are joined p0 to p0 and p1 to p1 are
    /// one cable. Any other link has its own row, with the port of the jack
    /// (`x3000.c0.r15.j13.p0`), which is our addition to the format.
    #[must_use]
    pub fn to_cabling(&self) -> Cabling {
        let title = format!("# {}: point-to-point cabling", self.name().replace(['\n', '\r'], " "));
        let mut cabling = Cabling { preamble: vec![title], ..Cabling::default() };
        for port in (0..self.port_count()).map(|port| PortIndex(port as u32)) {
            let own = self.connector_port_xname(port);
            let (end, far_group) = match self.port(port).peer {
                PortPeer::None => continue,
                PortPeer::Endpoint(nic) => (self.nic_xname(nic), None),
                PortPeer::Port(other) if other < port => continue,
                PortPeer::Port(other) => {
                    let whole = self.jack_partner(port).is_some_and(|second| {
                        self.jack_partner(other).is_some_and(|far| self.port(second).peer == PortPeer::Port(far))
                            && own.number('p') == self.connector_port_xname(other).number('p')
                            && self.port(second).role == self.port(port).role
                            && self.port(second).cable == self.port(port).cable
                            && self.cable_name(second) == self.cable_name(port)
                    });
                    let group = Some(self.switch(self.switch_of(other)).group.0);
                    let far = self.connector_port_xname(other);
                    if whole && own.kind() == XnameKind::ConnectorPort {
                        // The cable is written at the first of its links.
                        let second = self.jack_partner(port).expect("it is whole");
                        let second_far = match self.port(second).peer {
                            PortPeer::Port(far) => far.min(second),
                            PortPeer::Endpoint(_) | PortPeer::None => second,
                        };
                        if second_far < port {
                            continue;
                        }
                        let (jack, far) = (own.parent(), far.parent());
                        cabling.cables.push(self.row(port, jack, far, group, cabling.cables.len()));
                        continue;
                    }
                    (far, group)
                }
            };
            let far_group = far_group.or(Some(self.switch(self.switch_of(port)).group.0));
            let row = self.row(port, Some(own), Some(end), far_group, cabling.cables.len());
            cabling.cables.push(row);
        }
        cabling
    }

    /// The other port of the same jack.
    fn jack_partner(&self, port: PortIndex) -> Option<PortIndex> {
        let jack = self.jack_of(port)?;
        let switch = self.switch_of(port);
        let other = self.model(switch).port_of(jack.jack, 1 - jack.port)?;
        (other.index() < self.radix()).then(|| self.port_index(switch, other))
    }

    fn row(&self, port: PortIndex, own: Option<Xname>, far: Option<Xname>, far_group: Option<u32>, at: usize) -> Cable {
        let link_type = match self.port(port).role {
            PortRole::Global => CablePurpose::Global,
            PortRole::Local => CablePurpose::Local,
            PortRole::Edge | PortRole::Unused => CablePurpose::Edge,
        };
        let metres = self.cable(port).map_or(0.0, |cable| f64::from(cable.length_mm) / 1e3);
        Cable {
            cable_id: self.cable_name(port).map_or_else(|| format!("{}", at + 1), ToOwned::to_owned),
            source: [own, None],
            destination: [far, None],
            stage: String::new(),
            egress: Default::default(),
            link_type,
            source_group: Some(self.switch(self.switch_of(port)).group.0),
            destination_group: far_group,
            part_number: String::new(),
            part_length: metres.to_string(),
            calculated_distance: String::new(),
            route: String::new(),
        }
    }
}
