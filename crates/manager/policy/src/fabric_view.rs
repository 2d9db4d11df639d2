//! The view of a fabric that this crate needs, and its implementation for a topology of the
//! simulator.

pub use philae_topology::PortRole;
use philae_topology::{PortPeer, Topology};
use philae_units::{EndpointId, GroupId, LinkRate, PortIndex, SwitchId};
use std::fmt::Write;
use std::ops::Range;

/// A fabric with its planned cabling: switches and ports by dense numbers, and their names.
///
/// Numbers are those of `philae_units`: switches from 0, and ports from 0 over the whole fabric,
/// with those of one switch next to each other.
pub trait FabricView {
    /// The number of switches.
    fn switch_count(&self) -> u32;

    /// The number of ports of all switches, used or not.
    fn port_count(&self) -> u32;

    /// The range of a switch's ports.
    fn ports_of(&self, switch: SwitchId) -> Range<u32>;

    /// The switch of a port.
    fn switch_of(&self, port: PortIndex) -> SwitchId;

    /// The role of a port.
    fn role(&self, port: PortIndex) -> PortRole;

    /// The port at the other end of the cable, if it belongs to a switch.
    fn peer(&self, port: PortIndex) -> Option<PortIndex>;

    /// The highest rate of a port's link; `None` for an unused port.
    fn rate(&self, port: PortIndex) -> Option<LinkRate>;

    /// The group of a switch.
    fn group(&self, switch: SwitchId) -> GroupId;

    /// The model of a switch.
    fn model(&self, switch: SwitchId) -> &str;

    /// Appends the name of a switch.
    fn write_switch_name(&self, switch: SwitchId, text: &mut String);

    /// Appends the name of a port.
    fn write_port_name(&self, port: PortIndex, text: &mut String);

    /// Appends the name of the port in terms of its jack; nothing if it has no such name.
    fn write_jack_name(&self, _port: PortIndex, _text: &mut String) {}

    /// Passes the labels of a switch in other programs to `look`.
    fn look_at_switch(&self, _switch: SwitchId, _look: &mut dyn FnMut(&str) -> bool) -> bool {
        false
    }

    /// Passes the labels of the NIC at a port, and of its node, to `look`.
    fn look_at_end(&self, _port: PortIndex, _look: &mut dyn FnMut(&str) -> bool) -> bool {
        false
    }

    /// The switch of this name.
    fn find_switch(&self, name: &str) -> Option<SwitchId>;

    /// The port of this name.
    fn find_port(&self, name: &str) -> Option<PortIndex>;

    /// The edge port with this 20-bit fabric address (its NID).
    fn port_at(&self, address: u32) -> Option<PortIndex>;

    fn switch_name(&self, switch: SwitchId) -> String {
        let mut text = String::new();
        self.write_switch_name(switch, &mut text);
        text
    }

    fn port_name(&self, port: PortIndex) -> String {
        let mut text = String::new();
        self.write_port_name(port, &mut text);
        text
    }

    /// The name of a link: the names of its two ports, the lower number first.
    fn link_name(&self, one: PortIndex, other: PortIndex) -> String {
        let (first, last) = (one.min(other), one.max(other));
        format!("{}-{}", self.port_name(first), self.port_name(last))
    }

    /// The two ports of the link of this name, the lower number first. The order of the names does
    /// not matter.
    fn find_link(&self, name: &str) -> Option<(PortIndex, PortIndex)> {
        name.match_indices('-').find_map(|(at, _)| {
            let (one, other) = (self.find_port(&name[..at])?, self.find_port(&name[at + 1..])?);
            (self.peer(one) == Some(other)).then(|| (one.min(other), one.max(other)))
        })
    }

    /// The existing switch name that is most similar to a wrong one.
    fn nearest_switch(&self, name: &str) -> Option<String> {
        let most = (name.chars().count() / 3).max(2);
        let mut known = String::new();
        let mut best: Option<(usize, SwitchId)> = None;
        for switch in (0..self.switch_count()).map(SwitchId) {
            known.clear();
            self.write_switch_name(switch, &mut known);
            let distance = strsim::damerau_levenshtein(name, &known);
            if distance <= most && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, switch));
            }
        }
        best.map(|(_, switch)| self.switch_name(switch))
    }

    /// The existing port name that is most similar to a wrong one: a port of the most similar
    /// switch.
    fn nearest_port(&self, name: &str) -> Option<String> {
        let mut best: Option<(usize, SwitchId)> = None;
        let mut known = String::new();
        for switch in (0..self.switch_count()).map(SwitchId) {
            let Some(port) = self.ports_of(switch).next() else { continue };
            known.clear();
            self.write_port_name(PortIndex(port), &mut known);
            let distance = strsim::damerau_levenshtein(name, &known);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, switch));
            }
        }
        let names: Vec<String> = self.ports_of(best?.1).map(|port| self.port_name(PortIndex(port))).collect();
        crate::problem::nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
    }
}

/// A topology of the simulator as a fabric, with names by racks and chassis (xnames).
///
/// Group `g` is cabinet `x(1000 + g)`; its switches fill 8 slots of 8 chassis, then further slots.
/// Port `p` is link `p` of ASIC 0.
#[derive(Clone, Debug)]
pub struct TopologyView<'a> {
    topology: &'a Topology,
    model: String,
}

/// Cabinet of group 0.
const FIRST_CABINET: u32 = 1_000;
/// The number of chassis in a cabinet, and of switches in a chassis before the next slots are used.
const CHASSIS: u32 = 8;

impl<'a> TopologyView<'a> {
    /// All switches are of one `model`.
    #[must_use]
    pub fn new(topology: &'a Topology, model: &str) -> Self {
        Self { topology, model: model.to_owned() }
    }

    fn write_slot(&self, switch: SwitchId, text: &mut String) {
        let group = self.topology.group_of(switch);
        let index = switch.0 - self.topology.switches_of(group).start;
        let chassis = index / CHASSIS % CHASSIS;
        let slot = index % CHASSIS + index / (CHASSIS * CHASSIS) * CHASSIS;
        let _ = write!(text, "x{}c{chassis}r{slot}", FIRST_CABINET + group.0);
    }

    /// The switch of a slot, and the rest of the text.
    fn find_slot<'t>(&self, name: &'t str) -> Option<(SwitchId, &'t str)> {
        let (cabinet, rest) = number(name.strip_prefix('x')?)?;
        let (chassis, rest) = number(rest.strip_prefix('c')?)?;
        let (slot, rest) = number(rest.strip_prefix('r')?)?;
        let group =
            cabinet.checked_sub(FIRST_CABINET).filter(|group| (*group as usize) < self.topology.group_count())?;
        let switches = self.topology.switches_of(GroupId(group));
        let index = slot / CHASSIS * CHASSIS * CHASSIS + chassis * CHASSIS + slot % CHASSIS;
        let switch =
            switches.start.checked_add(index).filter(|switch| chassis < CHASSIS && switches.contains(switch))?;
        Some((SwitchId(switch), rest))
    }
}

/// A number without leading zeros at the beginning of a text, at most 5 digits, and the rest of the
/// text.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let is_number = (1..=5).contains(&digits.len()) && (digits.len() == 1 || !digits.starts_with('0'));
    is_number.then(|| digits.parse().ok()).flatten().map(|value| (value, rest))
}

impl FabricView for TopologyView<'_> {
    fn switch_count(&self) -> u32 {
        self.topology.switch_count() as u32
    }

    fn port_count(&self) -> u32 {
        self.topology.port_count() as u32
    }

    fn ports_of(&self, switch: SwitchId) -> Range<u32> {
        let radix = self.topology.radix() as u32;
        switch.0 * radix..(switch.0 + 1) * radix
    }

    fn switch_of(&self, port: PortIndex) -> SwitchId {
        self.topology.switch_of(port)
    }

    fn role(&self, port: PortIndex) -> PortRole {
        self.topology.port(port).role
    }

    fn peer(&self, port: PortIndex) -> Option<PortIndex> {
        match self.topology.port(port).peer {
            PortPeer::Port(other) => Some(other),
            PortPeer::None | PortPeer::Endpoint(_) => None,
        }
    }

    fn rate(&self, port: PortIndex) -> Option<LinkRate> {
        (self.role(port) != PortRole::Unused).then(|| self.topology.rate(port))
    }

    fn group(&self, switch: SwitchId) -> GroupId {
        self.topology.group_of(switch)
    }

    fn model(&self, _: SwitchId) -> &str {
        &self.model
    }

    fn write_switch_name(&self, switch: SwitchId, text: &mut String) {
        self.write_slot(switch, text);
        text.push_str("b0");
    }

    fn write_port_name(&self, port: PortIndex, text: &mut String) {
        self.write_slot(self.topology.switch_of(port), text);
        let _ = write!(text, "a0l{}", self.topology.port_of(port));
    }

    fn find_switch(&self, name: &str) -> Option<SwitchId> {
        self.find_slot(name).filter(|(_, rest)| *rest == "b0").map(|(switch, _)| switch)
    }

    fn find_port(&self, name: &str) -> Option<PortIndex> {
        let (switch, rest) = self.find_slot(name)?;
        let (port, rest) = number(rest.strip_prefix("a0l")?)?;
        let ports = self.ports_of(switch);
        (rest.is_empty() && port < ports.len() as u32).then(|| PortIndex(ports.start + port))
    }

    fn port_at(&self, address: u32) -> Option<PortIndex> {
        let address = philae_topology::FabricAddress::from_nid(address).ok()?;
        let endpoint: EndpointId = self.topology.endpoint_at(address)?;
        Some(self.topology.endpoint(endpoint).port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_topology::DragonflyDescription;

    #[test]
    fn every_switch_port_and_link_is_found_by_its_name() {
        let topology = Topology::build(&DragonflyDescription::uniform(3, 20, 2, 2).into()).expect("legal");
        let fabric = TopologyView::new(&topology, "rosetta");
        for switch in (0..fabric.switch_count()).map(SwitchId) {
            assert_eq!(fabric.find_switch(&fabric.switch_name(switch)), Some(switch));
        }
        for port in (0..fabric.port_count()).map(PortIndex) {
            assert_eq!(fabric.find_port(&fabric.port_name(port)), Some(port));
            if let Some(peer) = fabric.peer(port) {
                let ends = (port.min(peer), port.max(peer));
                assert_eq!(fabric.find_link(&fabric.link_name(port, peer)), Some(ends));
            }
        }
        for wrong in ["x1000c0r0", "x1000c00r0b0", "x1009c0r0b0", "x1000c8r0b0", "", "x99999999999c0r0b0"] {
            assert_eq!(fabric.find_switch(wrong), None, "{wrong}");
        }
        assert_eq!(fabric.nearest_switch("x1000c0r0b1").as_deref(), Some("x1000c0r0b0"));
        assert_eq!(
            fabric.nearest_port("x1001c1r1a0l64").as_deref(),
            Some("x1001c1r1a0l14"),
            "of two as near, the first"
        );
    }
}
