//! The command lines of `reproduce`, `validate` and `bench`.

use super::sweep::{Seeds, seeds};
use super::values::{BenchSizes, EXPERIMENT_NAMES, bench_sizes, key_and_value, output_file, threads};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae reproduce fig2
  philae reproduce fig6 --quick
  philae reproduce congestion --quick --output results/demo
  philae reproduce all --seed 7 --threads 8
  philae reproduce fig9 --quick --json --quiet
  philae reproduce fig4 --quick --set hardware.nic.eager_max_bytes=65536
  philae reproduce ue-or-slingshot --quick --resume results/runs
  philae reproduce ue-or-slingshot --quick \\
      --only dragonfly-8448,permutation,incast-1024

The report is DIR/report.html, every figure is in DIR/study.json. An unknown name prints the list of experiments.
Ctrl-C stops it (exit code 130); a second Ctrl-C exits immediately.")]
pub struct ReproduceArguments {
    /// An experiment by its name (fig2, fig9, congestion, ...), or `all`.
    #[arg(value_name = "EXPERIMENT", value_parser = EXPERIMENT_NAMES, hide_possible_values = true)]
    pub experiment: String,
    /// Run smaller systems, about a minute each, instead of the publication's size. The report says what is left out.
    /// ue-or-slingshot takes about five minutes on two idle cores, and leaves out one network of four and eight loads of fifteen.
    #[arg(long)]
    pub quick: bool,
    /// Only these parts of an experiment: networks, loads and columns of ue-or-slingshot. Names of one kind add up; the word
    /// `loads`, `networks` or `columns` names all of a kind; of a kind that is not named, the size's own run. A wrong name
    /// prints the list.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Folder of the report. Default: results/<experiment>; with `all`, each in a folder of its own below it.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = philae_console::whole::<u64>(0, i64::MAX as u64))]
    pub seed: u64,
    /// Run with each of these seeds: 1-5, or 1,2,7. A result is their mean, with its 95 % interval. Default: --seed alone,
    /// or three from it on where an experiment's results depend on it.
    #[arg(long, value_name = "N-M,...", value_parser = seeds, conflicts_with = "seed")]
    pub seeds: Option<Seeds>,
    /// Number of runs at the same time; results do not depend on it. Default: the machine's cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// What if: set a key in the scenario of every run that has it. The results then no longer show the model's defaults.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
    /// Keep the results of long runs (congestion, ue-or-slingshot) in this folder, and do not repeat those already there. An
    /// interrupted experiment thus continues.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "set")]
    pub resume: Option<PathBuf>,
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
  philae validate --only half-bandwidth-400 \\
      --set hardware.host.send_overhead_ns=60
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
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub document: Option<PathBuf>,
    /// Compare the switch's port fidelity, the default, with tile fidelity instead: one switch and
    /// the same packets; prints latency, throughput, speed and the error of the faster one.
    #[arg(long, conflicts_with_all = ["only", "strict", "set", "causes", "resume", "document"])]
    pub fidelity: bool,
    /// What if: set a key in the scenario of every run that has it. The results then no longer show the model's defaults.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
    /// Also write the rows as an HTML page, with a plot of modelled and published values.
    #[arg(long, value_name = "FILE", conflicts_with = "fidelity", value_parser = output_file())]
    pub report: Option<PathBuf>,
    /// Exit with 1 if a published result is not reproduced.
    #[arg(long)]
    pub strict: bool,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = philae_console::whole::<u64>(0, i64::MAX as u64))]
    pub seed: u64,
    /// Run with each of these seeds: 1-5, or 1,2,7. A result is their mean, with its 95 % interval. Default: --seed alone,
    /// or three from it on where an experiment's results depend on it.
    #[arg(long, value_name = "N-M,...", value_parser = seeds, conflicts_with = "seed")]
    pub seeds: Option<Seeds>,
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
  philae bench --endpoints all --repeats 1 \\
      --document docs/simulate/performance.md
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
    #[arg(long, value_name = "FILE.md", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub document: Option<PathBuf>,
    /// Number of runs of each case; the fastest counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = philae_console::whole::<u32>(1, 1_000))]
    pub repeats: u32,
}
