//! The command lines of the commands that run one scenario: `simulate`, `explain`,
//! `fluid-accuracy`.

use super::sweep::{Seeds, seeds};
use super::values::{key_and_value, output_file, port_and_file};
use clap::{Args, ValueHint};
use philae_workload::Span;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae simulate scenarios/first-steps.toml
  philae simulate scenarios/incast-beside-allreduce.toml \\
      --output results/incast --seed 7
  philae simulate scenarios/incast-beside-allreduce.toml \\
      --set congestion.law=none --set job.victim.nodes=128
  philae simulate scenarios/first-steps.toml --time-limit 50us --json --quiet
  philae simulate scenarios/first-steps.toml --seeds 1-10
  philae simulate scenarios/first-steps.toml --pcap endpoint:0=nic.pcapng \\
      --pcap switch:3/port:7=link.pcapng
  philae simulate scenarios/incast-beside-allreduce.toml \\
      --routes degraded.routes
  philae simulate scenarios/first-steps.toml --fluid
  philae simulate scenarios/first-steps.toml --checkpoint run.ckpt \\
      --checkpoint-every 100us
  philae simulate --resume run.ckpt --threads 2
  mpirun -n 4 philae simulate scenarios/first-steps.toml
      four processes share it (make mpi-simulate builds such a philae)
  philae simulate scenarios/first-steps.toml --live
      then, in another terminal: philae fabric top

Ctrl-C stops the run and leaves a valid partial result that says so (exit code 130); a second Ctrl-C exits immediately.")]
pub struct SimulateArguments {
    /// The scenario, a TOML file, or `-` for standard input; `philae schema --keys` lists its keys.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "resume")]
    pub scenario: Option<PathBuf>,
    #[command(flatten)]
    pub place: ResultPlace,
    #[command(flatten)]
    pub keys: ScenarioKeys,
    /// Number of partitions, each of whole groups; the result does not depend on it.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(1, u16::MAX.into()))]
    pub partitions: Option<u32>,
    /// Simulate rates instead of packets: for the largest systems and longest times. The result states the measured error of such runs.
    #[arg(long, conflicts_with_all = ["captures", "timeline", "routes", "live"])]
    pub fluid: bool,
    /// Number of threads; the result does not depend on it.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(1, 1_024))]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub checkpoint: CheckpointArguments,
    /// Begin the run even if it needs more memory than is free.
    #[arg(long)]
    pub ignore_memory: bool,
    /// Capture the packets of a port, in both directions, as pcapng: endpoint:7=nic.pcapng,
    /// switch:3/port:20=up.pcapng. File names are relative to the working folder, as those of
    /// [[capture]] are. Can be repeated.
    #[arg(long = "pcap", value_name = "PORT=FILE", value_parser = port_and_file)]
    pub captures: Vec<(String, PathBuf)>,
    /// Write the run as a timeline for ui.perfetto.dev; compressed if the name ends in .gz.
    #[arg(long, value_name = "FILE.json[.gz]", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub timeline: Option<PathBuf>,
    /// Forward by the tables of this file, which `philae routes` wrote for the scenario's system.
    /// Its dead links are down from the beginning.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub routes: Option<PathBuf>,
    #[command(flatten)]
    pub live: LiveReport,
    /// Run with each of these seeds: 1-10, or 1,2,7. Prints means with their 95 % intervals; the folder is that of a sweep, with
    /// the result of each run below DIR/results.
    #[arg(long, value_name = "N-M,...", value_parser = seeds, conflicts_with_all = ["seed", "resume", "checkpoint", "checkpoint_every", "fluid", "captures", "timeline", "routes", "live", "overwrite", "partitions"])]
    pub seeds: Option<Seeds>,
}

impl SimulateArguments {
    /// The source of the run, for messages: the scenario, or the checkpoint that contains it.
    pub fn source(&self) -> &Path {
        self.scenario.as_deref().or(self.checkpoint.resume.as_deref()).unwrap_or(Path::new(""))
    }
}

/// Where the result goes.
#[derive(Args, Debug)]
pub struct ResultPlace {
    /// Folder of the result: new, empty, or with an earlier result. A result of the same run is
    /// replaced; a result of another run moves to DIR.earlier. Default: results/<name of the
    /// scenario, and the keys set here>.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Replace an earlier result even if it is of another run: another scenario, seed or version.
    #[arg(long)]
    pub overwrite: bool,
}

/// Keys of the scenario that the command line sets.
#[derive(Args, Debug)]
pub struct ScenarioKeys {
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u64>(0, i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Set any key of the scenario: congestion.law=none, job.victim.nodes=64, run.warm_up=10us. Can be repeated, in any order.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub overrides: Vec<(String, String)>,
    /// Latest simulated time at which the run ends: 2ms, 500us.
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<String>,
}

impl ScenarioKeys {
    /// The keys with their values, those with an option of their own last.
    pub fn all(&self) -> Vec<(String, String)> {
        let short_forms =
            [("seed", self.seed.map(|seed| seed.to_string())), ("run.time_limit", self.time_limit.clone())];
        let short_forms = short_forms.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        self.overrides.iter().cloned().chain(short_forms).collect()
    }
}

/// A fabric manager that receives the traffic of ports during the run.
#[derive(Args, Debug)]
pub struct LiveReport {
    /// Send each port's counters to a fabric manager during the run; its simulated switches report
    /// them. URL is the manager's address; without a value, PHILAE_MANAGER or
    /// http://127.0.0.1:8000.
    #[arg(id = "live", long = "live", value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    pub manager: Option<String>,
    /// Simulated time between two such reports.
    #[arg(long = "live-every", value_name = "TIME", default_value = "10us", requires = "live")]
    pub every: Span,
}

/// Checkpoints: file, times, and which one to resume.
#[derive(Args, Debug)]
pub struct CheckpointArguments {
    /// Save the state of the run to this file, for --resume: at the times below, and when the run
    /// is interrupted. Each checkpoint replaces the previous one when it is complete.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "fluid")]
    pub checkpoint: Option<PathBuf>,
    /// Simulated time between two checkpoints: 100us.
    #[arg(long, value_name = "TIME", requires = "checkpoint")]
    pub checkpoint_every: Option<Span>,
    /// Simulated time of a checkpoint. Can be repeated.
    #[arg(long, value_name = "TIME", requires = "checkpoint")]
    pub checkpoint_at: Vec<Span>,
    /// Continue from this checkpoint to the end of its run. It contains the scenario.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = [
        "seed", "overrides", "time_limit", "partitions", "fluid", "captures", "timeline", "routes",
    ])]
    pub resume: Option<PathBuf>,
}

impl CheckpointArguments {
    /// Whether any of this is requested.
    pub const fn is_wanted(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae fluid-accuracy --count 20
  philae fluid-accuracy --count 200 --output errors.csv
  philae fluid-accuracy --scenario 50 > fifty.toml
  philae simulate fifty.toml --fluid  the result states its own error

Each scenario is drawn from its number: system, law, pattern, message size. It runs once in
packets and once in rates. See docs/simulate/fluid.md.")]
pub struct FluidAccuracyArguments {
    /// Number of scenarios, counted from scenario 0.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = philae_console::whole::<u32>(1, u32::MAX.into()))]
    pub count: u32,
    /// Write one row for each job of each scenario to this file, as CSV.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Print the scenario of this number, for `philae simulate`, and run nothing.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["count", "output"], value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub scenario: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae explain scenarios/incast-beside-allreduce.toml --job victim
  philae explain scenarios/incast-beside-allreduce.toml --job victim \\
      --slowest 10 --set congestion.law=none
  philae explain scenarios/incast-beside-allreduce.toml --job victim \\
      --message '3->7:0' --json

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
    #[arg(long, value_name = "N", conflicts_with = "message", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub slowest: Option<u32>,
    /// One message: 3->7 is the slowest that rank 3 issued to rank 7, 3->7:2 the third, counted from 0.
    #[arg(long, value_name = "SRC->DST[:N]")]
    pub message: Option<String>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u64>(0, i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Set any key of the scenario, as in `simulate`. Can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub overrides: Vec<(String, String)>,
    /// Latest simulated time at which the run ends: 2ms, 500us.
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<String>,
}
