//! Slingshot 400 Fig. 9: TCP between two nodes by number of sending threads.

use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Reference};
use philae_results::format::Unit;
use philae_results::{RunSummary, StudySection};
use philae_scenario::{JobSection, NicChoice, System};
use philae_workload::{Bandwidth, Pairing, Size, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{listed, streamed};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct TcpBandwidth;

/// The publication's system.
const SYSTEM: &str = "slingshot400-64";
/// Bytes of each call. Source: iperf's default for TCP. Status: published.
const BYTES: u64 = 128 << 10;
/// Calls that the connection accepts before it waits. Source: ours. Status: assumed; socket buffers
/// of 8 MiB.
const WINDOW: u32 = 64;

/// The size of the experiment.
struct Scale {
    threads: Vec<u32>,
    time_us: (u64, u64),
}

impl Experiment for TcpBandwidth {
    fn id(&self) -> &'static str {
        "fig9-400"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["ethernet-400"]
    }

    fn title(&self) -> &'static str {
        "Slingshot 400: TCP throughput by sending threads"
    }

    fn source(&self) -> &'static str {
        "Slingshot 400 paper, section IV-D and Fig. 9"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["ethernet-thread-400"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let scale = if context.quick {
            Scale { threads: vec![1, 4, 8, 12], time_us: (600, 2_000) }
        } else {
            Scale { threads: vec![1, 2, 4, 6, 8, 10, 12, 16], time_us: (1_000, 5_000) }
        };
        run(context, &scale)
    }
}

fn cell(system: &System, seed: u64, threads: u32, time_us: (u64, u64)) -> Cell {
    let workload =
        Bandwidth { bytes: Size::bytes(BYTES), pairs: Pairing::Halves, window: WINDOW, ..Bandwidth::default() };
    let job = JobSection {
        nodes: listed(0..2),
        processes_per_node: threads,
        nic: NicChoice::First,
        ..JobSection::new("iperf", WorkloadSpec::Bandwidth(workload))
    };
    let mut cell = streamed(system, seed, format!("{threads} threads"), job, time_us);
    cell.scenario.hardware.host = cell.scenario.hardware.host.preset("cassini-2-tcp");
    cell.scenario.hardware.nic.set("ordered", true);
    cell
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = System::load(SYSTEM).map_err(Box::new)?;
    let cells: Vec<Cell> =
        scale.threads.iter().map(|&threads| cell(&system, context.seed, threads, scale.time_us)).collect();
    let gbps = context.runner.run(&cells, |_, record| RunSummary::of(record).delivered_gbps)?;
    Ok(outcome(scale, &gbps))
}

fn outcome(scale: &Scale, gbps: &[f64]) -> ExperimentOutcome {
    let one = gbps[0] / f64::from(scale.threads[0]);
    let all = scale.threads.iter().zip(gbps);
    let rows = all.clone().map(|(&threads, gbps)| {
        text::row([threads.to_string(), format!("{gbps:.1}"), format!("{:.1}", gbps / f64::from(threads))])
    });
    let each = text::published("ethernet-thread-400");
    let chart = LineChart {
        title: "TCP throughput by sending threads".to_owned(),
        x: ChartAxis::linear("threads", Unit::Number),
        y: ChartAxis::linear("payload (Gb/s)", Unit::Number),
        kind: LineKind::Lines,
        series: vec![
            ChartLine::new("model", all.clone().map(|(&threads, &gbps)| (f64::from(threads), gbps)).collect()),
            ChartLine {
                name: format!("published: {each} Gb/s for each thread"),
                points: all.map(|(&threads, _)| f64::from(threads)).map(|threads| (threads, each * threads)).collect(),
                dashed: true,
                ..ChartLine::default()
            },
        ],
        references: vec![Reference { label: "rate of the NIC".to_owned(), value: 400.0 }],
    };
    ExperimentOutcome {
        findings: vec![explained(
            "ethernet-thread-400",
            one,
            format!(
                "{SYSTEM}, calls of {}; the kernel's time per segment is calibrated with this row",
                text::size(BYTES)
            ),
            "segment_ns of the preset cassini-2-tcp",
        )],
        sections: vec![
            StudySection::Heading("Throughput".to_owned()),
            text::table(&["threads", "Gb/s", "Gb/s per thread"], rows.collect()),
            StudySection::Lines(chart),
        ],
        data: json!({ "system": SYSTEM, "threads": scale.threads, "gbps": gbps }),
        assumptions: vec![
            format!(
                "A thread writes {} at a time and waits for the receiver after {WINDOW} calls, instead of TCP's \
                 window; no segment is lost. Sender and receiver spend the same time on a byte, each on one core.",
                text::size(BYTES)
            ),
            "Frames are those of the NIC's own transport (2 KiB of payload), in order, and its responses, one for each, \
             stand for TCP's acknowledgements. Calls of one thread share the link packet by packet, which costs \
             throughput where threads ask for more than the link carries: above nine of them the table is low."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale { threads: vec![1, 2], time_us: (450, 900) };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&TcpBandwidth, &outcome);
        let gbps = outcome.data["gbps"].as_array().expect("two numbers");
        let (one, two) = (gbps[0].as_f64().expect("a number"), gbps[1].as_f64().expect("a number"));
        assert!((1.8..2.2).contains(&(two / one)), "two threads carry {two} and one {one} Gb/s");
    }
}
