//! SC'20 Fig. 6: bisection and MPI_Alltoall on every node of Shandy.
//!
//! A collective runs once, whole or as a sample of its steps spread evenly over the partners: an
//! alltoall of 16,384 ranks has 268 million messages. Its bandwidth is what a benchmark reports:
//! ranks x (ranks - 1) x bytes, divided by the time from the first rank's start to the last rank's
//! end; for a sample, the share of the steps that were taken, divided by their time. Some cases run
//! in both forms, which shows the quality of the sample. Streams (bisection, uniform random
//! traffic) are measured in a window of simulated time after a warm-up.

use philae_engine::RandomStream;
use philae_nic_model::NicParameters;
use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Mark, Reference};
use philae_results::format::Unit;
use philae_results::record::{RunRecord, RunStatus};
use philae_results::summary::iteration_spans;
use philae_results::{RunSummary, StudySection, TableRow};
use philae_scenario::{JobSection, Measure, NicChoice, RunTree, Scenario, System};
use philae_topology::{PortRole, SystemDescription, Topology, TopologyShape};
use philae_units::{Bytes, JobId, PortIndex};
use philae_workload::{
    Allocation, Alltoall, AlltoallAlgorithm, Bisection, BlockSizes, Case as SelectionCase, Nodes, SelectionTable, Size,
    Span, UniformRandom, WorkloadSpec,
};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::START_SKEWS;
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct AlltoallBandwidth;

/// The size of the experiment.
struct Scale {
    system: SystemDescription,
    alltoalls: Vec<AlltoallCase>,
    bisection_processes: Vec<u32>,
    warm_up_us: u64,
    window_us: u64,
    left_out: &'static str,
}

/// One collective.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AlltoallCase {
    bytes: u64,
    processes_per_node: u32,
    order: Order,
    /// One of every `every` steps is taken; 1 for the whole. Odd, so that partners are at all
    /// distances in nodes and groups: multiples of 16 ranks would send only between certain ones.
    every: u32,
}

impl AlltoallCase {
    fn workload(&self) -> Alltoall {
        Alltoall { bytes: Size::bytes(self.bytes), every: self.every, iterations: Some(1), ..Alltoall::default() }
    }

    /// Share of the steps that are taken.
    fn share(&self, nodes: u32) -> f64 {
        let (taken, steps) = self.workload().steps(nodes * self.processes_per_node);
        f64::from(taken) / f64::from(steps)
    }
}

/// The node of each rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Ranks in the order of the nodes.
    Linear,
    /// Ranks on nodes in random order.
    Random,
}

impl Order {
    const fn name(self) -> &'static str {
        match self {
            Self::Linear => "in order",
            Self::Random => "random",
        }
    }

    const fn allocation(self) -> Allocation {
        match self {
            Self::Linear => Allocation::Linear,
            Self::Random => Allocation::Random,
        }
    }
}

/// Message size of the streams: large, as the row requires. Source: De Sensi et al., SC'20, Fig.
/// 6's largest. Status: published.
const STREAM_BYTES: u64 = 128 << 10;
/// Message size of the uniform traffic: one packet each, so that as many destinations as possible
/// share the load.
const UNIFORM_BYTES: u64 = 4 << 10;
/// Length of a sampling interval.
const INTERVAL_US: u64 = 10;
/// Share of payload in what links carry. Source: SC'20 II-G, 4 KiB of data in 4,158 bytes. Status:
/// derived.
const PAYLOAD: f64 = 4_096.0 / 4_158.0;
/// The last size of MPICH's memory-saving algorithm, and the next size in the figure.
const DIP_BYTES: (u64, u64) = (256, 512);

impl Experiment for AlltoallBandwidth {
    fn id(&self) -> &'static str {
        "fig6"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bisection", "alltoall"]
    }

    fn title(&self) -> &'static str {
        "Bisection and MPI_Alltoall bandwidth on 1,024 nodes"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20 (arXiv:2008.08886), section II-G and Fig. 6"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["alltoall-shandy", "alltoall-256B-dip", "bisection-shandy", "alltoall-over-bisection", "lossless"]
    }

    /// The start skew decides which paths the first packets find free.
    fn seeds(&self) -> u32 {
        3
    }

    fn start_skews(&self) -> &'static [Span] {
        &START_SKEWS
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let system = System::load("shandy").map_err(Box::new)?.description.as_ref().clone();
        run(context, &if context.quick { quick(system) } else { full(system) })
    }
}

/// Sizes with the step that each samples, in every order.
fn cases(sizes: &[(u64, u32)], processes_per_node: u32, orders: &[Order]) -> Vec<AlltoallCase> {
    let of_size = |&(bytes, every): &(u64, u32)| {
        orders.iter().map(move |&order| AlltoallCase { bytes, processes_per_node, order, every })
    };
    sizes.iter().flat_map(of_size).collect()
}

const BOTH: [Order; 2] = [Order::Random, Order::Linear];

fn quick(system: SystemDescription) -> Scale {
    let mut alltoalls = cases(&[(32 << 10, 257)], 16, &[Order::Random]);
    alltoalls.extend(cases(&[(4 << 10, 257)], 16, &BOTH));
    alltoalls.extend(cases(&[(DIP_BYTES.1, 33), (DIP_BYTES.0, 5)], 4, &[Order::Random]));
    Scale {
        system,
        alltoalls,
        bisection_processes: vec![2],
        warm_up_us: 150,
        window_us: 150,
        left_out: "Quick: four sizes; the largest in random order only, the two smallest also at 4 processes per node.",
    }
}

fn full(system: SystemDescription) -> Scale {
    // The longest first, so that no thread has one left at the end. Bruck's steps (14 of them at 16
    // processes per node) travel twice as far each time: every fifth is three of them.
    let mut alltoalls = cases(&[(256, 5), (128 << 10, 1_025), (32 << 10, 257), (64, 5)], 16, &BOTH);
    alltoalls.extend(cases(&[(4 << 10, 129), (1 << 10, 129), (512, 129), (8, 5)], 16, &BOTH));
    alltoalls.extend(cases(&[(4 << 10, 1), (512, 1), (256, 1)], 2, &BOTH));
    alltoalls.extend(cases(&[(4 << 10, 9), (512, 9), (256, 5)], 2, &BOTH));
    Scale {
        system,
        alltoalls,
        bisection_processes: vec![2, 16],
        warm_up_us: 400,
        window_us: 400,
        left_out: "The publication also runs 24 (alltoall) and 128 (bisection) processes per node.",
    }
}

/// Peaks of a dragonfly of equal groups, in bytes per second of payload and headers, as the
/// publication computes them.
struct Peaks {
    /// Every link between the two halves of the groups, in both directions.
    bisection: f64,
    /// Every global link in both directions, and the share of traffic that needs none.
    alltoall: f64,
}

impl Peaks {
    fn of(topology: &Topology) -> Self {
        let groups = topology.group_count();
        assert!(matches!(topology.shape(), TopologyShape::Dragonfly(_)), "the peaks are those of a dragonfly");
        let mut global = 0.0;
        let mut cut = 0.0;
        for port in (0..topology.port_count() as u32).map(PortIndex) {
            let found = topology.port(port);
            if let (PortRole::Global, philae_topology::PortPeer::Port(peer)) = (found.role, found.peer) {
                let side = |port| topology.group_of(topology.switch_of(port)).index() * 2 >= groups;
                let bytes_per_second = topology.rate(port).as_gbps_f64() * 1e9 / 8.0;
                global += bytes_per_second;
                cut += if side(port) == side(peer) { 0.0 } else { bytes_per_second };
            }
        }
        // Each port represents one direction of its link.
        Self { bisection: cut, alltoall: global * groups as f64 / (groups as f64 - 1.0) }
    }
}

/// The figures that are read from a run.
#[derive(Clone, Copy, Debug)]
struct Reading {
    /// From the first rank's start to the last rank's end, if the run ended by itself.
    seconds: Option<f64>,
    /// Payload delivered per second in the window.
    delivered: f64,
    /// Packets discarded, and messages of a run that ended by itself that never arrived.
    lost: u64,
    /// Switches crossed per packet.
    switches: f64,
}

impl Reading {
    fn of(record: &RunRecord) -> Self {
        let summary = RunSummary::of(record);
        let completed = record.status == RunStatus::Completed;
        let span = iteration_spans(record, JobId(0)).first().map(|span| span.end.saturating_sub(span.start));
        // Responses to the last packets may still be on their way.
        let missing = if completed { summary.jobs.iter().map(|job| job.messages_undelivered).sum() } else { 0 };
        Self {
            seconds: span.filter(|_| completed).map(|span| span.as_seconds_f64()),
            delivered: summary.delivered_gbps * 1e9 / 8.0,
            lost: record.packets_discarded + missing,
            switches: crate::probe::switches_per_packet(record),
        }
    }
}

/// A collective and its result.
struct Found {
    case: AlltoallCase,
    algorithm: AlltoallAlgorithm,
    reading: Reading,
    /// Bytes per second.
    bandwidth: f64,
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = System::build(scale.system.clone()).map_err(Box::new)?;
    let nodes = system.topology.node_count() as u32;
    let mut cells: Vec<Cell> =
        scale.alltoalls.iter().map(|case| alltoall_cell(&system, context.seed, *case, nodes)).collect();
    let stream = |label: String, processes_per_node, nodes: Nodes, workload| {
        let run = RunTree {
            time_limit: Some(Span::micros(scale.warm_up_us + scale.window_us)),
            warm_up: Span::micros(scale.warm_up_us),
            start_skew: Span::micros(1),
            ..RunTree::default()
        };
        let measure = Measure { sample_interval: Span::micros(INTERVAL_US), ..Measure::totals() };
        let job = JobSection { nodes, processes_per_node, ..JobSection::new("all", workload) };
        let scenario = Scenario { seed: context.seed, run, measure, jobs: vec![job], ..Scenario::on(&system) };
        Cell { label, scenario, system: system.clone() }
    };
    for &processes in &scale.bisection_processes {
        for order in PARTNERS {
            let workload = Bisection { bytes: Size::bytes(STREAM_BYTES), ..Bisection::default() };
            let label = format!("bisection, {processes} per node, partners {}", order.name());
            let placed = halves(nodes, order, context.seed);
            cells.push(stream(label, processes, placed, WorkloadSpec::Bisection(workload)));
        }
    }
    let uniform = UniformRandom { bytes: Size::bytes(UNIFORM_BYTES), window: 64, ..UniformRandom::default() };
    cells.push(stream("uniform random".to_owned(), 2, Nodes::Rest, WorkloadSpec::UniformRandom(uniform)));

    let mut readings = context.runner.run(&context.skewed(cells), |_, record| Reading::of(record))?;
    let uniform = readings.pop().expect("the last cell is that of uniform traffic");
    let streams = readings.split_off(scale.alltoalls.len());
    let found: Vec<Found> =
        scale.alltoalls.iter().zip(readings).map(|(case, reading)| found(*case, reading, nodes)).collect();
    let bisections: Vec<(u32, Order, Reading)> = scale
        .bisection_processes
        .iter()
        .flat_map(|&processes| PARTNERS.map(|order| (processes, order)))
        .zip(streams)
        .map(|((processes, order), reading)| (processes, order, reading))
        .collect();
    Ok(outcome(scale, &system, &found, &bisections, &uniform))
}

/// Orders of the partners of a bisection.
const PARTNERS: [Order; 2] = [Order::Linear, Order::Random];

/// All nodes, so that partners (node `i` and node `i + n / 2` of the list) are in the two halves of
/// the system: in the same order, or with the second half in random order.
fn halves(nodes: u32, order: Order, seed: u64) -> Nodes {
    /// Purpose of the draws.
    const HALVES: u64 = u64::from_be_bytes(*b"st-halve");
    let mut all: Vec<u32> = (0..nodes).collect();
    if order == Order::Random {
        let mut stream = RandomStream::new(seed, 0, HALVES);
        let second = &mut all[nodes as usize / 2..];
        for last in (1..second.len()).rev() {
            second.swap(last, stream.below(last as u32 + 1) as usize);
        }
    }
    Nodes::List(all.into_iter().map(|node| (node, node)).collect())
}

fn alltoall_cell(system: &System, seed: u64, case: AlltoallCase, nodes: u32) -> Cell {
    let job = JobSection {
        processes_per_node: case.processes_per_node,
        // One process per node: neighbouring nodes use different NICs, so all switches carry
        // traffic.
        nic: if case.processes_per_node == 1 { NicChoice::Alternate } else { NicChoice::ByRank },
        ..JobSection::new("alltoall", WorkloadSpec::Alltoall(case.workload()))
    };
    let rows = u64::from(nodes * case.processes_per_node);
    let measure = Measure { messages: None, message_rows_max: rows, ..Measure::totals() };
    let allocation = case.order.allocation();
    let mut scenario = Scenario { seed, allocation, measure, jobs: vec![job], ..Scenario::on(system) };
    // A sample uses a part of the connections: NICs have room for the same part of them.
    let room = NicParameters::connectx_5().connections_max / case.every;
    scenario.hardware.nic = scenario.hardware.nic.with("connections_max", i64::from(room.max(1)));
    let size = text::size(case.bytes);
    let sample = if case.every == 1 { "whole".to_owned() } else { format!("1 of {} steps", case.every) };
    let label = format!("alltoall {size}, {} per node, {}, {sample}", case.processes_per_node, case.order.name());
    Cell { label, scenario, system: system.clone() }
}

fn found(case: AlltoallCase, reading: Reading, nodes: u32) -> Found {
    let ranks = f64::from(nodes * case.processes_per_node);
    let payload = ranks * (ranks - 1.0) * case.bytes as f64 * case.share(nodes);
    Found {
        case,
        algorithm: SelectionTable::mpich()
            .alltoall(&SelectionCase::blocks(nodes * case.processes_per_node, &BlockSizes::Even(Bytes(case.bytes)))),
        reading,
        bandwidth: reading.seconds.map_or(f64::NAN, |seconds| payload / seconds),
    }
}

fn outcome(
    scale: &Scale,
    system: &System,
    found: &[Found],
    bisections: &[(u32, Order, Reading)],
    uniform: &Reading,
) -> ExperimentOutcome {
    let peaks = Peaks::of(&system.topology);
    // A sample that carries more than the wiring can is none of the whole, and one that did not end
    // has no bandwidth.
    let counts = |found: &&Found| found.bandwidth <= peaks.alltoall * PAYLOAD;
    let left_out = found.iter().filter(|found| !counts(found)).count();
    let largest = |chosen: &dyn Fn(&&Found) -> bool| {
        let chosen = found.iter().filter(counts).filter(chosen);
        chosen.max_by(|one, other| one.bandwidth.total_cmp(&other.bandwidth))
    };
    let best = largest(&|_| true);
    let bandwidth = best.map_or(f64::NAN, |best| best.bandwidth);
    let of_best = best.map_or_else(
        || "none ended within the peak".to_owned(),
        |best| {
            let (size, processes) = (text::size(best.case.bytes), best.case.processes_per_node);
            format!("{size}, {processes} per node, ranks {}", best.case.order.name())
        },
    );
    let in_order = largest(&|found| found.case.order == Order::Linear).map_or(f64::NAN, |found| found.bandwidth);
    let matching = bisections.iter().filter(|(_, order, _)| *order == Order::Linear);
    let (processes, _, bisection) =
        matching.max_by(|one, other| one.2.delivered.total_cmp(&other.2.delivered)).expect("a scale has a bisection");
    let shuffled = bisections.iter().filter(|(_, order, _)| *order == Order::Random);
    let shuffled = shuffled.map(|(_, _, reading)| reading.delivered).fold(f64::NAN, f64::max);
    let dips = dips(found);
    let drops = dips.first().is_some_and(|(_, _, before, after)| after < before);
    let dip_text: Vec<String> = dips
        .iter()
        .map(|(processes, order, before, after)| {
            format!("{:.2} to {:.2} TB/s ({processes} per node, {})", before / 1e12, after / 1e12, order.name())
        })
        .collect();
    let lost: u64 = found.iter().map(|found| found.reading.lost).chain(bisections.iter().map(|one| one.2.lost)).sum();
    let share = |bandwidth: f64, peak: f64| format!("{:.1} %", bandwidth / peak * 100.0);
    let findings = vec![
        explained(
            "alltoall-shandy",
            bandwidth / peaks.alltoall,
            format!(
                "best of {} MPI_Alltoalls ({left_out} left out, whose sample of steps did not end or is not like the \
                 whole): {of_best}; best with ranks in order {}; uniform random traffic reaches {}",
                found.len(),
                share(in_order, peaks.alltoall),
                share(uniform.delivered, peaks.alltoall)
            ),
            "the fabric carries the load when it is spread (uniform random traffic), MPICH's public schedule does not \
             spread it: ranks take their partners in step, so whole groups send to one or two groups at a time; the \
             vendor's schedule and the order of ranks are not public",
        ),
        explained(
            "alltoall-256B-dip",
            f64::from(u8::from(drops)),
            format!("from {} B to {} B: {}", DIP_BYTES.0, DIP_BYTES.1, dip_text.join(", ")),
            "above 256 B every block is a message of its own, and a message costs the model's host 0.6 us. Reading \
             the state of its connection, and going along lists, which stay short, do not make the exchange slower",
        ),
        explained(
            "bisection-shandy",
            bisection.delivered / peaks.bisection,
            format!(
                "node i with node i + {}, {processes} per node; with partners in random order across the same cut {}",
                system.topology.node_count() / 2,
                share(shuffled, peaks.bisection)
            ),
            "matching nodes are in matching groups, whose direct links carry a quarter of the peak; the rest takes \
             nonminimal paths, which load two global links per packet, so that the peak needs every global link of \
             the system to be full; the benchmark's pairs of nodes are not published",
        ),
        explained(
            "alltoall-over-bisection",
            bandwidth / bisection.delivered,
            "both as above".to_owned(),
            "the two rows above: a ratio of two peaks that are not both reached",
        ),
        explained(
            "lossless",
            lost as f64,
            format!("{} alltoalls that completed, every message delivered", found.len()),
            "a packet was discarded or a message never arrived",
        ),
    ];
    let sections = vec![
        StudySection::Heading("Peaks".to_owned()),
        StudySection::Text(format!(
            "From the wiring, as the publication computes them: bisection {:.2} TB/s (every link between four groups and \
             four, both ways), alltoall {:.2} TB/s (every global link both ways; traffic within a group comes on top).",
            peaks.bisection / 1e12,
            peaks.alltoall / 1e12
        )),
        StudySection::Heading("MPI_Alltoall".to_owned()),
        alltoall_table(found, &peaks),
        StudySection::Lines(chart(found, &peaks, bisection.delivered)),
        StudySection::Heading("Bisection, and what the fabric can carry".to_owned()),
        stream_table(bisections, uniform, &peaks),
        StudySection::Text(
            "Uniform random traffic is no MPI_Alltoall and answers no row: it shows how much of a gap is the fabric's \
             and how much the schedule's. Bisection with partners in random order crosses the same cut between the \
             same halves; it is shown because the pairs of the benchmark are not published."
                .to_owned(),
        ),
        StudySection::Text(scale.left_out.to_owned()),
    ];
    ExperimentOutcome {
        findings,
        sections,
        data: data(scale, found, bisections, uniform, &peaks),
        assumptions: assumptions(),
    }
}

/// Bandwidth at the two sizes around the change of algorithm, in every case that has both:
/// processes per node, order, before and after. The case nearest to the publication (most
/// processes, then ranks in order) comes first.
fn dips(found: &[Found]) -> Vec<(u32, Order, f64, f64)> {
    let both = |small: &Found| {
        let after = found.iter().find(|other| {
            let (one, other) = (small.case, other.case);
            let whole = (one.every == 1) == (other.every == 1);
            whole
                && other.bytes == DIP_BYTES.1
                && (other.processes_per_node, other.order) == (one.processes_per_node, one.order)
        });
        let after = after?.bandwidth;
        Some((small.case.processes_per_node, small.case.order, small.bandwidth, after))
    };
    let mut dips: Vec<_> = found.iter().filter(|found| found.case.bytes == DIP_BYTES.0).filter_map(both).collect();
    dips.sort_by_key(|(processes, order, ..)| (std::cmp::Reverse(*processes), *order as u8));
    dips
}

fn alltoall_table(found: &[Found], peaks: &Peaks) -> StudySection {
    let mut sorted: Vec<&Found> = found.iter().collect();
    sorted.sort_by_key(|found| {
        (found.case.processes_per_node, found.case.bytes, found.case.order as u8, found.case.every)
    });
    let row = |found: &&Found| -> TableRow {
        text::row([
            text::size(found.case.bytes),
            found.case.processes_per_node.to_string(),
            found.case.order.name().to_owned(),
            format!("{:?}", found.algorithm).to_lowercase(),
            if found.case.every == 1 { "whole".to_owned() } else { format!("1 of {}", found.case.every) },
            format!("{:.1}", found.reading.seconds.unwrap_or(f64::NAN) * 1e6),
            format!("{:.3}", found.bandwidth / 1e12),
            format!("{:.1} %", found.bandwidth / peaks.alltoall * 100.0),
            format!("{:.2}", found.reading.switches),
            found.reading.lost.to_string(),
        ])
    };
    let headers = [
        "size",
        "per node",
        "ranks",
        "algorithm",
        "steps",
        "time us",
        "TB/s",
        "of peak",
        "switches per packet",
        "packets lost",
    ];
    text::table(&headers, sorted.iter().map(row).collect())
}

fn stream_table(bisections: &[(u32, Order, Reading)], uniform: &Reading, peaks: &Peaks) -> StudySection {
    let row = |name: &str, processes: u32, reading: &Reading, peak: f64| {
        text::row([
            name.to_owned(),
            processes.to_string(),
            format!("{:.3}", reading.delivered / 1e12),
            format!("{:.1} %", reading.delivered / peak * 100.0),
            format!("{:.2}", reading.switches),
            reading.lost.to_string(),
        ])
    };
    let name = |order| if order == Order::Linear { "bisection, matching nodes" } else { "bisection, random partners" };
    let bisection =
        |(processes, order, reading): &(u32, Order, Reading)| row(name(*order), *processes, reading, peaks.bisection);
    let mut rows: Vec<TableRow> = bisections.iter().map(bisection).collect();
    rows.push(row("uniform random", 2, uniform, peaks.alltoall));
    text::table(&["traffic", "per node", "TB/s", "of peak", "switches per packet", "packets lost"], rows)
}

fn chart(found: &[Found], peaks: &Peaks, bisection: f64) -> LineChart {
    let mut series: Vec<ChartLine> = Vec::new();
    let mut sorted: Vec<&Found> = found.iter().collect();
    sorted.sort_by_key(|found| {
        (found.case.processes_per_node, found.case.order as u8, found.case.every == 1, found.case.bytes)
    });
    for found in sorted {
        let whole = if found.case.every == 1 { ", whole" } else { "" };
        let (processes, order) = (found.case.processes_per_node, found.case.order.name());
        let name = format!("alltoall, {processes} per node, ranks {order}{whole}");
        let point = (found.case.bytes as f64, found.bandwidth / 1e12);
        match series.last_mut().filter(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(ChartLine::new(name, vec![point])),
        }
    }
    let reference = |label: &str, value: f64| Reference { label: label.to_owned(), value: value / 1e12 };
    LineChart {
        title: "Bandwidth by message size".to_owned(),
        x: ChartAxis::log("message size", Unit::Bytes).with_mark(Mark::at("published: a dip above 256 B", 256.0)),
        y: ChartAxis::linear("bandwidth (TB/s)", Unit::Number),
        kind: LineKind::Lines,
        series,
        references: vec![
            reference("peak of alltoall", peaks.alltoall),
            reference("published: at least 90 % of that", text::published("alltoall-shandy") * peaks.alltoall),
            reference("peak of bisection", peaks.bisection),
            reference("bisection, this model", bisection),
        ],
    }
}

fn data(
    scale: &Scale,
    found: &[Found],
    bisections: &[(u32, Order, Reading)],
    uniform: &Reading,
    peaks: &Peaks,
) -> serde_json::Value {
    let alltoalls = found.iter().map(|found| {
        json!({
            "bytes": found.case.bytes,
            "processes_per_node": found.case.processes_per_node,
            "ranks": found.case.order.name(),
            "one_of_steps": found.case.every,
            "algorithm": found.algorithm,
            "seconds": found.reading.seconds,
            "bytes_per_second": found.bandwidth,
            "switches_per_packet": found.reading.switches,
            "packets_lost": found.reading.lost,
        })
    });
    let streams = bisections.iter().map(|(processes, order, reading)| {
        json!({
            "processes_per_node": processes,
            "partners": if *order == Order::Linear { "matching" } else { "random" },
            "bytes_per_second": reading.delivered,
            "switches_per_packet": reading.switches,
            "packets_lost": reading.lost,
        })
    });
    json!({
        "system": scale.system.name,
        "peak_bisection_bytes_per_second": peaks.bisection,
        "peak_alltoall_bytes_per_second": peaks.alltoall,
        "alltoall": alltoalls.collect::<Vec<_>>(),
        "bisection": streams.collect::<Vec<_>>(),
        "uniform_random_bytes_per_second": uniform.delivered,
    })
}

fn assumptions() -> Vec<String> {
    [
        "The order of ranks over nodes is not published: in order and random stand side by side, and the alltoall row \
         takes the best of all sizes, processes per node and orders that were run.",
        "The vendor MPI's alltoall is not public; MPICH's selection table and algorithms stand in for it (Bruck up to \
         256 B, then scattered in batches of 32, pairwise above 32 KiB).",
        "Each collective is run once, all ranks starting together, whole or as an even sample of its steps, whose time is \
         taken for its share of the whole; a process uses the NIC of its number on the \
         node, with one process per node neighbouring nodes use different NICs.",
        "Peaks count headers, the measured bandwidth is payload: 4,096 of 4,158 bytes, 98.5 %, is the most that \
         either can reach.",
        "The bisection benchmark is put streams of 128 KiB messages, 16 at once per process, between node i and the \
         matching node of the other half; the publication gives neither its operation nor its pairs.",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};
    use philae_topology::DragonflyDescription;

    #[test]
    fn the_peaks_of_shandy_are_the_published_ones() {
        let system = System::load("shandy").expect("built in");
        let peaks = Peaks::of(&system.topology);
        assert!((peaks.bisection - 6.4e12).abs() < 1.0, "{}", peaks.bisection);
        assert!((peaks.alltoall - 12.8e12).abs() < 1.0, "{}", peaks.alltoall);
    }

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale {
            system: DragonflyDescription::uniform(4, 4, 4, 4).into(),
            alltoalls: cases(&[(256, 1), (512, 1), (4 << 10, 2)], 1, &BOTH),
            bisection_processes: vec![1],
            warm_up_us: 50,
            window_us: 50,
            left_out: "A miniature.",
        };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&AlltoallBandwidth, &outcome);
        for finding in &outcome.findings {
            match finding.target.id {
                "lossless" => assert!(finding.model == 0.0, "no packet is lost"),
                "bisection-shandy" | "alltoall-shandy" => {
                    assert!(finding.model > 0.0 && finding.model <= 1.0, "{} of the peak", finding.model);
                }
                _ => {}
            }
        }
    }
}
