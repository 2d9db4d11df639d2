//! Slingshot 400 Fig. 6: MPI bandwidth between two nodes, of two generations.

use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Mark, Reference};
use philae_results::format::Unit;
use philae_results::{RunSummary, StudySection};
use philae_scenario::{JobSection, NicChoice, System};
use philae_workload::{Bandwidth, Pairing, Size, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{WINDOW, first_generation, listed, streamed};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct MpiBandwidth;

/// The system of the publication.
const SYSTEM: &str = "slingshot400-64";
/// Processes per node. Source: Slingshot 400 paper, IV-B. Status: published.
const PROCESSES: u32 = 32;
/// Generations by the rate of their ports, in Gb/s.
const RATES: [f64; 2] = [200.0, 400.0];

/// The size of the experiment.
struct Scale {
    bytes: Vec<u64>,
    time_us: (u64, u64),
}

impl Experiment for MpiBandwidth {
    fn id(&self) -> &'static str {
        "fig6-400"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bandwidth-400"]
    }

    fn title(&self) -> &'static str {
        "Slingshot 400 and 200: MPI bandwidth between two nodes"
    }

    fn source(&self) -> &'static str {
        "Slingshot 400 paper, section IV-B and Fig. 6"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["half-bandwidth-400", "double-bandwidth-400"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let scale = if context.quick {
            Scale { bytes: vec![8, 64, 128, 256, 512, 1 << 10, 4 << 10, 64 << 10, 1 << 20], time_us: (100, 100) }
        } else {
            Scale { bytes: (3..=22).map(|power| 1 << power).collect(), time_us: (300, 300) }
        };
        run(context, &scale)
    }
}

/// Payload of one direction by size, in Gb/s.
struct Measured {
    name: String,
    gbps: Vec<f64>,
}

impl Measured {
    fn peak(&self) -> f64 {
        self.gbps.iter().copied().fold(f64::NAN, f64::max)
    }

    /// The size at which half the peak is reached, on a straight line in the logarithm of the size.
    fn half(&self, bytes: &[u64]) -> f64 {
        let half = self.peak() / 2.0;
        let Some(above) = self.gbps.iter().position(|&gbps| gbps >= half) else { return f64::NAN };
        if above == 0 {
            return bytes[0] as f64;
        }
        let (low, high) = (self.gbps[above - 1], self.gbps[above]);
        let (from, to) = ((bytes[above - 1] as f64).log2(), (bytes[above] as f64).log2());
        ((half - low) / (high - low)).mul_add(to - from, from).exp2()
    }
}

fn cell(system: &System, seed: u64, bytes: u64, time_us: (u64, u64)) -> Cell {
    let workload =
        Bandwidth { bytes: Size::bytes(bytes), pairs: Pairing::Halves, window: WINDOW, ..Bandwidth::default() };
    let job = JobSection {
        nodes: listed(0..2),
        processes_per_node: PROCESSES,
        nic: NicChoice::First,
        ..JobSection::new("pair", WorkloadSpec::Bandwidth(workload))
    };
    let label = format!("{}, {}", system.description.name, text::size(bytes));
    streamed(system, seed, label, job, time_us)
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let systems = [first_generation(SYSTEM)?, System::load(SYSTEM).map_err(Box::new)?];
    let cells: Vec<Cell> = systems
        .iter()
        .flat_map(|system| scale.bytes.iter().map(|&bytes| cell(system, context.seed, bytes, scale.time_us)))
        .collect();
    let gbps = context.runner.run(&cells, |_, record| RunSummary::of(record).delivered_gbps)?;
    let found = gbps
        .chunks(scale.bytes.len())
        .zip(&systems)
        .map(|(gbps, system)| Measured { name: system.description.name.clone(), gbps: gbps.to_vec() });
    Ok(outcome(scale, &found.collect::<Vec<_>>()))
}

fn outcome(scale: &Scale, measured: &[Measured]) -> ExperimentOutcome {
    let [old, new] = measured else { unreachable!("two generations are run") };
    let conditions = format!(
        "two nodes of {SYSTEM}, {PROCESSES} processes each on one NIC, windows of {WINDOW} messages, peak {:.0} Gb/s",
        new.peak()
    );
    let half = new.half(&scale.bytes);
    let findings = vec![
        explained(
            "half-bandwidth-400",
            half,
            format!("{conditions}; of the 200 Gb/s generation {:.0} B", old.half(&scale.bytes)),
            "core time per message (hardware.host, assumed shares of the published latency): at this size the \
             processes limit the rate, not the link",
        ),
        explained(
            "double-bandwidth-400",
            new.peak() / old.peak(),
            format!("{conditions}; {:.0} Gb/s with Rosetta, Cassini-1 and 200 Gb/s links instead", old.peak()),
            "the overhead of headers in both generations",
        ),
    ];
    let rows = scale.bytes.iter().enumerate().map(|(place, &bytes)| {
        let of = |found: &Measured| format!("{:.2}", found.gbps[place]);
        text::row([text::size(bytes), of(old), of(new), format!("{:.2}", new.gbps[place] / old.gbps[place])])
    });
    let line = |found: &Measured| {
        let points = scale.bytes.iter().zip(&found.gbps).map(|(&bytes, &gbps)| (bytes as f64, gbps));
        ChartLine::new(found.name.as_str(), points.collect())
    };
    let chart = LineChart {
        title: "MPI bandwidth by message size".to_owned(),
        x: ChartAxis::log("message size", Unit::Bytes).with_mark(Mark::at(
            "published: half of 400 Gb/s a little over 256 B",
            text::published("half-bandwidth-400"),
        )),
        y: ChartAxis::log("payload (Gb/s)", Unit::Number),
        kind: LineKind::Lines,
        series: measured.iter().map(line).collect(),
        references: RATES.map(|value| Reference { label: format!("{value:.0} Gb/s"), value }).to_vec(),
    };
    let data = json!({
        "bytes": scale.bytes,
        "gbps": measured.iter().map(|found| json!({ "system": found.name, "gbps": found.gbps })).collect::<Vec<_>>(),
        "half_bandwidth_bytes": half,
    });
    ExperimentOutcome {
        findings,
        sections: vec![
            StudySection::Heading("One direction".to_owned()),
            text::table(&["size", "200 Gb/s parts", "400 Gb/s parts", "ratio"], rows.collect()),
            StudySection::Lines(chart),
        ],
        data,
        assumptions: vec![
            "All processes of a node use its first NIC: the publication's nodes have one for each socket and its figure ends \
             at the rate of one."
                .to_owned(),
            "osu_mbw_mr's pattern: each process streams windows to its partner, which answers each window.".to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn half_of_the_peak_is_found_between_sizes() {
        let found = Measured { name: String::new(), gbps: vec![10.0, 20.0, 60.0, 80.0] };
        let half = found.half(&[64, 128, 256, 512]);
        assert!((half - 128.0 * 2.0_f64.sqrt()).abs() < 1e-9, "{half}");
    }

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale { bytes: vec![8, 256, 4 << 10], time_us: (20, 20) };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&MpiBandwidth, &outcome);
    }
}
