//! Slingshot-11: bandwidth, rate and latency between two nodes, under MPI and under the vendor's
//! diagnostics.

use philae_results::record::RunRecord;
use philae_results::{RunSummary, StudySection};
use philae_scenario::{JobSection, Measure, NicChoice, Scenario, System};
use philae_workload::{Bandwidth, OneSided, OneSidedOperation, OneSidedPattern, Size, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{WINDOW, first_generation, half_round_trips_ns, listed, median, streamed};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct PairBandwidth;

/// Operations of a list of the diagnostics: written one after the other, started together, and
/// waited for together. Source: shs-libcxi, `LIST_SIZE_DFLT`. Status: published.
const LIST: u32 = 256;
/// The same of atomic operations. Source: shs-libcxi. Status: published.
const ATOMIC_LIST: u32 = 4_096;
/// Largest write that the diagnostics send as a high-rate put, which the switches acknowledge and
/// not the target's NIC: a packet. Their bandwidths use it, their latencies do not. Source:
/// shs-libcxi, `PORTALS_MTU`. Status: published.
const HIGH_RATE_MAX: u64 = 2_048;
/// Headers and trailer of each packet of the diagnostics' one-sided operations, which are
/// restricted ones. Source: cassini-headers: fabric header 20, restricted header 11, and FCS 4.
/// Status: derived.
const RESTRICTED_HEADER: i64 = 35;
/// For how much longer lists of atomic operations are measured: each takes some 70 us. Source:
/// ours. Status: assumed.
const ATOMIC_TIMES: u64 = 16;
/// Bytes of an atomic operation and of the write whose latency is measured. Source: shs-libcxi.
/// Status: published.
const SMALL: u64 = 8;
/// Two nodes on one switch. Source: ours; the publications do not say where their nodes are.
/// Status: assumed.
const SYSTEM: &str = "slingshot400-64";

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    /// `osu_bibw`.
    Both,
    /// A list of operations of one node on the other.
    List(OneSidedOperation),
    /// Lists in both directions.
    BothLists(OneSidedOperation),
    /// Windows of sends, each small enough to be sent eagerly.
    Sends,
    /// One operation at a time.
    Single(OneSidedOperation),
}

/// Every row: its name, its test and the bytes of a message.
const ROWS: [(&str, Test, u64); 16] = [
    ("osu-bibw-1KiB", Test::Both, 1 << 10),
    ("osu-bibw-4KiB", Test::Both, 4 << 10),
    ("osu-bibw-8KiB", Test::Both, 8 << 10),
    ("osu-bibw-16KiB", Test::Both, 16 << 10),
    ("osu-bibw-64KiB", Test::Both, 64 << 10),
    ("osu-bibw-256KiB", Test::Both, 256 << 10),
    ("osu-bibw-4MiB", Test::Both, 4 << 20),
    ("write-bandwidth", Test::List(OneSidedOperation::Put), 64 << 10),
    ("write-both-1KiB", Test::BothLists(OneSidedOperation::Put), 1 << 10),
    ("write-both-2KiB", Test::BothLists(OneSidedOperation::Put), 2 << 10),
    ("write-both-16KiB", Test::BothLists(OneSidedOperation::Put), 16 << 10),
    ("write-both-32KiB", Test::BothLists(OneSidedOperation::Put), 32 << 10),
    ("read-bandwidth", Test::List(OneSidedOperation::Get), 64 << 10),
    ("send-bandwidth", Test::Sends, 64 << 10),
    ("atomic-rate", Test::List(OneSidedOperation::Amo), SMALL),
    ("write-latency", Test::Single(OneSidedOperation::Put), SMALL),
];

impl Experiment for PairBandwidth {
    fn id(&self) -> &'static str {
        "pair-11"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bandwidth-11"]
    }

    fn title(&self) -> &'static str {
        "Slingshot-11: bandwidth between two nodes"
    }

    fn source(&self) -> &'static str {
        "EESSI blog 2025 and 2026 (osu_bibw on Olivia); cxi diagnostics, HPE Slingshot host software documentation"
    }

    fn targets(&self) -> &'static [&'static str] {
        const IDS: [&str; ROWS.len()] = {
            let mut ids = [""; ROWS.len()];
            let mut place = 0;
            while place < ROWS.len() {
                ids[place] = ROWS[place].0;
                place += 1;
            }
            ids
        };
        &IDS
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        // A window of 4 MiB in each direction takes 11 ms.
        run(context, if context.quick { (200, 400) } else { (2_000, 8_000) }, if context.quick { 50 } else { 400 })
    }
}

impl Test {
    /// What it is, in a table.
    fn name(self) -> String {
        match self {
            Self::Both => "osu_bibw".to_owned(),
            Self::List(operation) => format!("{}, one direction", operation.name()),
            Self::BothLists(operation) => format!("{}, both directions", operation.name()),
            Self::Sends => "send, one direction".to_owned(),
            Self::Single(operation) => format!("{}, one at a time", operation.name()),
        }
    }

    /// Operations that share a doorbell.
    const fn list(self) -> u32 {
        match self {
            Self::List(OneSidedOperation::Amo | OneSidedOperation::FetchingAmo) => ATOMIC_LIST,
            Self::Single(_) => 1,
            Self::Both | Self::List(_) | Self::BothLists(_) | Self::Sends => LIST,
        }
    }

    /// Whether the switches acknowledge its operations.
    const fn is_high_rate(self, bytes: u64) -> bool {
        matches!(
            self,
            Self::List(OneSidedOperation::Put | OneSidedOperation::Amo) | Self::BothLists(OneSidedOperation::Put)
        ) && bytes <= HIGH_RATE_MAX
    }

    fn cell(self, system: &System, seed: u64, bytes: u64, time_us: (u64, u64), times: u32) -> Cell {
        let lists = |operation, pattern| {
            let (bytes, window) = (Size::bytes(bytes), self.list());
            WorkloadSpec::OneSided(OneSided { bytes, operation, pattern, window, ..OneSided::default() })
        };
        let windows = |bidirectional, window| {
            let bytes = Size::bytes(bytes);
            WorkloadSpec::Bandwidth(Bandwidth { bytes, window, bidirectional, ..Bandwidth::default() })
        };
        let workload = match self {
            Self::Both => windows(true, WINDOW),
            Self::Sends => windows(false, LIST),
            Self::List(operation) => lists(operation, OneSidedPattern::OneToMany),
            Self::BothLists(operation) => lists(operation, OneSidedPattern::Symmetric),
            Self::Single(operation) => WorkloadSpec::OneSided(OneSided {
                bytes: Size::bytes(bytes),
                operation,
                pattern: OneSidedPattern::OneToMany,
                window: 1,
                iterations: Some(times),
                ..OneSided::default()
            }),
        };
        let job = JobSection { nodes: listed(0..2), nic: NicChoice::First, ..JobSection::new("pair", workload) };
        let label = format!("{}, {}", self.name(), text::size(bytes));
        let mut cell = if let Self::Single(_) = self {
            let measure = Measure { messages: None, ..Measure::totals() };
            let scenario = Scenario { seed, measure, jobs: vec![job], ..Scenario::on(system) };
            Cell { label, scenario, system: system.clone() }
        } else {
            let (warm_up, end) = time_us;
            let times = if self.list() == ATOMIC_LIST { ATOMIC_TIMES } else { 1 };
            streamed(system, seed, label, job, (warm_up, end * times))
        };
        if self == Self::Sends {
            let nic = &mut cell.scenario.hardware.nic;
            *nic = std::mem::take(nic).with("eager_max_bytes", i64::try_from(bytes).unwrap_or(i64::MAX));
        } else if self != Self::Both {
            let host = cell.scenario.hardware.host.preset("cassini-1-commands");
            cell.scenario.hardware.host = host.with("bundle_max", i64::from(self.list()));
            let nic = &mut cell.scenario.hardware.nic;
            *nic = std::mem::take(nic)
                .with("header_first_bytes", RESTRICTED_HEADER)
                .with("header_next_bytes", RESTRICTED_HEADER);
            if self.is_high_rate(bytes) {
                *nic = std::mem::take(nic).with("responses", "switch");
            }
        }
        cell
    }

    /// In the unit of the row.
    fn value(self, bytes: u64, record: &RunRecord) -> f64 {
        let gigabytes = || RunSummary::of(record).delivered_gbps / 8.0;
        match self {
            // Twice the half of an iteration: an operation is a round trip.
            Self::Single(_) => 2.0 * median(&half_round_trips_ns(record)) / 1e3,
            Self::List(OneSidedOperation::Amo | OneSidedOperation::FetchingAmo) => gigabytes() * 1e3 / bytes as f64,
            Self::Both | Self::List(_) | Self::BothLists(_) | Self::Sends => gigabytes(),
        }
    }

    /// What the model lacks where its value is off.
    const fn cause(self) -> &'static str {
        match self {
            Self::Both => {
                "the host: what a message sent by rendezvous costs its cores, and eager data that they copy, are not published"
            }
            Self::List(OneSidedOperation::Amo | OneSidedOperation::FetchingAmo) => {
                "the cost of a command in a list, which this row and write-both-1KiB calibrate together"
            }
            Self::List(_) | Self::BothLists(_) | Self::Sends => {
                "the node: sizes of its PCIe transactions and what its memory accepts are not published"
            }
            Self::Single(_) => {
                "the time in which a NIC accepts a packet (hardware.nic.accept_ns), which this row calibrates"
            }
        }
    }
}

fn run(context: &ExperimentContext<'_>, time_us: (u64, u64), times: u32) -> Result<ExperimentOutcome, StudyError> {
    let system = first_generation(SYSTEM)?;
    let cells: Vec<Cell> =
        ROWS.iter().map(|(_, test, bytes)| test.cell(&system, context.seed, *bytes, time_us, times)).collect();
    // Labels differ, so that each record finds its row.
    let value = |cell: &Cell, record: &RunRecord| {
        let row = cells.iter().position(|known| known.label == cell.label).map(|place| ROWS[place]);
        row.map_or(f64::NAN, |(_, test, bytes)| test.value(bytes, record))
    };
    let values = context.runner.run(&cells, value)?;
    Ok(outcome(&values))
}

fn outcome(values: &[f64]) -> ExperimentOutcome {
    let rows = || ROWS.iter().zip(values);
    let findings = rows().map(|((id, test, bytes), value)| {
        let setting = match test {
            Test::Both => format!("windows of {WINDOW} messages in each direction"),
            Test::Sends => format!("windows of {LIST} messages, eager at this size"),
            Test::List(_) | Test::BothLists(_) if test.is_high_rate(*bytes) => {
                format!("lists of {} operations, one doorbell for each, as high-rate puts", test.list())
            }
            Test::List(_) | Test::BothLists(_) => format!("lists of {LIST} operations, one doorbell for each"),
            Test::Single(_) => "one operation at a time".to_owned(),
        };
        let conditions = format!(
            "Rosetta and Cassini-1 at 200 Gb/s, two nodes on one switch, a process each; {}, {}; {setting}",
            test.name(),
            text::size(*bytes)
        );
        explained(id, *value, conditions, test.cause())
    });
    let table = rows().map(|((id, test, bytes), value)| {
        let unit = crate::target::Target::named(id).map_or("", |target| target.unit);
        let published = text::published(id);
        text::row([
            test.name(),
            text::size(*bytes),
            format!("{value:.2}"),
            format!("{published:.2}"),
            format!("{:.2}", value / published),
            unit.to_owned(),
        ])
    });
    ExperimentOutcome {
        findings: findings.collect(),
        sections: vec![
            StudySection::Heading("Two nodes".to_owned()),
            text::table(&["test", "size", "model", "published", "model / published", "unit"], table.collect()),
        ],
        data: rows()
            .map(|((id, ..), value)| ((*id).to_owned(), json!(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        assumptions: vec![
            "The published systems' hosts are not described in full; two NICs on one switch stand for them.".to_owned(),
            format!(
                "The diagnostics write {LIST} commands, {ATOMIC_LIST} for atomic operations, ring one doorbell, and wait for all \
                 (shs-libcxi)."
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_answers_its_rows() {
        let outcome = with_context(|context| run(context, (20, 60), 5)).expect("it runs");
        answers_its_rows(&PairBandwidth, &outcome);
        let of = |id: &str| outcome.data[id].as_f64().expect("a figure");
        assert!(of("osu-bibw-64KiB") > 1.5 * of("osu-bibw-1KiB"), "{}", outcome.data);
        // 200 Gb/s are 25 GB/s in each direction, headers included.
        for (id, limit) in [("write-bandwidth", 25.0), ("send-bandwidth", 25.0), ("write-both-32KiB", 50.0)] {
            assert!(of(id) > 0.5 * limit && of(id) < limit, "{id}: {}", of(id));
        }
        assert!(of("write-both-32KiB") > 1.5 * of("write-bandwidth"), "both directions are two links");
        assert!(of("write-latency") > 1.0 && of("write-latency") < 3.0, "{}", of("write-latency"));
    }
}
