//! The fields that keys and actions name: of the outer headers, of the headers inside a VXLAN
//! tunnel, and metadata.

use crate::error::{EngineError, hint};
use philae_wire::MacAddress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::Ipv4Addr;

/// A kind of header that the parser can take out of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HeaderKind {
    /// Ethernet, without frame check sequence.
    Ethernet,
    /// One 802.1Q tag.
    Vlan,
    /// IPv4 without options.
    Ipv4,
    /// UDP.
    Udp,
    /// TCP.
    Tcp,
    /// All headers of RoCEv2.
    Roce,
    /// VXLAN.
    Vxlan,
    /// The fabric header of HPC Ethernet.
    Fabric,
}

impl HeaderKind {
    /// The name in the parser's tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ethernet => "ethernet",
            Self::Vlan => "vlan",
            Self::Ipv4 => "ipv4",
            Self::Udp => "udp",
            Self::Tcp => "tcp",
            Self::Roce => "roce",
            Self::Vxlan => "vxlan",
            Self::Fabric => "fabric",
        }
    }

    /// The headers that it may follow; an Ethernet header may also start a frame.
    #[must_use]
    pub const fn may_follow(self) -> &'static [Self] {
        match self {
            Self::Ethernet => &[Self::Vxlan],
            Self::Vlan | Self::Ipv4 | Self::Fabric => &[Self::Ethernet, Self::Vlan],
            Self::Udp | Self::Tcp => &[Self::Ipv4],
            Self::Roce | Self::Vxlan => &[Self::Udp],
        }
    }
}

/// Where a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldLayer {
    /// The frame's own headers: up to the VXLAN header, if there is one.
    Outer,
    /// The headers after the VXLAN header.
    Inner,
    /// Metadata: facts about a packet that are not in its frame.
    Meta,
}

/// The textual form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Number,
    Mac,
    Ip,
    Class,
    Direction,
}

macro_rules! fields {
    ($($(#[$meta:meta])* $name:ident, $text:literal, $bits:literal, $header:expr, $form:ident;)*) => {
        /// A field's name, without its layer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum FieldName {
            $($(#[$meta])* $name,)*
        }

        impl FieldName {
            const ALL: &'static [Self] = &[$(Self::$name,)*];

            const fn row(self) -> (&'static str, u32, &'static [HeaderKind], Form) {
                match self {
                    $(Self::$name => ($text, $bits, $header, Form::$form),)*
                }
            }
        }
    };
}

fields! {
    /// Destination address of Ethernet: 48 bits.
    EthDst, "eth.dst", 48, &[HeaderKind::Ethernet], Mac;
    /// Source address of Ethernet: 48 bits.
    EthSrc, "eth.src", 48, &[HeaderKind::Ethernet], Mac;
    /// What follows the Ethernet header (0x8100 where a tag does): 16 bits.
    EthType, "eth.type", 16, &[HeaderKind::Ethernet], Number;
    /// VLAN of the outermost tag: 12 bits.
    VlanId, "vlan.id", 12, &[HeaderKind::Vlan], Number;
    /// Priority of the outermost tag: 3 bits.
    VlanPcp, "vlan.pcp", 3, &[HeaderKind::Vlan], Number;
    /// Drop eligibility of the outermost tag: 1 bit.
    VlanDei, "vlan.dei", 1, &[HeaderKind::Vlan], Number;
    /// What follows the tag: 16 bits.
    VlanType, "vlan.type", 16, &[HeaderKind::Vlan], Number;
    /// Source address: 32 bits.
    IpSrc, "ip.src", 32, &[HeaderKind::Ipv4], Ip;
    /// Destination address: 32 bits.
    IpDst, "ip.dst", 32, &[HeaderKind::Ipv4], Ip;
    /// Number of the protocol in the IPv4 payload: 8 bits.
    IpProto, "ip.proto", 8, &[HeaderKind::Ipv4], Number;
    /// Differentiated services code point: 6 bits.
    IpDscp, "ip.dscp", 6, &[HeaderKind::Ipv4], Number;
    /// Congestion notification: 2 bits.
    IpEcn, "ip.ecn", 2, &[HeaderKind::Ipv4], Number;
    /// Time to live, in hops: 8 bits.
    IpTtl, "ip.ttl", 8, &[HeaderKind::Ipv4], Number;
    /// Source port of UDP or TCP: 16 bits.
    L4Sport, "l4.sport", 16, &[HeaderKind::Udp, HeaderKind::Tcp], Number;
    /// Destination port of UDP or TCP: 16 bits.
    L4Dport, "l4.dport", 16, &[HeaderKind::Udp, HeaderKind::Tcp], Number;
    /// Flags of TCP: 12 bits.
    TcpFlags, "tcp.flags", 12, &[HeaderKind::Tcp], Number;
    /// Operation code of a RoCEv2 packet: 8 bits.
    RoceOpcode, "roce.opcode", 8, &[HeaderKind::Roce], Number;
    /// Destination queue pair: 24 bits.
    RoceDestQp, "roce.dest_qp", 24, &[HeaderKind::Roce], Number;
    /// Partition key: 16 bits.
    RocePkey, "roce.pkey", 16, &[HeaderKind::Roce], Number;
    /// VXLAN network identifier: 24 bits.
    VxlanVni, "vxlan.vni", 24, &[HeaderKind::Vxlan], Number;
    /// VNI of the fabric header: 16 bits.
    FabricVni, "fabric.vni", 16, &[HeaderKind::Fabric], Number;
    /// Fabric address of the sender: 20 bits.
    FabricSrc, "fabric.src", 20, &[HeaderKind::Fabric], Number;
    /// Fabric address of the receiver: 20 bits.
    FabricDst, "fabric.dst", 20, &[HeaderKind::Fabric], Number;
    /// Code point of the fabric header: 6 bits.
    FabricDscp, "fabric.dscp", 6, &[HeaderKind::Fabric], Number;
    /// Switch: 32 bits.
    MetaSwitch, "meta.switch", 32, &[], Number;
    /// Edge port of the switch: 8 bits.
    MetaPort, "meta.port", 8, &[], Number;
    /// Traffic class, by number or name: 8 bits.
    MetaClass, "meta.class", 8, &[], Class;
    /// Virtual network: 24 bits; 0 for none.
    MetaVni, "meta.vni", 24, &[], Number;
    /// Endpoint behind the edge port: 32 bits.
    MetaEndpoint, "meta.endpoint", 32, &[], Number;
    /// 0 or "ingress", 1 or "egress".
    MetaDirection, "meta.direction", 1, &[], Direction;
    /// 1 if a header that the parser expected is invalid, or is deeper than it reads: 1 bit.
    MetaMalformed, "meta.malformed", 1, &[], Number;
}

impl FieldName {
    /// The name without a layer prefix.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.row().0
    }

    /// Width in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.row().1
    }

    /// The headers that have the field; empty for metadata.
    #[must_use]
    pub const fn headers(self) -> &'static [HeaderKind] {
        self.row().2
    }

    /// The largest value.
    #[must_use]
    pub const fn max(self) -> u64 {
        (1 << self.bits()) - 1
    }

    /// Whether an action may write the field. Types, opcodes and the set of headers depend on each
    /// other, so actions may not change those.
    pub(crate) const fn is_writable(self) -> bool {
        !matches!(
            self,
            Self::EthType
                | Self::VlanType
                | Self::IpProto
                | Self::RoceOpcode
                | Self::MetaSwitch
                | Self::MetaPort
                | Self::MetaEndpoint
                | Self::MetaDirection
                | Self::MetaMalformed
        )
    }
}

/// A field of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    /// The layer of its header.
    pub layer: FieldLayer,
    /// The field's name.
    pub name: FieldName,
}

impl Field {
    /// A field of the outer headers, or metadata.
    #[must_use]
    pub const fn of(name: FieldName) -> Self {
        let layer = if name.headers().is_empty() { FieldLayer::Meta } else { FieldLayer::Outer };
        Self { layer, name }
    }

    /// Reads a name such as `ip.src`, `inner.roce.dest_qp` or `meta.vni`.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        let (inner, plain) = text.strip_prefix("inner.").map_or((false, text), |rest| (true, rest));
        let name = *FieldName::ALL.iter().find(|name| name.text() == plain)?;
        let meta = name.headers().is_empty();
        match (inner, meta) {
            (true, true) => None,
            (true, false) => Some(Self { layer: FieldLayer::Inner, name }),
            (false, _) => Some(Self::of(name)),
        }
    }

    /// All fields.
    pub fn all() -> impl Iterator<Item = Self> {
        let inner =
            |name: &FieldName| (!name.headers().is_empty()).then_some(Self { layer: FieldLayer::Inner, name: *name });
        FieldName::ALL.iter().map(|name| Self::of(*name)).chain(FieldName::ALL.iter().filter_map(inner))
    }

    /// Like [`find`](Self::find), but with an error that names `place` and the most similar field.
    pub(crate) fn named(text: &str, place: &str) -> Result<Self, EngineError> {
        Self::find(text).ok_or_else(|| {
            let names: Vec<String> = Self::all().map(|field| field.to_string()).collect();
            EngineError::UnknownField { place: place.to_owned(), found: text.to_owned(), hint: hint(text, &names) }
        })
    }

    /// Reads one value: a number, or text in the field's own form.
    pub(crate) fn value(self, text: &str, classes: &[String]) -> Result<u64, String> {
        let found = match self.name.row().3 {
            Form::Mac => text.parse().ok().map(mac_value),
            Form::Ip => text.parse::<Ipv4Addr>().ok().map(|address| u64::from(u32::from(address))),
            Form::Class => classes.iter().position(|class| class == text).map(|index| index as u64),
            Form::Direction => match text {
                "ingress" => Some(0),
                "egress" => Some(1),
                _ => None,
            },
            Form::Number => None,
        };
        let number = || match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let value = found.or_else(number).filter(|value| self.admits(*value, classes));
        value.ok_or_else(|| self.what_works(classes))
    }

    /// Whether a number is a valid value of the field.
    pub(crate) fn admits(self, value: u64, classes: &[String]) -> bool {
        let a_class = self.name != FieldName::MetaClass || classes.is_empty() || value < classes.len() as u64;
        value <= self.name.max() && a_class
    }

    /// The values that would work.
    pub(crate) fn what_works(self, classes: &[String]) -> String {
        let range = format!("0 to {}", self.name.max());
        match self.name.row().3 {
            Form::Number => format!("{range} would work"),
            Form::Mac => "an address such as \"02:00:00:00:07:ea\" would work".to_owned(),
            Form::Ip => "an address such as \"10.0.0.1\" would work".to_owned(),
            Form::Class if classes.is_empty() => format!("{range} would work"),
            Form::Class => format!("a class or its number would work: {}", classes.join(", ")),
            Form::Direction => "\"ingress\" or \"egress\" would work".to_owned(),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = if self.layer == FieldLayer::Inner { "inner." } else { "" };
        write!(f, "{inner}{}", self.name.text())
    }
}

/// An Ethernet address as a number.
#[must_use]
pub fn mac_value(address: MacAddress) -> u64 {
    address.0.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// The low 48 bits as an Ethernet address.
#[must_use]
pub fn mac_of(value: u64) -> MacAddress {
    let [_, _, bytes @ ..] = value.to_be_bytes();
    MacAddress(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for field in Field::all() {
            assert_eq!(Field::find(&field.to_string()), Some(field));
        }
        assert_eq!(Field::all().count(), 24 * 2 + 7);
    }

    #[test]
    fn an_unknown_field_is_answered_with_the_nearest() {
        let error = Field::named("inner.roce.dst_qp", "table 'acl'").unwrap_err().to_string();
        assert!(error.starts_with("table 'acl': no field is named `inner.roce.dst_qp`"), "{error}");
        assert!(error.contains("did you mean `inner.roce.dest_qp`?"), "{error}");
        assert!(Field::find("inner.meta.port").is_none());
    }

    #[test]
    fn values_are_read_in_the_fields_own_form() {
        let value = |field: &str, text: &str| Field::find(field).unwrap().value(text, &["LL".to_owned()]);
        assert_eq!(value("eth.dst", "02:00:00:00:07:ea"), Ok(0x0200_0000_07ea));
        assert_eq!(value("ip.src", "10.0.0.1"), Ok(0x0a00_0001));
        assert_eq!(value("l4.dport", "0x12b7"), Ok(4_791));
        assert_eq!(value("meta.class", "LL"), Ok(0));
        assert_eq!(value("meta.direction", "egress"), Ok(1));
        assert_eq!(value("vlan.id", "4096"), Err("0 to 4095 would work".to_owned()));
        assert!(value("meta.class", "BE").unwrap_err().contains("LL"));
    }

    #[test]
    fn an_address_is_a_number_and_back() {
        let address = MacAddress([2, 0, 0, 1, 2, 3]);
        assert_eq!(mac_of(mac_value(address)), address);
    }
}
