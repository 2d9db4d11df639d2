//! The command line.

use crate::bench_arguments::{GpcnetArguments, OsuArguments};
use crate::checkpoint::CheckpointArguments;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use philae_experiments::BENCH_SIZES;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Simulates HPC interconnects of the Slingshot family: dragonflies and fat trees of Rosetta
/// switches, adaptive routing, per-flow congestion control, and other congestion laws for
/// comparison.
#[derive(Debug, Parser)]
#[command(
    name = "philae",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Examples:
  philae systems                              which systems are built in
  philae describe shandy                      sizes and bandwidths of one
  philae simulate scenarios/first-steps.toml  run a scenario and write its result
  philae routes malbec --down groups:0-1      forwarding tables with links down
  philae reproduce fig9 --quick               a small published experiment, and its report
  philae validate --quick                     every published result, compared with the model
  philae gpcnet malbec --nodes 100            GPCNeT's load test, with GPCNeT's tables
  philae osu latency malbec                   latency by message size, in the OSU format
  philae run -n 2 --traffic ./my-mpi-program  a program over the provider, and its traffic
  philae schema > scenario.schema.json        JSON Schema of scenarios, for editors

Exit codes: 0 done, 1 ran and found a problem, 2 bad input or usage, 130 interrupted."
)]
pub struct Arguments {
    #[command(flatten)]
    pub shared: CommonOptions,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Copy, Debug)]
pub struct CommonOptions {
    /// Print one JSON document on standard output, and everything else on standard error.
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only results and errors.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Show progress on standard error. `auto` shows a bar on a terminal and nothing elsewhere.
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value_t = ProgressStyle::Auto)]
    pub progress: ProgressStyle,
    /// Colour the output. `auto` does so on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColourChoice::Auto)]
    pub color: ColourChoice,
}

impl CommonOptions {
    /// Whether standard output is coloured.
    pub fn colour(self) -> bool {
        self.color.wanted(std::io::stdout().is_terminal())
    }

    /// Whether standard error is coloured.
    pub fn colour_on_stderr(self) -> bool {
        self.color.wanted(std::io::stderr().is_terminal())
    }

    /// Prints a note for the user on standard error.
    pub fn note(self, text: &str) {
        if !self.quiet {
            philae_console::note!("{text}");
        }
    }

    /// Prints parts of inputs that the command ignores, one line each on standard error.
    pub fn warn(self, warnings: &[String]) {
        warnings.iter().for_each(|warning| self.note(&format!("warning: {warning}")));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    Auto,
    Bar,
    Json,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    Auto,
    Always,
    Never,
}

impl ColourChoice {
    fn wanted(self, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in systems.
    #[command(after_help = "\
Examples:
  philae systems
  philae systems --json")]
    Systems,
    /// Describe a system: switches, cables, diameter, bandwidths, sources, assumptions.
    Describe(DescribeArguments),
    /// Compute forwarding tables, also with links down, prove them correct, and write them to a file for `simulate --routes`.
    Routes(RoutesArguments),
    /// Run a scenario and write its result: tables, a report, the resolved scenario.
    Simulate(SimulateArguments),
    /// Measure the error of fluid runs (`simulate --fluid`) against packet-level runs, over random scenarios.
    FluidAccuracy(FluidAccuracyArguments),
    /// Explain a job's slowest messages: where each one waited, and which flows it waited for.
    Explain(ExplainArguments),
    /// Compare results: jobs, links, counters, and the differences of their scenarios.
    Compare(CompareArguments),
    /// Run a scenario with every combination of given values and seeds: one table, means with their intervals.
    Sweep(crate::sweep::SweepArguments),
    /// Print a table of a result as CSV or JSON.
    Export(crate::export::ExportArguments),
    /// Run a published experiment and write its report.
    Reproduce(ReproduceArguments),
    /// Compare the model with every published result.
    Validate(ValidateArguments),
    /// Read, convert and write schedules and traces, also those of other tools.
    Trace(crate::trace::TraceArguments),
    /// Run GPCNeT: network tests in isolation and next to congestors, in GPCNeT's own tables.
    Gpcnet(GpcnetArguments),
    /// Run a test of the OSU micro-benchmarks: latency, bandwidth, message rate or a collective by message size.
    Osu(OsuArguments),
    /// Run a program of MPI, SHMEM or libfabric over the provider, a NIC in software.
    Run(crate::launch::RunArguments),
    /// Inspect the software NICs of this host: endpoints, owners, memory.
    Nic(crate::nic::NicArguments),
    /// Run the fabric manager, with simulated switches.
    Manager(crate::manager::PassedOn),
    /// Query and control a running fabric manager.
    Fabric(crate::manager::PassedOn),
    /// Run agents: the programs by which a fabric manager controls switches.
    Agent(crate::manager::PassedOn),
    /// Measure the speed of the simulator.
    Bench(BenchArguments),
    /// Print the keys of a scenario, as JSON Schema or as text.
    Schema(SchemaArguments),
    /// Print a completion script for a shell: commands, options and systems.
    Completions(CompletionsArguments),
    /// Write the manual pages.
    #[command(hide = true)]
    Man(crate::man::ManArguments),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae describe shandy
  philae describe scenarios/systems/ring-of-five.toml
  philae describe scenarios/first-steps.toml              the system of a scenario; also checks the scenario
  philae describe frontier --json
  philae describe malbec --graphml malbec.graphml --networkx malbec.json
  philae describe scenarios/systems/petersen.graphml --endpoints-per-switch 4
  philae manager export --system shandy --format cabling --output shandy.csv
  philae describe shandy.csv                              a cabling list, or a netlist of ibnetdiscover")]
pub struct DescribeArguments {
    /// A built-in system, or the path of a file: .toml, .json, .graphml, .gexf, .topo, fabric
    /// template, cabling, netlist.
    #[arg(value_name = "SYSTEM", value_parser = SYSTEM_NAMES, value_hint = ValueHint::AnyPath, hide_possible_values = true)]
    pub system: String,
    /// Endpoints of each switch, for a graph that has no endpoints.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    pub endpoints_per_switch: u32,
    /// Also write switches, endpoints and links as GraphML to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub graphml: Option<PathBuf>,
    /// Also write them as the node-link JSON of networkx to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub networkx: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae simulate scenarios/first-steps.toml
  philae simulate scenarios/incast-beside-allreduce.toml --output results/incast --seed 7
  philae simulate scenarios/incast-beside-allreduce.toml --set congestion.law=none --set job.victim.nodes=128
  philae simulate scenarios/first-steps.toml --time-limit 50us --json --quiet
  philae simulate scenarios/first-steps.toml --pcap endpoint:0=nic.pcapng --pcap switch:3/port:7=link.pcapng
  philae simulate scenarios/incast-beside-allreduce.toml --routes degraded.routes
  philae simulate scenarios/first-steps.toml --fluid
  philae simulate scenarios/first-steps.toml --checkpoint run.ckpt --checkpoint-every 100us
  philae simulate --resume run.ckpt --threads 2
  mpirun -n 4 philae simulate scenarios/first-steps.toml   four processes share it (make mpi-simulate builds such a philae)
  philae simulate scenarios/first-steps.toml --live        then, in another terminal: philae fabric top

Ctrl-C stops the run and leaves a valid partial result that says so (exit code 130); a second Ctrl-C exits immediately.")]
pub struct SimulateArguments {
    /// The scenario, a TOML file, or `-` for standard input; `philae schema --keys` lists its keys.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "resume")]
    pub scenario: Option<PathBuf>,
    /// Folder of the result: new, empty, or with an earlier result. A result of the same run is
    /// replaced; a result of another run moves to DIR.earlier. Default: results/<name of the
    /// scenario, and the keys set here>.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Replace an earlier result even if it is of another run: another scenario, seed or version.
    #[arg(long)]
    pub overwrite: bool,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Set any key of the scenario: congestion.law=none, job.victim.nodes=64, run.warm_up=10us. Can be repeated, in any order.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub overrides: Vec<(String, String)>,
    /// Latest simulated time at which the run ends: 2ms, 500us.
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<String>,
    /// Number of partitions, each of whole groups; the result does not depend on it.
    #[arg(long, value_name = "N")]
    pub partitions: Option<u32>,
    /// Simulate rates instead of packets: for the largest systems and longest times. The result states the measured error of such runs.
    #[arg(long, conflicts_with_all = ["captures", "timeline", "routes", "live"])]
    pub fluid: bool,
    /// Number of threads; the result does not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub checkpoint: CheckpointArguments,
    /// Begin the run even if it needs more memory than is free.
    #[arg(long)]
    pub ignore_memory: bool,
    /// Capture the packets of a port, in both directions, as pcapng: endpoint:7=nic.pcapng,
    /// switch:3/port:20=up.pcapng. File names are relative to the working folder; those of
    /// [[capture]] are relative to the result's folder. Can be repeated.
    #[arg(long = "pcap", value_name = "PORT=FILE", value_parser = port_and_file)]
    pub captures: Vec<(String, PathBuf)>,
    /// Write the run as a timeline for ui.perfetto.dev; compressed if the name ends in .gz.
    #[arg(long, value_name = "FILE.json[.gz]", value_hint = ValueHint::FilePath)]
    pub timeline: Option<PathBuf>,
    /// Forward by the tables of this file, which `philae routes` wrote for the scenario's system.
    /// Its dead links are down from the beginning.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub routes: Option<PathBuf>,
    /// Send each port's counters to a fabric manager during the run; its simulated switches report
    /// them. URL is the manager's address; without a value, PHILAE_MANAGER or
    /// http://127.0.0.1:8000.
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    pub live: Option<String>,
    /// Simulated time between two such reports.
    #[arg(long, value_name = "TIME", default_value = "10us", requires = "live")]
    pub live_every: philae_workload::Span,
}

impl SimulateArguments {
    /// The source of the run, for messages: the scenario, or the checkpoint that contains it.
    pub fn source(&self) -> &Path {
        self.scenario.as_deref().or(self.checkpoint.resume.as_deref()).unwrap_or(Path::new(""))
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae fluid-accuracy --count 20
  philae fluid-accuracy --count 200 --output errors.csv
  philae fluid-accuracy --scenario 50 > fifty.toml
  philae simulate fifty.toml --fluid                       the result states its own error

Each scenario is drawn from its number: system, law, pattern, message size. It runs once in
packets and once in rates. See docs/simulate/fluid.md.")]
pub struct FluidAccuracyArguments {
    /// Number of scenarios, counted from scenario 0.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = philae_console::whole::<u32>(1, u32::MAX.into()))]
    pub count: u32,
    /// Write one row for each job of each scenario to this file, as CSV.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Print the scenario of this number, for `philae simulate`, and run nothing.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["count", "output"])]
    pub scenario: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae routes malbec
  philae routes shandy --down groups:0-1 --down switch:3/port:20 --output degraded.routes
  philae routes --check degraded.routes
  philae routes shandy --check degraded.routes --json
  philae simulate scenarios/incast-beside-allreduce.toml --routes degraded.routes

Tables are proven before they are written: every live path has an entry, no entry leads over a dead
link or back, no cycle of channels can deadlock. See docs/simulate/scenario.md,
\"Routes from a file\".")]
pub struct RoutesArguments {
    /// A built-in system, or the path of a file: .toml, .json, .graphml, .gexf, .topo, fabric
    /// template, cabling, netlist. With --check: by default the system that the file names.
    #[arg(value_name = "SYSTEM", value_parser = SYSTEM_NAMES, value_hint = ValueHint::AnyPath, hide_possible_values = true, required_unless_present = "check")]
    pub system: Option<String>,
    /// A link that is down: switch:3/port:17, switches:3-9 or groups:0-5 (add /link:1 for the
    /// second link between them). Can be repeated.
    #[arg(long, value_name = "LINK", conflicts_with = "check")]
    pub down: Vec<String>,
    /// Virtual-channel classes that a path may climb through: 1 to 8.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = philae_console::whole::<u8>(1, 8), conflicts_with = "check")]
    pub classes: u8,
    /// Write the tables to this file.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "check")]
    pub output: Option<PathBuf>,
    /// Read this file instead, and prove its tables.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub check: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae explain scenarios/incast-beside-allreduce.toml --job victim
  philae explain scenarios/incast-beside-allreduce.toml --job victim --slowest 10 --set congestion.law=none
  philae explain scenarios/incast-beside-allreduce.toml --job victim --message '3->7:0' --json

The run is made twice with the same seed: first to find the messages, then to follow them.
See docs/simulate/explain.md.")]
pub struct ExplainArguments {
    /// The scenario, a TOML file, or `-` for standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub scenario: PathBuf,
    /// The job whose messages are explained. Default: the job in the scenario's [explain].
    #[arg(long, value_name = "NAME")]
    pub job: Option<String>,
    /// Number of messages, the slowest first. Default 3.
    #[arg(long, value_name = "N", conflicts_with = "message")]
    pub slowest: Option<u32>,
    /// One message: 3->7 is the slowest that rank 3 issued to rank 7, 3->7:2 the third, counted from 0.
    #[arg(long, value_name = "SRC->DST[:N]")]
    pub message: Option<String>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Set any key of the scenario, as in `simulate`. Can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub overrides: Vec<(String, String)>,
    /// Latest simulated time at which the run ends: 2ms, 500us.
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae simulate scenarios/first-steps.toml --output results/with
  philae simulate scenarios/first-steps.toml --output results/without --set congestion.law=none
  philae compare results/with results/without
  philae compare results/with results/without --html comparison.html
  philae reproduce fig6 --quick --output results/one
  philae reproduce fig6 --quick --output results/other --seed 7
  philae compare results/one/study.json results/other/study.json --json")]
pub struct CompareArguments {
    /// Folders that `simulate` wrote, or studies of one experiment (folders of `reproduce`, or
    /// their study.json): 2 to 26. They are named A, B, C in their order; ratios are relative to A.
    #[arg(value_name = "RESULT", value_hint = ValueHint::AnyPath, num_args = 2.., required = true)]
    pub results: Vec<PathBuf>,
    /// Write an HTML page that shows the distributions in one plot.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae reproduce fig2
  philae reproduce fig6 --quick
  philae reproduce congestion --quick --output results/demo
  philae reproduce all --seed 7 --threads 8
  philae reproduce fig9 --quick --json --quiet
  philae reproduce fig4 --quick --set hardware.nic.eager_max_bytes=65536

The report is DIR/report.html, every figure is in DIR/study.json. An unknown name prints the list of experiments.
Ctrl-C stops it (exit code 130); a second Ctrl-C exits immediately.")]
pub struct ReproduceArguments {
    /// An experiment by its name (fig2, fig9, congestion, ...), or `all`.
    #[arg(value_name = "EXPERIMENT", value_parser = ExperimentNames, hide_possible_values = true)]
    pub experiment: String,
    /// Run smaller systems, about a minute each, instead of the publication's size.
    #[arg(long)]
    pub quick: bool,
    /// Folder of the report. Default: results/<experiment>; with `all`, each in a folder of its own below it.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = philae_console::whole::<u64>(0, i64::MAX as u64))]
    pub seed: u64,
    /// Number of runs at the same time; results do not depend on it. Default: the machine's cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// What if: set a key in the scenario of every run that has it. The results then no longer show the model's defaults.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
    /// Exit with 1 if a published result is not reproduced.
    #[arg(long)]
    pub strict: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae validate
  philae validate --only switch-latency-median,lossless --strict
  philae validate --only fig4
  philae validate --only bisection-alltoall-400 --causes
  philae validate --only half-bandwidth-400 --set hardware.host.send_overhead_ns=60
  philae validate --fidelity
  philae validate --full --causes --document docs/simulate/validation.md
  philae validate --full --resume results/validation
  philae validate --full --json > validation.json")]
pub struct ValidateArguments {
    /// Smaller runs, minutes in all (the default).
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// Run the publications' sizes as far as is affordable: hours. See --resume.
    #[arg(long)]
    pub full: bool,
    /// Only these rows; the name of an experiment means all of its rows. A row takes the time of
    /// its whole experiment.
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    pub only: Vec<String>,
    /// For every gap, run its experiment again (quick) with one thing changed that may explain it.
    #[arg(long)]
    pub causes: bool,
    /// Keep the results of each experiment, and of each long congestion run, in this folder, and do
    /// not repeat those already there. An interrupted validation thus continues.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub resume: Option<PathBuf>,
    /// Write the rows, their notes and the causes as a Markdown document.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub document: Option<PathBuf>,
    /// Compare the switch's port fidelity, the default, with tile fidelity instead: one switch and
    /// the same packets; prints latency, throughput, speed and the error of the faster one.
    #[arg(long, conflicts_with_all = ["only", "strict", "set", "causes", "resume", "document"])]
    pub fidelity: bool,
    /// What if: set a key in the scenario of every run that has it. The results then no longer show the model's defaults.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
    /// Also write the rows as an HTML page, with a plot of modelled and published values.
    #[arg(long, value_name = "FILE", conflicts_with = "fidelity")]
    pub report: Option<PathBuf>,
    /// Exit with 1 if a published result is not reproduced.
    #[arg(long)]
    pub strict: bool,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = philae_console::whole::<u64>(0, i64::MAX as u64))]
    pub seed: u64,
    /// Number of runs at the same time; results do not depend on it. Default: the machine's cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae bench
  philae bench --case permutation-dragonfly-slingshot --repeats 5
  philae bench --case uniform-random-dragonfly --endpoints 8192 --threads 1,2
  philae bench --endpoints all --repeats 1 --document docs/simulate/performance.md
  philae bench --case incast --json")]
pub struct BenchArguments {
    /// Only the cases whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub case: Option<String>,
    /// Only these sizes: 1024, 8192, 65536, 279040, or all of them. Default: 1024.
    #[arg(long, value_name = "N,N", default_value = "1024", value_parser = bench_sizes)]
    pub endpoints: BenchSizes,
    /// Threads of a run; with several numbers, each case runs with each number.
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1", value_parser = philae_console::whole::<u32>(1, 1_024))]
    pub threads: Vec<u32>,
    /// Simulated time of each run instead of the case's own: 20us.
    #[arg(long, value_name = "TIME")]
    pub simulated: Option<philae_workload::Span>,
    /// Also write the table, with the machine and the command, as Markdown.
    #[arg(long, value_name = "FILE.md", value_hint = ValueHint::FilePath)]
    pub document: Option<PathBuf>,
    /// Number of runs of each case; the fastest counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = philae_console::whole::<u32>(1, 1_000))]
    pub repeats: u32,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae schema > scenario.schema.json
  philae schema --workloads
  philae schema --keys
  philae schema --assumptions --json
  philae schema --results")]
pub struct SchemaArguments {
    #[command(flatten)]
    pub what: SchemaWhat,
}

#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct SchemaWhat {
    /// Print the kinds of workload with their keys.
    #[arg(long)]
    pub workloads: bool,
    /// Print every assumed figure, as the Markdown of docs/simulate/assumptions.md.
    #[arg(long)]
    pub assumptions: bool,
    /// Print the tables of a result folder with their columns.
    #[arg(long)]
    pub results: bool,
    /// Print every key with its default, unit and range, as the Markdown of docs/simulate/keys.md.
    #[arg(long)]
    pub keys: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae completions bash > ~/.local/share/bash-completion/completions/philae
  philae completions zsh > ~/.zfunc/_philae
  philae completions fish > ~/.config/fish/completions/philae.fish")]
pub struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Sizes of the benchmark's networks.
#[derive(Clone, Debug)]
pub struct BenchSizes(pub Vec<u32>);

/// `all`, or sizes for which there are cases, separated by commas.
fn bench_sizes(text: &str) -> Result<BenchSizes, String> {
    let one = |word: &str| {
        let found = BENCH_SIZES.into_iter().find(|size| size.to_string() == word.trim());
        found.ok_or_else(|| {
            format!(
                "no case has '{word}' endpoints; {} or all would work",
                BENCH_SIZES.map(|size| size.to_string()).join(", ")
            )
        })
    };
    if text == "all" {
        Ok(BenchSizes(BENCH_SIZES.to_vec()))
    } else {
        text.split(',').map(one).collect::<Result<_, _>>().map(BenchSizes)
    }
}

/// `KEY=VALUE`.
pub fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("KEY=VALUE would work, such as congestion.law=none".to_owned()),
    }
}

fn port_and_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((port, file)) if !port.is_empty() && !file.is_empty() => Ok((port.to_owned(), file.into())),
        _ => Err("PORT=FILE would work, such as endpoint:7=nic.pcapng or switch:3/port:7=link.pcapng".to_owned()),
    }
}

pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1_024) => Ok(count),
        _ => Err("1 to 1024 would work".to_owned()),
    }
}

/// Accepts any text, and offers shells the names of the experiments.
#[derive(Clone, Debug)]
struct ExperimentNames;

impl TypedValueParser for ExperimentNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = philae_experiments::experiments().into_iter().map(|experiment| experiment.id());
        Some(Box::new(names.chain(["all"]).map(PossibleValue::new)))
    }
}

/// Accepts any text, and offers shells the names that this function returns.
#[derive(Clone, Copy, Debug)]
pub struct Suggested(fn() -> Vec<&'static str>);

/// The built-in systems.
pub const SYSTEM_NAMES: Suggested = Suggested(|| philae_topology::systems().iter().map(|system| system.name).collect());

/// The tables of a result, and the table of a sweep.
pub const TABLE_NAMES: Suggested = Suggested(|| {
    let names = philae_results::tables::tables().into_iter().map(|table| table.name);
    names.chain(["table"]).collect()
});

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
