//! Captures of runs with Ultra Ethernet's transport, as read by our own dissector and by Wireshark.

use crate::common::{Folder, frames, succeeded, tshark};
use crate::pcap::JOBS;
use philae_wire::Framing;
use philae_wire::dissect::{LayerKind, Start, UetNumbers, dissect_with};
use philae_wire::uet::acknowledgement::AckExtension;
use philae_wire::uet::congestion::AckCongestion;
use philae_wire::uet::control::ControlType;
use philae_wire::uet::delivery::DeliveryRepr;
use philae_wire::uet::packet::{UetPacket, UetRepr};
use philae_wire::uet::request::PdcDestination;
use philae_wire::uet::semantic::SemanticRepr;
use philae_wire::uet::semantic::opcode::{SemanticOpcode, SemanticStatus};
use philae_wire::uet::semantic::request::{RequestBody, RestartToken};
use std::collections::{BTreeMap, BTreeSet};

/// Puts, eager and rendezvous sends, reads, and an incast whose sender waits for credit.
/// Ranks that begin at random times, so that some have not posted their receives.
const LATE: &str = "[run]\ntime_limit = \"2ms\"\nstart_skew = \"60us\"\n\
    [[job]]\nname = \"late\"\nnodes = [0, 1, 2, 3, 8, 9]\n\
    workload = { kind = \"sendrecv-alltoall\", bytes = \"100KiB\", iterations = 2 }\n";

fn scenario(law: &str, uet: &str, jobs: &str) -> String {
    let captures: String = (0..4)
        .map(|node| format!("[[capture]]\nport = \"endpoint:{node}\"\nfile = \"{node}.pcapng\"\nsnap_bytes = 65535\n"))
        .collect();
    format!(
        "name = \"captured\"\n[congestion]\nlaw = \"{law}\"\n[hardware.uet]\n{uet}\n[system]\nname = \"tiny\"\n\
         nic = \"cassini-2\"\n[system.dragonfly]\nlinks_per_pair = 1\n\
         groups = [{{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 2 }}]\n{captures}{jobs}"
    )
}

/// The headers of a frame; it is whole, and its CRC is right.
fn headers(bytes: &[u8]) -> (DeliveryRepr, Option<SemanticRepr>) {
    let layers = dissect_with(bytes, Start::Ethernet(Framing::Bare), UetNumbers::NATIVE);
    assert_eq!(layers.error(), None);
    let delivery = layers.innermost(LayerKind::UetDelivery).expect("a packet of the transport");
    let packet = UetPacket::new(&bytes[delivery.offset..]).expect("it is whole");
    match UetRepr::parse(&packet).expect("it is right") {
        UetRepr::Clear { delivery, semantic, .. } => (delivery, semantic),
        UetRepr::Secured(_) => panic!("no packet is secured"),
    }
}

/// Packet numbers of each context have no gaps, acknowledgements name what was sent, and contexts
/// are set up by their first packets.
#[test]
fn frames_show_the_state_of_the_transport() {
    for law in ["nscc", "rccc"] {
        let folder = Folder::with(&scenario(law, "", JOBS));
        succeeded(&folder.simulate(&[]));
        let mut opcodes: BTreeSet<u8> = BTreeSet::new();
        let mut controls: BTreeMap<ControlType, u32> = BTreeMap::new();
        let (mut acks, mut responses, mut begun, mut established) = (0, 0, 0, 0);
        for node in 0..4 {
            let mut next: BTreeMap<u16, u32> = BTreeMap::new();
            let mut sent: BTreeMap<(u16, u32), usize> = BTreeMap::new();
            for (_, direction, length, bytes) in frames(&folder.file(&format!("{node}.pcapng"))) {
                assert_eq!(bytes.len(), length);
                let is_sent = direction == 2;
                let (delivery, semantic) = headers(&bytes);
                match delivery {
                    DeliveryRepr::Request(request) => {
                        assert_eq!(request.congestion.is_some(), law == "rccc");
                        match request.destination {
                            PdcDestination::Syn { .. } => begun += 1,
                            PdcDestination::Established(number) => {
                                established += 1;
                                assert_ne!(number.0, 0);
                            }
                        }
                        if let Some(SemanticRepr::Request(request)) = semantic {
                            opcodes.insert(request.opcode.get());
                            if let (SemanticOpcode::TAGGED_SEND, RequestBody::Standard { request_length, .. }) =
                                (request.opcode, request.body)
                            {
                                assert!([4_097, 65_536].contains(&request_length), "{request_length}");
                            }
                        }
                        if is_sent {
                            let expected = next.entry(request.source.0).or_insert(1);
                            assert_eq!(request.psn.0, *expected, "{law}, node {node}");
                            *expected += 1;
                            sent.insert((request.source.0, request.psn.0), length);
                        }
                    }
                    DeliveryRepr::Ack(ack) => {
                        acks += 1;
                        responses += u32::from(semantic.is_some());
                        let psn = ack.psn().expect("no probes");
                        if !is_sent {
                            assert!(sent.contains_key(&(ack.destination.0, psn.0)), "{law}: {psn} was not sent");
                        }
                        let AckExtension::Congestion(selective, state) = ack.extension else { panic!("{ack:?}") };
                        assert_eq!(selective.bitmap >> 63, 1, "the packet itself has arrived");
                        assert_eq!(matches!(state, AckCongestion::Credit { .. }), law == "rccc");
                    }
                    DeliveryRepr::Control(control) => *controls.entry(control.control).or_insert(0) += 1,
                    other => panic!("{other:?}"),
                }
            }
        }
        assert!(acks > 20 && (12..acks).contains(&responses), "{law}: {acks}, {responses}");
        assert!(begun > 0 && established > begun, "{law}: {begun}, {established}");
        let expected = [
            SemanticOpcode::WRITE,
            SemanticOpcode::READ,
            SemanticOpcode::TAGGED_SEND,
            SemanticOpcode::RENDEZVOUS_TAGGED_SEND,
        ];
        for opcode in expected {
            assert!(opcodes.contains(&opcode.get()), "{law}: no {opcode}");
        }
        assert_eq!(controls.contains_key(&ControlType::CREDIT), law == "rccc", "{controls:?}");
    }
}

/// A target without a receive defers a message, and asks for it later, with the names that both
/// ends have given to it.
#[test]
fn deferred_sends_are_restarted_by_their_names() {
    let folder = Folder::with(&scenario("nscc", "long_send = \"deferrable\"", LATE));
    succeeded(&folder.simulate(&[]));
    let (mut sent, mut asked, mut again) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut names, mut refused) = (0, 0);
    for node in 0..4 {
        for (.., bytes) in frames(&folder.file(&format!("{node}.pcapng"))) {
            match headers(&bytes).1 {
                Some(SemanticRepr::Request(request)) => {
                    let RequestBody::Standard { buffer_offset, match_bits, .. } = request.body else { continue };
                    let token = RestartToken::from_field(buffer_offset);
                    names += u32::from(match request.opcode {
                        SemanticOpcode::DEFERRABLE_TAGGED_SEND if token.target == 0 => sent.insert(token.initiator),
                        SemanticOpcode::DEFERRABLE_TAGGED_SEND => again.insert(buffer_offset),
                        SemanticOpcode::READY_TO_RESTART => asked.insert(match_bits),
                        SemanticOpcode::RENDEZVOUS_TAGGED_SEND => panic!("a rendezvous"),
                        _ => false,
                    });
                }
                Some(SemanticRepr::Response(response)) => {
                    refused += u32::from(response.status == SemanticStatus::NO_MATCH);
                }
                None => {}
            }
        }
    }
    assert!(names > 0 && !sent.is_empty(), "long messages are deferrable");
    assert!(refused > 0 && !again.is_empty(), "some come before their receives");
    assert!(again.is_subset(&asked), "{again:?} of {asked:?}");
}

#[test]
fn a_uet_capture_is_the_same_for_any_number_of_partitions() {
    let folder = Folder::with(&scenario("rccc", "", JOBS));
    let mut captures = Vec::new();
    for partitions in ["1", "2", "3"] {
        succeeded(&folder.simulate(&["--partitions", partitions]));
        captures.push([0, 3].map(|node| std::fs::read(folder.file(&format!("{node}.pcapng"))).expect("a capture")));
    }
    assert_eq!(captures[0], captures[1]);
    assert_eq!(captures[0], captures[2]);
}

#[test]
fn tshark_reads_the_outer_headers_of_a_uet_run() {
    for (uet, protocols) in [
        ("", "eth:ethertype:ip:udp"),
        ("ip = 6", "eth:ethertype:ipv6:udp"),
        ("encapsulation = \"ip\"", "eth:ethertype:ip"),
        ("encapsulation = \"ip\"\nip = 6", "eth:ethertype:ipv6"),
    ] {
        let folder = Folder::with(&scenario("rccc", uet, JOBS));
        succeeded(&folder.simulate(&[]));
        let path = folder.file("3.pcapng");
        let found = frames(&path);
        assert!(found.len() > 40);
        for (.., bytes) in &found {
            headers(bytes);
        }
        let fields = ["_ws.malformed", "frame.protocols", "ip.checksum.status", "udp.dstport"];
        let Some(lines) = tshark(&path, &fields) else { return };
        assert_eq!(lines.len(), found.len());
        for line in &lines {
            let [malformed, seen, checksum, port] = line.as_slice() else { panic!("{line:?}") };
            assert_eq!(malformed, "");
            assert!(seen.starts_with(protocols), "{seen}");
            assert_eq!(checksum, if uet.contains("ip = 6") { "" } else { "1" });
            assert_eq!(port, if protocols.ends_with("udp") { "4793" } else { "" });
            assert!(!seen.contains("dns"), "the entropy is no service's port: {seen}");
        }
    }
}
