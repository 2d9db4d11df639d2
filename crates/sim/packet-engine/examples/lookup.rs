//! Measures the time of a packet through a pipeline, for each kind of table:
//! `cargo run --release -p philae-packet-engine --example lookup`.
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "it measures the machine; the model does not")]

use philae_packet_engine::{EntrySpec, Metadata, PacketAction, PacketEngine, Pipeline, PipelineStage};
use philae_wire::{EtherType, Framing, IpProtocol, MacAddress, emit_stack, ethernet, ipv4, stack_len, udp};
use std::net::Ipv4Addr;
use std::time::Instant;

const ROUNDS: u32 = 20_000;

/// One ingress table of `entries` entries on the destination port, none of which matches the frame.
fn pipeline(kind: &str, entries: u16) -> Result<Pipeline, Box<dyn std::error::Error>> {
    let text = format!(
        "[[tables]]\nname = 't'\nstage = 'ingress'\nsize = 65536\nkey = [{{ field = 'l4.dport', match = '{kind}' }}]\n"
    );
    let engine: PacketEngine = toml::from_str(&text)?;
    let mut pipeline = engine.program()?.compile(&[])?;
    for port in 0..entries {
        let matches = [("l4.dport".to_owned(), u64::from(port).into())].into();
        let actions = vec![PacketAction::Deny { cause: "port".to_owned() }];
        pipeline.insert("t", &EntrySpec { matches, priority: 0, actions })?;
    }
    Ok(pipeline)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (source, destination) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
    let ethernet = ethernet::EthernetRepr {
        destination: MacAddress([2, 0, 0, 0, 0, 2]),
        source: MacAddress([2, 0, 0, 0, 0, 1]),
        ethertype: EtherType::IPV4,
        framing: Framing::Bare,
    };
    let ip = ipv4::Ipv4Repr::new(IpProtocol::UDP, source, destination);
    let udp = udp::UdpRepr { source_port: 1, destination_port: 65_535, checksum: udp::Checksum::Absent };
    let layers: [&dyn philae_wire::WireLayer; 3] = [&ethernet, &ip, &udp];
    let mut frame = vec![0; stack_len(&layers, 64)];
    emit_stack(&layers, &[0; 64], &mut frame)?;
    for (kind, entries) in [("exact", 0), ("exact", 16_384), ("ternary", 16), ("ternary", 1_024), ("range", 1_024)] {
        let pipeline = pipeline(kind, entries)?;
        let start = Instant::now();
        let mut bytes = 0;
        for _ in 0..ROUNDS {
            bytes += pipeline.classify(PipelineStage::Ingress, &frame, Metadata::default()).frame.len();
        }
        let each = start.elapsed() / ROUNDS;
        println!("{kind:8} {entries:6} entries: {each:?} per packet ({bytes} bytes passed)");
    }
    Ok(())
}
