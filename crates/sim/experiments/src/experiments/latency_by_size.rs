//! Slingshot 400 Fig. 5: latency by transfer size, programming model and distance.

use philae_results::StudySection;
use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Reference};
use philae_results::format::Unit;
use philae_scenario::{JobSection, Measure, Scenario, System};
use philae_workload::{OneSided, OneSidedOperation, OneSidedPattern, Size, WorkloadSpec};
use serde_json::json;

use super::text;
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{Distance, Pair, half_round_trips_ns, listed, median, pairs, ping_pong};
use crate::runner::{Cell, StudyError};
use crate::target::Target;

/// The experiment.
pub struct LatencyBySize;

/// A built-in system of second-generation parts that has several groups.
const SYSTEM: &str = "gx-8";
/// Largest size of the chart by distance: above it the size, not the distance, determines the time.
const NEAR_BYTES: u64 = 4 << 10;

/// The programming interface of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// MPI, two-sided.
    Mpi,
    /// The same with cores that cost nothing: the time of NIC and network.
    WithoutCores,
    /// A put, until its completion is known.
    Put,
    /// A get, until the data is there.
    Get,
    /// TCP, through the kernel.
    Tcp,
}

impl Model {
    const ALL: [Self; 5] = [Self::WithoutCores, Self::Mpi, Self::Put, Self::Get, Self::Tcp];

    const fn name(self) -> &'static str {
        match self {
            Self::Mpi => "MPI, half round trip",
            Self::WithoutCores => "MPI, cores cost nothing",
            Self::Put => "put, to its completion",
            Self::Get => "get, to its data",
            Self::Tcp => "TCP, half round trip",
        }
    }

    /// `times` transfers of `bytes` by this model, one at a time.
    fn cell(self, system: &System, seed: u64, pair: Pair, bytes: u64, times: u32) -> Cell {
        let mut cell = match self {
            Self::Put => one_sided(system, seed, pair, OneSidedOperation::Put, bytes, times),
            Self::Get => one_sided(system, seed, pair, OneSidedOperation::Get, bytes, times),
            Self::Mpi | Self::WithoutCores | Self::Tcp => ping_pong(system, seed, pair, bytes, times),
        };
        let host = std::mem::take(&mut cell.scenario.hardware.host);
        cell.scenario.hardware.host = match self {
            Self::Mpi => host,
            Self::WithoutCores => host.with("send_overhead_ns", 0).with("receive_overhead_ns", 0),
            Self::Put | Self::Get => host.preset("cassini-2-shmem"),
            Self::Tcp => host.preset("cassini-2-tcp"),
        };
        cell.label = format!("{}: {}", self.name(), cell.label);
        cell
    }

    /// Nanoseconds of a transfer, from half the length of its iteration.
    const fn of_half(self, half: f64) -> f64 {
        match self {
            Self::Put | Self::Get => 2.0 * half,
            Self::Mpi | Self::WithoutCores | Self::Tcp => half,
        }
    }
}

/// Distances, nearest first.
const DISTANCES: [Distance; 3] = [Distance::SameSwitch, Distance::SameGroup, Distance::OtherGroup];

/// The size of the experiment.
struct Scale {
    bytes: Vec<u64>,
    pairs: usize,
    times: u32,
}

impl Experiment for LatencyBySize {
    fn id(&self) -> &'static str {
        "fig5-400"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["latency-400-sizes"]
    }

    fn title(&self) -> &'static str {
        "Slingshot 400: latency by size, programming model and distance"
    }

    fn source(&self) -> &'static str {
        "Slingshot 400 paper, section IV-A and Fig. 5"
    }

    fn targets(&self) -> &'static [&'static str] {
        &[]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let scale = if context.quick {
            Scale { bytes: vec![8, 64, 128, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20], pairs: 2, times: 20 }
        } else {
            Scale { bytes: (3..=22).map(|power| 1 << power).collect(), pairs: 8, times: 100 }
        };
        run(context, &scale)
    }
}

fn one_sided(
    system: &System,
    seed: u64,
    pair: Pair,
    operation: OneSidedOperation,
    bytes: u64,
    iterations: u32,
) -> Cell {
    let workload = OneSided {
        bytes: Size::bytes(bytes),
        operation,
        pattern: OneSidedPattern::OneToMany,
        window: 1,
        iterations: Some(iterations),
        ..OneSided::default()
    };
    let nodes = listed(pair.map(|node| node.0));
    let job = JobSection { nodes, ..JobSection::new("pair", WorkloadSpec::OneSided(workload)) };
    let measure = Measure { messages: None, ..Measure::totals() };
    let scenario = Scenario { seed, measure, jobs: vec![job], ..Scenario::on(system) };
    Cell { label: format!("{} {bytes} B", operation.name()), scenario, system: system.clone() }
}

/// One model at one distance: nanoseconds by size.
struct Line {
    model: Model,
    distance: Distance,
    ns: Vec<f64>,
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = System::load(SYSTEM).map_err(Box::new)?;
    let mut cells = Vec::new();
    let mut owners = Vec::new();
    let mut lines = Vec::new();
    for distance in DISTANCES {
        let pairs = pairs(&system.topology, distance, scale.pairs, context.seed);
        for model in Model::ALL {
            for (place, &bytes) in scale.bytes.iter().enumerate() {
                let times = if bytes > 1 << 20 { scale.times.div_ceil(5) } else { scale.times };
                for &pair in &pairs {
                    cells.push(model.cell(&system, context.seed, pair, bytes, times));
                    owners.push((lines.len(), place));
                }
            }
            lines.push(Line { model, distance, ns: Vec::new() });
        }
    }
    let halves = context.runner.run(&cells, |_, record| median(&half_round_trips_ns(record)))?;
    for (owner, line) in lines.iter_mut().enumerate() {
        for place in 0..scale.bytes.len() {
            let of_pairs = owners.iter().zip(&halves).filter(|(found, _)| **found == (owner, place));
            let of_pairs: Vec<f64> = of_pairs.map(|(_, half)| *half).collect();
            line.ns.push(line.model.of_half(median(&of_pairs)));
        }
    }
    Ok(outcome(scale, &lines))
}

/// The published latencies of MPI's smallest messages, in picoseconds.
fn published() -> Vec<Reference> {
    let of = |id: &str| Target::named(id).map_or(f64::NAN, |target| target.value);
    let one = of("mpi-latency-400") * 1e6;
    let hop = of("hop-latency-400") * 1e3;
    let longest = of("longest-path-400") * 1e6;
    vec![
        Reference { label: "published, one switch (MPI, 8 B)".to_owned(), value: one },
        Reference { label: "and one more switch".to_owned(), value: one + hop },
        Reference { label: "and the longest minimal path".to_owned(), value: one + longest },
    ]
}

fn outcome(scale: &Scale, lines: &[Line]) -> ExperimentOutcome {
    let of = |model: Model, distance: Distance| {
        lines.iter().find(|line| line.model == model && line.distance == distance).expect("every line is run")
    };
    let mut headers = vec!["size"];
    headers.extend(Model::ALL.map(Model::name));
    let sizes = scale.bytes.iter().enumerate().map(|(place, &bytes)| {
        let models = Model::ALL.map(|model| format!("{:.3}", of(model, Distance::SameSwitch).ns[place] / 1e3));
        text::row([text::size(bytes)].into_iter().chain(models))
    });
    let near = Model::ALL.iter().map(|&model| {
        let at = |distance: Distance| of(model, distance).ns[0] / 1e3;
        let [one, two, far] = DISTANCES.map(at);
        text::row([
            model.name().to_owned(),
            format!("{one:.3}"),
            format!("{two:.3}"),
            format!("{far:.3}"),
            format!("{:.0}", (two - one) * 1e3),
            format!("{:.0}", (far - one) * 1e3),
        ])
    });
    let series = |name: &str, line: &Line, most: u64| {
        let points = scale.bytes.iter().zip(&line.ns).filter(|(bytes, _)| **bytes <= most);
        ChartLine::new(name, points.map(|(&bytes, &ns)| (bytes as f64, ns * 1e3)).collect())
    };
    let by_model = LineChart {
        title: "Latency by programming model, two NICs on one switch".to_owned(),
        x: ChartAxis::log("transfer size", Unit::Bytes),
        y: ChartAxis::log("latency", Unit::Time),
        kind: LineKind::Lines,
        series: Model::ALL
            .iter()
            .map(|&model| series(model.name(), of(model, Distance::SameSwitch), u64::MAX))
            .collect(),
        references: Vec::new(),
    };
    let by_distance = LineChart {
        title: "MPI by distance".to_owned(),
        x: ChartAxis::log("transfer size", Unit::Bytes),
        y: ChartAxis::log("half round trip", Unit::Time),
        kind: LineKind::Lines,
        series: DISTANCES.map(|distance| series(distance.name(), of(Model::Mpi, distance), NEAR_BYTES)).to_vec(),
        references: published(),
    };
    let data = json!({
        "system": SYSTEM,
        "bytes": scale.bytes,
        "lines": lines
            .iter()
            .map(|line| json!({ "model": line.model.name(), "distance": line.distance.name(), "ns": line.ns }))
            .collect::<Vec<_>>(),
    });
    ExperimentOutcome {
        findings: Vec::new(),
        sections: vec![
            StudySection::Heading("By programming model, on one switch (us)".to_owned()),
            text::table(&headers, sizes.collect()),
            StudySection::Lines(by_model),
            StudySection::Heading(format!("By distance, {} (us)", text::size(scale.bytes[0]))),
            text::table(
                &["model", "same switch", "same group", "other group", "further switch, ns", "other group, ns more"],
                near.collect(),
            ),
            StudySection::Lines(by_distance),
            StudySection::Text(
                "Puts and gets are round trips: a put is complete when its acknowledgement has arrived, a get when \
                 its data has. The rows of quiet latency are answered by `sizes`."
                    .to_owned(),
            ),
        ],
        data,
        assumptions: vec![
            format!(
                "{} pairs of nodes at each distance of {SYSTEM}, the built-in system of second-generation parts with several \
                 groups; the publication names neither its pairs nor its programming models, and prints no value but MPI's.",
                scale.pairs
            ),
            "A core is as near to one NIC as to another: that latency is higher from the socket that is remote from the NIC \
             is published without a figure and not modelled."
                .to_owned(),
            "Puts and gets are those of OpenSHMEM over libfabric, each by itself; what cores cost is assumed for every model."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_orders_models_and_distances() {
        let scale = Scale { bytes: vec![8, 4 << 10], pairs: 1, times: 3 };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&LatencyBySize, &outcome);
        let lines = outcome.data["lines"].as_array().expect("a list");
        assert_eq!(lines.len(), Model::ALL.len() * DISTANCES.len());
        let small = |model: Model, distance: Distance| {
            let fits = |line: &&serde_json::Value| line["model"] == model.name() && line["distance"] == distance.name();
            lines.iter().find(fits).and_then(|line| line["ns"][0].as_f64()).expect("a number")
        };
        let near = |model| small(model, Distance::SameSwitch);
        assert!(near(Model::WithoutCores) < near(Model::Mpi) && near(Model::Mpi) < near(Model::Tcp));
        assert!(near(Model::Put) < near(Model::Get), "a read waits for memory at the far end");
        let mpi = DISTANCES.map(|distance| small(Model::Mpi, distance));
        assert!(mpi[0] < mpi[1] && mpi[1] < mpi[2], "{mpi:?}");
        assert!((1_400.0..1_500.0).contains(&mpi[0]), "calibrated elsewhere: {} ns", mpi[0]);
    }
}
