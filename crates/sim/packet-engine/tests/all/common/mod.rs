//! Frames built with `wire`, and pipelines from text.

use philae_packet_engine::{EngineError, Field, Metadata, PacketEngine, Pipeline};
use philae_wire::hpc_ethernet::fabric;
use philae_wire::roce::icrc::SealedIpv4;
use philae_wire::roce::opcode::{Opcode, RoceOperation, RoceService};
use philae_wire::{
    Dfa, Dscp, Ecn, EndpointIndex, EtherType, Framing, IpProtocol, MacAddress, PacketSequence, Priority, PseudoHeader,
    QueuePair, SptIndex, TryCount, VlanId, VxlanId, WireLayer, emit_stack, ethernet, ipv4, roce, stack_len, tcp, udp,
    vlan, vxlan,
};
use std::net::Ipv4Addr;

pub const SOURCE: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub const DESTINATION: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

/// The content after the outer headers of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Roce,
    Udp,
    Tcp,
    Fabric,
    Unknown,
}

/// The description of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub kind: Kind,
    pub tags: usize,
    pub tunnelled: bool,
    pub checksum: bool,
    pub port: u16,
    pub payload: usize,
    pub padding: usize,
}

pub const ROCE: Shape =
    Shape { kind: Kind::Roce, tags: 0, tunnelled: false, checksum: false, port: 50_000, payload: 65, padding: 0 };

fn ethernet(ethertype: EtherType) -> ethernet::EthernetRepr {
    ethernet::EthernetRepr {
        destination: MacAddress([2, 0, 0, 0, 0, 2]),
        source: MacAddress([2, 0, 0, 0, 0, 1]),
        ethertype,
        framing: Framing::Bare,
    }
}

fn tag(ethertype: EtherType) -> vlan::VlanRepr {
    vlan::VlanRepr {
        priority: Priority::new(3).expect("in range"),
        drop_eligible: true,
        vlan: VlanId::new(100).expect("in range"),
        ethertype,
    }
}

fn build(layers: &[&dyn WireLayer], payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; stack_len(layers, payload.len())];
    emit_stack(layers, payload, &mut bytes).expect("in range");
    bytes
}

/// Builds the frame.
pub fn frame(shape: Shape) -> Vec<u8> {
    let payload: Vec<u8> = (0..shape.payload).map(|byte| byte as u8).collect();
    let addresses = PseudoHeader { source: SOURCE, destination: DESTINATION };
    let ip = |protocol| ipv4::Ipv4Repr {
        dscp: Dscp::new(10).expect("in range"),
        ecn: Ecn::Capable0,
        ..ipv4::Ipv4Repr::new(protocol, SOURCE, DESTINATION)
    };
    let checksum = if shape.checksum { udp::Checksum::Over(addresses) } else { udp::Checksum::Absent };
    let datagram = |destination_port| udp::UdpRepr { source_port: shape.port, destination_port, checksum };
    let (ethertype, inside) = match shape.kind {
        Kind::Roce => {
            let opcode = Opcode::new(RoceService::ReliableConnection, RoceOperation::SendOnly).expect("in range");
            let (pair, sequence) = (QueuePair::new(77).expect("in range"), PacketSequence::new(5).expect("in range"));
            let packet = roce::RoceRepr::new(opcode, pair, sequence);
            let layers: [&dyn WireLayer; 3] = [&SealedIpv4(ip(IpProtocol::UDP)), &datagram(udp::PORT_ROCE), &packet];
            (EtherType::IPV4, build(&layers, &payload))
        }
        Kind::Udp => (EtherType::IPV4, build(&[&ip(IpProtocol::UDP), &datagram(9_999)], &payload)),
        Kind::Tcp => {
            let segment = tcp::TcpRepr {
                addresses,
                source_port: shape.port,
                destination_port: 80,
                sequence: 1,
                acknowledgement: 2,
                flags: tcp::Flags::ACK,
                window: 1_000,
                urgent: 0,
                options: &[1, 1, 1, 0],
            };
            (EtherType::IPV4, build(&[&ip(IpProtocol::TCP), &segment], &payload))
        }
        Kind::Fabric => {
            let place = |address| fabric::ProcessAddress {
                address: Dfa::new(address).expect("in range"),
                endpoint: EndpointIndex::new(3).expect("in range"),
            };
            let header = fabric::FabricRepr {
                dscp: Dscp::new(4).expect("in range"),
                ecn: Ecn::Capable0,
                vni: 9,
                try_count: TryCount::new(1).expect("in range"),
                spt_index: SptIndex::new(6).expect("in range"),
                time_to_live: 60,
                source: place(1),
                destination: place(2),
            };
            (EtherType::LOCAL_EXPERIMENTAL_1, build(&[&header], &payload))
        }
        Kind::Unknown => (EtherType(0x9999), payload),
    };
    let mut inside = inside;
    inside.extend(std::iter::repeat_n(0xee, shape.padding));
    let mut next = ethertype;
    for _ in 0..shape.tags {
        inside = build(&[&tag(next)], &inside);
        next = EtherType::VLAN;
    }
    let whole = build(&[&ethernet(next)], &inside);
    if !shape.tunnelled {
        return whole;
    }
    let outer = ipv4::Ipv4Repr::new(IpProtocol::UDP, Ipv4Addr::new(192, 168, 0, 1), Ipv4Addr::new(192, 168, 0, 2));
    let udp = udp::UdpRepr { source_port: 50_001, destination_port: udp::PORT_VXLAN, checksum: udp::Checksum::Absent };
    let vxlan = vxlan::VxlanRepr { vni: VxlanId::new(42).expect("in range") };
    build(&[&ethernet(EtherType::IPV4), &outer, &udp, &vxlan], &whole)
}

/// A pipeline of the section in `text`; traffic classes "BE" and "LL".
pub fn try_pipeline(text: &str) -> Result<Pipeline, EngineError> {
    let engine: PacketEngine = toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    engine.program()?.compile(&["BE".to_owned(), "LL".to_owned()])
}

/// Like [`try_pipeline`], but it must compile.
pub fn pipeline(text: &str) -> Pipeline {
    try_pipeline(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// All fields that a frame has, parsed again.
pub fn fields(pipeline: &Pipeline, frame: &[u8], metadata: Metadata) -> Vec<(String, u64)> {
    let packet = pipeline.parse(frame, philae_packet_engine::PipelineStage::Ingress, metadata);
    Field::all().filter_map(|field| Some((field.to_string(), packet.get(field)?))).collect()
}

/// One field.
pub fn field(pipeline: &Pipeline, frame: &[u8], name: &str) -> Option<u64> {
    let packet = pipeline.parse(frame, philae_packet_engine::PipelineStage::Ingress, Metadata::default());
    packet.get(Field::find(name).unwrap_or_else(|| panic!("{name}")))
}
