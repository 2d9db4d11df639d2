//! The way between two NICs without queues: what the laws of Ultra Ethernet begin with.

use philae_congestion::UetPath;
use philae_engine::RandomStream;
use philae_nic_model::{HostProtocol, NicParameters, PacketPurpose, wire_bytes};
use philae_path::{RouteRequest, RouteState, Router};
use philae_topology::PortPeer;
use philae_units::{Bytes, EndpointId, LinkRate, PortIndex};

use crate::model::config::FabricConfig;
use crate::model::edge::NicKinds;
use crate::model::load_view::NoLoads;
use crate::model::shared::{Shared, UetTraits};
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
            mode: router.parameters().mode,
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
fn round_trip(
    router: &Router,
    config: &FabricConfig,
    nic: &NicParameters,
    (source, destination): (EndpointId, EndpointId),
) -> u64 {
    let topology = router.topology();
    let (there, back) = (ports(router, source, destination), ports(router, destination, source));
    let (full, answer) = match config.uet_sizes_of(nic) {
        Some(sizes) => (sizes.full(), sizes.acknowledgement(false)),
        None => (wire_bytes(nic, nic.payload_max_bytes, true), wire_bytes(nic, 0, false)),
    };
    let packet = crossing_time(topology, config, (source, &there), full);
    let response = crossing_time(topology, config, (destination, &back), answer);
    packet + response + HostProtocol { host: &config.host, nic }.response(PacketPurpose::Put)
}

/// The longest round trip between `endpoints`, which have `nic`, in picoseconds.
fn longest_round_trip(router: &Router, config: &FabricConfig, nic: &NicParameters, endpoints: &[EndpointId]) -> u64 {
    let Some((first, others)) = endpoints.split_first() else { return 0 };
    let step = (endpoints.len() / SAMPLES).max(1);
    let others = others.iter().rev().step_by(step).take(SAMPLES);
    let times = others.map(|other| round_trip(router, config, nic, (*first, *other)));
    times.max().unwrap_or(0)
}

/// What holds for the whole run.
pub fn traits(router: &Router, config: &FabricConfig, kinds: &NicKinds) -> UetTraits {
    let Some(nic) = kinds.uet() else { return UetTraits::default() };
    let (topology, law) = (router.topology(), config.uet_law());
    let endpoints = kinds.uet_endpoints(topology);
    let round_trip = longest_round_trip(router, config, nic, &endpoints);
    let rate = endpoints.first().map_or(0, |&first| topology.rate(topology.edge_port(first)).0);
    let marks = law.marks(u64::from(rate) * round_trip / 8_000_000);
    UetTraits { marks: Some(marks), round_trip, sizes: config.uet_sizes_of(nic), law }
}

impl Shared {
    /// What a class can have of a rate.
    pub fn rate_of_class(&self, rate: LinkRate, class: u8) -> LinkRate {
        let part = u64::from(rate.0) * u64::from(self.classes.rules[usize::from(class)].most_percent) / 100;
        LinkRate((part as u32).max(1))
    }

    /// Time after which a packet of a class counts as lost, in picoseconds.
    pub fn uet_timeout(&self, endpoint: u32, class: u8) -> u64 {
        let rate = self.topology().rate(self.topology().edge_port(EndpointId(endpoint)));
        let rules = &self.classes.rules[usize::from(class)];
        self.config.laws.uet.timeout_ps(rules.queue_max_bytes, rate.0, rules.most_percent)
    }

    /// The way between two NICs for packets of a class. A class with a part of each link has the
    /// bytes of a round trip at its own rate, and each packet but the first waits for its turn.
    pub fn uet_path(&self, source: u32, destination: u32, class: u8) -> UetPath {
        let link = self.topology().rate(self.topology().edge_port(EndpointId(source)));
        let (rate, packet_bytes) = (self.rate_of_class(link, class), self.uet_packet_bytes(source));
        let time = |rate: LinkRate| rate.serialization(Bytes(packet_bytes.into())).0;
        let turn = time(rate) - time(link);
        let ends = (EndpointId(source), EndpointId(destination));
        UetPath {
            round_trip: round_trip(&self.router, &self.config, self.nic(source), ends) + turn,
            rate_mbps: rate.0,
            packet_bytes,
            network_round_trip: self.traits.uet.round_trip + turn,
            trims: self.classes.rules[usize::from(class)].trims,
        }
    }
}
