//! How fast the model is: fixed cases, each run a few times.
//!
//! A packet-hop is one packet leaving one output port of one switch. Building the system is not counted; running it to
//! its time limit is. One run is one thread, so figures per second are per core.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use philae_measure::record::{RunRecord, RunStatus};
use philae_measure::{RunSummary, Section, TableRow, format};
use philae_scenario::{JobSection, Measure, Run, Scenario, System};
use philae_topology::{DragonflyDescription, FatTreeDescription, SystemDescription};
use philae_units::LinkRate;
use philae_workload::{Gaps, Incast, Offered, Permutation, RateGbps, Share, Size, Span, UniformRandom, WorkloadSpec};
use serde::Serialize;

use crate::runner::StudyError;

/// Rate of every edge link, in Gb/s.
const RATE_GBPS: u32 = 200;
/// Offered load of the streams, in millionths of the edge rate.
const LOAD_MILLIONTHS: u32 = 700_000;
/// Payload of a packet. Cassini's own packets carry 2 KiB; peers are measured with 4 KiB.
const PAYLOAD_BYTES: u32 = 4_096;

/// The network of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Network {
    /// 32 leaves of 32 endpoints under 32 spines: full bisection.
    FatTree,
    /// 8 groups of 16 switches of 8 endpoints, 16 links between groups; adaptive.
    Dragonfly,
}

impl Network {
    const fn name(self) -> &'static str {
        match self {
            Self::FatTree => "fat-tree",
            Self::Dragonfly => "dragonfly",
        }
    }

    fn describe(self) -> SystemDescription {
        match self {
            Self::FatTree => FatTreeDescription::two_level(32, 32, 32).into(),
            Self::Dragonfly => DragonflyDescription::uniform(8, 16, 8, 16).into(),
        }
    }
}

/// The traffic of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// Everybody to one random other.
    Permutation,
    /// Every message to a random other.
    UniformRandom,
    /// Everybody to one.
    Incast,
}

impl Pattern {
    const fn name(self) -> &'static str {
        match self {
            Self::Permutation => "permutation",
            Self::UniformRandom => "uniform-random",
            Self::Incast => "incast",
        }
    }

    fn workload(self) -> WorkloadSpec {
        let offered = Some(Offered {
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
            Self::Incast => WorkloadSpec::Incast(Incast { bytes, ..Incast::default() }),
        }
    }
}

/// A case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchCase {
    network: Network,
    congestion: &'static str,
    pattern: Pattern,
    /// Simulated time. An incast delivers at the rate of one endpoint, so it needs longer for as many packet-hops.
    simulated_us: u64,
}

impl BenchCase {
    /// `permutation-dragonfly-slingshot`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}-{}-{}", self.pattern.name(), self.network.name(), self.congestion)
    }
}

/// All cases.
#[must_use]
pub fn bench_cases() -> Vec<BenchCase> {
    let mut cases = Vec::new();
    for network in [Network::FatTree, Network::Dragonfly] {
        for congestion in ["slingshot", "none"] {
            for (pattern, simulated_us) in
                [(Pattern::Permutation, 200), (Pattern::UniformRandom, 200), (Pattern::Incast, 20_000)]
            {
                cases.push(BenchCase { network, congestion, pattern, simulated_us });
            }
        }
    }
    cases
}

/// How fast a case ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchResult {
    /// The case.
    pub name: String,
    /// NICs of the system.
    pub endpoints: u32,
    /// Congestion law.
    pub congestion: &'static str,
    /// Traffic.
    pub pattern: &'static str,
    /// Threads of one run.
    pub threads: u32,
    /// Packets leaving a switch's output port, per second of the fastest run.
    pub packet_hops_per_second: f64,
    /// Events per second of the fastest run.
    pub events_per_second: f64,
    /// Bytes of memory that the model held at its peak, per endpoint.
    pub peak_bytes_per_endpoint: f64,
    /// Wall time of the fastest run.
    pub wall_seconds: f64,
    /// Wall time of the slowest: how noisy the machine was.
    pub wall_seconds_slowest: f64,
    /// Packet-hops per second that the run's core really worked on it: on a busy machine the truer figure. Absent where
    /// the operating system does not tell.
    pub packet_hops_per_cpu_second: Option<f64>,
    /// Runs.
    pub repeats: u32,
    /// Payload delivered, per endpoint (an incast: at its target), in Gb/s.
    pub delivered_gbps_per_endpoint: f64,
    /// Payload offered, in the same unit; absent where sources send as fast as they may.
    pub offered_gbps_per_endpoint: Option<f64>,
    /// Digest of the event order, the same for every run.
    pub digest: String,
}

/// The cases as `--json` prints them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BenchReport {
    /// One for each case, in their order.
    pub cases: Vec<BenchResult>,
}

/// Runs a case `repeats` times (at least once) and keeps the fastest. `stop` gives up.
///
/// # Errors
/// When the case cannot be run, or was stopped.
///
/// # Panics
/// When two runs of the same case differ: the model would not be deterministic.
pub fn bench(case: &BenchCase, repeats: u32, stop: &AtomicBool) -> Result<BenchResult, StudyError> {
    let system = System::build(case.network.describe()).map_err(Box::new)?;
    run(case, &system, case.simulated_us, repeats.max(1), stop)
}

fn run(
    case: &BenchCase,
    system: &System,
    simulated_us: u64,
    repeats: u32,
    stop: &AtomicBool,
) -> Result<BenchResult, StudyError> {
    let scenario = scenario(case, system, simulated_us);
    let failed = |source| StudyError::Cell { cell: case.name(), source: Box::new(source) };
    let resolved = scenario.resolve_on(system).map_err(failed)?;
    let mut times: Vec<Times> = Vec::new();
    let mut last: Option<RunRecord> = None;
    for done in 0..repeats {
        let simulation = resolved.simulation().map_err(failed)?;
        let (began, worked) = (Instant::now(), cpu_seconds());
        let record = simulation.run(&mut |_| {
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let record = record.map_err(|error| failed(error.into()))?;
        let cpu = cpu_seconds().zip(worked).map(|(now, before)| now - before);
        times.push(Times { wall: began.elapsed().as_secs_f64(), cpu });
        if record.status == RunStatus::Interrupted {
            return Err(StudyError::Interrupted { done: done as usize, total: repeats as usize });
        }
        if let Some(before) = &last {
            assert_eq!(before.digest, record.digest, "two runs of {} are the same, event for event", case.name());
        }
        last = Some(record);
    }
    let record = last.expect("a case is run at least once");
    Ok(result(case, system, &record, &times))
}

/// How long one run took.
#[derive(Clone, Copy, Debug)]
struct Times {
    wall: f64,
    cpu: Option<f64>,
}

/// Seconds that this thread has been on a core, as Linux counts them.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<u64>().ok().map(|nanoseconds| nanoseconds as f64 / 1e9)
}

fn scenario(case: &BenchCase, system: &System, simulated_us: u64) -> Scenario {
    let mut scenario = Scenario {
        run: Run { time_limit: Some(Span::micros(simulated_us)), start_skew: Span::micros(2), ..Run::default() },
        // One interval over the second half: delivered load without the ramp at the start.
        measure: Measure { sample_interval: Span::micros(simulated_us / 4), ..Measure::totals() },
        jobs: vec![JobSection::new("all", case.pattern.workload())],
        ..Scenario::on(system)
    };
    scenario.run.warm_up = Span::micros(simulated_us / 2);
    scenario.congestion = scenario.congestion.preset(case.congestion);
    scenario.hardware.nic.set("payload_max_bytes", PAYLOAD_BYTES);
    scenario
}

fn result(case: &BenchCase, system: &System, record: &RunRecord, times: &[Times]) -> BenchResult {
    let endpoints = system.topology.endpoint_count() as u32;
    let walls = || times.iter().map(|time| time.wall);
    let fastest = walls().fold(f64::INFINITY, f64::min);
    let least_work = times.iter().filter_map(|time| time.cpu).reduce(f64::min).filter(|seconds| *seconds > 0.0);
    let receivers = if case.pattern == Pattern::Incast { 1.0 } else { f64::from(endpoints) };
    let offered = f64::from(RATE_GBPS) * f64::from(LOAD_MILLIONTHS) / 1e6;
    BenchResult {
        name: case.name(),
        endpoints,
        congestion: case.congestion,
        pattern: case.pattern.name(),
        threads: 1,
        packet_hops_per_second: record.packet_hops as f64 / fastest,
        events_per_second: record.events as f64 / fastest,
        peak_bytes_per_endpoint: record.model_bytes_peak as f64 / f64::from(endpoints),
        wall_seconds: fastest,
        wall_seconds_slowest: walls().fold(0.0, f64::max),
        packet_hops_per_cpu_second: least_work.map(|seconds| record.packet_hops as f64 / seconds),
        repeats: times.len() as u32,
        delivered_gbps_per_endpoint: RunSummary::of(record).delivered_gbps / receivers,
        offered_gbps_per_endpoint: (case.pattern != Pattern::Incast).then_some(offered),
        digest: format!("{:016x}", record.digest),
    }
}

impl BenchReport {
    /// The cases as a table.
    #[must_use]
    pub fn table(&self) -> Section {
        let headers = [
            "case",
            "packet-hops/s",
            "per CPU second",
            "events/s",
            "bytes/endpoint",
            "best s",
            "worst s",
            "delivered Gb/s",
            "offered Gb/s",
            "digest",
        ];
        let row = |case: &BenchResult| TableRow {
            cells: vec![
                case.name.clone(),
                format::short(case.packet_hops_per_second),
                case.packet_hops_per_cpu_second.map_or_else(|| "–".to_owned(), format::short),
                format::short(case.events_per_second),
                format::number(case.peak_bytes_per_endpoint.round()),
                format!("{:.2}", case.wall_seconds),
                format!("{:.2}", case.wall_seconds_slowest),
                format!("{:.1}", case.delivered_gbps_per_endpoint),
                case.offered_gbps_per_endpoint.map_or_else(|| "–".to_owned(), |offered| format!("{offered:.1}")),
                case.digest.clone(),
            ],
            verdict: None,
        };
        Section::Table { headers: headers.map(str::to_owned).to_vec(), rows: self.cases.iter().map(row).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_have_the_same_size_and_names_of_their_own() {
        let cases = bench_cases();
        for (index, case) in cases.iter().enumerate() {
            assert!(cases[..index].iter().all(|other| other.name() != case.name()), "{} stands twice", case.name());
        }
        for network in [Network::FatTree, Network::Dragonfly] {
            let system = System::build(network.describe()).expect("it can be wired");
            assert_eq!(system.topology.endpoint_count(), 1_024);
        }
    }

    #[test]
    fn a_miniature_gives_the_document_that_scripts_rely_on() {
        let system = System::build(DragonflyDescription::uniform(4, 4, 4, 4).into()).expect("it can be wired");
        let stop = AtomicBool::new(false);
        let cases: Vec<BenchResult> = bench_cases()
            .iter()
            .filter(|case| case.network == Network::Dragonfly)
            .map(|case| run(case, &system, 20, 2, &stop).expect("it runs"))
            .collect();
        let report = serde_json::to_value(BenchReport { cases }).expect("serialisable");
        let first = &report["cases"][0];
        for key in [
            "packet_hops_per_second",
            "events_per_second",
            "peak_bytes_per_endpoint",
            "wall_seconds",
            "delivered_gbps_per_endpoint",
        ] {
            assert!(first[key].as_f64().is_some_and(|value| value > 0.0), "{key} of {first}");
        }
        assert_eq!((first["endpoints"].as_u64(), first["threads"].as_u64()), (Some(64), Some(1)));
        assert!(first["name"].is_string() && first["congestion"].is_string() && first["pattern"].is_string());
    }

    #[test]
    fn a_case_can_be_stopped() {
        let stop = AtomicBool::new(true);
        let outcome = bench(&bench_cases()[0], 1, &stop);
        assert!(matches!(outcome, Err(StudyError::Interrupted { done: 0, total: 1 })), "{outcome:?}");
    }
}
