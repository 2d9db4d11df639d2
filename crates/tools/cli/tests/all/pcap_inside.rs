//! Captures of traffic of the packet engine, sockets and collective trees, as read by Wireshark and
//! by our own reader.

use crate::common::{Folder, frames, ports_with_a_cable, succeeded, tshark};
use philae_wire::dissect::{LayerKind, Layers, Start, dissect};
use philae_wire::{Framing, ipv4, tcp};
use std::collections::BTreeMap;

/// Three groups of two switches with two NICs each; endpoint 0 is in the first, endpoint 8 in the
/// last.
fn scenario(nic: &str, more: &str) -> String {
    format!(
        "name = \"captured\"\n[system]\nname = \"tiny\"\nnic = \"{nic}\"\n\
         [system.dragonfly]\nlinks_per_pair = 1\n\
         groups = [{{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 2 }}]\n{more}"
    )
}

/// Captures of both NICs, of both edge ports, and of every link of the first switch to others.
const EVERYWHERE: &str = "[[capture]]\nport = \"endpoint:0\"\nfile = \"nic.pcapng\"\nsnap_bytes = 65535\n\
    [[capture]]\nport = \"endpoint:8\"\nfile = \"far.pcapng\"\nsnap_bytes = 65535\n";

const PUTS: &str = "[run]\ntime_limit = \"400us\"\n[[job]]\nname = \"puts\"\nnodes = [0, 8]\nvni = 77\n\
    workload = { kind = \"permutation\", bytes = \"10000B\", iterations = 5, window = 1 }\n";

/// The ports of switch 0 to other switches, as the command names them.
fn inner_ports(folder: &Folder) -> Vec<String> {
    let refused = folder.simulate(&["--pcap", "switch:0/port:63=x.pcapng"]);
    ports_with_a_cable(&refused).into_iter().skip(2).map(|port| port.to_string()).collect()
}

/// RoCEv2's opcode of an acknowledgement.
const ACKNOWLEDGE: u8 = 17;

/// Captures of whole frames at these ports.
fn captures(ports: &[String]) -> String {
    let one = |port: &String| {
        format!("[[capture]]\nport = \"switch:0/port:{port}\"\nfile = \"{port}.pcapng\"\nsnap_bytes = 65535\n")
    };
    ports.iter().map(one).collect()
}

fn layers(bytes: &[u8]) -> Layers {
    let layers = dissect(bytes, Start::Ethernet(Framing::Bare));
    assert_eq!(layers.error(), None);
    layers
}

#[test]
fn a_tunnel_is_seen_between_switches_and_the_inner_frame_at_the_edge() {
    let program = "[packet_engine]\nprograms = [\"vxlan-edge\"]\n";
    for nic in ["connectx-5", "cassini-2"] {
        let folder = Folder::with(&scenario(nic, &format!("{program}{EVERYWHERE}{PUTS}")));
        let ports = inner_ports(&folder);
        let text = scenario(nic, &format!("{program}{EVERYWHERE}{}{PUTS}", captures(&ports)));
        std::fs::write(folder.file("s.toml"), text).expect("a temporary file");
        succeeded(&folder.simulate(&[]));
        let (mut inside, mut sizes) = (0, BTreeMap::new());
        for name in ["nic", "far"] {
            for (_, _, length, bytes) in frames(&folder.file(&format!("{name}.pcapng"))) {
                let layers = layers(&bytes);
                assert!(layers.innermost(LayerKind::Vxlan).is_none());
                let roce = layers.innermost(LayerKind::Roce).expect("RoCEv2").offset;
                assert_eq!(bytes[roce + 5..roce + 8], [0, 0, 2], "the queue pair that tables see");
                sizes.insert(bytes[roce..].to_vec(), length);
            }
        }
        for port in &ports {
            let path = folder.file(&format!("{port}.pcapng"));
            for (_, _, length, bytes) in frames(&path) {
                let layers = layers(&bytes);
                let roce = layers.innermost(LayerKind::Roce).expect("RoCEv2").offset;
                if bytes[roce] == ACKNOWLEDGE {
                    assert!(layers.innermost(LayerKind::Vxlan).is_none(), "responses do not meet the tables");
                    continue;
                }
                let vxlan = layers.innermost(LayerKind::Vxlan).expect("in a tunnel").offset;
                assert_eq!(bytes[vxlan + 4..vxlan + 7], [0, 0, 77], "the job's network");
                let outer = ipv4::Ipv4Packet::new(&bytes[14..]).expect("the outer header");
                assert!(outer.time_to_live() < 64 && outer.check_checksum().is_ok());
                assert_eq!(
                    sizes.get(&bytes[roce..]).map(|plain| plain + 50),
                    Some(length),
                    "what the NIC sent, and 50 bytes"
                );
                inside += 1;
            }
            let fields = ["_ws.malformed", "frame.protocols", "ip.checksum.status", "vxlan.vni"];
            for line in tshark(&path, &fields).into_iter().flatten() {
                let [malformed, protocols, checksum, network] = line.as_slice() else { panic!("{line:?}") };
                if network.is_empty() {
                    assert_eq!((malformed.as_str(), checksum.as_str()), ("", "1"), "a response");
                    continue;
                }
                assert_eq!((malformed.as_str(), checksum.as_str(), network.as_str()), ("", "1,1", "77"));
                let both = "eth:ethertype:ip:udp:vxlan:eth:ethertype:ip:udp:infiniband";
                assert!(protocols.starts_with(both), "{protocols}");
            }
        }
        assert!(inside > 20, "{nic}: {inside} frames crossed a captured link");
    }
}

#[test]
fn sockets_are_tcp_whose_numbers_advance_by_what_is_carried_and_udp() {
    let job = "[run]\ntime_limit = \"2ms\"\n[[job]]\nname = \"p\"\nnodes = [0, 8]\n\
        workload = { kind = \"ping-pong\", bytes = \"9000B\", iterations = 3 }\n";
    for (host, kind) in [("connectx-5-tcp", LayerKind::Tcp), ("connectx-5-udp", LayerKind::Udp)] {
        let more = format!("[hardware.host]\npreset = \"{host}\"\n{EVERYWHERE}{job}");
        let folder = Folder::with(&scenario("connectx-5", &more));
        succeeded(&folder.simulate(&[]));
        let path = folder.file("nic.pcapng");
        let mut next: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut carried, mut pushed) = (0, 0);
        for (_, direction, _, bytes) in frames(&path) {
            let layers = layers(&bytes);
            let transport = layers.innermost(kind).expect("the transport").offset;
            if kind == LayerKind::Udp {
                carried += bytes.len() - transport - 8;
                continue;
            }
            let segment = tcp::TcpSegment::new(&bytes[transport..]).expect("a segment");
            let number = next.entry(direction).or_insert(1);
            assert_eq!(segment.sequence(), *number, "no gap");
            *number += segment.payload().len() as u32;
            carried += segment.payload().len();
            pushed += u32::from(segment.flags().contains(tcp::Flags::PSH));
            let heard = next.get(&(3 - direction)).copied().unwrap_or(1);
            assert!(segment.acknowledgement() <= heard, "nothing is acknowledged that was not sent");
        }
        assert_eq!(carried, 2 * 3 * 9_000, "{host}: all data of both ways");
        assert!(kind == LayerKind::Udp || pushed == 6, "{pushed} messages end");
        let problems = ["_ws.malformed", "tcp.analysis.lost_segment", "tcp.analysis.retransmission", "frame.protocols"];
        for line in tshark(&path, &problems).into_iter().flatten() {
            assert_eq!(line[..3], ["", "", ""], "{line:?}");
            let name = if kind == LayerKind::Tcp { "eth:ethertype:ip:tcp" } else { "eth:ethertype:ip:udp" };
            assert!(line[3].starts_with(name), "{line:?}");
        }
    }
}

#[test]
fn packets_of_trees_are_seen_where_they_cross() {
    let job = "[run]\ntime_limit = \"2ms\"\n[[job]]\nname = \"t\"\nnodes = [0, 2, 4, 8]\n\
        workload = { kind = \"allreduce\", algorithm = \"switch-offloaded\", iterations = 3 }\n";
    let noisy = "[link]\nbit_errors = 1\nbit_errors_per_10_to = 5\nfec = \"none\"\n";
    for (name, link) in [("clean", ""), ("noisy", noisy)] {
        let folder = Folder::with(&scenario("cassini-2", &format!("{link}{EVERYWHERE}{job}")));
        succeeded(&folder.simulate(&[]));
        let path = folder.file("far.pcapng");
        let (mut up, mut results) = (0, 0);
        for (_, direction, length, bytes) in frames(&path) {
            layers(&bytes);
            assert_eq!(bytes.len(), length);
            let ip = ipv4::Ipv4Packet::new(&bytes[14..]).expect("a fabric header");
            assert_eq!(ip.protocol().0, 253);
            let tree = &bytes[34..];
            // Outbound: contributions of one endpoint with one word. Inbound: arms, and results.
            if direction == 2 {
                assert_eq!((tree[3] & 1, tree[7], tree[15]), (1, 1, 1));
                up += 1;
            } else {
                assert_eq!((bytes[0], tree[3] & 1), (3, 0), "a group address");
                results += u32::from(tree[3] & 4 != 0);
            }
        }
        // Captures do not show damaged copies: each result arrives once, however noisy the link.
        assert_eq!((up, results), (3, 3), "{name}");
        for line in tshark(&path, &["_ws.malformed", "frame.protocols"]).into_iter().flatten() {
            assert_eq!(line, ["", "eth:ethertype:ip:data"]);
        }
    }
}

#[test]
fn what_the_link_discards_is_not_seen_by_its_receiver() {
    let link = "[link]\nbit_errors = 1\nbit_errors_per_10_to = 5\nfec = \"none\"\n";
    let folder = Folder::with(&scenario("connectx-5", &format!("{link}{EVERYWHERE}{PUTS}")));
    let ports = inner_ports(&folder);
    let text = scenario("connectx-5", &format!("{link}{EVERYWHERE}{}{PUTS}", captures(&ports)));
    std::fs::write(folder.file("s.toml"), text).expect("a temporary file");
    succeeded(&folder.simulate(&[]));
    // The data after the headers that change on the path, without acknowledgements, which no link
    // carries.
    let data = |name: &str, direction: u32| -> Vec<Vec<u8>> {
        let frames = frames(&folder.file(name)).into_iter().filter(|frame| frame.1 == direction && frame.3[42] != 17);
        frames.map(|(.., bytes)| bytes[42..].to_vec()).collect()
    };
    let sent = data("nic.pcapng", 2);
    let (mut wanted, mut taken) = (sent.clone(), data("far.pcapng", 1));
    assert_eq!(sent.len(), 15, "five puts of three packets");
    // A third of the frames of 4 KiB are damaged on each of several links, and each frame arrives
    // once.
    wanted.sort();
    taken.sort();
    assert!(wanted == taken, "{} frames taken of {}", taken.len(), wanted.len());
    let rows = std::fs::read(folder.file("nic.pcapng")).expect("a capture").len();
    assert!(rows > 15 * 4_096, "whole frames");
    let times: Vec<u64> = frames(&folder.file("far.pcapng")).iter().map(|frame| frame.0).collect();
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]), "in order of time");
    let clean = Folder::with(&scenario("connectx-5", &format!("{EVERYWHERE}{PUTS}")));
    succeeded(&clean.simulate(&[]));
    let last = |folder: &Folder| frames(&folder.file("far.pcapng")).last().map(|frame| frame.0);
    assert!(last(&folder) > last(&clean), "frames were sent again");
}
