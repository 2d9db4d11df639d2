//! Forms of fabric addresses outside the fabric: MACs of NICs, MACs in LLDP, 32-bit addresses,
//! process numbers.
//!
//! [`philae_topology::FabricAddress`] has the 20 bits. This module adds the parts around them:
//!
//! ```text
//! NIC     02:00:00:0x:xx:xx     06:00:00:0x:xx:xx where the base prefix is 06
//! LLDP    02:fe:00:0x:xx:xx     what a switch calls itself and its port on a link
//! DFA     group << 23 | switch << 18 | port << 12 | endpoint: the 20 bits, and 12 for processes
//! ```
//! Source: shs-docs and CSM's documentation; the prefix 06 is that of the 400 Gb/s generation.
//! Status: published.

use philae_topology::{AddressError, FabricAddress, MacAddress};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Process numbers of a NIC that are allocated at a time. Source: shs-docs. Status: published.
pub const PID_GRANULE: u32 = 256;

/// Bits of a 32-bit address below the port. Source: shs-docs. Status: published.
pub const ENDPOINT_BITS: u32 = 12;

/// The second byte of the MACs in LLDP. Source: CSM's documentation. Status: published.
const LLDP_MARK: u8 = 0xfe;

/// The first byte of algorithmic MACs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MacPrefix {
    /// 02: the default of systems.
    #[default]
    #[serde(rename = "02")]
    Two,
    /// 06: possible since the 400 Gb/s generation.
    #[serde(rename = "06")]
    Six,
}

/// The form of an algorithmic MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MacForm {
    /// The MAC of a NIC.
    Nic,
    /// The MAC of a switch port in LLDP.
    Lldp,
}

/// Why a number or a MAC has no fabric address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MacError {
    /// The MAC does not follow the algorithm.
    #[error(
        "{mac} is not an algorithmic MAC; 02 or 06, then 00:00 (of a NIC) or fe:00 (in LLDP), then 00:00:00 to \
         0f:ff:ff would work"
    )]
    NotAlgorithmic { mac: MacAddress },
    /// The endpoint number exceeds 12 bits.
    #[error("endpoint {endpoint} does not fit the 12 low bits of a fabric address; 0 to 4095 would work")]
    Endpoint {
        /// The number asked for.
        endpoint: u32,
    },
    /// The address exceeds 20 bits.
    #[error(transparent)]
    Address(#[from] AddressError),
}

impl MacPrefix {
    const fn byte(self) -> u8 {
        match self {
            Self::Two => 0x02,
            Self::Six => 0x06,
        }
    }

    /// The MAC of the NIC with this address.
    #[must_use]
    pub const fn nic_mac(self, address: FabricAddress) -> MacAddress {
        let MacAddress([_, rest @ ..]) = address.mac();
        MacAddress([self.byte(), rest[0], rest[1], rest[2], rest[3], rest[4]])
    }

    /// The MAC by which the switch names the port with this address in LLDP.
    #[must_use]
    pub const fn lldp_mac(self, address: FabricAddress) -> MacAddress {
        let MacAddress([_, _, rest @ ..]) = address.mac();
        MacAddress([self.byte(), LLDP_MARK, rest[0], rest[1], rest[2], rest[3]])
    }
}

/// The address in an algorithmic MAC of either form.
///
/// # Errors
/// [`MacError::NotAlgorithmic`].
pub fn read_mac(mac: MacAddress) -> Result<(FabricAddress, MacPrefix, MacForm), MacError> {
    let refused = || MacError::NotAlgorithmic { mac };
    let [first, mark, rest @ ..] = mac.0;
    let prefix = match first {
        0x02 => MacPrefix::Two,
        0x06 => MacPrefix::Six,
        _ => return Err(refused()),
    };
    let form = match mark {
        0 => MacForm::Nic,
        LLDP_MARK => MacForm::Lldp,
        _ => return Err(refused()),
    };
    let plain = MacAddress([0x02, 0, rest[0], rest[1], rest[2], rest[3]]);
    FabricAddress::from_mac(plain).map(|address| (address, prefix, form)).map_err(|_| refused())
}

/// The 32-bit address of an endpoint (a process, by number) behind a port.
///
/// # Errors
/// [`MacError::Endpoint`] for 4,096 and above.
pub const fn dfa(address: FabricAddress, endpoint: u32) -> Result<u32, MacError> {
    if endpoint >> ENDPOINT_BITS != 0 {
        return Err(MacError::Endpoint { endpoint });
    }
    Ok(address.nid() << ENDPOINT_BITS | endpoint)
}

/// The port and the endpoint of a 32-bit address; every number is valid.
///
/// # Panics
/// Never: 32 - 12 bits fit into 20.
#[must_use]
pub fn read_dfa(dfa: u32) -> (FabricAddress, u32) {
    let address = FabricAddress::from_nid(dfa >> ENDPOINT_BITS).expect("20 bits are left");
    (address, dfa & ((1 << ENDPOINT_BITS) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_units::{GroupId, PortId};
    use proptest::prelude::*;

    fn mac(text: &str) -> MacAddress {
        text.parse().expect("a MAC")
    }

    #[test]
    fn the_golden_vectors() {
        let (one, prefix, form) = read_mac(mac("02:00:00:00:07:ea")).expect("published");
        assert_eq!((prefix, form, one.nid()), (MacPrefix::Two, MacForm::Nic, 2_026));
        assert_eq!(one.as_dragonfly(), (GroupId(0), 31, PortId(42)));
        let (other, ..) = read_mac(mac("02:00:00:05:42:b1")).expect("published");
        assert_eq!(other.nid(), 344_753);
        assert_eq!(other.as_dragonfly(), (GroupId(168), 10, PortId(49)));
        assert_eq!(FabricAddress::dragonfly(168, 10, 49), Ok(other));
        assert_eq!(dfa(other, 0), Ok(168 << 23 | 10 << 18 | 49 << 12));
        assert_eq!(MacPrefix::Two.lldp_mac(other), mac("02:fe:00:05:42:b1"));
        assert_eq!(MacPrefix::Six.nic_mac(one), mac("06:00:00:00:07:ea"));
    }

    #[test]
    fn what_holds_no_address_is_refused() {
        for text in ["02:01:00:00:00:01", "03:00:00:00:00:01", "02:fe:01:00:00:01", "06:00:00:10:00:00"] {
            assert!(read_mac(mac(text)).expect_err(text).to_string().starts_with(text));
        }
        let address = FabricAddress::from_nid(1).expect("fits");
        assert_eq!(
            dfa(address, 4_096).expect_err("13 bits").to_string(),
            "endpoint 4096 does not fit the 12 low bits of a fabric address; 0 to 4095 would work"
        );
    }

    proptest! {
        #[test]
        fn every_address_comes_back(nid in 0_u32..1 << 20, endpoint in 0_u32..1 << 12, six in any::<bool>()) {
            let address = FabricAddress::from_nid(nid).expect("20 bits");
            let prefix = if six { MacPrefix::Six } else { MacPrefix::Two };
            prop_assert_eq!(read_mac(prefix.nic_mac(address)), Ok((address, prefix, MacForm::Nic)));
            prop_assert_eq!(read_mac(prefix.lldp_mac(address)), Ok((address, prefix, MacForm::Lldp)));
            prop_assert_eq!(read_dfa(dfa(address, endpoint).expect("fits")), (address, endpoint));
        }

        #[test]
        fn no_mac_has_two_meanings(bytes in any::<[u8; 6]>()) {
            if let Ok((address, prefix, form)) = read_mac(MacAddress(bytes)) {
                let again = match form {
                    MacForm::Nic => prefix.nic_mac(address),
                    MacForm::Lldp => prefix.lldp_mac(address),
                };
                prop_assert_eq!(again, MacAddress(bytes));
            }
        }
    }
}
