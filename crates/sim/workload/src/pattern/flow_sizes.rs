//! Flows of drawn sizes: random starts at a given load, sizes from a published distribution or a
//! file.

use philae_engine::RandomStream;
use philae_units::{Bytes, Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{MESSAGE_BYTES_MAX, WorkloadError, at_least};
use crate::program::{Action, Op, OpHandle, Progress, RankProgram};
use crate::quantity::{RateGbps, Share};
use crate::random::purpose;
use crate::stream::{Gaps, Offered, Schedule, gbps_of};
use crate::workload::{Workload, iterations_text};

/// Published distributions of the sizes of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SizeDistribution {
    /// Web search. Source: Alizadeh et al., SIGCOMM'10 (DCTCP), as HPCC (SIGCOMM'19) uses it. Status: published.
    WebSearch,
    /// Hadoop. Source: Roy et al., SIGCOMM'15, as HPCC uses it. Status: published.
    FbHadoop,
    /// Storage. Source: Alibaba's block storage of 2019, published with HPCC. Status: published.
    AliStorage,
}

/// A point of a distribution: this share of flows has at most this size. Sizes between two points are equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizePoint {
    /// In bytes.
    pub bytes: u64,
    /// In billionths of all flows.
    #[schemars(range(max = 1_000_000_000))]
    pub billionths: u32,
}

/// All flows, in billionths.
const ALL: u32 = 1_000_000_000;

/// Shares in hundredths of a per cent.
const fn hundredths(bytes: u64, hundredths: u32) -> SizePoint {
    SizePoint { bytes, billionths: hundredths * 100_000 }
}

const WEB_SEARCH: [SizePoint; 12] = [
    hundredths(0, 0),
    hundredths(10_000, 1_500),
    hundredths(20_000, 2_000),
    hundredths(30_000, 3_000),
    hundredths(50_000, 4_000),
    hundredths(80_000, 5_300),
    hundredths(200_000, 6_000),
    hundredths(1_000_000, 7_000),
    hundredths(2_000_000, 8_000),
    hundredths(5_000_000, 9_000),
    hundredths(10_000_000, 9_700),
    hundredths(30_000_000, 10_000),
];

const ALI_STORAGE: [SizePoint; 9] = [
    hundredths(0, 0),
    hundredths(4_000, 2_293),
    hundredths(8_000, 6_921),
    hundredths(16_000, 8_061),
    hundredths(32_000, 9_047),
    hundredths(64_000, 9_353),
    hundredths(128_000, 9_677),
    hundredths(256_000, 9_753),
    hundredths(2_000_000, 10_000),
];

const FB_HADOOP: [SizePoint; 20] = [
    hundredths(0, 0),
    hundredths(100, 100),
    hundredths(200, 200),
    hundredths(300, 500),
    hundredths(350, 1_500),
    hundredths(400, 2_000),
    hundredths(500, 3_000),
    hundredths(600, 4_000),
    hundredths(700, 5_000),
    hundredths(1_000, 6_000),
    hundredths(2_000, 6_700),
    hundredths(7_000, 7_000),
    hundredths(30_000, 7_200),
    hundredths(50_000, 8_200),
    hundredths(80_000, 8_700),
    hundredths(120_000, 9_000),
    hundredths(300_000, 9_500),
    hundredths(1_000_000, 9_750),
    hundredths(2_000_000, 9_900),
    hundredths(10_000_000, 10_000),
];

impl SizeDistribution {
    #[must_use]
    pub const fn points(self) -> &'static [SizePoint] {
        match self {
            Self::WebSearch => &WEB_SEARCH,
            Self::FbHadoop => &FB_HADOOP,
            Self::AliStorage => &ALI_STORAGE,
        }
    }
}

/// `flow-sizes`: every rank starts puts to random others at random times, with sizes from a distribution. The table of
/// messages has size, start and end of each flow, and so the completion time by size.
///
/// The time between two starts runs in parallel with the rank's other work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowSizes {
    /// A published distribution of sizes. Give one of `distribution`, `file` and `points`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<SizeDistribution>,
    /// A file with a distribution, from the scenario's folder: lines of bytes and the per cent of
    /// flows of at most this size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The points themselves, from 0 to 1,000,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<SizePoint>>,
    /// Share of `rate_gbps` that each rank offers, in (0, 1].
    pub load: Share,
    /// Rate of the injection link, in Gb/s. With several ranks on a link, give each its share of the load.
    pub rate_gbps: RateGbps,
    /// Largest number of outstanding flows of one rank; further ones wait. Default 1,024. Source: ours. Status: assumed;
    /// matters only beyond saturation, where it bounds memory.
    #[serde(default = "outstanding_max")]
    #[schemars(range(min = 1))]
    pub outstanding_max: u32,
    /// Flows of each rank; endless when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

const fn outstanding_max() -> u32 {
    1_024
}

impl FlowSizes {
    /// The points of its draws; none before its file has been read.
    #[must_use]
    pub fn points(&self) -> &[SizePoint] {
        match (&self.points, self.distribution) {
            (Some(points), _) => points,
            (None, Some(distribution)) => distribution.points(),
            (None, None) => &[],
        }
    }

    /// The mean size of a flow, rounded down, at least 1.
    #[must_use]
    pub fn mean(&self) -> Bytes {
        let segment = |pair: &[SizePoint]| {
            let share = u128::from(pair[1].billionths - pair[0].billionths);
            share * (u128::from(pair[0].bytes) + u128::from(pair[1].bytes))
        };
        let twice: u128 = self.points().windows(2).map(segment).sum();
        Bytes(u64::try_from(twice / (2 * u128::from(ALL))).unwrap_or(u64::MAX).max(1))
    }

    fn mean_gap(&self) -> Picoseconds {
        let (load, rate_gbps, gaps) = (self.load, self.rate_gbps, Gaps::Exponential);
        Offered { load, rate_gbps, gaps, outstanding_max: self.outstanding_max }.mean_gap(self.mean())
    }
}

/// The error in a list of points, if any: they must rise, from nothing to everything.
#[must_use]
pub fn wrong_points(points: &[SizePoint]) -> Option<String> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Some("no points; at least two would work".to_owned());
    };
    if first.billionths != 0 || last.billionths != ALL {
        return Some("points that do not go from 0 to all flows; points from 0 to 100 % would work".to_owned());
    }
    if last.bytes > MESSAGE_BYTES_MAX.0 || last.bytes == 0 {
        return Some(format!("flows of up to {} bytes; 1 to {MESSAGE_BYTES_MAX} would work", last.bytes));
    }
    let falls = points.windows(2).find(|pair| pair[1].bytes < pair[0].bytes || pair[1].billionths < pair[0].billionths);
    falls.map(|pair| format!("{} bytes after {}; increasing sizes and shares would work", pair[1].bytes, pair[0].bytes))
}

impl Workload for FlowSizes {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("flow-sizes", 2, ranks)?;
        if u32::from(self.distribution.is_some()) + u32::from(self.file.is_some()) + u32::from(self.points.is_some())
            != 1
        {
            let found = "not one of `distribution`, `file` and `points`; exactly one would work".to_owned();
            return Err(WorkloadError::FlowSizes { found });
        }
        if let Some(file) = &self.file {
            return Err(WorkloadError::NotRead { file: file.clone() });
        }
        if let Some(found) = wrong_points(self.points()) {
            return Err(WorkloadError::FlowSizes { found });
        }
        if self.outstanding_max == 0 || self.outstanding_max > 1 << 20 {
            let (key, allowed) = ("outstanding_max", format!("1 to {}", 1 << 20));
            let found = u64::from(self.outstanding_max);
            return Err(WorkloadError::OutOfRange { workload: "flow-sizes", key, found, allowed });
        }
        Ok(())
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        Box::new(Flows {
            points: self.points().into(),
            outstanding_max: self.outstanding_max,
            total: self.iterations.map_or(u64::MAX, u64::from),
            rank: rank.0,
            ranks,
            draws: RandomStream::new(seed, u64::from(rank.0), purpose::DESTINATION),
            schedules: [(); 2].map(|()| Schedule::new(self.mean_gap(), Gaps::Exponential, rank, seed)),
            due: 0,
            started: 0,
            completed: 0,
        })
    }

    fn describe(&self) -> String {
        let load = format!("offered load {} of {}", self.load, self.rate_gbps.0);
        format!("flows of {} in the mean, {load}, {}", self.mean(), iterations_text(self.iterations))
    }

    fn offered_gbps(&self) -> Option<f64> {
        Some(gbps_of(self.load, self.rate_gbps))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }

    fn counted_iterations(&self) -> Option<u32> {
        self.iterations.map(|_| 1)
    }
}

/// The flows of one rank. The whole stream is iteration 0.
#[derive(Debug)]
struct Flows {
    points: Box<[SizePoint]>,
    outstanding_max: u32,
    total: u64,
    rank: u32,
    ranks: u32,
    /// Stream for sizes and destinations.
    draws: RandomStream,
    /// The schedule, twice: what becomes due next, and what starts next.
    schedules: [Schedule; 2],
    /// Flows that may have started so far.
    due: u64,
    started: u64,
    completed: u64,
}

/// The handle of a gap; those of flows are their numbers modulo it.
const GAP: u32 = 1 << 31;

impl Flows {
    fn start_due(&mut self, actions: &mut Vec<Action>) {
        while self.started < self.due && self.started - self.completed < u64::from(self.outstanding_max) {
            let other = self.draws.below(self.ranks - 1);
            let to = RankId(if other < self.rank { other } else { other + 1 });
            let bytes = draw(&self.points, self.draws.below(ALL));
            let handle = OpHandle(self.started as u32 % GAP);
            actions.push(Action::Due(self.schedules[1].next_time()));
            actions.push(Action::Start(handle, Op::Put { to, bytes, class: None }));
            self.started += 1;
        }
    }

    fn start_gap(&mut self, actions: &mut Vec<Action>) {
        if self.due < self.total {
            let time = self.schedules[0].next_time();
            actions.push(Action::Start(OpHandle(GAP), Op::Until { time }));
        }
    }
}

/// The size below which this share of flows lies.
fn draw(points: &[SizePoint], share: u32) -> Bytes {
    let above = points.partition_point(|point| point.billionths <= share).clamp(1, points.len() - 1);
    let (low, high) = (points[above - 1], points[above]);
    let width = u128::from((high.billionths - low.billionths).max(1));
    let within = u128::from(share - low.billionths) * u128::from(high.bytes - low.bytes) / width;
    Bytes((low.bytes + within as u64).max(1))
}

impl RankProgram for Flows {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed {
            None => {
                actions.push(Action::IterationStart(0));
                self.start_gap(actions);
            }
            Some(OpHandle(GAP)) => {
                self.due += 1;
                self.start_due(actions);
                self.start_gap(actions);
            }
            Some(_) => {
                self.completed += 1;
                self.start_due(actions);
            }
        }
        if self.completed == self.total {
            actions.push(Action::IterationEnd(0));
            return Progress::Finished;
        }
        Progress::Running
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_units::LinkRate;

    fn flows(distribution: SizeDistribution) -> FlowSizes {
        FlowSizes {
            distribution: Some(distribution),
            file: None,
            points: None,
            load: Share::from_f64(0.5).expect("a share"),
            rate_gbps: RateGbps(LinkRate::from_gbps(200)),
            outstanding_max: 1_024,
            iterations: Some(200_000),
        }
    }

    #[test]
    fn sizes_follow_the_distribution_and_starts_the_load() {
        for distribution in [SizeDistribution::WebSearch, SizeDistribution::FbHadoop, SizeDistribution::AliStorage] {
            let workload = flows(distribution);
            workload.check(16).expect("a published distribution");
            let mut program = workload.program(RankId(3), 16, 7);
            let (mut actions, mut sizes, mut time) = (Vec::new(), Vec::new(), 0_u64);
            let mut progress = program.advance(None, &mut actions);
            while progress == Progress::Running {
                for action in std::mem::take(&mut actions) {
                    match action {
                        Action::Start(handle, Op::Until { time: due }) => {
                            time = due.0;
                            progress = program.advance(Some(handle), &mut actions);
                        }
                        Action::Start(handle, Op::Put { to, bytes, .. }) => {
                            assert!(to.0 < 16 && to.0 != 3);
                            sizes.push(bytes.0);
                            progress = program.advance(Some(handle), &mut actions);
                        }
                        _ => {}
                    }
                }
            }
            assert_eq!(sizes.len(), 200_000);
            for point in distribution.points() {
                let below = sizes.iter().filter(|&&size| size <= point.bytes.max(1)).count() as u64;
                let expected = 200_000 * u64::from(point.billionths) / 1_000_000_000;
                assert!(below.abs_diff(expected) < 1_500, "{distribution:?} {point:?}: {below} of 200000");
            }
            let total: u64 = sizes.iter().sum();
            let mean = total / 200_000;
            assert!(mean.abs_diff(workload.mean().0) < workload.mean().0 / 20, "{distribution:?}: {mean}");
            // Half of 200 Gb/s is 12.5 bytes a nanosecond; the largest flows make sizes vary.
            let load = u128::from(total) * 1_000_000 / u128::from(time);
            assert!(load.abs_diff(12_500) < 1_000, "{distribution:?}: {load} bytes per microsecond");
        }
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        let mut workload = flows(SizeDistribution::WebSearch);
        workload.points = Some(vec![hundredths(0, 0), hundredths(10, 10000)]);
        assert!(workload.check(2).expect_err("two sources").to_string().contains("exactly one"));
        workload.distribution = None;
        assert!(workload.check(2).is_ok());
        for bad in [
            vec![],
            vec![hundredths(0, 0), hundredths(10, 9900)],
            vec![hundredths(5, 0), hundredths(9, 6000), hundredths(8, 10000)],
        ] {
            workload.points = Some(bad);
            assert!(workload.check(2).expect_err("no distribution").to_string().contains("would work"));
        }
    }
}
