//! The cases: networks by size, traffic, laws.

use philae_scenario::{JobSection, Measure, RunTree, Scenario, System};
use philae_topology::{DragonflyDescription, FatTreeDescription, SystemDescription};
use philae_units::{LinkRate, Picoseconds};
use philae_workload::{
    Alltoall, Gaps, Incast, Offered, Permutation, RateGbps, Share, Shift, Size, Span, UniformRandom, WorkloadSpec,
};

/// Rate of every edge link, in Gb/s.
const RATE_GBPS: u32 = 200;
/// Offered load of the streams, in millionths of the edge rate.
const LOAD_MILLIONTHS: u32 = 700_000;
/// Payload of a packet. Cassini's own packets carry 2 KiB; peers are measured with 4 KiB.
const PAYLOAD_BYTES: u32 = 4_096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaseNetwork {
    /// Leaves and spines, for 8,192 endpoints and more in pods under cores: full bisection.
    FatTree,
    /// Groups that are joined pairwise, adaptive.
    Dragonfly,
}

impl CaseNetwork {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::FatTree => "fat-tree",
            Self::Dragonfly => "dragonfly",
        }
    }

    /// The network of this many endpoints, with the number of ranks in a group (in a leaf, if a
    /// tree has no pods).
    ///
    /// A fat tree of three levels of 64-port switches ends at 65,536.
    fn of(self, endpoints: u32) -> Option<(SystemDescription, u32)> {
        let (system, group): (SystemDescription, u32) = match (self, endpoints) {
            (Self::FatTree, 1_024) => (FatTreeDescription::two_level(32, 32, 32).into(), 32),
            (Self::FatTree, 8_192) => (FatTreeDescription::three_level(8, 32, 32, 32, 8).into(), 1_024),
            (Self::FatTree, 65_536) => (FatTreeDescription::three_level(64, 32, 32, 32, 32).into(), 1_024),
            (Self::Dragonfly, 1_024) => (DragonflyDescription::uniform(8, 16, 8, 16).into(), 128),
            (Self::Dragonfly, 8_192) => (DragonflyDescription::uniform(32, 16, 16, 16).into(), 256),
            (Self::Dragonfly, 65_536) => (DragonflyDescription::uniform(128, 32, 16, 4).into(), 512),
            // The built-in system `largest`.
            (Self::Dragonfly, 279_040) => (DragonflyDescription::uniform(545, 32, 16, 1).into(), 512),
            _ => return None,
        };
        Some((system, group))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaseTraffic {
    /// All ranks to one random other rank.
    Permutation,
    /// Every message to a random other rank.
    UniformRandom,
    /// All ranks of a group to the next group: the worst case of a dragonfly's minimal paths.
    GroupShift,
    /// All ranks to all ranks, one partner at a time.
    AllToAll,
    /// All ranks to one.
    Incast,
}

impl CaseTraffic {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Permutation => "permutation",
            Self::UniformRandom => "uniform-random",
            Self::GroupShift => "group-shift",
            Self::AllToAll => "all-to-all",
            Self::Incast => "incast",
        }
    }

    /// Whether messages start at a rate, instead of as fast as possible.
    const fn is_offered(self) -> bool {
        matches!(self, Self::Permutation | Self::UniformRandom | Self::GroupShift)
    }

    fn workload(self, group: u32) -> WorkloadSpec {
        let offered = self.is_offered().then(|| Offered {
            load: Share::from_millionths(LOAD_MILLIONTHS).expect("a share between 0 and 1"),
            rate_gbps: RateGbps(LinkRate::from_gbps(RATE_GBPS)),
            gaps: Gaps::Exponential,
            outstanding_max: 1_024,
        });
        let bytes = Size::kib(128);
        match self {
            Self::Permutation => WorkloadSpec::Permutation(Permutation { bytes, offered, ..Permutation::default() }),
            Self::UniformRandom => {
                WorkloadSpec::UniformRandom(UniformRandom { bytes, offered, ..UniformRandom::default() })
            }
            Self::GroupShift => WorkloadSpec::Shift(Shift { bytes, offered, stride: group, ..Shift::default() }),
            Self::AllToAll => WorkloadSpec::Alltoall(Alltoall { bytes, ..Alltoall::default() }),
            Self::Incast => WorkloadSpec::Incast(Incast { bytes, ..Incast::default() }),
        }
    }

    /// Simulated time, chosen so that a run takes seconds. An incast delivers at the rate of one
    /// endpoint, whatever the size, so it needs longer for as many packet-hops.
    const fn simulated_us(self, endpoints: u32) -> u64 {
        match (self, endpoints) {
            (Self::Incast, 0..=8_192) => 20_000,
            (Self::Incast, ..=65_536) => 5_000,
            (Self::Incast, _) => 1_000,
            (_, 0..=1_024) => 200,
            (_, ..=8_192) => 50,
            (_, _) => 10,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchCase {
    pub(super) network: CaseNetwork,
    pub(super) congestion: &'static str,
    pub(super) pattern: CaseTraffic,
    endpoints: u32,
    threads: u32,
    simulated: Span,
}

impl BenchCase {
    /// `permutation-dragonfly-slingshot`, without size and threads.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}-{}-{}", self.pattern.name(), self.network.name(), self.congestion)
    }

    /// NICs.
    #[must_use]
    pub const fn endpoints(&self) -> u32 {
        self.endpoints
    }

    /// Threads of a run.
    #[must_use]
    pub const fn threads(&self) -> u32 {
        self.threads
    }

    /// The same case on another number of threads.
    #[must_use]
    pub const fn on_threads(self, threads: u32) -> Self {
        Self { threads, ..self }
    }

    /// Simulated time of a run.
    #[must_use]
    pub const fn simulated(&self) -> Span {
        self.simulated
    }

    /// The same case for another simulated time.
    #[must_use]
    pub const fn simulating(self, simulated: Span) -> Self {
        Self { simulated, ..self }
    }

    pub(super) fn system(&self) -> SystemDescription {
        self.network.of(self.endpoints).expect("cases exist for networks that do").0
    }

    pub(super) fn scenario(&self, system: &System) -> Scenario {
        let part = |divisor| Span(Picoseconds(self.simulated.0.0 / divisor));
        let group = self.network.of(self.endpoints).map_or(1, |(_, group)| group);
        // A miniature in a test has smaller groups.
        let group = group.min(system.topology.endpoint_count() as u32 / 2);
        let mut scenario = Scenario {
            run: RunTree {
                time_limit: Some(self.simulated),
                start_skew: part(4).min(Span::micros(2)),
                threads: self.threads,
                ..RunTree::default()
            },
            // One interval over the second half: delivered load without the ramp at the start.
            measure: Measure { sample_interval: part(4), ..Measure::totals() },
            jobs: vec![JobSection::new("all", self.pattern.workload(group))],
            ..Scenario::on(system)
        };
        scenario.run.warm_up = part(2);
        scenario.congestion = scenario.congestion.preset(self.congestion);
        scenario.hardware.nic.set("payload_max_bytes", PAYLOAD_BYTES);
        scenario
    }

    /// Payload offered to each endpoint, in Gb/s; none if sources send as fast as they can.
    pub(super) fn offered_gbps(&self) -> Option<f64> {
        self.pattern.is_offered().then(|| f64::from(RATE_GBPS) * f64::from(LOAD_MILLIONTHS) / 1e6)
    }

    /// Endpoints that receive.
    pub(super) const fn receivers(&self, endpoints: u32) -> u32 {
        if matches!(self.pattern, CaseTraffic::Incast) { 1 } else { endpoints }
    }
}

/// The sizes of the cases.
pub const BENCH_SIZES: [u32; 4] = [1_024, 8_192, 65_536, 279_040];

/// All cases, smaller networks first, each on one thread.
#[must_use]
pub fn bench_cases() -> Vec<BenchCase> {
    let mut cases = Vec::new();
    for endpoints in BENCH_SIZES {
        for network in [CaseNetwork::FatTree, CaseNetwork::Dragonfly] {
            if network.of(endpoints).is_none() {
                continue;
            }
            for congestion in ["slingshot", "none"] {
                for pattern in [
                    CaseTraffic::Permutation,
                    CaseTraffic::UniformRandom,
                    CaseTraffic::GroupShift,
                    CaseTraffic::AllToAll,
                    CaseTraffic::Incast,
                ] {
                    let simulated = Span::micros(pattern.simulated_us(endpoints));
                    cases.push(BenchCase { network, congestion, pattern, endpoints, threads: 1, simulated });
                }
            }
        }
    }
    cases
}
