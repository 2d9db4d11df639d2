//! SC'20 Fig. 5: half round trips through five layers of software.

use philae_results::StudySection;
use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind};
use philae_results::format::Unit;
use philae_scenario::System;
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{Distance, half_round_trips_ns, median, pairs, ping_pong};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct SoftwareLayers;

/// Layers, fastest first, with the preset of `hardware.host`.
const LAYERS: [(&str, &str); 5] = [
    ("verbs", "connectx-5-verbs"),
    ("libfabric", "connectx-5-libfabric"),
    ("MPI", "connectx-5-mpi"),
    ("UDP", "connectx-5-udp"),
    ("TCP", "connectx-5-tcp"),
];
/// The layer whose successor is far slower ("<<"): MPI.
const FAR_AFTER: usize = 2;
/// Its minimum factor, at the smallest size. Source: ours. Status: assumed; the publication's "<<"
/// has no number.
const FAR: f64 = 2.0;

/// The size of the experiment.
struct Scale {
    bytes: Vec<u64>,
    pairs: usize,
    round_trips: u32,
}

impl Experiment for SoftwareLayers {
    fn id(&self) -> &'static str {
        "fig5"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["layers"]
    }

    fn title(&self) -> &'static str {
        "Half round trips through verbs, libfabric, MPI, UDP and TCP"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20 (arXiv:2008.08886), section II-F and Fig. 5"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["layers-order"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let powers = |step: usize| (3..=24).step_by(step).map(|power| 1_u64 << power).collect::<Vec<_>>();
        let scale = if context.quick {
            Scale { bytes: powers(3), pairs: 1, round_trips: 10 }
        } else {
            Scale { bytes: powers(1), pairs: 4, round_trips: 50 }
        };
        run(context, &scale)
    }
}

/// One size: the median half round trip of each layer, in nanoseconds.
struct Measured {
    bytes: u64,
    by_layer: [f64; 5],
}

impl Measured {
    fn in_order(&self) -> bool {
        self.by_layer.windows(2).all(|pair| pair[0] < pair[1])
    }
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = System::load("shandy").map_err(Box::new)?;
    let pairs = pairs(&system.topology, Distance::SameSwitch, scale.pairs, context.seed);
    let mut cells: Vec<Cell> = Vec::new();
    for &bytes in scale.bytes.iter().rev() {
        for (_, host) in LAYERS {
            for &pair in &pairs {
                let round_trips = if bytes > 1 << 20 { scale.round_trips.div_ceil(5) } else { scale.round_trips };
                let mut cell = ping_pong(&system, context.seed, pair, bytes, round_trips);
                cell.label = format!("{host}, {}", cell.label);
                cell.scenario.hardware.host = cell.scenario.hardware.host.preset(host);
                cells.push(cell);
            }
        }
    }
    let medians = context.runner.run(&cells, |_, record| median(&half_round_trips_ns(record)))?;
    let mut of_pairs = medians.chunks(pairs.len()).map(median);
    let mut measured: Vec<Measured> = Vec::new();
    for &bytes in scale.bytes.iter().rev() {
        let by_layer = LAYERS.map(|_| of_pairs.next().expect("one median for each layer"));
        measured.push(Measured { bytes, by_layer });
    }
    measured.reverse();
    Ok(outcome(scale, &measured))
}

fn outcome(scale: &Scale, measured: &[Measured]) -> ExperimentOutcome {
    let wrong: Vec<String> =
        measured.iter().filter(|found| !found.in_order()).map(|found| text::size(found.bytes)).collect();
    let small = &measured[0];
    let jump = small.by_layer[FAR_AFTER + 1] / small.by_layer[FAR_AFTER];
    let holds = wrong.is_empty() && jump >= FAR;
    let conditions = format!(
        "shandy, one switch, {} sizes from {} to {}; UDP over MPI at the smallest {jump:.1} times. The costs of each layer \
         are assumed: what the row shows is that no size turns their order",
        measured.len(),
        text::size(small.bytes),
        text::size(measured.last().map_or(0, |found| found.bytes)),
    );
    let cause = format!("the order differs at {}", wrong.join(", "));
    let rows = measured.iter().map(|found| {
        let layers = found.by_layer.map(|ns| format!("{:.3}", ns / 1e3));
        text::row([text::size(found.bytes)].into_iter().chain(layers))
    });
    let mut headers = vec!["size".to_owned()];
    headers.extend(LAYERS.iter().map(|(name, _)| format!("{name} (us)")));
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let line = |(layer, (name, _)): (usize, &(&str, &str))| {
        let points = measured.iter().map(|found| (found.bytes as f64, found.by_layer[layer] * 1e3));
        ChartLine::new(*name, points.collect())
    };
    let chart = LineChart {
        title: "Half round trip by layer".to_owned(),
        x: ChartAxis::log("message size", Unit::Bytes),
        y: ChartAxis::log("half round trip", Unit::Time),
        kind: LineKind::Lines,
        series: LAYERS.iter().enumerate().map(line).collect(),
        references: Vec::new(),
    };
    let data = json!({
        "system": "shandy",
        "layers": LAYERS.map(|(name, _)| name),
        "half_round_trip_ns": measured
            .iter()
            .map(|found| json!({ "bytes": found.bytes, "by_layer": found.by_layer }))
            .collect::<Vec<_>>(),
    });
    ExperimentOutcome {
        findings: vec![explained("layers-order", f64::from(u8::from(holds)), conditions, &cause)],
        sections: vec![
            StudySection::Heading("Half round trips".to_owned()),
            text::table(&headers, rows.collect()),
            StudySection::Lines(chart),
        ],
        data,
        assumptions: vec![
            format!(
                "{} pairs of nodes on one switch of Shandy; the publication names neither. Its curves are not published \
                 as numbers: the row is about their order alone.",
                scale.pairs
            ),
            "Verbs move data between registered memory at any size; libfabric and MPI copy up to hardware.nic.eager_max_bytes and \
             fetch beyond it, with matching in software; UDP and TCP pass the kernel of both ends, which copies and works \
             on segments of 64 KiB while others are on their way. Frames of all layers are those of RoCE."
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
        let scale = Scale { bytes: vec![8, 64 << 10], pairs: 1, round_trips: 2 };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&SoftwareLayers, &outcome);
        assert!((outcome.findings[0].model - 1.0).abs() < f64::EPSILON, "{}", outcome.findings[0].note);
    }

    #[test]
    fn an_order_that_is_broken_is_a_gap_with_the_size() {
        let scale = Scale { bytes: vec![8], pairs: 1, round_trips: 2 };
        let measured = [Measured { bytes: 8, by_layer: [1.0, 2.0, 3.0, 9.0, 8.0] }];
        let finding = &outcome(&scale, &measured).findings[0];
        assert!(finding.model == 0.0 && finding.note.contains("differs at 8 B"), "{}", finding.note);
    }
}
