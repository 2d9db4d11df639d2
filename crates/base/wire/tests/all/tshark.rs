//! Wireshark's reading of our captures: an independent opinion on every standard format.
//!
//! Skipped, with a line that says so, if `tshark` is not installed (Debian:
//! `apt-get install tshark`).
#![allow(clippy::disallowed_methods, reason = "a test may start a program")]

use crate::common::{Sample, samples};
use philae_units::{LinkRate, Picoseconds};
use philae_wire::dissect::{LayerKind, Start};
use philae_wire::pcapng;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// A capture of the samples that begin with an Ethernet header on interface 0, and of those that do
/// not on interface 1.
fn capture(samples: &[Sample]) -> Vec<u8> {
    let mut out = Vec::new();
    let appended = "texts of the test are short";
    pcapng::SectionHeader { application: "philae", comment: "one frame of each format" }
        .block(&mut out)
        .expect(appended);
    let rate = LinkRate::from_gbps(200);
    for (link_type, name) in [(pcapng::LinkType::Ethernet, "x9000c1r3j17p0"), (pcapng::LinkType::RawIp, "headerless")] {
        pcapng::InterfaceDescription { link_type, name, rate, comment: "" }.block(&mut out).expect(appended);
    }
    for (sample, microseconds) in samples.iter().zip(1..) {
        let is_headerless = sample.start == Start::Headerless;
        // A capture of raw IP has no FCS.
        let data = &sample.bytes[..sample.bytes.len() - if is_headerless { 4 } else { 0 }];
        pcapng::EnhancedPacket {
            interface: u32::from(is_headerless),
            time: Picoseconds::from_micros(microseconds),
            direction: pcapng::Direction::Outbound,
            fcs_len: if is_headerless { 0 } else { 4 },
            data,
            comment: sample.name,
        }
        .block(&mut out)
        .expect(appended);
    }
    out
}

/// Writes `bytes` to a file of this test's own.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the target folder can be written to");
    path
}

/// One line of `fields` per frame, or nothing if there is no tshark.
fn tshark(path: &PathBuf, fields: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(path).args(["-n", "-T", "fields", "-E", "separator=|", "-E", "occurrence=a"]);
    command.args(["-o", "eth.check_fcs:TRUE", "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE"]);
    command.args(["-o", "udp.check_checksum:TRUE"]);
    for field in fields {
        command.args(["-e", field]);
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            // Bypasses the test harness, which hides the output of passing tests.
            let reason = format!("tshark.rs: skipped, tshark does not start ({error}); Debian: apt-get install tshark");
            writeln!(std::io::stderr(), "{reason}").expect("standard error can be written to");
            return None;
        }
    };
    assert!(output.status.success(), "tshark failed: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("tshark prints UTF-8");
    Some(text.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect())
}

/// The protocols that tshark should see. Formats that are not standard are data to it, and FGFC is
/// data of an organisation.
fn protocols(sample: &Sample) -> String {
    let is_headerless = sample.start == Start::Headerless;
    let mut names: Vec<&str> = if is_headerless { vec!["raw"] } else { Vec::new() };
    for layer in sample.layers().as_slice() {
        let seen: &[&str] = match layer.kind {
            LayerKind::Ethernet => &["eth", "ethertype"],
            LayerKind::Vlan => &["vlan", "ethertype"],
            LayerKind::MacControl => &["macc"],
            LayerKind::Lldp => &["lldp"],
            LayerKind::Ipv4 => &["ip"],
            LayerKind::Ipv6 => &["ipv6"],
            LayerKind::Udp => &["udp"],
            LayerKind::Tcp => &["tcp"],
            LayerKind::Roce => &["infiniband"],
            LayerKind::Vxlan => &["vxlan"],
            // A notification's reserved bytes are part of its header.
            LayerKind::Data if sample.name == "roce notification" => &[],
            LayerKind::Data | LayerKind::LinkRetry | LayerKind::Message => &["data"],
            LayerKind::UetEntropy | LayerKind::UetSecurity => &["data"],
            LayerKind::UetDelivery | LayerKind::UetSemantic => &["data"],
            LayerKind::CreditUpdate => &["macc"],
            LayerKind::UetCrc => &[],
            LayerKind::Fabric if is_headerless => &["ip"],
            LayerKind::FlowControl => &["ieee802a", "data"],
            LayerKind::Fabric | LayerKind::Icrc | LayerKind::Padding | LayerKind::Fcs => &[],
        };
        names.extend(seen);
    }
    names.dedup();
    names.join(":")
}

#[test]
fn every_frame_is_read_and_none_is_malformed() {
    let samples = samples();
    let path = file("every-frame.pcapng", &capture(&samples));
    let fields = ["frame.protocols", "_ws.malformed", "eth.fcs.status", "ip.checksum.status", "frame.comment"];
    let Some(lines) = tshark(&path, &fields) else { return };
    assert_eq!(lines.len(), samples.len());
    for (line, sample) in lines.iter().zip(&samples) {
        let [seen, malformed, fcs, checksums, comment] = line.as_slice() else { panic!("{line:?}") };
        assert_eq!(comment, sample.name);
        assert_eq!(malformed, "", "{comment}");
        // A Wireshark that knows UET names it; before, it is data. The payload of TCP is data to
        // version 4.0 and has no name in version 4.6.
        let mut seen = seen.split_once(":uet").map_or(seen.clone(), |(outer, _)| format!("{outer}:data"));
        if seen.ends_with(":tcp") {
            seen.push_str(":data");
        }
        assert_eq!(seen, protocols(sample), "{comment}");
        // 1 is good, 0 is bad; a frame without FCS or IPv4 header has no status.
        assert_eq!(fcs, if sample.start == Start::Headerless { "" } else { "1" }, "{comment}");
        assert!(checksums.split(',').all(|status| matches!(status, "" | "1")), "{comment}: {checksums}");
    }
}

#[test]
fn fields_mean_to_tshark_what_they_mean_to_us() {
    let samples = samples();
    let path = file("fields.pcapng", &capture(&samples));
    let expected = [
        ("roce write", "vlan.id", "100"),
        ("roce write", "vlan.priority", "3"),
        ("roce write", "ip.dsfield.dscp", "8"),
        ("roce write", "ip.dsfield.ecn", "2"),
        ("roce write", "udp.dstport", "4791"),
        ("roce write", "infiniband.bth.opcode", "10"),
        ("roce write", "infiniband.bth.padcnt", "1"),
        ("roce write", "infiniband.bth.p_key", "65535"),
        ("roce write", "infiniband.bth.destqp", "0x00010203"),
        ("roce write", "infiniband.bth.a", "1"),
        ("roce write", "infiniband.bth.psn", "263430"),
        ("roce write", "infiniband.reth.va", "0x00007f0000001000"),
        ("roce write", "infiniband.reth.r_key", "0x0000abcd"),
        ("roce write", "infiniband.reth.dmalen", "64"),
        ("roce read", "infiniband.bth.opcode", "12"),
        ("roce ack", "infiniband.bth.opcode", "17"),
        ("roce ack", "infiniband.aeth.syndrome.credit_count", "31"),
        ("roce ack", "infiniband.aeth.msn", "77"),
        ("roce atomic", "infiniband.bth.opcode", "19"),
        ("roce atomic", "infiniband.atomiceth.swapdt", "1"),
        ("roce atomic", "infiniband.atomiceth.cmpdt", "2"),
        ("roce atomic ack", "infiniband.atomicacketh.origremdt", "5"),
        ("roce datagram", "infiniband.deth.q_key", "0x0000000080010000"),
        ("roce datagram", "infiniband.deth.srcqp", "0x00000009"),
        ("roce notification", "infiniband.bth.opcode", "129"),
        ("vxlan tcp", "vxlan.vni", "1193046"),
        ("vxlan tcp", "udp.checksum.status", "1"),
        ("vxlan tcp", "tcp.checksum.status", "1"),
        ("vxlan tcp", "tcp.flags", "0x0018"),
        ("vxlan tcp", "tcp.options.timestamp.tsval", "1"),
        ("vxlan tcp", "tcp.payload", "696e207468652074756e6e656c"),
        ("pause", "macc.opcode", "0x0001"),
        ("pause", "macc.pause_time", "4660"),
        ("pfc", "macc.opcode", "0x0101"),
        ("pfc", "macc.cbfc.pause_time.c3", "65535"),
        ("lldp", "lldp.chassis.id.mac", "02:fe:00:00:00:01"),
        ("lldp", "lldp.port.id", "x9000c1r3j17p0"),
        ("lldp", "lldp.time_to_live", "120"),
        ("lldp", "lldp.tlv.system.name", "rosetta"),
        ("fgfc", "ieee802a.oui", "3755"),
        ("fgfc", "ieee802a.pid", "0x0001"),
        ("credit update", "macc.opcode", "0xfffe"),
        ("uet native ipv4", "ip.proto", "253"),
        ("uet native ipv4", "ip.len", "148"),
        ("uet native ipv4", "ip.dsfield.dscp", "46"),
        ("uet native ipv6", "ipv6.nxt", "253"),
        ("uet native ipv6", "ipv6.plen", "128"),
        ("uet native ipv6", "ipv6.tclass.dscp", "46"),
        ("uet native ipv6", "ipv6.tclass.ecn", "2"),
        ("uet native ipv6", "ipv6.flow", "0x054321"),
        ("uet native ipv6", "ipv6.dst", "fd00::2"),
        ("uet udp ipv4", "udp.dstport", "4793"),
        ("uet udp ipv4", "udp.srcport", "49374"),
        ("uet udp ipv4", "udp.checksum", "0x0000"),
        ("uet udp ipv6", "ipv6.nxt", "17"),
        ("uet udp ipv6", "udp.dstport", "4793"),
        ("uet udp ipv6", "udp.length", "132"),
        ("small message", "ip.proto", "253"),
        ("small message", "ip.ttl", "12"),
    ];
    let mut names: Vec<&str> = expected.iter().map(|(_, field, _)| *field).collect();
    names.sort_unstable();
    names.dedup();
    let Some(lines) = tshark(&path, &names) else { return };
    let mut wrong = Vec::new();
    for (frame, field, value) in expected {
        let line = samples.iter().position(|sample| sample.name == frame).expect("there is such a sample");
        let column = names.iter().position(|name| *name == field).expect("every field is asked for");
        let seen = &lines[line][column];
        if seen != value && (number(seen).is_none() || number(seen) != number(value)) {
            wrong.push(format!("{field} of {frame} is {seen}, not {value}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A number as tshark prints it: versions differ in leading zeros, in the base, and in flags.
fn number(text: &str) -> Option<u64> {
    if let Ok(flag) = text.to_ascii_lowercase().parse::<bool>() {
        return Some(flag.into());
    }
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The check above would find a difference.
#[test]
fn a_frame_that_is_cut_short_is_called_malformed() {
    let mut samples = samples();
    samples.truncate(1);
    samples[0].bytes.truncate(60);
    let path = file("cut-short.pcapng", &capture(&samples));
    let Some(lines) = tshark(&path, &["_ws.malformed"]) else { return };
    assert_ne!(lines, [[""]]);
}

#[test]
fn a_capture_says_where_when_and_which_way() {
    let samples = samples();
    let path = file("where-and-when.pcapng", &capture(&samples));
    let fields = [
        "frame.interface_name",
        "frame.time_epoch",
        "frame.packet_flags_direction",
        "frame.packet_flags_fcs_length",
        "frame.len",
    ];
    let Some(lines) = tshark(&path, &fields) else { return };
    let length = samples[0].bytes.len().to_string();
    assert_eq!(lines[0], ["x9000c1r3j17p0", "0.000001000", "0x00000002", "4", &length]);
    let last = samples.last().expect("there are samples");
    let length = (last.bytes.len() - 4).to_string();
    let time = format!("0.{:06}000", samples.len());
    assert_eq!(lines.last().expect("one line per sample"), &["headerless", &time, "0x00000002", "0", &length]);
}
