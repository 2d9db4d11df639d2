//! Slingshot 400 Fig. 10: FFTW on a Slingshot 400 dragonfly with one NIC per node and two, and on
//! an NDR InfiniBand fat tree.

use philae_results::chart::{BarChart, BarGroup, ChartAxis, ChartLine, LineChart, LineKind};
use philae_results::format::Unit;
use philae_results::record::{RunRecord, RunStatus};
use philae_results::summary::iteration_spans;
use philae_results::{StudySection, TableRow};
use philae_scenario::{JobSection, Measure, NicChoice, Scenario, System};
use philae_units::JobId;
use philae_workload::{AlltoallAlgorithm, Fft, Span, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
use crate::probe::{START_SKEWS, listed};
use crate::runner::{Cell, StudyError};

mod variation;

use variation::{Variation, VariationResult};

/// The experiment.
pub struct FftwTime;

/// The publication's Slingshot system; a model replaces its InfiniBand system.
const SLINGSHOT: &str = "slingshot400-64";
const INFINIBAND: &str = "ndr-64";
/// Processes on each node; each represents 24 cores with threads. Source: ours. Status: assumed;
/// FFTW's slabs allow as many processes as planes, so 192 on each of 64 nodes are impossible.
const PROCESSES: u32 = 8;
/// Bandwidth of the memory of a node, in GB/s: two sockets of twelve channels of DDR5-4800. Source:
/// data sheet of the AMD EPYC 7654 (460.8 GB/s a socket). Status: published.
const MEMORY_GBYTES: f64 = 921.6;
/// Share of it that streaming code reaches. Source: ours. Status: assumed; 0.7 to 0.85 is common.
const MEMORY_SHARE: f64 = 0.8;
/// Bytes read and written for a point in each of FFTW's passes over all of them.
const PASS_BYTES: f64 = 32.0;

/// The size of the experiment.
struct Scale {
    nodes: Vec<u32>,
    problem: Problem,
    options: Vec<Options>,
    /// The variations, one change at a time, with their numbers of nodes.
    variations: Vec<Variation>,
    varied_nodes: Vec<u32>,
}

/// The transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Problem {
    size: u32,
    transposes: u32,
}

/// When messages wait for their receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rendezvous {
    /// Above the library's threshold.
    Default,
    Always,
    /// Never: all messages are sent eagerly.
    Never,
}

/// The options that the publication tried, of which it took the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Options {
    rendezvous: Rendezvous,
    /// Messages within a node are copied once, from process to process; otherwise twice, through a
    /// buffer.
    shared_memory: bool,
    /// FFTW's planner measures MPI_Alltoall and its own pairwise exchange.
    algorithm: AlltoallAlgorithm,
}

impl Options {
    fn all() -> Vec<Self> {
        use AlltoallAlgorithm::{Pairwise, Scattered};
        let mut all = Vec::new();
        for rendezvous in [Rendezvous::Default, Rendezvous::Always, Rendezvous::Never] {
            for shared_memory in [true, false] {
                for algorithm in [Pairwise, Scattered] {
                    all.push(Self { rendezvous, shared_memory, algorithm });
                }
            }
        }
        all
    }

    fn name(self) -> String {
        let rendezvous = match self.rendezvous {
            Rendezvous::Default => "rendezvous above the threshold",
            Rendezvous::Always => "rendezvous always",
            Rendezvous::Never => "rendezvous never",
        };
        let local = if self.shared_memory { "one copy within a node" } else { "two copies within a node" };
        let algorithm = if self.algorithm == AlltoallAlgorithm::Pairwise { "pairwise" } else { "scattered" };
        format!("{rendezvous}, {local}, {algorithm}")
    }
}

/// A line of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    SlingshotOne,
    SlingshotTwo,
    Infiniband,
}

impl Machine {
    const ALL: [Self; 3] = [Self::SlingshotOne, Self::SlingshotTwo, Self::Infiniband];

    const fn name(self) -> &'static str {
        match self {
            Self::SlingshotOne => "Slingshot 400, one NIC",
            Self::SlingshotTwo => "Slingshot 400, two NICs",
            Self::Infiniband => "NDR InfiniBand, one NIC",
        }
    }

    const fn nic(self) -> NicChoice {
        match self {
            Self::SlingshotTwo => NicChoice::ByRank,
            Self::SlingshotOne | Self::Infiniband => NicChoice::First,
        }
    }
}

/// The systems, built once.
struct Systems {
    slingshot: System,
    infiniband: System,
}

impl Systems {
    fn load() -> Result<Self, StudyError> {
        let load = |name: &str| System::load(name).map_err(Box::new);
        Ok(Self { slingshot: load(SLINGSHOT)?, infiniband: load(INFINIBAND)? })
    }

    const fn of(&self, machine: Machine) -> &System {
        match machine {
            Machine::SlingshotOne | Machine::SlingshotTwo => &self.slingshot,
            Machine::Infiniband => &self.infiniband,
        }
    }
}

impl Experiment for FftwTime {
    fn id(&self) -> &'static str {
        "fig10-400"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["fftw"]
    }

    fn title(&self) -> &'static str {
        "FFTW on Slingshot 400 with one NIC and two, and on NDR InfiniBand"
    }

    fn source(&self) -> &'static str {
        "Slingshot 400 paper, section IV-E and Fig. 10"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["fftw-crossover", "fftw-second-nic"]
    }

    /// The transposes run in step, and both systems are as fast at some number of nodes.
    fn seeds(&self) -> u32 {
        3
    }

    fn start_skews(&self) -> &'static [Span] {
        &START_SKEWS
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let scale = if context.quick {
            let common = |options: &Options| options.shared_memory && options.rendezvous == Rendezvous::Default;
            let options = Options::all().into_iter().filter(common).collect();
            Scale {
                nodes: vec![16, 32, 64],
                problem: Problem { size: 512, transposes: 2 },
                options,
                variations: Vec::new(),
                varied_nodes: Vec::new(),
            }
        } else {
            Scale {
                nodes: vec![4, 8, 16, 32, 64],
                problem: Problem { size: 512, transposes: 2 },
                options: Options::all(),
                variations: Variation::ALL.to_vec(),
                varied_nodes: vec![32, 64],
            }
        };
        run(context, &scale)
    }
}

/// Speed of one process, in Gflop/s. The memory limits it: one pass over all points for the lines
/// of each dimension and two for each transpose (FFTW packs and unpacks).
fn gflops(problem: Problem) -> u32 {
    let passes = f64::from(3 + 2 * problem.transposes);
    let flops = 15.0 * f64::from(problem.size.next_power_of_two().ilog2());
    (MEMORY_GBYTES * MEMORY_SHARE * flops / (passes * PASS_BYTES) / f64::from(PROCESSES)).round() as u32
}

fn cell(systems: &Systems, seed: u64, machine: Machine, nodes: u32, problem: Problem, options: Options) -> Cell {
    let system = systems.of(machine);
    let workload = Fft {
        size: problem.size,
        transposes: problem.transposes,
        algorithm: options.algorithm,
        gflops: gflops(problem),
        iterations: Some(1),
        ..Fft::default()
    };
    let job = JobSection {
        nodes: listed(0..nodes),
        processes_per_node: PROCESSES,
        nic: machine.nic(),
        ..JobSection::new("fftw", WorkloadSpec::Fft(workload))
    };
    let measure = Measure { messages: None, message_rows_max: u64::from(nodes * PROCESSES), ..Measure::totals() };
    let mut scenario = Scenario { seed, measure, jobs: vec![job], ..Scenario::on(system) };
    match options.rendezvous {
        Rendezvous::Default => {}
        Rendezvous::Always => scenario.hardware.nic.set("eager_max_bytes", 0),
        Rendezvous::Never => scenario.hardware.nic.set("eager_max_bytes", i64::from(u32::MAX)),
    }
    if !options.shared_memory {
        // Both presets copy at the same rate; the copies of eager messages off the node slow down
        // with it, because they share the cores.
        scenario.hardware.host.set("copy_rate_mbytes", LOCAL_COPY_MBYTES / 2);
    }
    let label = format!("{}, {nodes} nodes, {}^3, {}", machine.name(), problem.size, options.name());
    Cell { label, scenario, system: system.clone() }
}

/// Rate of one copy in the presets of both hosts, in MB/s. Source: `hardware.host`,
/// copy_rate_mbytes. Status: assumed.
const LOCAL_COPY_MBYTES: i64 = 12_000;

/// From the first rank's start to the last rank's end, in seconds.
fn seconds(record: &RunRecord) -> f64 {
    let span = iteration_spans(record, JobId(0)).first().map(|span| span.end.saturating_sub(span.start));
    match span {
        Some(span) if record.status == RunStatus::Completed => span.as_seconds_f64(),
        _ => f64::NAN,
    }
}

/// The best of all options on a machine with this many nodes.
#[derive(Clone, Copy, Debug)]
struct Point {
    nodes: u32,
    seconds: f64,
    options: Options,
    /// The slowest of the options.
    worst: f64,
}

impl Point {
    /// In Tflop/s, counting 5 N^3 log2(N^3) as FFTW's benchmarks do.
    fn tflops(&self, problem: Problem) -> f64 {
        let side = f64::from(problem.size);
        15.0 * side.powi(3) * side.log2() / self.seconds / 1e12
    }
}

/// Every machine's points, in the order of [`Machine::ALL`] and of the numbers of nodes.
struct Found {
    points: [Vec<Point>; 3],
}

impl Found {
    fn of(&self, machine: Machine) -> &[Point] {
        &self.points[machine as usize]
    }

    fn at(&self, machine: Machine, nodes: u32) -> Option<&Point> {
        self.of(machine).iter().find(|point| point.nodes == nodes)
    }

    /// Speed of one machine relative to another, by number of nodes.
    fn ratios(&self, fast: Machine, slow: Machine) -> Vec<(u32, f64)> {
        let pairs = self.of(fast).iter().zip(self.of(slow));
        pairs.map(|(fast, slow)| (fast.nodes, slow.seconds / fast.seconds)).collect()
    }

    /// The smallest number of nodes from which Slingshot with one NIC is ahead; infinite if it is
    /// behind at the largest.
    fn crossover(&self) -> f64 {
        let ratios = self.ratios(Machine::SlingshotOne, Machine::Infiniband);
        let ahead = ratios.iter().rev().take_while(|(_, ratio)| *ratio > 1.0);
        ahead.last().map_or(f64::INFINITY, |(nodes, _)| f64::from(*nodes))
    }
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let systems = Systems::load()?;
    let mut cells = Vec::new();
    for machine in Machine::ALL {
        for &nodes in &scale.nodes {
            for &options in &scale.options {
                cells.push(cell(&systems, context.seed, machine, nodes, scale.problem, options));
            }
        }
    }
    let times = context.runner.run(&context.skewed(cells), |_, record| seconds(record))?;
    let mut places = times.chunks(scale.options.len());
    let points = Machine::ALL.map(|_| {
        let of_nodes = scale.nodes.iter().map(|&nodes| {
            let times = places.next().unwrap_or_default();
            let options = times.iter().copied().zip(scale.options.iter().copied());
            let (seconds, options) =
                options.min_by(|one, other| one.0.total_cmp(&other.0)).expect("at least one option is run");
            Point { nodes, seconds, options, worst: times.iter().copied().fold(f64::NAN, f64::max) }
        });
        of_nodes.collect()
    });
    let found = Found { points };
    let changed = variation::run(context, &systems, scale, &found)?;
    Ok(outcome(scale, &found, &changed))
}

fn by_nodes(ratios: &[(u32, f64)]) -> String {
    ratios.iter().map(|(nodes, ratio)| format!("{ratio:.2} at {nodes}")).collect::<Vec<_>>().join(", ")
}

fn findings(scale: &Scale, found: &Found, changed: &[VariationResult]) -> Vec<TargetAnswer> {
    let conditions = format!(
        "{}^3 points, {} transposes, {PROCESSES} processes per node, best of {} combinations of options",
        scale.problem.size,
        scale.problem.transposes,
        scale.options.len()
    );
    let ahead = found.ratios(Machine::SlingshotOne, Machine::Infiniband);
    let gains = found.ratios(Machine::SlingshotTwo, Machine::SlingshotOne);
    let gain = gains.last().map_or(f64::NAN, |gain| gain.1);
    let varied = |found: Vec<String>| {
        if found.is_empty() { String::new() } else { format!(". One thing changed at a time: {}", found.join("; ")) }
    };
    let leads = varied(changed.iter().map(VariationResult::lead).collect());
    let second_nics = varied(changed.iter().filter_map(VariationResult::second_nic).collect());
    vec![
        explained(
            "fftw-crossover",
            found.crossover(),
            format!(
                "the fewest nodes from which on {SLINGSHOT} with one NIC is ahead of {INFINIBAND}; its speed over NDR's by nodes: \
                 {}; {conditions}{leads}",
                by_nodes(&ahead)
            ),
            "the presets quantum-2 and connectx-7, much of which is assumed",
        ),
        explained(
            "fftw-second-nic",
            gain,
            format!("{SLINGSHOT} with the most nodes; by nodes: {}; {conditions}{second_nics}", by_nodes(&gains)),
            "the share of the time that is computation, which the assumed problem and memory bandwidth set",
        ),
    ]
}

fn outcome(scale: &Scale, found: &Found, changed: &[VariationResult]) -> ExperimentOutcome {
    let mut sections = vec![
        StudySection::Heading("Best of all options".to_owned()),
        speeds(scale, found),
        StudySection::Lines(scaling(scale, found)),
        StudySection::Bars(ratios(found)),
    ];
    if !changed.is_empty() {
        sections.push(StudySection::Heading("One thing changed at a time".to_owned()));
        sections.push(variation::table(changed));
    }
    let points = |machine: Machine| {
        let points = found.of(machine).iter().map(|point| {
            json!({
                "nodes": point.nodes,
                "seconds": point.seconds,
                "tflops": point.tflops(scale.problem),
                "options": point.options.name(),
                "slowest_options_seconds": point.worst,
            })
        });
        json!({ "machine": machine.name(), "points": points.collect::<Vec<_>>() })
    };
    let data = json!({
        "size": scale.problem.size,
        "transposes": scale.problem.transposes,
        "processes_per_node": PROCESSES,
        "gflops_per_process": gflops(scale.problem),
        "machines": Machine::ALL.map(points),
        "changed": changed.iter().map(VariationResult::json).collect::<Vec<_>>(),
    });
    ExperimentOutcome { findings: findings(scale, found, changed), sections, data, assumptions: assumptions(scale) }
}

fn assumptions(scale: &Scale) -> Vec<String> {
    vec![
        format!(
            "Neither the size of the transform nor its kind is published: {}^3 complex points in slabs, forwards, with {} \
             transposes (FFTW without FFTW_MPI_TRANSPOSED_OUT has two).",
            scale.problem.size, scale.problem.transposes
        ),
        format!(
            "{PROCESSES} processes on each node, four for each socket, each with the threads of 24 cores. Computation \
             is limited by memory: {} Gflop/s for each process, from {:.0} % of the node's {MEMORY_GBYTES} GB/s and passes of \
             {PASS_BYTES} B a point; caches that hold a whole slab are not modelled.",
            gflops(scale.problem),
            MEMORY_SHARE * 100.0
        ),
        "With one NIC the second of a Slingshot node is idle; its node and its cables are the same. Nodes are used from the \
         first on, so that up to 32 share one leaf of the fat tree."
            .to_owned(),
        "Options: rendezvous above the library's threshold, always or never; within a node one copy or two; the exchange \
         pairwise, or in batches of 32 as MPICH's scattered alltoall. Of each machine and number of nodes the best is kept, as \
         the publication does. Collectives that combine a node's messages are not modelled."
            .to_owned(),
        "NDR routes adaptively, as its manager does by default. ConnectX-7 leaves matching to the host, whose one core copies eager \
         messages at both ends for all threads of a process: with small messages this, not the network, sets NDR's time. \
         Its latencies and its switch's are assumed: see the presets."
            .to_owned(),
    ]
}

fn speeds(scale: &Scale, found: &Found) -> StudySection {
    let mut rows = Vec::new();
    for machine in Machine::ALL {
        let first = found.of(machine).first().map_or(f64::NAN, |point| point.seconds);
        rows.extend(found.of(machine).iter().map(|point| -> TableRow {
            text::row([
                machine.name().to_owned(),
                point.nodes.to_string(),
                format!("{:.3}", point.seconds * 1e3),
                format!("{:.2}", point.tflops(scale.problem)),
                format!("{:.2}", first / point.seconds),
                format!("{:.2}", point.worst / point.seconds),
                point.options.name(),
            ])
        }));
    }
    let headers = ["machine", "nodes", "ms", "Tflop/s", "speed-up", "slowest options over best", "best options"];
    text::table(&headers, rows)
}

fn scaling(scale: &Scale, found: &Found) -> LineChart {
    let line = |machine: Machine| {
        let points = found.of(machine).iter().map(|point| (f64::from(point.nodes), point.tflops(scale.problem)));
        ChartLine::new(machine.name(), points.collect())
    };
    LineChart {
        title: format!("FFTW, {}^3 points", scale.problem.size),
        x: ChartAxis::log("nodes", Unit::Number),
        y: ChartAxis::log("Tflop/s", Unit::Number),
        kind: LineKind::Lines,
        series: Machine::ALL.map(line).to_vec(),
        references: Vec::new(),
    }
}

/// The quantities of the two rows, by number of nodes.
fn ratios(found: &Found) -> BarChart {
    let groups = |fast, slow, what: &str, published: Option<f64>| -> Vec<BarGroup> {
        let group = |(nodes, ratio): (u32, f64)| BarGroup {
            label: format!("{what}, {nodes} nodes"),
            values: vec![Some(ratio)],
            reference: published,
        };
        found.ratios(fast, slow).into_iter().map(group).collect()
    };
    let gain = crate::target::Target::named("fftw-second-nic").map(|target| target.value);
    let mut all = groups(Machine::SlingshotOne, Machine::Infiniband, "Slingshot over NDR", None);
    all.extend(groups(Machine::SlingshotTwo, Machine::SlingshotOne, "two NICs over one", gain));
    BarChart {
        title: "Speed over speed".to_owned(),
        axis: ChartAxis::linear("ratio", Unit::Number),
        series: Vec::new(),
        groups: all,
        reference_name: "published (number of nodes not given)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    fn point(nodes: u32, seconds: f64) -> Point {
        Point { nodes, seconds, options: Options::all()[0], worst: seconds }
    }

    #[test]
    fn the_crossover_is_where_the_lead_stays() {
        let times = |times: [f64; 4]| [4, 8, 16, 32].into_iter().zip(times).map(|(nodes, time)| point(nodes, time));
        let found =
            |slingshot: [f64; 4]| Found { points: [times(slingshot).collect(), Vec::new(), times([1.0; 4]).collect()] };
        assert_eq!(found([0.9, 1.1, 0.9, 0.8]).crossover(), 16.0, "the lead with 4 nodes does not stay");
        assert_eq!(found([0.9; 4]).crossover(), 4.0);
        assert!(found([1.0; 4]).crossover().is_infinite(), "as fast is not ahead");
    }

    #[test]
    fn computation_is_as_fast_as_memory() {
        let problem = Problem { size: 512, transposes: 2 };
        // 7 passes of 32 B a point and 135 flops: 737.28 GB/s allow 444 Gflop/s, an eighth for each
        // process.
        assert_eq!(gflops(problem), 56);
        assert!(gflops(Problem { transposes: 1, ..problem }) > gflops(problem), "fewer passes for as many flops");
    }

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale {
            nodes: vec![2, 4],
            problem: Problem { size: 64, transposes: 2 },
            options: vec![Options::all()[0], Options::all()[11]],
            variations: Variation::ALL.to_vec(),
            varied_nodes: vec![4],
        };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&FftwTime, &outcome);
        let gain = outcome.findings[1].model;
        assert!((0.9..2.1).contains(&gain), "a second NIC gives at most its bandwidth: {gain}");
        let changed = outcome.data["changed"].as_array().expect("a list").len();
        assert_eq!(changed, Variation::ALL.len());
    }
}
