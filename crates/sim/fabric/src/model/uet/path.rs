//! The way between two NICs without queues: what the laws of Ultra Ethernet begin with.

use philae_congestion::UetPath;
use philae_engine::RandomStream;
use philae_nic_model::{HostProtocol, PacketPurpose, wire_bytes};
use philae_path::{RouteRequest, RouteState, Router};
use philae_topology::PortPeer;
use philae_units::{EndpointId, PortIndex};

use crate::model::config::FabricConfig;
use crate::model::load_view::NoLoads;
use crate::model::shared::Shared;
use crate::model::zero_load::crossing_time;

/// Endpoints from which the longest round trip is taken. Source: ours; evenly spaced.
/// Status: assumed.
const SAMPLES: usize = 64;

/// The ports that a packet takes without load.
fn ports(router: &Router, source: EndpointId, destination: EndpointId) -> Vec<PortIndex> {
    let topology = router.topology();
    let (mut input, mut switch) = (topology.edge_port(source), topology.switch_of_endpoint(source));
    let (mut route, mut ports) = (RouteState::default(), Vec::new());
    let mut random = RandomStream::new(0, source.0.into(), destination.0.into());
    loop {
        let request = RouteRequest {
            switch,
            destination,
            source: ports.is_empty(),
            ordered: None,
            nonminimal_bias_percent: 0,
            shortest: true,
            fresh: false,
            input,
        };
        let Some(hop) = router.route(request, &mut route, &NoLoads, &mut random) else { return ports };
        ports.push(hop.port);
        match topology.port(hop.port).peer {
            PortPeer::Port(peer) if !hop.is_last => (input, switch) = (peer, topology.switch_of(peer)),
            _ => return ports,
        }
    }
}

/// Time from the first bit of a full packet at its NIC until the response to it has come, in
/// picoseconds.
fn round_trip(router: &Router, config: &FabricConfig, source: EndpointId, destination: EndpointId) -> u64 {
    let (topology, nic) = (router.topology(), &config.nic);
    let (there, back) = (ports(router, source, destination), ports(router, destination, source));
    let (full, answer) = match config.uet_sizes() {
        Some(sizes) => (sizes.full(), sizes.acknowledgement(false)),
        None => (wire_bytes(nic, nic.payload_max_bytes, true), wire_bytes(nic, 0, false)),
    };
    let packet = crossing_time(topology, config, (source, &there), full);
    let response = crossing_time(topology, config, (destination, &back), answer);
    packet + response + HostProtocol { host: &config.host, nic }.response(PacketPurpose::Put)
}

/// The longest round trip of the network, in picoseconds.
pub fn longest_round_trip(router: &Router, config: &FabricConfig) -> u64 {
    let endpoints = router.topology().endpoint_count();
    let step = (endpoints / SAMPLES).max(1);
    let others = (0..endpoints).rev().step_by(step).take(SAMPLES).filter(|other| *other != 0);
    let times = others.map(|other| round_trip(router, config, EndpointId(0), EndpointId(other as u32)));
    times.max().unwrap_or(0)
}

impl Shared {
    /// Time after which a packet of a class counts as lost, in picoseconds.
    pub fn uet_timeout(&self, endpoint: u32, class: u8) -> u64 {
        let rate = self.topology().rate(self.topology().edge_port(EndpointId(endpoint)));
        self.config.laws.uet.timeout_ps(self.classes.rules[usize::from(class)].queue_max_bytes, rate.0)
    }

    /// The way between two NICs for packets of a class.
    pub fn uet_path(&self, source: u32, destination: u32, class: u8) -> UetPath {
        let edge = self.topology().edge_port(EndpointId(source));
        UetPath {
            round_trip: round_trip(&self.router, &self.config, EndpointId(source), EndpointId(destination)),
            rate_mbps: self.topology().rate(edge).0,
            packet_bytes: self.uet_packet_bytes(source),
            network_round_trip: self.traits.uet.round_trip,
            trims: self.classes.rules[usize::from(class)].trims,
        }
    }
}
