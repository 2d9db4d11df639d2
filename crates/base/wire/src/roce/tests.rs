//! Known packets: two whose ICRC others have published, and the rules of opcodes and lengths.

use super::extended::{AckHeader, RemoteHeader, Syndrome};
use super::opcode::{RoceOperation, RoceService};
use super::*;
use crate::udp::{Checksum, PORT_ROCE};
use crate::{Ecn, EtherType, Framing, IpProtocol, MacAddress, emit_stack, ethernet, ipv4, udp};
use std::net::Ipv4Addr;

fn opcode(service: RoceService, operation: RoceOperation) -> Opcode {
    Opcode::new(service, operation).expect("the table has it")
}

fn packet(opcode: Opcode) -> RoceRepr {
    RoceRepr::new(opcode, QueuePair::new(0xd3).unwrap(), PacketSequence::new(0xcf_16d0).unwrap())
}

/// A sent packet on an unreliable connection; Scapy's tests name its checksums (0xb4d5, 0xaca2) and
/// ICRC (0x78f353f3).
#[test]
fn a_published_packet_comes_out_to_the_byte() {
    let address = Ipv4Addr::new(192, 168, 0, 7);
    let ip = ipv4::Ipv4Repr {
        ecn: Ecn::Capable1,
        identification: 1_144,
        ..ipv4::Ipv4Repr::new(IpProtocol::UDP, address, address)
    };
    let checksum = Checksum::Over(ip.pseudo_header());
    let datagram = udp::UdpRepr { source_port: 49_152, destination_port: PORT_ROCE, checksum };
    let roce = RoceRepr {
        sequence: PacketSequence::new(13_571_856).unwrap(),
        queue_pair: QueuePair::new(211).unwrap(),
        ..packet(opcode(RoceService::UnreliableConnection, RoceOperation::SendOnly))
    };
    let payload = b"F0\x81\x8b\xe2\x895\xd9\x0e\x9a\x95PT\x01\xbe\x88^P";
    let mut bytes = [0; 64];
    emit_stack(&[&icrc::SealedIpv4(ip), &datagram, &roce], payload, &mut bytes).unwrap();
    assert_eq!(bytes[10..12], [0xb4, 0xd5]);
    assert_eq!(bytes[26..28], [0xac, 0xa2], "the UDP checksum covers the ICRC");
    assert_eq!(bytes[29] >> 4 & 3, 2, "two bytes of pad");
    assert_eq!(bytes[60..], [0x78, 0xf3, 0x53, 0xf3]);
    assert_eq!(icrc::check(&bytes), Ok(()));
    let udp = udp::UdpDatagram::new(&bytes[20..]).unwrap();
    assert_eq!(udp::UdpRepr::parse(&udp, ip.pseudo_header()), Ok(datagram));
}

/// A congestion notification that a ConnectX-4 Lx sent, from Scapy's tests.
const CAPTURED: [u8; 74] = [
    0xe4, 0x1d, 0x2d, 0xab, 0x2b, 0xc2, 0x7c, 0xfe, 0x90, 0x64, 0x3b, 0x32, 0x08, 0x00, 0x45, 0xc2, 0x00, 0x3c, 0x71,
    0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61, 0x0a, 0x00, 0x11, 0x01, 0x0a, 0x00, 0x12, 0x01, 0x00, 0x00, 0x12, 0xb7,
    0x00, 0x28, 0x00, 0x00, 0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x82, 0xfd, 0x00, 0x2a,
];

#[test]
fn a_captured_notification_is_read_and_written_back() {
    let frame = ethernet::EthernetFrame::new(CAPTURED, Framing::Bare).unwrap();
    let outer = ethernet::EthernetRepr::parse(&frame).unwrap();
    assert_eq!(outer.source, MacAddress([0x7c, 0xfe, 0x90, 0x64, 0x3b, 0x32]));
    assert_eq!(outer.ethertype, EtherType::IPV4);
    assert_eq!(icrc::check(frame.payload()), Ok(()));
    let ip_packet = ipv4::Ipv4Packet::new(frame.payload()).unwrap();
    let ip = ipv4::Ipv4Repr::parse(&ip_packet).unwrap();
    let datagram = udp::UdpDatagram::new(ip_packet.payload()).unwrap();
    let udp = udp::UdpRepr::parse(&datagram, ip.pseudo_header()).unwrap();
    let packet = RocePacket::new(datagram.payload()).unwrap();
    let roce = RoceRepr::parse(&packet).unwrap();
    assert_eq!(roce.opcode, Opcode::congestion_notification());
    assert!(roce.backward_congestion && !roce.forward_congestion);
    assert_eq!(roce.queue_pair.get(), 0x118);

    let mut bytes = [0xee; 74];
    emit_stack(&[&outer, &ip, &udp, &roce], packet.payload(), &mut bytes).unwrap();
    assert_eq!(bytes, CAPTURED);
}

#[test]
fn marks_and_hops_leave_the_icrc_right_and_data_does_not() {
    let mut bytes = CAPTURED[14..].to_vec();
    let mut ip = ipv4::Ipv4Packet::new(&mut bytes).unwrap();
    ip.set_ecn(Ecn::Congested);
    ip.set_time_to_live(3);
    RocePacket::new(&mut bytes[28..]).unwrap().set_congestion(true, false);
    assert_eq!(icrc::check(&bytes), Ok(()));
    bytes[45] ^= 1;
    assert!(matches!(icrc::check(&bytes), Err(WireError::Checksum { field: "ICRC", .. })));
}

#[test]
fn the_opcode_says_which_headers_follow() {
    let read = packet(opcode(RoceService::ReliableConnection, RoceOperation::ReadRequest));
    let mut bytes = [0; 64];
    assert!(matches!(read.emit(&mut bytes, 0), Err(WireError::Field { field: "set of further headers", .. })));
    let remote = Some(RemoteHeader { address: 0x1000, key: 7, length: 4_096 });
    let read = RoceRepr { extended: Extended { remote, ..Extended::default() }, ..read };
    assert_eq!(read.emit(&mut bytes, 0), Ok(()));
    assert_eq!(read.buffer_len(0), 32);
    assert!(matches!(read.emit(&mut bytes, 4), Err(WireError::Field { field: "payload length", found: 4, .. })));
    assert_eq!(RoceRepr::parse(&RocePacket::new(&bytes[..32]).unwrap()), Ok(read));
}

#[test]
fn a_length_that_is_no_multiple_of_four_is_refused() {
    let mut bytes = [0; 17];
    bytes[0] = 0x04;
    let error = RocePacket::new(bytes).unwrap_err();
    assert_eq!(error.to_string(), "RoCEv2: length of payload and pad is 0x1; a multiple of 4 would be valid");
}

#[test]
fn a_reserved_syndrome_is_refused() {
    let acknowledge =
        Some(AckHeader { syndrome: Syndrome::Nak { code: 0 }, message_sequence: PacketSequence::new(9).unwrap() });
    let ack = RoceRepr {
        extended: Extended { acknowledge, ..Extended::default() },
        ..packet(opcode(RoceService::ReliableConnection, RoceOperation::Acknowledge))
    };
    let mut bytes = [0; 20];
    ack.emit(&mut bytes, 0).unwrap();
    assert_eq!(bytes[12..16], [0x60, 0, 0, 9]);
    bytes[12] = 0x40;
    assert!(matches!(
        RoceRepr::parse(&RocePacket::new(bytes).unwrap()),
        Err(WireError::Field { field: "syndrome", .. })
    ));
}
