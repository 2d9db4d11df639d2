//! The closed form that an idle fabric must agree with.

use philae_nic_model::{HostPath, HostProtocol, PacketPurpose, TCP_ACK_BYTES, wire_bytes};
use philae_topology::Topology;
use philae_units::{Bytes, EndpointId, Picoseconds, PortIndex};

use crate::model::config::FabricConfig;

/// Time from a rank's one-packet eager send of `payload` bytes until its receiver's program
/// continues, on an idle fabric. The packet takes the output `ports`, of which the last leads to
/// the destination.
///
/// For the system's own NICs at both ends. Exact for `latency_spread_ns = 0`; otherwise the middle
/// of the spread. An outlier of the switches takes longer.
///
/// # Panics
/// If `payload` exceeds one packet.
#[must_use]
pub fn zero_load_latency(
    topology: &Topology,
    config: &FabricConfig,
    source: EndpointId,
    ports: &[PortIndex],
    payload: u32,
) -> Picoseconds {
    let nic = &config.nic;
    assert!(payload <= nic.payload_max_bytes, "the closed form is for one packet");
    let fetch = if payload > nic.inline_max_bytes { nic.dma_read_ns } else { 0 };
    let host = config.host.send_overhead_ns + config.host.doorbell_ns + config.host.receive_overhead_ns;
    let fixed = host + nic.command_ns + fetch + nic.transmit_ns + nic.receive_ns;
    let bytes = u64::from(payload);
    let size = match config.uet_sizes() {
        Some(sizes) => sizes.request(PacketPurpose::Eager, (bytes, bytes), payload),
        None => wire_bytes(nic, payload, true),
    };
    let crossing = crossing_time(topology, config, (source, ports), size);
    let copy = config.host.copy(u64::from(payload));
    // What the memory of the node adds to a copy.
    let slower = config.node.as_ref().map_or(0, |node| node.copy_waits(u64::from(payload), copy));
    let copies = match config.host.path {
        HostPath::Messages if !nic.match_offload => 2 * (copy + slower),
        HostPath::Messages | HostPath::Direct => 0,
        HostPath::Kernel | HostPath::KernelUdp => 2 * (config.host.kernel_time(u64::from(payload)) + slower),
    };
    let bus = config.node.as_ref().map_or(0, |node| {
        let read = node.first_read(PacketPurpose::Eager, u64::from(payload), nic);
        let written = if payload > 0 { node.write_time(u64::from(payload)) } else { 0 };
        read + written + node.event_time()
    });
    Picoseconds(bus + copies + u64::from(fixed) * 1_000 + crossing)
}

/// Time of a packet of `size` bytes from its first bit at its NIC until its last at the other, in
/// picoseconds.
pub fn crossing_time(
    topology: &Topology,
    config: &FabricConfig,
    (source, ports): (EndpointId, &[PortIndex]),
    size: u32,
) -> u64 {
    let links = ports.len() as u32 + 1;
    let switches = ports.len() as u32 * config.switch.latency_ns + links * config.switch.fec_ns;
    let edge = topology.endpoint(source).port;
    // A switch waits until a faster output would not run dry.
    let cross = |port: PortIndex| topology.rate(port).serialization(Bytes(u64::from(size)));
    let links = std::iter::once(edge).chain(ports.iter().copied());
    let lag: u64 = links.zip(ports).map(|(input, &output)| cross(input).saturating_sub(cross(output)).0).sum();
    let retiming = Picoseconds::from_nanos(config.switch.optical_cable_ns.into());
    let cable = |port: PortIndex| topology.cable(port).propagation_retimed(retiming).0;
    let cables: u64 = ports.iter().map(|&port| cable(port)).sum::<u64>() + cable(edge);
    let last =
        ports.last().map_or(Picoseconds::ZERO, |&port| topology.rate(port).serialization(Bytes(u64::from(size))));
    u64::from(switches) * 1_000 + cables + lag + last.0
}

/// Round trip of a TCP connection on an idle fabric: from the first bit of a full segment until its
/// NIC may send what the acknowledgement opens, if that leaves at once (`ack_segments = 1`). The
/// segment takes the output ports `there`, the acknowledgement those of `back`.
///
/// A connection sends at most its window in that time. A receiver has in its window what is free of
/// the buffer, of which the segment that it acknowledges still takes a part.
///
/// For the system's own NICs at both ends, without limits of their nodes. Exact as
/// [`zero_load_latency`].
///
/// # Panics
/// If connections have no window.
#[must_use]
pub fn tcp_round_trip(
    topology: &Topology,
    config: &FabricConfig,
    there: (EndpointId, &[PortIndex]),
    back: (EndpointId, &[PortIndex]),
) -> Picoseconds {
    let (nic, tcp) = (&config.nic, config.laws.tcp.as_ref().expect("connections with windows"));
    let protocol = HostProtocol { host: &config.host, nic };
    let segment = crossing_time(topology, config, there, wire_bytes(nic, nic.payload_max_bytes, true));
    let acknowledgement = crossing_time(topology, config, back, wire_bytes(nic, 0, false).max(TCP_ACK_BYTES));
    let kernels =
        2 * u64::from(nic.receive_ns + tcp.ack_ns) * 1_000 + protocol.ready(false, 0) + protocol.ready(true, 0);
    Picoseconds(segment + acknowledgement + kernels)
}
