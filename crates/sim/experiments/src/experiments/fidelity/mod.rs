//! The switch at tile fidelity compared with the switch at port fidelity, under the same packets:
//! the error of the faster one.
//!
//! Not published: the published figure (a quiet crossing) went into both. This is the error of
//! `port`, the default, as far as `tile` is more accurate.

mod crossing;
mod port;
mod sensitivity;
mod tile;
mod traffic;

use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Reference};
use philae_results::format::{self, Unit};
use philae_results::{StudySection, TableRow};
use philae_switch::tile::TileParameters;
use philae_units::{FigureStatus, Picoseconds};
use serde_json::json;

use self::crossing::Crossings;
use self::traffic::{HOT_PERCENT, LINK, PortPairs, SwitchLoad};
use super::text;
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::runner::StudyError;

/// The experiment.
pub struct Fidelity;

/// The model of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    Port,
    Tile,
}

/// One load at both fidelities.
struct Compared {
    load: SwitchLoad,
    port: Crossings,
    tile: Crossings,
}

impl Experiment for Fidelity {
    fn id(&self) -> &'static str {
        "fidelity"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["tile"]
    }

    fn title(&self) -> &'static str {
        "One switch at port and at tile fidelity"
    }

    fn source(&self) -> &'static str {
        "our own comparison; the structure inside is that of De Sensi et al., SC'20 (arXiv:2008.08886), section II-A and Fig. 1"
    }

    fn targets(&self) -> &'static [&'static str] {
        &[]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let mut outcome = run(context, &loads(context.quick))?;
        sensitivity::add(context, &mut outcome)?;
        Ok(outcome)
    }
}

/// Simulated time of a load: long enough that full input buffers (229 KiB, 9 µs) are visible at 100
/// %.
const fn end(quick: bool) -> Picoseconds {
    Picoseconds::from_micros(if quick { 24 } else { 100 })
}

/// Every load that is run.
fn loads(quick: bool) -> Vec<SwitchLoad> {
    let end = end(quick);
    let uniform: &[u32] = if quick { &[10, 50, 80, 90, 100] } else { &[10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100] };
    let sizes =
        |pattern| if quick && pattern != PortPairs::Uniform { &[64, 4_096][..] } else { &[64, 1_024, 2_048, 4_096] };
    let patterns: [(PortPairs, &[u32]); 6] = [
        (PortPairs::Uniform, uniform),
        (PortPairs::Hotspot, &[10, 50]),
        (PortPairs::TileNeighbours, &[50, 100]),
        (PortPairs::Permutation, &[50, 100]),
        (PortPairs::RowToColumn, &[90, 200]),
        (PortPairs::RowToPort, &[90, 200]),
    ];
    let mut loads = Vec::new();
    for (pattern, percents) in patterns {
        for &bytes in sizes(pattern) {
            // 64 B make 64 times as many packets a microsecond as 4 KiB.
            let end = if bytes == 64 && !quick { Picoseconds(end.0 / 2) } else { end };
            loads.extend(percents.iter().map(|&percent| SwitchLoad { pattern, bytes, percent, end }));
        }
    }
    loads
}

fn run(context: &ExperimentContext<'_>, loads: &[SwitchLoad]) -> Result<ExperimentOutcome, StudyError> {
    let jobs: Vec<(Model, SwitchLoad)> =
        loads.iter().flat_map(|&load| [(Model::Port, load), (Model::Tile, load)]).collect();
    let answers = context.runner.run_each(
        &jobs,
        |(model, load)| format!("{model:?}: {}", load.label()),
        |(model, load), stop| match model {
            Model::Port => port::run(load, context.seed, stop),
            Model::Tile => tile::run(TileParameters::rosetta(), load, context.seed, stop),
        },
    )?;
    let mut answers = answers.into_iter();
    let compared = loads.iter().map_while(|&load| {
        let (port, tile) = answers.next().zip(answers.next())?;
        Some(Compared { load, port, tile })
    });
    Ok(outcome(&compared.collect::<Vec<_>>()))
}

fn outcome(compared: &[Compared]) -> ExperimentOutcome {
    let mut sections = vec![
        StudySection::Heading("Crossings".to_owned()),
        StudySection::Text(
            "Latency from a header at the pins of an input to the same header at the pins of an output, waiting in the \
             switch included, waiting outside for want of credits not. Load and throughput are shares of what the links \
             of the outputs carry. Errors are those of port fidelity: its figure less tile's, over tile's; of throughput \
             in points."
                .to_owned(),
        ),
        table(compared),
        StudySection::Heading("Errors of port fidelity".to_owned()),
        summary(compared),
        StudySection::Text(
            "The mean does not depend on the order in which an output serves those that wait, so its error is what row \
             buses, crossbar outputs and multiplexers cost, which port fidelity has not. The errors of median and p99 are \
             larger because the order differs: at port fidelity all that waits does so in virtual output queues, served \
             round robin; at tile fidelity part of it has been granted and stands in line behind crossbar outputs and at \
             the port, first come first served. The larger those queues, the lower p99 (last table)."
                .to_owned(),
        ),
    ];
    sections.extend(pictures(compared));
    sections.push(StudySection::Heading("Speed".to_owned()));
    sections.push(StudySection::Text(
        "Packets through the switch per second of one core on this machine. Port fidelity is the whole fabric here: its \
         figure includes 64 NICs and ranks."
            .to_owned(),
    ));
    sections.push(speed(compared));
    let rows = compared.iter().map(|row| {
        json!({
            "pattern": row.load.pattern.name(),
            "bytes": row.load.bytes,
            "offered_percent": row.load.percent,
            "simulated_ps": row.load.end.0,
            "port": row.port.json(),
            "tile": row.tile.json(),
        })
    });
    ExperimentOutcome {
        findings: Vec::new(),
        sections,
        data: json!({ "rows": rows.collect::<Vec<_>>() }),
        assumptions: assumptions(),
    }
}

fn relative(port: f64, tile: f64) -> f64 {
    (port - tile) / tile
}

fn signed_percent(share: f64) -> String {
    if share.is_nan() { "–".to_owned() } else { format!("{:+.1} %", share * 100.0) }
}

fn table(compared: &[Compared]) -> StudySection {
    let headers = [
        "traffic",
        "packet",
        "load",
        "accepted port",
        "tile",
        "error",
        "median ns port",
        "tile",
        "error",
        "p99 ns port",
        "tile",
        "error",
    ];
    let rows = compared.iter().map(|Compared { load, port, tile }| {
        text::row([
            load.pattern.name().to_owned(),
            text::size(u64::from(load.bytes)),
            format!("{} %", load.percent),
            format!("{:.1} %", port.accepted * 100.0),
            format!("{:.1} %", tile.accepted * 100.0),
            format!("{:+.1}", (port.accepted - tile.accepted) * 100.0),
            format!("{:.0}", port.median_ns),
            format!("{:.0}", tile.median_ns),
            signed_percent(relative(port.median_ns, tile.median_ns)),
            format!("{:.0}", port.p99_ns),
            format!("{:.0}", tile.p99_ns),
            signed_percent(relative(port.p99_ns, tile.p99_ns)),
        ])
    });
    text::table(&headers, rows.collect())
}

/// The largest error of each pattern, and its load.
fn summary(compared: &[Compared]) -> StudySection {
    let mut patterns: Vec<PortPairs> = compared.iter().map(|row| row.load.pattern).collect();
    patterns.dedup();
    let rows = patterns.into_iter().map(|pattern| {
        let largest = |error: fn(&Compared) -> f64, spelled: fn(f64) -> String| {
            let of_pattern = compared.iter().filter(|row| row.load.pattern == pattern);
            let worst = of_pattern.max_by(|one, other| error(one).abs().total_cmp(&error(other).abs()));
            worst.map_or_else(String::new, |row| {
                let size = text::size(u64::from(row.load.bytes));
                format!("{} ({size}, {} %)", spelled(error(row)), row.load.percent)
            })
        };
        let points = |share: f64| format!("{:+.1} points", share * 100.0);
        text::row([
            pattern.name().to_owned(),
            largest(|row| row.port.accepted - row.tile.accepted, points),
            largest(|row| relative(row.port.mean_ns, row.tile.mean_ns), signed_percent),
            largest(|row| relative(row.port.median_ns, row.tile.median_ns), signed_percent),
            largest(|row| relative(row.port.p99_ns, row.tile.p99_ns), signed_percent),
        ])
    });
    let rows: Vec<TableRow> = rows.collect();
    text::table(&["traffic", "largest error of throughput", "of the mean", "of the median", "of p99"], rows)
}

/// Latency over load, one picture for each size, and throughput over load for all.
fn pictures(compared: &[Compared]) -> Vec<StudySection> {
    let uniform = || compared.iter().filter(|row| row.load.pattern == PortPairs::Uniform);
    let mut sizes: Vec<u32> = uniform().map(|row| row.load.bytes).collect();
    sizes.dedup();
    let series = |name: &str, bytes: u32, dashed: bool, value: &dyn Fn(&Compared) -> f64| {
        let rows = uniform().filter(|row| row.load.bytes == bytes);
        let points = rows.map(|row| (f64::from(row.load.percent) / 100.0, value(row))).collect();
        ChartLine { dashed, ..ChartLine::new(name, points) }
    };
    let load = || ChartAxis::linear("offered load", Unit::Percent).with_range(0.0, 1.0);
    let mut sections = Vec::new();
    for &bytes in &sizes {
        let quiet = f64::from(TileParameters::rosetta().crossing_ns());
        sections.push(StudySection::Lines(LineChart {
            title: format!("Uniform random traffic, packets of {}", text::size(u64::from(bytes))),
            x: load(),
            y: ChartAxis::log("latency of a crossing", Unit::Time),
            kind: LineKind::Lines,
            series: vec![
                series("port, median", bytes, true, &|row| row.port.median_ns * 1e3),
                series("tile, median", bytes, false, &|row| row.tile.median_ns * 1e3),
                series("port, p99", bytes, true, &|row| row.port.p99_ns * 1e3),
                series("tile, p99", bytes, false, &|row| row.tile.p99_ns * 1e3),
            ],
            references: vec![Reference { label: "an idle switch, pins to pins".to_owned(), value: quiet * 1e3 }],
        }));
    }
    let mut throughput = Vec::new();
    for &bytes in &sizes {
        let size = text::size(u64::from(bytes));
        throughput.push(series(&format!("port, {size}"), bytes, true, &|row| row.port.accepted));
        throughput.push(series(&format!("tile, {size}"), bytes, false, &|row| row.tile.accepted));
    }
    sections.push(StudySection::Lines(LineChart {
        title: "Uniform random traffic: throughput".to_owned(),
        x: load(),
        y: ChartAxis::linear("accepted", Unit::Percent).with_range(0.0, 1.0),
        kind: LineKind::Lines,
        series: throughput,
        references: Vec::new(),
    }));
    sections
}

/// Packets per second of one core, by size.
fn speed(compared: &[Compared]) -> StudySection {
    let mut sizes: Vec<u32> = compared.iter().map(|row| row.load.bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let rows = sizes.into_iter().map(|bytes| {
        let of = |model: fn(&Compared) -> &Crossings| {
            let runs = || compared.iter().filter(|row| row.load.bytes == bytes).map(model);
            let packets: u64 = runs().map(|run| run.packets).sum();
            let events: u64 = runs().map(|run| run.events).sum();
            let seconds: f64 = runs().map(|run| run.seconds).sum();
            (packets as f64 / seconds, events as f64 / packets as f64)
        };
        let ((port, port_events), (tile, tile_events)) = (of(|row| &row.port), of(|row| &row.tile));
        text::row([
            text::size(u64::from(bytes)),
            format::short(port),
            format::short(tile),
            format!("{:.1}", port / tile),
            format!("{port_events:.1}"),
            format!("{tile_events:.1}"),
        ])
    });
    let headers = ["packet", "packets/s port", "packets/s tile", "port is faster by", "events per packet port", "tile"];
    text::table(&headers, rows.collect())
}

fn assumptions() -> Vec<String> {
    let assumed = TileParameters::rosetta_provenance();
    let assumed = assumed.iter().filter(|row| row.status == FigureStatus::Assumed);
    let figures: Vec<String> = assumed.map(|row| format!("{} {}", row.name, row.value)).collect();
    vec![
        format!(
            "What is published of the inside is its structure, the 48 B of the data crossbar and the quiet crossing. \
             Assumed are {}.",
            figures.join(", ")
        ),
        format!(
            "Both are offered the same packets: in each packet time, out of phase between inputs, an input sends with the \
             probability of its load, on links of {LINK}, limited by the same credits for the same input buffers, without \
             congestion control. Draws differ from the load that \
             was asked by a per cent or so, for both alike. Hotspot: {HOT_PERCENT} % of the packets are for port 0. The load of `row to column` and \
             `row to port` is that of the outputs; above 100 % inputs are blocked."
        ),
        "Port fidelity is the fabric itself with one switch and NICs that take no time. Two cables, one serialisation and \
         the second link's error correction are taken off the latency from NIC to NIC; they are constants. Latencies are \
         rounded to buckets of 0.8 %, in both alike."
            .to_owned(),
        "Tile fidelity resolves contention for row buses, crossbar outputs and multiplexers. Requests and grants take \
         time and one clock each at an input and an output; they do not contend in their crossbars otherwise."
            .to_owned(),
        "Beyond saturation queues grow until the input buffers are full, so latencies there depend on how long a run is: \
         24 us quick, 50 us (64 B) or 100 us in full, of which the first quarter does not count."
            .to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    fn compare(pattern: PortPairs, bytes: u32, percent: u32) -> Compared {
        let load = SwitchLoad { pattern, bytes, percent, end: Picoseconds::from_micros(12) };
        let stop = std::sync::atomic::AtomicBool::new(false);
        let port = port::run(&load, 1, &stop).expect("it runs").expect("nobody stopped it");
        let tile = tile::run(TileParameters::rosetta(), &load, 1, &stop).expect("it runs").expect("nobody stopped it");
        Compared { load, port, tile }
    }

    #[test]
    fn a_miniature_has_tables_and_pictures() {
        let load =
            SwitchLoad { pattern: PortPairs::Uniform, bytes: 2_048, percent: 60, end: Picoseconds::from_micros(4) };
        let outcome = with_context(|context| run(context, &[load])).expect("it runs");
        answers_its_rows(&Fidelity, &outcome);
        let again = with_context(|context| run(context, &[load])).expect("it runs");
        assert_eq!(outcome.data, again.data, "results do not depend on the machine");
    }

    #[test]
    fn on_a_nearly_idle_switch_both_measure_the_published_crossing() {
        for bytes in [64, 4_096] {
            let Compared { port, tile, .. } = compare(PortPairs::TileNeighbours, bytes, 5);
            let quiet = f64::from(TileParameters::rosetta().crossing_ns());
            for crossings in [&port, &tile] {
                // Buckets of 0.8 % of a latency that includes a serialisation, and few packets of 4
                // KiB.
                assert!((crossings.median_ns - quiet).abs() < 12.0, "{bytes} B: {} ns", crossings.median_ns);
                assert!(crossings.p99_ns < quiet + 45.0, "{bytes} B: {} ns", crossings.p99_ns);
            }
            // Spreads are drawn separately, so a packet at the very end may have left in only one
            // of them.
            let apart = port.packets.abs_diff(tile.packets);
            assert!(apart <= 1, "{bytes} B: {} and {} of the same packets", port.packets, tile.packets);
        }
    }

    #[test]
    fn both_carry_the_same_as_long_as_nothing_is_full() {
        let Compared { port, tile, .. } = compare(PortPairs::Uniform, 1_024, 70);
        assert!((port.accepted - tile.accepted).abs() < 0.002, "{} and {}", port.accepted, tile.accepted);
        assert!((port.accepted - 0.7).abs() < 0.02, "{}", port.accepted);
    }

    #[test]
    fn a_load_that_is_stopped_has_no_result() {
        let load =
            SwitchLoad { pattern: PortPairs::Uniform, bytes: 64, percent: 90, end: Picoseconds::from_micros(50) };
        let stop = std::sync::atomic::AtomicBool::new(true);
        assert!(tile::run(TileParameters::rosetta(), &load, 1, &stop).expect("it runs").is_none());
        assert!(port::run(&load, 1, &stop).expect("it runs").is_none());
    }
}
