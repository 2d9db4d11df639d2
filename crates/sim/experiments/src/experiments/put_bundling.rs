//! Slingshot-11: the gain of bundles of puts in OpenSHMEM, by processes on a node.

use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind};
use philae_results::format::Unit;
use philae_results::{RunSummary, StudySection};
use philae_scenario::{JobSection, System};
use philae_workload::{Gups, OneSidedOperation, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{first_generation, listed, streamed};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct PutBundling;

/// Operations that a core submits together. Source: ours. Status: assumed; the gain is near its
/// limit.
const BUNDLE: u32 = 16;
/// Operations between two waits for all. Source: ours. Status: assumed; many, so that the waits are
/// a small part.
const WINDOW: u32 = 256;
/// Nodes. Source: the publication's test of random puts, which also has two NICs a node. Status:
/// published.
const NODES: u32 = 16;
/// Processes on a node for which the gain is published. Source: OpenSHMEM on Slingshot 11,
/// "bundling". Status: published.
const PUBLISHED: u32 = 16;
/// Two NICs a node.
const SYSTEM: &str = "slingshot400-64";

/// The size of the experiment.
struct Scale {
    nodes: u32,
    processes: Vec<u32>,
    time_us: (u64, u64),
}

impl Experiment for PutBundling {
    fn id(&self) -> &'static str {
        "shmem-bundling"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bundling"]
    }

    fn title(&self) -> &'static str {
        "Slingshot-11: OpenSHMEM's puts in bundles"
    }

    fn source(&self) -> &'static str {
        "Early experience in supporting OpenSHMEM on Slingshot 11, CUG 2022, \"bundling\""
    }

    fn targets(&self) -> &'static [&'static str] {
        &["shmem-bundling"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let scale = if context.quick {
            Scale { nodes: NODES, processes: vec![1, 4, PUBLISHED, 64], time_us: (20, 20) }
        } else {
            Scale { nodes: NODES, processes: vec![1, 2, 4, 8, PUBLISHED, 32, 64], time_us: (40, 60) }
        };
        run(context, &scale)
    }
}

fn cell(system: &System, seed: u64, scale: &Scale, processes: u32, bundle: u32) -> Cell {
    let workload = Gups { operation: OneSidedOperation::Put, window: WINDOW, ..Gups::default() };
    let job = JobSection {
        nodes: listed(0..scale.nodes),
        processes_per_node: processes,
        ..JobSection::new("puts", WorkloadSpec::Gups(workload))
    };
    let more = if bundle > 1 { ", bundled" } else { "" };
    let label = format!("random puts{more}, {processes} processes a node");
    let mut cell = streamed(system, seed, label, job, scale.time_us);
    let host = cell.scenario.hardware.host.preset("cassini-1-shmem");
    cell.scenario.hardware.host = host.with("bundle_max", i64::from(bundle));
    cell.scenario.class_profile = Some("HPC".to_owned());
    cell
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = first_generation(SYSTEM)?;
    let cells: Vec<Cell> = [1, BUNDLE]
        .iter()
        .flat_map(|&bundle| scale.processes.iter().map(move |&processes| (bundle, processes)))
        .map(|(bundle, processes)| cell(&system, context.seed, scale, processes, bundle))
        .collect();
    // From payload in Gb/s to millions of operations of 8 bytes.
    let delivered = context.runner.run(&cells, |_, record| RunSummary::of(record).delivered_gbps)?;
    let rates: Vec<f64> = delivered.iter().map(|gbps| gbps * 1e3 / 64.0 / f64::from(scale.nodes)).collect();
    let (each, bundled) = rates.split_at(scale.processes.len());
    Ok(outcome(scale, each, bundled))
}

fn outcome(scale: &Scale, each: &[f64], bundled: &[f64]) -> ExperimentOutcome {
    let gains: Vec<f64> = bundled.iter().zip(each).map(|(bundled, each)| bundled / each).collect();
    let at = scale.processes.iter().position(|&processes| processes == PUBLISHED);
    let by_processes: Vec<String> =
        scale.processes.iter().zip(&gains).map(|(count, gain)| format!("{gain:.2} at {count}")).collect();
    let findings = vec![explained(
        "shmem-bundling",
        at.map_or(f64::NAN, |at| gains[at]),
        format!(
            "{} nodes with two Cassini-1 each, 8 B puts to random places of all others, {BUNDLE} to a doorbell over one each, by \
             processes a node: {}; the cost of a doorbell is assumed",
            scale.nodes,
            by_processes.join(", ")
        ),
        "the cost of a command and its doorbell to a core (cassini-1-shmem's send_overhead_ns and doorbell_ns are \
         assumed), and the NIC's largest rate of operations, which limits the gain",
    )];
    let headers = ["processes a node", "one by one (M/s and node)", "bundled (M/s and node)", "gain"];
    let rows = scale.processes.iter().zip(each).zip(bundled).zip(&gains).map(|(((count, each), bundled), gain)| {
        text::row([count.to_string(), format!("{each:.1}"), format!("{bundled:.1}"), format!("{gain:.2}")])
    });
    let series = |name: &str, rates: &[f64]| {
        let points = scale.processes.iter().zip(rates).map(|(&count, &rate)| (f64::from(count), rate));
        ChartLine::new(name.to_owned(), points.collect())
    };
    let chart = LineChart {
        title: "Rate of random puts by processes on a node".to_owned(),
        x: ChartAxis::log("processes", Unit::Number),
        y: ChartAxis::linear("puts (M/s and node)", Unit::Number),
        kind: LineKind::Lines,
        series: vec![series("one by one", each), series("bundled", bundled)],
        references: Vec::new(),
    };
    ExperimentOutcome {
        findings,
        data: json!({
            "nodes": scale.nodes,
            "bundle": BUNDLE,
            "processes": scale.processes,
            "million_puts_per_second_and_node": { "one_by_one": each, "bundled": bundled },
        }),
        sections: vec![
            StudySection::Heading("Puts per second".to_owned()),
            text::table(&headers, rows.collect()),
            StudySection::Lines(chart),
            StudySection::Text(
                "Each process is limited by its core: a command and a doorbell for each put, or a doorbell for many. Where \
                 processes are many, the NICs are full in either case, and bundles gain nothing."
                    .to_owned(),
            ),
        ],
        assumptions: vec![
            format!(
                "Windows of {WINDOW} puts and a wait for all; the publication shows the gain and neither its test, its bundle nor \
                 its window. Random puts are the test of the same publication's other figures."
            ),
            "Requests and responses are in classes of their own: the profile HPC.".to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_answers_its_row_and_bundles_help_few_processes_most() {
        let scale = Scale { nodes: 4, processes: vec![2, PUBLISHED, 64], time_us: (10, 10) };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&PutBundling, &outcome);
        let rates = &outcome.data["million_puts_per_second_and_node"];
        let gain = |at: usize| {
            let of = |name: &str| rates[name][at].as_f64().expect("a rate");
            of("bundled") / of("one_by_one")
        };
        assert!(gain(0) > 2.0 && gain(0) >= gain(2) * 0.99, "{} {} {}", gain(0), gain(1), gain(2));
        assert!(gain(2) > 0.9, "nobody loses: {}", gain(2));
    }
}
