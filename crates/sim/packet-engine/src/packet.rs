//! A packet in the pipeline: its headers as values over the bytes of its frame, and their
//! conversion back to bytes.
//!
//! Headers that no action changes keep their bytes. `wire` writes changed headers and those around
//! them again, with lengths, IPv4's checksum, checksums of UDP and TCP if present, and RoCEv2's
//! ICRC if it was right before. A wrong ICRC stays wrong, because a switch must not make a damaged
//! packet look valid.

use crate::field::{Field, FieldLayer, FieldName, HeaderKind, mac_of};
use crate::header::EngineHeader;
use philae_wire::roce::icrc;
use philae_wire::udp::{Checksum, PORT_VXLAN};
use philae_wire::{
    EtherType, Framing, IpProtocol, MacAddress, Priority, PseudoHeader, VlanId, VxlanId, WireError, ethernet, ipv4,
    udp, vlan, vxlan,
};
use std::net::Ipv4Addr;
use std::ops::Range;

/// Metadata of a packet: facts that are not in its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub switch: u32,
    /// Its edge port: the input port at the ingress, the output port at the egress.
    pub port: u8,
    /// Endpoint behind that port.
    pub endpoint: u32,
    /// Traffic class, by number.
    pub class: u8,
    /// Virtual network, 24 bits; 0 for none.
    pub vni: u32,
}

/// A header and its position in the frame.
#[derive(Clone, Debug)]
struct Placed {
    header: EngineHeader,
    /// Its bytes in the frame; empty for a header that an action pushed.
    raw: Range<usize>,
    /// Bytes after its content that belong to it.
    footer: Range<usize>,
    /// Bytes after the end that its length field gives: padding.
    trailing: Range<usize>,
    changed: bool,
}

#[derive(Clone, Debug)]
pub struct EnginePacket<'frame> {
    frame: &'frame [u8],
    headers: Vec<Placed>,
    payload: Range<usize>,
    most_headers: usize,
    /// Whether the parser stopped early.
    malformed: bool,
    /// 0 at the ingress, 1 at the egress.
    direction: u8,
    changed: bool,
    pub metadata: Metadata,
}

/// Outer addresses of a tunnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunnel {
    /// Virtual network: 24 bits.
    pub vni: u32,
    /// Outer source address.
    pub source: Ipv4Addr,
    /// Outer destination address.
    pub destination: Ipv4Addr,
    /// Outer Ethernet source.
    pub source_mac: MacAddress,
    /// Outer Ethernet destination.
    pub destination_mac: MacAddress,
    /// Outer UDP source port.
    pub source_port: u16,
}

/// The number of headers that VXLAN puts before a frame.
const TUNNEL_HEADERS: usize = 4;

impl<'frame> EnginePacket<'frame> {
    pub(crate) fn new(frame: &'frame [u8], most_headers: usize, direction: u8, metadata: Metadata) -> Self {
        let (headers, payload) = (Vec::new(), 0..frame.len());
        Self { frame, headers, payload, most_headers, malformed: false, direction, changed: false, metadata }
    }

    /// Reads the next header from the unparsed bytes; `Ok(false)` if no header may follow it.
    pub(crate) fn read(&mut self, kind: HeaderKind) -> Result<bool, WireError> {
        let bytes = &self.frame[self.payload.clone()];
        let read = EngineHeader::read(kind, bytes, self.addresses_before(self.headers.len()))?;
        let start = self.payload.start;
        let inside = start + read.length..start + read.length + read.inside;
        let footer = inside.end..inside.end + read.footer;
        let trailing = footer.end..self.payload.end;
        self.payload = inside;
        let raw = start..start + read.length;
        self.headers.push(Placed { header: read.header, raw, footer, trailing, changed: false });
        Ok(read.goes_on)
    }

    pub(crate) fn mark_malformed(&mut self) {
        self.malformed = true;
    }

    /// Addresses of the nearest IPv4 header before the header number `at`.
    fn addresses_before(&self, at: usize) -> Option<PseudoHeader> {
        self.headers[..at].iter().rev().find_map(|placed| match &placed.header {
            EngineHeader::Ipv4(header) => Some(header.pseudo_header()),
            _ => None,
        })
    }

    /// The headers, outermost first.
    pub fn headers(&self) -> impl Iterator<Item = &EngineHeader> {
        self.headers.iter().map(|placed| &placed.header)
    }

    /// The bytes after the last header.
    #[must_use]
    pub fn payload(&self) -> &'frame [u8] {
        &self.frame[self.payload.clone()]
    }

    /// The index of the VXLAN header.
    fn tunnel_at(&self) -> Option<usize> {
        self.headers.iter().position(|placed| placed.header.kind() == HeaderKind::Vxlan)
    }

    /// The headers of a layer.
    fn range(&self, layer: FieldLayer) -> Range<usize> {
        let all = self.headers.len();
        match (layer, self.tunnel_at()) {
            (FieldLayer::Meta, _) | (FieldLayer::Inner, None) => all..all,
            (FieldLayer::Outer, None) => 0..all,
            (FieldLayer::Outer, Some(tunnel)) => 0..tunnel + 1,
            (FieldLayer::Inner, Some(tunnel)) => tunnel + 1..all,
        }
    }

    /// A field's value; `None` if the packet does not have the field.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<u64> {
        let metadata = &self.metadata;
        match field.name {
            FieldName::MetaSwitch => Some(metadata.switch.into()),
            FieldName::MetaPort => Some(metadata.port.into()),
            FieldName::MetaClass => Some(metadata.class.into()),
            FieldName::MetaVni => Some(metadata.vni.into()),
            FieldName::MetaEndpoint => Some(metadata.endpoint.into()),
            FieldName::MetaDirection => Some(self.direction.into()),
            FieldName::MetaMalformed => Some(self.malformed.into()),
            name => self.headers[self.range(field.layer)].iter().find_map(|placed| placed.header.get(name)),
        }
    }

    /// Sets a field to a value that fits. Returns `false` if the packet does not have the field.
    pub(crate) fn set(&mut self, field: Field, value: u64) -> bool {
        match field.name {
            FieldName::MetaClass => self.metadata.class = value as u8,
            FieldName::MetaVni => self.metadata.vni = value as u32,
            name => {
                let range = self.range(field.layer);
                let Some(placed) = self.headers[range].iter_mut().find(|placed| placed.header.get(name).is_some())
                else {
                    return false;
                };
                if !placed.header.set(name, value) {
                    return false;
                }
                placed.changed = true;
                self.changed = true;
            }
        }
        true
    }

    /// Inserts an 802.1Q tag after the outer Ethernet header. Returns `false` if the parser could
    /// not read one more header.
    pub(crate) fn push_vlan(&mut self, vlan: VlanId, priority: Priority) -> bool {
        if self.headers.len() >= self.most_headers {
            return false;
        }
        if let Some(Placed { header: EngineHeader::Ethernet(ethernet), changed, .. }) = self.headers.first_mut() {
            let tag = vlan::VlanRepr { priority, drop_eligible: false, vlan, ethertype: ethernet.ethertype };
            ethernet.ethertype = EtherType::VLAN;
            *changed = true;
            self.changed = true;
            self.headers.insert(1, Placed::pushed(EngineHeader::Vlan(tag)));
        }
        true
    }

    /// Removes the outermost 802.1Q tag; a packet without one does not change.
    pub(crate) fn pop_vlan(&mut self) {
        let Some(EngineHeader::Vlan(tag)) = self.headers.get(1).map(|placed| &placed.header) else { return };
        let behind = tag.ethertype;
        if let Some(Placed { header: EngineHeader::Ethernet(ethernet), changed, .. }) = self.headers.first_mut() {
            ethernet.ethertype = behind;
            *changed = true;
            self.changed = true;
            self.headers.remove(1);
        }
    }

    /// Encapsulates the frame in a VXLAN tunnel, or returns the reason why it cannot.
    pub(crate) fn encapsulate(&mut self, tunnel: &Tunnel) -> Result<(), &'static str> {
        if self.tunnel_at().is_some() {
            return Err(CAUSE_TWICE);
        }
        if self.headers.len() + TUNNEL_HEADERS > self.most_headers {
            return Err(CAUSE_DEEP);
        }
        let ethernet = ethernet::EthernetRepr {
            destination: tunnel.destination_mac,
            source: tunnel.source_mac,
            ethertype: EtherType::IPV4,
            framing: Framing::Bare,
        };
        let inner = |name| self.get(Field::of(name));
        let mut ip = ipv4::Ipv4Repr::new(IpProtocol::UDP, tunnel.source, tunnel.destination);
        if let (Some(dscp), Some(ecn)) = (inner(FieldName::IpDscp), inner(FieldName::IpEcn)) {
            ip.dscp = philae_wire::Dscp::from_low_bits(dscp as u8);
            ip.ecn = philae_wire::Ecn::from_low_bits(ecn as u8);
        }
        let udp =
            udp::UdpRepr { source_port: tunnel.source_port, destination_port: PORT_VXLAN, checksum: Checksum::Absent };
        let vxlan = vxlan::VxlanRepr { vni: VxlanId::from_low_bits(tunnel.vni) };
        let outer = [
            EngineHeader::Ethernet(ethernet),
            EngineHeader::Ipv4(ip),
            EngineHeader::Udp(udp),
            EngineHeader::Vxlan(vxlan),
        ];
        self.headers.splice(0..0, outer.map(Placed::pushed));
        self.changed = true;
        Ok(())
    }

    /// Removes the VXLAN tunnel; a packet without one does not change.
    pub(crate) fn decapsulate(&mut self) {
        if let Some(tunnel) = self.tunnel_at() {
            self.headers.drain(..=tunnel);
            self.changed = true;
        }
    }

    /// Whether an action has changed the bytes.
    #[must_use]
    pub const fn is_changed(&self) -> bool {
        self.changed
    }

    /// The frame's bytes, without frame check sequence.
    ///
    /// # Errors
    /// [`WireError::Long`] if the frame with its tunnel exceeds the length field of a format.
    pub fn emit(&self) -> Result<Vec<u8>, WireError> {
        if !self.changed {
            return Ok(self.frame.to_vec());
        }
        let count = self.headers.len();
        // The content length of each header, and the total length.
        let mut inside = vec![0; count];
        let mut whole = self.payload.len();
        for (at, placed) in self.headers.iter().enumerate().rev() {
            inside[at] = whole;
            whole += placed.header.length() + placed.footer.len() + placed.trailing.len();
        }
        let mut bytes = vec![0; whole];
        let mut starts = Vec::with_capacity(count);
        let mut end = 0;
        for placed in &self.headers {
            starts.push(end);
            end += placed.header.length();
        }
        let mut copy = |range: &Range<usize>| {
            bytes[end..end + range.len()].copy_from_slice(&self.frame[range.clone()]);
            end += range.len();
        };
        copy(&self.payload);
        for placed in self.headers.iter().rev() {
            copy(&placed.footer);
            copy(&placed.trailing);
        }
        for at in (0..count).rev() {
            let (placed, buffer) = (&self.headers[at], &mut bytes[starts[at]..]);
            // `wire` writes fields that receivers ignore as zero; unchanged headers keep even
            // those.
            if !placed.changed && matches!(placed.header, EngineHeader::Roce(_) | EngineHeader::Vxlan(_)) {
                buffer[..placed.raw.len()].copy_from_slice(&self.frame[placed.raw.clone()]);
                continue;
            }
            placed.header.emit(buffer, inside[at], self.addresses_before(at))?;
            if self.must_be_sealed(at) {
                icrc::seal(&mut buffer[..ipv4::HEADER_LEN + inside[at]])?;
            }
        }
        Ok(bytes)
    }

    /// Whether header `at` is the IPv4 header of a changed RoCEv2 packet whose ICRC was right.
    fn must_be_sealed(&self, at: usize) -> bool {
        let Some(headers) = self.headers.get(at..at + 3) else { return false };
        let kinds = [HeaderKind::Ipv4, HeaderKind::Udp, HeaderKind::Roce];
        let is_roce = headers.iter().map(|placed| placed.header.kind()).eq(kinds);
        is_roce
            && headers.iter().any(|placed| placed.changed)
            && icrc::check(&self.frame[headers[0].raw.start..headers[0].trailing.start]).is_ok()
    }
}

/// Cause of a denial: the packet is already in a tunnel.
pub(crate) const CAUSE_TWICE: &str = "already_encapsulated";
/// Cause of a denial: more headers than the parser reads.
pub(crate) const CAUSE_DEEP: &str = "too_many_headers";
/// Cause of a denial: the packet lacks the field that an outer address is taken from.
pub(crate) const CAUSE_NO_ADDRESS: &str = "no_outer_address";
/// Cause of a denial: with its tunnel, the frame is longer than its formats allow.
pub(crate) const CAUSE_LONG: &str = "frame_too_long";

impl Placed {
    fn pushed(header: EngineHeader) -> Self {
        Self { header, raw: 0..0, footer: 0..0, trailing: 0..0, changed: true }
    }
}

/// Converts a field's value to an address.
pub(crate) fn mac(value: u64) -> MacAddress {
    mac_of(value)
}
