//! Tables in the form of the OSU micro-benchmarks: one figure by message size.
//!
//! Loops, windows and units are those of the benchmarks; each size is a run of its own. Source: OSU
//! micro-benchmarks. Status: published; numbers of iterations vary by version and are parameters
//! here.

use std::fmt::Write as _;

use philae_results::record::{IterationRow, RunRecord};
use philae_scenario::{JobSection, Measure, RunTree, Scenario, System};
use philae_units::{NodeId, RankId};
use philae_workload::{
    Bandwidth, Nodes, OneSided, OneSidedOperation, OneSidedPattern, Pairing, PingPong, Size, SlicedCollective,
    SlicedOperation, WorkloadSpec,
};
use serde::Serialize;

use crate::runner::{Cell, CellRunner, StudyError};

/// A test of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OsuTest {
    /// `osu_latency`: half a round trip.
    Latency,
    /// `osu_bw`: windows in one direction, each answered.
    Bw,
    /// `osu_bibw`: windows in both directions.
    Bibw,
    /// `osu_mbw_mr`: windows of many pairs at the same time, bandwidth and message rate of all.
    MbwMr,
    /// A put until it is complete at the target.
    Put,
    /// A get until the data arrives.
    Get,
    /// `osu_alltoall`.
    Alltoall,
    /// `osu_allreduce`.
    Allreduce,
    /// `osu_allgather`.
    Allgather,
    /// `osu_bcast`.
    Bcast,
    /// `osu_reduce`.
    Reduce,
    /// `osu_barrier`.
    Barrier,
}

/// Messages of a window. Source: osu_bw. Status: published.
pub const OSU_WINDOW: u32 = 64;
/// Messages above this size are large. Source: OSU micro-benchmarks. Status: published.
const LARGE_BYTES: u64 = 8 << 10;
/// Windows above this size are so large that a few suffice. Source: ours. Status: assumed; the
/// duration of a window varies by less than a percent from one to the next on an idle system.
const LARGE_WINDOWS_BYTES: u64 = 64 << 10;

impl OsuTest {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Latency,
        Self::Bw,
        Self::Bibw,
        Self::MbwMr,
        Self::Put,
        Self::Get,
        Self::Alltoall,
        Self::Allreduce,
        Self::Allgather,
        Self::Bcast,
        Self::Reduce,
        Self::Barrier,
    ];

    /// The test of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|test| test.name() == name)
    }

    /// Its name on the command line and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Bw => "bw",
            Self::Bibw => "bibw",
            Self::MbwMr => "mbw_mr",
            Self::Put => "put",
            Self::Get => "get",
            Self::Alltoall => "alltoall",
            Self::Allreduce => "allreduce",
            Self::Allgather => "allgather",
            Self::Bcast => "bcast",
            Self::Reduce => "reduce",
            Self::Barrier => "barrier",
        }
    }

    /// Whether it is between two nodes.
    #[must_use]
    pub const fn is_pair(self) -> bool {
        matches!(self, Self::Latency | Self::Bw | Self::Bibw | Self::Put | Self::Get)
    }

    const fn is_windowed(self) -> bool {
        matches!(self, Self::Bw | Self::Bibw | Self::MbwMr)
    }

    /// Default of the smallest and largest message: up to 4 MiB between pairs, up to 1 MiB in
    /// collectives; vectors are of 4-byte elements.
    #[must_use]
    pub const fn default_sizes(self) -> (u64, u64) {
        match self {
            Self::Allreduce | Self::Reduce => (4, 1 << 20),
            Self::Alltoall | Self::Allgather | Self::Bcast => (1, 1 << 20),
            _ => (1, 4 << 20),
        }
    }

    /// Timed iterations of a size, and the untimed ones before them.
    #[must_use]
    pub const fn iterations(self, bytes: u64) -> (u32, u32) {
        if self.is_windowed() && bytes > LARGE_WINDOWS_BYTES {
            (4, 1)
        } else if bytes > LARGE_BYTES {
            (20, 2)
        } else {
            (100, 10)
        }
    }

    fn collective(self) -> Option<SlicedOperation> {
        Some(match self {
            Self::Alltoall => SlicedOperation::Alltoall,
            Self::Allreduce => SlicedOperation::Allreduce,
            Self::Allgather => SlicedOperation::Allgather,
            Self::Bcast => SlicedOperation::Broadcast,
            Self::Reduce => SlicedOperation::Reduce,
            Self::Barrier => SlicedOperation::Barrier,
            _ => return None,
        })
    }

    fn workload(self, bytes: u64, iterations: u32) -> WorkloadSpec {
        let (bytes, count) = (Size::bytes(bytes), Some(iterations));
        if let Some(operation) = self.collective() {
            // Barriers are timed back to back; every other collective follows a barrier.
            let barriers = self != Self::Barrier;
            let iterations = if barriers { iterations.checked_mul(2) } else { count };
            let element = Size::bytes(4);
            let spec =
                SlicedCollective { operation, bytes, element, barriers, iterations, ..SlicedCollective::default() };
            return WorkloadSpec::SlicedCollective(spec);
        }
        let one_sided = |operation| {
            let (pattern, window) = (OneSidedPattern::OneToMany, 1);
            WorkloadSpec::OneSided(OneSided { bytes, operation, pattern, ones: 1, window, iterations: count })
        };
        let windows = |bidirectional, pairs| {
            WorkloadSpec::Bandwidth(Bandwidth { bytes, pairs, window: OSU_WINDOW, bidirectional, iterations: count })
        };
        match self {
            Self::Put => one_sided(OneSidedOperation::Put),
            Self::Get => one_sided(OneSidedOperation::Get),
            Self::Bw => windows(false, Pairing::First),
            Self::Bibw => windows(true, Pairing::First),
            Self::MbwMr => windows(false, Pairing::Halves),
            _ => WorkloadSpec::PingPong(PingPong { bytes, iterations: count, ..PingPong::default() }),
        }
    }
}

/// A benchmark run and its system.
pub struct OsuPlan<'a> {
    pub test: OsuTest,
    /// The system, built.
    pub system: System,
    /// All settings except jobs and recording.
    pub base: Scenario,
    /// Nodes, in the order of the ranks.
    pub nodes: Vec<NodeId>,
    /// Ranks on each.
    pub processes_per_node: u32,
    /// Message sizes in bytes.
    pub sizes: Vec<u64>,
    /// Timed iterations of every size, instead of the test's own.
    pub iterations: Option<u32>,
    pub runner: &'a CellRunner<'a>,
}

/// One line of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OsuRow {
    /// Message size in bytes.
    pub bytes: u64,
    /// Timed iterations.
    pub iterations: u32,
    /// Microseconds, or 10^6 bytes per second.
    pub value: f64,
    /// Messages per second, of windowed tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages_per_second: Option<f64>,
}

/// Powers of two from `least` to `most`, both rounded into the range.
#[must_use]
pub fn powers_of_two(least: u64, most: u64) -> Vec<u64> {
    (0..63).map(|power| 1_u64 << power).filter(|size| (least..=most).contains(size)).collect()
}

impl OsuPlan<'_> {
    /// Runs every size.
    ///
    /// # Errors
    /// If a run fails or is interrupted.
    pub fn run(&self) -> Result<Vec<OsuRow>, StudyError> {
        // The largest first, so that no thread has a long one left at the end.
        let cells: Vec<Cell> = self.sizes.iter().rev().map(|&bytes| self.cell(bytes)).collect();
        let read = |cell: &Cell, record: &RunRecord| {
            let bytes = cell.label.parse().unwrap_or(0);
            self.row(bytes, record)
        };
        let mut rows = self.runner.run(&cells, read)?;
        rows.reverse();
        Ok(rows)
    }

    fn iterations(&self, bytes: u64) -> (u32, u32) {
        let (timed, warm_up) = self.test.iterations(bytes);
        (self.iterations.unwrap_or(timed), warm_up)
    }

    /// A run of one size; the cell's label is the size.
    fn cell(&self, bytes: u64) -> Cell {
        let (timed, warm_up) = self.iterations(bytes);
        let workload = self.test.workload(bytes, timed.saturating_add(warm_up));
        let nodes = Nodes::List(self.nodes.iter().map(|node| (node.0, node.0)).collect());
        let mut job = JobSection::new("osu", workload);
        (job.nodes, job.processes_per_node) = (nodes, self.processes_per_node);
        let ranks = self.nodes.len() as u64 * u64::from(self.processes_per_node);
        let rows = 2 * ranks * (u64::from(timed) + u64::from(warm_up));
        let measure = Measure { messages: None, message_rows_max: rows, ..Measure::totals() };
        let run = RunTree { time_limit: None, ..self.base.run.clone() };
        let scenario = Scenario { measure, run, jobs: vec![job], ..self.base.clone() };
        Cell { label: bytes.to_string(), scenario, system: self.system.clone() }
    }

    fn row(&self, bytes: u64, record: &RunRecord) -> OsuRow {
        let (timed, warm_up) = self.iterations(bytes);
        let length = |row: &IterationRow| row.end.saturating_sub(row.start).as_nanos_f64();
        // With barriers between, odd iterations are the collective's.
        let alternates = self.test.collective().is_some() && self.test != OsuTest::Barrier;
        let counts = |row: &&IterationRow| {
            if alternates { row.iteration % 2 == 1 && row.iteration / 2 >= warm_up } else { row.iteration >= warm_up }
        };
        let rows = || record.iterations.iter().filter(counts);
        let of_first = || rows().filter(|row| row.rank == RankId(0)).map(length).sum::<f64>();
        let times = f64::from(timed);
        let messages = times * f64::from(OSU_WINDOW);
        let row = |value: f64, rate| OsuRow { bytes, iterations: timed, value, messages_per_second: rate };
        // Messages per nanosecond.
        let bandwidth = |rate: f64| row(rate * bytes as f64 * 1e3, Some(rate * 1e9));
        match self.test {
            OsuTest::Latency => row(of_first() / times / 2.0 / 1e3, None),
            OsuTest::Put | OsuTest::Get => row(of_first() / times / 1e3, None),
            OsuTest::Bw => bandwidth(messages / of_first()),
            OsuTest::Bibw => bandwidth(2.0 * messages / of_first()),
            OsuTest::MbwMr => {
                let pairs = record.jobs[0].ranks / 2;
                let senders = (0..pairs).map(RankId);
                let time = |rank: RankId| rows().filter(|row| row.rank == rank).map(length).sum::<f64>();
                // All messages divided by the time of the slowest pair.
                let slowest = senders.map(time).fold(0.0, f64::max);
                bandwidth(f64::from(pairs) * messages / slowest)
            }
            _ => {
                let (sum, count) = rows().fold((0.0, 0), |(sum, count), row| (sum + length(row), count + 1));
                row(sum / f64::from(count.max(1)) / 1e3, None)
            }
        }
    }
}

/// The table: a comment with the test and its settings, then a line for each size.
#[must_use]
pub fn osu_text(test: OsuTest, title: &str, rows: &[OsuRow]) -> String {
    let mut out = format!("# {title}\n");
    if test == OsuTest::Barrier {
        let _ = writeln!(out, "# {:>16}", "Avg Latency(us)");
        for row in rows {
            let _ = writeln!(out, "{:>18.2}", row.value);
        }
        return out;
    }
    let header = match test {
        OsuTest::Bw | OsuTest::MbwMr => "Bandwidth (MB/s)",
        OsuTest::Bibw => "Bi-Bandwidth (MB/s)",
        OsuTest::Latency | OsuTest::Put | OsuTest::Get => "Latency (us)",
        _ => "Avg Latency(us)",
    };
    let rates = test == OsuTest::MbwMr;
    let _ = writeln!(
        out,
        "{:<10}{header:>20}{}",
        "# Size",
        if rates { format!("{:>20}", "Messages/s") } else { String::new() }
    );
    for row in rows {
        let rate = row.messages_per_second.filter(|_| rates).map_or_else(String::new, |rate| format!("{rate:>20.2}"));
        let _ = writeln!(out, "{:<10}{:>20.2}{rate}", row.bytes, row.value);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn rows(test: OsuTest, nodes: &[u32], processes_per_node: u32, sizes: &[u64]) -> Vec<OsuRow> {
        let stop = AtomicBool::new(false);
        let runner = CellRunner::new(2, &stop, |_| {});
        let system = System::load("malbec").expect("it is built in");
        let plan = OsuPlan {
            test,
            base: Scenario::on(&system),
            system,
            nodes: nodes.iter().copied().map(NodeId).collect(),
            processes_per_node,
            sizes: sizes.to_vec(),
            iterations: Some(5),
            runner: &runner,
        };
        plan.run().expect("it runs")
    }

    #[test]
    fn pairs_have_a_latency_and_a_bandwidth() {
        let latency = rows(OsuTest::Latency, &[0, 200], 1, &[1, 1 << 20]);
        assert!((1.0..5.0).contains(&latency[0].value), "{latency:?}");
        // 1 MiB at 100 Gb/s takes at least 84 µs.
        assert!((84.0..150.0).contains(&latency[1].value), "{latency:?}");
        let one = rows(OsuTest::Bw, &[0, 200], 1, &[1 << 20])[0].value;
        assert!((9_000.0..12_500.0).contains(&one), "{one} MB/s of 12,500");
        let both = rows(OsuTest::Bibw, &[0, 200], 1, &[1 << 20])[0].value;
        assert!(both > 1.5 * one && both < 25_000.0, "{both}");
        let put = rows(OsuTest::Put, &[0, 200], 1, &[8])[0].value;
        let get = rows(OsuTest::Get, &[0, 200], 1, &[8])[0].value;
        assert!(put > 1.0 && put < 10.0 && get > 1.0 && get < 10.0, "{put} {get}");
    }

    #[test]
    fn many_pairs_make_a_rate() {
        let many = rows(OsuTest::MbwMr, &[0, 200], 4, &[8]);
        let one = rows(OsuTest::MbwMr, &[0, 200], 1, &[8]);
        let rate = |rows: &[OsuRow]| rows[0].messages_per_second.expect("a rate");
        assert!(rate(&many) > 2.0 * rate(&one), "{many:?} {one:?}");
        assert!((rate(&one) * 8.0 / 1e6 - one[0].value).abs() < 1e-6, "the bandwidth is the rate times the size");
        assert!(osu_text(OsuTest::MbwMr, "x", &many).contains("Messages/s"));
    }

    #[test]
    fn collectives_count_from_a_barrier_to_their_end() {
        let nodes: Vec<u32> = (0..8).collect();
        for test in [OsuTest::Alltoall, OsuTest::Allreduce, OsuTest::Allgather, OsuTest::Bcast, OsuTest::Reduce] {
            let rows = rows(test, &nodes, 1, &[64, 64 << 10]);
            assert!(rows[0].value > 0.5 && rows[0].value < 50.0, "{test:?}: {rows:?}");
            assert!(rows[1].value > rows[0].value, "{test:?}: {rows:?}");
        }
        let barrier = rows(OsuTest::Barrier, &nodes, 1, &[1]);
        // Three steps of a message each.
        assert!(barrier[0].value > 3.0 && barrier[0].value < 20.0, "{barrier:?}");
        assert_eq!(osu_text(OsuTest::Barrier, "x", &barrier).lines().count(), 3);
    }

    #[test]
    fn sizes_are_the_powers_of_two_in_a_range() {
        assert_eq!(powers_of_two(1, 8), [1, 2, 4, 8]);
        assert_eq!(powers_of_two(3, 17), [4, 8, 16]);
        assert!(powers_of_two(5, 7).is_empty());
    }

    #[test]
    fn the_two_columns_are_those_that_scripts_read() {
        let row = OsuRow { bytes: 8, iterations: 1, value: 2.346, messages_per_second: None };
        assert_eq!(
            osu_text(OsuTest::Latency, "latency", &[row]),
            "# latency\n# Size            Latency (us)\n8                         2.35\n"
        );
    }
}
