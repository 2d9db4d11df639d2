//! Every value that a format can hold is written and read back the same, and so are its contents.

use philae_wire::hpc_ethernet::{amo, fabric, headerless, message};
use philae_wire::roce::extended::{AckHeader, Atomic, DatagramHeader, Extended, RemoteHeader, Syndrome};
use philae_wire::roce::opcode::{HeaderSet, Opcode, RoceOperation};
use philae_wire::roce::{NOTIFICATION_LEN, icrc};
use philae_wire::{
    ConnectionSequence, Dfa, Dscp, EagerLength, Ecn, EndpointIndex, EtherType, Framing, IndexExtension, IpProtocol,
    MacAddress, MessageOperation, PacketIdExtension, PacketLength, PacketSequence, Priority, PseudoHeader, QueuePair,
    RemoteOffset, RetrySequence, SctIndex, SptIndex, TryCount, VlanId, VxlanId, WireLayer, emit_stack, ethernet,
    flow_control, ipv4, link_retry, lldp, mac_control, roce, stack_len, tcp, udp, vlan, vxlan,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::net::Ipv4Addr;

fn address() -> impl Strategy<Value = MacAddress> {
    any::<[u8; 6]>().prop_map(MacAddress)
}

fn ip_address() -> impl Strategy<Value = Ipv4Addr> {
    any::<[u8; 4]>().prop_map(Ipv4Addr::from)
}

fn addresses() -> impl Strategy<Value = PseudoHeader> {
    (ip_address(), ip_address()).prop_map(|(source, destination)| PseudoHeader { source, destination })
}

fn ethertype() -> impl Strategy<Value = EtherType> {
    (EtherType::MIN.0..=u16::MAX).prop_map(EtherType)
}

fn ecn() -> impl Strategy<Value = Ecn> {
    (0_u8..4).prop_map(Ecn::from_low_bits)
}

fn dscp() -> impl Strategy<Value = Dscp> {
    any::<u8>().prop_map(Dscp::from_low_bits)
}

fn payload(longest: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..=longest)
}

/// `layer` around `payload`; the buffer has garbage before, so that a missing byte is noticed.
fn emit(layer: &dyn WireLayer, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xa5; layer.buffer_len(payload.len())];
    bytes[layer.header_len()..][..payload.len()].copy_from_slice(payload);
    layer.emit(&mut bytes, payload.len()).expect("a value in range can be written");
    bytes
}

fn build(layers: &[&dyn WireLayer], payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xa5; stack_len(layers, payload.len())];
    emit_stack(layers, payload, &mut bytes).expect("a value in range can be written");
    bytes
}

prop_compose! {
    fn ipv4_header()(
        (dscp, ecn, identification, dont_fragment, more_fragments) in (dscp(), ecn(), any::<u16>(), any::<bool>(), any::<bool>()),
        (fragment_offset, time_to_live, protocol) in (0_u16..0x2000, any::<u8>(), any::<u8>()),
        addresses in addresses(),
    ) -> ipv4::Ipv4Repr {
        ipv4::Ipv4Repr {
            dscp, ecn, identification, dont_fragment, more_fragments, fragment_offset, time_to_live,
            protocol: IpProtocol(protocol),
            source: addresses.source,
            destination: addresses.destination,
        }
    }
}

fn syndrome() -> impl Strategy<Value = Syndrome> {
    (0_u8..32, 0..3).prop_map(|(low, kind)| match kind {
        0 => Syndrome::Ack { credits: low },
        1 => Syndrome::ReceiverNotReady { timer: low },
        _ => Syndrome::Nak { code: low },
    })
}

prop_compose! {
    /// The headers that `set` names.
    fn extended(set: HeaderSet)(
        (address, key, length, operand, compare) in any::<(u64, u32, u32, u64, u64)>(),
        (queue_key, source, message, answer, word) in any::<(u32, u32, u32, u64, u32)>(),
        syndrome in syndrome(),
    ) -> Extended {
        let message_sequence = PacketSequence::from_low_bits(message);
        let source = QueuePair::from_low_bits(source);
        Extended {
            datagram: set.contains(HeaderSet::DATAGRAM).then_some(DatagramHeader { queue_key, source }),
            remote: set.contains(HeaderSet::REMOTE).then_some(RemoteHeader { address, key, length }),
            atomic: set.contains(HeaderSet::ATOMIC).then_some(Atomic { address, key, operand, compare }),
            acknowledge: set.contains(HeaderSet::ACKNOWLEDGE).then_some(AckHeader { syndrome, message_sequence }),
            atomic_answer: set.contains(HeaderSet::ATOMIC_ANSWER).then_some(answer),
            immediate: set.contains(HeaderSet::IMMEDIATE).then_some(word),
            invalidate: set.contains(HeaderSet::INVALIDATE).then_some(word),
        }
    }
}

prop_compose! {
    fn roce_packet()(opcode in proptest::sample::select(Opcode::all().collect::<Vec<_>>()))(
        opcode in Just(opcode),
        extended in extended(opcode.headers()),
        flags in any::<[bool; 5]>(),
        (partition_key, pair, sequence, icrc) in any::<(u16, u32, u32, [u8; 4])>(),
    ) -> roce::RoceRepr {
        let [solicited, migrated, forward_congestion, backward_congestion, acknowledge_request] = flags;
        roce::RoceRepr {
            opcode, solicited, migrated, partition_key, forward_congestion, backward_congestion, acknowledge_request,
            queue_pair: QueuePair::from_low_bits(pair),
            sequence: PacketSequence::from_low_bits(sequence),
            extended, icrc,
        }
    }
}

/// The payload that a packet of this opcode may carry.
fn roce_payload(opcode: Opcode, mut wanted: Vec<u8>) -> Vec<u8> {
    let is_empty = matches!(
        opcode.operation(),
        RoceOperation::ReadRequest
            | RoceOperation::Acknowledge
            | RoceOperation::AtomicAcknowledge
            | RoceOperation::CompareSwap
            | RoceOperation::FetchAdd
    );
    match opcode.operation() {
        RoceOperation::CongestionNotification => vec![0; NOTIFICATION_LEN],
        _ if is_empty => Vec::new(),
        _ => std::mem::take(&mut wanted),
    }
}

fn place() -> impl Strategy<Value = fabric::ProcessAddress> {
    any::<(u32, u16)>().prop_map(|(address, endpoint)| fabric::ProcessAddress {
        address: Dfa::from_low_bits(address),
        endpoint: EndpointIndex::from_low_bits(endpoint),
    })
}

prop_compose! {
    fn fabric_header()(
        (dscp, ecn, source, destination) in (dscp(), ecn(), place(), place()),
        (vni, tries, spt, time_to_live) in any::<(u16, u8, u16, u8)>(),
    ) -> fabric::FabricRepr {
        let (try_count, spt_index) = (TryCount::from_low_bits(tries), SptIndex::from_low_bits(spt));
        fabric::FabricRepr { dscp, ecn, vni, try_count, spt_index, time_to_live, source, destination }
    }
}

prop_compose! {
    fn message_header()(
        kind in 0..4,
        flags in any::<[bool; 5]>(),
        (operation, packet_id, index, message, rendezvous) in any::<(u8, u8, u8, u8, u8)>(),
        (sequence, clear, sct, length) in any::<(u16, u16, u16, u16)>(),
        (offset, initiator, match_bits, header_data, request_length) in any::<(u64, u32, u64, u64, u32)>(),
        eager in any::<u32>(),
    ) -> message::MessageRepr {
        let [flush, source_error, use_offset_for_get, end_of_message, is_ordered] = flags;
        let first = message::First {
            operation: MessageOperation::from_low_bits(operation),
            flush,
            packet_id_extension: PacketIdExtension::from_low_bits(packet_id),
        };
        let connection = message::Connection {
            sequence: ConnectionSequence::from_low_bits(sequence),
            clear_sequence: ConnectionSequence::from_low_bits(clear),
            index: SctIndex::from_low_bits(sct),
        };
        let index_extension = IndexExtension::from_low_bits(index);
        let remote_offset = RemoteOffset::from_low_bits(offset);
        let length = PacketLength::from_low_bits(length);
        match kind {
            0 => message::MessageRepr::Unrestricted {
                first, index_extension, remote_offset, message, connection, rendezvous, source_error, use_offset_for_get,
                request_length, initiator, match_bits, header_data,
                eager_length: EagerLength::from_low_bits(eager),
            },
            1 => message::MessageRepr::SmallMessage {
                first, index_extension, header_data, connection, request_length: length, initiator, match_bits,
                source_error,
            },
            2 => message::MessageRepr::Continuation {
                first, end_of_message, is_ordered, source_error, offset: initiator, message, connection,
                packet_length: length,
            },
            _ => message::MessageRepr::Restricted { first, index_extension, remote_offset, source_error, request_length: length },
        }
    }
}

prop_compose! {
    fn atomic_operation()(
        operation in proptest::sample::select(&amo::AmoOperation::ALL[..]),
        data_type in proptest::sample::select(&amo::DataType::ALL[..]),
        comparison in proptest::sample::select(&amo::SwapCondition::ALL[..]),
        (operand, second_operand) in any::<([u64; 2], [u64; 2])>(),
    ) -> amo::AmoRepr {
        amo::AmoRepr { operation, data_type, comparison, operand, second_operand }
    }
}

fn link_retry_frame() -> impl Strategy<Value = link_retry::LinkRetryRepr> {
    use link_retry::LinkRetryRepr;
    (any::<u16>().prop_map(RetrySequence::from_low_bits), 1..=link_retry::IN_FLIGHT_MAX, any::<u64>(), 0..6).prop_map(
        |(sequence, in_flight_max, sent, kind)| match kind {
            0 => LinkRetryRepr::Init { next: sequence, in_flight_max },
            1 => LinkRetryRepr::Ack { received: sequence },
            2 => LinkRetryRepr::Nack { wanted: sequence },
            3 => LinkRetryRepr::LoopRequest { sent },
            4 => LinkRetryRepr::InitEcho { next: sequence },
            _ => LinkRetryRepr::LoopAnswer { sent },
        },
    )
}

proptest! {
    #[test]
    fn an_ethernet_frame_comes_back_with_its_padding(
        (destination, source, ethertype) in (address(), address(), ethertype()),
        framing in proptest::sample::select(vec![Framing::Standard, Framing::Hpc, Framing::Bare]),
        data in payload(200),
    ) {
        let value = ethernet::EthernetRepr { destination, source, ethertype, framing };
        let bytes = emit(&value, &data);
        let frame = ethernet::EthernetFrame::new(&bytes, framing).unwrap();
        prop_assert_eq!(ethernet::EthernetRepr::parse(&frame), Ok(value));
        let (carried, padding) = frame.payload().split_at(data.len());
        prop_assert_eq!(carried, data);
        prop_assert!(padding.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn a_tag_comes_back((priority, drop_eligible, id) in any::<(u8, bool, u16)>(), ethertype in ethertype(), data in payload(50)) {
        let (priority, vlan) = (Priority::from_low_bits(priority), VlanId::from_low_bits(id));
        let value = vlan::VlanRepr { priority, drop_eligible, vlan, ethertype };
        let bytes = emit(&value, &data);
        let tag = vlan::VlanTag::new(&bytes).unwrap();
        prop_assert_eq!(vlan::VlanRepr::parse(&tag), Ok(value));
        prop_assert_eq!(tag.payload(), data);
    }

    #[test]
    fn a_pause_comes_back(enabled in any::<u8>(), quanta in any::<[u16; 8]>(), is_pause in any::<bool>()) {
        let pause = mac_control::MacControlRepr::Pause { quanta: quanta[0] };
        let value = if is_pause { pause } else { mac_control::MacControlRepr::PriorityPause { enabled, quanta } };
        let packet = mac_control::MacControlPacket::new(emit(&value, &[])).unwrap();
        prop_assert_eq!(mac_control::MacControlRepr::parse(&packet), Ok(value));
    }

    #[test]
    fn an_lldp_unit_comes_back_with_entries_of_no_interest(
        (chassis, port) in (vec(any::<u8>(), 1..=255), vec(any::<u8>(), 1..=255)),
        (chassis_subtype, port_subtype, time_to_live_seconds) in any::<(u8, u8, u16)>(),
        entries in vec((4_u8..=127, payload(511)), 0..4),
    ) {
        let mut others = Vec::new();
        for (kind, value) in &entries {
            let entry = lldp::Tlv { kind: *kind, value };
            let at = others.len();
            others.resize(at + entry.entry_len(), 0);
            entry.emit(&mut others[at..]).unwrap();
        }
        let value = lldp::LldpRepr {
            chassis: lldp::Identifier { subtype: chassis_subtype, name: &chassis },
            port: lldp::Identifier { subtype: port_subtype, name: &port },
            time_to_live_seconds,
            others: &others,
        };
        let unit = lldp::LldpUnit::new(emit(&value, &[])).unwrap();
        let parsed = lldp::LldpRepr::parse(&unit).unwrap();
        prop_assert_eq!(parsed, value);
        let found: Vec<_> = parsed.entries().map(|entry| entry.unwrap()).map(|entry| (entry.kind, entry.value.to_vec())).collect();
        prop_assert_eq!(found, entries);
    }

    #[test]
    fn an_ipv4_header_comes_back_whatever_is_behind_the_packet(value in ipv4_header(), data in payload(100), behind in payload(20)) {
        let mut bytes = emit(&value, &data);
        bytes.extend(behind);
        let packet = ipv4::Ipv4Packet::new(&bytes).unwrap();
        prop_assert_eq!(ipv4::Ipv4Repr::parse(&packet), Ok(value));
        prop_assert_eq!(packet.payload(), data);
    }

    #[test]
    fn a_udp_header_comes_back((source_port, destination_port, has_checksum) in any::<(u16, u16, bool)>(), over in addresses(), data in payload(101)) {
        let checksum = if has_checksum { udp::Checksum::Over(over) } else { udp::Checksum::Absent };
        let value = udp::UdpRepr { source_port, destination_port, checksum };
        let bytes = emit(&value, &data);
        let datagram = udp::UdpDatagram::new(&bytes).unwrap();
        prop_assert_eq!(udp::UdpRepr::parse(&datagram, over), Ok(value));
        prop_assert_eq!(datagram.payload(), data);
    }

    #[test]
    fn a_tcp_header_comes_back_with_its_options(
        addresses in addresses(),
        (source_port, destination_port, sequence, acknowledgement) in any::<(u16, u16, u32, u32)>(),
        (flags, window, urgent) in any::<(u16, u16, u16)>(),
        words in vec(any::<[u8; 4]>(), 0..=10),
        data in payload(101),
    ) {
        let (flags, options) = (tcp::Flags(flags & 0xfff), words.concat());
        let value = tcp::TcpRepr {
            addresses, source_port, destination_port, sequence, acknowledgement, flags, window, urgent, options: &options,
        };
        let bytes = emit(&value, &data);
        let segment = tcp::TcpSegment::new(&bytes).unwrap();
        prop_assert_eq!(tcp::TcpRepr::parse(&segment, addresses), Ok(value));
        prop_assert_eq!(segment.payload(), data);
    }

    #[test]
    fn a_roce_packet_comes_back(value in roce_packet(), wanted in payload(67)) {
        let data = roce_payload(value.opcode, wanted);
        let bytes = emit(&value, &data);
        let packet = roce::RocePacket::new(&bytes).unwrap();
        prop_assert_eq!(roce::RoceRepr::parse(&packet), Ok(value));
        prop_assert_eq!(packet.payload(), data);
    }

    #[test]
    fn a_sealed_packet_is_checked_and_a_broken_one_caught(
        (roce, ip) in (roce_packet(), ipv4_header()),
        (source_port, has_checksum) in any::<(u16, bool)>(),
        wanted in payload(67),
        broken in any::<proptest::sample::Index>(),
    ) {
        let ip = ipv4::Ipv4Repr { protocol: IpProtocol::UDP, ..ip };
        let checksum = if has_checksum { udp::Checksum::Over(ip.pseudo_header()) } else { udp::Checksum::Absent };
        let udp = udp::UdpRepr { source_port, destination_port: udp::PORT_ROCE, checksum };
        let data = roce_payload(roce.opcode, wanted);
        let mut bytes = build(&[&icrc::SealedIpv4(ip), &udp, &roce], &data);
        prop_assert_eq!(icrc::check(&bytes), Ok(()));
        let datagram = udp::UdpDatagram::new(&bytes[20..]).unwrap();
        prop_assert_eq!(udp::UdpRepr::parse(&datagram, ip.pseudo_header()), Ok(udp));
        let covered = 40 + broken.index(bytes.len() - 40);
        bytes[covered] ^= 0x40;
        prop_assert!(icrc::check(&bytes).is_err());
    }

    #[test]
    fn a_vxlan_header_comes_back(vni in any::<u32>(), data in payload(60)) {
        let value = vxlan::VxlanRepr { vni: VxlanId::from_low_bits(vni) };
        let bytes = emit(&value, &data);
        let packet = vxlan::VxlanPacket::new(&bytes).unwrap();
        prop_assert_eq!(vxlan::VxlanRepr::parse(&packet), Ok(value));
        prop_assert_eq!(packet.payload(), data);
    }

    #[test]
    fn a_fabric_header_comes_back_whatever_is_behind_the_packet(value in fabric_header(), data in payload(60), behind in payload(20)) {
        let mut bytes = emit(&value, &data);
        bytes.extend(behind);
        let packet = fabric::FabricPacket::new(&bytes).unwrap();
        prop_assert_eq!(fabric::FabricRepr::parse(&packet), Ok(value));
        prop_assert_eq!(packet.payload(), data);
    }

    #[test]
    fn a_message_header_comes_back(value in message_header(), data in payload(60)) {
        let bytes = emit(&value, &data);
        let packet = message::MessagePacket::new(&bytes).unwrap();
        prop_assert_eq!(message::MessageRepr::parse(&packet), Ok(value));
        prop_assert_eq!(packet.payload(), data);
    }

    #[test]
    fn an_atomic_operation_comes_back(value in atomic_operation()) {
        let packet = amo::AmoPacket::new(emit(&value, &[])).unwrap();
        prop_assert_eq!(amo::AmoRepr::parse(&packet), Ok(value));
    }

    #[test]
    fn a_headerless_frame_comes_back(header in fabric_header(), data in payload(60)) {
        let bytes = build(&[&headerless::HeaderlessRepr, &header], &data);
        let frame = headerless::HeaderlessFrame::new(&bytes).unwrap();
        prop_assert_eq!(headerless::HeaderlessRepr::parse(&frame), Ok(headerless::HeaderlessRepr));
        let packet = fabric::FabricPacket::new(frame.payload()).unwrap();
        prop_assert_eq!(fabric::FabricRepr::parse(&packet), Ok(header));
        prop_assert_eq!(packet.payload(), data);
    }

    #[test]
    fn a_link_retry_frame_comes_back(value in link_retry_frame()) {
        let packet = link_retry::LinkRetryPacket::new(emit(&value, &[])).unwrap();
        prop_assert_eq!(link_retry::LinkRetryRepr::parse(&packet), Ok(value));
    }

    #[test]
    fn an_fgfc_frame_comes_back((flow, pause_quanta, amount, in_frames) in any::<(u32, u16, u16, bool)>()) {
        let credit = if in_frames { flow_control::Credit::Frames(amount) } else { flow_control::Credit::Units(amount) };
        let value = flow_control::FlowControlRepr { flow, pause_quanta, credit };
        let packet = flow_control::FlowControlPacket::new(emit(&value, &[])).unwrap();
        prop_assert_eq!(flow_control::FlowControlRepr::parse(&packet), Ok(value));
    }

    #[test]
    fn a_buffer_one_byte_too_small_is_refused(header in fabric_header(), data in payload(60)) {
        let mut bytes = vec![0x45; header.buffer_len(data.len()) - 1];
        let (wanted, found) = (bytes.len() + 1, bytes.len());
        let error = header.emit(&mut bytes, data.len()).unwrap_err();
        prop_assert_eq!(error, philae_wire::WireError::NoRoom { format: "fabric header", wanted, found });
    }
}
