//! Slingshot 400 Fig. 7: bisection and all-to-all on all nodes of the test system.

use philae_results::chart::{BarChart, BarGroup, ChartAxis, Mark};
use philae_results::format::Unit;
use philae_results::record::{RunRecord, RunStatus};
use philae_results::summary::iteration_spans;
use philae_results::{RunSummary, StudySection};
use philae_scenario::{JobSection, Measure, NicChoice, Scenario, System};
use philae_units::JobId;
use philae_workload::{Alltoall, Bisection, Size, Span, StreamOperation, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{START_SKEWS, listed, streamed};
use crate::runner::{Cell, StudyError};
use crate::target::Target;

/// The experiment.
pub struct BisectionBandwidth;

/// The publication's system.
const SYSTEM: &str = "slingshot400-64";
/// Rate of a NIC, in Gb/s. Source: Slingshot 400 paper, section III. Status: published.
const RATE_GBPS: f64 = 400.0;

/// The size of the experiment.
struct Scale {
    system: System,
    /// Bytes and processes per node, and the sampling factor of steps.
    alltoalls: Vec<(u64, u32, u32)>,
    bisection_bytes: Vec<u64>,
    time_us: (u64, u64),
}

impl Experiment for BisectionBandwidth {
    fn id(&self) -> &'static str {
        "fig7-400"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["load-400"]
    }

    fn title(&self) -> &'static str {
        "Slingshot 400: bisection and all-to-all on 64 nodes with two NICs each"
    }

    fn source(&self) -> &'static str {
        "Slingshot 400 paper, section IV-B and Fig. 7"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["bisection-alltoall-400"]
    }

    /// The start skew decides which paths the first packets find free.
    fn seeds(&self) -> u32 {
        3
    }

    fn start_skews(&self) -> &'static [Span] {
        &START_SKEWS
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let system = System::load(SYSTEM).map_err(Box::new)?;
        let scale = if context.quick {
            let alltoalls = vec![(32 << 10, 2, 1), (32 << 10, 8, 8), (128 << 10, 8, 64), (512 << 10, 8, 128)];
            Scale { system, alltoalls, bisection_bytes: vec![128 << 10], time_us: (100, 100) }
        } else {
            let alltoalls = vec![
                (4 << 20, 2, 16),
                (1 << 20, 2, 4),
                (128 << 10, 8, 16),
                (32 << 10, 8, 8),
                (4 << 10, 8, 1),
                (128 << 10, 2, 1),
                (32 << 10, 2, 1),
            ];
            Scale { system, alltoalls, bisection_bytes: vec![4 << 10, 32 << 10, 128 << 10], time_us: (300, 300) }
        };
        run(context, &scale)
    }
}

/// One test: its name, and its payload as a share of line rate.
struct Found {
    name: &'static str,
    bytes: u64,
    processes: u32,
    sample: String,
    share: f64,
}

fn alltoall(bytes: u64, every: u32) -> Alltoall {
    Alltoall { bytes: Size::bytes(bytes), every, iterations: Some(1), ..Alltoall::default() }
}

fn alltoall_cell(system: &System, seed: u64, (bytes, processes, every): (u64, u32, u32), nodes: u32) -> Cell {
    let job = JobSection {
        nodes: listed(0..nodes),
        processes_per_node: processes,
        ..JobSection::new("alltoall", WorkloadSpec::Alltoall(alltoall(bytes, every)))
    };
    let rows = u64::from(nodes * processes);
    let measure = Measure { messages: None, message_rows_max: rows, ..Measure::totals() };
    let scenario = Scenario { seed, measure, jobs: vec![job], ..Scenario::on(system) };
    let label = format!("alltoall {}, {processes} per node", text::size(bytes));
    Cell { label, scenario, system: system.clone() }
}

/// From the first rank's start to the last rank's end, in seconds.
fn seconds(record: &RunRecord) -> f64 {
    let span = iteration_spans(record, JobId(0)).first().map(|span| span.end.saturating_sub(span.start));
    match span {
        Some(span) if record.status == RunStatus::Completed => span.as_seconds_f64(),
        _ => f64::NAN,
    }
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = &scale.system;
    let nodes = system.topology.node_count() as u32;
    let nics = system.topology.endpoint_count() as u32 / nodes;
    let line = f64::from(nodes * nics) * RATE_GBPS * 1e9;
    let cells: Vec<Cell> =
        scale.alltoalls.iter().map(|&case| alltoall_cell(system, context.seed, case, nodes)).collect();
    let times = context.runner.run(&context.skewed(cells), |_, record| seconds(record))?;
    let streams: Vec<Cell> = scale
        .bisection_bytes
        .iter()
        .map(|&bytes| {
            let operation = StreamOperation::Send;
            let workload = Bisection { bytes: Size::bytes(bytes), operation, ..Bisection::default() };
            let job = JobSection {
                nodes: listed(0..nodes),
                processes_per_node: nics,
                nic: NicChoice::ByRank,
                ..JobSection::new("bisection", WorkloadSpec::Bisection(workload))
            };
            streamed(system, context.seed, format!("bisection {}", text::size(bytes)), job, scale.time_us)
        })
        .collect();
    let delivered = context.runner.run(&context.skewed(streams), |_, record| RunSummary::of(record).delivered_gbps)?;
    let mut found = Vec::new();
    for (&(bytes, processes, every), &seconds) in scale.alltoalls.iter().zip(&times) {
        let ranks = nodes * processes;
        let (taken, steps) = alltoall(bytes, every).steps(ranks);
        let payload = f64::from(ranks) * f64::from(ranks - 1) * bytes as f64 * f64::from(taken) / f64::from(steps);
        let sample = if taken == steps { "whole".to_owned() } else { format!("{taken} of {steps} steps") };
        found.push(Found { name: "all-to-all", bytes, processes, sample, share: payload * 8.0 / seconds / line });
    }
    for (&bytes, &gbps) in scale.bisection_bytes.iter().zip(&delivered) {
        let share = gbps * 1e9 / line;
        found.push(Found { name: "bisection", bytes, processes: nics, sample: "stream".to_owned(), share });
    }
    Ok(outcome(scale, &found))
}

fn outcome(scale: &Scale, found: &[Found]) -> ExperimentOutcome {
    let best = |name: &str| {
        let of_kind = found.iter().filter(|found| found.name == name);
        of_kind.max_by(|one, other| one.share.total_cmp(&other.share)).expect("both tests are run")
    };
    let (alltoall, bisection) = (best("all-to-all"), best("bisection"));
    let middle = Target::named("bisection-alltoall-400").map_or(f64::NAN, |target| target.value);
    let far = |found: &Found| (found.share - middle).abs();
    let answer = if far(alltoall) > far(bisection) { alltoall } else { bisection };
    let findings = vec![explained(
        "bisection-alltoall-400",
        answer.share,
        format!(
            "{}, best of the sizes run: all-to-all {:.3} at {}, bisection {:.3} at {}; both must lie in the range, the one \
             farther from its middle answers",
            scale.system.description.name,
            alltoall.share,
            text::size(alltoall.bytes),
            bisection.share,
            text::size(bisection.bytes)
        ),
        "headers leave 98 % to payload, and the node's bus its part of that; the costs of the publication's hosts and MPI \
         are not published",
    )];
    let rows = found.iter().map(|found| {
        text::row([
            found.name.to_owned(),
            text::size(found.bytes),
            found.processes.to_string(),
            found.sample.clone(),
            format!("{:.1} %", found.share * 100.0),
        ])
    });
    let bars = found.iter().map(|found| BarGroup {
        label: format!("{}, {}, {} per node", found.name, text::size(found.bytes), found.processes),
        values: vec![Some(found.share)],
        reference: None,
    });
    let chart = BarChart {
        title: "Payload over line rate".to_owned(),
        axis: ChartAxis::linear("of line rate", Unit::Percent).with_mark(Mark::band(
            "published: 85 to 95 %",
            0.85,
            0.95,
        )),
        series: Vec::new(),
        groups: bars.collect(),
        reference_name: String::new(),
    };
    let data = json!({
        "system": scale.system.description.name,
        "share_of_line_rate": found
            .iter()
            .map(|found| json!({ "test": found.name, "bytes": found.bytes, "processes_per_node": found.processes, "share": found.share }))
            .collect::<Vec<_>>(),
    });
    ExperimentOutcome {
        findings,
        sections: vec![
            StudySection::Heading("Payload over line rate".to_owned()),
            text::table(&["test", "size", "processes per node", "run", "of line rate"], rows.collect()),
            StudySection::Bars(chart),
        ],
        data,
        assumptions: vec![
            "The wiring of the publication's 64 nodes is not public: one group of 8 switches, 6 links between each two, as the \
             system's own page lists."
                .to_owned(),
            "Two-sided streams of 16 messages at once in the bisection; MPICH's algorithms in the all-to-all, which is run \
             once, whole or as a sample of its steps."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};
    use philae_topology::DragonflyDescription;

    #[test]
    fn a_miniature_answers_its_rows() {
        let system = System::build(DragonflyDescription::uniform(1, 2, 4, 1).into()).expect("a small system");
        let scale =
            Scale { system, alltoalls: vec![(4 << 10, 1, 1)], bisection_bytes: vec![64 << 10], time_us: (20, 20) };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&BisectionBandwidth, &outcome);
        let share = outcome.findings[0].model;
        assert!(share > 0.0 && share <= 1.0, "{share} of line rate");
    }
}
