//! Every parser with damaged frames: none panics, and what parses is written back to the same
//! bytes.
//!
//! Deterministic: a case is a number, and a failure prints it with its bytes. Seeds are the layers
//! of the samples, found by `dissect`. Half of the damaged inputs get correct checksums, so that
//! damage reaches the fields behind them.
//!
//! By default each parser sees [`CASES`] inputs. `PHILAE_FUZZ_SECONDS=600` runs each for ten
//! minutes instead (`make fuzz`).
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test may read the clock and its environment"
)]

use crate::common;
use crate::common::{DESTINATION, SOURCE, build, samples};
use philae_engine::RandomStream;
use philae_wire::dissect::{LayerKind, Start, dissect};
use philae_wire::hpc_ethernet::{amo, fabric, headerless, message};
use philae_wire::negotiation::Enhancements;
use philae_wire::{
    Ecn, Framing, PseudoHeader, WireLayer, ethernet, flow_control, ipv4, link_retry, lldp, mac_control, roce, tcp, udp,
    vlan, vxlan,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Inputs per parser by default. Unoptimised code checks for overflow and takes ten times as long.
const CASES: u64 = if cfg!(debug_assertions) { 20_000 } else { 200_000 };
const SEED: u64 = 0x5eed;
const ADDRESSES: PseudoHeader = PseudoHeader { source: SOURCE, destination: DESTINATION };

/// The bytes of a parsed input that was written again, and the expected bytes: the input, except
/// for what its format names as ignored on receipt.
struct Again {
    written: Vec<u8>,
    expected: Vec<u8>,
}

/// Compares `layer` and its contents with the first bytes of the input.
fn again(layer: &dyn WireLayer, payload: &[u8], input: &[u8]) -> Again {
    let written = build(&[layer], payload);
    let expected = input[..written.len()].to_vec();
    Again { written, expected }
}

struct Parser {
    /// The layers of the samples that are its seeds.
    kind: LayerKind,
    /// Reads and writes again; `None` if the input does not parse.
    parse: fn(&[u8]) -> Option<Again>,
    /// Corrects checksums.
    mend: fn(&mut [u8]),
}

/// Seeds: each layer of the wanted kind in each sample, up to the start of padding or FCS.
fn seeds(kind: LayerKind) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for sample in samples() {
        let layers = sample.layers();
        assert_eq!(layers.error(), None, "the sample {} is wrong", sample.name);
        let is_behind = |kind: LayerKind| matches!(kind, LayerKind::Padding | LayerKind::Fcs);
        let end = layers
            .as_slice()
            .iter()
            .find(|layer| is_behind(layer.kind))
            .map_or(sample.bytes.len(), |layer| layer.offset);
        let found = layers.as_slice().iter().filter(|layer| layer.kind == kind);
        seeds.extend(found.map(|layer| sample.bytes[layer.offset..end].to_vec()));
    }
    assert!(!seeds.is_empty(), "no sample has a layer of kind {kind:?}");
    seeds
}

/// Damages `bytes` in one to four places.
fn mutate(bytes: &mut Vec<u8>, stream: &mut RandomStream) {
    const TELLING: [u8; 8] = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x45, 0x08, 0x10];
    for _ in 0..=stream.below(4) {
        let length = bytes.len() as u32;
        let at = if length == 0 { 0 } else { stream.below(length) as usize };
        match stream.below(8) {
            _ if length == 0 => bytes.push(stream.below(256) as u8),
            0 | 1 => bytes[at] ^= 1 << stream.below(8),
            2 => bytes[at] = stream.below(256) as u8,
            // Headers, which contain lengths and kinds, get more damage than payload.
            3 => bytes[at.min(stream.below(48) as usize)] = TELLING[stream.below(8) as usize],
            4 => bytes.truncate(at),
            5 => bytes.extend((0..stream.below(70)).map(|_| stream.below(256) as u8).collect::<Vec<_>>()),
            6 => drop(bytes.remove(at)),
            _ => bytes.insert(at, stream.below(256) as u8),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The limit of a run: by cases, or by the clock.
fn limit() -> Option<Duration> {
    let text = std::env::var("PHILAE_FUZZ_SECONDS").ok()?;
    Some(Duration::from_secs(text.parse().expect("PHILAE_FUZZ_SECONDS is a number of seconds")))
}

fn run(name: &str, purpose: u64, seeds: &[Vec<u8>], mend: fn(&mut [u8]), mut check: impl FnMut(&[u8]) -> bool) {
    let (limit, start) = (limit(), Instant::now());
    let (mut case, mut parsed) = (0, 0_u64);
    loop {
        let is_over = match limit {
            None => case == CASES,
            Some(limit) => case % 1_024 == 0 && start.elapsed() >= limit,
        };
        if is_over {
            break;
        }
        let mut stream = RandomStream::new(SEED, case, purpose);
        let mut input = seeds[stream.below(seeds.len() as u32) as usize].clone();
        // Case 0 is an undamaged seed: it must parse.
        if case > 0 {
            mutate(&mut input, &mut stream);
            if stream.below(2) == 0 {
                mend(&mut input);
            }
        }
        match catch_unwind(AssertUnwindSafe(|| check(&input))) {
            Ok(did_parse) => parsed += u64::from(did_parse),
            Err(_) => panic!("{name}: case {case} failed on {}", hex(&input)),
        }
        assert!(case > 0 || parsed == 1, "{name}: a seed does not parse: {}", hex(&input));
        case += 1;
    }
    println!("{name}: {case} cases, {parsed} parsed, {:.1} s", start.elapsed().as_secs_f64());
    assert!(parsed * 20 > case, "{name}: {parsed} of {case} inputs parsed, too few to say much");
}

fn run_parser(name: &str, parser: &Parser) {
    run(name, parser.kind as u64, &seeds(parser.kind), parser.mend, |input| match (parser.parse)(input) {
        None => false,
        Some(Again { written, expected }) => {
            assert_eq!(hex(&written), hex(&expected), "not written back as it was read");
            true
        }
    });
}

macro_rules! parser {
    ($name:ident, $kind:ident, $parse:expr, $mend:expr) => {
        #[test]
        fn $name() {
            run_parser(stringify!($name), &Parser { kind: LayerKind::$kind, parse: $parse, mend: $mend });
        }
    };
}

mod uet;

fn nothing(_: &mut [u8]) {}

/// Sets the bits of `mask` at `at` to zero: they are ignored on receipt.
fn clear(bytes: &mut [u8], at: usize, mask: u8) {
    bytes[at] &= !mask;
}

parser!(
    ethernet_frames,
    Ethernet,
    |input| {
        let frame = ethernet::EthernetFrame::new(input, Framing::Bare).ok()?;
        let value = ethernet::EthernetRepr::parse(&frame).ok()?;
        Some(again(&value, frame.payload(), input))
    },
    nothing
);

/// Frames with their FCS, of both kinds of link.
#[test]
fn ethernet_frames_with_fcs() {
    fn mend(bytes: &mut [u8]) {
        if let Ok(mut frame) = ethernet::EthernetFrame::new(bytes, Framing::Hpc) {
            frame.fill_fcs();
        }
    }
    let whole: Vec<_> = samples()
        .into_iter()
        .filter(|sample| sample.start == Start::Ethernet(Framing::Standard))
        .map(|sample| sample.bytes)
        .collect();
    run("ethernet_frames_with_fcs", 100, &whole, mend, |input| {
        [Framing::Standard, Framing::Hpc].into_iter().any(|framing| {
            let Ok(frame) = ethernet::EthernetFrame::new(input, framing) else { return false };
            let Ok(value) = ethernet::EthernetRepr::parse(&frame) else { return false };
            assert_eq!(build(&[&value], frame.payload()), input);
            true
        })
    });
}

parser!(
    vlan_tags,
    Vlan,
    |input| {
        let tag = vlan::VlanTag::new(input).ok()?;
        Some(again(&vlan::VlanRepr::parse(&tag).ok()?, tag.payload(), input))
    },
    nothing
);

parser!(
    mac_control_frames,
    MacControl,
    |input| {
        let packet = mac_control::MacControlPacket::new(input).ok()?;
        Some(again(&mac_control::MacControlRepr::parse(&packet).ok()?, &[], input))
    },
    nothing
);

parser!(
    lldp_units,
    Lldp,
    |input| {
        // A walk of entries and a search for an advertisement must also survive bytes that are not
        // a unit.
        let _ = Enhancements::of_peer(lldp::Tlvs::new(input));
        let unit = lldp::LldpUnit::new(input).ok()?;
        Some(again(&lldp::LldpRepr::parse(&unit).ok()?, &[], input))
    },
    nothing
);

parser!(
    ipv4_packets,
    Ipv4,
    |input| {
        let packet = ipv4::Ipv4Packet::new(input).ok()?;
        let carried = packet.payload().to_vec();
        let mut marked = ipv4::Ipv4Packet::new(input.to_vec()).ok()?;
        marked.set_ecn(Ecn::Congested);
        marked.check_checksum().expect("a mark mends the checksum");
        Some(again(&ipv4::Ipv4Repr::parse(&packet).ok()?, &carried, input))
    },
    |bytes| {
        if let Ok(mut packet) = ipv4::Ipv4Packet::new(bytes) {
            packet.fill_checksum();
        }
    }
);

parser!(
    udp_datagrams,
    Udp,
    |input| {
        let datagram = udp::UdpDatagram::new(input).ok()?;
        Some(again(&udp::UdpRepr::parse(&datagram, ADDRESSES).ok()?, datagram.payload(), input))
    },
    |bytes| {
        if let Ok(mut datagram) = udp::UdpDatagram::new(bytes) {
            datagram.fill_checksum(udp::Checksum::Over(ADDRESSES));
        }
    }
);

parser!(
    tcp_segments,
    Tcp,
    |input| {
        let segment = tcp::TcpSegment::new(input).ok()?;
        Some(again(&tcp::TcpRepr::parse(&segment, ADDRESSES).ok()?, segment.payload(), input))
    },
    |bytes| {
        if let Ok(mut segment) = tcp::TcpSegment::new(bytes) {
            segment.fill_checksum(ADDRESSES);
        }
    }
);

parser!(
    roce_packets,
    Roce,
    |input| {
        let packet = roce::RocePacket::new(input).ok()?;
        let value = roce::RoceRepr::parse(&packet).ok()?;
        let mut again = again(&value, packet.payload(), input);
        // Reserved bits, the reserved byte of a datagram header, and the pad.
        clear(&mut again.expected, 4, 0x3f);
        clear(&mut again.expected, 8, 0x7f);
        if value.extended.datagram.is_some() {
            clear(&mut again.expected, 16, 0xff);
        }
        let pad = value.header_len() + packet.payload().len()..input.len() - roce::ICRC_LEN;
        again.expected[pad].fill(0);
        Some(again)
    },
    nothing
);

/// The ICRC of packets that are damaged below and above it.
#[test]
fn sealed_roce_packets() {
    fn mend(bytes: &mut [u8]) {
        if let Ok(mut packet) = ipv4::Ipv4Packet::new(&mut *bytes) {
            packet.fill_checksum();
        }
        let _ = roce::icrc::seal(bytes);
    }
    let whole: Vec<_> = seeds(LayerKind::Ipv4).into_iter().filter(|bytes| roce::icrc::check(bytes).is_ok()).collect();
    run("sealed_roce_packets", 101, &whole, mend, |input| roce::icrc::check(input).is_ok());
}

parser!(
    vxlan_packets,
    Vxlan,
    |input| {
        let packet = vxlan::VxlanPacket::new(input).ok()?;
        let mut again = again(&vxlan::VxlanRepr::parse(&packet).ok()?, packet.payload(), input);
        for (at, mask) in [(0, !vxlan::FLAG_VNI), (1, 0xff), (2, 0xff), (3, 0xff), (7, 0xff)] {
            clear(&mut again.expected, at, mask);
        }
        Some(again)
    },
    nothing
);

parser!(
    fabric_packets,
    Fabric,
    |input| {
        let packet = fabric::FabricPacket::new(input).ok()?;
        let mut changed = fabric::FabricPacket::new(input.to_vec()).ok()?;
        changed.ip_mut().set_time_to_live(1);
        changed.ip().check_checksum().expect("a change of hops mends the checksum");
        Some(again(&fabric::FabricRepr::parse(&packet).ok()?, packet.payload(), input))
    },
    |bytes| {
        if let Ok(mut packet) = ipv4::Ipv4Packet::new(bytes) {
            packet.fill_checksum();
        }
    }
);

parser!(
    message_headers,
    Message,
    |input| {
        let packet = message::MessagePacket::new(input).ok()?;
        Some(again(&message::MessageRepr::parse(&packet).ok()?, packet.payload(), input))
    },
    nothing
);

/// The addition of an atomic operation: the data behind the header of that sample.
#[test]
fn atomic_operations() {
    let is_amo = |sample: &common::Sample| sample.name == "amo" && sample.start == Start::Headerless;
    let sample = samples().into_iter().find(is_amo).expect("there is such a sample");
    let layers = sample.layers();
    let data = layers.innermost(LayerKind::Data).expect("the operation is data to the walk").range();
    run("atomic_operations", 104, &[sample.bytes[data].to_vec()], nothing, |input| {
        let Ok(packet) = amo::AmoPacket::new(input) else { return false };
        let Ok(value) = amo::AmoRepr::parse(&packet) else { return false };
        assert_eq!(build(&[&value], &[]), input[..amo::HEADER_LEN]);
        true
    });
}

parser!(
    link_retry_frames,
    LinkRetry,
    |input| {
        let packet = link_retry::LinkRetryPacket::new(input).ok()?;
        Some(again(&link_retry::LinkRetryRepr::parse(&packet).ok()?, &[], input))
    },
    nothing
);

parser!(
    flow_control_frames,
    FlowControl,
    |input| {
        let packet = flow_control::FlowControlPacket::new(input).ok()?;
        Some(again(&flow_control::FlowControlRepr::parse(&packet).ok()?, &[], input))
    },
    nothing
);

/// Whole frames without an Ethernet header.
#[test]
fn headerless_frames() {
    fn mend(bytes: &mut [u8]) {
        if let Ok(mut frame) = ethernet::EthernetFrame::new(bytes, Framing::Hpc) {
            frame.fill_fcs();
        }
    }
    let whole: Vec<_> =
        samples().into_iter().filter(|sample| sample.start == Start::Headerless).map(|sample| sample.bytes).collect();
    run("headerless_frames", 102, &whole, mend, |input| {
        let Ok(frame) = headerless::HeaderlessFrame::new(input) else { return false };
        let Ok(value) = headerless::HeaderlessRepr::parse(&frame) else { return false };
        assert_eq!(build(&[&value], frame.payload()), input);
        true
    });
}

/// Walks of damaged frames cover them, whatever their start.
#[test]
fn dissections() {
    fn mend(bytes: &mut [u8]) {
        if let Ok(mut packet) = ipv4::Ipv4Packet::new(bytes.get_mut(14..).unwrap_or(&mut [])) {
            packet.fill_checksum();
        }
        if let Ok(mut frame) = ethernet::EthernetFrame::new(bytes, Framing::Hpc) {
            frame.fill_fcs();
        }
    }
    let whole: Vec<_> = samples().into_iter().map(|sample| sample.bytes).collect();
    let starts = [Framing::Standard, Framing::Hpc, Framing::Bare].map(Start::Ethernet);
    run("dissections", 103, &whole, mend, |input| {
        let mut is_read = false;
        for start in starts.into_iter().chain([Start::Headerless]) {
            let layers = dissect(input, start);
            let end = layers.as_slice().iter().fold(0, |at, layer| {
                assert_eq!(layer.offset, at, "a gap or an overlap");
                layer.range().end
            });
            assert_eq!(end, input.len(), "not covered to its end");
            is_read |= layers.error().is_none();
        }
        is_read
    });
}
