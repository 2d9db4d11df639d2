//! Where rates are not to be trusted, and how a run notices.

use philae_congestion::CongestionLaw;
use philae_fabric::FabricConfig;
use philae_routing::RoutingMode;
use philae_topology::{Shape, Topology};

use crate::flows::Met;

/// Packets below which a message is short: latency and queues decide, not rates.
///
/// Source: ours; the error table of docs/fluid.md. Status: assumed.
pub const SHORT_PACKETS: u64 = 4;
/// Endpoints of the largest system of the error table.
///
/// Source: ours. Status: measured.
pub const MEASURED_ENDPOINTS: usize = 4_096;

/// Counts what is met.
#[derive(Clone, Debug)]
pub struct Doubts {
    law: CongestionLaw,
    before: Vec<String>,
    messages: u64,
    short: u64,
    below_round_trip: u64,
}

impl Doubts {
    /// What is doubtful before anything runs.
    pub fn new(topology: &Topology, config: &FabricConfig) -> Self {
        let mut before = Vec::new();
        if config.routing.mode != RoutingMode::Adaptive {
            before.push(format!(
                "routing.mode is {:?}: links are pooled as adaptive routing pools them, and errors were measured under it only",
                config.routing.mode
            ));
        }
        if config.nic.ordered {
            before
                .push("packets are ordered, each flow on one path: flows that meet on a link are not seen".to_owned());
        }
        if matches!(topology.shape(), Shape::Graph(_)) {
            before.push("the network is neither a dragonfly nor a fat tree: detours are one pool".to_owned());
        }
        if topology.endpoint_count() > MEASURED_ENDPOINTS {
            before.push(format!(
                "the system has {} endpoints: errors were measured on systems of up to {MEASURED_ENDPOINTS}",
                topology.endpoint_count()
            ));
        }
        Self { law: config.congestion.clone(), before, messages: 0, short: 0, below_round_trip: 0 }
    }

    /// A message begins: packets, time at the rate of its NIC, and time of its way, in picoseconds.
    pub fn message(&mut self, packets: u64, alone: f64, latency: u64) {
        self.messages += 1;
        self.short += u64::from(packets < SHORT_PACKETS);
        self.below_round_trip += u64::from(alone < 2.0 * latency as f64);
    }

    /// What is to be told.
    pub fn told(&self, met: &Met) -> Vec<String> {
        let mut told = self.before.clone();
        let half = |count: u64| 2 * count > self.messages;
        if half(self.short) {
            told.push(format!(
                "{} of {} messages have fewer than {SHORT_PACKETS} packets: latency and queues decide, which rates do not have",
                self.short, self.messages
            ));
        } else if half(self.below_round_trip) {
            told.push(format!(
                "{} of {} messages are over within a round trip: the congestion law and adaptive routing have not settled by then",
                self.below_round_trip, self.messages
            ));
        }
        if met.spread_incast > 0 {
            told.push(format!(
                "up to {} flows at once shared full buffers with flows that wait for their endpoint (law {}): how far such a tree spreads is an estimate",
                met.spread_incast,
                self.law.name()
            ));
        }
        if met.crowding > 0 && matches!(self.law, CongestionLaw::Ecn(_)) {
            told.push(format!(
                "up to {} flows at once shared their endpoint's link under ecn: until DCQCN has cut them, which takes some 55 us each time, their pauses hold back others",
                met.crowding
            ));
        }
        told
    }
}
