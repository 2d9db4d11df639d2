//! Slingshot-11: the steps of latency with size, and the additional time of a read compared with a
//! write.

use philae_results::StudySection;
use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind};
use philae_results::format::Unit;
use philae_scenario::{JobSection, Measure, Scenario, System};
use philae_workload::{OneSided, OneSidedOperation, OneSidedPattern, Size, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{Distance, Pair, first_generation, half_round_trips_ns, listed, median, pairs, ping_pong};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct LatencySteps;

/// Sizes whose differences are rows: inline and larger, eager and rendezvous.
const INLINE: [u64; 2] = [64, 128];
const EAGER: [u64; 2] = [16 << 10, 32 << 10];
/// The largest size of the row about reads and writes.
const SMALL: u64 = 64;

/// The size of the experiment.
struct Scale {
    bytes: Vec<u64>,
    pairs: usize,
    round_trips: u32,
}

impl Experiment for LatencySteps {
    fn id(&self) -> &'static str {
        "steps"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["latency-11"]
    }

    fn title(&self) -> &'static str {
        "Slingshot-11: steps of latency, and reads beside writes"
    }

    fn source(&self) -> &'static str {
        "EESSI blog 2025-09 (osu_latency on Cassini-1); cxi diagnostics, HPE Slingshot host software documentation"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["idc-step", "rendezvous-step", "read-minus-write"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let scale = if context.quick {
            Scale {
                bytes: vec![8, 64, 128, 1 << 10, 4 << 10, 16 << 10, 32 << 10, 128 << 10],
                pairs: 4,
                round_trips: 50,
            }
        } else {
            Scale { bytes: (3..=21).map(|power| 1 << power).collect(), pairs: 16, round_trips: 200 }
        };
        run(context, &scale)
    }
}

/// One operation at a time from the first node of a pair on the second's memory.
fn one_sided(system: &System, seed: u64, pair: Pair, operation: OneSidedOperation, times: u32) -> Cell {
    let workload = OneSided {
        bytes: Size::bytes(SMALL),
        operation,
        pattern: OneSidedPattern::OneToMany,
        window: 1,
        iterations: Some(times),
        ..OneSided::default()
    };
    let nodes = listed(pair.map(|node| node.0));
    let job = JobSection { nodes, ..JobSection::new("pair", WorkloadSpec::OneSided(workload)) };
    let measure = Measure { messages: None, ..Measure::totals() };
    let mut scenario = Scenario { seed, measure, jobs: vec![job], ..Scenario::on(system) };
    scenario.hardware.host = scenario.hardware.host.preset("cassini-1-shmem");
    Cell { label: format!("{} {SMALL} B", operation.name()), scenario, system: system.clone() }
}

/// Median over pairs, in microseconds.
struct Found {
    /// MPI, half round trip by size.
    mpi: Vec<f64>,
    /// One-sided, from issue to completion.
    operations: Vec<(OneSidedOperation, f64)>,
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = first_generation("slingshot400-64")?;
    let pairs = pairs(&system.topology, Distance::SameSwitch, scale.pairs, context.seed);
    let cells: Vec<Cell> = scale
        .bytes
        .iter()
        .flat_map(|&bytes| pairs.iter().map(move |&pair| (bytes, pair)))
        .map(|(bytes, pair)| ping_pong(&system, context.seed, pair, bytes, scale.round_trips))
        .collect();
    let halves = context.runner.run(&cells, |_, record| median(&half_round_trips_ns(record)) / 1e3)?;
    let operations = [OneSidedOperation::Put, OneSidedOperation::Get, OneSidedOperation::Amo];
    let singles: Vec<Cell> = operations
        .iter()
        .flat_map(|&operation| pairs.iter().map(move |&pair| (operation, pair)))
        .map(|(operation, pair)| one_sided(&system, context.seed, pair, operation, scale.round_trips))
        .collect();
    // Twice the half of an iteration is the whole iteration: an operation is a round trip.
    let whole = context.runner.run(&singles, |_, record| 2.0 * median(&half_round_trips_ns(record)) / 1e3)?;
    let found = Found {
        mpi: halves.chunks(pairs.len()).map(median).collect(),
        operations: operations.into_iter().zip(whole.chunks(pairs.len()).map(median)).collect(),
    };
    Ok(outcome(scale, &found))
}

fn outcome(scale: &Scale, found: &Found) -> ExperimentOutcome {
    let at = |bytes: u64| {
        let place = scale.bytes.iter().position(|&size| size == bytes);
        place.map_or(f64::NAN, |place| found.mpi[place])
    };
    let [put, get, amo] = [0, 1, 2].map(|place: usize| found.operations[place].1);
    let conditions = format!("Rosetta and Cassini-1 at 200 Gb/s, {} pairs on one switch", scale.pairs);
    let findings = vec![
        explained(
            "idc-step",
            at(INLINE[1]) - at(INLINE[0]),
            format!(
                "{conditions}; MPI {:.2} and {:.2} us (published 1.65 and 2.13); hardware.nic.dma_read_ns is from HPE's diagnostics, \
                 not from this row",
                at(INLINE[0]),
                at(INLINE[1])
            ),
            "the PCIe read of another host",
        ),
        explained(
            "rendezvous-step",
            at(EAGER[1]) - at(EAGER[0]),
            format!("{conditions}; MPI {:.2} and {:.2} us (published 3.24 and 5.24)", at(EAGER[0]), at(EAGER[1])),
            "a rendezvous of the model costs a request, a fetch by the NIC, and 16 KiB more of serialisation; the \
             published step holds software that the model does not have (progress of the protocol on both hosts)",
        ),
        explained(
            "read-minus-write",
            get - put,
            format!(
                "{conditions}; {SMALL} B put {put:.2}, get {get:.2}, atomic operation {amo:.2} us (published 2.09, 2.70, 2.50)"
            ),
            "the memory read of another host, which a get waits for and a put does not",
        ),
    ];
    let rows =
        scale.bytes.iter().zip(&found.mpi).map(|(&bytes, us)| text::row([text::size(bytes), format!("{us:.3}")]));
    let singles =
        found.operations.iter().map(|(operation, us)| text::row([operation.name().to_owned(), format!("{us:.3}")]));
    let points = scale.bytes.iter().zip(&found.mpi).map(|(&bytes, us)| (bytes as f64, us * 1e6));
    let chart = LineChart {
        title: "MPI half round trip by size".to_owned(),
        x: ChartAxis::log("message size", Unit::Bytes),
        y: ChartAxis::log("half round trip", Unit::Time),
        kind: LineKind::Lines,
        series: vec![ChartLine::new("model", points.collect())],
        references: Vec::new(),
    };
    ExperimentOutcome {
        findings,
        sections: vec![
            StudySection::Heading("MPI".to_owned()),
            text::table(&["size", "half round trip (us)"], rows.collect()),
            StudySection::Lines(chart),
            StudySection::Heading("One operation at a time".to_owned()),
            text::table(&["operation", "issue to completion (us)"], singles.collect()),
        ],
        data: json!({
            "bytes": scale.bytes,
            "half_round_trip_us": found.mpi,
            "put_us": put,
            "get_us": get,
            "amo_us": amo,
        }),
        assumptions: vec![
            "Both sources measured on hosts of their own; absolute latencies differ between hosts and MPI libraries by more \
             than a switch, so the rows are differences."
                .to_owned(),
            "The published systems are not described; two NICs on one switch stand for them.".to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale { bytes: vec![64, 128, 16 << 10, 32 << 10], pairs: 1, round_trips: 5 };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&LatencySteps, &outcome);
        let model = |place: usize| outcome.findings[place].model;
        assert!((0.3..0.9).contains(&model(0)), "one read more: {} us", model(0));
        assert!(model(1) > 0.6 && model(2) > 0.0, "{} and {} us", model(1), model(2));
    }
}
