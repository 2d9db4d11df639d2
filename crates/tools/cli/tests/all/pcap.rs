//! Captures, as read by Wireshark and by our own reader.

use crate::common::{Folder, frames, ports_with_a_cable, succeeded, tshark};
use philae_wire::Framing;
use philae_wire::dissect::{LayerKind, Start, dissect};
use std::collections::BTreeMap;

/// Puts, eager sends, rendezvous sends, and an incast that makes switches pause their NICs.
pub const JOBS: &str = "[run]\ntime_limit = \"400us\"\n\
    [[job]]\nname = \"puts\"\nnodes = [0, 8]\n\
    workload = { kind = \"permutation\", bytes = \"10000B\", iterations = 3, window = 1 }\n\
    [[job]]\nname = \"eager\"\nnodes = [1, 9]\nworkload = { kind = \"ping-pong\", bytes = \"4097B\", iterations = 3 }\n\
    [[job]]\nname = \"fetched\"\nnodes = [2, 10]\nworkload = { kind = \"ping-pong\", bytes = \"20000B\", iterations = 3 }\n\
    [[job]]\nname = \"incast\"\nnodes = [3, 4, 5, 6, 7, 11]\nworkload = { kind = \"incast\", bytes = \"64KiB\" }\n";

fn scenario(nic: &str, more: &str) -> String {
    format!(
        "name = \"captured\"\n[system]\nname = \"tiny\"\nnic = \"{nic}\"\n\
         [system.dragonfly]\nlinks_per_pair = 1\n\
         groups = [{{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 2 }}]\n{more}{JOBS}"
    )
}

/// One end of each of the first three jobs.
const WHOLE: &str = "[[capture]]\nport = \"endpoint:0\"\nfile = \"0.pcapng\"\nsnap_bytes = 65535\n\
    [[capture]]\nport = \"endpoint:1\"\nfile = \"1.pcapng\"\nsnap_bytes = 65535\n\
    [[capture]]\nport = \"endpoint:2\"\nfile = \"2.pcapng\"\nsnap_bytes = 65535\n";

#[test]
fn every_frame_of_a_roce_system_is_whole_and_right() {
    let folder = Folder::with(&scenario("connectx-5", WHOLE));
    succeeded(&folder.simulate(&[]));
    let each: Vec<_> = ["0", "1", "2"].map(|name| frames(&folder.file(&format!("{name}.pcapng")))).into();
    for frames in &each {
        assert!(frames.windows(2).all(|pair| pair[0].0 <= pair[1].0), "in order of time");
    }
    let mut next: BTreeMap<(u8, u32), u32> = BTreeMap::new();
    let mut opcodes: BTreeMap<u8, u32> = BTreeMap::new();
    for (_, direction, length, bytes) in each.iter().flatten() {
        assert_eq!(bytes.len(), *length);
        let layers = dissect(bytes, Start::Ethernet(Framing::Bare));
        assert_eq!(layers.error(), None);
        // Headers, checksums and the ICRC are right: the dissector verifies them.
        let roce = layers.innermost(LayerKind::Roce).expect("RoCEv2");
        let header = &bytes[roce.offset..];
        *opcodes.entry(header[0]).or_insert(0) += 1;
        let u24 = |at: usize| u32::from_be_bytes([0, header[at], header[at + 1], header[at + 2]]);
        // Sequence numbers of requests have no gaps in each queue pair. A read uses those of its
        // answer.
        if header[0] <= 12 {
            let expected = next.entry((*direction as u8, u24(5))).or_insert(0);
            assert_eq!(u24(9), *expected, "opcode {}", header[0]);
            *expected += if header[0] == 12 { 5 } else { 1 };
        }
    }
    let seen = |opcode: u8| opcodes.get(&opcode).copied().unwrap_or(0);
    // Both directions: six puts of three packets, six eager messages of two, six rendezvous
    // messages with one request in each direction and five packets.
    assert_eq!([seen(6), seen(7), seen(8), seen(10)], [6, 6, 6, 0], "WRITE first, middle, last, only");
    assert_eq!([seen(0), seen(1), seen(2), seen(4)], [6, 0, 6, 6], "SEND first, middle, last; only: requests");
    assert_eq!([seen(12), seen(13), seen(14), seen(15)], [6, 6, 18, 6], "READ request; response first, middle, last");
    assert_eq!(seen(17), 24, "an acknowledgement for each message but the reads, which data answer");
}

#[test]
fn tshark_reads_a_captured_run_without_a_malformed_frame() {
    let link = "[[capture]]\nport = \"switch:0/port:0\"\nfile = \"port.pcapng\"\n\
                [[capture]]\nport = \"endpoint:4\"\nfile = \"incast.pcapng\"\n";
    let early = "[hardware.switch]\npause_on_bytes = 8192\npause_off_bytes = 4096\n";
    let folder = Folder::with(&scenario("connectx-5", &format!("{early}{WHOLE}{link}")));
    succeeded(&folder.simulate(&[]));
    let fields = ["_ws.malformed", "frame.protocols", "ip.checksum.status", "eth.src", "frame.interface_name"];
    let mut paused = 0;
    for (file, port) in [("2", "endpoint:2"), ("port", "switch:0/port:0"), ("incast", "endpoint:4")] {
        let path = folder.file(&format!("{file}.pcapng"));
        let Some(lines) = tshark(&path, &fields) else { return };
        assert_eq!(lines.len(), frames(&path).len());
        for line in &lines {
            let [malformed, protocols, checksum, source, interface] = line.as_slice() else { panic!("{line:?}") };
            assert_eq!((malformed.as_str(), interface.as_str()), ("", port));
            if protocols.ends_with(":macc") {
                paused += 1;
                assert!(source.starts_with("02:fe:"), "{source}");
            } else {
                assert!(protocols.starts_with("eth:ethertype:ip:udp:infiniband"), "{protocols}");
                assert_eq!(checksum, "1");
                assert!(source.starts_with("02:00:00:0"), "{source}");
            }
        }
    }
    assert!(paused > 0, "the incast makes its switches pause");
}

#[test]
fn the_packets_of_a_cassini_system_are_read_as_ipv4() {
    let folder = Folder::with(&scenario("cassini-1", WHOLE));
    succeeded(&folder.simulate(&["--pcap", "switch:1/port:0=edge.pcapng"]));
    assert!(!frames(&folder.file("edge.pcapng")).is_empty());
    let path = folder.file("2.pcapng");
    for (_, _, length, bytes) in frames(&path) {
        assert_eq!(bytes.len(), length);
        assert_eq!(dissect(&bytes, Start::Ethernet(Framing::Bare)).error(), None);
        // The dissector's result when it is told that this is a fabric header.
        let mut told = bytes;
        told[12..14].copy_from_slice(&[0x88, 0xb5]);
        let layers = dissect(&told, Start::Ethernet(Framing::Bare));
        assert_eq!(layers.error(), None);
        assert!(layers.innermost(LayerKind::Message).is_some());
    }
    let fields = ["_ws.malformed", "frame.protocols", "ip.proto", "ip.checksum.status"];
    let Some(lines) = tshark(&path, &fields) else { return };
    assert!(lines.len() > 40);
    for line in lines {
        assert_eq!(line, ["", "eth:ethertype:ip:data", "253", "1"]);
    }
}

#[test]
fn what_is_left_out_is_said_and_what_is_cut_keeps_its_length() {
    let small = "[[capture]]\nport = \"endpoint:0\"\nfile = \"some.pcapng\"\npackets_max = 10\nsnap_bytes = 64\n";
    let folder = Folder::with(&scenario("connectx-5", small));
    let twice = folder.simulate(&["--pcap", "endpoint:0=x.pcapng"]);
    assert_eq!(twice.status.code(), Some(2));
    let error = String::from_utf8_lossy(&twice.stderr).into_owned();
    assert!(error.contains("cannot capture at endpoint:0: captured twice"), "{error}");
    let text = succeeded(&folder.simulate(&["--pcap", "endpoint:8=all.pcapng"]));
    assert!(text.contains("capture: some.pcapng (endpoint:0: 10 frames, "), "{text}");
    assert!(text.contains("left out (packets_max = 10)"), "{text}");
    let frames = frames(&folder.file("some.pcapng"));
    assert_eq!(frames.len(), 10);
    assert!(frames.iter().all(|(.., length, bytes)| bytes.len() == (*length).min(64)));
    assert!(frames.iter().any(|(.., length, _)| *length > 4_000));
}

#[test]
fn a_capture_is_the_same_for_any_number_of_partitions() {
    let across = "[[capture]]\nport = \"endpoint:8\"\nfile = \"nic.pcapng\"\n\
                  [[capture]]\nport = \"switch:0/port:31\"\nfile = \"link.pcapng\"\n";
    let folder = Folder::with(&scenario("connectx-5", across));
    let first = folder.simulate(&[]);
    let across = if first.status.success() {
        across.to_owned()
    } else {
        // The error names the ports with a cable: the last of them is a link between switches.
        let ports = ports_with_a_cable(&first);
        let last = ports.last().expect("at least one");
        across.replace("port:31", &format!("port:{last}"))
    };
    std::fs::write(folder.file("s.toml"), scenario("connectx-5", &across)).expect("a temporary file");
    let mut captures = Vec::new();
    for partitions in ["1", "2", "3"] {
        succeeded(&folder.simulate(&["--partitions", partitions]));
        captures.push(["nic.pcapng", "link.pcapng"].map(|name| std::fs::read(folder.file(name)).expect("a capture")));
    }
    assert!(frames(&folder.file("link.pcapng")).len() > 20);
    assert_eq!(captures[0], captures[1]);
    assert_eq!(captures[0], captures[2]);
}
