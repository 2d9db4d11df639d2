//! SC'20 Fig. 4: latency and bandwidth between nodes at different distances.

use philae_results::StudySection;
use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Reference};
use philae_results::format::Unit;
use philae_results::percentile::mean;
use philae_scenario::System;
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{
    Distance, Pair, bandwidth, extent, half_round_trips_ns, median, pairs, ping_pong, streamed_messages_per_ns,
    switches_per_packet,
};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct LatencyByDistance;

/// The size of the experiment.
struct Scale {
    system: &'static str,
    pairs: usize,
    latency_bytes: Vec<u64>,
    bandwidth_bytes: Vec<u64>,
    round_trips: u32,
    windows: u32,
}

/// The publication's distances.
const DISTANCES: [Distance; 3] = [Distance::SameSwitch, Distance::SameGroup, Distance::OtherGroup];
/// For this size and above the publication gives one figure for all sizes.
const LARGE_BYTES: u64 = 16 << 10;
/// The smallest size.
const SMALL_BYTES: u64 = 8;
/// The publication does not name the system of its figure: the other candidate, in addition to
/// Shandy.
const OTHER_SYSTEM: &str = "malbec";
/// Sizes at which the other candidate is also measured: those of the rows.
const OTHER_SIZES: [u64; 3] = [SMALL_BYTES, LARGE_BYTES, 2 * LARGE_BYTES];

impl Experiment for LatencyByDistance {
    fn id(&self) -> &'static str {
        "fig4"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["placement"]
    }

    fn title(&self) -> &'static str {
        "Latency and bandwidth between nodes at different distances"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20 (arXiv:2008.08886), section II-B and Fig. 4"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["placement-latency-8B", "placement-latency-16KiB", "placement-bandwidth"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let powers = |step: usize| (3..=22).step_by(step).map(|power| 1_u64 << power).collect::<Vec<_>>();
        let scale = if context.quick {
            let sizes = vec![8, 512, 4 << 10, 16 << 10, 32 << 10, 256 << 10, 4 << 20];
            let streamed = vec![8, 512, 4 << 10, 16 << 10, 32 << 10, 256 << 10];
            Scale {
                system: "shandy",
                pairs: 6,
                latency_bytes: sizes,
                bandwidth_bytes: streamed,
                round_trips: 20,
                windows: 3,
            }
        } else {
            Scale {
                system: "shandy",
                pairs: 16,
                latency_bytes: powers(1),
                bandwidth_bytes: powers(1),
                round_trips: 100,
                windows: 4,
            }
        };
        run(context, &scale)
    }
}

/// One quantity at one size: every pair's median, by distance.
struct Measured {
    bytes: u64,
    by_distance: [Vec<f64>; 3],
    /// Switches that each pair's packets crossed, on average.
    switches: [Vec<f64>; 3],
}

impl Measured {
    /// The median over the pairs of each distance.
    fn medians(&self) -> [f64; 3] {
        [0, 1, 2].map(|distance| median(&self.by_distance[distance]))
    }

    /// Largest divided by smallest of the distances' medians.
    fn ratio(&self) -> f64 {
        let (low, high) = extent(self.medians());
        high / low
    }

    /// Largest divided by smallest of all pairs.
    fn ratio_of_pairs(&self) -> f64 {
        let (low, high) = extent(self.by_distance.iter().flatten().copied());
        high / low
    }
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = System::load(scale.system).map_err(Box::new)?;
    let placed = DISTANCES.map(|distance| pairs(&system.topology, distance, scale.pairs, context.seed));
    let latency = latency(context, scale, &system, &placed, &scale.latency_bytes)?;
    let other = System::load(OTHER_SYSTEM).map_err(Box::new)?;
    let placed_there = DISTANCES.map(|distance| pairs(&other.topology, distance, scale.pairs, context.seed));
    let elsewhere = self::latency(context, scale, &other, &placed_there, &OTHER_SIZES)?;
    let bandwidth = measure(context, &placed, &scale.bandwidth_bytes, Kind::Bandwidth, |pair, bytes| {
        bandwidth(&system, context.seed, pair, bytes, if bytes > 256 << 10 { 2 } else { scale.windows })
    })?;
    Ok(outcome(context, scale, &latency, &elsewhere, &bandwidth))
}

fn latency(
    context: &ExperimentContext<'_>,
    scale: &Scale,
    system: &System,
    placed: &[Vec<Pair>; 3],
    sizes: &[u64],
) -> Result<Vec<Measured>, StudyError> {
    let round_trips = |bytes: u64| if bytes > 1 << 20 { scale.round_trips.div_ceil(4) } else { scale.round_trips };
    measure(context, placed, sizes, Kind::Latency, |pair, bytes| {
        ping_pong(system, context.seed, pair, bytes, round_trips(bytes))
    })
}

/// The quantity that is read from a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Half round trip in nanoseconds.
    Latency,
    /// Payload in Gb/s.
    Bandwidth,
}

/// Runs all pairs at all sizes; the largest first, so that no thread has a long one left at the
/// end.
fn measure(
    context: &ExperimentContext<'_>,
    placed: &[Vec<Pair>; 3],
    sizes: &[u64],
    kind: Kind,
    cell: impl Fn(Pair, u64) -> Cell,
) -> Result<Vec<Measured>, StudyError> {
    let mut cells = Vec::new();
    let mut owners = Vec::new();
    for (size, &bytes) in sizes.iter().enumerate().rev() {
        for (distance, pairs) in placed.iter().enumerate() {
            for &pair in pairs {
                cells.push(cell(pair, bytes));
                owners.push((size, distance));
            }
        }
    }
    let values = context.runner.run(&cells, |_, record| {
        let value = match kind {
            Kind::Latency => median(&half_round_trips_ns(record)),
            Kind::Bandwidth => streamed_messages_per_ns(record),
        };
        (value, switches_per_packet(record))
    })?;
    let empty = |&bytes: &u64| Measured { bytes, by_distance: Default::default(), switches: Default::default() };
    let mut measured: Vec<Measured> = sizes.iter().map(empty).collect();
    for ((size, distance), (value, switches)) in owners.into_iter().zip(values) {
        measured[size].switches[distance].push(switches);
        // Bits per nanosecond are Gb/s.
        let scale = if kind == Kind::Bandwidth { sizes[size] as f64 * 8.0 } else { 1.0 };
        measured[size].by_distance[distance].push(value * scale);
    }
    Ok(measured)
}

fn outcome(
    context: &ExperimentContext<'_>,
    scale: &Scale,
    latency: &[Measured],
    elsewhere: &[Measured],
    bandwidth: &[Measured],
) -> ExperimentOutcome {
    let worst = |measured: &mut dyn Iterator<Item = &Measured>, of: fn(&Measured) -> f64| {
        measured
            .map(|found| (of(found), found.bytes))
            .fold((f64::NAN, 0), |worst, found| if worst.0 >= found.0 { worst } else { found })
    };
    let small = latency.iter().find(|found| found.bytes == SMALL_BYTES);
    let small_ratio = small.map_or(f64::NAN, Measured::ratio);
    let large = || latency.iter().filter(|found| found.bytes >= LARGE_BYTES);
    let (large_ratio, large_at) = worst(&mut large(), Measured::ratio);
    let (large_pairs, _) = worst(&mut large(), Measured::ratio_of_pairs);
    let (wide, wide_at) = worst(&mut bandwidth.iter(), Measured::ratio);
    let (wide_pairs, _) = worst(&mut bandwidth.iter(), Measured::ratio_of_pairs);
    let spread = |ratio: f64| 1.0 - 1.0 / ratio;
    let small_pairs = small.map_or(f64::NAN, Measured::ratio_of_pairs);
    let far = small.map_or(f64::NAN, |found| mean(&found.switches[2]).unwrap_or(f64::NAN));
    let small_there = elsewhere.iter().find(|found| found.bytes == SMALL_BYTES).map_or(f64::NAN, Measured::ratio);
    let small_note = format!(
        "{}, medians over {} pairs per distance; nearest and farthest pair {small_pairs:.2}; on {OTHER_SYSTEM} \
         {small_there:.2}",
        scale.system, scale.pairs
    );
    let findings = vec![
        explained(
            "placement-latency-8B",
            small_ratio,
            small_note,
            &format!(
                "the publication counts 3 switches between two groups, the model's packets cross {far:.2} on average; the \
                 figure's system is not named"
            ),
        ),
        explained(
            "placement-latency-16KiB",
            large_ratio,
            format!("largest at {}; single pairs {large_pairs:.2}", text::size(large_at)),
            "a rendezvous crosses the network three times (request, fetch, data), so that every further switch counts three \
             times; which protocol the publication's MPI used at this size is not stated",
        ),
        explained(
            "placement-bandwidth",
            spread(wide),
            format!("largest at {}; single pairs {:.3}", text::size(wide_at), spread(wide_pairs)),
            "the acknowledgement that ends each window takes the longer path",
        ),
    ];
    let mut sections = vec![
        StudySection::Lines(placements(latency, bandwidth)),
        StudySection::Heading("Latency".to_owned()),
        table(latency, "us", 1e-3),
        StudySection::Lines(chart("Half round trip by distance", latency, "half round trip", Kind::Latency)),
        StudySection::Text(format!(
            "The publication does not name the system of its figure. The same on {OTHER_SYSTEM}, where two switches of \
             two groups have at most one more between them:"
        )),
        table(elsewhere, "us", 1e-3),
        StudySection::Heading("Bandwidth".to_owned()),
        table(bandwidth, "Gb/s", 1.0),
        StudySection::Lines(chart("Streamed payload by distance", bandwidth, "payload (Gb/s)", Kind::Bandwidth)),
    ];
    if context.quick {
        sections.push(StudySection::Text(format!(
            "Quick: {} pairs per distance and some of the sizes; bandwidth up to {}.",
            scale.pairs,
            text::size(scale.bandwidth_bytes.last().copied().unwrap_or(0))
        )));
    }
    let figures = |measured: &[Measured]| -> Vec<serde_json::Value> {
        measured.iter().map(|found| json!({ "bytes": found.bytes, "by_distance": found.by_distance })).collect()
    };
    let data = json!({
        "system": scale.system,
        "distances": DISTANCES.map(Distance::name),
        "latency_ns": figures(latency),
        "other_system": OTHER_SYSTEM,
        "other_latency_ns": figures(elsewhere),
        "bandwidth_gbps": figures(bandwidth),
    });
    let assumptions = vec![
        "The publication names no system and no pairs; Shandy and random pairs are our choice (Malbec stands beside), \
         the first NIC of each node, one process each, the MPI of the model (eager up to hardware.nic.eager_max_bytes, then rendezvous)."
            .to_owned(),
        "\"Worst placement over best\" compares the medians of the three distances of the figure; single pairs differ \
         more, since pairs in two groups have 2 to 4 switches between them."
            .to_owned(),
        format!("Bandwidth is osu_bw's: windows of {} messages, each window acknowledged.", crate::probe::WINDOW),
    ];
    ExperimentOutcome { findings, sections, data, assumptions }
}

fn table(measured: &[Measured], unit: &str, scale: f64) -> StudySection {
    let headers: Vec<String> = DISTANCES.iter().map(|distance| format!("{} ({unit})", distance.name())).collect();
    let mut all = vec!["size"];
    all.extend(headers.iter().map(String::as_str));
    all.extend(["largest / smallest", "of single pairs", "switches crossed"]);
    let rows = measured.iter().map(|found| {
        let medians = found.medians().map(|value| format!("{:.3}", value * scale));
        let ratios = [found.ratio(), found.ratio_of_pairs()].map(|ratio| format!("{ratio:.3}"));
        let switches = found.switches.each_ref().map(|all| format!("{:.2}", mean(all).unwrap_or(f64::NAN)));
        let last = switches.join(", ");
        text::row([text::size(found.bytes)].into_iter().chain(medians).chain(ratios).chain([last]))
    });
    text::table(&all, rows.collect())
}

/// The quantities of the rows: the worst of the three distances divided by the best, by size.
fn placements(latency: &[Measured], bandwidth: &[Measured]) -> LineChart {
    let points = |measured: &[Measured]| measured.iter().map(|found| (found.bytes as f64, found.ratio())).collect();
    let spread = 1.0 / (1.0 - text::published("placement-bandwidth"));
    LineChart {
        title: "Worst placement over best".to_owned(),
        x: ChartAxis::log("message size", Unit::Bytes),
        y: ChartAxis::linear("largest median over smallest", Unit::Number).with_range(1.0, 1.5),
        kind: LineKind::Lines,
        series: vec![ChartLine::new("latency", points(latency)), ChartLine::new("bandwidth", points(bandwidth))],
        references: vec![
            text::level("latency of 8 B", "placement-latency-8B", 1.0),
            text::level("latency from 16 KiB on is below", "placement-latency-16KiB", 1.0),
            Reference { label: "published, bandwidth is below at every size".to_owned(), value: spread },
        ],
    }
}

fn chart(title: &str, measured: &[Measured], label: &str, kind: Kind) -> LineChart {
    let unit = if kind == Kind::Latency { Unit::Time } else { Unit::Number };
    let scale = if kind == Kind::Latency { 1e3 } else { 1.0 };
    let line = |(index, distance): (usize, &Distance)| {
        let points = measured.iter().map(|found| (found.bytes as f64, found.medians()[index] * scale));
        ChartLine::new(distance.name(), points.collect())
    };
    let references = match kind {
        Kind::Latency => Vec::new(),
        Kind::Bandwidth => vec![Reference { label: "rate of the NIC".to_owned(), value: 100.0 }],
    };
    LineChart {
        title: title.to_owned(),
        x: ChartAxis::log("message size", Unit::Bytes),
        y: if kind == Kind::Latency { ChartAxis::log(label, unit) } else { ChartAxis::linear(label, unit) },
        kind: LineKind::Lines,
        series: DISTANCES.iter().enumerate().map(line).collect(),
        references,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale {
            system: "shandy",
            pairs: 2,
            latency_bytes: vec![8, 16 << 10],
            bandwidth_bytes: vec![8, 16 << 10],
            round_trips: 10,
            windows: 2,
        };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&LatencyByDistance, &outcome);
        let near = outcome.data["latency_ns"][0]["by_distance"][0][0].as_f64().expect("a number");
        let far = outcome.data["latency_ns"][0]["by_distance"][2][0].as_f64().expect("a number");
        assert!(near < far, "another group is farther than the same switch: {near} and {far} ns");
    }
}
