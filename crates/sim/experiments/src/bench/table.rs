//! The cases as a table, and as the committed document docs/simulate/performance.md.

use philae_results::{StudySection, TableRow, format};

use super::{BenchReport, BenchResult};

/// Columns of the table.
const HEADERS: [&str; 14] = [
    "case",
    "endpoints",
    "threads",
    "packet-hops/s",
    "per CPU second",
    "events/s",
    "bytes/endpoint",
    "idle",
    "peak MiB",
    "build s",
    "best s",
    "worst s",
    "delivered Gb/s",
    "digest",
];

fn cells(case: &BenchResult) -> Vec<String> {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let mib = |bytes: u64| format::number((bytes as f64 / f64::from(1 << 20)).round());
    vec![
        case.name.clone(),
        format::number(f64::from(case.endpoints)),
        case.threads.to_string(),
        format::short(case.packet_hops_per_second),
        or_dash(case.packet_hops_per_cpu_second.map(format::short)),
        format::short(case.events_per_second),
        format::number(case.peak_bytes_per_endpoint.round()),
        format::number(case.idle_bytes_per_endpoint.round()),
        or_dash(case.process_peak_bytes.map(mib)),
        format!("{:.2}", case.build_seconds),
        format!("{:.2}", case.wall_seconds),
        format!("{:.2}", case.wall_seconds_slowest),
        match case.offered_gbps_per_endpoint {
            Some(offered) => format!("{:.1} of {offered:.1}", case.delivered_gbps_per_endpoint),
            None => format!("{:.1}", case.delivered_gbps_per_endpoint),
        },
        case.digest.clone(),
    ]
}

impl BenchReport {
    /// The cases as a table.
    #[must_use]
    pub fn table(&self) -> StudySection {
        let row = |case: &BenchResult| TableRow { cells: cells(case), verdict: None };
        StudySection::Table { headers: HEADERS.map(str::to_owned).to_vec(), rows: self.cases.iter().map(row).collect() }
    }
}

/// Results, and their origin.
#[derive(Clone, Debug)]
pub struct BenchDocument<'a> {
    /// The cases.
    pub report: &'a BenchReport,
    /// The typed command.
    pub command: &'a str,
    /// The program's version.
    pub version: &'a str,
    /// The machine: processor, cores, memory.
    pub machine: &'a str,
    /// Runs of each case.
    pub repeats: u32,
}

/// Writes the document.
#[must_use]
pub fn performance_document(document: &BenchDocument<'_>) -> String {
    let BenchDocument { report, command, version, machine, repeats } = document;
    let mut text = format!(
        "# Speed and size of the model

As this command wrote it, with Philae {version} on {machine}:

```
{command}
```

A packet-hop is one packet leaving one output port of one switch. Of {repeats} runs of each case the fastest counts; the slowest
shows how noisy the machine was. Figures per CPU second leave out what other programs took of the core, not what they took of
its caches; for runs of several threads there is none. Bytes per endpoint are the model's own at the run's end, when its tables are
largest, and before the first event (idle); the peak is what the whole process had resident, building included. Streams offer 70 % of
200 Gb/s in messages of 128 KiB by a schedule, and packets carry 4 KiB. Delivered payload is per endpoint over the second half of the run (of an incast, at its
target); runs of large networks are short, and some of that half is still the ramp. A fat tree of three levels of 64-port switches
ends at 65,536 endpoints. The digest is of the order of events: it does not depend on the machine or on threads.
[peers.md](peers.md) compares the same model with other simulators.

| {} |
|{}
",
        HEADERS.join(" | "),
        "---|".repeat(HEADERS.len())
    );
    for case in &report.cases {
        text += &format!("| {} |\n", cells(case).join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_a_row_with_all_columns() {
        let case = BenchResult {
            name: "permutation-dragonfly-none".to_owned(),
            endpoints: 1_024,
            congestion: "none",
            pattern: "permutation",
            threads: 2,
            packet_hops_per_second: 2.5e6,
            packet_hops: 2_500_000,
            events: 6_100_000,
            events_per_second: 6.1e6,
            peak_bytes_per_endpoint: 8_192.0,
            idle_bytes_per_endpoint: 1_900.0,
            process_peak_bytes: Some(64 << 20),
            build_seconds: 0.01,
            wall_seconds: 1.0,
            wall_seconds_slowest: 1.5,
            packet_hops_per_cpu_second: None,
            repeats: 3,
            delivered_gbps_per_endpoint: 133.0,
            offered_gbps_per_endpoint: Some(140.0),
            digest: "0".repeat(16),
        };
        let report = BenchReport { cases: vec![case.clone(), case] };
        let document =
            BenchDocument { report: &report, command: "philae bench", version: "1", machine: "a machine", repeats: 3 };
        let text = performance_document(&document);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 4, "{text}");
        assert!(rows.iter().all(|row| row.matches('|').count() == HEADERS.len() + 1), "{text}");
        assert!(rows[3].contains("| 1,024 | 2 | 2.5 M | – |") && rows[3].contains("133.0 of 140.0"), "{}", rows[3]);
    }
}
