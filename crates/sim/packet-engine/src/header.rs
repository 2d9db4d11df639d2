//! One header of a packet: a value of `wire`, with access to its fields by name.

use crate::field::{FieldName, HeaderKind, mac_of, mac_value};
use philae_wire::hpc_ethernet::fabric;
use philae_wire::tcp::Flags;
use philae_wire::{
    Dfa, Dscp, Ecn, Framing, Priority, PseudoHeader, QueuePair, VlanId, VxlanId, WireError, WireLayer, ethernet, ipv4,
    roce, tcp, udp, vlan, vxlan,
};
use std::net::Ipv4Addr;

/// A TCP header that owns its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tcp {
    source_port: u16,
    destination_port: u16,
    sequence: u32,
    acknowledgement: u32,
    flags: Flags,
    window: u16,
    urgent: u16,
    options: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineHeader {
    /// Ethernet, without its payload.
    Ethernet(ethernet::EthernetRepr),
    /// 802.1Q tag.
    Vlan(vlan::VlanRepr),
    Ipv4(ipv4::Ipv4Repr),
    Udp(udp::UdpRepr),
    Tcp(Tcp),
    /// RoCEv2.
    Roce(roce::RoceRepr),
    Vxlan(vxlan::VxlanRepr),
    /// Fabric header.
    Fabric(fabric::FabricRepr),
}

/// A header that was read, and its claims about the bytes after it.
pub(crate) struct ParsedHeader {
    pub header: EngineHeader,
    /// Bytes of the header.
    pub length: usize,
    /// Bytes of its content.
    pub inside: usize,
    /// Bytes after the content that belong to the header: RoCEv2's pad and ICRC.
    pub footer: usize,
    /// Whether another header may follow.
    pub goes_on: bool,
}

impl EngineHeader {
    /// Reads a header of `kind` at the beginning of `bytes`. `addresses` are those of the IPv4
    /// header before it.
    pub(crate) fn read(
        kind: HeaderKind,
        bytes: &[u8],
        addresses: Option<PseudoHeader>,
    ) -> Result<ParsedHeader, WireError> {
        let whole = |header, length: usize| ParsedHeader {
            header,
            length,
            inside: bytes.len() - length,
            footer: 0,
            goes_on: true,
        };
        // The graph allows UDP and TCP only after IPv4.
        let addresses =
            addresses.unwrap_or(PseudoHeader { source: Ipv4Addr::UNSPECIFIED, destination: Ipv4Addr::UNSPECIFIED });
        Ok(match kind {
            HeaderKind::Ethernet => {
                let frame = ethernet::EthernetFrame::new(bytes, Framing::Bare)?;
                whole(Self::Ethernet(ethernet::EthernetRepr::parse(&frame)?), ethernet::HEADER_LEN)
            }
            HeaderKind::Vlan => {
                whole(Self::Vlan(vlan::VlanRepr::parse(&vlan::VlanTag::new(bytes)?)?), vlan::HEADER_LEN)
            }
            HeaderKind::Ipv4 => {
                let packet = ipv4::Ipv4Packet::new(bytes)?;
                let header = Self::Ipv4(ipv4::Ipv4Repr::parse(&packet)?);
                let inside = packet.payload().len();
                ParsedHeader { inside, goes_on: !packet.is_fragment(), ..whole(header, ipv4::HEADER_LEN) }
            }
            HeaderKind::Udp => {
                let datagram = udp::UdpDatagram::new(bytes)?;
                let header = Self::Udp(udp::UdpRepr::parse(&datagram, addresses)?);
                ParsedHeader { inside: datagram.payload().len(), ..whole(header, udp::HEADER_LEN) }
            }
            HeaderKind::Tcp => {
                let segment = tcp::TcpSegment::new(bytes)?;
                let found = tcp::TcpRepr::parse(&segment, addresses)?;
                whole(Self::Tcp(Tcp::of(&found)), segment.header_len())
            }
            HeaderKind::Roce => {
                let packet = roce::RocePacket::new(bytes)?;
                let header = Self::Roce(roce::RoceRepr::parse(&packet)?);
                let (length, inside) = (packet.header_len(), packet.payload().len());
                ParsedHeader { header, length, inside, footer: bytes.len() - length - inside, goes_on: true }
            }
            HeaderKind::Vxlan => {
                whole(Self::Vxlan(vxlan::VxlanRepr::parse(&vxlan::VxlanPacket::new(bytes)?)?), vxlan::HEADER_LEN)
            }
            HeaderKind::Fabric => {
                let packet = fabric::FabricPacket::new(bytes)?;
                let header = Self::Fabric(fabric::FabricRepr::parse(&packet)?);
                ParsedHeader { inside: packet.payload().len(), ..whole(header, fabric::HEADER_LEN) }
            }
        })
    }

    /// Which header it is.
    #[must_use]
    pub const fn kind(&self) -> HeaderKind {
        match self {
            Self::Ethernet(_) => HeaderKind::Ethernet,
            Self::Vlan(_) => HeaderKind::Vlan,
            Self::Ipv4(_) => HeaderKind::Ipv4,
            Self::Udp(_) => HeaderKind::Udp,
            Self::Tcp(_) => HeaderKind::Tcp,
            Self::Roce(_) => HeaderKind::Roce,
            Self::Vxlan(_) => HeaderKind::Vxlan,
            Self::Fabric(_) => HeaderKind::Fabric,
        }
    }

    /// Bytes before its content.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Ethernet(header) => header.header_len(),
            Self::Vlan(header) => header.header_len(),
            Self::Ipv4(header) => header.header_len(),
            Self::Udp(header) => header.header_len(),
            Self::Tcp(header) => tcp::HEADER_MIN + header.options.len(),
            Self::Roce(header) => header.header_len(),
            Self::Vxlan(header) => header.header_len(),
            Self::Fabric(header) => header.header_len(),
        }
    }

    /// Writes the header at the beginning of `buffer`, before `inside` bytes of content.
    pub(crate) fn emit(
        &self,
        buffer: &mut [u8],
        inside: usize,
        addresses: Option<PseudoHeader>,
    ) -> Result<(), WireError> {
        match self {
            Self::Ethernet(header) => header.emit(buffer, inside),
            Self::Vlan(header) => header.emit(buffer, inside),
            Self::Ipv4(header) => header.emit(buffer, inside),
            Self::Udp(header) => {
                let checksum = match (header.checksum, addresses) {
                    (udp::Checksum::Over(_), Some(addresses)) => udp::Checksum::Over(addresses),
                    (checksum, _) => checksum,
                };
                udp::UdpRepr { checksum, ..*header }.emit(buffer, inside)
            }
            Self::Tcp(header) => header.emit(buffer, inside, addresses),
            Self::Roce(header) => header.emit(buffer, inside),
            Self::Vxlan(header) => header.emit(buffer, inside),
            Self::Fabric(header) => header.emit(buffer, inside),
        }
    }

    /// The value of a field.
    #[must_use]
    pub fn get(&self, name: FieldName) -> Option<u64> {
        Some(match (self, name) {
            (Self::Ethernet(header), FieldName::EthDst) => mac_value(header.destination),
            (Self::Ethernet(header), FieldName::EthSrc) => mac_value(header.source),
            (Self::Ethernet(header), FieldName::EthType) => header.ethertype.0.into(),
            (Self::Vlan(header), FieldName::VlanId) => header.vlan.get().into(),
            (Self::Vlan(header), FieldName::VlanPcp) => header.priority.get().into(),
            (Self::Vlan(header), FieldName::VlanDei) => header.drop_eligible.into(),
            (Self::Vlan(header), FieldName::VlanType) => header.ethertype.0.into(),
            (Self::Ipv4(header), FieldName::IpSrc) => u32::from(header.source).into(),
            (Self::Ipv4(header), FieldName::IpDst) => u32::from(header.destination).into(),
            (Self::Ipv4(header), FieldName::IpProto) => header.protocol.0.into(),
            (Self::Ipv4(header), FieldName::IpDscp) => header.dscp.get().into(),
            (Self::Ipv4(header), FieldName::IpEcn) => header.ecn as u64,
            (Self::Ipv4(header), FieldName::IpTtl) => header.time_to_live.into(),
            (Self::Udp(header), FieldName::L4Sport) => header.source_port.into(),
            (Self::Udp(header), FieldName::L4Dport) => header.destination_port.into(),
            (Self::Tcp(header), FieldName::L4Sport) => header.source_port.into(),
            (Self::Tcp(header), FieldName::L4Dport) => header.destination_port.into(),
            (Self::Tcp(header), FieldName::TcpFlags) => header.flags.0.into(),
            (Self::Roce(header), FieldName::RoceOpcode) => header.opcode.code().into(),
            (Self::Roce(header), FieldName::RoceDestQp) => header.queue_pair.get().into(),
            (Self::Roce(header), FieldName::RocePkey) => header.partition_key.into(),
            (Self::Vxlan(header), FieldName::VxlanVni) => header.vni.get().into(),
            (Self::Fabric(header), FieldName::FabricVni) => header.vni.into(),
            (Self::Fabric(header), FieldName::FabricSrc) => header.source.address.get().into(),
            (Self::Fabric(header), FieldName::FabricDst) => header.destination.address.get().into(),
            (Self::Fabric(header), FieldName::FabricDscp) => header.dscp.get().into(),
            _ => return None,
        })
    }

    /// Sets a field to a value that fits. Returns `false` if the header does not have the field.
    pub(crate) fn set(&mut self, name: FieldName, value: u64) -> bool {
        match (self, name) {
            (Self::Ethernet(header), FieldName::EthDst) => header.destination = mac_of(value),
            (Self::Ethernet(header), FieldName::EthSrc) => header.source = mac_of(value),
            (Self::Vlan(header), FieldName::VlanId) => header.vlan = VlanId::from_low_bits(value as u16),
            (Self::Vlan(header), FieldName::VlanPcp) => header.priority = Priority::from_low_bits(value as u8),
            (Self::Vlan(header), FieldName::VlanDei) => header.drop_eligible = value & 1 != 0,
            (Self::Ipv4(header), FieldName::IpSrc) => header.source = Ipv4Addr::from(value as u32),
            (Self::Ipv4(header), FieldName::IpDst) => header.destination = Ipv4Addr::from(value as u32),
            (Self::Ipv4(header), FieldName::IpDscp) => header.dscp = Dscp::from_low_bits(value as u8),
            (Self::Ipv4(header), FieldName::IpEcn) => header.ecn = Ecn::from_low_bits(value as u8),
            (Self::Ipv4(header), FieldName::IpTtl) => header.time_to_live = value as u8,
            (Self::Udp(header), FieldName::L4Sport) => header.source_port = value as u16,
            (Self::Udp(header), FieldName::L4Dport) => header.destination_port = value as u16,
            (Self::Tcp(header), FieldName::L4Sport) => header.source_port = value as u16,
            (Self::Tcp(header), FieldName::L4Dport) => header.destination_port = value as u16,
            (Self::Tcp(header), FieldName::TcpFlags) => header.flags = Flags(value as u16 & 0x0fff),
            (Self::Roce(header), FieldName::RoceDestQp) => header.queue_pair = QueuePair::from_low_bits(value as u32),
            (Self::Roce(header), FieldName::RocePkey) => header.partition_key = value as u16,
            (Self::Vxlan(header), FieldName::VxlanVni) => header.vni = VxlanId::from_low_bits(value as u32),
            (Self::Fabric(header), FieldName::FabricVni) => header.vni = value as u16,
            (Self::Fabric(header), FieldName::FabricSrc) => header.source.address = Dfa::from_low_bits(value as u32),
            (Self::Fabric(header), FieldName::FabricDst) => {
                header.destination.address = Dfa::from_low_bits(value as u32)
            }
            (Self::Fabric(header), FieldName::FabricDscp) => header.dscp = Dscp::from_low_bits(value as u8),
            _ => return false,
        }
        true
    }
}

impl Tcp {
    fn of(found: &tcp::TcpRepr<'_>) -> Self {
        Self {
            source_port: found.source_port,
            destination_port: found.destination_port,
            sequence: found.sequence,
            acknowledgement: found.acknowledgement,
            flags: found.flags,
            window: found.window,
            urgent: found.urgent,
            options: found.options.to_vec(),
        }
    }

    fn emit(&self, buffer: &mut [u8], inside: usize, addresses: Option<PseudoHeader>) -> Result<(), WireError> {
        let addresses =
            addresses.unwrap_or(PseudoHeader { source: Ipv4Addr::UNSPECIFIED, destination: Ipv4Addr::UNSPECIFIED });
        let header = tcp::TcpRepr {
            addresses,
            source_port: self.source_port,
            destination_port: self.destination_port,
            sequence: self.sequence,
            acknowledgement: self.acknowledgement,
            flags: self.flags,
            window: self.window,
            urgent: self.urgent,
            options: &self.options,
        };
        header.emit(buffer, inside)
    }
}
