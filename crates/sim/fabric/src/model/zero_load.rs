//! The closed form that an idle fabric must agree with.

use philae_nic_model::{HostPath, PacketPurpose, wire_bytes};
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
    let links = ports.len() as u32 + 1;
    let switches = ports.len() as u32 * config.switch.latency_ns + links * config.switch.fec_ns;
    let size = wire_bytes(nic, payload, true);
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
    Picoseconds(bus + copies + u64::from(fixed + switches) * 1_000 + cables + lag + last.0)
}
