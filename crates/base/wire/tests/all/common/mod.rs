//! One frame of each format, built from values: the seeds of the fuzz test, the capture that tshark
//! reads, the walks of `dissect`.

pub mod uet;

use philae_wire::dissect::{Layers, Start, UetNumbers, dissect_with};
use philae_wire::hpc_ethernet::{amo, fabric, headerless, message};
use philae_wire::negotiation::Enhancements;
use philae_wire::roce::extended::{AckHeader, Atomic, DatagramHeader, Extended, RemoteHeader, Syndrome};
use philae_wire::roce::icrc::SealedIpv4;
use philae_wire::roce::opcode::{Opcode, RoceOperation, RoceService};
use philae_wire::uet::ConsumedCredits;
use philae_wire::uet::credit_update::CreditUpdateRepr;
use philae_wire::{
    ConnectionSequence, Dfa, Dscp, EagerLength, Ecn, EndpointIndex, EtherType, Framing, IndexExtension, IpProtocol,
    MacAddress, MessageOperation, PacketIdExtension, PacketLength, PacketSequence, Priority, QueuePair, RemoteOffset,
    RetrySequence, SctIndex, SptIndex, TryCount, VlanId, VxlanId, WireLayer, emit_stack, ethernet, flow_control, ipv4,
    link_retry, lldp, mac_control, roce, stack_len, tcp, udp, vlan, vxlan,
};
use std::net::Ipv4Addr;

/// A frame and its start.
pub struct Sample {
    pub name: &'static str,
    pub start: Start,
    pub bytes: Vec<u8>,
}

impl Sample {
    /// Its layers: protocol 253 is UET, except in a frame without an Ethernet header, where it is
    /// the fabric header.
    pub fn layers(&self) -> Layers {
        dissect_with(&self.bytes, self.start, UetNumbers::NATIVE)
    }
}

/// The source of every IPv4 packet of the samples.
pub const SOURCE: Ipv4Addr = Ipv4Addr::new(10, 1, 0, 1);
/// Its destination.
pub const DESTINATION: Ipv4Addr = Ipv4Addr::new(10, 1, 0, 2);

/// `layers` around `payload`.
pub fn build(layers: &[&dyn WireLayer], payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; stack_len(layers, payload.len())];
    emit_stack(layers, payload, &mut bytes).expect("samples are right");
    bytes
}

pub fn in_range<T, E: std::fmt::Debug>(value: Result<T, E>) -> T {
    value.expect("samples are in range")
}

pub fn ethernet(ethertype: EtherType, framing: Framing) -> ethernet::EthernetRepr {
    ethernet::EthernetRepr {
        destination: MacAddress([2, 0, 0, 0, 7, 0xea]),
        source: MacAddress([2, 0, 0, 0, 0, 0x42]),
        ethertype,
        framing,
    }
}

fn ip(protocol: IpProtocol) -> ipv4::Ipv4Repr {
    let header = ipv4::Ipv4Repr::new(protocol, SOURCE, DESTINATION);
    ipv4::Ipv4Repr { dscp: in_range(Dscp::new(8)), ecn: Ecn::Capable0, identification: 0x1234, ..header }
}

fn datagram(destination_port: u16) -> udp::UdpRepr {
    udp::UdpRepr { source_port: 49_200, destination_port, checksum: udp::Checksum::Absent }
}

/// Ethernet, tag, IPv4, UDP, RoCEv2.
fn roce_frame(
    name: &'static str,
    service: RoceService,
    operation: RoceOperation,
    extended: Extended,
    data: &[u8],
) -> Sample {
    let tag = vlan::VlanRepr {
        priority: in_range(Priority::new(3)),
        drop_eligible: false,
        vlan: in_range(VlanId::new(100)),
        ethertype: EtherType::IPV4,
    };
    let opcode = Opcode::new(service, operation).expect("samples use opcodes of the table");
    let (queue_pair, sequence) = (in_range(QueuePair::new(0x1_0203)), in_range(PacketSequence::new(0x04_0506)));
    let packet =
        roce::RoceRepr { acknowledge_request: true, extended, ..roce::RoceRepr::new(opcode, queue_pair, sequence) };
    let outer = ethernet(EtherType::VLAN, Framing::Standard);
    let layers: [&dyn WireLayer; 5] =
        [&outer, &tag, &SealedIpv4(ip(IpProtocol::UDP)), &datagram(udp::PORT_ROCE), &packet];
    Sample { name, start: Start::Ethernet(Framing::Standard), bytes: build(&layers, data) }
}

fn roce_frames() -> Vec<Sample> {
    use RoceOperation as Op;
    use RoceService::{Notification, ReliableConnection as Rc, UnreliableDatagram as Ud};
    let none = Extended::default();
    let remote = Some(RemoteHeader { address: 0x7f00_0000_1000, key: 0xabcd, length: 64 });
    let atomic = Some(Atomic { address: 0x7f00_0000_2000, key: 0xef01, operand: 1, compare: 2 });
    let message_sequence = in_range(PacketSequence::new(77));
    let acknowledge = Some(AckHeader { syndrome: Syndrome::Ack { credits: 31 }, message_sequence });
    let datagram = Some(DatagramHeader { queue_key: 0x8001_0000, source: in_range(QueuePair::new(9)) });
    vec![
        roce_frame("roce write", Rc, Op::WriteOnly, Extended { remote, ..none }, &[0x5a; 63]),
        roce_frame("roce read", Rc, Op::ReadRequest, Extended { remote, ..none }, &[]),
        roce_frame("roce ack", Rc, Op::Acknowledge, Extended { acknowledge, ..none }, &[]),
        roce_frame("roce atomic", Rc, Op::CompareSwap, Extended { atomic, ..none }, &[]),
        roce_frame(
            "roce atomic ack",
            Rc,
            Op::AtomicAcknowledge,
            Extended { acknowledge, atomic_answer: Some(5), ..none },
            &[],
        ),
        roce_frame(
            "roce datagram",
            Ud,
            Op::SendOnlyImmediate,
            Extended { datagram, immediate: Some(0x0102_0304), ..none },
            &[1; 8],
        ),
        roce_frame("roce notification", Notification, Op::CongestionNotification, none, &[0; 16]),
    ]
}

/// TCP with options inside Ethernet inside VXLAN.
fn tunnel() -> Sample {
    let inner_ip = ip(IpProtocol::TCP);
    let segment = tcp::TcpRepr {
        addresses: inner_ip.pseudo_header(),
        source_port: 40_000,
        destination_port: 50_001,
        sequence: 1_000,
        acknowledgement: 2_000,
        flags: tcp::Flags::ACK | tcp::Flags::PSH,
        window: 1_024,
        urgent: 0,
        options: &[1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2],
    };
    let tunnel = vxlan::VxlanRepr { vni: in_range(VxlanId::new(0x12_3456)) };
    let outer_ip = ip(IpProtocol::UDP);
    let outer_udp =
        udp::UdpRepr { checksum: udp::Checksum::Over(outer_ip.pseudo_header()), ..datagram(udp::PORT_VXLAN) };
    let outer = ethernet(EtherType::IPV4, Framing::Standard);
    let inner = ethernet(EtherType::IPV4, Framing::Bare);
    let layers: [&dyn WireLayer; 7] = [&outer, &outer_ip, &outer_udp, &tunnel, &inner, &inner_ip, &segment];
    Sample { name: "vxlan tcp", start: Start::Ethernet(Framing::Standard), bytes: build(&layers, b"in the tunnel") }
}

fn leaf(
    name: &'static str,
    destination: MacAddress,
    ethertype: EtherType,
    framing: Framing,
    layer: &dyn WireLayer,
) -> Sample {
    let outer = ethernet::EthernetRepr { destination, ..ethernet(ethertype, framing) };
    Sample { name, start: Start::Ethernet(framing), bytes: build(&[&outer, layer], &[]) }
}

/// An LLDP unit that advertises everything, between two irrelevant entries.
fn advertisement() -> Vec<u8> {
    let value = Enhancements::ALL.advertise();
    let entries = [
        lldp::Tlv { kind: 5, value: b"rosetta" },
        Enhancements::entry(&value),
        lldp::Tlv { kind: lldp::ORGANISATION, value: &[0x00, 0x12, 0x0f, 4, 0x23, 0x28] },
    ];
    let mut others = vec![0; entries.iter().map(lldp::Tlv::entry_len).sum()];
    let mut at = 0;
    for entry in entries {
        at += in_range(entry.emit(&mut others[at..]));
    }
    others
}

fn control_frames() -> Vec<Sample> {
    let others = advertisement();
    let unit = lldp::LldpRepr {
        chassis: lldp::Identifier { subtype: lldp::CHASSIS_MAC, name: &[2, 0xfe, 0, 0, 0, 1] },
        port: lldp::Identifier { subtype: lldp::PORT_NAME, name: b"x9000c1r3j17p0" },
        time_to_live_seconds: 120,
        others: &others,
    };
    let pfc = mac_control::MacControlRepr::PriorityPause { enabled: 0b1000, quanta: [0, 0, 0, 0xffff, 0, 0, 0, 0] };
    let nack = link_retry::LinkRetryRepr::Nack { wanted: in_range(RetrySequence::new(2_049)) };
    let init =
        link_retry::LinkRetryRepr::Init { next: RetrySequence::default(), in_flight_max: link_retry::IN_FLIGHT_MAX };
    let pause =
        flow_control::FlowControlRepr { flow: 0xdead_beef, pause_quanta: 100, credit: flow_control::Credit::Frames(3) };
    let consumed = std::array::from_fn(|channel| in_range(ConsumedCredits::new(0xf_0000 + channel as u32)));
    let update = CreditUpdateRepr { is_upper_half: true, consumed };
    let (bridge, standard) = (MacAddress::NEAREST_BRIDGE, Framing::Standard);
    let control = EtherType::MAC_CONTROL;
    vec![
        leaf("pause", MacAddress::PAUSE, control, standard, &mac_control::MacControlRepr::Pause { quanta: 0x1234 }),
        leaf("pfc", MacAddress::PAUSE, control, standard, &pfc),
        leaf("credit update", MacAddress::PAUSE, control, standard, &update),
        leaf("lldp", bridge, EtherType::LLDP, standard, &unit),
        leaf("link retry nack", bridge, EtherType::LINK_RETRY, Framing::Hpc, &nack),
        leaf("link retry init", bridge, EtherType::LINK_RETRY, standard, &init),
        leaf("fgfc", bridge, EtherType::FLOW_CONTROL, Framing::Hpc, &pause),
    ]
}

fn fabric_header() -> fabric::FabricRepr {
    let place = |address, endpoint| fabric::ProcessAddress {
        address: in_range(Dfa::new(address)),
        endpoint: in_range(EndpointIndex::new(endpoint)),
    };
    fabric::FabricRepr {
        dscp: in_range(Dscp::new(4)),
        ecn: Ecn::Capable0,
        vni: 0x0a0b,
        try_count: in_range(TryCount::new(1)),
        spt_index: in_range(SptIndex::new(1_234)),
        time_to_live: 12,
        source: place(2_026, 3),
        destination: place(42, 7),
    }
}

/// One header of each kind, with data that fits it.
fn messages() -> Vec<(&'static str, message::MessageRepr, Vec<u8>)> {
    let first = message::First {
        operation: in_range(MessageOperation::new(1)),
        flush: true,
        packet_id_extension: in_range(PacketIdExtension::new(2)),
    };
    let index_extension = in_range(IndexExtension::new(17));
    let connection = message::Connection {
        sequence: in_range(ConnectionSequence::new(0xabc)),
        clear_sequence: in_range(ConnectionSequence::new(0xab0)),
        index: in_range(SctIndex::new(0x123)),
    };
    let remote_offset = in_range(RemoteOffset::new(0x1234_5678_9abc));
    let (initiator, match_bits, header_data) = (0x1122_3344, 0x5566_7788_99aa_bbcc, 99);
    let length = |bytes| in_range(PacketLength::new(bytes));
    let unrestricted = |request_length| message::MessageRepr::Unrestricted {
        first,
        index_extension,
        remote_offset,
        message: 5,
        connection,
        rendezvous: 6,
        source_error: false,
        use_offset_for_get: true,
        request_length,
        initiator,
        match_bits,
        header_data,
        eager_length: in_range(EagerLength::new(2_048)),
    };
    let small = message::MessageRepr::SmallMessage {
        first,
        index_extension,
        header_data,
        connection,
        request_length: length(16),
        initiator,
        match_bits,
        source_error: false,
    };
    let restricted = message::MessageRepr::Restricted {
        first,
        index_extension,
        remote_offset,
        source_error: false,
        request_length: length(8),
    };
    let continuation = message::MessageRepr::Continuation {
        first,
        end_of_message: true,
        is_ordered: false,
        source_error: false,
        offset: 4_096,
        message: 5,
        connection,
        packet_length: length(31),
    };
    let amo = amo::AmoRepr {
        operation: amo::AmoOperation::CompareSwap,
        data_type: amo::DataType::Uint64,
        comparison: amo::SwapCondition::NotEqual,
        operand: [1, 0],
        second_operand: [2, 0],
    };
    vec![
        ("unrestricted", unrestricted(16), vec![0xd2; 16]),
        ("small message", small, vec![0xd1; 16]),
        ("restricted", restricted, vec![0xd3; 8]),
        ("continuation", continuation, vec![0xd4; 31]),
        ("amo", unrestricted(8), build(&[&amo], &[])),
    ]
}

fn hpc_frames() -> Vec<Sample> {
    let fabric = fabric_header();
    let outer = ethernet(EtherType::LOCAL_EXPERIMENTAL_1, Framing::Hpc);
    let mut samples = Vec::new();
    for (name, header, data) in messages() {
        samples.push(Sample {
            name,
            start: Start::Headerless,
            bytes: build(&[&headerless::HeaderlessRepr, &fabric, &header], &data),
        });
        samples.push(Sample {
            name,
            start: Start::Ethernet(Framing::Hpc),
            bytes: build(&[&outer, &fabric, &header], &data),
        });
    }
    let layers: [&dyn WireLayer; 3] = [&headerless::HeaderlessRepr, &ip(IpProtocol::UDP), &datagram(9)];
    samples.push(Sample { name: "headerless ip", start: Start::Headerless, bytes: build(&layers, b"") });
    samples
}

/// One frame of each format.
pub fn samples() -> Vec<Sample> {
    let mut samples = roce_frames();
    samples.push(tunnel());
    samples.extend(control_frames());
    samples.extend(uet::frames());
    samples.extend(hpc_frames());
    samples
}
