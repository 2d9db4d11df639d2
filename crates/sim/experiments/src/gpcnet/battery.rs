//! The tests of the two programs, as workloads of the model, and the evaluation of their runs.

use philae_results::record::RunRecord;
use philae_units::JobId;
use philae_workload::{Congestors, IncastOperation, RandomRing, Size, SlicedCollective, SlicedOperation, WorkloadSpec};
use serde::Serialize;

use super::statistics::{Better, TestStatistics};

/// One test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// 8 B by send to both neighbours of a random ring.
    TwoSidedLatency,
    /// 8 B by get from both.
    GetLatency,
    /// Windows of 131,072 B by send.
    TwoSidedBandwidth,
    /// Windows by put.
    PutBandwidth,
    /// Windows by send with a barrier at the end.
    BandwidthSync,
    /// Windows by send between neighbours in natural order.
    NaturalBandwidth,
    /// Allreduces of 8 B in every slice at the same time.
    Allreduce,
    /// Alltoalls of 4,096 B in every slice at the same time.
    Alltoall,
}

/// The size of a run: the program's loops, without its repetition until ten seconds have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Random orders of each ring test.
    pub rings: u32,
    /// Timed iterations of a latency test with each order, after as many untimed ones.
    pub latency: u32,
    /// Timed iterations of a bandwidth test with each order, after one untimed.
    pub bandwidth: u32,
    /// Timed allreduces, after one untimed.
    pub allreduce: u32,
    /// Timed alltoalls, after one untimed; fewer in slices of more than 64 ranks, in proportion.
    pub alltoall: u32,
}

impl Effort {
    /// The program's. Source: GPCNeT v1.3. Status: published.
    pub const FULL: Self = Self { rings: 30, latency: 200, bandwidth: 8, allreduce: 200, alltoall: 64 };
    /// Loops that take minutes instead of hours on several hundred nodes. Source: ours. Status:
    /// assumed; the mean converges early, the 99th percentile sees fewer rare events.
    pub const REDUCED: Self = Self { rings: 3, latency: 20, bandwidth: 2, allreduce: 40, alltoall: 2 };
    /// Maximum number of ranks for which the program's own loops are the default. Source: ours.
    /// Status: assumed.
    pub const FULL_RANKS_MAX: u32 = 32;

    /// The default for this many ranks.
    #[must_use]
    pub const fn for_ranks(ranks: u32) -> Self {
        if ranks <= Self::FULL_RANKS_MAX { Self::FULL } else { Self::REDUCED }
    }

    /// The program's loops, shortened so that latency tests have this many iterations; at least one
    /// each.
    #[must_use]
    pub fn with_iterations(self, latency: u32) -> Self {
        let share = |full: u32| (u64::from(full) * u64::from(latency) / u64::from(Self::FULL.latency)).max(1) as u32;
        Self {
            latency,
            bandwidth: share(Self::FULL.bandwidth),
            allreduce: share(Self::FULL.allreduce),
            alltoall: share(Self::FULL.alltoall),
            ..self
        }
    }
}

/// Message size of the bandwidth tests, and the number for each neighbour in flight. Source: GPCNeT
/// v1.3. Status: published.
const BANDWIDTH_BYTES: u64 = 131_072;
const OUTSTANDING: u32 = 8;
/// Block size of the alltoall test, and the number of ranks above which it has fewer iterations.
/// Source: GPCNeT v1.3. Status: published.
const ALLTOALL_BYTES: u64 = 4_096;
const ALLTOALL_RANKS: u32 = 64;

/// The loops of a test.
struct Loops {
    /// Measurements.
    rings: u32,
    /// Untimed iterations of each.
    warm_up: u32,
    /// Timed iterations of each.
    timed: u32,
}

/// The samples of a test's ranks.
#[derive(Clone, Debug, Default)]
pub struct TestSamples {
    /// One per timed iteration and rank, in the test's unit.
    pub samples: Vec<f64>,
    /// One per ring and rank.
    pub measurements: Vec<f64>,
}

impl Test {
    /// The tests of `network_test`, in its order.
    pub const NETWORK: [Self; 8] = [
        Self::TwoSidedLatency,
        Self::GetLatency,
        Self::TwoSidedBandwidth,
        Self::PutBandwidth,
        Self::BandwidthSync,
        Self::NaturalBandwidth,
        Self::Allreduce,
        Self::Alltoall,
    ];
    /// The tests of `network_load_test`: the canaries.
    pub const CANARIES: [Self; 3] = [Self::TwoSidedLatency, Self::BandwidthSync, Self::Allreduce];

    /// Its name in the program's tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TwoSidedLatency => "RR Two-sided Lat (8 B)",
            Self::GetLatency => "RR Get Lat (8 B)",
            Self::TwoSidedBandwidth => "RR Two-sided BW (131072 B)",
            Self::PutBandwidth => "RR Put BW (131072 B)",
            Self::BandwidthSync => "RR Two-sided BW+Sync (131072 B)",
            Self::NaturalBandwidth => "Nat Two-sided BW (131072 B)",
            Self::Allreduce => "Multiple Allreduce (8 B)",
            Self::Alltoall => "Multiple Alltoall (4096 B)",
        }
    }

    /// Its name in file names.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::TwoSidedLatency => "rr-two-sided-lat",
            Self::GetLatency => "rr-get-lat",
            Self::TwoSidedBandwidth => "rr-two-sided-bw",
            Self::PutBandwidth => "rr-put-bw",
            Self::BandwidthSync => "rr-two-sided-bw-sync",
            Self::NaturalBandwidth => "nat-two-sided-bw",
            Self::Allreduce => "multiple-allreduce",
            Self::Alltoall => "multiple-alltoall",
        }
    }

    /// Whether lower or higher values are better.
    #[must_use]
    pub const fn better(self) -> Better {
        match self {
            Self::TwoSidedLatency | Self::GetLatency | Self::Allreduce => Better::Lower,
            _ => Better::Higher,
        }
    }

    /// The unit of its values.
    #[must_use]
    pub const fn units(self) -> &'static str {
        match self.better() {
            Better::Lower => "usec",
            Better::Higher => "MiB/s/rank",
        }
    }

    fn loops(self, effort: &Effort, members: u32) -> Loops {
        match self {
            Self::TwoSidedLatency | Self::GetLatency => {
                Loops { rings: effort.rings, warm_up: effort.latency, timed: effort.latency }
            }
            Self::Allreduce => Loops { rings: 1, warm_up: 1, timed: effort.allreduce },
            Self::Alltoall => {
                let fewer = u64::from(effort.alltoall) * u64::from(ALLTOALL_RANKS) / u64::from(members.max(1));
                let timed = if members > ALLTOALL_RANKS { fewer.max(1) as u32 } else { effort.alltoall };
                Loops { rings: 1, warm_up: 1, timed }
            }
            _ => Loops { rings: effort.rings, warm_up: 1, timed: effort.bandwidth },
        }
    }

    /// Iterations of each rank, including untimed ones.
    pub(super) fn iterations(self, effort: &Effort, members: u32) -> u32 {
        let Loops { rings, warm_up, timed } = self.loops(effort, members);
        rings.saturating_mul(warm_up.saturating_add(timed))
    }

    /// The workload of `slices` slices of `members` ranks.
    pub(super) fn workload(self, effort: &Effort, slices: u32, members: u32) -> WorkloadSpec {
        let Loops { warm_up, timed, .. } = self.loops(effort, members);
        let iterations = Some(self.iterations(effort, members));
        let latency = RandomRing { slices, per_ring: warm_up + timed, iterations, ..RandomRing::default() };
        let bandwidth = RandomRing { bytes: Size::bytes(BANDWIDTH_BYTES), window: OUTSTANDING, ..latency.clone() };
        let operation = |operation, ring| RandomRing { operation, ..ring };
        let ring = match self {
            Self::TwoSidedLatency => latency,
            Self::GetLatency => operation(IncastOperation::Get, latency),
            Self::TwoSidedBandwidth => bandwidth,
            Self::PutBandwidth => operation(IncastOperation::Put, bandwidth),
            Self::BandwidthSync => RandomRing { barrier: true, ..bandwidth },
            Self::NaturalBandwidth => RandomRing { natural: true, ..bandwidth },
            Self::Allreduce | Self::Alltoall => {
                let (operation, bytes) = match self {
                    Self::Alltoall => (SlicedOperation::Alltoall, ALLTOALL_BYTES),
                    _ => (SlicedOperation::Allreduce, 8),
                };
                let bytes = Size::bytes(bytes);
                let spec = SlicedCollective { operation, bytes, slices, iterations, ..SlicedCollective::default() };
                return WorkloadSpec::SlicedCollective(spec);
            }
        };
        WorkloadSpec::RandomRing(ring)
    }

    /// The value of `iterations` iterations with this total duration.
    fn value(self, iterations: u32, length_ps: f64, members: u32) -> f64 {
        let count = f64::from(iterations);
        let bytes = match self {
            // Two messages are sent, one in each direction.
            Self::TwoSidedLatency | Self::GetLatency => return length_ps / 1e6 / count / 2.0,
            Self::Allreduce => return length_ps / 1e6 / count,
            Self::Alltoall => ALLTOALL_BYTES * u64::from(members - 1),
            _ => BANDWIDTH_BYTES * 2 * u64::from(OUTSTANDING),
        };
        bytes as f64 * count / (length_ps / 1e12) / f64::from(1 << 20)
    }

    /// Reads the iterations of the record's first job.
    pub(super) fn read(self, effort: &Effort, members: u32, record: &RunRecord) -> TestSamples {
        let Loops { rings, warm_up, timed } = self.loops(effort, members);
        let ranks = record.jobs[0].ranks as usize;
        let mut lengths = vec![0.0; ranks * rings as usize];
        let mut found = TestSamples::default();
        for row in record.iterations.iter().filter(|row| row.job == JobId(0)) {
            let (ring, within) = (row.iteration / (warm_up + timed), row.iteration % (warm_up + timed));
            if within >= warm_up {
                let length = row.end.saturating_sub(row.start).0 as f64;
                found.samples.push(self.value(1, length, members));
                lengths[row.rank.index() * rings as usize + ring as usize] += length;
            }
        }
        found.measurements = lengths.iter().map(|&length| self.value(timed, length, members)).collect();
        found
    }

    /// The result of the ranks, in one line.
    pub(super) fn row(self, found: &TestSamples) -> Option<TestRow> {
        let summary = TestStatistics::of(&found.samples, &found.measurements, self.better())?;
        Some(TestRow { name: self.name().to_owned(), units: self.units(), better: self.better(), summary })
    }
}

/// One line of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestRow {
    /// The test.
    pub name: String,
    /// Unit of all values.
    pub units: &'static str,
    /// Whether lower or higher values are better.
    pub better: Better,
    /// The values.
    #[serde(flatten)]
    pub summary: TestStatistics,
}

/// The four congestors in `slices` slices, without end.
pub(super) fn congestors(slices: u32) -> WorkloadSpec {
    WorkloadSpec::Congestors(Congestors { slices, ..Congestors::default() })
}
