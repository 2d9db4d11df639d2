//! Checks before the run whether the result will fit on the disk, because finding out afterwards
//! costs a run.

use philae_results::format::bytes;
use philae_scenario::ResolvedScenario;
use philae_topology::PortPeer;
use philae_units::{Picoseconds, PortIndex};
use philae_workload::Workload;
use std::path::Path;

/// Size of a result's files that does not grow with rows: the report, the manifest, the ends of the
/// tables.
///
/// Source: `philae simulate` of a dragonfly of 576 endpoints (120 KB), with as much again for
/// longer reports. Status: measured.
const FIXED_BYTES: u64 = 256 << 10;

/// Size of a row in a file, in bytes.
///
/// Source: the same run, bytes of each table over its rows: messages 9.4, iterations 12.5, flows
/// 13.8, ports 14.5, telemetry 23.7, congestion 27.8, classes 29, counters 34, switches 41.5.
/// Status: measured.
const MESSAGE_BYTES: u64 = 10;
const ITERATION_BYTES: u64 = 13;
const FLOW_BYTES: u64 = 14;
const PORT_BYTES: u64 = 15;
const TELEMETRY_BYTES: u64 = 24;

/// The most flows in the estimate: a run with more has them only because of its length. Source:
/// ours. Status: assumed.
const FLOWS_MAX: u64 = 1 << 20;

/// Switches on the path of a packet in the estimate. Source: ours, a minimal path of a dragonfly.
/// Status: assumed.
const HOPS: u64 = 4;

/// Ports with a link, and sampling intervals up to the time limit. Zero intervals if there is no
/// limit or if jobs end by themselves: their end is unknown, and a far limit is only a safeguard.
pub fn port_intervals(resolved: &ResolvedScenario) -> (u64, u64) {
    let (topology, options) = (&resolved.system.topology, &resolved.options);
    let ports = (0..topology.port_count() as u32).filter(|&port| topology.port(PortIndex(port)).peer != PortPeer::None);
    let intervals = match options.records.sample_interval.0 {
        0 => 0,
        _ if options.time_limit == Picoseconds::MAX || resolved.ending_ranks() > 0 => 0,
        interval => options.time_limit.0.div_ceil(interval),
    };
    (ports.count() as u64, intervals)
}

/// A warning if the free space of a folder may not be enough for the result of a run.
pub fn check(resolved: &ResolvedScenario, folder: &Path) -> Option<String> {
    let free = rustix::fs::statvfs(folder).ok()?;
    said(&parts(resolved), free.f_bavail.saturating_mul(free.f_frsize))
}

/// Estimated sizes of a run's tables, each with the key that reduces it. Sizes that depend on the
/// traffic alone are unknown before the run.
fn parts(resolved: &ResolvedScenario) -> Vec<(&'static str, u64)> {
    let (options, jobs) = (&resolved.options, &resolved.jobs);
    let most = options.records.message_rows_max as u64;
    let ranks = |job: &philae_scenario::PlacedJob| job.places.len() as u64;
    let recorded = jobs.iter().filter(|job| job.record_messages);
    let iterations = recorded.clone().map(|job| ranks(job) * u64::from(job.section.workload.iterations().unwrap_or(1)));
    let messages = if recorded.clone().next().is_some() { most } else { 0 };
    let (ports, intervals) = port_intervals(resolved);
    let pairs = jobs.iter().map(|job| ranks(job).saturating_mul(ranks(job))).fold(0, u64::saturating_add);
    let sampled = if options.records.telemetry_every > 0 { options.records.telemetry_packets_max } else { 0 };
    let rows = |rows: u64, bytes: u64| rows.saturating_mul(bytes);
    vec![
        (
            "measure.message_rows_max",
            rows(messages, MESSAGE_BYTES) + rows(iterations.sum::<u64>().min(most), ITERATION_BYTES),
        ),
        ("measure.sample_interval", rows(ports.saturating_mul(intervals), PORT_BYTES)),
        ("measure.flows", if options.records.flows { rows(pairs.min(FLOWS_MAX), FLOW_BYTES) } else { 0 }),
        ("telemetry.sample_every", rows(sampled.saturating_mul(HOPS), TELEMETRY_BYTES)),
    ]
}

fn said(parts: &[(&'static str, u64)], free: u64) -> Option<String> {
    let whole = parts.iter().fold(FIXED_BYTES, |sum, (_, bytes)| sum.saturating_add(*bytes));
    if whole <= free {
        return None;
    }
    let said = |amount: u64| bytes(amount as f64);
    let mut parts: Vec<&(&str, u64)> = parts.iter().filter(|(_, bytes)| *bytes > 0).collect();
    parts.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let parts: Vec<String> = parts.iter().map(|(key, bytes)| format!("{} by {key}", said(*bytes))).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    Some(format!(
        "warning: disk: the result may take up to {}{parts}, and {} are free in its folder: tables that do not fit \
         are left out; another --output with more room, or smaller values of these keys, would work",
        said(whole),
        said(free)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_may_be_too_small_is_named_with_what_makes_the_result_smaller() {
        let parts =
            [("measure.message_rows_max", 10 << 20), ("measure.flows", 0), ("measure.sample_interval", 20 << 20)];
        assert_eq!(said(&parts, 1 << 30), None);
        assert_eq!(said(&[], 1 << 20), None);
        let warned = said(&parts, 16 << 20).expect("31 MiB are more than 16");
        for part in
            ["30.25 MiB", "(20 MiB by measure.sample_interval, 10 MiB by measure.message_rows_max)", "16 MiB are free"]
        {
            assert!(warned.contains(part), "'{part}' in {warned}");
        }
        assert!(said(&[], 100 << 10).is_some_and(|warned| warned.contains("256 KiB, and 100 KiB are free")));
    }
}
