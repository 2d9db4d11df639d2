//! Fabric addresses: the 20-bit DFA of an edge port, the NID that equals it, and the algorithmic
//! MAC of its NIC.
//!
//! ```text
//! dragonfly  19       11 10     6 5      0        fat tree, graph  19            6 5      0
//!            [  group  ][ switch ][  port ]                        [    switch    ][  port ]
//! ```
//! Source: HewlettPackard/shs-docs, concepts; libfabric prov/cxi. Status: published; that other
//! graphs use the fat tree's format is assumed.

use crate::{PortPeer, Topology, TopologyShape};
use philae_units::{EndpointId, GroupId, PortId, SwitchId};
pub use philae_wire::MacAddress;
use std::fmt;
use thiserror::Error;

const PORT_BITS: u32 = 6;
const GROUP_SWITCH_BITS: u32 = 5;
const ADDRESS_BITS: u32 = 20;

/// Maximum number of groups that a dragonfly can address.
///
/// Source: De Sensi et al., SC'20: 511 groups, 261,632 endpoints. Status: published. Nine bits
/// could number 512.
pub const ADDRESSABLE_GROUPS_MAX: u32 = 511;

/// The topologies whose addresses are a switch and a port.
const FLAT: &str = "fat tree or graph";

/// The split of the 20 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFormat {
    /// 9 group, 5 switch of the group, 6 port.
    Dragonfly,
    /// 14 switch, 6 port.
    FatTree,
}

/// The reason why an object has no fabric address, or a text is not one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// A field is too large for its bits.
    #[error("{field} {value} does not fit the {format} fabric address; 0 to {last} would work")]
    Field {
        /// "group", "switch", "port" or "NID".
        field: &'static str,
        /// Value asked for.
        value: u32,
        /// "dragonfly", "fat tree or graph" or "20-bit".
        format: &'static str,
        /// The largest that fits.
        last: u32,
    },
    /// More groups than a dragonfly can address.
    #[error(
        "{groups} groups do not fit 9 bits: the largest addressable group count is {ADDRESSABLE_GROUPS_MAX}; \
         fewer, larger groups would work (the topology itself is valid)"
    )]
    Groups {
        /// Groups of the topology.
        groups: u32,
    },
    /// A MAC that is not an algorithmic one.
    #[error("{mac} is not an algorithmic MAC; 02:00:00:00:00:00 to 02:00:00:0f:ff:ff would work")]
    NotAlgorithmic {
        /// The address.
        mac: MacAddress,
    },
}

/// The address of an edge port and of the NIC behind it: 20 bits, equal to its NID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FabricAddress(u32);

fn fits(field: &'static str, value: u32, bits: u32, format: &'static str) -> Result<u32, AddressError> {
    let last = (1 << bits) - 1;
    if value <= last { Ok(value) } else { Err(AddressError::Field { field, value, format, last }) }
}

impl FabricAddress {
    /// Of a dragonfly: group, switch of the group, port.
    ///
    /// # Errors
    /// [`AddressError::Field`] if one does not fit its 9, 5 or 6 bits.
    pub fn dragonfly(group: u32, switch: u32, port: u32) -> Result<Self, AddressError> {
        let group_bits = ADDRESS_BITS - GROUP_SWITCH_BITS - PORT_BITS;
        let group = fits("group", group, group_bits, "dragonfly")?;
        let switch = fits("switch", switch, GROUP_SWITCH_BITS, "dragonfly")?;
        let port = fits("port", port, PORT_BITS, "dragonfly")?;
        Ok(Self(group << (GROUP_SWITCH_BITS + PORT_BITS) | switch << PORT_BITS | port))
    }

    /// Of a fat tree: switch, port.
    ///
    /// # Errors
    /// [`AddressError::Field`] if one does not fit its 14 or 6 bits.
    pub fn fat_tree(switch: u32, port: u32) -> Result<Self, AddressError> {
        let switch = fits("switch", switch, ADDRESS_BITS - PORT_BITS, FLAT)?;
        Ok(Self(switch << PORT_BITS | fits("port", port, PORT_BITS, FLAT)?))
    }

    /// From a network id.
    ///
    /// # Errors
    /// [`AddressError::Field`] for 2^20 and above.
    pub fn from_nid(nid: u32) -> Result<Self, AddressError> {
        fits("NID", nid, ADDRESS_BITS, "20-bit").map(Self)
    }

    /// From the MAC of a NIC.
    ///
    /// # Errors
    /// [`AddressError::NotAlgorithmic`] unless it is 02:00:00:0x:xx:xx.
    pub fn from_mac(mac: MacAddress) -> Result<Self, AddressError> {
        match mac.0 {
            [2, 0, 0, high @ 0..=0x0f, middle, low] => Ok(Self(u32::from_be_bytes([0, high, middle, low]))),
            _ => Err(AddressError::NotAlgorithmic { mac }),
        }
    }

    /// The network id: the 20 bits as a number.
    #[must_use]
    pub const fn nid(self) -> u32 {
        self.0
    }

    /// The algorithmic MAC address: 02:00:00:0x:xx:xx.
    #[must_use]
    pub const fn mac(self) -> MacAddress {
        let [_, high, middle, low] = self.0.to_be_bytes();
        MacAddress([2, 0, 0, high, middle, low])
    }

    /// Group, switch of the group, port: of an address of a dragonfly.
    #[must_use]
    pub const fn as_dragonfly(self) -> (GroupId, u32, PortId) {
        let group = self.0 >> (GROUP_SWITCH_BITS + PORT_BITS);
        (GroupId(group), (self.0 >> PORT_BITS) & ((1 << GROUP_SWITCH_BITS) - 1), self.port())
    }

    /// Switch, port: of an address of a fat tree.
    #[must_use]
    pub const fn as_fat_tree(self) -> (SwitchId, PortId) {
        (SwitchId(self.0 >> PORT_BITS), self.port())
    }

    const fn port(self) -> PortId {
        PortId((self.0 & ((1 << PORT_BITS) - 1)) as u8)
    }
}

impl fmt::Display for FabricAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mac())
    }
}

impl Topology {
    /// The split of this system's addresses.
    #[must_use]
    pub const fn address_format(&self) -> AddressFormat {
        match self.shape() {
            TopologyShape::Dragonfly(_) => AddressFormat::Dragonfly,
            TopologyShape::FatTree(_) | TopologyShape::Graph(_) => AddressFormat::FatTree,
        }
    }

    /// The fabric address of an endpoint.
    ///
    /// # Errors
    /// [`AddressError`] if the system is too large for 20 bits; the topology is valid nevertheless.
    pub fn address(&self, endpoint: EndpointId) -> Result<FabricAddress, AddressError> {
        let port = self.endpoint(endpoint).port;
        let (switch, number) = (self.switch_of(port), u32::from(self.port_of(port).0));
        match self.address_format() {
            AddressFormat::Dragonfly => {
                let groups = self.group_count() as u32;
                if groups > ADDRESSABLE_GROUPS_MAX {
                    return Err(AddressError::Groups { groups });
                }
                let group = self.group_of(switch);
                FabricAddress::dragonfly(group.0, switch.0 - self.switches_of(group).start, number)
            }
            AddressFormat::FatTree => FabricAddress::fat_tree(switch.0, number),
        }
    }

    /// The endpoint with a fabric address; `None` if no NIC is attached or no such port exists.
    #[must_use]
    pub fn endpoint_at(&self, address: FabricAddress) -> Option<EndpointId> {
        let (switch, port) = match self.address_format() {
            AddressFormat::Dragonfly => {
                let (group, switch, port) = address.as_dragonfly();
                if group.index() >= self.group_count() {
                    return None;
                }
                let switches = self.switches_of(group);
                let switch = switches.start + switch;
                (switches.contains(&switch).then_some(SwitchId(switch))?, port)
            }
            AddressFormat::FatTree => address.as_fat_tree(),
        };
        if switch.index() >= self.switch_count() || usize::from(port.0) >= self.radix() {
            return None;
        }
        match self.port(self.port_index(switch, port)).peer {
            PortPeer::Endpoint(endpoint) => Some(endpoint),
            PortPeer::None | PortPeer::Port(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DragonflyDescription, FatTreeDescription};
    use proptest::prelude::*;

    #[test]
    fn the_published_example() {
        let mac = "02:00:00:00:07:ea".parse::<MacAddress>().expect("a MAC");
        let address = FabricAddress::from_mac(mac).expect("algorithmic");
        assert_eq!(address.nid(), 2_026);
        assert_eq!(address.as_dragonfly(), (GroupId(0), 31, PortId(42)));
        assert_eq!(FabricAddress::dragonfly(0, 31, 42), Ok(address));
        assert_eq!(address.to_string(), "02:00:00:00:07:ea");
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_would() {
        let refused = |result: Result<FabricAddress, AddressError>| result.expect_err("does not fit").to_string();
        assert_eq!(
            refused(FabricAddress::dragonfly(512, 0, 0)),
            "group 512 does not fit the dragonfly fabric address; 0 to 511 would work"
        );
        assert_eq!(
            refused(FabricAddress::dragonfly(0, 32, 0)),
            "switch 32 does not fit the dragonfly fabric address; 0 to 31 would work"
        );
        assert_eq!(
            refused(FabricAddress::fat_tree(0, 64)),
            "port 64 does not fit the fat tree or graph fabric address; 0 to 63 would work"
        );
        assert_eq!(
            refused(FabricAddress::from_nid(1 << 20)),
            "NID 1048576 does not fit the 20-bit fabric address; 0 to 1048575 would work"
        );
        let mac = MacAddress([2, 0xfe, 0, 0, 0, 1]);
        assert_eq!(
            refused(FabricAddress::from_mac(mac)),
            "02:fe:00:00:00:01 is not an algorithmic MAC; 02:00:00:00:00:00 to 02:00:00:0f:ff:ff would work"
        );
        for text in
            ["", "02:00:00:00:07", "02:00:00:00:07:ea:00", "2:0:0:0:7:ea", "02:00:00:00:+7:ea", "02-00-00-00-07-ea"]
        {
            assert!(text.parse::<MacAddress>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_topology_with_too_many_groups_builds_but_has_no_addresses() {
        let build = |groups| {
            let wiring = DragonflyDescription::uniform(groups, 32, 1, 1);
            Topology::build(&wiring.into()).expect("fits 64 ports")
        };
        let error = build(512).address(EndpointId(0)).expect_err("too many groups");
        assert!(error.to_string().contains("the largest addressable group count is 511"), "{error}");
        let topology = build(511);
        let last = EndpointId::from_index(topology.endpoint_count() - 1);
        let address = topology.address(last).expect("511 groups fit");
        assert_eq!(address.as_dragonfly().0, GroupId(510));
        assert_eq!(topology.endpoint_at(address), Some(last));
    }

    #[test]
    fn every_endpoint_is_found_by_its_address() {
        for description in
            [DragonflyDescription::uniform(5, 4, 3, 2).into(), FatTreeDescription::three_level(3, 4, 4, 4, 2).into()]
        {
            let topology = Topology::build(&description).expect("legal");
            for endpoint in (0..topology.endpoint_count()).map(EndpointId::from_index) {
                let address = topology.address(endpoint).expect("small");
                assert_eq!(topology.endpoint_at(address), Some(endpoint));
            }
            let nowhere = FabricAddress::from_nid((1 << 20) - 1).expect("fits");
            assert_eq!(topology.endpoint_at(nowhere), None);
        }
    }

    proptest! {
        #[test]
        fn addresses_survive_every_round_trip(nid in 0_u32..1 << 20) {
            let address = FabricAddress::from_nid(nid).expect("20 bits");
            let text = address.mac().to_string();
            let mac = text.parse::<MacAddress>().expect("printed by us");
            prop_assert_eq!(FabricAddress::from_mac(mac), Ok(address));
            let (group, switch, port) = address.as_dragonfly();
            prop_assert_eq!(FabricAddress::dragonfly(group.0, switch, u32::from(port.0)), Ok(address));
            let (switch, port) = address.as_fat_tree();
            prop_assert_eq!(FabricAddress::fat_tree(switch.0, u32::from(port.0)), Ok(address));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,24}") {
            let _ = text.parse::<MacAddress>();
        }
    }
}
