//! The speed of the model: fixed cases, each run a few times.
//!
//! A packet-hop is one packet leaving one output port of one switch. The time to build the system
//! is not counted; the run to its time limit is. One run is one thread, so figures per second are
//! per core.

mod case;
mod memory;
mod table;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use philae_results::RunSummary;
use philae_results::record::{RunRecord, RunStatus};
use philae_scenario::System;
use serde::Serialize;

pub use case::{BENCH_SIZES, BenchCase, bench_cases};
pub use table::{BenchDocument, performance_document};

use crate::runner::StudyError;

/// The speed of a case.
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
    /// Packet-hops of one run.
    pub packet_hops: u64,
    /// Events of one run.
    pub events: u64,
    /// Events per second of the fastest run.
    pub events_per_second: f64,
    /// Bytes of memory that the model held at its peak, per endpoint.
    pub peak_bytes_per_endpoint: f64,
    /// The same before the first event, including ranks and topology.
    pub idle_bytes_per_endpoint: f64,
    /// Peak resident memory of the whole process, in bytes, building included. Absent if the
    /// operating system does not report it.
    pub process_peak_bytes: Option<u64>,
    /// Wall time of building the topology, and of building the first run on it.
    pub build_seconds: f64,
    /// Wall time of the fastest run.
    pub wall_seconds: f64,
    /// Wall time of the slowest: a measure of the machine's noise.
    pub wall_seconds_slowest: f64,
    /// Packet-hops per second of the core's work on the run: on a busy machine the more accurate
    /// figure. Absent if the operating system does not report it.
    pub packet_hops_per_cpu_second: Option<f64>,
    /// Runs.
    pub repeats: u32,
    /// Payload delivered, per endpoint (an incast: at its target), in Gb/s.
    pub delivered_gbps_per_endpoint: f64,
    /// Payload offered, in the same unit; absent if sources send as fast as they can.
    pub offered_gbps_per_endpoint: Option<f64>,
    /// Digest of the event order, the same for every run.
    pub digest: String,
}

/// The cases as `--json` prints them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BenchReport {
    /// One for each case, in order.
    pub cases: Vec<BenchResult>,
}

/// Runs a case `repeats` times (at least once) and keeps the fastest. `stop` cancels.
///
/// # Errors
/// If the case cannot be run, or was stopped.
///
/// # Panics
/// If two runs of the same case differ: the model would not be deterministic.
pub fn bench(case: &BenchCase, repeats: u32, stop: &AtomicBool) -> Result<BenchResult, StudyError> {
    memory::reset_peak();
    let began = Instant::now();
    let system = System::build(case.system()).map_err(Box::new)?;
    let built = began.elapsed().as_secs_f64();
    let mut result = run(case, &system, repeats.max(1), stop)?;
    result.build_seconds += built;
    Ok(result)
}

fn run(case: &BenchCase, system: &System, repeats: u32, stop: &AtomicBool) -> Result<BenchResult, StudyError> {
    let scenario = case.scenario(system);
    let failed = |source| StudyError::Cell { cell: case.name(), source: Box::new(source) };
    let resolved = scenario.resolve_on(system).map_err(failed)?;
    let mut times: Vec<Times> = Vec::new();
    let mut last: Option<RunRecord> = None;
    let mut idle = None;
    for done in 0..repeats {
        let building = Instant::now();
        let simulation = resolved.simulation().map_err(failed)?;
        idle.get_or_insert_with(|| (building.elapsed().as_secs_f64(), simulation.memory_bytes()));
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
    Ok(result(case, system, &record, &times, idle.unwrap_or_default()))
}

/// The duration of one run.
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

fn result(
    case: &BenchCase,
    system: &System,
    record: &RunRecord,
    times: &[Times],
    (build_seconds, idle_bytes): (f64, u64),
) -> BenchResult {
    let endpoints = system.topology.endpoint_count() as u32;
    let walls = || times.iter().map(|time| time.wall);
    let fastest = walls().fold(f64::INFINITY, f64::min);
    // The time of this thread alone is meaningless for a run of several threads.
    let worked = times.iter().filter_map(|time| time.cpu).filter(|_| case.threads() == 1);
    let least_work = worked.reduce(f64::min).filter(|seconds| *seconds > 0.0);
    let receivers = f64::from(case.receivers(endpoints));
    BenchResult {
        name: case.name(),
        endpoints,
        congestion: case.congestion,
        pattern: case.pattern.name(),
        threads: case.threads(),
        packet_hops_per_second: record.packet_hops as f64 / fastest,
        packet_hops: record.packet_hops,
        events: record.events,
        events_per_second: record.events as f64 / fastest,
        peak_bytes_per_endpoint: record.model_bytes_peak as f64 / f64::from(endpoints),
        idle_bytes_per_endpoint: idle_bytes as f64 / f64::from(endpoints),
        process_peak_bytes: memory::peak_bytes(),
        build_seconds,
        wall_seconds: fastest,
        wall_seconds_slowest: walls().fold(0.0, f64::max),
        packet_hops_per_cpu_second: least_work.map(|seconds| record.packet_hops as f64 / seconds),
        repeats: times.len() as u32,
        delivered_gbps_per_endpoint: RunSummary::of(record).delivered_gbps / receivers,
        offered_gbps_per_endpoint: case.offered_gbps(),
        digest: format!("{:016x}", record.digest),
    }
}

#[cfg(test)]
mod tests {
    use super::case::CaseTraffic;
    use super::*;
    use philae_topology::DragonflyDescription;
    use philae_workload::Span;

    #[test]
    fn cases_have_the_same_size_and_names_of_their_own() {
        let cases = bench_cases();
        for (index, case) in cases.iter().enumerate() {
            let same = |other: &BenchCase| (other.name(), other.endpoints()) == (case.name(), case.endpoints());
            assert!(!cases[..index].iter().any(same), "{} stands twice", case.name());
        }
        // The larger ones are left to users.
        for case in cases.iter().filter(|case| case.endpoints() <= 8_192 && case.name().starts_with("incast")) {
            let system = System::build(case.system()).expect("it can be wired");
            assert_eq!(system.topology.endpoint_count(), case.endpoints() as usize);
        }
    }

    #[test]
    fn a_miniature_gives_the_document_that_scripts_rely_on() {
        let system = System::build(DragonflyDescription::uniform(4, 4, 4, 4).into()).expect("it can be wired");
        let stop = AtomicBool::new(false);
        let cases: Vec<BenchResult> = bench_cases()
            .iter()
            .filter(|case| case.endpoints() == 1_024 && case.name().contains("dragonfly"))
            .map(|case| run(&case.simulating(Span::micros(20)), &system, 2, &stop).expect("it runs"))
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

    /// The most that an endpoint of a network may hold before the first event, in bytes, with its
    /// part of the switches.
    const IDLE_MAX: f64 = 2_200.0;

    #[test]
    fn an_idle_endpoint_holds_at_most_2_200_bytes() {
        let is_one_for_each = |case: &&BenchCase| {
            case.endpoints() <= 8_192 && case.pattern == CaseTraffic::Permutation && case.congestion == "slingshot"
        };
        let mut networks = 0;
        for case in bench_cases().iter().filter(is_one_for_each) {
            let system = System::build(case.system()).expect("it can be wired");
            for threads in [1, 2] {
                let case = case.on_threads(threads);
                let resolved = case.scenario(&system).resolve_on(&system).expect("it is valid");
                let simulation = resolved.simulation().expect("it can be built");
                let each = |bytes: u64| bytes as f64 / f64::from(case.endpoints());
                let (idle, parts) = (each(simulation.memory_bytes()), simulation.memory_parts());
                assert_eq!(parts.values().sum::<u64>(), simulation.memory_bytes());
                let held = parts.iter().filter(|(_, bytes)| **bytes > 0);
                let table: String = held.map(|(part, bytes)| format!("\n{:9.1}  {part}", each(*bytes))).collect();
                println!("{} {}, {threads} threads: {idle:.1} bytes{table}", case.name(), case.endpoints());
                assert!(idle <= IDLE_MAX, "{} of {}: {idle:.1} bytes{table}", case.name(), case.endpoints());
                for part in ["NICs", "outputs of ports", "ranks", "shares of links", "topology"] {
                    assert!(each(parts[part]) > 30.0, "{part} are part of the account: {table}");
                }
                networks += 1;
            }
        }
        assert_eq!(networks, 2 * 4, "two fat trees and two dragonflies");
    }

    #[test]
    fn a_case_can_be_stopped() {
        let stop = AtomicBool::new(true);
        let outcome = bench(&bench_cases()[0], 1, &stop);
        assert!(matches!(outcome, Err(StudyError::Interrupted { done: 0, total: 1 })), "{outcome:?}");
    }
}
