//! The numbers that name the next header: in an Ethernet header and in an IP header.

use std::fmt;

/// The contents of an Ethernet frame, or of a tag in it. At least 0x600; smaller values are lengths
/// and not Ethernet II.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EtherType(pub u16);

impl EtherType {
    /// The minimum: smaller values are IEEE 802.3 lengths.
    ///
    /// Source: IEEE 802.3. Status: published.
    pub const MIN: Self = Self(0x0600);
    /// IPv4. Source: IEEE 802 numbers (IANA). Status: published.
    pub const IPV4: Self = Self(0x0800);
    /// IPv6. Source: IEEE 802 numbers (IANA). Status: published.
    pub const IPV6: Self = Self(0x86dd);
    /// 802.1Q tag. Source: IEEE 802.1Q. Status: published.
    pub const VLAN: Self = Self(0x8100);
    /// MAC control: pause and PFC. Source: IEEE 802.3 annex 31A. Status: published.
    pub const MAC_CONTROL: Self = Self(0x8808);
    /// LLDP. Source: IEEE 802.1AB. Status: published.
    pub const LLDP: Self = Self(0x88cc);
    /// First number for local experiments: our fabric header on a link with an L2 header.
    ///
    /// Source: the number: IEEE 802; the use: ours. Status: assumed.
    pub const LOCAL_EXPERIMENTAL_1: Self = Self(0x88b5);
    /// Control frames of link-level retry (IEEE: second number for local experiments).
    ///
    /// Source: cassini-headers, default of the control ethertype. Status: published.
    pub const LINK_RETRY: Self = Self(0x88b6);
    /// FGFC (IEEE: OUI extended ethertype, so an OUI and a protocol number follow).
    ///
    /// Source: cassini-headers. Status: published.
    pub const FLOW_CONTROL: Self = Self(0x88b7);
}

impl fmt::Display for EtherType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}", self.0)
    }
}

/// The contents of an IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IpProtocol(pub u8);

impl IpProtocol {
    /// TCP. Source: IANA protocol numbers. Status: published.
    pub const TCP: Self = Self(6);
    /// UDP. Source: IANA protocol numbers. Status: published.
    pub const UDP: Self = Self(17);
    /// First number for experiments: our fabric header uses it, so that an IPv4 tool shows data.
    ///
    /// Source: the number: RFC 3692; the use: ours. Status: assumed.
    pub const FABRIC: Self = Self(253);
    /// The same number: UET without UDP. No number is assigned to UET; this one is the default of
    /// the reference provider.
    ///
    /// Source: reference provider of Ultra Ethernet; the number: RFC 3692. Status: published.
    pub const UET: Self = Self(253);
}

impl fmt::Display for IpProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
