//! Packets of the Ultra Ethernet Transport, one of each kind, and frames around them.

use super::{DESTINATION, SOURCE, Sample, build, ethernet, in_range};
use philae_wire::dissect::Start;
use philae_wire::uet::acknowledgement::{AckExtension, AckRequest, AckSubject, DeliveryAck, SelectiveAck};
use philae_wire::uet::congestion::{AckCongestion, RequestCongestion};
use philae_wire::uet::control::{ControlType, DeliveryControl};
use philae_wire::uet::crc::SealedUet;
use philae_wire::uet::datagram::{IdempotentPacket, RequestMark};
use philae_wire::uet::delivery::DeliveryRepr;
use philae_wire::uet::entropy::EntropyRepr;
use philae_wire::uet::nack::{DeliveryNack, NackCode, NackCongestion, NackSubject};
use philae_wire::uet::overhead::Encapsulation;
use philae_wire::uet::packet::UetRepr;
use philae_wire::uet::request::{DeliveryRequest, PdcDestination};
use philae_wire::uet::security::SecurityRepr;
use philae_wire::uet::semantic::SemanticRepr;
use philae_wire::uet::semantic::extension::{
    AtomicExtension, AtomicOperands, RendezvousExtension, SemanticExtension, SyncExtension,
};
use philae_wire::uet::semantic::opcode::{
    AtomicCode, AtomicNumber, DeliveredList, ResponseOpcode, SemanticOpcode, SemanticStatus,
};
use philae_wire::uet::semantic::request::{
    MediumWord, RequestBody, RequestFlags, RequestPart, SemanticRequest, TargetAddress,
};
use philae_wire::uet::semantic::response::{ResponseBody, SemanticResponse};
use philae_wire::uet::{
    JobId, PdcId, PidOnFep, Psn, ReceivedUnits, ResourceIndex, SecureDomain, SecurityCounter, SemanticLength,
    StartOffset, TransportCredit, WindowPenalty,
};
use philae_wire::{Dscp, Ecn, EtherType, FlowLabel, Framing, IpProtocol, WireLayer, ipv4, ipv6};
use std::net::Ipv6Addr;

const ENTROPY: EntropyRepr = EntropyRepr(0xc0de);
/// The source of every IPv6 packet of the samples.
pub const SOURCE_IPV6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 1);
/// Its destination.
pub const DESTINATION_IPV6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 2);

/// A reliable request of an established PDC.
pub fn request() -> DeliveryRequest {
    DeliveryRequest {
        is_ordered: false,
        is_retransmitted: false,
        acknowledge: true,
        clear_psn_offset: -9,
        psn: Psn(0x1234_5678),
        source: PdcId(7),
        destination: PdcDestination::Established(PdcId(0x0123)),
        congestion: None,
    }
}

fn requests() -> Vec<(&'static str, DeliveryRequest)> {
    let syn = PdcDestination::Syn { reserved_pool: true, start_offset: in_range(StartOffset::new(3)) };
    let state = RequestCongestion { context: 5, credit_target: in_range(TransportCredit::new(0x1_0203)) };
    vec![
        ("uet rud", request()),
        ("uet rod syn", DeliveryRequest { is_ordered: true, destination: syn, ..request() }),
        ("uet rud state", DeliveryRequest { congestion: Some(state), is_retransmitted: true, ..request() }),
        ("uet rod state", DeliveryRequest { is_ordered: true, congestion: Some(state), ..request() }),
    ]
}

/// An acknowledgement of the request.
pub fn ack(extension: AckExtension) -> DeliveryAck {
    DeliveryAck {
        is_marked: true,
        is_retransmitted: false,
        request: AckRequest::Clear,
        subject: AckSubject::PsnOffset(3),
        cumulative_psn: Psn(0x1234_5675),
        source: PdcId(0x0123),
        destination: PdcId(7),
        extension,
    }
}

fn acks() -> Vec<(&'static str, DeliveryAck)> {
    let selective = SelectiveAck { maximum_psn_range: 4, psn_offset: 1, bitmap: 0x8000_0000_0000_0005 };
    let nscc = AckCongestion::Nscc {
        service_time: 40,
        restore_window: true,
        window_penalty: in_range(WindowPenalty::new(17)),
        received: in_range(ReceivedUnits::new(0x0a_0b0c)),
        out_of_order: 6,
    };
    let credit = AckCongestion::Credit { credit: in_range(TransportCredit::new(0x0d_0e0f)), out_of_order: 0xffff };
    let other = AckCongestion::Other { kind: 15, state: 0x0102_0304_0506_0708 };
    let state = std::array::from_fn(|byte| byte as u8);
    let extended = AckExtension::Extended { selective, kind: 14, state };
    let probe = DeliveryAck { subject: AckSubject::Probe(0xbeef), ..ack(AckExtension::Congestion(selective, nscc)) };
    let close = DeliveryAck { request: AckRequest::Close, ..ack(AckExtension::ExpectedPsn(Psn(99))) };
    vec![
        ("uet ack", ack(AckExtension::None)),
        ("uet ack nscc", ack(AckExtension::Congestion(selective, nscc))),
        ("uet ack credit", ack(AckExtension::Congestion(selective, credit))),
        ("uet ack other", ack(AckExtension::Congestion(selective, other))),
        ("uet ack ccx", ack(extended)),
        ("uet ack probe", probe),
        ("uet ack close", close),
    ]
}

fn others() -> Vec<(&'static str, DeliveryRepr)> {
    let idempotent = IdempotentPacket { response: None, is_retransmitted: true, packet_id: 0xa1b2_c3d4 };
    let response = IdempotentPacket { response: Some(RequestMark::Marked), ..idempotent };
    let (psn, source, destination) = (Psn(0x1234_5678), PdcId(0x0123), PdcId(7));
    let trimmed = DeliveryNack {
        is_marked: true,
        is_retransmitted: false,
        code: NackCode::TRIMMED,
        vendor_code: 0,
        subject: NackSubject::Pdc { psn, source, destination },
        payload: 0,
        congestion: None,
    };
    let state = NackCongestion { kind: 1, first: 0x0fed_cba9_8765_4321, second: 5 };
    let refused = DeliveryNack {
        code: NackCode::NO_PACKET_BUFFER,
        subject: NackSubject::Idempotent { packet_id: 0xa1b2_c3d4 },
        congestion: Some(state),
        ..trimmed
    };
    let probe = DeliveryControl {
        control: ControlType::PROBE,
        is_ordered: true,
        is_retransmitted: false,
        acknowledge: true,
        probe: 0xbeef,
        psn,
        source: destination,
        destination: PdcDestination::Established(source),
        payload: 0x1234_5670,
    };
    let credit = DeliveryControl { control: ControlType::CREDIT, probe: 0, payload: 0x8000, ..probe };
    vec![
        ("uet rudi request", DeliveryRepr::Idempotent(idempotent)),
        ("uet rudi response", DeliveryRepr::Idempotent(response)),
        ("uet uud", DeliveryRepr::Unreliable),
        ("uet nack trimmed", DeliveryRepr::Nack(trimmed)),
        ("uet nack ccx", DeliveryRepr::Nack(refused)),
        ("uet probe", DeliveryRepr::Control(probe)),
        ("uet credit", DeliveryRepr::Control(credit)),
    ]
}

/// Any delivery header.
pub fn deliveries() -> Vec<(&'static str, DeliveryRepr)> {
    let requests = requests().into_iter().map(|(name, header)| (name, DeliveryRepr::Request(header)));
    let acks = acks().into_iter().map(|(name, header)| (name, DeliveryRepr::Ack(header)));
    requests.chain(acks).chain(others()).collect()
}

fn standard(opcode: SemanticOpcode, part: RequestPart, extension: SemanticExtension) -> SemanticRepr {
    SemanticRepr::Request(SemanticRequest {
        opcode,
        flags: RequestFlags { delivery_complete: true, initiator_error: false, is_relative: true },
        address: TargetAddress {
            generation: 3,
            job: in_range(JobId::new(0x0a_bcde)),
            pid_on_fep: in_range(PidOnFep::new(0x123)),
            resource_index: in_range(ResourceIndex::new(0x456)),
        },
        body: RequestBody::Standard {
            message: 0x4d5e,
            is_last: true,
            part,
            buffer_offset: 0x1000_2000,
            initiator: 42,
            match_bits: 0x5566_7788_99aa_bbcc,
            request_length: 100_000,
        },
        extension,
    })
}

fn sized(body: RequestBody) -> SemanticRepr {
    let SemanticRepr::Request(request) =
        standard(SemanticOpcode::WRITE, RequestPart::First { header_data: None }, SemanticExtension::None)
    else {
        panic!("a request")
    };
    SemanticRepr::Request(SemanticRequest { body, ..request })
}

fn extensions() -> Vec<(&'static str, SemanticRepr)> {
    let first = RequestPart::First { header_data: Some(0xd1d2_d3d4_d5d6_d7d8) };
    let rendezvous = RendezvousExtension {
        eager_length: 4_096,
        generation: 9,
        pid_on_fep: in_range(PidOnFep::new(0xabc)),
        resource_index: in_range(ResourceIndex::new(0xdef)),
        offset: 0x7000,
        key: 0xfeed_f00d,
    };
    let sum = AtomicExtension { code: AtomicCode::SUM, number: AtomicNumber::UINT64, control: 3 };
    let swap = AtomicExtension { code: AtomicCode::SWAP_EQUAL, ..sum };
    let operands = AtomicOperands { compare: [1; 16], swap: [2; 16] };
    let sync = SyncExtension { group: 12, count: 34 };
    let tagged = SemanticOpcode::RENDEZVOUS_TAGGED_SEND;
    vec![
        ("rendezvous", standard(tagged, first, SemanticExtension::Rendezvous(rendezvous))),
        ("atomic", standard(SemanticOpcode::ATOMIC, first, SemanticExtension::Atomic(sum, None))),
        ("swap", standard(SemanticOpcode::FETCHING_ATOMIC, first, SemanticExtension::Atomic(swap, Some(operands)))),
        ("sync", standard(SemanticOpcode::SYNC_WRITE, first, SemanticExtension::Sync(sync))),
        ("sync atomic", standard(SemanticOpcode::SYNC_ATOMIC, first, SemanticExtension::SyncAtomic(sync, sum))),
    ]
}

fn responses() -> Vec<(&'static str, SemanticRepr)> {
    let payload_length = in_range(SemanticLength::new(16));
    let response = |opcode, body| {
        SemanticRepr::Response(SemanticResponse {
            list: DeliveredList::OVERFLOW,
            opcode,
            status: SemanticStatus::OK,
            job: in_range(JobId::new(0x0a_bcde)),
            body,
        })
    };
    let plain = ResponseBody::Plain { message: 0x4d5e, generation: 3, modified_length: 100_000 };
    let data = ResponseBody::Data {
        message: 0x1111,
        request: 0x4d5e,
        payload_length,
        modified_length: 100_000,
        message_offset: 65_536,
    };
    let small = ResponseBody::SmallData { payload_length, request_psn: Psn(0x1234_5678) };
    vec![
        ("response", response(ResponseOpcode::RESPONSE, plain)),
        ("data", response(ResponseOpcode::WITH_DATA, data)),
        ("small data", response(ResponseOpcode::WITH_DATA, small)),
    ]
}

/// Any semantic header.
pub fn semantics() -> Vec<(&'static str, SemanticRepr)> {
    let length = |bytes| in_range(SemanticLength::new(bytes));
    let medium = |word| RequestBody::Medium { request_length: length(16), word, initiator: 42, match_bits: 77 };
    let later = RequestPart::Later { payload_length: length(4_096), message_offset: 8_192, has_header_data: true };
    let none = SemanticExtension::None;
    let mut semantics = vec![
        ("small", sized(RequestBody::Small { request_length: length(16), buffer_offset: 0x1000_2000 })),
        ("medium data", sized(medium(MediumWord::HeaderData(0xd1d2)))),
        ("medium offset", sized(medium(MediumWord::BufferOffset(0x1000)))),
        ("first", standard(SemanticOpcode::TAGGED_SEND, RequestPart::First { header_data: None }, none)),
        ("later", standard(SemanticOpcode::DEFERRABLE_SEND, later, none)),
    ];
    semantics.extend(extensions());
    semantics.extend(responses());
    semantics
}

/// The layers around a UET packet, outermost first.
pub fn frame(encapsulation: Encapsulation, packet: &UetRepr, payload: &[u8]) -> Vec<u8> {
    let class = in_range(Dscp::new(46));
    let ipv4 = |protocol| {
        let header = ipv4::Ipv4Repr::new(protocol, SOURCE, DESTINATION);
        ipv4::Ipv4Repr { dscp: class, ecn: Ecn::Capable0, ..header }
    };
    let ipv6 = |protocol| {
        let header = ipv6::Ipv6Repr::new(protocol, SOURCE_IPV6, DESTINATION_IPV6);
        ipv6::Ipv6Repr { dscp: class, ecn: Ecn::Capable0, flow_label: in_range(FlowLabel::new(0x5_4321)), ..header }
    };
    let is_sealed = matches!(packet, UetRepr::Clear { .. });
    let (native, udp) = (IpProtocol::UET, IpProtocol::UDP);
    let datagram = ENTROPY.datagram();
    let (ethertype, ip, behind): (_, Box<dyn WireLayer>, &dyn WireLayer) = match encapsulation {
        Encapsulation::NativeIpv4 => (EtherType::IPV4, sealed(ipv4(native), is_sealed), &ENTROPY),
        Encapsulation::NativeIpv6 => (EtherType::IPV6, sealed(ipv6(native), is_sealed), &ENTROPY),
        Encapsulation::UdpIpv4 => (EtherType::IPV4, sealed(ipv4(udp), is_sealed), &datagram),
        Encapsulation::UdpIpv6 => (EtherType::IPV6, sealed(ipv6(udp), is_sealed), &datagram),
    };
    let outer = ethernet(ethertype, Framing::Standard);
    build(&[&outer, &*ip, behind, packet], payload)
}

fn sealed<Header: WireLayer + 'static>(header: Header, is_sealed: bool) -> Box<dyn WireLayer> {
    if is_sealed { Box::new(SealedUet(header)) } else { Box::new(header) }
}

/// Secured packets: with and without an identifier of the source.
pub fn secured() -> [UetRepr; 2] {
    let header = |source| {
        UetRepr::Secured(SecurityRepr {
            key: true,
            domain: in_range(SecureDomain::new(0x01_0203)),
            source,
            epoch: 4,
            counter: in_range(SecurityCounter::new(0x0506_0708_090a)),
        })
    };
    [header(None), header(Some(0x0b0c_0d0e))]
}

/// One frame of each kind of packet. All delivery headers, and all semantic headers behind the same
/// request, natively in IPv4; some of them in the other encapsulations.
pub fn frames() -> Vec<Sample> {
    let sample = |name, encapsulation, packet: &UetRepr, payload: &[u8]| Sample {
        name,
        start: Start::Ethernet(Framing::Standard),
        bytes: frame(encapsulation, packet, payload),
    };
    let native = Encapsulation::NativeIpv4;
    let mut samples = Vec::new();
    for (name, delivery) in deliveries() {
        samples.push(sample(name, native, &UetRepr::new(delivery, None), &[]));
    }
    for (name, semantic) in semantics() {
        let packet = UetRepr::new(DeliveryRepr::Request(request()), Some(semantic));
        samples.push(sample(name, native, &packet, &[0x5e; 16]));
    }
    let (_, send) = semantics().remove(3);
    let send = UetRepr::new(DeliveryRepr::Request(request()), Some(send));
    let names = ["uet native ipv4", "uet native ipv6", "uet udp ipv4", "uet udp ipv6"];
    for (name, encapsulation) in names.into_iter().zip(Encapsulation::ALL) {
        samples.push(sample(name, encapsulation, &send, &[0x5f; 64]));
    }
    for (name, packet) in ["uet secured", "uet secured source"].into_iter().zip(secured()) {
        samples.push(sample(name, native, &packet, &[0x60; 48]));
    }
    samples
}
