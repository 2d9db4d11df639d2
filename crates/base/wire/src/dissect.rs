//! Walks a frame from the outside in and lists its layers with their places.
//!
//! For code that must find a header (the packet engine, a capture, a test) or show what is wrong
//! with a frame. Nothing here panics or allocates, whatever the bytes. A layer that does not parse
//! ends the walk: the list has it with its error and all bytes that it covers. A walk checks the
//! checksums that a `Repr` checks; a wrong one ends the walk too, as it would at a receiver. It
//! also checks the ICRC of RoCEv2 and the CRC of UET; a wrong one is an error of the layer that
//! holds it.
//!
//! UET is found at its UDP port. Natively it has no number of its own, and that of the reference
//! provider is also that of our fabric header: [`dissect_with`] is told what a frame has
//! ([`UetNumbers`]).

use crate::hpc_ethernet::{fabric, headerless, message};
use crate::uet::credit_update::{self, CreditUpdatePacket, CreditUpdateRepr};
use crate::uet::delivery::DeliveryRepr;
use crate::uet::entropy::EntropyPacket;
use crate::uet::packet::{UetPacket, UetRepr};
use crate::uet::semantic::SemanticRepr;
use crate::uet::{self, entropy};
use crate::{EtherType, Framing, IpProtocol, WireError, WireLayer};
use crate::{ethernet, flow_control, ipv4, ipv6, link_retry, lldp, mac_control, roce, tcp, udp, vlan, vxlan};
use std::ops::Range;

/// Maximum number of layers of one frame: twelve headers, and the layers behind them. A tunnelled
/// RoCEv2 frame has eight headers; deeper ones than twelve are shown as data.
///
/// Source: ours. Status: assumed.
pub const LAYERS_MAX: usize = 16;

/// The kind of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// Ethernet header.
    Ethernet,
    /// 802.1Q tag.
    Vlan,
    /// Pause or PFC.
    MacControl,
    /// LLDP unit.
    Lldp,
    /// Control information of link-level retry.
    LinkRetry,
    /// FGFC.
    FlowControl,
    /// IPv4 header.
    Ipv4,
    /// IPv6 header.
    Ipv6,
    /// UDP header.
    Udp,
    /// TCP header.
    Tcp,
    /// All headers of RoCEv2.
    Roce,
    /// VXLAN header.
    Vxlan,
    /// Fabric header.
    Fabric,
    /// Header behind a fabric header.
    Message,
    /// Credits that an Ultra Ethernet link has consumed (CC_Update).
    CreditUpdate,
    /// Entropy header of UET.
    UetEntropy,
    /// Security header of UET; what is behind it is encrypted.
    UetSecurity,
    /// Delivery header of UET.
    UetDelivery,
    /// Semantic header of UET.
    UetSemantic,
    /// Data that no format here reads.
    Data,
    /// RoCEv2's pad and ICRC.
    Icrc,
    /// CRC of UET.
    UetCrc,
    /// Bytes between the end of an inner layer and the FCS.
    Padding,
    /// Frame check sequence.
    Fcs,
}

/// One layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DissectedLayer {
    /// Its kind.
    pub kind: LayerKind,
    /// Its first byte, from the start of the frame.
    pub offset: usize,
    /// Its bytes: a header without its contents, or all remaining bytes if it does not parse.
    pub length: usize,
    /// Why it does not parse.
    pub error: Option<WireError>,
}

impl DissectedLayer {
    /// Its byte range.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.length
    }
}

/// The beginning of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With an Ethernet header.
    Ethernet(Framing),
    /// Without one, with FCS (see [`headerless`]).
    Headerless,
}

/// The numbers by which a frame says that it carries UET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UetNumbers {
    /// Protocol of IP packets that carry UET without UDP, if any do.
    pub native: Option<IpProtocol>,
    /// Destination port of UDP.
    pub port: u16,
}

impl UetNumbers {
    /// The published port, and no native UET: protocol 253 is data, as it is for our fabric header.
    pub const PUBLISHED: Self = Self { native: None, port: uet::PORT };
    /// The published port, and native UET with the protocol number of the reference provider.
    pub const NATIVE: Self = Self { native: Some(IpProtocol::UET), port: uet::PORT };
}

/// The layers of one frame, outermost first. They do not overlap, lie in order and cover the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    found: [DissectedLayer; LAYERS_MAX],
    count: usize,
}

const NOTHING: DissectedLayer = DissectedLayer { kind: LayerKind::Data, offset: 0, length: 0, error: None };

impl Layers {
    /// As a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[DissectedLayer] {
        &self.found[..self.count]
    }

    /// The first error of the frame, if any.
    #[must_use]
    pub fn error(&self) -> Option<WireError> {
        self.as_slice().iter().find_map(|layer| layer.error)
    }

    /// The innermost layer of a kind: of a tunnelled frame, the inner one.
    #[must_use]
    pub fn innermost(&self, kind: LayerKind) -> Option<&DissectedLayer> {
        self.as_slice().iter().rev().find(|layer| layer.kind == kind)
    }

    fn push(&mut self, kind: LayerKind, range: Range<usize>, error: Option<WireError>) {
        if range.is_empty() && error.is_none() {
            return;
        }
        assert!(self.count < LAYERS_MAX, "the walk stops while what lies behind the headers still has its places");
        self.found[self.count] = DissectedLayer { kind, offset: range.start, length: range.len(), error };
        self.count += 1;
    }

    /// Whether only the places for data, ICRC, padding and FCS are free, so that the list always
    /// covers the frame.
    const fn is_full(&self) -> bool {
        self.count + 4 >= LAYERS_MAX
    }
}

/// The next step of the walk.
#[derive(Clone, Copy, Debug)]
enum Next {
    Ethernet,
    EtherType(EtherType),
    Protocol(IpProtocol, Addresses),
    Port(u16),
    Message,
    Uet,
    Semantic(uet::prologue::NextHeader),
    Data,
    /// The end: the rest is padding.
    End,
}

/// What UDP and TCP checksums cover of the IP header.
type Addresses = udp::Checksum;

/// What ends the contents of a packet behind its data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trailer {
    None,
    Icrc(usize),
    UetCrc,
}

/// One step inwards.
struct Step {
    kind: LayerKind,
    /// Bytes of the header.
    header: usize,
    /// Bytes of its contents; there may be bytes behind them: padding, a checksum.
    inside: usize,
    /// Its contents.
    next: Next,
}

/// The layers of `frame`, which begins with `start` and has UET with its published numbers only.
#[must_use]
pub fn dissect(frame: &[u8], start: Start) -> Layers {
    dissect_with(frame, start, UetNumbers::PUBLISHED)
}

/// The layers of `frame`, which begins with `start` and has UET with these numbers.
#[must_use]
pub fn dissect_with(frame: &[u8], start: Start, uet: UetNumbers) -> Layers {
    let mut layers = Layers { found: [NOTHING; LAYERS_MAX], count: 0 };
    let fcs = match start {
        Start::Ethernet(framing) => framing.fcs_len(),
        Start::Headerless => ethernet::FCS_LEN,
    };
    // Only the outermost layer sees the FCS; it also detects a frame that is too short to have one.
    let outermost = match start {
        Start::Ethernet(framing) => ethernet_step(frame, framing).map_err(|error| (LayerKind::Ethernet, error)),
        Start::Headerless => headerless_step(frame),
    };
    match outermost {
        Err((kind, error)) => layers.push(kind, 0..frame.len(), Some(error)),
        Ok(step) => {
            let end = frame.len() - fcs;
            layers.push(step.kind, 0..step.header, None);
            walk(&mut layers, frame, step.header..step.header + step.inside, end, step.next, uet);
            layers.push(LayerKind::Fcs, end..frame.len(), None);
        }
    }
    layers
}

/// Walks the bytes `inside`, and then accounts for the rest up to `end`.
fn walk(layers: &mut Layers, frame: &[u8], mut inside: Range<usize>, end: usize, mut next: Next, uet: UetNumbers) {
    let (mut trailer, mut ip_at) = (Trailer::None, 0);
    while !matches!(next, Next::Data | Next::End) && !layers.is_full() {
        let bytes = &frame[inside.clone()];
        match step(bytes, next, uet) {
            Err((kind, error)) => return layers.push(kind, inside.start..end, Some(error)),
            Ok(found) => {
                let header_end = inside.start + found.header;
                layers.push(found.kind, inside.start..header_end, None);
                match found.kind {
                    LayerKind::Ipv4 | LayerKind::Ipv6 => ip_at = inside.start,
                    LayerKind::Roce => trailer = Trailer::Icrc(bytes.len() - found.header - found.inside),
                    LayerKind::UetDelivery if found.header + found.inside < bytes.len() => trailer = Trailer::UetCrc,
                    _ => {}
                }
                inside = header_end..header_end + found.inside;
                next = found.next;
            }
        }
    }
    if matches!(next, Next::End) {
        return layers.push(LayerKind::Padding, inside.start..end, None);
    }
    layers.push(LayerKind::Data, inside.clone(), None);
    let behind = match trailer {
        Trailer::None => inside.end,
        Trailer::Icrc(length) => {
            let wrong = roce::icrc::check(&frame[ip_at..]).err();
            layers.push(LayerKind::Icrc, inside.end..inside.end + length, wrong);
            inside.end + length
        }
        Trailer::UetCrc => {
            let (wrong, behind) = (uet::crc::check(&frame[ip_at..]).err(), inside.end + uet::crc::CRC_LEN);
            layers.push(LayerKind::UetCrc, inside.end..behind, wrong);
            behind
        }
    };
    layers.push(LayerKind::Padding, behind..end, None);
}

type Failed = (LayerKind, WireError);

fn step(bytes: &[u8], next: Next, uet: UetNumbers) -> Result<Step, Failed> {
    let named = |kind: LayerKind| move |error: WireError| (kind, error);
    match next {
        Next::Ethernet => ethernet_step(bytes, Framing::Bare).map_err(named(LayerKind::Ethernet)),
        Next::EtherType(ethertype) => ethertype_step(bytes, ethertype),
        Next::Protocol(IpProtocol::UDP, addresses) => udp_step(bytes, addresses, uet).map_err(named(LayerKind::Udp)),
        Next::Protocol(IpProtocol::TCP, Addresses::Over(addresses)) => {
            tcp_step(bytes, addresses).map_err(named(LayerKind::Tcp))
        }
        Next::Protocol(protocol, _) if Some(protocol) == uet.native => {
            entropy_step(bytes).map_err(named(LayerKind::UetEntropy))
        }
        Next::Port(port) if port == uet.port => uet_step(bytes),
        Next::Port(udp::PORT_ROCE) => roce_step(bytes).map_err(named(LayerKind::Roce)),
        Next::Port(udp::PORT_VXLAN) => vxlan_step(bytes).map_err(named(LayerKind::Vxlan)),
        Next::Message => message_step(bytes).map_err(named(LayerKind::Message)),
        Next::Uet => uet_step(bytes),
        Next::Semantic(kind) => semantic_step(bytes, kind).map_err(named(LayerKind::UetSemantic)),
        Next::Protocol(..) | Next::Port(_) | Next::Data | Next::End => {
            Ok(Step { kind: LayerKind::Data, header: 0, inside: bytes.len(), next: Next::Data })
        }
    }
}

fn ethertype_step(bytes: &[u8], ethertype: EtherType) -> Result<Step, Failed> {
    let leaf = |kind: LayerKind, length: Result<usize, WireError>| match length {
        Ok(header) => Ok(Step { kind, header, inside: bytes.len() - header, next: Next::End }),
        Err(error) => Err((kind, error)),
    };
    match ethertype {
        EtherType::IPV4 => ipv4_step(bytes).map_err(|error| (LayerKind::Ipv4, error)),
        EtherType::IPV6 => ipv6_step(bytes).map_err(|error| (LayerKind::Ipv6, error)),
        EtherType::VLAN => vlan_step(bytes).map_err(|error| (LayerKind::Vlan, error)),
        EtherType::LOCAL_EXPERIMENTAL_1 => fabric_step(bytes).map_err(|error| (LayerKind::Fabric, error)),
        EtherType::MAC_CONTROL if bytes.starts_with(&credit_update::OPCODE.to_be_bytes()) => {
            leaf(LayerKind::CreditUpdate, length::credit_update(bytes))
        }
        EtherType::MAC_CONTROL => leaf(LayerKind::MacControl, length::mac_control(bytes)),
        EtherType::LLDP => leaf(LayerKind::Lldp, length::lldp(bytes)),
        EtherType::LINK_RETRY => leaf(LayerKind::LinkRetry, length::link_retry(bytes)),
        EtherType::FLOW_CONTROL => leaf(LayerKind::FlowControl, length::flow_control(bytes)),
        _ => Ok(Step { kind: LayerKind::Data, header: 0, inside: bytes.len(), next: Next::Data }),
    }
}

/// Lengths of formats without contents.
mod length {
    use super::{CreditUpdatePacket, CreditUpdateRepr, WireError, WireLayer};
    use super::{flow_control, link_retry, lldp, mac_control};

    pub(super) fn credit_update(bytes: &[u8]) -> Result<usize, WireError> {
        Ok(CreditUpdateRepr::parse(&CreditUpdatePacket::new(bytes)?)?.header_len())
    }

    pub(super) fn mac_control(bytes: &[u8]) -> Result<usize, WireError> {
        Ok(mac_control::MacControlRepr::parse(&mac_control::MacControlPacket::new(bytes)?)?.header_len())
    }

    pub(super) fn lldp(bytes: &[u8]) -> Result<usize, WireError> {
        Ok(lldp::LldpRepr::parse(&lldp::LldpUnit::new(bytes)?)?.header_len())
    }

    pub(super) fn link_retry(bytes: &[u8]) -> Result<usize, WireError> {
        Ok(link_retry::LinkRetryRepr::parse(&link_retry::LinkRetryPacket::new(bytes)?)?.header_len())
    }

    pub(super) fn flow_control(bytes: &[u8]) -> Result<usize, WireError> {
        Ok(flow_control::FlowControlRepr::parse(&flow_control::FlowControlPacket::new(bytes)?)?.header_len())
    }
}

fn ethernet_step(bytes: &[u8], framing: Framing) -> Result<Step, WireError> {
    let frame = ethernet::EthernetFrame::new(bytes, framing)?;
    let header = ethernet::EthernetRepr::parse(&frame)?;
    let (kind, next) = (LayerKind::Ethernet, Next::EtherType(header.ethertype));
    Ok(Step { kind, header: ethernet::HEADER_LEN, inside: frame.payload().len(), next })
}

/// A headerless frame begins with a fabric header or an IPv4 header: the protocol distinguishes
/// them.
fn headerless_step(bytes: &[u8]) -> Result<Step, Failed> {
    let named = |error: WireError| (LayerKind::Ipv4, error);
    let frame = headerless::HeaderlessFrame::new(bytes).map_err(named)?;
    headerless::HeaderlessRepr::parse(&frame).map_err(named)?;
    match ipv4::Ipv4Packet::new(frame.payload()).map_err(named)?.protocol() {
        IpProtocol::FABRIC => fabric_step(frame.payload()).map_err(|error| (LayerKind::Fabric, error)),
        _ => ipv4_step(frame.payload()).map_err(named),
    }
}

fn vlan_step(bytes: &[u8]) -> Result<Step, WireError> {
    let tag = vlan::VlanTag::new(bytes)?;
    let next = Next::EtherType(vlan::VlanRepr::parse(&tag)?.ethertype);
    Ok(Step { kind: LayerKind::Vlan, header: vlan::HEADER_LEN, inside: tag.payload().len(), next })
}

fn ipv4_step(bytes: &[u8]) -> Result<Step, WireError> {
    let packet = ipv4::Ipv4Packet::new(bytes)?;
    let header = ipv4::Ipv4Repr::parse(&packet)?;
    // A fragment has no next header, or only a part of what the checksum covers.
    let next = if packet.is_fragment() {
        Next::Data
    } else {
        Next::Protocol(header.protocol, Addresses::Over(header.pseudo_header()))
    };
    Ok(Step { kind: LayerKind::Ipv4, header: ipv4::HEADER_LEN, inside: packet.payload().len(), next })
}

fn ipv6_step(bytes: &[u8]) -> Result<Step, WireError> {
    let packet = ipv6::Ipv6Packet::new(bytes)?;
    let next = Next::Protocol(packet.next_header(), Addresses::OverIpv6(packet.pseudo_header()));
    Ok(Step { kind: LayerKind::Ipv6, header: ipv6::HEADER_LEN, inside: packet.payload().len(), next })
}

fn udp_step(bytes: &[u8], addresses: Addresses, uet: UetNumbers) -> Result<Step, WireError> {
    let datagram = udp::UdpDatagram::new(bytes)?;
    let port = datagram.destination_port();
    // A receiver of UET ignores the checksum.
    if port != uet.port {
        udp::UdpRepr::parse_over(&datagram, addresses)?;
    }
    let (inside, next) = (datagram.payload().len(), Next::Port(port));
    Ok(Step { kind: LayerKind::Udp, header: udp::HEADER_LEN, inside, next })
}

fn tcp_step(bytes: &[u8], addresses: crate::PseudoHeader) -> Result<Step, WireError> {
    let segment = tcp::TcpSegment::new(bytes)?;
    tcp::TcpRepr::parse(&segment, addresses)?;
    Ok(Step { kind: LayerKind::Tcp, header: segment.header_len(), inside: segment.payload().len(), next: Next::Data })
}

fn roce_step(bytes: &[u8]) -> Result<Step, WireError> {
    let packet = roce::RocePacket::new(bytes)?;
    roce::RoceRepr::parse(&packet)?;
    Ok(Step { kind: LayerKind::Roce, header: packet.header_len(), inside: packet.payload().len(), next: Next::Data })
}

fn vxlan_step(bytes: &[u8]) -> Result<Step, WireError> {
    let packet = vxlan::VxlanPacket::new(bytes)?;
    vxlan::VxlanRepr::parse(&packet)?;
    Ok(Step { kind: LayerKind::Vxlan, header: vxlan::HEADER_LEN, inside: packet.payload().len(), next: Next::Ethernet })
}

fn fabric_step(bytes: &[u8]) -> Result<Step, WireError> {
    let packet = fabric::FabricPacket::new(bytes)?;
    fabric::FabricRepr::parse(&packet)?;
    let inside = packet.payload().len();
    let next = if inside == 0 { Next::Data } else { Next::Message };
    Ok(Step { kind: LayerKind::Fabric, header: fabric::HEADER_LEN, inside, next })
}

fn message_step(bytes: &[u8]) -> Result<Step, WireError> {
    let packet = message::MessagePacket::new(bytes)?;
    message::MessageRepr::parse(&packet)?;
    let inside = packet.payload().len();
    Ok(Step { kind: LayerKind::Message, header: bytes.len() - inside, inside, next: Next::Data })
}

fn entropy_step(bytes: &[u8]) -> Result<Step, WireError> {
    let inside = EntropyPacket::new(bytes)?.payload().len();
    Ok(Step { kind: LayerKind::UetEntropy, header: entropy::HEADER_LEN, inside, next: Next::Uet })
}

/// The delivery header, or the security header, of a UET packet. The contents of a packet in the
/// clear end before its CRC. Of a packet that a switch trimmed within the semantic header, the
/// delivery header is read, and the rest is a semantic header that is too short.
fn uet_step(bytes: &[u8]) -> Result<Step, Failed> {
    match UetPacket::new(bytes).and_then(|packet| Ok((UetRepr::parse(&packet)?, packet.payload().len()))) {
        Ok((header @ UetRepr::Secured(_), inside)) => {
            Ok(Step { kind: LayerKind::UetSecurity, header: header.header_len(), inside, next: Next::Data })
        }
        Ok((UetRepr::Clear { delivery, semantic, .. }, inside)) => {
            let behind = semantic.map_or(0, |semantic| semantic.header_len());
            let next = semantic.map_or(Next::Data, |semantic| Next::Semantic(semantic.next_header()));
            Ok(Step { kind: LayerKind::UetDelivery, header: delivery.header_len(), inside: behind + inside, next })
        }
        Err(error) => match DeliveryRepr::parse(bytes) {
            Ok((delivery, next)) if SemanticRepr::parse(next, &bytes[delivery.header_len()..]).is_err() => {
                let (header, next) = (delivery.header_len(), Next::Semantic(next));
                Ok(Step { kind: LayerKind::UetDelivery, header, inside: bytes.len() - header, next })
            }
            _ => Err((LayerKind::UetDelivery, error)),
        },
    }
}

fn semantic_step(bytes: &[u8], kind: uet::prologue::NextHeader) -> Result<Step, WireError> {
    let header = SemanticRepr::parse(kind, bytes)?.map_or(0, |header| header.header_len());
    Ok(Step { kind: LayerKind::UetSemantic, header, inside: bytes.len() - header, next: Next::Data })
}
