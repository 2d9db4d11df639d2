//! The names of a fabric, for agents and for the control loop.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use philae_agent::HardwareNames;
use philae_inventory::PlannedFabric;
use philae_manager_core::Expected;
use philae_policy::{FabricView, PortRole};
use philae_topology::{FabricAddress, PortPeer};
use philae_units::{GroupId, LinkRate, PortIndex, SwitchId};

/// Names and addresses of a fabric.
#[derive(Debug)]
pub struct FabricNames(pub Arc<PlannedFabric>);

impl HardwareNames for FabricNames {
    fn switch(&self, switch: SwitchId) -> String {
        self.0.bmc_xname(switch).to_string()
    }

    fn nid(&self, port: PortIndex) -> Option<u32> {
        Expected::nid(self, port)
    }

    fn model(&self, switch: SwitchId) -> String {
        self.0.model(switch).name().to_owned()
    }
}

impl Expected for FabricNames {
    /// The port's index in the fabric, if addresses have no room for it (beyond 511 groups): then
    /// neighbours are compared by index.
    fn nid(&self, port: PortIndex) -> Option<u32> {
        Some(self.0.address(port).map_or(port.0 | PLACE, FabricAddress::nid))
    }

    fn port(&self, nid: u32) -> Option<PortIndex> {
        if nid & PLACE != 0 {
            return Some(PortIndex(nid & !PLACE)).filter(|port| port.index() < self.0.port_count());
        }
        FabricAddress::from_nid(nid).ok().and_then(|address| self.0.port_of_address(address))
    }
}

/// Marks a number that is an index: addresses have 20 bits.
const PLACE: u32 = 1 << 30;

impl FabricView for FabricNames {
    fn switch_count(&self) -> u32 {
        self.0.switch_count() as u32
    }

    fn port_count(&self) -> u32 {
        self.0.port_count() as u32
    }

    fn ports_of(&self, switch: SwitchId) -> Range<u32> {
        self.0.ports_of(switch)
    }

    fn switch_of(&self, port: PortIndex) -> SwitchId {
        self.0.switch_of(port)
    }

    fn role(&self, port: PortIndex) -> PortRole {
        self.0.port(port).role
    }

    fn peer(&self, port: PortIndex) -> Option<PortIndex> {
        match self.0.port(port).peer {
            PortPeer::Port(far) => Some(far),
            PortPeer::Endpoint(_) | PortPeer::None => None,
        }
    }

    fn rate(&self, port: PortIndex) -> Option<LinkRate> {
        self.0.cable(port).map(|cable| cable.rate)
    }

    fn group(&self, switch: SwitchId) -> GroupId {
        self.0.switch(switch).group
    }

    fn model(&self, switch: SwitchId) -> &str {
        self.0.model(switch).name()
    }

    fn write_switch_name(&self, switch: SwitchId, text: &mut String) {
        write!(text, "{}", self.0.bmc_xname(switch)).expect("text takes what is written");
    }

    fn write_port_name(&self, port: PortIndex, text: &mut String) {
        write!(text, "{}", self.0.link_xname(port)).expect("text takes what is written");
    }

    fn write_jack_name(&self, port: PortIndex, text: &mut String) {
        write!(text, "{}", self.0.connector_port_xname(port)).expect("text takes what is written");
    }

    fn find_switch(&self, name: &str) -> Option<SwitchId> {
        // Documents have one name for each thing: labels are for people.
        name.parse().ok().and_then(|name| self.0.switch_by_xname(name))
    }

    fn find_port(&self, name: &str) -> Option<PortIndex> {
        name.parse().ok().and_then(|name| self.0.port_by_xname(name))
    }

    fn look_at_switch(&self, switch: SwitchId, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.0.look_at_switch(switch, look)
    }

    fn look_at_end(&self, port: PortIndex, look: &mut dyn FnMut(&str) -> bool) -> bool {
        self.0.look_at_end(port, look)
    }

    fn port_at(&self, address: u32) -> Option<PortIndex> {
        Expected::port(self, address)
    }
}
